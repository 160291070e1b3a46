/* A pipeline's schedule: a row for each stage, a cell for each slot with the number of the
 * micro-batch; next to it the activations that the stage keeps, below it how much of the step is
 * empty. Where stages need not end together, what is before and after a stage's own step is marked.
 */
#include "page/play.h"

#include <stdlib.h>

enum {
    LABEL = 6,
    SHORT = 3,
    KEPT = 9,
    MOST = 5,
    WIDEST = 4,
    METER = 30,
    NARROW = 60,
    AHEAD = 4,
    GAP = 6,
    /* rows around the stages; of a stage at most */
    FIXED = 10,
    THICKEST = 6
};

/* a slot of the step before, or of the next one */
static const char *const other = "~";

struct slots {
    struct account_pipeline s;
    /* of a slot */
    int label, columns;
    /* slots in view */
    int from, count;
    /* columns for what is kept next to each row; 0: it stands below */
    int kept;
    /* rows of a stage, and between two of them */
    int thick, gap;
};

/* Each work has the colour of the memory that it makes, or, of the input's gradient, the one that
 * backward has. */
static const enum account_category colours[ACCOUNT_PIPELINE_WORKS] = {
    [ACCOUNT_WORK_FORWARD] = ACCOUNT_ACTIVATIONS,
    [ACCOUNT_WORK_BACKWARD] = ACCOUNT_GRADS,
    [ACCOUNT_WORK_WEIGHTS] = ACCOUNT_PARAMS,
};

/* ── layout ────────────────────────────────────────────────────────────────────────────────────*/
/* Columns that are left for slots, if so many stand next to them. */
static int columns_for(const struct slots *v, struct page_flow f) {
    int columns = f.width - v->label - v->kept;
    return columns > 1 ? columns : 1;
}

/* All slots are shown if they fit at one column each: what stands next to them then gives way. */
static void lay_sides(struct slots *v, struct page_flow f) {
    int slots = (int)v->s.slots, wanted = slots * (WIDEST / 2) / (int)v->s.pieces;
    v->kept = f.width >= NARROW ? KEPT : 0;
    v->label = LABEL;
    if (columns_for(v, f) < wanted) v->label = SHORT;
    if (columns_for(v, f) < slots && v->kept) v->kept = MOST;
}

/* Slots of an interleaved schedule are half as long: at the same scale they have half the columns.
 * What does not fit even so is a window that moves along. */
static void lay_out(struct slots *v, struct page_flow f) {
    lay_sides(v, f);
    int each = page_play_thick(f, FIXED, (int)v->s.stages, THICKEST + 1);
    v->gap = each > 2;
    v->thick = v->gap ? each - 1 : 1;
    int slots = (int)v->s.slots, most = WIDEST / (int)v->s.pieces, columns = columns_for(v, f);
    v->columns = columns / slots;
    if (v->columns > most) v->columns = most;
    if (v->columns < 1) v->columns = 1;
    v->count = slots * v->columns <= columns ? slots : columns;
    int now = (int)v->s.frame + AHEAD;
    v->from = now > v->count ? now - v->count : 0;
    if (v->from > slots - v->count) v->from = slots - v->count;
}

static int shown(const struct slots *v) {
    return v->s.over ? (int)v->s.slots : (int)v->s.frame;
}

static int column_of(const struct slots *v, struct page_flow f, int slot) {
    return f.indent + v->label + (slot - v->from) * v->columns;
}

/* ── the slots ─────────────────────────────────────────────────────────────────────────────────*/
/* The row of a stage in which it is named and its numbers are. */
static int middle_of(const struct slots *v, int row) {
    return row + (v->thick - 1) / 2;
}

static void draw_slot(struct page *p, const struct slots *v, struct page_flow f, int row, int stage,
                      int slot) {
    const struct account_slot *c = &v->s.cell[stage][slot];
    enum account_category kind = colours[c->work];
    int left = column_of(v, f, slot);
    bool now = !v->s.over && slot + 1 == (int)v->s.frame;
    unsigned attributes = now ? PAGE_BOLD : 0;
    for (int i = 0; i < v->thick * v->columns && c->micro; i++)
        page_put(p, row + i / v->columns, left + i % v->columns, PAGE_CATEGORY + (unsigned)kind,
                 attributes, page_fill(p, kind));
    if (!account_pipeline_has(&v->s, (uint32_t)stage, (uint32_t)slot))
        page_put(p, middle_of(v, row), left, PAGE_DIM, 0, other);
    if (!c->micro || !c->begins) return;
    char number[8];
    snprintf(number, sizeof number, "%u", v->columns > 1 ? c->micro : c->micro % 10);
    page_put(p, middle_of(v, row), left, now ? PAGE_STRONG : PAGE_NAME + (unsigned)kind,
             attributes | (c->piece % 2 ? PAGE_UNDERLINE : 0), number);
}

/* In the longest wait that is over there is room for its name, with a space on each side. Before
 * the first slot there is one. */
static void name_gap(struct page *p, const struct slots *v, struct page_flow f, int top) {
    int best = 0, at_stage = 0, at_slot = 0, end = shown(v);
    if (end > v->from + v->count) end = v->from + v->count;
    for (int stage = 0; stage < (int)v->s.stages; stage++)
        for (int slot = v->from, run = 0; slot < end; slot++) {
            bool waits = !v->s.cell[stage][slot].micro &&
                         account_pipeline_has(&v->s, (uint32_t)stage, (uint32_t)slot);
            run = waits ? run + 1 : 0;
            if (run <= best) continue;
            best = run;
            at_stage = stage;
            at_slot = slot - run + 1;
        }
    int space = best * v->columns - GAP;
    if (space >= (at_slot == v->from ? 0 : 2))
        page_put(p, middle_of(v, top + at_stage * (v->thick + v->gap)),
                 column_of(v, f, at_slot) + (space > 0 ? space / 2 : -1), PAGE_LIMIT, 0, "bubble");
}

static void draw_kept(struct page *p, const struct slots *v, struct page_flow f, int row,
                      int stage) {
    int end = f.indent + f.width;
    double pieces = v->s.pieces;
    char *now = base_format("%.3g", v->s.in_flight[stage] / pieces),
         *most = base_format("%.3g", v->s.most[stage] / pieces);
    if (v->kept == KEPT) page_right(p, row, end - MOST, PAGE_NAME + ACCOUNT_ACTIVATIONS, now);
    page_right(p, row, end, PAGE_PLAIN, most);
    free(now);
    free(most);
}

static void draw_stage(struct page *p, const struct slots *v, struct page_flow f, int stage) {
    int row = p->height, middle = middle_of(v, row), end = v->from + v->count;
    page_printf(p, middle, f.indent, PAGE_PLAIN, "%d", stage);
    for (int slot = v->from; slot < end; slot++)
        if (slot < shown(v))
            draw_slot(p, v, f, row, stage, slot);
        else
            page_put(p, middle, column_of(v, f, slot), PAGE_DIM, 0, "·");
    if (v->kept) draw_kept(p, v, f, middle, stage);
    bool last = stage + 1 == (int)v->s.stages;
    page_blank(p, row + v->thick + (last ? 0 : v->gap) - p->height);
}

static void draw_head(struct page *p, const struct slots *v, struct page_flow f) {
    int row = p->height;
    page_put(p, row, f.indent, PAGE_DIM, 0, "stage");
    if (!v->kept) return;
    if (v->s.pieces > 1)
        page_put(p, row, f.indent + LABEL, PAGE_DIM, 0,
                 v->s.pieces == 2
                     ? "(two pieces each, the second underlined; slots half as long)"
                     : "(four pieces each, every second underlined; slots 1/4 as long)");
    if (v->kept == KEPT) page_right(p, row, f.indent + f.width - MOST, PAGE_DIM, "kept");
    page_right(p, row, f.indent + f.width, PAGE_DIM, v->kept == KEPT ? "most" : "most kept");
}

static void draw_time(struct page *p, const struct slots *v, struct page_flow f) {
    int row = p->height;
    for (int slot = v->from; slot < v->from + v->count; slot++)
        for (int i = 0; i < v->columns; i++) {
            bool now = !v->s.over && slot + 1 == (int)v->s.frame;
            page_put(p, row, column_of(v, f, slot) + i, now ? PAGE_ACCENT : PAGE_DIM, 0,
                     now && i == 0 ? "▲" : "─");
        }
    if (v->from > 0) page_put(p, row, f.indent, PAGE_DIM, 0, p->ascii ? ".." : "…");
}

/* ── what it comes to ──────────────────────────────────────────────────────────────────────────*/
static void draw_meter(struct page *p, const struct slots *v, struct page_flow f) {
    uint32_t all = v->s.stages * v->s.span, cells = f.width < NARROW ? METER / 3 : METER;
    int row = p->height, column = page_put(p, row, f.indent, PAGE_LIMIT, 0, "bubble");
    column = page_play_meter(p, row, column + 2, (v->s.idle * cells + all / 2) / all, cells);
    column = page_printf(p, row, column + 2, PAGE_STRONG, "%.2g%%", 100.0 * v->s.idle / all);
    if (f.width >= NARROW)
        page_put(p, row, column, PAGE_PLAIN, 0,
                 v->s.over ? " of the step is empty" : " of the step, so far");
    if (!v->s.over) { /* what is below keeps its place when the formula comes */
        page_blank(p, f.rows > 0);
        return;
    }
    struct account_pipeline_formula formula = account_pipeline_formula(&v->s);
    page_printf(p, row + 1, f.indent + 8, PAGE_STRONG, "= %s = %u/%u", formula.words, formula.waits,
                formula.all);
}

static void draw_kept_below(struct page *p, const struct slots *v, struct page_flow f) {
    struct base_text t = {0};
    base_text_puts(&t, "kept at most:");
    for (uint32_t i = 0; i < v->s.stages; i++)
        base_text_printf(&t, " %.3g", (double)v->s.most[i] / v->s.pieces);
    page_text(p, f, t.s);
    base_text_free(&t);
}

static void draw_legend(struct page *p, const struct slots *v, struct page_flow f) {
    int row = p->height, column = f.indent;
    for (int i = 0; i < ACCOUNT_PIPELINE_WORKS; i++) {
        const char *name = account_pipeline_work_name(v->s.schedule, (enum account_pipeline_work)i);
        if (name)
            column = page_sign(p, f, &row, column, PAGE_CATEGORY + (unsigned)colours[i],
                               page_fill(p, colours[i]), name);
    }
    if (v->s.lag) column = page_sign(p, f, &row, column, PAGE_DIM, other, "another step");
    static const char kept[] = "kept: activations, in micro-batches";
    if (!v->kept) return;
    bool fits = column + page_measure(p, kept) <= f.indent + f.width;
    page_put(p, row + !fits, fits ? column : f.indent, PAGE_DIM, 0, kept);
}

void page_play_pipeline(struct page *p, struct page_flow f, const struct account_playing *at) {
    struct slots v = {0};
    account_pipeline(at, &v.s);
    bool roomy = f.rows == 0 || f.rows > (int)v.s.stages + 7;
    lay_out(&v, f);
    draw_head(p, &v, f);
    int top = p->height;
    for (int i = 0; i < (int)v.s.stages; i++) draw_stage(p, &v, f, i);
    name_gap(p, &v, f, top);
    draw_time(p, &v, f);
    page_blank(p, roomy);
    draw_meter(p, &v, f);
    if (!v.kept) draw_kept_below(p, &v, f);
    page_blank(p, roomy);
    draw_legend(p, &v, f);
}
