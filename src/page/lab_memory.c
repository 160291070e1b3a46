/* The memory of ranks: a bar of categories each, all on one axis, the predicted peak as a mark, and
 * the numbers beside each other. Of many ranks, neighbours that hold the same share a row.
 *
 *   {"kind":"lab-memory","runs":[{"label":"stage 2","ended":true,"world":4,"ranks":[
 *       {"rank":0,"bytes":{"params":…},"peak":B,"peak_where":"…","kept":{…},"resident":B,
 *        "predicted":{"peak":B,"peak_where":"…","kept":{…}}}…]}…],
 *    "over":true  (of a run that did not end well: what it held is what was last heard of it)
 *    "gpus":[{"rank":0,"used":B,"power_w":412.0,"sm_mhz":1980}…]
 *       (as the driver sees them; absent if there are none)
 *    "reach":B  (the axis goes at least so far, for runs that stand on pages of their own)
 *    "rows":8,"table":true,"legend":true} */
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
    UNIT = 3, /* what stands right of the axis */
    GPU_ROWS = 8
};

/* ranks that weigh the same */
struct group {
    uint32_t first, last;
    const json_t *rank;
    uint64_t bytes[ACCOUNT_CATEGORIES], total, peak, predicted;
    bool foreseen;
};
struct run {
    const json_t *spec;
    const char *label;
    bool ended;
    const char *now; /* when it held what its bars show, while it has not ended */
    struct group group[MOST_ROWS];
    size_t groups, shown;
};
struct scales {
    struct run run[LAB_RUNS];
    size_t runs;
    bool narrow; /* numbers stand under the bars */
    int labels, column[NUMBERS];
    int left, behind; /* column of the bars; columns behind the axis for its end and for marks */
    bool marked;      /* a category is too small for its bar */
    struct page_scale scale;
    struct page_axis axis;
};

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
/* What is heard of a run while it goes misses its peaks: they are known at its end. */
static struct group read_rank(const json_t *rank, bool ended) {
    struct group g = {.rank = rank, .peak = ended ? page_lab_bytes(rank, "peak") : 0};
    const json_t *predicted = json_object_get(rank, "predicted");
    g.first = g.last = (uint32_t)page_lab_bytes(rank, "rank");
    g.total = page_lab_weights(json_object_get(rank, "bytes"), g.bytes);
    g.foreseen = predicted;
    g.predicted = page_lab_bytes(predicted, "peak");
    return g;
}

static bool weigh_the_same(const struct group *a, const struct group *b) {
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0 && a->peak == b->peak &&
           a->foreseen == b->foreseen && a->predicted == b->predicted;
}

static void read_run(const json_t *spec, struct run *r, size_t rows, bool narrow) {
    const json_t *ranks = json_object_get(spec, "ranks"), *rank;
    bool fold = narrow || json_array_size(ranks) > rows;
    size_t i;
    r->spec = spec;
    r->label = base_json_text(spec, "label", "");
    r->ended = base_json_bool(spec, "ended", false);
    r->now = base_json_bool(spec, "over", false) ? "last" : "now";
    json_array_foreach(ranks, i, rank) {
        struct group g = read_rank(rank, r->ended),
                     *last = r->groups ? &r->group[r->groups - 1] : NULL;
        if (fold && last && weigh_the_same(last, &g))
            last->last = g.last;
        else if (r->groups < MOST_ROWS)
            r->group[r->groups++] = g;
    }
    r->shown = r->groups > rows ? rows - 1 : r->groups; /* the last row says what is not shown */
}

/* ── laying out ────────────────────────────────────────────────────────────────────────────────*/
static const char *const heads[NUMBERS] = {"peak", "predicted", "difference"};

static bool any_ended(const struct scales *s) {
    return s->run[0].ended || (s->runs > 1 && s->run[1].ended);
}

/* Beside one that ended, under whose heads it stands, what one that goes holds is its bar alone. */
static uint64_t first_number(const struct run *r, const struct group *g) {
    return r->ended ? g->peak : g->total;
}

static void widen(const struct page *p, int *width, const char *text) {
    int w = page_measure(p, text);
    if (w > *width) *width = w;
}

static void measure(const struct page *p, struct scales *s, const struct run *r,
                    const struct group *g) {
    char label[32], apart[32];
    char *first = page_scale_print(s->scale, (double)first_number(r, g)),
         *predicted = page_scale_print(s->scale, (double)g->predicted);
    widen(p, &s->labels, page_lab_ranks(label, g->first, g->last));
    widen(p, &s->column[0], first);
    widen(p, &s->column[1], predicted);
    if (r->ended) widen(p, &s->column[2], page_lab_difference(apart, g->peak, g->predicted));
    free(first);
    free(predicted);
}

/* The columns by which the marks behind a bar pass the end of the axis. */
static int beyond_axis(const struct page *p, const struct scales *s, double bytes_per_cell) {
    int most = 0;
    for (size_t i = 0; i < s->runs; i++)
        for (size_t k = 0; k < s->run[i].shown; k++) {
            int width = page_bar_width(p, s->run[i].group[k].bytes, bytes_per_cell);
            if (width - s->axis.cells > most) most = width - s->axis.cells;
        }
    return most;
}

/* The axis is as long as there are columns for it, and for the marks behind the bars. */
static void fit_axis(const struct page *p, struct scales *s, int columns, double most) {
    double unit = account_unit_scale(s->scale.unit);
    s->behind = 1;
    for (int i = 0, past = 0; i == 0 || (i < FITTINGS && past > s->behind); i++) {
        if (i) s->behind = past;
        int cells = columns - s->behind;
        cells = cells < LEAST_CELLS ? LEAST_CELLS : cells > MOST_CELLS ? MOST_CELLS : cells;
        s->axis = page_axis_fit(most / unit, cells);
        past = beyond_axis(p, s, s->axis.end * unit / s->axis.cells);
    }
}

static bool lay_out(const struct page *p, struct scales *s, struct page_flow f, const json_t *spec,
                    struct base_message *m) {
    double most = 0;
    for (size_t i = 0; i < s->runs; i++)
        for (size_t k = 0; k < s->run[i].groups; k++) {
            const struct group *g = &s->run[i].group[k];
            most = fmax(most, fmax((double)g->total, fmax((double)g->peak, (double)g->predicted)));
        }
    if (!page_scale_read(spec, &most, 1, &s->scale, m)) return false;
    if (s->scale.unit != ACCOUNT_UNIT_B && s->scale.digits == 0) s->scale.digits = 1;
    s->narrow = f.width < LAB_NARROW;
    for (int c = 0; c < NUMBERS; c++) s->column[c] = page_measure(p, heads[c]);
    for (size_t i = 0; i < s->runs; i++)
        for (size_t k = 0; k < s->run[i].shown; k++) measure(p, s, &s->run[i], &s->run[i].group[k]);
    int numbers = s->narrow ? 0 : s->column[0] + s->column[1] + s->column[2] + NUMBERS * LAB_GAP;
    s->left = f.indent + s->labels + LAB_GAP;
    most = fmax(most, (double)page_lab_bytes(spec, "reach")); /* in the numbers' own unit */
    fit_axis(p, s, f.indent + f.width - s->left - (numbers ? numbers : UNIT), most);
    return true;
}

/* ── bars ──────────────────────────────────────────────────────────────────────────────────────*/
static int right_of(const struct scales *s, int column) {
    int right = s->left + s->axis.cells + s->behind;
    for (int c = 0; c <= column; c++) right += LAB_GAP + s->column[c];
    return right;
}

static void draw_head(struct page *p, const struct scales *s, struct page_flow f) {
    int row = p->height;
    const char *const now[NUMBERS] = {s->run[0].now, heads[1], ""};
    const char *const *head = any_ended(s) ? heads : now;
    char what[32] = "kept between steps";
    if (!s->run[0].ended) snprintf(what, sizeof what, "%s, by category", s->run[0].now);
    if (s->left + page_measure(p, what) <= f.indent + f.width)
        page_put(p, row, s->left, PAGE_DIM, 0, what);
    for (int c = 0; c < NUMBERS && !s->narrow; c++)
        page_right(p, row, right_of(s, c), PAGE_DIM, head[c]);
}

static void draw_numbers(struct page *p, const struct scales *s, const struct run *r,
                         const struct group *g, struct page_flow f, int row) {
    char apart[32];
    char *first = page_scale_print(s->scale, (double)first_number(r, g)),
         *predicted = page_scale_print(s->scale, (double)g->predicted);
    bool compare = g->foreseen && r->ended;
    page_lab_difference(apart, g->peak, g->predicted);
    if (!s->narrow) {
        if (r->ended || !any_ended(s)) page_right(p, row, right_of(s, 0), PAGE_PLAIN, first);
        if (g->foreseen) page_right(p, row, right_of(s, 1), PAGE_PLAIN, predicted);
        if (compare)
            page_right(p, row, right_of(s, 2), page_lab_verdict(g->peak, g->predicted), apart);
    } else if (compare)
        page_note(p, f, "peak %s, predicted %s, difference %s", first, predicted, apart);
    else if (g->foreseen)
        page_note(p, f, "%s %s, predicted peak %s", r->now, first, predicted);
    else
        page_note(p, f, "%s %s", r->ended ? "peak" : r->now, first);
    free(first);
    free(predicted);
}

static void draw_group(struct page *p, struct scales *s, const struct run *r, const struct group *g,
                       struct page_flow f) {
    char label[32];
    double unit = account_unit_scale(s->scale.unit);
    int row = p->height;
    page_put(p, row, f.indent, PAGE_PLAIN, 0, page_lab_ranks(label, g->first, g->last));
    int predicted = s->left + page_axis_column(s->axis, (double)g->predicted / unit);
    s->marked |= page_bar_stack(p, row, s->left, g->bytes, s->axis.end * unit / s->axis.cells,
                                g->foreseen ? predicted : -1, PAGE_STRONG);
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
    if (s->runs > 1 && *r->label) page_put(p, p->height, f.indent, PAGE_STRONG, 0, r->label);
    for (size_t i = 0; i < r->shown; i++) draw_group(p, s, r, &r->group[i], f);
    if (!r->groups) page_note(p, f, "Nothing was weighed yet.");
    draw_rest(p, s, r, f);
}

/* ── as the system and the driver see them ─────────────────────────────────────────────────────*/
/* Where there are more than rows, the first ones. */
static void draw_gpus(struct page *p, const struct run *r, struct page_flow f, size_t rows) {
    const json_t *gpus = json_object_get(r->spec, "gpus"), *gpu;
    char bytes[32], power[32], clock[32];
    size_t i;
    json_array_foreach(gpus, i, gpu) {
        double watts = base_json_number(gpu, "power_w", 0);
        uint64_t mhz = page_lab_bytes(gpu, "sm_mhz");
        if (i == rows) break;
        *power = *clock = '\0';
        if (watts > 0) snprintf(power, sizeof power, ", %.0f W", watts);
        if (mhz) snprintf(clock, sizeof clock, ", %u MHz", (unsigned)mhz);
        page_note(p, f, "GPU %zu, as its driver says: %s in use%s%s", i,
                  account_print_bytes(bytes, sizeof bytes, (double)page_lab_bytes(gpu, "used")),
                  power, clock);
    }
    if (json_array_size(gpus) > rows)
        page_note(p, f, "and %zu GPUs more", json_array_size(gpus) - rows);
}

/* What the system holds for a rank. Ranks differ by a page here and there, so a run has one line,
 * from the least to the most. */
static void draw_resident(struct page *p, const struct run *r, const char *label,
                          struct page_flow f) {
    const json_t *rank;
    uint64_t low = UINT64_MAX, high = 0;
    char from[32], to[32];
    size_t i;
    json_array_foreach(json_object_get(r->spec, "ranks"), i, rank) {
        uint64_t bytes = page_lab_bytes(rank, "resident");
        if (bytes && bytes < low) low = bytes;
        if (bytes > high) high = bytes;
    }
    if (!high) return;
    account_print_bytes(from, sizeof from, (double)low);
    account_print_bytes(to, sizeof to, (double)high);
    bool same = strcmp(from, to) == 0;
    page_note(p, f, "%s%sresident at most, as the system counts: %s%s%s a rank", label,
              *label ? ": " : "", same ? "" : from, same ? "" : " to ", to);
}

static bool is_present(const struct scales *s, unsigned c) {
    for (size_t i = 0; i < s->runs; i++)
        for (size_t k = 0; k < s->run[i].groups; k++)
            if (s->run[i].group[k].bytes[c]) return true;
    return false;
}

static void draw_legend(struct page *p, const struct scales *s, struct page_flow f) {
    int row = p->height + 1, column = f.indent;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (is_present(s, c))
            column = page_sign(p, f, &row, column, PAGE_CATEGORY + c, page_fill(p, c),
                               account_category_name(c));
    if (s->run[0].groups && s->run[0].group[0].foreseen)
        column = page_sign(p, f, &row, column, PAGE_STRONG, page_limit_sign, "predicted peak");
    if (s->marked) page_sign(p, f, &row, column, PAGE_DIM, "+", page_mark_meaning);
}

/* ── what was kept, to the byte ────────────────────────────────────────────────────────────────*/
/* of a table: name, measured, predicted unless it is narrow, difference */
struct lines {
    char *cell[(ACCOUNT_CATEGORIES + 3) * (NUMBERS + 1)];
    size_t n;
    bool narrow, foreseen;
};

static char *print_bytes(uint64_t bytes) {
    char text[32];
    return base_dup(account_print_bytes(text, sizeof text, (double)bytes));
}

static void add_line(struct lines *l, const char *name, uint64_t measured, uint64_t predicted) {
    char apart[32];
    l->cell[l->n++] = base_dup(name);
    l->cell[l->n++] = print_bytes(measured);
    if (!l->narrow) l->cell[l->n++] = l->foreseen ? print_bytes(predicted) : base_dup("");
    l->cell[l->n++] = base_dup(l->foreseen ? page_lab_difference(apart, measured, predicted) : "");
}

static void add_head(struct lines *l, const struct run *r, bool label) {
    char ranks[32];
    page_lab_ranks(ranks, r->group[0].first, r->group[0].last);
    l->cell[l->n++] = label && *r->label ? base_dup(r->label) : base_dup(ranks);
    l->cell[l->n++] = base_dup("measured");
    if (!l->narrow) l->cell[l->n++] = base_dup("predicted");
    l->cell[l->n++] = base_dup("difference");
}

static void draw_kept(struct page *p, const struct scales *s, const struct run *r,
                      struct page_flow f) {
    const struct group *g = &r->group[0];
    const json_t *predicted = json_object_get(g->rank, "predicted");
    uint64_t kept[ACCOUNT_CATEGORIES], foreseen[ACCOUNT_CATEGORIES];
    uint64_t total = page_lab_weights(json_object_get(g->rank, "kept"), kept),
             sum = page_lab_weights(json_object_get(predicted, "kept"), foreseen);
    struct lines l = {.narrow = s->narrow, .foreseen = g->foreseen};
    size_t columns = s->narrow ? NUMBERS : NUMBERS + 1;
    const char *where = base_json_text(g->rank, "peak_where", "");
    char *peak = base_format("peak%s%s", *where && !s->narrow ? ", " : "", s->narrow ? "" : where);
    add_head(&l, r, s->runs > 1);
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (kept[c] || foreseen[c])
            add_line(&l, account_category_name((enum account_category)c), kept[c], foreseen[c]);
    add_line(&l, "kept", total, sum);
    add_line(&l, peak, g->peak, g->predicted);
    page_blank(p, 1);
    page_table(p, f, (const char *const *)l.cell, l.n / columns, columns, "lrrr", true);
    for (size_t i = 0; i < l.n; i++) free(l.cell[i]);
    free(peak);
}

bool page_figure_lab_memory(struct page *p, struct page_flow f, const json_t *spec,
                            struct base_message *m) {
    const json_t *runs[LAB_RUNS];
    struct scales *s = base_alloc(sizeof *s);
    int64_t rows = base_json_int(spec, "rows", ROWS);
    bool fine = page_lab_runs(spec, runs, &s->runs, m);
    for (size_t i = 0; fine && i < s->runs; i++)
        read_run(runs[i], &s->run[i],
                 rows < 2           ? 2
                 : rows > MOST_ROWS ? MOST_ROWS
                                    : (size_t)rows,
                 f.width < LAB_NARROW);
    fine = fine && lay_out(p, s, f, spec, m);
    bool weighed = s->run[0].groups || (s->runs > 1 && s->run[1].groups);
    if (fine && !weighed) page_note(p, f, "Nothing was weighed yet.");
    if (fine && weighed) {
        draw_head(p, s, f);
        for (size_t i = 0; i < s->runs; i++) draw_run(p, s, &s->run[i], f);
        page_axis_draw(p, s->left, s->axis, s->scale, -1);
        if (base_json_bool(spec, "legend", true)) draw_legend(p, s, f);
        for (size_t i = 0; i < s->runs; i++)
            draw_resident(p, &s->run[i], s->runs > 1 ? s->run[i].label : "", f);
        for (size_t i = 0; i < s->runs; i++) draw_gpus(p, &s->run[i], f, GPU_ROWS);
        for (size_t i = 0; i < s->runs && base_json_bool(spec, "table", true); i++)
            if (s->run[i].ended && s->run[i].groups) draw_kept(p, s, &s->run[i], f);
    }
    free(s);
    return fine;
}
