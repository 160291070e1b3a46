/* One step on a time axis: under each rank's compute its collectives, and in the compute what waits
 * for them. Where a page is too narrow, or when asked, the same as a table. */
#include "page/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, MOST_RANKS = 64, LEAST_WIDTH = 30, MOST_CELLS = 200, UNIT = 3 };
static const char *const busy = "▇", *const waits = "×";

/* A rank's collectives, as the engine calls them; ACCOUNT_COLLECTIVES: none that it knows. */
static enum account_collective_kind kind_of(const struct experiment_span *span) {
    unsigned c = 0;
    while (c < ACCOUNT_COLLECTIVES &&
           strcmp(span->op, account_collective_name((enum account_collective_kind)c)) != 0)
        c++;
    return (enum account_collective_kind)c;
}

/* a rank's step in cells */
struct strip {
    bool waits[MOST_CELLS];
    /* one more than the kind; 0: none */
    uint8_t op[MOST_CELLS];
};
struct timeline {
    const struct experiment_state *run;
    /* the last */
    struct experiment_step step;
    /* of all runs, those on other pages too: they share the axis */
    double longest;
    int left;
    struct page_axis axis;
};

/* ── strips ────────────────────────────────────────────────────────────────────────────────────*/
/* Cells [*from, *to) of a time; whatever takes any takes one. */
static bool cells_of(const struct timeline *t, double start, double end, int *from, int *to) {
    if (!(end > start) || !(start < t->axis.end) || end <= 0) return false;
    *from = page_axis_column(t->axis, fmax(start, 0));
    *to = page_axis_column(t->axis, fmin(end, t->axis.end));
    if (*from >= t->axis.cells) *from = t->axis.cells - 1;
    if (*to <= *from) *to = *from + 1;
    return true;
}

/* A rank waits at the end of a collective, when there is nothing left to compute meanwhile. */
static void add_span(const struct timeline *t, const struct experiment_span *span,
                     struct strip *s) {
    double end = span->end_ms;
    enum account_collective_kind kind = kind_of(span);
    uint8_t sent = kind < ACCOUNT_COLLECTIVES ? (uint8_t)(kind + 1) : 0;
    int from, to;
    if (cells_of(t, span->start_ms, end, &from, &to))
        for (int i = from; i < to; i++) s->op[i] = sent;
    if (cells_of(t, end - span->exposed_ms, end, &from, &to))
        for (int i = from; i < to; i++) s->waits[i] = true;
}

static void draw_strip(struct page *p, const struct timeline *t, uint32_t rank,
                       struct page_flow f) {
    struct strip s = {0};
    char label[32];
    for (size_t i = 0; i < t->run->spans; i++)
        if (t->run->span[i].rank == rank) add_span(t, &t->run->span[i], &s);
    int row = p->height, end;
    page_blank(p, 2);
    page_put(p, row, f.indent, PAGE_PLAIN, 0, page_lab_ranks(label, rank, rank));
    end = page_axis_column(t->axis, t->step.ms);
    for (int c = 0; c < end; c++)
        page_put(p, row, t->left + c, s.waits[c] ? PAGE_BAD : PAGE_DIM, 0,
                 s.waits[c] ? waits : busy);
    for (int c = 0; c < t->axis.cells; c++) {
        if (!s.op[c]) continue;
        enum account_category k = page_wire_category((enum account_collective_kind)(s.op[c] - 1));
        page_put(p, row + 1, t->left + c, PAGE_CATEGORY + (unsigned)k, 0, page_fill(p, k));
    }
}

/* Whether a rank sends by it, as the prediction says before the first step. */
static bool is_sent(const struct experiment_state *s, unsigned c) {
    bool drawn = false;
    for (size_t i = 0; i < s->spans; i++) drawn = drawn || kind_of(&s->span[i]) == c;
    return drawn || (c < EXPERIMENT_SENT && s->rank[0].predicted.sent[c]);
}

/* Of the upper row of a rank, and of the lower one. It comes first: the strips may take all rows
 * that are in view. */
static void draw_legend(struct page *p, const struct timeline *t, struct page_flow f) {
    int row = p->height,
        column = page_sign(p, f, &row, f.indent, PAGE_DIM, busy,
                           t->step.offload_ms > 0 ? "computes, waits for tiers" : "computes");
    column = page_sign(p, f, &row, column, PAGE_BAD, waits, "waits (exposed)");
    for (unsigned c = 0; c < ACCOUNT_COLLECTIVES; c++)
        if (is_sent(t->run, c))
            column = page_wire_sign(p, f, &row, column, (enum account_collective_kind)c);
}

static void draw_strips(struct page *p, struct timeline *t, uint32_t ranks, struct page_flow f) {
    char label[32];
    t->left = f.indent + page_measure(p, page_lab_ranks(label, ranks - 1, ranks - 1)) + LAB_GAP;
    int capacity = f.indent + f.width - t->left - UNIT - 1;
    t->axis = page_axis_fit(t->longest, capacity > MOST_CELLS ? MOST_CELLS : capacity);
    draw_legend(p, t, f);
    for (uint32_t r = 0; r < ranks; r++) draw_strip(p, t, r, f);
    page_axis_draw(p, t->left, t->axis, (struct page_scale){.unit = ACCOUNT_UNIT_MS}, -1);
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
struct sum {
    uint32_t calls;
    double ms, exposed;
};

/* `kind`: ACCOUNT_COLLECTIVES for all of them. */
static struct sum sum_of(const struct experiment_state *run, uint32_t rank,
                         enum account_collective_kind kind) {
    struct sum s = {0};
    for (size_t i = 0; i < run->spans; i++) {
        const struct experiment_span *span = &run->span[i];
        if (span->rank != rank || (kind < ACCOUNT_COLLECTIVES && kind_of(span) != kind)) continue;
        s.calls++;
        s.ms += span->end_ms - span->start_ms;
        s.exposed += span->exposed_ms;
    }
    return s;
}

static void draw_words(struct page *p, const struct timeline *t, uint32_t ranks,
                       struct page_flow f) {
    static const char *const head[] = {"rank", "collective", "calls", "ms", "exposed"};
    enum { COLUMNS = BASE_COUNT(head) };
    size_t n = 0;
    char **cell = base_alloc((ranks * ACCOUNT_COLLECTIVES + 1) * COLUMNS * sizeof *cell);
    for (size_t i = 0; i < COLUMNS; i++) cell[n++] = base_dup(head[i]);
    for (uint32_t r = 0; r < ranks; r++)
        for (unsigned c = 0; c < ACCOUNT_COLLECTIVES; c++) {
            enum account_collective_kind kind = (enum account_collective_kind)c;
            struct sum s = sum_of(t->run, r, kind);
            if (!s.calls) continue;
            cell[n++] = base_format("%u", r);
            cell[n++] = base_dup(page_wire_name(kind));
            cell[n++] = base_format("%u", s.calls);
            cell[n++] = base_format("%.1f", s.ms);
            cell[n++] = base_format("%.1f", s.exposed);
        }
    if (n > COLUMNS)
        page_table(p, f, (const char *const *)cell, n / COLUMNS, COLUMNS, "rlrdd", true);
    for (size_t i = 0; i < n; i++) free(cell[i]);
    free(cell);
}

/* Ranks for which there is no row, and the one of them that waited longest. */
static void draw_rest(struct page *p, const struct timeline *t, uint32_t shown, uint32_t ranks,
                      struct page_flow f) {
    uint32_t worst = shown;
    double most = -1;
    if (shown >= ranks) return;
    for (uint32_t r = shown; r < ranks; r++) {
        double exposed = sum_of(t->run, r, ACCOUNT_COLLECTIVES).exposed;
        if (exposed > most) worst = r;
        most = fmax(most, exposed);
    }
    if (ranks - shown == 1)
        page_note(p, f, "Rank %u is not drawn. It waited %.1f ms.", worst, most);
    else
        page_note(p, f, "%u more ranks are not drawn. Of them rank %u waited longest, %.1f ms.",
                  ranks - shown, worst, most);
}

static void draw_notes(struct page *p, const struct timeline *t, const struct page_lab *l,
                       struct page_flow f) {
    const struct experiment_setup *setup = &t->run->setup;
    const struct experiment_step *s = &t->step;
    if (t->run->ranks < 2)
        page_note(p, f, "Step %u took %.1f ms. One rank never waits for another.", s->step, s->ms);
    else
        page_note(
            p, f,
            "Step %u took the slowest rank %.1f ms. Means of all ranks: %.1f ms of compute, %.1f "
            "ms "
            "exposed (communication that compute does not hide). In its collectives a rank waits "
            "%.1f ms for the last one to come, and sends for %.1f ms.",
            s->step, s->ms, s->compute_ms, s->exposed_ms, s->skew_ms, s->comm_ms);
    if (s->offload_ms > 0)
        page_note(p, f, "The update waited %.1f ms for other tiers.", s->offload_ms);
    if (setup->shares_cores && !l->no_cores)
        page_note(
            p, f,
            "Ranks share cores. Memory and bytes are true, but times are not those of a cluster.");
    if (setup->emulates_link) page_note(p, f, "The link is emulated.");
}

static uint32_t at_most(uint32_t value, uint32_t most) {
    return value < most ? value : most;
}

static void draw_run(struct page *p, struct timeline *t, const struct page_lab *l,
                     struct page_flow f) {
    uint32_t world = at_most(t->run->ranks, MOST_RANKS),
             shown = at_most(l->ranks ? l->ranks : RANKS, world);
    if (!t->run->steps || !(t->step.ms > 0) || !shown) {
        page_note(p, f, "No step has finished.");
        return;
    }
    if (p->spoken) {
        draw_notes(p, t, l, f);
        return;
    }
    if (l->as_table || f.width < LEAST_WIDTH)
        draw_words(p, t, shown, f);
    else
        draw_strips(p, t, shown, f);
    draw_rest(p, t, shown, world, f);
    draw_notes(p, t, l, f);
}

static struct experiment_step last_step(const struct experiment_state *s) {
    return s->steps ? s->step[s->steps - 1] : (struct experiment_step){0};
}

void page_lab_timeline(struct page *p, struct page_flow f, const struct page_lab *l) {
    double longest = l->reach.ms;
    for (size_t i = 0; i < page_lab_runs(l); i++) longest = fmax(longest, last_step(l->run[i]).ms);
    for (size_t i = 0; i < page_lab_runs(l); i++) {
        struct timeline t = {.run = l->run[i], .step = last_step(l->run[i]), .longest = longest};
        page_lab_name(p, f, l, i);
        draw_run(p, &t, l, f);
    }
}
