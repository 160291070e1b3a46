/* What the fills of a figure mean. */
#include "page/figure.h"

enum { GAP = 2 };

void page_legend(struct page *p, struct page_flow f, int left,
                 const bool present[ACCOUNT_CATEGORIES]) {
    int width = -GAP, end = f.indent + f.width;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (present[c]) width += 2 + page_measure(p, account_category_name(c)) + GAP;
    int from = left + width <= end ? left : f.indent, row = p->height + 1, column = from;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (!present[c]) continue;
        const char *name = account_category_name(c);
        if (column > from && column + 2 + page_measure(p, name) > end) {
            column = from;
            row++;
        }
        page_put(p, row, column, PAGE_CATEGORY + c, 0, page_fill(p, c));
        column = page_put(p, row, column + 2, PAGE_PLAIN, 0, name) + GAP;
    }
}
