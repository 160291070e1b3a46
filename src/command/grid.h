/* A table that grows cell by cell, and owns its texts. */
#ifndef COMMAND_GRID_H
#define COMMAND_GRID_H

#include "command/inside.h"

enum { GRID_COLUMNS = 20 };
struct grid { /* {0} is an empty one */
    char **cell;
    size_t n, columns;
    char align[GRID_COLUMNS + 1];
};
/* A column: its head, and its alignment as in page_table(). All heads come before the first cell. */
void command_grid_head(struct grid *g, const char *name, char align);
void command_grid_put(struct grid *g, const char *format, ...) BASE_PRINTF(2, 3);
/* A number of the unit that stands in the head. */
void command_grid_bytes(struct grid *g, double bytes, enum account_unit unit);
void command_grid_seconds(struct grid *g, double seconds);
/* Cells that the table would take from edge to edge. */
int command_grid_width(const struct grid *g, const struct page *p);
/* Draws it as wide as the page and leaves a row empty; frees it. */
void command_grid_draw(struct grid *g, struct page *p);
void command_grid_free(struct grid *g);

#endif
