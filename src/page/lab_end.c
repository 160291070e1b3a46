/* What a lab ends in: its runs next to each other. A bar shows what the lab is about: what its rank
 * 0 held at its peak, first what is kept between steps, then what comes and goes; or what it sent
 * in a step; or how long a step took, and how much of it was waiting. Of a lab of one run the ranks
 * stand next to each other. */
#include "page/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* of a bar */
    LEAST_CELLS = 12,
    WANTED_CELLS = 20,
    /* rows of one */
    THICKEST = 7,
    /* of the only one */
    ALONE = 3,
    /* rows of the heads and of the axis */
    OTHER_ROWS = 4,
    /* of a plot that is drawn to see how many rows stand around it */
    TRIED_ROWS = 9,
    LOWEST_PLOT = 3
};
/* What bars show. */
enum about { ABOUT_MEMORY, ABOUT_TRAFFIC, ABOUT_TIME };
static const char *const busy = "▇", *const waits = "×";

struct row {
    char label[32];
    const struct experiment_state *run;
    const struct experiment_rank *rank;
    /* what it held, at its peak if it ended */
    const struct experiment_weights *held;
    /* milliseconds that it computes and waits */
    double computes, waits;
};
struct picture {
    struct row row[PAGE_LAB_ENDS];
    size_t rows;
    enum about about;
    /* the numbers next to the bars */
    enum experiment_measure shown[EXPERIMENT_MEASURES];
    int numbers;
    /* numbers stand under the bars */
    bool narrow;
    int labels, column[EXPERIMENT_MEASURES], left, thick, gap;
    bool marked;
    struct page_scale scale;
    struct page_axis axis;
};

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static double measured(const struct row *r, enum experiment_measure m) {
    double value = 0;
    return experiment_measured(r->run, (uint32_t)(r->rank - r->run->rank), m, &value) ? value : 0;
}

/* An all-reduce is a reduce-scatter and then an all-gather, and the lab's ranks do and count it so:
 * a piece for each other rank in each half (lab/comm.c, lab/cpu/exchange.c). What one half sent. */
static uint64_t half_of(const struct row *r) {
    return r->rank->sent[EXPERIMENT_SENT_AR] / 2;
}

static void read_times(struct row *r) {
    r->waits = measured(r, EXPERIMENT_EXPOSED);
    r->computes = fmax(measured(r, EXPERIMENT_STEP_TIME) - r->waits, 0);
}

/* The parts of a row's bar of bytes. */
static int parts_of(const struct page *p, const struct picture *c, const struct row *r,
                    struct page_part part[static PAGE_PARTS]) {
    uint64_t sent[ACCOUNT_COLLECTIVES] = {0};
    if (c->about == ABOUT_MEMORY) return page_parts_of(p, r->held->bytes, part);
    memcpy(sent, r->rank->sent, sizeof r->rank->sent);
    return page_wire_parts(p, sent, part);
}

static void add_row(struct picture *c, const char *label, const struct experiment_state *s,
                    uint32_t rank) {
    struct row *r = &c->row[c->rows++];
    r->run = s;
    r->rank = &s->rank[rank];
    r->held = page_lab_held(r->rank);
    read_times(r);
    snprintf(r->label, sizeof r->label, "%s", label);
}

static enum about about_of(const struct experiment_lab *lab) {
    if (strcmp(lab->watch, "traffic") == 0) return ABOUT_TRAFFIC;
    return strcmp(lab->watch, "timeline") == 0 ? ABOUT_TIME : ABOUT_MEMORY;
}

static void read_rows(struct picture *c, const struct page_lab_end *e) {
    char label[32];
    c->about = about_of(e->compared->lab);
    if (e->runs == 1)
        for (uint32_t i = 0; i < e->run[0]->seen && i < PAGE_LAB_ENDS; i++)
            add_row(c, page_lab_ranks(label, i, i), e->run[0], i);
    for (size_t i = 0; e->runs > 1 && i < e->runs; i++)
        if (e->run[i]->seen) add_row(c, e->run[i]->label, e->run[i], 0);
}

/* ── laying out ────────────────────────────────────────────────────────────────────────────────*/
/* Whether half an all-reduce is in the quantity. */
static bool has_half(const struct row *r, enum experiment_measure m) {
    return half_of(r) && (m == EXPERIMENT_SCATTERED || m == EXPERIMENT_GATHERED);
}

static const char half_sign[] = "*";

/* The caller's. */
static char *number(const struct row *r, enum experiment_measure m) {
    double value;
    if (!experiment_measured(r->run, (uint32_t)(r->rank - r->run->rank), m, &value))
        return base_dup(m == EXPERIMENT_PEAK && r->run->refused ? "refused" : "");
    if (has_half(r, m)) {
        char *whole = experiment_measure_print(m, value + (double)half_of(r)),
             *text = base_format("%s %s", half_sign, whole);
        free(whole);
        return text;
    }
    return experiment_measure_print(m, value);
}

/* Adds the quantity to the columns. */
static void add_number(const struct page *p, struct picture *c, enum experiment_measure m) {
    int width = page_measure(p, experiment_measure_name(m));
    for (size_t i = 0; i < c->rows; i++) {
        char *text = number(&c->row[i], m);
        int cells = page_measure(p, text);
        width = cells > width ? cells : width;
        free(text);
    }
    int at = c->numbers++;
    for (; at > 0 && c->shown[at - 1] > m; at--) {
        c->shown[at] = c->shown[at - 1];
        c->column[at] = c->column[at - 1];
    }
    c->shown[at] = m;
    c->column[at] = width;
}

static int numbers_width(const struct picture *c) {
    int width = 0;
    for (int k = 0; k < c->numbers; k++) width += LAB_GAP + c->column[k];
    return width;
}

enum { halves = 1u << EXPERIMENT_SCATTERED | 1u << EXPERIMENT_GATHERED };

/* An all-reduce has no column: its halves are in the other two. Where bars do not show what is
 * sent, its sum is enough. */
static uint32_t in_halves(enum about about, uint32_t measures) {
    static const uint32_t whole = 1u << EXPERIMENT_ALL_REDUCED;
    if (about != ABOUT_TRAFFIC) return measures & ~(whole | halves);
    return measures & whole ? (measures & ~whole) | halves : measures;
}

/* Quantities that the lab names, then the others in which the runs differ, as long as bars keep
 * half of the page; none of `without`. */
static void add_numbers(const struct page *p, struct picture *c, struct page_flow f,
                        const struct experiment_compared *compared, uint32_t without) {
    const uint32_t named = in_halves(c->about, compared->named) & ~without,
                   others = in_halves(c->about, compared->shown) & ~named & ~without;
    c->numbers = 0;
    for (int m = 0; m < EXPERIMENT_MEASURES; m++)
        if (named & 1u << m) add_number(p, c, (enum experiment_measure)m);
    for (int m = 0; m < EXPERIMENT_MEASURES; m++) {
        if (!(others & 1u << m)) continue;
        struct picture tried = *c;
        add_number(p, &tried, (enum experiment_measure)m);
        if (2 * (f.indent + f.width - c->left - numbers_width(&tried)) > f.width) *c = tried;
    }
}

/* Bars are as thick, and as far apart, as there are rows for it. */
static void fit_rows(struct picture *c, int rows) {
    int n = (int)c->rows, left = rows - OTHER_ROWS - n, thickest = n > 1 ? THICKEST : ALONE;
    c->thick = 1;
    c->gap = left >= n - 1;
    left -= c->gap ? n - 1 : 0;
    while (c->thick < thickest && left >= n) {
        c->thick++;
        left -= n;
    }
}

/* The scale of bars that are bytes, or milliseconds. */
static double read_scale(struct picture *c) {
    double most = 0;
    for (size_t i = 0; i < c->rows; i++) {
        const struct row *r = &c->row[i];
        most = fmax(most, c->about == ABOUT_TIME      ? r->computes + r->waits
                          : c->about == ABOUT_TRAFFIC ? (double)r->rank->sent_total
                                                      : (double)page_lab_peak(r->rank));
    }
    if (c->about == ABOUT_TIME) {
        c->scale = (struct page_scale){.unit = ACCOUNT_UNIT_MS};
        return most;
    }
    page_scale_read(NULL, &most, 1, &c->scale, NULL);
    if (c->scale.unit != ACCOUNT_UNIT_B && c->scale.digits == 0) c->scale.digits = 1;
    return most / account_unit_scale(c->scale.unit);
}

/* Numbers that give way to short bars, which show them. */
static const uint32_t shown_by_bars[] = {
    [ABOUT_MEMORY] = 1u << EXPERIMENT_ACTIVATIONS, [ABOUT_TRAFFIC] = halves, [ABOUT_TIME] = 0};

static void lay_out(const struct page *p, struct picture *c, struct page_flow f,
                    const struct experiment_compared *compared) {
    double most = read_scale(c);
    for (size_t i = 0; i < c->rows; i++) {
        int label = page_measure(p, c->row[i].label);
        c->labels = label > c->labels ? label : c->labels;
    }
    c->left = f.indent + c->labels + LAB_GAP;
    add_numbers(p, c, f, compared, 0);
    int right = f.indent + f.width, cells = right - c->left - numbers_width(c) - 1;
    if (cells < WANTED_CELLS && f.width >= LAB_NARROW) {
        add_numbers(p, c, f, compared, shown_by_bars[c->about]);
        cells = right - c->left - numbers_width(c) - 1;
    }
    c->narrow = f.width < LAB_NARROW || cells < LEAST_CELLS;
    if (c->narrow) cells = right - c->left - 3;
    c->axis = page_axis_fit(most, cells < LEAST_CELLS ? LEAST_CELLS : cells);
}

/* ── bars ──────────────────────────────────────────────────────────────────────────────────────*/
static int right_of(const struct picture *c, struct page_flow f, int column) {
    int right = f.indent + f.width;
    for (int k = c->numbers - 1; k > column; k--) right -= LAB_GAP + c->column[k];
    return right;
}

/* What bars show; shorter where there is little room. */
static const char *const says[][2] = {
    [ABOUT_MEMORY] = {"kept between steps, then what comes and goes",
                      "kept, then what comes and goes"},
    [ABOUT_TRAFFIC] = {"sent in a step: reductions, then gathers", "reductions, then gathers"},
    [ABOUT_TIME] = {"a step: computing, then waiting (exposed)", "computing, then waiting"},
};
static const char *const of_what[] = {
    [ABOUT_MEMORY] = "at its peak", [ABOUT_TRAFFIC] = "in a step"};

static void word_params(char out[static 24], const struct experiment_state *s) {
    account_print_count(out, 24, (double)s->setup.params);
}

static void word_precision(char out[static 24], const struct experiment_state *s) {
    snprintf(out, 24, "%s", *s->setup.precision ? s->setup.precision : "fp32");
}

static void word_ranks(char out[static 24], const struct experiment_state *s) {
    snprintf(out, 24, "%u", s->ranks);
}

/* "237K or 728K": what the runs have, each value once, in the order of the runs. */
static void put_values(struct base_text *t, const struct picture *c,
                       void (*word)(char out[static 24], const struct experiment_state *s)) {
    char said[PAGE_LAB_ENDS][24];
    size_t n = 0;
    for (size_t i = 0; i < c->rows; i++) {
        word(said[n], c->row[i].run);
        size_t k = 0;
        while (strcmp(said[k], said[n]) != 0) k++;
        n += k == n;
    }
    for (size_t k = 0; k < n; k++)
        base_text_printf(t, "%s%s", k == 0 ? "" : k + 1 < n ? ", " : " or ", said[k]);
}

/* What numbers are about: those up to `last`. */
static const struct {
    enum experiment_measure last;
    const char *name;
} groups[] = {{EXPERIMENT_IN_FILE, "memory"},
              {EXPERIMENT_MESSAGES, "traffic"},
              {EXPERIMENT_SKEW, "time"},
              {EXPERIMENT_MEASURES, ""}};

static const char *group_of(enum experiment_measure m) {
    size_t i = 0;
    while (m > groups[i].last) i++;
    return groups[i].name;
}

static bool ends_group(const struct picture *c, int k) {
    return k + 1 == c->numbers || group_of(c->shown[k + 1]) != group_of(c->shown[k]);
}

static int left_of(const struct picture *c, struct page_flow f, int column) {
    return right_of(c, f, column) - c->column[column];
}

static bool is_free(const struct page *p, int row, int from, int to) {
    while (from < to && strcmp(page_cell(p, row, from)->text, " ") == 0) from++;
    return from >= to;
}

/* The quantities, and over each group of them what it is about, with a line from its first to its
 * last, if the line above leaves room for all groups. */
static void draw_headings(struct page *p, const struct picture *c, struct page_flow f, int row) {
    bool room = c->numbers && is_free(p, row - 1, left_of(c, f, 0) - LAB_GAP, f.indent + f.width);
    for (int k = 0, first = 0; k < c->numbers; k++) {
        int right = right_of(c, f, k);
        page_right(p, row, right, PAGE_DIM, experiment_measure_name(c->shown[k]));
        if (!room || !ends_group(c, k)) continue;
        const char *name = group_of(c->shown[k]);
        int at = page_put(p, row - 1, left_of(c, f, first), PAGE_ACCENT, 0, name);
        for (at++; *name && at < right; at++) page_put(p, row - 1, at, PAGE_DIM, 0, "─");
        first = k + 1;
    }
}

/* What refused runs may not exceed, where the line has room for it. */
static void add_cap(const struct page *p, struct page_flow f, const struct experiment_state *s,
                    struct base_text *t) {
    char *cap = page_bytes((double)s->setup.cap),
         *with = base_format("%s, capped at %s", t->s, cap);
    if (s->setup.cap && page_measure(p, with) <= f.width)
        base_text_printf(t, ", capped at %s", cap);
    free(with);
    free(cap);
}

static void draw_head(struct page *p, const struct picture *c, struct page_flow f) {
    const struct experiment_state *s = c->row[0].run;
    bool each = c->row[0].run == c->row[c->rows - 1].run && s->ranks > 1;
    struct base_text text = {0};
    put_values(&text, c, word_params);
    base_text_puts(&text, " parameters, ");
    put_values(&text, c, word_precision);
    base_text_puts(&text, ", ");
    put_values(&text, c, word_ranks);
    base_text_puts(&text, c->row[c->rows - 1].run->ranks == 1 ? " rank: " : " ranks: ");
    /* Events of steps have the means of their ranks. */
    if (c->about == ABOUT_TIME)
        base_text_puts(&text, "the ranks' mean step");
    else
        base_text_printf(&text, "%s %s", each ? "every rank" : "rank 0", of_what[c->about]);
    add_cap(p, f, s, &text);
    f.role = PAGE_STRONG;
    page_text(p, f, text.s);
    base_text_free(&text);
    int row = p->height, room = right_of(c, f, -1) - c->left;
    if (c->narrow) {
        page_note(p, f, "%s", says[c->about][1]);
        return;
    }
    for (int i = 0; i < 2; i++) {
        if (page_measure(p, says[c->about][i]) > room) continue;
        page_put(p, row, c->left, PAGE_DIM, 0, says[c->about][i]);
        break;
    }
    draw_headings(p, c, f, row);
}

/* Milliseconds that the rank computes, then those that it waits. */
static void draw_time(struct page *p, const struct picture *c, const struct row *r, int row) {
    int end = page_axis_column(c->axis, r->computes + r->waits),
        wait = page_axis_column(c->axis, r->computes);
    for (int k = 0; k < end; k++)
        page_put(p, row, c->left + k, k < wait ? PAGE_DIM : PAGE_BAD, 0, k < wait ? busy : waits);
}

/* Under the bar, where the page is narrow. */
static void put_narrow(struct page *p, const struct picture *c, struct page_flow f,
                       const struct row *r) {
    struct base_text t = {0};
    for (int k = 0; k < c->numbers; k++) {
        char *text = number(r, c->shown[k]);
        base_text_printf(&t, "%s%s %s", k ? ", " : "", experiment_measure_name(c->shown[k]),
                         *text ? text : "?");
        free(text);
    }
    page_note(p, f, "%s", t.s);
    base_text_free(&t);
}

static void draw_bytes(struct page *p, struct picture *c, const struct row *r, int row) {
    double scale = c->axis.end * account_unit_scale(c->scale.unit) / c->axis.cells;
    struct page_part part[PAGE_PARTS];
    int parts = parts_of(p, c, r, part);
    c->marked |= page_bar_thick(p, row, c->thick, c->left, part, parts, scale, -1, PAGE_STRONG);
}

static void draw_row(struct page *p, struct picture *c, struct page_flow f, const struct row *r) {
    int row = p->height, middle = row + (c->thick - 1) / 2;
    page_put(p, middle, f.indent, PAGE_PLAIN, 0, r->label);
    if (c->about != ABOUT_TIME) draw_bytes(p, c, r, row);
    for (int i = 0; c->about == ABOUT_TIME && i < c->thick; i++) draw_time(p, c, r, row + i);
    page_blank(p, row + c->thick - p->height);
    if (c->narrow) {
        put_narrow(p, c, f, r);
        return;
    }
    for (int k = 0; k < c->numbers; k++) {
        bool named = c->shown[k] == EXPERIMENT_PEAK;
        char *text = number(r, c->shown[k]);
        page_right(p, middle, right_of(c, f, k), named ? PAGE_STRONG : PAGE_PLAIN, text);
        free(text);
    }
}

static bool is_held(const struct picture *c, int category) {
    for (size_t i = 0; i < c->rows; i++)
        if (c->row[i].held->bytes[category]) return true;
    return false;
}

static bool is_sent(const struct picture *c, unsigned collective) {
    for (size_t i = 0; i < c->rows; i++)
        if (c->row[i].rank->sent[collective]) return true;
    return false;
}

/* The signs [from, to) that bars have, in the bars' order, after a name: of categories, or of
 * collectives. */
static void draw_signs(struct page *p, const struct picture *c, struct page_flow f,
                       const char *name, unsigned from, unsigned to) {
    int row = p->height, column = f.indent + LAB_FACTS;
    page_put(p, row, f.indent, PAGE_DIM, 0, name);
    f.indent += LAB_FACTS;
    f.width -= LAB_FACTS;
    for (unsigned k = from; k < to; k++) {
        if (c->about == ABOUT_TRAFFIC && is_sent(c, k))
            column = page_wire_sign(p, f, &row, column, (enum account_collective_kind)k);
        if (c->about == ABOUT_MEMORY && is_held(c, (int)k))
            column = page_sign(p, f, &row, column, PAGE_CATEGORY + k,
                               page_fill(p, (enum account_category)k),
                               account_category_words((enum account_category)k));
    }
    if (c->marked && from == 0) page_sign(p, f, &row, column, PAGE_DIM, "+", page_mark_meaning);
}

/* Whose the halves of all-reduces are, if any number has one. */
static void draw_halves(struct page *p, const struct picture *c, struct page_flow f) {
    struct base_text t = {0};
    bool shown = false, all = true;
    for (size_t i = 0; i < c->rows; i++) {
        for (int k = 0; k < c->numbers; k++) shown |= has_half(&c->row[i], c->shown[k]);
        all = all && half_of(&c->row[i]);
        if (half_of(&c->row[i]))
            base_text_printf(&t, "%s%s", t.length ? ", " : "", c->row[i].label);
    }
    if (shown) {
        const char *who = !all                                       ? t.s
                          : c->row[0].run == c->row[c->rows - 1].run ? "every rank"
                                                                     : "every run";
        char *text = base_format("%s: a reduce-scatter, then an all-gather, half in each", who);
        page_lab_fact(p, f, "* all-reduce", text, PAGE_PLAIN);
    }
    base_text_free(&t);
}

static void draw_legend(struct page *p, const struct picture *c, struct page_flow f) {
    int row = p->height;
    if (c->about == ABOUT_TIME) {
        int column = page_sign(p, f, &row, f.indent, PAGE_DIM, busy, "computes");
        page_sign(p, f, &row, column, PAGE_BAD, waits, "waits (exposed)");
    } else if (c->about == ABOUT_TRAFFIC) {
        draw_signs(p, c, f, "sent", 0, EXPERIMENT_SENT);
    } else {
        draw_signs(p, c, f, "kept", 0, ACCOUNT_ACTIVATIONS);
        draw_signs(p, c, f, "comes, goes", ACCOUNT_ACTIVATIONS, ACCOUNT_CATEGORIES);
    }
    draw_halves(p, c, f);
}

/* What comes and goes, in plain words; and what waiting counts. */
static void draw_meanings(struct page *p, const struct picture *c, struct page_flow f) {
    static const char *const means[ACCOUNT_CATEGORIES] = {
        [ACCOUNT_GATHER] = "A gather buffer holds a layer's parameters, put together for use.",
        [ACCOUNT_REDUCE] = "A reduce buffer holds gradients while the ranks add them up.",
        [ACCOUNT_WORKSPACE] = "The workspace is scratch memory of the computation.",
    };
    struct base_text t = {0};
    for (int k = 0; c->about == ABOUT_MEMORY && k < ACCOUNT_CATEGORIES; k++)
        if (means[k] && is_held(c, k)) base_text_printf(&t, "%s%s", t.length ? " " : "", means[k]);
    if (c->about == ABOUT_TIME)
        base_text_puts(&t, "Waiting is exposed if a rank has nothing to compute meanwhile.");
    for (int k = 0; k < c->numbers; k++)
        if (c->shown[k] == EXPERIMENT_MESSAGES)
            base_text_printf(&t, "%sA message is one all-reduce, reduce-scatter or all-gather.",
                             t.length ? " " : "");
    if (t.s) page_note(p, f, "%s", t.s);
    base_text_free(&t);
}

/* ── the page ─────────────────────────────────────────────────────────────────────────────────*/
static void put_surprise(struct page *p, struct page_flow f, const struct page_lab_end *e) {
    if (!*e->compared->surprise) return;
    char *text = page_lab_whole_names(e, page_lab_surprise(e->compared, e->here));
    page_blank(p, page_height(p) > 0);
    f.role = PAGE_ACCENT;
    page_text(p, f, text);
    free(text);
}

/* What stands under the bars. */
static struct page *draw_under(const struct page *p, const struct picture *c, struct page_flow f,
                               const struct page_lab_end *e, bool meanings) {
    struct page *under = page_new(p->width, p->ascii);
    under->colours = p->colours;
    draw_legend(under, c, f);
    if (meanings) draw_meanings(under, c, f);
    page_blank(under, 1);
    page_lab_facts(under, f, e);
    put_surprise(under, f, e);
    return under;
}

static void draw_bars(struct page *p, struct picture *c, struct page_flow f) {
    for (size_t i = 0; i < c->rows; i++) {
        if (i && c->gap) page_blank(p, 1);
        draw_row(p, c, f, &c->row[i]);
    }
    page_axis_draw(p, c->left, c->axis, c->scale, -1);
}

/* Whether a category is too small for a bar. */
static bool is_marked(const struct page *p, struct picture *c, struct page_flow f) {
    struct page *tried = page_new(p->width, p->ascii);
    tried->colours = p->colours;
    draw_bars(tried, c, f);
    page_free(tried);
    return c->marked;
}

/* Of collectives that were timed alone: their lines in place of bars. */
static struct page *draw_lines(const struct page *p, struct page_flow f,
                               const struct page_lab_end *e, int rows, bool meanings) {
    struct page *lines = page_new(p->width, p->ascii);
    lines->colours = p->colours;
    page_lab_collectives(
        lines, f, &(struct page_lab){.run = {e->run[0]}, .rows = rows, .no_meanings = !meanings});
    page_blank(lines, 1);
    return lines;
}

/* The rows that are left for the plot if `under` stand below its table. */
static int plot_rows(const struct page *p, struct page_flow f, const struct page_lab_end *e,
                     int under, bool meanings) {
    struct page *lines = draw_lines(p, f, e, TRIED_ROWS, meanings);
    int rows = e->rows - (page_height(lines) - TRIED_ROWS) - under;
    page_free(lines);
    return rows > 0 ? rows : 1;
}

/* The plot has the rows that nothing else needs; if it were too low, its table's meanings go. */
static void draw_times(struct page *p, struct page_flow f, const struct page_lab_end *e) {
    struct page *under = page_new(p->width, p->ascii);
    int rows = TRIED_ROWS;
    bool meanings = true;
    page_lab_facts(under, f, e);
    put_surprise(under, f, e);
    if (e->rows) {
        rows = plot_rows(p, f, e, page_height(under), true);
        meanings = rows >= LOWEST_PLOT;
        if (!meanings) rows = plot_rows(p, f, e, page_height(under), false);
    }
    struct page *lines = draw_lines(p, f, e, rows, meanings);
    page_append(p, lines, 0, page_height(lines));
    page_append(p, under, 0, page_height(under));
    page_free(lines);
    page_free(under);
}

void page_lab_end(struct page *p, struct page_flow f, const struct page_lab_end *e) {
    struct picture c = {.thick = 1};
    if (p->spoken) {
        page_lab_end_words(p, f, e);
        return;
    }
    f = page_flow_fit(p, f);
    if (e->runs == 1 && e->run[0]->timings) {
        draw_times(p, f, e);
        return;
    }
    read_rows(&c, e);
    if (!c.rows) {
        page_note(p, f, "Nothing was measured.");
        return;
    }
    lay_out(p, &c, f, e->compared);
    c.marked = is_marked(p, &c, f);
    struct page *under = draw_under(p, &c, f, e, true);
    if (e->rows && !c.narrow && page_height(under) + OTHER_ROWS + 2 * (int)c.rows - 1 > e->rows) {
        page_free(under);
        under = draw_under(p, &c, f, e, false);
    }
    fit_rows(&c, e->rows - page_height(under));
    draw_head(p, &c, f);
    draw_bars(p, &c, f);
    page_append(p, under, 0, page_height(under));
    page_free(under);
}
