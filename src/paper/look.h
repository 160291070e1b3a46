/* Inside paper: a cell's role and attributes resolved to colours, for SVG and HTML. */
#ifndef PAPER_LOOK_H
#define PAPER_LOOK_H

#include "paper/page.h"

struct paper_look {
    uint32_t colour, background;
    bool filled; /* the background is not the page's own */
    unsigned attributes;
};
struct paper_look paper_look(enum paper_theme t, const struct paper_cell *c);
bool paper_look_same(struct paper_look a, struct paper_look b);
uint32_t paper_theme_colour(enum paper_theme t);
uint32_t paper_theme_background(enum paper_theme t);
/* Adds text with & < > " escaped, and without what XML does not allow. */
void paper_xml_add(struct base_text *out, const char *s);
/* The column after the last cell of a row that shows anything in this theme. */
int paper_row_end(const struct paper *p, int row, enum paper_theme t);

#define PAPER_FONTS "'DejaVu Sans Mono','JetBrains Mono',Menlo,Consolas,'Liberation Mono',monospace"

#endif
