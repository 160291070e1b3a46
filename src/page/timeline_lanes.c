/* The lanes of a timeline: spans of time as cells, and the names of stretches over them. */
#include "page/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *glyph, *name; /* glyph NULL: the fill of the category whose role it has */
    unsigned role;
} signs[SIGNS] = {
    [NOTHING] = {" ",   NULL,                         PAGE_PLAIN                         },
    [COMPUTES] = {"▇", "computes",                   PAGE_PLAIN                         },
    [UPDATES] = {"▄", "updates",                    PAGE_PLAIN                         },
    [WAITS] = {"×",  "waits (exposed)",            PAGE_BAD                           },
    [HOST] = {"~",   "waits for the host",         PAGE_WARN                          },
    [BUBBLE] = {"○", "waits for other stages",     PAGE_WARN                          },
    [GATHERS] = {NULL,  "all-gather",                 PAGE_CATEGORY + ACCOUNT_GATHER     },
    [REDUCES] = {NULL,  "reduce-scatter, all-reduce", PAGE_CATEGORY + ACCOUNT_REDUCE     },
    [PASSES] = {NULL,  "passes activations",         PAGE_CATEGORY + ACCOUNT_ACTIVATIONS},
};

/* ── lanes ───────────────────────────────────────────────────────────────────────────────────────*/
struct lane {
    double share[TIMELINE_CELLS + 1][SIGNS]; /* of each cell's time */
};

static enum sign sign_of(const struct run *r, const struct account_span *s) {
    static const enum sign work[] = {
        [ACCOUNT_SPAN_BLOCK] = COMPUTES, [ACCOUNT_SPAN_HEAD] = COMPUTES,
        [ACCOUNT_SPAN_UPDATE] = UPDATES, [ACCOUNT_SPAN_OFFLOAD] = HOST,
        [ACCOUNT_SPAN_BUBBLE] = BUBBLE,
    };
    static const char *const states[] = {"shard", "replicas", "data", "secondary"};
    if (s->kind != ACCOUNT_SPAN_COMM) return work[s->kind];
    const struct account_collective *leg = &r->traffic.collective[s->collective];
    for (size_t i = 0; i < BASE_COUNT(states); i++)
        if (!strcmp(leg->group, states[i]))
            return leg->op == ACCOUNT_ALL_GATHER ? GATHERS : REDUCES;
    return PASSES;
}

static double cell_of(const struct timeline *t, const struct run *r, double seconds) {
    return (seconds - r->from) / t->unit / t->axis.end * t->axis.cells;
}

static void add(const struct timeline *t, struct lane *lane, enum sign sign, double from,
                double to) {
    if (from < 0) from = 0;
    if (to > t->axis.cells) to = t->axis.cells;
    for (int i = (int)from; i < to; i++)
        lane->share[i][sign] += fmax(0, fmin(to, i + 1) - fmax(from, i));
}

static void add_span(const struct timeline *t, const struct run *r, const struct account_span *s,
                     struct lane lane[2]) {
    double from = cell_of(t, r, s->start), to = cell_of(t, r, s->end);
    bool comm = s->kind == ACCOUNT_SPAN_COMM;
    add(t, &lane[comm], sign_of(r, s), from, to);
    if (s->exposed > 0) add(t, &lane[0], WAITS, cell_of(t, r, s->end - s->exposed), to);
}

/* Each cell shows what has most time that is not shown yet: so signs are as many as their share of the time, however short each
 * stretch is. */
static void choose_signs(const struct timeline *t, const struct lane *lane,
                         enum sign sign[TIMELINE_CELLS]) {
    double owed[SIGNS] = {0};
    for (int i = 0; i < t->axis.cells; i++) {
        int best = NOTHING;
        double busy = 0;
        for (int k = NOTHING + 1; k < SIGNS; k++) {
            owed[k] += lane->share[i][k];
            busy += lane->share[i][k];
        }
        owed[NOTHING] += 1 - busy;
        for (int k = 0; k < SIGNS; k++)
            if (owed[k] > owed[best] + 1e-9) best = k;
        owed[best] -= 1;
        sign[i] = (enum sign)best;
    }
}

/* A collective of a pass is there to be counted: one too short for a cell of its own takes, of those it touches, the one that it fills
 * most, if nothing else is shown there. */
static void show_collective(const struct timeline *t, const struct run *r,
                            const struct account_span *s, const struct lane *lane,
                            enum sign sign[TIMELINE_CELLS]) {
    enum sign own = sign_of(r, s);
    int from = (int)cell_of(t, r, s->start), to = (int)ceil(cell_of(t, r, s->end)), best = -1;
    for (int i = from < 0 ? 0 : from; i < to && i < t->axis.cells; i++) {
        if (sign[i] == own) return;
        if (sign[i] != NOTHING) continue;
        if (best < 0 || lane->share[i][own] > lane->share[best][own]) best = i;
    }
    if (best >= 0) sign[best] = own;
}

static void show_collectives(const struct timeline *t, const struct run *r, const struct lane *lane,
                             enum sign sign[TIMELINE_CELLS]) {
    for (size_t i = 0; i < r->spans && t->part != STEP; i++)
        if (r->span[i].kind == ACCOUNT_SPAN_COMM && page_timeline_shows(t, r, &r->span[i]))
            show_collective(t, r, &r->span[i], lane, sign);
}

static void draw_lane(struct page *p, const struct timeline *t,
                      const enum sign sign[TIMELINE_CELLS], int row) {
    for (int i = 0; i < t->axis.cells; i++) {
        const char *glyph = signs[sign[i]].glyph;
        unsigned role = signs[sign[i]].role;
        if (!glyph) glyph = page_fill(p, (enum account_category)(role - PAGE_CATEGORY));
        if (sign[i] != NOTHING) page_put(p, row, t->left + i, role, 0, glyph);
    }
}

/* ── brackets ────────────────────────────────────────────────────────────────────────────────────*/
static void bracket(struct page *p, const struct timeline *t, const struct run *r, int row,
                    double start, double end, const char *name) {
    int from = t->left + (int)lround(cell_of(t, r, start)),
        to = t->left + (int)lround(cell_of(t, r, end));
    if (to > from) page_bracket(p, row, from, to, name);
}

/* Of a pass: its blocks and its head. */
static void name_blocks(struct page *p, const struct timeline *t, const struct run *r, int row) {
    for (size_t i = 0; i < r->spans; i++) {
        const struct account_span *s = &r->span[i];
        if (s->kind == ACCOUNT_SPAN_COMM || !page_timeline_shows(t, r, s)) continue;
        char *name = s->block ? base_format("%u", s->block) : base_dup("head");
        bracket(p, t, r, row, s->start, s->end, name);
        free(name);
    }
}

static bool is_same_phase(const struct account_span *a, const struct account_span *b) {
    bool bubble = a->kind == ACCOUNT_SPAN_BUBBLE, other = b->kind == ACCOUNT_SPAN_BUBBLE;
    return a->phase == b->phase && a->micro == b->micro && bubble == other;
}

/* Of a step: its passes, and what comes after them. */
static void name_phases(struct page *p, const struct timeline *t, const struct run *r, int row) {
    for (size_t i = 0, next; i < r->spans; i = next) {
        const struct account_span *s = &r->span[i];
        double end = s->end;
        for (next = i; next < r->spans && is_same_phase(s, &r->span[next]); next++)
            end = fmax(end, r->span[next].end);
        bracket(p, t, r, row, s->start, end,
                s->kind == ACCOUNT_SPAN_BUBBLE ? "bubble" : account_phase_name(s->phase));
    }
}

/* ── the rows ────────────────────────────────────────────────────────────────────────────────────*/
void page_timeline_lanes(struct page *p, const struct timeline *t, const struct run *r,
                         bool seen[SIGNS], struct page_flow f) {
    struct lane *lane = base_alloc(2 * sizeof *lane);
    enum sign computes[TIMELINE_CELLS], sends[TIMELINE_CELLS];
    for (size_t k = 0; k < r->spans; k++)
        if (page_timeline_shows(t, r, &r->span[k])) {
            add_span(t, r, &r->span[k], lane);
            seen[sign_of(r, &r->span[k])] = true;
            if (r->span[k].exposed > 0) seen[WAITS] = true;
        }
    int row = p->height;
    page_blank(p, 3);
    (t->part == STEP ? name_phases : name_blocks)(p, t, r, row);
    page_put(p, row + 1, f.indent, PAGE_PLAIN, 0, "compute");
    page_put(p, row + 2, f.indent, PAGE_PLAIN, 0, "comm");
    choose_signs(t, &lane[0], computes);
    choose_signs(t, &lane[1], sends);
    show_collectives(t, r, &lane[1], sends);
    draw_lane(p, t, computes, row + 1);
    draw_lane(p, t, sends, row + 2);
    free(lane);
}

void page_timeline_legend(struct page *p, const bool seen[SIGNS], struct page_flow f) {
    int row = p->height, column = f.indent;
    for (int k = NOTHING + 1; k < SIGNS; k++) {
        if (!seen[k]) continue;
        const char *glyph = signs[k].glyph;
        if (!glyph) glyph = page_fill(p, (enum account_category)(signs[k].role - PAGE_CATEGORY));
        column = page_lab_sign(p, f, &row, column, signs[k].role, glyph, signs[k].name);
    }
}
