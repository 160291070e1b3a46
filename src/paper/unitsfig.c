/* GB beside GiB: the two units as bars to one scale, and what the sizes on boxes are in the other. */
#include "paper/figure.h"

#include <stdlib.h>
#include <string.h>

static void draw_unit(struct paper *p, struct paper_flow f, enum account_unit u, const char *power,
                      int cells) {
    double bytes = account_unit_scale(u), scale = account_unit_scale(ACCOUNT_UNIT_GIB) / cells;
    int row = p->height;
    paper_printf(p, row, f.indent, PAPER_PLAIN, "1 %s", account_unit_name(u));
    paper_bar(p, row, f.indent + 7, bytes / scale, PAPER_CATEGORY + ACCOUNT_PARAMS);
    paper_printf(p, row, f.indent + 7 + cells + 2, PAPER_PLAIN, "%s = %.0f B", power, bytes);
}

static void draw_sizes(struct paper *p, struct paper_flow f) {
    static const double sizes[] = {16e9, 24e9, 40e9, 80e9, 141e9};
    enum { ROWS = BASE_COUNT(sizes) + 1 };
    char text[2 * ROWS][24] = {"on the box", "in GiB"};
    const char *cell[2 * ROWS];
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        account_print(text[2 * i + 2], sizeof text[0], sizes[i], ACCOUNT_UNIT_GB, 3);
        account_print(text[2 * i + 3], sizeof text[0], sizes[i], ACCOUNT_UNIT_GIB, 3);
    }
    for (size_t i = 0; i < BASE_COUNT(cell); i++) cell[i] = text[i];
    paper_table(p, f, cell, ROWS, 2, "rd", true);
}

bool paper_figure_units(struct paper *p, struct paper_flow f, const json_t *spec,
                        struct base_message *m) {
    (void)spec;
    (void)m;
    int cells = f.width - 7 - 2 - 22;
    cells = cells > 32 ? 32 : cells < 6 ? 6 : cells;
    draw_unit(p, f, ACCOUNT_UNIT_GB, "10⁹", cells);
    draw_unit(p, f, ACCOUNT_UNIT_GIB, "2³⁰", cells);
    paper_blank(p, 1);
    draw_sizes(p, f);
    return true;
}
