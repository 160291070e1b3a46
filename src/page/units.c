/* GB and GiB: the two units as bars to one scale, and what some sizes in GB are in GiB. */
#include "page/figure.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 7, GAP = 2, NUMBERS = 21, LEAST_CELLS = 6, MOST_CELLS = 40 };

static void draw_unit(struct page *p, struct page_flow f, enum account_unit u, const char *power,
                      int cells) {
    double bytes = account_unit_scale(u), scale = account_unit_scale(ACCOUNT_UNIT_GIB) / cells;
    char *number = page_tokens(bytes);
    int top = p->height, row = top + (p->thick - 1) / 2;
    page_printf(p, row, f.indent, PAGE_PLAIN, "1 %s", account_unit_name(u));
    for (int i = 0; i < p->thick; i++)
        page_bar(p, top + i, f.indent + NAMES, bytes / scale, PAGE_ACCENT);
    page_printf(p, row, f.indent + NAMES + cells + GAP, PAGE_PLAIN, "%s = %s B", power, number);
    free(number);
}

static const double sizes[] = {16e9, 24e9, 40e9, 80e9, 141e9};
enum { SIZES = BASE_COUNT(sizes) };

/* A column of the table of sizes, in unit u. */
static void print_sizes(char text[][24], size_t column, enum account_unit u) {
    for (size_t i = 0; i < SIZES; i++)
        account_print(text[2 * i + 2 + column], sizeof text[0], sizes[i], u,
                      u == ACCOUNT_UNIT_GB || sizes[i] < 100e9 ? 3 : 4);
}

static void draw_sizes(struct page *p, struct page_flow f) {
    enum { ROWS = SIZES + 1 };
    char text[2 * ROWS][24] = {"in GB", "in GiB"};
    const char *cell[2 * ROWS];
    print_sizes(text, 0, ACCOUNT_UNIT_GB);
    print_sizes(text, 1, ACCOUNT_UNIT_GIB);
    for (size_t i = 0; i < BASE_COUNT(cell); i++) cell[i] = text[i];
    page_table(p, f, cell, ROWS, 2, "rd", true);
}

bool page_figure_units(struct page *p, struct page_flow f, const json_t *spec,
                       struct base_message *m) {
    (void)spec;
    (void)m;
    int cells = f.width - NAMES - GAP - NUMBERS;
    cells = cells > MOST_CELLS ? MOST_CELLS : cells < LEAST_CELLS ? LEAST_CELLS : cells;
    draw_unit(p, f, ACCOUNT_UNIT_GB, "10⁹", cells);
    page_blank(p, p->thick > 1);
    draw_unit(p, f, ACCOUNT_UNIT_GIB, "2³⁰", cells);
    page_blank(p, 1);
    draw_sizes(p, f);
    return true;
}

static void say_unit(struct page *p, struct page_flow f, enum account_unit u, const char *power) {
    char *number = page_tokens(account_unit_scale(u));
    page_say(p, f, "1 %s is %s, which is %s B.", account_unit_name(u), power, number);
    free(number);
}

bool page_words_units(struct page *p, struct page_flow f, const json_t *spec,
                      struct base_message *m) {
    char text[2 * SIZES + 2][24];
    (void)spec;
    (void)m;
    say_unit(p, f, ACCOUNT_UNIT_GB, "10⁹");
    say_unit(p, f, ACCOUNT_UNIT_GIB, "2³⁰");
    print_sizes(text, 0, ACCOUNT_UNIT_GB);
    print_sizes(text, 1, ACCOUNT_UNIT_GIB);
    for (size_t i = 1; i <= SIZES; i++) page_say(p, f, "%s is %s.", text[2 * i], text[2 * i + 1]);
    return true;
}
