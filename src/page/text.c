/* A page as plain text. */
#include "page/cells.h"

#include <string.h>

/* The column after the last cell that is not blank. */
static int row_end(const struct page *p, int row) {
    int end = p->width;
    while (end > 0 && !strcmp(page_cell(p, row, end - 1)->text, " ")) end--;
    return end;
}

char *page_to_text(const struct page *p) {
    struct base_text out = {0};
    for (int row = 0; row < p->height; row++) {
        for (int column = 0, end = row_end(p, row); column < end; column++)
            base_text_puts(&out, page_cell(p, row, column)->text);
        base_text_puts(&out, "\n");
    }
    return base_text_take(&out);
}
