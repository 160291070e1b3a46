/* A ring: a box for each rank with its chunks, which are drawn by what has been added to them; a
 * link to the next, with the chunk that is on it; what each rank has sent, and how much that is. In
 * a window that is too small for the boxes a line for each rank, and why. */
#include "page/play.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 23, SIDE_GAP = 3, LABEL = 7, SHORT = 6, COUNT = 3, LEAST_BOX = 11, BRACKETS = 6 };

/* Of a sum that is not needed any more where it was made. */
#define PASSED_ON "passed on"

/* Of lines without boxes. */
static const struct page_play_size *const small = &page_play_sizes[PAGE_PLAY_SIZES - 1];

struct ring {
    struct account_scene s;
    const struct account_playing *at;
    const struct page_play_size *size;
    /* boxes in the upper row; the others are in the lower one */
    int across;
    /* of a box */
    int width, high;
    /* blanks before a chunk's letter, and within it */
    int pad, space;
    /* columns and rows of the links between boxes */
    int gap, between;
    /* what is said at its side has room there */
    bool side;
    int left, top;
};

/* ── layout ────────────────────────────────────────────────────────────────────────────────────*/
/* What has room besides the boxes, from roomy to tight: links that show what is in the chunk on
 * them, and words at the side. */
static const struct {
    bool full, side;
} plans[] = {{true, true}, {true, false}, {false, true}, {false, false}};
/* Within the boxes, and between their two rows. */
static const struct { int pad, between; } packings[] = {{2, 3}, {1, 3}, {0, 3}, {1, 1}, {0, 1}};
enum { LINK = 12, TIGHT_LINK = 7 };

static void set_size(struct ring *r, size_t plan, int size, size_t packing) {
    r->size = &page_play_sizes[size];
    int cells = page_play_columns(r->size, r->s.ranks);
    r->pad = packings[packing].pad;
    r->space = r->pad > 1 ? r->pad : 1;
    r->width = cells + 4 + r->pad + 2 * r->space + (r->pad > 1 ? 4 : r->pad);
    /* of two ranks both links lead from one side of the box to the other's */
    int least = r->s.ranks == 2 && plans[plan].full ? 2 * (cells + BRACKETS) : LEAST_BOX;
    if (r->width < least) r->width = least;
    r->high = page_play_rows(r->size, r->s.ranks) + 2;
    r->gap = plans[plan].full ? cells + LINK : TIGHT_LINK;
    r->between = packings[packing].between;
    r->side = plans[plan].side;
}

static int width_of(const struct ring *r) {
    return r->across * r->width + (r->across - 1) * r->gap + (r->side ? SIDE_GAP + SIDE : 0);
}

/* The meter is below. */
static int height_of(const struct ring *r) {
    return 2 * r->high + r->between + 1;
}

static bool lay_out(struct ring *r, struct page_flow f) {
    r->across = ((int)r->s.ranks + 1) / 2;
    r->left = f.indent;
    for (size_t plan = 0; plan < BASE_COUNT(plans); plan++)
        for (int size = page_play_largest(f); size < PAGE_PLAY_SIZES; size++)
            for (size_t packing = 0; packing < BASE_COUNT(packings); packing++) {
                set_size(r, plan, size, packing);
                if (width_of(r) <= f.width && (f.rows == 0 || height_of(r) <= f.rows)) return true;
            }
    return false;
}

static bool is_upper(const struct ring *r, uint32_t rank) {
    return (int)rank < r->across;
}

/* The upper row runs to the right, the lower one back to the left. */
static int column_of(const struct ring *r, uint32_t rank) {
    int place = is_upper(r, rank) ? (int)rank : 2 * r->across - 1 - (int)rank;
    return r->left + place * (r->width + r->gap);
}

static int row_of(const struct ring *r, uint32_t rank) {
    return r->top + (is_upper(r, rank) ? 0 : r->high + r->between);
}

/* ── boxes ─────────────────────────────────────────────────────────────────────────────────────*/
static void draw_frame(struct page *p, const struct ring *r, uint32_t rank) {
    int row = row_of(r, rank), left = column_of(r, rank), right = left + r->width - 1;
    for (int c = left + 1; c < right; c++) {
        page_put(p, row, c, PAGE_DIM, 0, "─");
        page_put(p, row + r->high - 1, c, PAGE_DIM, 0, "─");
    }
    for (int i = 1; i < r->high - 1; i++) {
        page_put(p, row + i, left, PAGE_DIM, 0, "│");
        page_put(p, row + i, right, PAGE_DIM, 0, "│");
    }
    page_put(p, row, left, PAGE_DIM, 0, "┌");
    page_put(p, row, right, PAGE_DIM, 0, "┐");
    page_put(p, row + r->high - 1, left, PAGE_DIM, 0, "└");
    page_put(p, row + r->high - 1, right, PAGE_DIM, 0, "┘");
    page_printf(p, row, left + 2, PAGE_STRONG, " rank %u ", rank);
}

static void draw_chunk(struct page *p, const struct ring *r, uint32_t rank, uint32_t chunk) {
    const struct account_cell *cell = &r->s.cell[rank][chunk];
    int row = row_of(r, rank) + 1 + (int)chunk * (r->size->high + r->size->gap),
        middle = row + (r->size->high - 1) / 2, column = column_of(r, rank) + 1 + r->pad;
    unsigned role = cell->stale || !cell->shares ? PAGE_DIM : PAGE_PLAIN;
    page_put(p, middle, column, role, cell->fresh ? PAGE_BOLD : 0, page_play_letter(chunk));
    column = page_play_cells(p, row, column + 1 + r->space, r->size, &r->s, cell);
    if (account_cell_whole(&r->s, rank, chunk))
        page_put(p, middle, column + r->space, PAGE_GOOD, 0, p->ascii ? "*" : "✓");
}

/* ── links ─────────────────────────────────────────────────────────────────────────────────────*/
/* Which chunk is on the link that leaves a rank; NULL: none. */
static const struct account_move *moving(const struct ring *r, uint32_t rank) {
    for (size_t i = 0; r->s.leaving && i < r->s.moves; i++)
        if (r->s.move[i].from == rank) return &r->s.move[i];
    return NULL;
}

/* A row of such cells. */
static struct page_play_size flat_size(const struct ring *r) {
    return (struct page_play_size){r->size->wide, 1, 0, 0};
}

static bool is_tight(const struct ring *r) {
    return r->gap == TIGHT_LINK;
}

static int label_width(const struct ring *r) {
    struct page_play_size size = flat_size(r);
    return is_tight(r) ? 3 : page_play_columns(&size, r->s.ranks) + BRACKETS;
}

/* "[ a ▓··· ]", its middle in a column; its letter alone if the link is short. The cells are not in
 * reverse, because without colour a full one would then look empty. */
static void draw_label(struct page *p, const struct ring *r, const struct account_move *m, int row,
                       int middle) {
    bool tight = is_tight(r);
    struct page_play_size size = flat_size(r);
    int column = middle - label_width(r) / 2;
    if (column < 0) column = 0;
    const char *letter = page_play_letter(m->chunk), *space = tight ? "" : " ";
    char text[16];
    snprintf(text, sizeof text, "[%s%s%s", space, letter, space);
    column = page_put(p, row, column, PAGE_PLAIN, PAGE_REVERSE | PAGE_BOLD, text);
    struct account_cell cell = {.shares = r->s.cell[m->from][m->chunk].shares};
    if (!tight) column = page_play_cells(p, row, column, &size, &r->s, &cell);
    page_put(p, row, column, PAGE_PLAIN, PAGE_REVERSE | PAGE_BOLD, tight ? "]" : " ]");
}

static unsigned link_role(const struct account_move *m) {
    return m ? PAGE_ACCENT : PAGE_DIM;
}

/* From one box to the next in its row. */
static void link_across(struct page *p, const struct ring *r, uint32_t from, uint32_t to) {
    bool right = is_upper(r, from);
    const struct account_move *m = moving(r, from);
    int first = column_of(r, right ? from : to) + r->width, last = first + r->gap - 1;
    int row = row_of(r, from) + r->high / 2 - (r->s.ranks > 2);
    for (int c = first; c <= last; c++) page_put(p, row, c, link_role(m), 0, "─");
    if (right) {
        page_put(p, row, last, PAGE_PLAIN, 0, " ");
        page_put(p, row, last - 1, link_role(m), 0, "▶");
    } else {
        page_put(p, row, first, PAGE_PLAIN, 0, " ");
        page_put(p, row, first + 1, link_role(m), 0, "◀");
    }
    if (m) draw_label(p, r, m, row, (first + last + !right) / 2);
}

/* From one row of boxes to the other. On a link of a single row the chunk is next to the arrow,
 * except between two ranks, which have only this link. */
static void link_along(struct page *p, const struct ring *r, uint32_t from, int column) {
    const struct account_move *m = moving(r, from);
    bool down = is_upper(r, from);
    int first = r->top + r->high, last = first + r->between - 1;
    for (int row = first; row <= last; row++) page_put(p, row, column, link_role(m), 0, "│");
    page_put(p, down ? last : first, column, link_role(m), 0, down ? "▼" : "▲");
    if (first == last && r->s.ranks > 2) column += (down ? -1 : 1) * (label_width(r) / 2 + 1);
    if (m) draw_label(p, r, m, (first + last) / 2, column);
}

/* With an odd number of ranks nothing is below rank 0: the last link goes round the corner. */
static void link_home(struct page *p, const struct ring *r, uint32_t from, int column) {
    const struct account_move *m = moving(r, from);
    int row = row_of(r, from) + r->high / 2 - (r->s.ranks > 2), last = column_of(r, from) - 1;
    for (int y = r->top + r->high; y < row; y++) page_put(p, y, column, link_role(m), 0, "│");
    for (int c = column + 1; c < last; c++) page_put(p, row, c, link_role(m), 0, "─");
    page_put(p, r->top + r->high, column, link_role(m), 0, "▲");
    page_put(p, row, column, link_role(m), 0, "└");
    if (m) draw_label(p, r, m, row, (column + last) / 2);
}

static void draw_links(struct page *p, const struct ring *r) {
    uint32_t n = r->s.ranks, turn = (uint32_t)r->across - 1;
    for (uint32_t from = 0; from + 1 < n; from++)
        if (from != turn) link_across(p, r, from, from + 1);
    int right = column_of(r, turn), left = r->left, half = r->width / 2;
    link_along(p, r, turn, right + (n == 2 ? r->width - 4 : half));
    if (n % 2)
        link_home(p, r, n - 1, left + half);
    else
        link_along(p, r, n - 1, left + (n == 2 ? 3 : half));
}

/* ── next to it ────────────────────────────────────────────────────────────────────────────────*/
static bool is_adding(const struct account_scene *s) {
    return s->moves ? s->move[0].adds : s->kind != ACCOUNT_SCENE_RING_ALL_GATHER;
}

/* Hops of one half. */
static uint32_t half_of(const struct account_scene *s) {
    return s->kind == ACCOUNT_SCENE_RING_ALL_REDUCE ? s->hops / 2 : s->hops;
}

static int say_half(struct page *p, const struct ring *r, int row, int column) {
    const struct account_scene *s = &r->s;
    page_put(p, row, column, PAGE_STRONG, 0, is_adding(s) ? "reduce-scatter" : "all-gather");
    page_put(p, row + 1, column, PAGE_PLAIN, 0,
             is_adding(s) ? "each hop adds a share" : "each hop copies chunks");
    return row + 3;
}

static int say_sign(struct page *p, int row, int column, const struct ring *r,
                    struct account_cell cell, const char *means) {
    /* shares as wide as in the boxes, so that one does not look like the sum of two there */
    const struct page_play_size wide = {.wide = r->size->wide, .high = 1, .apart = r->size->apart};
    int room = SIDE - 2 - (int)sizeof "all: finished" + 1;
    bool fits = page_play_columns(&wide, r->s.ranks) <= room;
    int end = page_play_cells(p, row, column, fits ? &wide : small, &r->s, &cell);
    page_put(p, row, end + 2, PAGE_DIM, 0, means);
    return row + 1;
}

/* Which chunk is whole where, once each rank has one. */
static int say_owners(struct page *p, const struct ring *r, int row, int column) {
    page_put(p, row, column, PAGE_DIM, 0, "finished chunks");
    for (uint32_t rank = 0; rank < r->s.ranks; rank++)
        for (uint32_t c = 0; c < r->s.ranks; c++)
            if (account_cell_whole(&r->s, rank, c))
                page_printf(p, row + 1 + (int)rank / 2, column + (int)rank % 2 * 11, PAGE_PLAIN,
                            "rank %u: %s", rank, page_play_letter(c));
    return row + 2 + (int)(r->s.ranks - 1) / 2;
}

static void draw_side(struct page *p, const struct ring *r) {
    int column = r->left + width_of(r) - SIDE, row = say_half(p, r, r->top, column);
    struct account_cell all = {.shares = (uint16_t)((1u << r->s.ranks) - 1)};
    bool turn = !r->s.leaving && r->s.hop == half_of(&r->s) && is_adding(&r->s);
    if (turn) {
        say_owners(p, r, row, column);
        return;
    }
    if (r->s.kind == ACCOUNT_SCENE_RING_ALL_GATHER) {
        row = say_sign(p, row, column, r, (struct account_cell){0}, "not here yet");
        say_sign(p, row, column, r, all, "a whole chunk");
        return;
    }
    page_put(p, row++, column, PAGE_DIM, 0, "A cell is the share");
    page_put(p, row++, column, PAGE_DIM, 0, "of one rank:");
    row = say_sign(p, row, column, r, (struct account_cell){.shares = 1}, "rank 0's");
    row = say_sign(p, row, column, r, (struct account_cell){.shares = 2}, "rank 1's");
    if (r->s.ranks > 2)
        row = say_sign(p, row, column, r, (struct account_cell){.shares = 3}, "their sum");
    row = say_sign(p, row, column, r, all, r->s.ranks > 2 ? "all: finished" : "both: finished");
    say_sign(p, row, column, r, (struct account_cell){.shares = 1, .stale = true}, PASSED_ON);
}

/* ── below it: what was sent ───────────────────────────────────────────────────────────────────*/
/* "7 of 21 GB", or the chunks if nobody said how large they are. */
static char *sent_text(const struct ring *r) {
    uint32_t sent = r->s.sent[0];
    double chunk = r->at->bytes / r->s.ranks;
    if (r->at->bytes <= 0) return base_format("%u of %u chunks", sent, r->s.hops);
    char *part = page_bytes(chunk * sent), *all = page_bytes(chunk * r->s.hops);
    char *text = base_format("%s of %s", part, all);
    free(part);
    free(all);
    return text;
}

static char *formula_text(const struct ring *r) {
    uint32_t n = r->s.ranks, sent = r->s.sent[0];
    bool twice = r->s.kind == ACCOUNT_SCENE_RING_ALL_REDUCE;
    if (sent == r->s.hops)
        return base_format("%u × S/%u = %s%u/%u × S", sent, n, twice ? "2 × " : "", n - 1, n);
    return base_format("%u × S/%u", sent, n);
}

/* What nothing at the side names. */
static void put_passed_on(struct page *p, const struct ring *r, int column, int end) {
    int row = p->height - 1;
    if (r->side || r->s.kind == ACCOUNT_SCENE_RING_ALL_GATHER) return;
    if (column + SIDE_GAP + 2 + base_width(PASSED_ON) > end) return;
    page_put(p, row, column + SIDE_GAP, PAGE_DIM, 0, page_play_idle(p));
    page_put(p, row, column + SIDE_GAP + 2, PAGE_DIM, 0, PASSED_ON);
}

static void draw_sent(struct page *p, const struct ring *r, struct page_flow f) {
    char *sent = sent_text(r), *formula = formula_text(r);
    int row = p->height, column = f.indent;
    bool wide = f.width >= 60;
    column = page_put(p, row, column, PAGE_DIM, 0, wide ? "sent by each rank  " : "sent ");
    column = page_play_meter(p, row, column, r->s.sent[0], r->s.hops);
    column = page_printf(p, row, column + 2, PAGE_STRONG, "%s", sent);
    char *rest = base_format(" = %s", formula);
    if (column + page_measure(p, rest) <= f.indent + f.width)
        column = page_put(p, row, column, PAGE_PLAIN, 0, rest);
    put_passed_on(p, r, column, f.indent + f.width);
    free(rest);
    free(formula);
    free(sent);
}

/* ── without boxes: a line for each rank ───────────────────────────────────────────────────────*/
static bool is_leaving(const struct ring *r, uint32_t rank, uint32_t chunk) {
    const struct account_move *m = moving(r, rank);
    return m && m->chunk == chunk;
}

/* How many shares are in it, where there are no columns for each. */
static void draw_count(struct page *p, const struct ring *r, int row, int column, uint32_t rank,
                       uint32_t chunk) {
    const struct account_cell *cell = &r->s.cell[rank][chunk];
    uint32_t shares = 0;
    for (uint32_t k = 0; k < r->s.ranks; k++) shares += cell->shares >> k & 1;
    bool whole = shares == r->s.ranks;
    char text[8];
    snprintf(text, sizeof text, "%u", shares);
    page_put(p, row, column,
             whole         ? PAGE_GOOD
             : cell->stale ? PAGE_DIM
                           : PAGE_PLAIN,
             (is_leaving(r, rank, chunk) ? PAGE_REVERSE : 0) | (cell->fresh ? PAGE_BOLD : 0),
             shares == 0 ? "·"
             : whole     ? (p->ascii ? "*" : "✓")
                         : text);
}

static void draw_line(struct page *p, const struct ring *r, struct page_flow f, uint32_t rank,
                      int label, int each) {
    int row = p->height, column = f.indent + label;
    bool cells = label > COUNT;
    page_printf(p, row, f.indent, PAGE_STRONG, label == LABEL ? "rank %u" : "%u", rank);
    for (uint32_t c = 0; c < r->s.ranks; c++, column += each) {
        bool leaves = is_leaving(r, rank, c);
        struct account_cell cell = r->s.cell[rank][c];
        cell.stale = cell.stale && !leaves;
        if (!cells) {
            draw_count(p, r, row, column, rank, c);
            continue;
        }
        int end = page_play_cells(p, row, column, small, &r->s, &cell);
        if (!leaves) continue;
        page_put(p, row, column - 1, PAGE_PLAIN, PAGE_REVERSE | PAGE_BOLD, "[");
        page_put(p, row, end, PAGE_PLAIN, PAGE_REVERSE | PAGE_BOLD, "]");
    }
}

static void draw_lines(struct page *p, const struct ring *r, struct page_flow f) {
    /* behind the last chunk there is room for its bracket */
    static const struct packing {
        int label, between;
    } lines[] = {{LABEL, 2}, {LABEL, 1}, {SHORT, 1}};
    int n = (int)r->s.ranks, label = COUNT, each = 3;
    for (size_t i = BASE_COUNT(lines); i-- > 0;)
        if (lines[i].label + n * (n + lines[i].between) <= f.width)
            label = lines[i].label, each = n + lines[i].between;
    int row = p->height, column = f.indent + label;
    if (label == SHORT) page_put(p, row, f.indent, PAGE_DIM, 0, "rank");
    for (int c = 0; c < n; c++)
        page_put(p, row, column + c * each, PAGE_DIM, 0, page_play_letter((uint32_t)c));
    for (uint32_t rank = 0; rank < r->s.ranks; rank++) draw_line(p, r, f, rank, label, each);
    if (f.width < 60 || (f.rows && n + 3 > f.rows)) return;
    page_text(p, (struct page_flow){.indent = f.indent, .width = f.width, .role = PAGE_DIM},
              "The ring itself needs a larger window. In brackets: the chunk in flight.");
}

void page_play_ring(struct page *p, struct page_flow f, const struct account_playing *at) {
    struct ring r = {.at = at, .top = p->height};
    account_scene_of(at, &r.s);
    if (!lay_out(&r, f)) {
        draw_lines(p, &r, f);
        draw_sent(p, &r, f);
        return;
    }
    page_blank(p, 2 * r.high + r.between);
    for (uint32_t rank = 0; rank < r.s.ranks; rank++) {
        draw_frame(p, &r, rank);
        for (uint32_t c = 0; c < r.s.ranks; c++) draw_chunk(p, &r, rank, c);
    }
    draw_links(p, &r);
    if (r.side) draw_side(p, &r);
    if (f.rows == 0 || f.rows > height_of(&r)) page_blank(p, 1);
    draw_sent(p, &r, f);
}
