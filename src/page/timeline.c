/* A step, or one pass of it, over time: what computes, what communicates at the same time, and
 * where the first waits for the second. Laid out by account_schedule(), so lengths are to scale and
 * add up to the clock. A pass shows so many of its blocks as can be told apart: the first ones of
 * forward, the last ones of backward.
 *
 *   {"kind":"timeline","part":"forward","blocks":4,"training":{"model":"llama-2-13b",
 *    "gpu":"a100-80g","gpus":8,"stage":3,"batch":1,"seq":2048},"compare":[{…}]}
 *
 * part: "step" unless given; compare: other trainings on the same axis. */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2, LANE = 9, UNIT = 5, WINDOW = 8, LEAST_CELLS = 8 };

enum { TIMELINE_RUNS = 3, TIMELINE_CELLS = 200 };
/* What a cell of a lane can show. */
enum sign { NOTHING, COMPUTES, UPDATES, WAITS, HOST, BUBBLE, GATHERS, REDUCES, PASSES, SIGNS };
enum part { STEP, FORWARD, BACKWARD, PARTS };
struct run {
    struct account_training training;
    struct account_traffic traffic;
    struct account_clock clock;
    struct account_memory memory;
    struct account_span *span;
    size_t spans;
    /* on the rank */
    uint32_t blocks;
    /* seconds that are shown */
    double from, to;
};
struct timeline {
    enum part part;
    size_t runs;
    struct run run[TIMELINE_RUNS];
    /* of sliders: the last move, where they began; or no spans */
    struct run before, start;
    /* shown of a pass */
    uint32_t blocks;
    int left;
    /* seconds of the axis's unit */
    double unit;
    struct page_scale scale;
    struct page_axis axis;
};

static const struct {
    const char *name;
    enum account_phase phase;
} parts[PARTS] = {
    [STEP] = {"step", ACCOUNT_UPDATE},
    [FORWARD] = {"forward", ACCOUNT_FORWARD},
    [BACKWARD] = {"backward", ACCOUNT_BACKWARD},
};

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
/* A pass is one micro-batch's, the one with which the gradients are reduced: that of a step without
 * accumulation. */
static bool read_run(const json_t *object, enum part part, struct run *r, struct base_message *m) {
    struct account_error e;
    if (!page_training_read(object, &r->training, m)) return false;
    if (part != STEP) r->training.accumulate = 1;
    if (!account_schedule(&r->training, NULL, 0, &r->spans, &e) ||
        !account_memory(&r->training, &r->memory, &e) ||
        !account_traffic_clock(&r->training, &r->traffic, &r->clock, &e))
        return base_fail(m, "%s", e.what);
    r->span = base_alloc(r->spans * sizeof *r->span);
    account_schedule(&r->training, r->span, r->spans, &r->spans, &e);
    for (size_t i = 0; i < r->spans; i++)
        if (r->span[i].block > r->blocks) r->blocks = r->span[i].block;
    return true;
}

static bool read_part(const json_t *spec, struct timeline *t, struct base_message *m) {
    const char *name = base_json_text(spec, "part", parts[STEP].name);
    for (int i = 0; i < PARTS; i++)
        if (!strcmp(name, parts[i].name)) return t->part = (enum part)i, true;
    return base_fail(m, "a timeline's part is step, forward or backward, not \"%s\"", name);
}

static void forget(struct timeline *t) {
    for (size_t i = 0; i < t->runs; i++) free(t->run[i].span);
    free(t->before.span);
    free(t->start.span);
}

static bool read_runs(const json_t *spec, struct timeline *t, struct base_message *m) {
    const json_t *others = json_object_get(spec, "compare");
    size_t n = json_array_size(others);
    if (others && (n == 0 || n > TIMELINE_RUNS - 1))
        return base_fail(m, "compare lists the other trainings of a timeline, 1 or %d: [{…}]",
                         TIMELINE_RUNS - 1);
    for (; t->runs <= n; t->runs++) {
        const json_t *training =
            t->runs ? json_array_get(others, t->runs - 1) : json_object_get(spec, "training");
        if (!read_run(training, t->part, &t->run[t->runs], m)) return false;
    }
    return true;
}

static bool read_timeline(const json_t *spec, struct timeline *t, struct base_message *m) {
    int64_t blocks = base_json_int(spec, "blocks", 0);
    if (blocks < 0 || blocks > 1000)
        return base_fail(m, "a timeline's blocks are how many of a pass are shown: 1 or more");
    t->blocks = (uint32_t)blocks;
    const json_t *before = json_object_get(spec, "before"), *still = json_object_get(spec, "still");
    return read_part(spec, t, m) && read_runs(spec, t, m) &&
           (!before || read_run(before, t->part, &t->before, m)) &&
           (!still || read_run(still, t->part, &t->start, m));
}

/* ── what is shown ─────────────────────────────────────────────────────────────────────────────*/
static bool is_shown(const struct timeline *t, const struct run *r, const struct account_span *s) {
    if (t->part == STEP) return true;
    if (s->phase != parts[t->part].phase) return false;
    bool head = s->block == 0, forward = t->part == FORWARD;
    if (t->blocks >= r->blocks) return true;
    if (!head) return s->block <= t->blocks;
    return s->kind == ACCOUNT_SPAN_COMM && forward == (s->start <= r->from);
}

/* From the first span shown to the last. */
static void set_range(const struct timeline *t, struct run *r) {
    double first = INFINITY;
    for (size_t i = 0; i < r->spans; i++)
        if (t->part == STEP || r->span[i].phase == parts[t->part].phase)
            first = fmin(first, r->span[i].start);
    r->from = t->part == BACKWARD ? -1 : first; /* nothing before backward's blocks */
    double from = INFINITY, to = 0;
    for (size_t i = 0; i < r->spans; i++) {
        if (!is_shown(t, r, &r->span[i])) continue;
        from = fmin(from, r->span[i].start);
        to = fmax(to, r->span[i].end);
    }
    r->from = from;
    r->to = to;
}

static void lay_out(struct timeline *t, struct page_flow f) {
    double longest = 0;
    t->left = f.indent + LANE;
    int capacity = f.indent + f.width - t->left - UNIT;
    capacity = capacity < LEAST_CELLS      ? LEAST_CELLS
               : capacity > TIMELINE_CELLS ? TIMELINE_CELLS
                                           : capacity;
    if (!t->blocks) t->blocks = (uint32_t)(capacity / WINDOW < 2 ? 2 : capacity / WINDOW);
    for (size_t i = 0; i < t->runs; i++) {
        set_range(t, &t->run[i]);
        longest = fmax(longest, t->run[i].to - t->run[i].from);
    }
    if (t->start.spans) {
        set_range(t, &t->start);
        longest =
            page_still_reach(&(struct page_limit){.given = false}, t->start.to - t->start.from);
    }
    t->scale.unit = longest < 1 ? ACCOUNT_UNIT_MS : ACCOUNT_UNIT_SECONDS;
    t->unit = account_unit_scale(t->scale.unit);
    t->axis = page_axis_fit(longest / t->unit, capacity);
}

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/
/* Fields in which a training differs from another: "prefetch 0, link pcie4". */
static char *difference(const struct account_training *a, const struct account_training *b) {
    struct base_text out = {0};
    bool first = true;
    size_t n;
    const struct account_field *field = account_fields(&n);
    for (size_t i = 0; i < n; i++) {
        char mine[64], theirs[64];
        const char *x = account_get(a, field[i].name, mine, sizeof mine),
                   *y = account_get(b, field[i].name, theirs, sizeof theirs);
        if (!x || !*x || (y && !strcmp(x, y))) continue;
        base_text_puts(&out, first ? "" : ", ");
        first = false;
        base_text_puts(&out, field[i].label);
        base_text_puts(&out, " ");
        base_text_puts(&out, x);
    }
    return base_text_take(&out);
}

static char *label_of(const struct timeline *t, size_t i) {
    char *label = difference(&t->run[i].training, &t->run[i ? 0 : 1].training);
    if (*label) return label;
    free(label);
    return base_dup("the same");
}

/* What all trainings have in common of it. */
static char *where(const struct timeline *t) {
    const struct account_training *a = &t->run[0].training;
    bool stage = true, gpus = true;
    for (size_t i = 1; i < t->runs; i++) {
        stage = stage && t->run[i].training.stage == a->stage;
        gpus = gpus && t->run[i].training.gpus == a->gpus;
    }
    char *on = gpus ? base_format(" on %u GPU%s", a->gpus, a->gpus == 1 ? "" : "s") : base_dup("");
    char *all = stage ? base_format(", stage %u%s", a->stage, on) : base_dup(on);
    free(on);
    return all;
}

/* "Forward of Llama 2 13B, stage 3 on 8 GPUs"; the caller's. */
static char *title_of(const struct timeline *t) {
    static const char *const heads[PARTS] = {"A step", "Forward", "Backward"};
    char *model = page_model_name(&t->run[0].training), *both = where(t),
         *title = base_format("%s of %s%s", heads[t->part], model, both);
    free(both);
    free(model);
    return title;
}

static void draw_title(struct page *p, const struct timeline *t, struct page_flow f) {
    const struct run *r = &t->run[0];
    bool all = t->part == STEP || t->blocks >= r->blocks;
    char *title = title_of(t),
         *some = all ? base_dup("")
                     : base_format(", the %s %u of %u blocks",
                                   t->part == FORWARD ? "first" : "last", t->blocks, r->blocks),
         *line = base_format("%s%s", title, some);
    f.role = PAGE_STRONG;
    page_text(p, f, line);
    free(line);
    free(some);
    free(title);
}

struct sums {
    double computes, sends, exposed, whole;
};

static struct sums sums_of(const struct timeline *t, const struct run *r) {
    struct sums s = {0};
    double from = INFINITY, to = 0;
    for (size_t i = 0; i < r->spans; i++) {
        const struct account_span *a = &r->span[i];
        if (t->part != STEP && a->phase != parts[t->part].phase) continue;
        bool works = a->kind == ACCOUNT_SPAN_BLOCK || a->kind == ACCOUNT_SPAN_HEAD ||
                     a->kind == ACCOUNT_SPAN_UPDATE;
        *(a->kind == ACCOUNT_SPAN_COMM ? &s.sends : &s.computes) +=
            works || a->kind == ACCOUNT_SPAN_COMM ? a->end - a->start : 0;
        s.exposed += a->exposed;
        from = fmin(from, a->start);
        to = fmax(to, a->end);
    }
    s.whole = to - from;
    return s;
}

/* "all 40 blocks 1.31 s: compute 359 ms, comm 951 ms, exposed 951 ms", in whole words
 * for a listener. The caller's. */
static char *sums_text(const struct timeline *t, const struct run *r, bool words) {
    struct sums s = sums_of(t, r);
    char *whole = page_seconds(s.whole), *computes = page_seconds(s.computes),
         *sends = page_seconds(s.sends), *exposed = page_seconds(s.exposed),
         *all = t->part == STEP ? base_dup("")
                                : base_format("all %u blocks %s", r->blocks, words ? "take " : ""),
         *text = base_format(words ? "%s%s, computing %s, communicating %s, %s of it exposed"
                                   : "%s%s: compute %s, comm %s, exposed %s",
                             all, whole, computes, sends, exposed);
    free(whole);
    free(computes);
    free(sends);
    free(exposed);
    free(all);
    return text;
}

/* "prefetch 0", and its sums: over each of several trainings. */
static void draw_label(struct page *p, const struct timeline *t, size_t i, struct page_flow f) {
    char *label = label_of(t, i), *text = sums_text(t, &t->run[i], false);
    int row = p->height, column = page_put(p, row, f.indent, PAGE_ACCENT, 0, label) + GAP;
    if (column + page_measure(p, text) <= f.indent + f.width)
        page_put(p, row, column, PAGE_DIM, 0, text);
    else
        page_note(p, f, "%s", text);
    free(label);
    free(text);
}

/* What makes a step faster may make it larger: " Its peak is 57.1 GB of the card's 85.9 GB.", of a
 * whole step. */
static char *peak_of(const struct timeline *t, const struct run *r) {
    if (t->part != STEP) return base_dup("");
    uint64_t peak = r->memory.phase[r->memory.peak].ledger.total,
             card = account_card_bytes(r->training.card);
    char *holds = page_bytes((double)peak), *has = page_bytes((double)card),
         *words = base_format(" Its peak is %s%s the card's %s.", holds,
                              peak > card ? ", more than" : " of", has);
    free(holds);
    free(has);
    return words;
}

/* The caller's. */
static char *sentence_of(const struct timeline *t, const struct run *r) {
    struct sums s = sums_of(t, r);
    const char *all = t->part == STEP ? "" : "whole ", *what = parts[t->part].name;
    char *whole = page_seconds(s.whole), *computes = page_seconds(s.computes),
         *sends = page_seconds(s.sends), *exposed = page_seconds(s.exposed), *peak = peak_of(t, r);
    char *line =
        s.sends > 0
            ? base_format("The %s%s takes %s: computing %s, communicating %s, %s of it "
                          "exposed.%s",
                          all, what, whole, computes, sends, exposed, peak)
            : base_format("The %s%s takes %s and communicates nothing.%s", all, what, whole, peak);
    free(peak);
    free(whole);
    free(computes);
    free(sends);
    free(exposed);
    return line;
}

/* Under a single training a sentence or two fit. */
static void draw_sums(struct page *p, const struct timeline *t, struct page_flow f) {
    char *line = sentence_of(t, &t->run[0]),
         *before = t->before.spans ? sentence_of(t, &t->before) : NULL;
    f.role = PAGE_DIM;
    if (!p->tight) page_text_changed(p, f, line, before);
    free(before);
    free(line);
}

/* ── signs ─────────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    /* glyph NULL: the fill of the category whose role it has */
    const char *glyph, *name;
    unsigned role;
} signs[SIGNS] = {
    [NOTHING] = {" ", NULL, PAGE_PLAIN},
    [COMPUTES] = {"▇", "computes", PAGE_PLAIN},
    [UPDATES] = {"▄", "updates", PAGE_PLAIN},
    [WAITS] = {"×", "waits (exposed)", PAGE_BAD},
    [HOST] = {"~", "waits for the host", PAGE_WARN},
    [BUBBLE] = {"○", "waits for other stages", PAGE_WARN},
    [GATHERS] = {NULL, "all-gather", PAGE_CATEGORY + ACCOUNT_GATHER},
    [REDUCES] = {NULL, "reduce-scatter, all-reduce", PAGE_CATEGORY + ACCOUNT_REDUCE},
    [PASSES] = {NULL, "passes activations", PAGE_CATEGORY + ACCOUNT_ACTIVATIONS},
};

/* ── lanes ─────────────────────────────────────────────────────────────────────────────────────*/
struct lane {
    /* of each cell's time */
    double share[TIMELINE_CELLS + 1][SIGNS];
};

static enum sign sign_of(const struct run *r, const struct account_span *s) {
    static const enum sign work[] = {
        [ACCOUNT_SPAN_BLOCK] = COMPUTES, [ACCOUNT_SPAN_HEAD] = COMPUTES,
        [ACCOUNT_SPAN_UPDATE] = UPDATES, [ACCOUNT_SPAN_OFFLOAD] = HOST,
        [ACCOUNT_SPAN_BUBBLE] = BUBBLE,
    };
    static const char *const states[] = {"shard", "replicas", "data", "secondary"};
    if (s->kind != ACCOUNT_SPAN_COMM) return work[s->kind];
    const struct account_collective *c = &r->traffic.collective[s->collective];
    for (size_t i = 0; i < BASE_COUNT(states); i++)
        if (!strcmp(c->group, states[i])) return c->op == ACCOUNT_ALL_GATHER ? GATHERS : REDUCES;
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

/* Each cell shows what has most time that is not shown yet: so signs are as many as their share of
 * the time, however short each stretch is. */
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

/* A collective of a pass is there to be counted: one too short for a cell of its own takes, of
 * those it touches, the one that it fills most, if nothing else is shown there. */
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
        if (r->span[i].kind == ACCOUNT_SPAN_COMM && is_shown(t, r, &r->span[i]))
            show_collective(t, r, &r->span[i], lane, sign);
}

/* There are only two lanes: on a page of thick bars each is nearly as thick as two of them. */
static int high_of(const struct page *p) {
    return 2 * p->thick - 1;
}

/* What a sign has in the row that is so many above a lane's lowest. Computing is one solid bar, and
 * an update one of half its height; other signs are in every row. */
static const char *glyph_of(const struct page *p, enum sign sign, int above) {
    const char *glyph = signs[sign].glyph;
    if (!glyph) return page_fill(p, (enum account_category)(signs[sign].role - PAGE_CATEGORY));
    if (sign != COMPUTES && sign != UPDATES) return glyph;
    int top = sign == UPDATES ? high_of(p) / 2 : high_of(p) - 1;
    return above > top ? " " : above == top || p->ascii ? glyph : "█";
}

static void draw_lane(struct page *p, const struct timeline *t,
                      const enum sign sign[TIMELINE_CELLS], int row) {
    int high = high_of(p);
    for (int k = 0; k < t->axis.cells * high; k++) {
        int i = k % t->axis.cells, down = k / t->axis.cells;
        if (sign[i] != NOTHING)
            page_put(p, row + down, t->left + i, signs[sign[i]].role, 0,
                     glyph_of(p, sign[i], high - 1 - down));
    }
}

/* Of a run that is longer than its axis. */
static void draw_cut(struct page *p, const struct timeline *t, const struct run *r, int row) {
    if (cell_of(t, r, r->to) < t->axis.cells + 0.5) return;
    for (int k = 1; k <= 2 * high_of(p); k++)
        page_put(p, row + k, t->left + t->axis.cells, PAGE_BAD, 0, p->ascii ? ">" : "▸");
}

/* ── brackets ──────────────────────────────────────────────────────────────────────────────────*/
/* Over a stretch from start to end: its name, or that of its phase. */
static void bracket(struct page *p, const struct timeline *t, const struct run *r, int row,
                    double start, double end, const char *name, enum account_phase phase) {
    int from = t->left + (int)lround(cell_of(t, r, start)),
        to = t->left + (int)lround(fmin(cell_of(t, r, end), t->axis.cells));
    if (to <= from) return;
    if (name)
        page_bracket(p, row, from, to, name);
    else
        page_bracket_phase(p, row, from, to, phase);
}

/* Of a pass: its blocks and its head. */
static void name_blocks(struct page *p, const struct timeline *t, const struct run *r, int row) {
    for (size_t i = 0; i < r->spans; i++) {
        const struct account_span *s = &r->span[i];
        if (s->kind == ACCOUNT_SPAN_COMM || !is_shown(t, r, s)) continue;
        char *name = s->block ? base_format("%u", s->block) : base_dup("head");
        bracket(p, t, r, row, s->start, s->end, name, s->phase);
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
        bracket(p, t, r, row, s->start, end, s->kind == ACCOUNT_SPAN_BUBBLE ? "bubble" : NULL,
                s->phase);
    }
}

/* ── the rows ──────────────────────────────────────────────────────────────────────────────────*/
/* Names over the stretches, and below them computation and communication. Marks the signs that are
 * there. */
static void draw_lanes(struct page *p, const struct timeline *t, const struct run *r,
                       bool seen[SIGNS], struct page_flow f) {
    struct lane *lane = base_alloc(2 * sizeof *lane);
    enum sign computes[TIMELINE_CELLS], sends[TIMELINE_CELLS];
    for (size_t k = 0; k < r->spans; k++)
        if (is_shown(t, r, &r->span[k])) {
            add_span(t, r, &r->span[k], lane);
            seen[sign_of(r, &r->span[k])] = true;
            if (r->span[k].exposed > 0) seen[WAITS] = true;
        }
    int row = p->height, high = high_of(p), next = row + 1 + high, middle = (high - 1) / 2;
    page_blank(p, 1 + 2 * high);
    (t->part == STEP ? name_phases : name_blocks)(p, t, r, row);
    page_put(p, row + 1 + middle, f.indent, PAGE_PLAIN, 0, "compute");
    page_put(p, next + middle, f.indent, PAGE_PLAIN, 0, "comm");
    choose_signs(t, &lane[0], computes);
    choose_signs(t, &lane[1], sends);
    show_collectives(t, r, &lane[1], sends);
    draw_lane(p, t, computes, row + 1);
    draw_lane(p, t, sends, next);
    draw_cut(p, t, r, row);
    free(lane);
}

static void draw_legend(struct page *p, const bool seen[SIGNS], struct page_flow f) {
    int row = p->height, column = f.indent;
    for (int k = NOTHING + 1; k < SIGNS; k++) {
        if (!seen[k]) continue;
        const char *glyph = signs[k].glyph;
        if (!glyph) glyph = page_fill(p, (enum account_category)(signs[k].role - PAGE_CATEGORY));
        column = page_sign(p, f, &row, column, signs[k].role, glyph, signs[k].name);
    }
}

/* ── the figure ────────────────────────────────────────────────────────────────────────────────*/
bool page_figure_timeline(struct page *p, struct page_flow f, const json_t *spec,
                          struct base_message *m) {
    struct timeline t = {0};
    bool seen[SIGNS] = {false}, ok = read_timeline(spec, &t, m);
    if (ok) {
        lay_out(&t, f);
        draw_title(p, &t, f);
        for (size_t i = 0; i < t.runs; i++) {
            page_blank(p, i > 0);
            if (t.runs > 1) draw_label(p, &t, i, f);
            draw_lanes(p, &t, &t.run[i], seen, f);
        }
        page_axis_draw(p, t.left, t.axis, t.scale, -1);
        draw_legend(p, seen, f);
        if (t.runs == 1) draw_sums(p, &t, f);
    }
    forget(&t);
    return ok;
}

static void say_exposed(struct page *p, const struct timeline *t, const struct run *r,
                        struct page_flow f) {
    page_say_waits(p, f,
                   &(struct page_waits){r->span, r->spans, &r->traffic, t->part == STEP,
                                        parts[t->part].phase});
}

static void say_run(struct page *p, const struct timeline *t, size_t i, struct page_flow f) {
    char *label = label_of(t, i), *text = sums_text(t, &t->run[i], true);
    page_say(p, f, "%s: %s.", label, text);
    say_exposed(p, t, &t->run[i], f);
    free(text);
    free(label);
}

bool page_words_timeline(struct page *p, struct page_flow f, const json_t *spec,
                         struct base_message *m) {
    struct timeline t = {0};
    bool ok = read_timeline(spec, &t, m);
    if (ok) {
        char *title = title_of(&t);
        page_say(p, f, "%s.", title);
        for (size_t i = 0; i < t.runs && t.runs > 1; i++) say_run(p, &t, i, f);
        if (t.runs == 1) draw_sums(p, &t, f);
        if (t.runs == 1) say_exposed(p, &t, &t.run[0], f);
        free(title);
    }
    forget(&t);
    return ok;
}
