/* map: ideas in columns. Lines run within a column and between neighbouring ones: out of an idea,
 * down or up a gap, and into the idea that rests on it. Relations between columns that are further
 * apart are told by how the ideas stand out, and in words below. */
#include "page/page.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct strength {
    const char *sign, *ascii, *words;
    unsigned role;
} strengths[PAGE_STRENGTHS] = {
    [PAGE_NOT_MET] = {"○", ".", "not met", PAGE_DIM},
    [PAGE_BEGUN] = {"◐", "~", "begun", PAGE_ACCENT},
    [PAGE_SKIPPED] = {"–", "s", "skipped", PAGE_WARN},
    [PAGE_WEAK] = {"◔", "-", "weak", PAGE_WARN},
    [PAGE_FADING] = {"◕", "+", "fading", PAGE_GOOD},
    [PAGE_SOLID] = {"●", "#", "solid", PAGE_GOOD},
};

const char *page_strength_sign(enum page_strength s, bool ascii) {
    return ascii ? strengths[s].ascii : strengths[s].sign;
}

int page_strength_put(struct page *p, int row, int column, enum page_strength s) {
    return page_put(p, row, column, strengths[s].role, 0, page_strength_sign(s, page_ascii(p)));
}

enum page_strength page_strength_of(double likely) {
    return likely < 0.7 ? PAGE_WEAK : likely < 0.9 ? PAGE_FADING : PAGE_SOLID;
}

const char *page_strength_words(enum page_strength s) {
    return strengths[s].words;
}

/* ── where ─────────────────────────────────────────────────────────────────────────────────────*/
enum {
    /* before an idea: the line that comes in, its arrow, and where it turns */
    BEFORE = 3,
    /* a lane at least, and an arrow, from the longest title to the next idea */
    LANE = 2,
    /* the sign, and a blank */
    SIGN = 2,
    HEADS = 2,
    /* rows from an idea to the next */
    FARTHEST = 4
};

static int ideas_in(const struct page_map *m, size_t column) {
    int n = 0;
    for (size_t i = 0; i < m->ideas; i++) n += m->idea[i].column == column;
    return n;
}

/* Spread over the rows, but not so far apart that a column falls to pieces. */
static int row_of(int nth, int count, int rows) {
    int apart = count > 1 ? nth * (rows - 1) / (count - 1) : 0;
    return apart < FARTHEST * nth ? apart : FARTHEST * nth;
}

int page_map_lay(const struct page_map *m, int width, int rows,
                 struct page_map_place place[PAGE_MAP_IDEAS]) {
    int most = 1, nth[PAGE_MAP_COLUMNS] = {0};
    for (size_t c = 0; c < m->columns; c++)
        if (ideas_in(m, c) > most) most = ideas_in(m, c);
    if (rows < most) rows = most;
    int share = m->columns ? width / (int)m->columns : width, used = 0;
    for (size_t i = 0; i < m->ideas; i++) {
        size_t c = m->idea[i].column;
        char *title = page_cut(m->idea[i].title, share - LANE - SIGN, m->ascii);
        int cells = SIGN + base_width(title);
        place[i] = (struct page_map_place){.row = row_of(nth[c]++, ideas_in(m, c), rows),
                                           .at = (int)c * share + BEFORE,
                                           .cells = cells};
        free(title);
        if (place[i].row >= used) used = place[i].row + 1;
    }
    return used;
}

/* ── lines ───────────────────────────────────────────────────────────────────────────────────────
 * A net is all lines that meet in one idea: those into it run in the gap on its left, those out of
 * it in the gap on its right. Each net has a lane of its own there, a column in which it turns, and
 * no two share a cell except where they cross, or leave the same idea. So each line can be
 * followed: what would not fit is not drawn. */
enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8, BLOCKED = 16 };

/* What a cell of lines belongs to, along and down: 0 is nothing. */
struct cell {
    unsigned char ways, net;
    /* the idea at whose side the line along begins or ends; and whether on its right */
    unsigned char idea, right;
};
struct lines {
    struct cell *cell;
    int width, rows;
};

struct net {
    /* where its lines meet, and how many */
    size_t idea, other[PAGE_MAP_IDEAS], count;
    /* they lead out of that idea, and not into it */
    bool out;
    unsigned char number;
};

static struct cell *cell_of(const struct lines *l, int row, int column) {
    bool inside = row >= 0 && row < l->rows && column >= 0 && column < l->width;
    return inside ? &l->cell[row * l->width + column] : NULL;
}

static bool crosses(unsigned ways, unsigned other) {
    bool along = ways == (LEFT | RIGHT), down = ways == (UP | DOWN);
    return (along && other == (UP | DOWN)) || (down && other == (LEFT | RIGHT));
}

/* Adds a net, drawn alone, to those that are there. False, and nothing was added, if it would touch
 * one of them. */
static bool add_apart(struct lines *all, const struct lines *net) {
    for (int i = 0; i < all->width * all->rows; i++) {
        const struct cell *a = &all->cell[i], *b = &net->cell[i];
        bool same = a->idea == b->idea && a->right && b->right;
        if (a->ways && b->ways && !crosses(a->ways, b->ways) && !same) return false;
    }
    for (int i = 0; i < all->width * all->rows; i++)
        if (net->cell[i].ways && !all->cell[i].ways) all->cell[i] = net->cell[i];
    return true;
}

static void mark(struct lines *l, int row, int column, unsigned way, size_t idea, bool right) {
    struct cell *c = cell_of(l, row, column);
    if (!c) return;
    c->ways |= (unsigned char)way;
    c->idea = (unsigned char)idea;
    c->right = right;
}

/* From the idea's side to the lane. */
static void run_along(struct lines *l, int row, int from, int to, size_t idea, bool right) {
    for (int x = from; x < to; x++) {
        mark(l, row, x, RIGHT, idea, right);
        mark(l, row, x + 1, LEFT, idea, right);
    }
}

static void run_down(struct lines *l, int lane, int from, int to) {
    for (int y = from; y < to; y++) {
        cell_of(l, y, lane)->ways |= DOWN;
        cell_of(l, y + 1, lane)->ways |= UP;
    }
}

/* To the lane from the side of an idea that is next to it. */
static void join(struct lines *l, const struct page_map_place *at, size_t idea, int lane) {
    bool right = at->at < lane;
    mark(l, at->row, lane, right ? LEFT : RIGHT, idea, right);
    if (right)
        run_along(l, at->row, at->at + at->cells, lane, idea, true);
    else
        run_along(l, at->row, lane, at->at - 1, idea, false);
}

static void draw_net(struct lines *l, const struct page_map_place *place, const struct net *n,
                     int lane) {
    int row = place[n->idea].row;
    join(l, &place[n->idea], n->idea, lane);
    for (size_t i = 0; i < n->count; i++) {
        int other = place[n->other[i]].row;
        join(l, &place[n->other[i]], n->other[i], lane);
        run_down(l, lane, row < other ? row : other, row < other ? other : row);
    }
}

static bool rests_on(const struct page_map *m, size_t idea, size_t on) {
    for (size_t i = 0; i < m->idea[idea].rest_count; i++)
        if (m->idea[idea].rests[i] == on) return true;
    return false;
}

/* Lines run within a column and between neighbouring ones; others are told in words below. */
static struct net net_of(const struct page_map *m, size_t idea, bool out) {
    struct net n = {.idea = idea, .out = out};
    for (size_t i = 0; i < m->ideas; i++) {
        size_t left = m->idea[out ? idea : i].column, right = m->idea[out ? i : idea].column;
        bool related = out ? rests_on(m, i, idea) : rests_on(m, idea, i);
        if (related && (right == left || right == left + 1)) n.other[n.count++] = i;
    }
    return n;
}

/* Whether lines out of an idea have room for their arrows on either side of this lane. */
static bool leaves_room(const struct page_map_place *place, const struct net *n, int lane) {
    for (size_t i = 0; n->out && i < n->count; i++) {
        const struct page_map_place *at = &place[n->other[i]];
        if (lane >= at->at - 1 && lane <= at->at + at->cells) return false;
    }
    return true;
}

static bool place_in(struct lines *all, const struct page_map_place *place, const struct net *n,
                     int lane) {
    struct lines own = {NULL, all->width, all->rows};
    if (!leaves_room(place, n, lane)) return false;
    own.cell = base_alloc((size_t)(own.width * own.rows) * sizeof *own.cell);
    draw_net(&own, place, n, lane);
    for (int i = 0; i < own.width * own.rows; i++) own.cell[i].net = n->number;
    bool done = add_apart(all, &own);
    free(own.cell);
    return done;
}

/* Lines turn as near as they can to the idea in which they meet. */
static bool place_net(struct lines *all, const struct page_map *m,
                      const struct page_map_place *place, const struct net *n) {
    const struct page_map_place *at = &place[n->idea];
    int share = all->width / (int)m->columns, column = (int)m->idea[n->idea].column,
        first = n->out ? at->at + at->cells : at->at - 2,
        last = n->out ? (column + 1) * share + BEFORE - 1 : at->at - share + 1,
        by = n->out ? 1 : -1;
    bool done = n->count == 0;
    for (int lane = first; !done && lane != last + by; lane += by)
        done = lane >= 0 && lane < all->width && place_in(all, place, n, lane);
    return done;
}

/* No line runs over the words of an idea. */
static void block_ideas(struct lines *l, const struct page_map *m,
                        const struct page_map_place *place) {
    for (size_t i = 0; i < m->ideas; i++)
        for (int x = 0; x < place[i].cells; x++)
            mark(l, place[i].row, place[i].at + x, BLOCKED, i, false);
}

static const char *corner(unsigned ways) {
    static const char *const boxes[16] = {
        [LEFT] = "─",
        [RIGHT] = "─",
        [LEFT | RIGHT] = "─",
        [UP] = "│",
        [DOWN] = "│",
        [UP | DOWN] = "│",
        [LEFT | UP] = "┘",
        [LEFT | DOWN] = "┐",
        [RIGHT | UP] = "└",
        [RIGHT | DOWN] = "┌",
        [LEFT | RIGHT | UP] = "┴",
        [LEFT | RIGHT | DOWN] = "┬",
        [UP | DOWN | LEFT] = "┤",
        [UP | DOWN | RIGHT] = "├",
        [LEFT | RIGHT | UP | DOWN] = "┼",
    };
    return boxes[ways & 15];
}

/* The ends of a net's lines: an arrow at each idea that rests on another. Those out of an idea come
 * to others of its column from their right. */
static void put_arrows(struct page *p, int top, const struct page_map_place *place,
                       const struct net *n, unsigned role) {
    for (size_t i = 0; i < (n->out ? n->count : 1); i++) {
        const struct page_map_place *at = &place[n->out ? n->other[i] : n->idea];
        bool back = n->out && at->at <= place[n->idea].at;
        page_put(p, top + at->row, back ? at->at + at->cells : at->at - 1, role, 0,
                 back ? "◀" : "▶");
    }
}

enum { BRIGHT = 2 /* the first nets: into the chosen idea, and out of it */ };

/* Lines of the chosen idea; then, where they find room, dim ones to what that rests on. Of all
 * ideas they would cross too often to be followed. */
static void draw_lines(struct page *p, int top, const struct page_map *m,
                       const struct page_map_place *place, struct lines *l) {
    struct net net[BRIGHT + PAGE_MAP_RESTS];
    size_t nets = 0;
    if (m->chosen >= m->ideas) return;
    block_ideas(l, m, place);
    for (int out = 0; out < BRIGHT; out++) net[nets++] = net_of(m, m->chosen, out);
    for (size_t i = 0; i < m->idea[m->chosen].rest_count; i++)
        net[nets++] = net_of(m, m->idea[m->chosen].rests[i], false);
    for (size_t i = 0; i < nets; i++) {
        net[i].number = (unsigned char)(i + 1);
        if (!place_net(l, m, place, &net[i])) net[i].count = 0;
    }
    for (int i = 0; i < l->width * l->rows; i++) {
        const struct cell *c = &l->cell[i];
        if (c->ways & 15)
            page_put(p, top + i / l->width, i % l->width, c->net <= BRIGHT ? PAGE_ACCENT : PAGE_DIM,
                     0, corner(c->ways));
    }
    for (size_t i = 0; i < nets; i++)
        if (net[i].count > 0)
            put_arrows(p, top, place, &net[i], i < BRIGHT ? PAGE_ACCENT : PAGE_DIM);
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
static void draw_idea(struct page *p, int top, const struct page_map *m, size_t i,
                      const struct page_map_place *at) {
    bool chosen = i == m->chosen,
         related = m->chosen < m->ideas && (rests_on(m, m->chosen, i) || rests_on(m, i, m->chosen));
    unsigned words = chosen                                ? PAGE_ACCENT
                     : related                             ? PAGE_STRONG
                     : m->idea[i].strength == PAGE_NOT_MET ? PAGE_DIM
                                                           : PAGE_PLAIN;
    page_strength_put(p, top + at->row, at->at, m->idea[i].strength);
    char *title = page_cut(m->idea[i].title, at->cells - SIGN, m->ascii);
    page_put(p, top + at->row, at->at + SIGN, words,
             chosen    ? PAGE_BOLD | PAGE_REVERSE
             : related ? PAGE_UNDERLINE
                       : 0,
             title);
    free(title);
}

void page_map_draw(struct page *p, const struct page_map *m,
                   const struct page_map_place place[PAGE_MAP_IDEAS]) {
    int top = page_height(p) + HEADS, width = page_width(p), rows = 1;
    for (size_t i = 0; i < m->ideas; i++)
        if (place[i].row >= rows) rows = place[i].row + 1;
    struct lines l = {base_alloc((size_t)(width * rows) * sizeof *l.cell), width, rows};
    for (size_t c = 0; c < m->columns; c++)
        page_printf(p, top - HEADS, (int)c * (width / (int)m->columns) + 1, PAGE_TITLE, "%zu %s",
                    c + 1, m->column[c]);
    draw_lines(p, top, m, place, &l);
    for (size_t i = 0; i < m->ideas; i++) draw_idea(p, top, m, i, &place[i]);
    free(l.cell);
}
