/* grid: tables of the pages of mem, traffic, plan and whose. */
#include "command/grid.h"
#include "command/asked.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2 };

static void add(struct grid *g, char *text) {
    g->cell = base_grow(g->cell, g->n + 1, sizeof *g->cell);
    g->cell[g->n++] = text;
}

void command_grid_head(struct grid *g, const char *name, char align) {
    g->align[g->columns++] = align;
    add(g, base_dup(name));
}

void command_grid_put(struct grid *g, const char *format, ...) {
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    add(g, base_dup(text));
}

void command_grid_bytes(struct grid *g, double bytes, enum account_unit unit) {
    char text[ASKED_UNIT_MOST];
    add(g, base_dup(command_asked_number(text, bytes, unit)));
}

void command_grid_seconds(struct grid *g, double seconds) {
    char text[ASKED_UNIT_MOST];
    add(g, base_dup(command_asked_seconds(text, seconds)));
}

/* A number's parts: cells before its point, from the point on, and of what follows. */
static int point_of(const char *text) {
    return (int)strcspn(text, ". ");
}

static int column_width(const struct grid *g, size_t column, const struct page *p) {
    int widest = 0, before = 0, after = 0;
    for (size_t i = column; i < g->n; i += g->columns) {
        int width = page_measure(p, g->cell[i]), point = point_of(g->cell[i]);
        if (width > widest) widest = width;
        if (i < g->columns) continue;
        if (point > before) before = point;
        if (width - point > after) after = width - point;
    }
    bool decimal = g->align[column] == 'd';
    return decimal && before + after > widest ? before + after : widest;
}

int command_grid_width(const struct grid *g, const struct page *p) {
    int width = -GAP;
    for (size_t c = 0; c < g->columns; c++) width += column_width(g, c, p) + GAP;
    return width;
}

void command_grid_draw(struct grid *g, struct page *p) {
    struct page_flow f = {.indent = 1, .width = page_width(p) - 2};
    page_table(p, f, (const char *const *)g->cell, g->n / g->columns, g->columns, g->align, true);
    page_blank(p, 1);
    command_grid_free(g);
}

void command_grid_free(struct grid *g) {
    for (size_t i = 0; i < g->n; i++) free(g->cell[i]);
    free(g->cell);
    *g = (struct grid){0};
}
