/* A layer that is divided among ranks: for each rank a box of tokens × features with what it has of
 * the activations, below it its part of the matrix; then the layer's places in order, and the
 * collectives so far. */
#include "page/play.h"

#include <stdlib.h>
#include <string.h>

enum {
    NARROW = 60,
    /* rows besides boxes: ranks' names, places, collectives, legend */
    FIXED = 4,
    /* columns of the arrow at a row's end */
    ARROW = 3,
    TALLEST = 4
};

struct boxes {
    struct account_layer w;
    /* columns and rows of a rank's share in a box; columns between boxes */
    int wide, high, apart;
    /* ranks that fit next to each other; rows of places */
    int shown, lines;
    /* the matrices are drawn as well; empty rows */
    bool matrices, roomy;
};

/* ── layout ────────────────────────────────────────────────────────────────────────────────────*/
/* The places with arrows between them, if `draws`; returns how many rows they take. */
static int lay_places(struct page *p, const struct account_layer *w, struct page_flow f,
                      bool draws) {
    const char *arrow = w->backward ? " ← " : " → ";
    int top = p->height, row = top, column = f.indent;
    for (int i = 0; i < ACCOUNT_LAYER_PLACES; i++) {
        const char *name = account_layer_name(w, (enum account_layer_place)i);
        bool here = w->frame > 0 && !w->over && (int)w->place == i;
        int width = page_measure(p, name), after = i + 1 < ACCOUNT_LAYER_PLACES ? ARROW : 0;
        if (!width) continue;
        if (i && draws) page_put(p, row, column, PAGE_DIM, 0, arrow);
        column += i ? page_measure(p, arrow) : 0;
        if (column + width + after > f.indent + f.width) {
            row++;
            column = f.indent;
        }
        if (draws)
            page_put(p, row, column, here ? PAGE_ACCENT : PAGE_PLAIN, here ? PAGE_REVERSE : 0,
                     name);
        column += width;
    }
    return row - top + 1;
}

/* The most rows that places take in any frame, so that nothing moves from one to the next. */
static int most_lines(struct page *p, const struct account_layer *w, struct page_flow f) {
    int most = 0;
    for (int i = 0; i < 4; i++) {
        struct account_layer then = *w;
        then.backward = i & 1;
        then.mlp = i & 2;
        int lines = lay_places(p, &then, f, false);
        if (lines > most) most = lines;
    }
    return most;
}

static void lay_out(struct page *p, struct boxes *b, struct page_flow f) {
    int n = (int)b->w.ranks;
    b->lines = most_lines(p, &b->w, f);
    int others = FIXED - 1 + b->lines, rows = f.rows - others;
    b->matrices = f.rows == 0 || rows >= 2 * n + 1;
    b->apart = f.width < NARROW ? 1 : 2;
    b->wide = ((f.width + b->apart) / n - b->apart) / n;
    if (b->wide < 1) {
        b->wide = b->apart = 1;
        b->shown = (f.width + 1) / (n + 1);
    } else
        b->shown = n;
    int high = page_play_thick(f, others + 3, n * (1 + b->matrices), TALLEST);
    b->high = high < b->wide ? high : b->wide;
    if (b->wide > 2 * b->high + 1) b->wide = 2 * b->high + 1;
    b->roomy = f.rows == 0 || rows >= n * b->high * (1 + b->matrices) + b->matrices + 2;
}

/* ── boxes ─────────────────────────────────────────────────────────────────────────────────────*/
static int left_of(const struct boxes *b, struct page_flow f, uint32_t rank) {
    return f.indent + (int)rank * ((int)b->w.ranks * b->wide + b->apart);
}

struct look {
    unsigned role;
    const char *sign;
};

static void draw_share(struct page *p, const struct boxes *b, int row, int column,
                       struct look look) {
    for (int i = 0; i < b->wide * b->high; i++)
        page_put(p, row + i / b->wide, column + i % b->wide, look.role, 0, look.sign);
}

/* An array of one rank: the shares that it has as `full`, others as dots. */
static void draw_box(struct page *p, const struct boxes *b, int top, int left,
                     enum account_layer_part part, uint32_t rank, struct look full) {
    for (uint32_t i = 0; i < b->w.ranks * b->w.ranks; i++) {
        uint32_t token = i / b->w.ranks, feature = i % b->w.ranks;
        bool has = account_layer_has(part, rank, token, feature);
        draw_share(p, b, top + (int)token * b->high, left + (int)feature * b->wide,
                   has ? full : (struct look){PAGE_DIM, "·"});
    }
}

static enum account_category category_of(const struct account_layer *w) {
    return w->backward ? ACCOUNT_GRADS : ACCOUNT_ACTIVATIONS;
}

static void draw_activations(struct page *p, const struct boxes *b, struct page_flow f) {
    enum account_category c = category_of(&b->w);
    bool partial = b->w.part == ACCOUNT_LAYER_PARTIAL;
    struct look full = {(partial ? PAGE_NAME : PAGE_CATEGORY) + (unsigned)c,
                        partial ? "+" : page_fill(p, c)};
    int top = p->height;
    for (uint32_t r = 0; r < (uint32_t)b->shown; r++) {
        bool room = (int)b->w.ranks * b->wide >= 6;
        page_printf(p, top, left_of(b, f, r), PAGE_PLAIN, room ? "rank %u" : "r%u", r);
        draw_box(p, b, top + 1, left_of(b, f, r), b->w.part, r, full);
    }
}

/* The matrix that is used, or comes next, is bright while it is used. */
static struct look look_of_matrix(const struct page *p, const struct boxes *b) {
    bool used = b->w.place == ACCOUNT_LAYER_COLUMNS || b->w.place == ACCOUNT_LAYER_ROWS;
    return used ? (struct look){PAGE_CATEGORY + (unsigned)ACCOUNT_PARAMS,
                                page_fill(p, ACCOUNT_PARAMS)}
                : (struct look){PAGE_DIM, page_play_idle(p)};
}

static void draw_matrices(struct page *p, const struct boxes *b, struct page_flow f) {
    bool rows =
        b->w.backward ? b->w.place > ACCOUNT_LAYER_COLUMNS : b->w.place > ACCOUNT_LAYER_LOCAL;
    struct look full = look_of_matrix(p, b);
    int top = p->height;
    for (uint32_t r = 0; r < (uint32_t)b->shown; r++)
        draw_box(p, b, top, left_of(b, f, r), rows ? ACCOUNT_LAYER_TOKENS : ACCOUNT_LAYER_FEATURES,
                 r, full);
}

/* ── collectives and legend ────────────────────────────────────────────────────────────────────*/
static int draw_count(struct page *p, int row, int column, uint32_t done, uint32_t all,
                      const char *name) {
    column = page_play_meter(p, row, column, done, all);
    return page_printf(p, row, column + 1, PAGE_PLAIN, "%s", name) + 2;
}

static void draw_collectives(struct page *p, const struct boxes *b, struct page_flow f,
                             const struct account_playing *at) {
    struct account_playing end = *at;
    struct account_layer all;
    int row = p->height, column = f.indent;
    bool narrow = f.width < NARROW;
    end.frame = UINT32_MAX;
    if (!account_layer(&end, &all, NULL)) return;
    column = draw_count(p, row, column, b->w.sums, all.sums,
                        !b->w.sequence ? "all-reduces"
                        : narrow       ? "scatters"
                                       : "reduce-scatters");
    if (all.gathers)
        column = draw_count(p, row, column, b->w.gathers, all.gathers,
                            narrow ? "gathers" : "all-gathers");
    char *each = page_bytes((double)b->w.each),
         *sent = page_bytes((double)b->w.each * (b->w.sums + b->w.gathers));
    if (!narrow)
        page_printf(p, row, column, PAGE_STRONG, "of %s each: %s sent", each, sent);
    else if (column + 10 < f.width)
        page_printf(p, row, column, PAGE_STRONG, "%s", sent);
    free(sent);
    free(each);
}

static void draw_legend(struct page *p, const struct boxes *b, struct page_flow f) {
    enum account_category c = category_of(&b->w);
    int row = p->height, column = f.indent;
    column = page_sign(p, f, &row, column, PAGE_CATEGORY + (unsigned)c, page_fill(p, c),
                       f.width < NARROW ? account_category_words(c)
                       : b->w.backward  ? "gradients, tokens × features"
                                        : "activations, tokens × features");
    column = page_sign(p, f, &row, column, PAGE_NAME + (unsigned)c, "+", "partial sums");
    struct look matrix = look_of_matrix(p, b);
    if (b->matrices) page_sign(p, f, &row, column, matrix.role, matrix.sign, "matrix");
}

void page_play_layer(struct page *p, struct page_flow f, const struct account_playing *at) {
    struct boxes b = {0};
    if (!account_layer(at, &b.w, NULL)) return;
    lay_out(p, &b, f);
    draw_activations(p, &b, f);
    page_blank(p, b.matrices);
    if (b.matrices) draw_matrices(p, &b, f);
    if (b.shown < (int)b.w.ranks)
        page_printf(p, p->height, f.indent, PAGE_DIM, "and %d more", (int)b.w.ranks - b.shown);
    page_blank(p, b.roomy);
    int top = p->height;
    lay_places(p, &b.w, f, true);
    page_blank(p, top + b.lines - p->height);
    draw_collectives(p, &b, f, at);
    page_blank(p, b.roomy);
    draw_legend(p, &b, f);
}

/* ── in sentences ──────────────────────────────────────────────────────────────────────────────*/
void page_play_say_layer(struct page *p, struct page_flow f, const struct account_playing *at) {
    struct account_layer w;
    if (!account_layer(at, &w, NULL)) return;
    switch (w.part) {
    case ACCOUNT_LAYER_WHOLE: page_say(p, f, "Each rank has all tokens, with all features."); break;
    case ACCOUNT_LAYER_TOKENS:
        page_say(p, f, "Each rank has its own 1/%u of the tokens, with all features.", w.ranks);
        break;
    case ACCOUNT_LAYER_FEATURES:
        page_say(p, f, "Each rank has all tokens, with its own 1/%u of the features.", w.ranks);
        break;
    case ACCOUNT_LAYER_PARTIAL:
        page_say(p, f, "Each rank has one of %u partial sums of every element.", w.ranks);
        break;
    }
    char *sent = page_bytes((double)w.each * (w.sums + w.gathers));
    if (w.sums + w.gathers) page_say(p, f, "So far a rank has sent %s.", sent);
    free(sent);
}
