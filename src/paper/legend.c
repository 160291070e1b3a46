/* What the fills of a figure mean. */
#include "paper/figure.h"

enum { GAP = 2 };

void paper_legend(struct paper *p, struct paper_flow f, int left,
                  const bool present[ACCOUNT_CATEGORIES]) {
    int width = -GAP, end = f.indent + f.width;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (present[c]) width += 2 + paper_measure(p, account_category_name(c)) + GAP;
    int from = left + width <= end ? left : f.indent, row = p->height + 1, column = from;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (!present[c]) continue;
        const char *name = account_category_name(c);
        if (column > from && column + 2 + paper_measure(p, name) > end) {
            column = from;
            row++;
        }
        paper_put(p, row, column, PAPER_CATEGORY + c, 0, paper_fill(p, c));
        column = paper_put(p, row, column + 2, PAPER_PLAIN, 0, name) + GAP;
    }
}
