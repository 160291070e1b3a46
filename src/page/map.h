/* page/map.h: the map: ideas in columns, and lines between those that rest on each other. */
#ifndef PAGE_MAP_H
#define PAGE_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct page;

enum { PAGE_MAP_IDEAS = 64, PAGE_MAP_COLUMNS = 8, PAGE_MAP_RESTS = 6 };
/* How well something is known: the same signs wherever it is shown. */
enum page_strength {
    PAGE_NOT_MET,
    PAGE_BEGUN,
    PAGE_SKIPPED,
    PAGE_WEAK,
    PAGE_FADING,
    PAGE_SOLID,
    PAGE_STRENGTHS
};
/* ○ ◐ – ◔ ◕ ●, in ASCII . ~ s - + #. */
const char *page_strength_sign(enum page_strength s, bool ascii);
/* Puts that sign on the page, in its colour. Returns the column after it. */
int page_strength_put(struct page *p, int row, int column, enum page_strength s);
/* How well something is known that is right so likely: solid from nine tenths on, weak below
 * seven. */
enum page_strength page_strength_of(double likely);
/* "not met", "begun" … */
const char *page_strength_words(enum page_strength s);

struct page_map {
    size_t columns, ideas;
    const char *column[PAGE_MAP_COLUMNS];
    struct page_map_idea {
        const char *title;
        /* from 0 */
        size_t column;
        enum page_strength strength;
        /* ideas that it rests on, which come before it */
        size_t rests[PAGE_MAP_RESTS], rest_count;
    } idea[PAGE_MAP_IDEAS];
    /* Whose lines are drawn; `ideas`: no one's. What the ideas that it rests on rest on themselves
     * is dim, and drawn where it can be told apart. */
    size_t chosen;
    /* it is drawn in ASCII, which takes more cells for some characters */
    bool ascii;
};
/* Where an idea is: its row under the heads, its column of cells, and how many cells it takes. */
struct page_map_place {
    int row, at, cells;
};
/* Lays all ideas out in so many cells and rows; columns that are shorter are spread over the
 * rows. Returns how many rows it takes: never fewer than the longest column has ideas. */
int page_map_lay(const struct page_map *m, int width, int rows,
                 struct page_map_place place[PAGE_MAP_IDEAS]);
/* Draws it below what is on the page, as it was laid out: a row of heads, a blank one, the ideas.
 */
void page_map_draw(struct page *p, const struct page_map *m,
                   const struct page_map_place place[PAGE_MAP_IDEAS]);

#endif
