/* Inside paper: bars made of several categories. */
#ifndef PAGE_BAR_H
#define PAGE_BAR_H

#include "page/cells.h"

/* A bar of categories at `scale` bytes a cell: whole cells in each category's fill, what is too small for a cell gathered in an
 * eighth block at the end. Returns the column after it. */
int page_bar_stack(struct page *p, int row, int column, const uint64_t bytes[ACCOUNT_CATEGORIES],
                   double scale);

#endif
