/* map: ideas in columns. Lines run only between neighbouring columns: out of an idea to its right,
 * down or up a gap, and into the idea that rests on it. Relations within a column are told by how
 * the ideas stand out, and in words below. */
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
        int cells = SIGN + base_width(m->idea[i].title), left = share - BEFORE - 1;
        place[i] = (struct page_map_place){.row = row_of(nth[c]++, ideas_in(m, c), rows),
                                           .at = (int)c * share + BEFORE,
                                           .cells = cells < left ? cells : left};
        if (place[i].row >= used) used = place[i].row + 1;
    }
    return used;
}

/* ── lines ─────────────────────────────────────────────────────────────────────────────────────*/
enum { LEFT = 1, RIGHT = 2, UP = 4, DOWN = 8 };

struct lines {
    unsigned char *cell;
    int width, rows;
};
/* From so many cells on, all lines are drawn: in fewer they cross too often to be followed. */
enum { ROOM_FOR_ALL = 100 };

static void mark(struct lines *l, int row, int column, unsigned way) {
    if (row >= 0 && row < l->rows && column >= 0 && column < l->width)
        l->cell[row * l->width + column] |= (unsigned char)way;
}

static void run_along(struct lines *l, int row, int from, int to) {
    for (int x = from; x < to; x++) {
        mark(l, row, x, RIGHT);
        mark(l, row, x + 1, LEFT);
    }
}

static void run_down(struct lines *l, int column, int from, int to) {
    for (int y = from; y < to; y++) {
        mark(l, y, column, DOWN);
        mark(l, y + 1, column, UP);
    }
}

/* From idea `a` into `b`, turning right before its arrow: longer titles end before that. */
static void connect(struct lines *l, const struct page_map_place *a,
                    const struct page_map_place *b) {
    int turn = b->at - 2;
    mark(l, a->row, turn, LEFT);
    run_along(l, a->row, a->at + a->cells + 1, turn);
    run_down(l, turn, a->row < b->row ? a->row : b->row, a->row < b->row ? b->row : a->row);
    run_along(l, b->row, turn, b->at - 1);
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

static bool rests_on(const struct page_map *m, size_t idea, size_t on) {
    for (size_t i = 0; i < m->idea[idea].rest_count; i++)
        if (m->idea[idea].rests[i] == on) return true;
    return false;
}

/* Those of the chosen idea, or those of all others. */
static void add_lines(const struct page_map *m, const struct page_map_place *place, bool chosen,
                      struct lines *l) {
    for (size_t to = 0; to < m->ideas; to++)
        for (size_t from = 0; from < to; from++)
            if ((to == m->chosen || from == m->chosen) == chosen && rests_on(m, to, from) &&
                m->idea[to].column == m->idea[from].column + 1)
                connect(l, &place[from], &place[to]);
}

static void draw_lines(struct page *p, int top, const struct lines *l, unsigned role) {
    for (int row = 0; row < l->rows; row++)
        for (int x = 0; x < l->width; x++) {
            unsigned ways = l->cell[row * l->width + x];
            if (corner(ways)) page_put(p, top + row, x, role, 0, corner(ways));
        }
}

/* The lines of all, dimly, and over them those of the chosen idea. */
static void draw_all_lines(struct page *p, int top, const struct page_map *m,
                           const struct page_map_place *place, struct lines *chosen) {
    struct lines others = {NULL, chosen->width, chosen->rows};
    others.cell = base_alloc((size_t)(others.width * others.rows));
    if (others.width >= ROOM_FOR_ALL) add_lines(m, place, false, &others);
    draw_lines(p, top, &others, PAGE_DIM);
    add_lines(m, place, true, chosen);
    draw_lines(p, top, chosen, PAGE_ACCENT);
    free(others.cell);
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
static bool is_entered(const struct lines *l, const struct page_map_place *at) {
    return at->at >= 1 && at->row < l->rows && l->cell[at->row * l->width + at->at - 1] & LEFT;
}

static void draw_idea(struct page *p, int top, const struct page_map *m, size_t i,
                      const struct page_map_place *at) {
    bool chosen = i == m->chosen,
         related = m->chosen < m->ideas && (rests_on(m, m->chosen, i) || rests_on(m, i, m->chosen));
    unsigned words = chosen                                ? PAGE_ACCENT
                     : related                             ? PAGE_STRONG
                     : m->idea[i].strength == PAGE_NOT_MET ? PAGE_DIM
                                                           : PAGE_PLAIN;
    page_strength_put(p, top + at->row, at->at, m->idea[i].strength);
    page_put(p, top + at->row, at->at + SIGN, words,
             chosen    ? PAGE_BOLD | PAGE_REVERSE
             : related ? PAGE_UNDERLINE
                       : 0,
             m->idea[i].title);
}

void page_map_draw(struct page *p, const struct page_map *m,
                   const struct page_map_place place[PAGE_MAP_IDEAS]) {
    int top = page_height(p) + HEADS, width = page_width(p), rows = 1;
    for (size_t i = 0; i < m->ideas; i++)
        if (place[i].row >= rows) rows = place[i].row + 1;
    struct lines l = {base_alloc((size_t)(width * rows)), width, rows};
    for (size_t c = 0; c < m->columns; c++)
        page_printf(p, top - HEADS, (int)c * (width / (int)m->columns) + 1, PAGE_TITLE, "%zu %s",
                    c + 1, m->column[c]);
    draw_all_lines(p, top, m, place, &l);
    for (size_t i = 0; i < m->ideas; i++) {
        draw_idea(p, top, m, i, &place[i]);
        if (is_entered(&l, &place[i]))
            page_put(p, top + place[i].row, place[i].at - 1, PAGE_ACCENT, 0, "▶");
    }
    free(l.cell);
}
