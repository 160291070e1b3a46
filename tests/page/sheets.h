/* What the tests of page share: pages kept as text in tests/page/golden. `GENERATE=1 make
 * test-page` writes them anew: read the difference before it is committed. */
#ifndef SHEETS_H
#define SHEETS_H

#include "page/page.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Fails unless the page is what golden/NAME.txt says. */
void sheet_is(const struct page *p, const char *name);
/* Fails unless the page is this text. */
void sheet_reads(const struct page *p, const char *text);
/* A page as wide as a terminal, with a figure one column from its edges; fails if the spec is
 * wrong, or if the figure in words says something else (said.h). */
struct page *sheet_figure(int width, bool ascii, const char *spec);
/* The same with a panel of the lab, of the runs that runs.c says how to tell. */
struct page *sheet_run(int width, bool ascii, const char *spec);
/* Draws one on a page. */
void sheet_lab(struct page *p, struct page_flow f, const char *spec);
/* The same for Markdown. */
struct page *sheet_markdown(int width, bool ascii, const char *markdown);
/* The figure whose spec is tests/page/FOLDER/NAME.json. */
struct page *sheet_drawn(const char *folder, const char *name, int width, bool ascii);
/* Fails unless it is golden at 40, 80 and 120 columns, in ASCII too. */
void sheet_pages(const char *folder, const char *name);
/* Fails if it reaches the margin of any page from 40 columns on, or is lost on a narrower one. */
void sheet_fits(const char *folder, const char *name);
/* Fails unless each spec of tests/page/FOLDER/wrong.json is refused with a message that says what
 * the row says, and nothing is drawn. */
void sheet_refuses(const char *folder);
/* The cells of a row as text. The caller owns it. */
char *sheet_row(const struct page *p, int row);
/* How many cells of a row are in a category's fill. */
int sheet_cells(const struct page *p, int row, enum account_category c);

#endif
