/* Inside paper: a cell's role and attributes resolved to colours, for SVG and HTML. */
#ifndef PAGE_LOOK_H
#define PAGE_LOOK_H

#include "page/cells.h"

struct page_look {
    uint32_t colour, background;
    bool filled; /* the background is not the page's own */
    unsigned attributes;
};
struct page_look page_look(enum page_theme t, const struct page_cell *c);
bool page_look_same(struct page_look a, struct page_look b);
uint32_t page_theme_colour(enum page_theme t);
uint32_t page_theme_background(enum page_theme t);
/* Adds text with & < > " escaped, and without what XML does not allow. */
void page_xml_add(struct base_text *out, const char *s);
/* The column after the last cell of a row that shows anything in this theme. */
int page_row_end(const struct page *p, int row, enum page_theme t);

#define PAGE_FONTS "'DejaVu Sans Mono','JetBrains Mono',Menlo,Consolas,'Liberation Mono',monospace"

#endif
