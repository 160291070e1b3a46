/* The memory of ranks: a bar of categories each, all on one axis, the predicted peak as a mark, and
 * the numbers next to each other. Of many ranks, neighbours that hold the same share a row. While a
 * run goes its bars are what ranks hold now; once it has ended, what they kept between steps. */
#include "page/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 8,
    MOST_ROWS = 64,
    LEAST_CELLS = 8,
    MOST_CELLS = 64,
    NUMBERS = 3,
    FITTINGS = 3,
    /* columns behind the axis that runs on different pages have alike */
    MARKS = 4,
    /* what stands right of the axis */
    UNIT = 3,
    GPU_ROWS = 8
};

/* ranks that weigh the same */
struct group {
    uint32_t first, last;
    const struct experiment_rank *rank;
    const struct experiment_weights *held;
    uint64_t peak;
};
struct run {
    const struct experiment_state *state;
    bool ended;
    /* when it held what its bars show, while it has not ended */
    const char *now;
    struct group group[MOST_ROWS];
    size_t groups, shown;
};
struct scales {
    struct run run[PAGE_LAB_RUNS];
    size_t runs;
    /* numbers stand under the bars */
    bool narrow;
    int labels, column[NUMBERS];
    /* column of the bars; columns behind the axis for its end and for marks */
    int left, behind;
    /* a category is too small for its bar */
    bool marked;
    /* of the numbers; of the axis, which is the same for all runs of a lab */
    struct page_scale scale, along;
    struct page_axis axis;
};

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
/* What is heard of a run while it goes misses its peaks: they are known at its end. */
static struct group read_rank(const struct experiment_rank *r, uint32_t number, bool ended) {
    return (struct group){.first = number,
                          .last = number,
                          .rank = r,
                          .held = r->ended ? &r->persistent : &r->now,
                          .peak = ended ? r->peak_total : 0};
}

static bool is_foreseen(const struct group *g) {
    return g->rank->predicted.known;
}

static uint64_t predicted(const struct group *g) {
    return is_foreseen(g) ? g->rank->predicted.peak_total : 0;
}

static bool hold_the_same(const struct experiment_weights *a, const struct experiment_weights *b) {
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

/* While a run goes its ranks are heard one after the other, and differ for an instant: then those
 * for which the same was predicted share a row, which shows the highest, and no row comes and goes.
 */
static bool weigh_the_same(const struct run *r, const struct group *a, const struct group *b) {
    if (is_foreseen(a) != is_foreseen(b) || predicted(a) != predicted(b)) return false;
    if (r->ended || !is_foreseen(a)) return a->peak == b->peak && hold_the_same(a->held, b->held);
    return hold_the_same(&a->rank->predicted.persistent, &b->rank->predicted.persistent) &&
           hold_the_same(&a->rank->predicted.peak, &b->rank->predicted.peak);
}

static void read_run(const struct experiment_state *s, struct run *r, size_t rows, bool narrow) {
    bool fold = narrow || s->seen > rows;
    r->state = s;
    r->ended = page_lab_well(s);
    r->now = s->over ? "last" : "now";
    for (uint32_t i = 0; i < s->seen && i < EXPERIMENT_RANKS; i++) {
        struct group g = read_rank(&s->rank[i], i, r->ended),
                     *last = r->groups ? &r->group[r->groups - 1] : NULL;
        if (fold && last && weigh_the_same(r, last, &g)) {
            last->last = g.last;
            if (g.held->total > last->held->total) last->held = g.held;
        } else if (r->groups < MOST_ROWS)
            r->group[r->groups++] = g;
    }
    r->shown = r->groups > rows ? rows - 1 : r->groups; /* the last row says what is not shown */
}

/* ── what may come ─────────────────────────────────────────────────────────────────────────────*/
/* While a run goes its figure makes room for what it will hold, so that nothing moves when a
 * category comes or goes. */
static bool may_hold(const struct run *r, const struct group *g, unsigned c) {
    const struct experiment_rank *k = g->rank;
    if (r->ended) return g->held->bytes[c];
    return g->held->bytes[c] || k->peak.bytes[c] || k->predicted.peak.bytes[c] ||
           k->predicted.persistent.bytes[c];
}

static bool is_present(const struct scales *s, unsigned c) {
    for (size_t i = 0; i < s->runs; i++)
        for (size_t k = 0; k < s->run[i].groups; k++)
            if (may_hold(&s->run[i], &s->run[i].group[k], c)) return true;
    return false;
}

/* The columns that a bar takes with the marks behind it, at most. */
static int bar_width(const struct page *p, const struct run *r, const struct group *g,
                     double bytes_per_cell) {
    if (r->ended || !is_foreseen(g)) return page_bar_width(p, g->held->bytes, bytes_per_cell);
    int marks = 0;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        marks +=
            may_hold(r, g, c) && (double)g->rank->predicted.persistent.bytes[c] < bytes_per_cell;
    double most = fmax((double)g->held->total, (double)predicted(g));
    return (int)ceil(most / bytes_per_cell) + (marks ? 1 + marks : 0);
}

/* ── laying out ────────────────────────────────────────────────────────────────────────────────*/
static const char *const heads[NUMBERS] = {"peak", "predicted", "difference"};

static bool any_ended(const struct scales *s) {
    return s->run[0].ended || (s->runs > 1 && s->run[1].ended);
}

/* Next to one that ended, under whose heads it stands, what one that goes holds is its bar alone.
 */
static uint64_t first_number(const struct run *r, const struct group *g) {
    return r->ended ? g->peak : g->held->total;
}

static void widen(const struct page *p, int *width, const char *text) {
    int w = page_measure(p, text);
    if (w > *width) *width = w;
}

static void measure(const struct page *p, struct scales *s, const struct run *r,
                    const struct group *g) {
    char label[32], apart[32];
    char *first = page_scale_print(s->scale, (double)first_number(r, g)),
         *foreseen = page_scale_print(s->scale, (double)predicted(g));
    widen(p, &s->labels, page_lab_ranks(label, g->first, g->last));
    widen(p, &s->column[0], first);
    if (!r->ended) widen(p, &s->column[0], foreseen);
    widen(p, &s->column[1], foreseen);
    if (r->ended) widen(p, &s->column[2], page_lab_difference(apart, g->peak, predicted(g)));
    free(first);
    free(foreseen);
}

/* The columns by which the marks behind a bar pass the end of the axis. */
static int beyond_axis(const struct page *p, const struct scales *s, double bytes_per_cell) {
    int most = 0;
    for (size_t i = 0; i < s->runs; i++)
        for (size_t k = 0; k < s->run[i].shown; k++) {
            int width = bar_width(p, &s->run[i], &s->run[i].group[k], bytes_per_cell);
            if (width - s->axis.cells > most) most = width - s->axis.cells;
        }
    return most;
}

/* The axis is as long as there are columns for it, and for the marks behind the bars. */
static void fit_axis(const struct page *p, struct scales *s, int columns, double most) {
    double unit = account_unit_scale(s->along.unit);
    for (int i = 0, past = 0; i == 0 || (i < FITTINGS && past > s->behind); i++) {
        if (i) s->behind = past;
        int cells = columns - s->behind;
        cells = cells < LEAST_CELLS ? LEAST_CELLS : cells > MOST_CELLS ? MOST_CELLS : cells;
        s->axis = page_axis_fit(most / unit, cells);
        past = beyond_axis(p, s, s->axis.end * unit / s->axis.cells);
    }
}

static void lay_out(const struct page *p, struct scales *s, struct page_flow f, double reach) {
    double most = 0;
    for (size_t i = 0; i < s->runs; i++)
        for (size_t k = 0; k < s->run[i].groups; k++) {
            const struct group *g = &s->run[i].group[k];
            most = fmax(most,
                        fmax((double)g->held->total, fmax((double)g->peak, (double)predicted(g))));
        }
    page_scale_read(NULL, &most, 1, &s->scale, NULL);
    if (s->scale.unit != ACCOUNT_UNIT_B && s->scale.digits == 0) s->scale.digits = 1;
    most = fmax(most, reach);
    page_scale_read(NULL, &most, 1, &s->along, NULL);
    s->narrow = f.width < LAB_NARROW;
    for (int c = 0; c < NUMBERS; c++) s->column[c] = page_measure(p, heads[c]);
    for (size_t i = 0; i < s->runs; i++)
        for (size_t k = 0; k < s->run[i].shown; k++) measure(p, s, &s->run[i], &s->run[i].group[k]);
    int numbers = s->narrow ? 0 : s->column[0] + s->column[1] + s->column[2] + NUMBERS * LAB_GAP;
    s->left = f.indent + s->labels + LAB_GAP;
    s->behind = reach > 0 ? MARKS : 1;
    fit_axis(p, s, f.indent + f.width - s->left - (numbers ? numbers : UNIT), most);
}

/* ── bars ──────────────────────────────────────────────────────────────────────────────────────*/
static int right_of(const struct scales *s, int column) {
    int right = s->left + s->axis.cells + s->behind;
    for (int c = 0; c <= column; c++) right += LAB_GAP + s->column[c];
    return right;
}

static void draw_head(struct page *p, const struct scales *s, struct page_flow f) {
    int row = p->height;
    const char *const now[NUMBERS] = {s->run[0].now, "", "predicted peak"};
    const char *const *head = any_ended(s) ? heads : now;
    char what[32] = "kept between steps";
    bool shared = s->run[0].groups < s->run[0].state->seen;
    if (!s->run[0].ended)
        snprintf(what, sizeof what, "%s, by category%s", s->run[0].now, shared ? ", at most" : "");
    if (s->left + page_measure(p, what) <= f.indent + f.width)
        page_put(p, row, s->left, PAGE_DIM, 0, what);
    for (int c = 0; c < NUMBERS && !s->narrow; c++)
        page_right(p, row, right_of(s, c), PAGE_DIM, head[c]);
}

static void draw_numbers(struct page *p, const struct scales *s, const struct run *r,
                         const struct group *g, struct page_flow f, int row) {
    char apart[32];
    char *first = page_scale_print(s->scale, (double)first_number(r, g)),
         *foreseen = page_scale_print(s->scale, (double)predicted(g));
    bool compare = is_foreseen(g) && r->ended;
    page_lab_difference(apart, g->peak, predicted(g));
    if (!s->narrow) {
        if (r->ended || !any_ended(s)) page_right(p, row, right_of(s, 0), PAGE_PLAIN, first);
        if (is_foreseen(g))
            page_right(p, row, right_of(s, any_ended(s) ? 1 : 2), PAGE_PLAIN, foreseen);
        if (compare)
            page_right(p, row, right_of(s, 2), page_lab_verdict(g->peak, predicted(g)), apart);
    } else if (compare)
        page_note(p, f, "peak %s, predicted %s, difference %s", first, foreseen, apart);
    else if (is_foreseen(g))
        page_note(p, f, "%s %s, predicted peak %s", r->now, first, foreseen);
    else
        page_note(p, f, "%s %s", r->ended ? "peak" : r->now, first);
    free(first);
    free(foreseen);
}

static void draw_group(struct page *p, struct scales *s, const struct run *r, const struct group *g,
                       struct page_flow f) {
    char label[32];
    double unit = account_unit_scale(s->along.unit);
    int row = p->height;
    page_put(p, row, f.indent, PAGE_PLAIN, 0, page_lab_ranks(label, g->first, g->last));
    int mark = s->left + page_axis_column(s->axis, (double)predicted(g) / unit);
    s->marked |= page_bar_stack(p, row, s->left, g->held->bytes, s->axis.end * unit / s->axis.cells,
                                is_foreseen(g) ? mark : -1, PAGE_STRONG);
    draw_numbers(p, s, r, g, f, row);
}

/* Those for which there is no row: how many, and between which peaks. */
static void draw_rest(struct page *p, const struct scales *s, const struct run *r,
                      struct page_flow f) {
    if (r->shown == r->groups) return;
    uint64_t low = UINT64_MAX, high = 0;
    uint32_t ranks = 0;
    for (size_t i = r->shown; i < r->groups; i++) {
        const struct group *g = &r->group[i];
        ranks += g->last - g->first + 1;
        uint64_t bytes = first_number(r, g);
        low = bytes < low ? bytes : low;
        high = bytes > high ? bytes : high;
    }
    char *from = page_scale_number(s->scale, (double)low),
         *to = page_scale_print(s->scale, (double)high);
    page_note(p, f, "and %u more, %s from %s to %s", ranks, r->ended ? "peaks" : r->now, from, to);
    free(from);
    free(to);
}

static void draw_run(struct page *p, struct scales *s, const struct run *r, struct page_flow f) {
    for (size_t i = 0; i < r->shown; i++) draw_group(p, s, r, &r->group[i], f);
    if (!r->groups) page_note(p, f, "Nothing was measured yet.");
    draw_rest(p, s, r, f);
}

/* ── as the system and the driver see them ─────────────────────────────────────────────────────*/
/* Each GPU as its driver sees it; ranks that are threads share the first. Of more than GPU_ROWS the
 * first ones. */
static void draw_gpus(struct page *p, const struct experiment_state *s, struct page_flow f) {
    uint32_t gpus = strcmp(s->setup.comm, "local") == 0 && s->seen ? 1 : s->seen;
    char bytes[32], power[32], clock[32];
    size_t told = 0, more = 0;
    for (uint32_t i = 0; i < gpus; i++) {
        const struct experiment_rank *r = &s->rank[i];
        if (!r->device_used) continue;
        if (told == GPU_ROWS) {
            more++;
            continue;
        }
        *power = *clock = '\0';
        if (r->power_w > 0) snprintf(power, sizeof power, ", %.0f W", r->power_w);
        if (r->sm_mhz) snprintf(clock, sizeof clock, ", %u MHz", r->sm_mhz);
        page_note(p, f, "GPU %zu, as its driver says: %s in use%s%s", told++,
                  account_print_bytes(bytes, sizeof bytes, (double)r->device_used), power, clock);
    }
    if (more) page_note(p, f, "and %zu GPUs more", more);
}

/* What the system holds for a rank. Ranks differ by a page here and there, so a run has one line,
 * from the least to the most. */
static void draw_resident(struct page *p, const struct experiment_state *s, const char *label,
                          struct page_flow f) {
    uint64_t low = UINT64_MAX, high = 0;
    char from[32], to[32];
    for (uint32_t i = 0; i < s->seen; i++) {
        uint64_t bytes = s->rank[i].resident;
        if (bytes && bytes < low) low = bytes;
        if (bytes > high) high = bytes;
    }
    if (!high) return;
    account_print_bytes(from, sizeof from, (double)low);
    account_print_bytes(to, sizeof to, (double)high);
    bool same = strcmp(from, to) == 0;
    page_note(p, f, "%s%s system counted at most %s%s%s per rank, program included", label,
              *label ? ": the" : "The", same ? "" : from, same ? "" : " to ", to);
}

static void draw_legend(struct page *p, const struct scales *s, struct page_flow f) {
    int row = p->height + 1, column = f.indent;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (is_present(s, c))
            column = page_sign(p, f, &row, column, PAGE_CATEGORY + c, page_fill(p, c),
                               account_category_words(c));
    if (s->run[0].groups && is_foreseen(&s->run[0].group[0]))
        column = page_sign(p, f, &row, column, PAGE_STRONG, page_limit_sign, "predicted peak");
    if (s->marked || !s->run[0].ended)
        page_sign(p, f, &row, column, PAGE_DIM, "+", page_mark_meaning);
}

/* ── what was kept, to the byte ────────────────────────────────────────────────────────────────*/
/* of a table: name, measured, predicted unless it is narrow, difference */
struct lines {
    char *cell[(ACCOUNT_CATEGORIES + 3) * (NUMBERS + 1)];
    size_t n;
    bool narrow, foreseen, measured;
};

static char *print_bytes(uint64_t bytes) {
    char text[32];
    return base_dup(account_print_bytes(text, sizeof text, (double)bytes));
}

/* A narrow table leaves out the prediction, which the difference implies, as soon as there is one.
 */
static bool tells_measured(const struct lines *l) {
    return l->measured || !l->narrow;
}

static bool tells_predicted(const struct lines *l) {
    return !l->measured || !l->narrow;
}

static void add_line(struct lines *l, const char *name, uint64_t measured, uint64_t predicted) {
    char apart[32];
    l->cell[l->n++] = base_dup(name);
    if (tells_measured(l)) l->cell[l->n++] = l->measured ? print_bytes(measured) : base_dup("");
    if (tells_predicted(l)) l->cell[l->n++] = l->foreseen ? print_bytes(predicted) : base_dup("");
    l->cell[l->n++] =
        base_dup(l->foreseen && l->measured ? page_lab_difference(apart, measured, predicted) : "");
}

static void add_head(struct lines *l, const struct run *r, bool label) {
    char ranks[32];
    page_lab_ranks(ranks, r->group[0].first, r->group[0].last);
    const char *name = label && r->state->label ? r->state->label : "";
    l->cell[l->n++] = base_dup(*name ? name : ranks);
    if (tells_measured(l)) l->cell[l->n++] = base_dup("measured");
    if (tells_predicted(l)) l->cell[l->n++] = base_dup("predicted");
    l->cell[l->n++] = base_dup(tells_measured(l) ? "difference" : "");
}

static void draw_kept(struct page *p, const struct scales *s, const struct run *r,
                      struct page_flow f) {
    const struct group *g = &r->group[0];
    const struct experiment_weights *kept = &g->rank->persistent,
                                    *foreseen = &g->rank->predicted.persistent;
    struct lines l = {.narrow = s->narrow, .foreseen = is_foreseen(g), .measured = r->ended};
    size_t columns = s->narrow ? NUMBERS : NUMBERS + 1;
    const char *where = r->ended ? g->rank->peak_where : g->rank->predicted.peak_where;
    char *peak = base_format("peak%s%s", *where && !s->narrow ? ", " : "", s->narrow ? "" : where);
    add_head(&l, r, s->runs > 1);
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if ((r->ended && kept->bytes[c]) || foreseen->bytes[c])
            add_line(&l, account_category_words((enum account_category)c), kept->bytes[c],
                     foreseen->bytes[c]);
    add_line(&l, "kept", kept->total, foreseen->total);
    add_line(&l, peak, g->peak, predicted(g));
    page_table(p, f, (const char *const *)l.cell, l.n / columns, columns, "lrrr", true);
    for (size_t i = 0; i < l.n; i++) free(l.cell[i]);
    free(peak);
}

static bool any_groups(const struct scales *s) {
    return s->run[0].groups || (s->runs > 1 && s->run[1].groups);
}

static void draw(struct page *p, struct scales *s, struct page_flow f, const struct page_lab *l) {
    draw_head(p, s, f);
    for (size_t i = 0; i < s->runs; i++) {
        page_lab_name(p, f, l, i);
        draw_run(p, s, &s->run[i], f);
    }
    page_axis_draw(p, s->left, s->axis, s->along, -1);
    if (!l->no_legend) draw_legend(p, s, f);
    for (size_t i = 0; i < s->runs; i++)
        draw_resident(p, l->run[i], s->runs > 1 ? l->run[i]->label : "", f);
    for (size_t i = 0; i < s->runs; i++) draw_gpus(p, l->run[i], f);
    for (size_t i = 0; i < s->runs && !l->no_table; i++)
        if (s->run[i].ended && s->run[i].groups) {
            page_blank(p, 1);
            draw_kept(p, s, &s->run[i], f);
        }
}

static void say(struct page *p, struct scales *s, struct page_flow f, const struct page_lab *l) {
    for (size_t i = 0; i < s->runs; i++) {
        page_lab_name(p, f, l, i);
        page_lab_memory_words(p, f, l->run[i]);
        draw_resident(p, l->run[i], "", f);
        draw_gpus(p, l->run[i], f);
    }
}

void page_lab_memory(struct page *p, struct page_flow f, const struct page_lab *l) {
    struct scales *s = base_alloc(sizeof *s);
    size_t rows = (size_t)page_lab_rows(l, ROWS, 2, MOST_ROWS);
    s->runs = page_lab_runs(l);
    for (size_t i = 0; i < s->runs; i++)
        read_run(l->run[i], &s->run[i], rows, f.width < LAB_NARROW);
    lay_out(p, s, f, (double)l->reach.bytes);
    if (any_groups(s))
        (p->spoken ? say : draw)(p, s, f, l);
    else
        page_note(p, f, "Nothing was measured yet.");
    free(s);
}

/* Of each run the first of its ranks; until the run ends only what is predicted. */
void page_lab_ledger(struct page *p, struct page_flow f, const struct page_lab *l) {
    struct scales *s = base_alloc(sizeof *s);
    s->runs = page_lab_runs(l);
    s->narrow = f.width < LAB_NARROW;
    for (size_t i = 0; i < s->runs; i++) {
        read_run(l->run[i], &s->run[i], ROWS, true);
        page_blank(p, i > 0);
        if (!s->run[i].groups)
            page_note(p, f, "Nothing was measured yet.");
        else if (p->spoken)
            page_lab_memory_words(p, f, l->run[i]);
        else
            draw_kept(p, s, &s->run[i], f);
    }
    free(s);
}
