/* Tiers with bytes that flow: what each tier keeps, what crosses between two of them in this frame;
 * below that the step as lanes over time, as far as it has come. */
#include "page/play.h"

#include <math.h>
#include <stdlib.h>

enum {
    LABEL = 13,
    AMOUNT = 24,
    LEAST = 8,
    NARROW = 60,
    TIGHT = 9,
    ROOMY = 12,
    /* rows that are neither tier nor lane */
    FIXED = 10,
    THICKEST = 5
};

struct stack {
    struct account_tiers w;
    /* bytes of a cell */
    double scale;
    int bar;
    /* rows of a tier, and of a lane */
    int thick;
    /* something is kept there */
    bool nvme;
};

static const char *const names[ACCOUNT_TIERS] = {"GPU memory", "host memory", "NVMe"};

/* ── tiers ─────────────────────────────────────────────────────────────────────────────────────*/
static double largest(const struct account_tiers *w) {
    double most = (double)w->host.total;
    if ((double)w->nvme.total > most) most = (double)w->nvme.total;
    for (int i = 0; i < ACCOUNT_PHASES; i++)
        if ((double)w->gpu[i].total > most) most = (double)w->gpu[i].total;
    return most;
}

static void draw_tier(struct page *p, const struct stack *s, struct page_flow f, int tier) {
    const struct account_ledger *l = &s->w.keeps[tier];
    int top = p->height, row = top + (s->thick - 1) / 2,
        column = f.indent + (f.width < NARROW ? 5 : LABEL);
    page_put(p, row, f.indent, PAGE_STRONG, 0,
             f.width >= NARROW      ? names[tier]
             : tier == ACCOUNT_GPU  ? "GPU"
             : tier == ACCOUNT_HOST ? "host"
                                    : "NVMe");
    if (!l->total) {
        page_put(p, row, column, PAGE_DIM, 0, "keeps nothing");
        return;
    }
    struct page_part part[ACCOUNT_CATEGORIES];
    page_bar_thick(p, top, s->thick, column, part, page_parts_of(p, l->bytes, part), s->scale, -1,
                   PAGE_LIMIT);
    char *kept = page_bytes((double)l->total), *holds = page_bytes((double)s->w.holds[tier]);
    column += s->bar + 2;
    column = page_put(p, row, column, PAGE_PLAIN, 0, kept);
    if (f.width >= NARROW) page_printf(p, row, column, PAGE_DIM, " of %s", holds);
    free(holds);
    free(kept);
}

/* What goes down a link are gradients, what comes up weights; over NVMe's both are states. */
static void draw_flow(struct page *p, int row, int column, enum account_category c, bool down,
                      uint64_t bytes, const char *what) {
    const char *arrow = p->ascii ? (down ? "v v" : "^ ^") : (down ? "▼ ▼" : "▲ ▲");
    char *amount = page_bytes((double)bytes);
    if (bytes)
        page_printf(p, row, column, PAGE_NAME + (unsigned)c, "%s %s%s", arrow, amount, what);
    else
        page_put(p, row, column, PAGE_DIM, 0, down ? "│ nothing down" : "│ nothing up");
    free(amount);
}

static void draw_way(struct page *p, const struct stack *s, struct page_flow f, int tier) {
    bool host = tier == ACCOUNT_GPU, narrow = f.width < NARROW;
    int row = p->height, column = f.indent + (narrow ? 5 : LABEL), middle = narrow ? 16 : 30;
    draw_flow(p, row, column, host ? ACCOUNT_GRADS : ACCOUNT_MOMENTS, true, s->w.down[tier],
              narrow ? ""
              : host ? " of gradients"
                     : " of states");
    draw_flow(
        p, row, column + middle, host ? ACCOUNT_PARAMS : ACCOUNT_MOMENTS, false, s->w.up[tier],
        narrow                                                                ? ""
        : !host                                                               ? " of states"
        : s->w.up[tier] > s->w.gathered && s->w.phase != ACCOUNT_TIERS_RETURN ? ""
                                                                              : " of weights");
}

/* ── the step over time ────────────────────────────────────────────────────────────────────────*/
enum lane { COMPUTES, DOWN, UP, PROCESSOR, DISK, LANES };

static const char *const lanes[LANES] = {"GPU computes", "down", "up", "CPU updates", "NVMe"};

/* How long a lane is at work in a frame, and as what. */
static double busy(const struct account_tiers *w, enum lane lane, enum account_category *c) {
    bool backward = w->phase == ACCOUNT_TIERS_BACKWARD, update = w->phase == ACCOUNT_TIERS_UPDATE;
    static const enum account_category fills[LANES] = {
        ACCOUNT_ACTIVATIONS, ACCOUNT_GRADS, ACCOUNT_PARAMS, ACCOUNT_MOMENTS, ACCOUNT_MOMENTS};
    *c = lane == COMPUTES && backward ? ACCOUNT_GRADS : fills[lane];
    switch (lane) {
    case COMPUTES: return w->computes;
    case DOWN: return (double)w->down[ACCOUNT_GPU] / w->rate[ACCOUNT_GPU];
    case UP: return (double)w->up[ACCOUNT_GPU] / w->rate[ACCOUNT_GPU];
    case PROCESSOR: return update ? w->update : 0;
    case DISK: return (double)(w->down[ACCOUNT_HOST] + w->up[ACCOUNT_HOST]) / w->rate[ACCOUNT_HOST];
    case LANES: break;
    }
    return 0;
}

static void draw_busy(struct page *p, const struct stack *s, int row, int left, int cells,
                      enum lane lane) {
    enum account_category c;
    double seconds = busy(&s->w, lane, &c), cell = s->w.step / cells;
    if (seconds <= 0) return;
    int from = (int)lround(s->w.begins / cell), to = (int)lround((s->w.begins + seconds) / cell);
    if (from == cells) from--;
    if (to == from) to++;
    for (int i = from; i < to && i < cells; i++)
        for (int y = row; y < row + s->thick; y++)
            page_put(p, y, left + i, PAGE_CATEGORY + (unsigned)c, 0, page_fill(p, c));
}

static char *lane_words(const struct account_tiers *w, enum lane lane) {
    uint64_t bytes = lane == DOWN ? w->moved_down[ACCOUNT_GPU]
                     : lane == UP ? w->moved_up[ACCOUNT_GPU]
                                  : w->moved_down[ACCOUNT_HOST] + w->moved_up[ACCOUNT_HOST];
    double seconds = lane == COMPUTES                   ? w->computed
                     : w->phase >= ACCOUNT_TIERS_UPDATE ? w->update
                                                        : 0;
    if (lane == COMPUTES || lane == PROCESSOR)
        return seconds > 0 ? page_seconds(seconds) : base_dup("0 s");
    return page_bytes((double)bytes);
}

static void draw_lanes(struct page *p, const struct stack *s, struct page_flow f,
                       const struct account_playing *at) {
    bool narrow = f.width < NARROW;
    int top = p->height, left = f.indent + LABEL, cells = f.width - LABEL - (narrow ? 9 : 11),
        count = s->nvme ? LANES : DISK;
    if (cells < LEAST) return;
    struct account_playing begin = *at;
    struct stack then = *s;
    begin.frame = 0;
    if (!account_tiers(&begin, &then.w, NULL)) return;
    for (int lane = 0; lane < count; lane++) {
        char *words = lane_words(&s->w, (enum lane)lane);
        int row = top + lane * s->thick + (s->thick - 1) / 2;
        page_put(p, row, f.indent, PAGE_DIM, 0, lanes[lane]);
        page_put(p, row, left + cells + 1, PAGE_PLAIN, 0, words);
        free(words);
    }
    while (then.w.frame < s->w.frame && account_tiers_next(&then.w))
        for (int lane = 0; lane < count; lane++)
            draw_busy(p, &then, top + lane * s->thick, left, cells, (enum lane)lane);
    int now = (int)lround((s->w.begins + s->w.seconds) / s->w.step * (cells - 1)),
        row = top + count * s->thick;
    for (int i = 0; i < cells; i++)
        page_put(p, row, left + i, i == now ? PAGE_ACCENT : PAGE_DIM, 0, i == now ? "▲" : "─");
    char *time = page_seconds(s->w.begins + s->w.seconds), *all = page_seconds(s->w.step);
    page_put(p, row, left + cells + 1, PAGE_STRONG, 0, time);
    if (!narrow) page_printf(p, row, f.indent, PAGE_DIM, "of %s", all);
    free(all);
    free(time);
}

/* Whether a category is too small for its bar in any phase. */
static bool is_marked(const struct page *p, const struct stack *s) {
    struct page *scratch = page_new(2 * s->bar, p->ascii);
    bool marked = false;
    page_set_colours(scratch, p->colours ? 256 : 0);
    for (int phase = 0; phase < ACCOUNT_PHASES; phase++)
        marked |=
            page_bar_stack(scratch, phase, 0, s->w.gpu[phase].bytes, s->scale, -1, PAGE_LIMIT);
    page_free(scratch);
    return marked;
}

/* Of all phases, so that it stays as it is. */
static void draw_legend(struct page *p, const struct stack *s, struct page_flow f) {
    bool present[ACCOUNT_CATEGORIES] = {0};
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        present[c] = s->w.host.bytes[c] || s->w.nvme.bytes[c];
        for (int phase = 0; phase < ACCOUNT_PHASES; phase++)
            present[c] = present[c] || s->w.gpu[phase].bytes[c];
    }
    page_legend(p, f, f.indent, present, is_marked(p, s));
}

void page_play_tiers(struct page *p, struct page_flow f, const struct account_playing *at) {
    struct stack s = {0};
    account_tiers(at, &s.w, NULL);
    bool narrow = f.width < NARROW, roomy = f.rows == 0 || f.rows > ROOMY;
    s.nvme = s.w.nvme.total > 0;
    s.bar = f.width - (narrow ? 5 : LABEL) - (narrow ? 9 : AMOUNT);
    if (s.bar < LEAST) s.bar = LEAST;
    s.scale = largest(&s.w) / s.bar;
    s.thick = page_play_thick(f, FIXED, ACCOUNT_TIERS + (s.nvme ? LANES : DISK), THICKEST);
    for (int tier = 0; tier < ACCOUNT_TIERS; tier++) {
        if (tier < ACCOUNT_NVME || s.nvme || f.rows == 0 || f.rows > TIGHT)
            draw_tier(p, &s, f, tier);
        if (tier < ACCOUNT_HOST || (tier == ACCOUNT_HOST && s.nvme)) draw_way(p, &s, f, tier);
    }
    page_blank(p, roomy);
    draw_lanes(p, &s, f, at);
    if (roomy) draw_legend(p, &s, f);
}
