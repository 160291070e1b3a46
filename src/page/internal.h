/* Inside page: the grid of cells, and text on its way onto it. Other modules include page/page.h
 * only. */
#ifndef PAGE_INTERNAL_H
#define PAGE_INTERNAL_H

#include "page/page.h"

struct page {
    /* rows in use, rows allocated */
    int width, height, capacity;
    bool ascii, colours;
    /* words alone: no rules, no bars next to quotes */
    bool spoken;
    /* rows of a bar, 1 to PAGE_THICKEST */
    int thick;
    /* rows are for bars: no axes whose numbers are next to the bars, no notes, no rows between */
    bool tight;
    /* a table had to cut a word or a number */
    bool cuts;
    /* capacity × width */
    struct page_cell *cell;
};

/* The whole text in ASCII. Fills and blocks become the category's letter where `role` is a
 * category. The caller owns it. */
char *page_ascii_dup(const char *s, size_t n, unsigned role);
/* The fill of a category on this page: "▓", or "G". */
const char *page_fill(const struct page *p, enum account_category c);

/* Adds text with & < > " escaped, and without what XML does not allow. */
void page_xml_add(struct base_text *out, const char *s);

/* ── ink: styled text that is not yet on the page ──────────────────────────────────────────────*/
struct page_ink {
    bool ascii;
    /* for the ear: page_ink_say() is called before it is drawn, and no line ends within a word,
     * such as all-reduce */
    bool spoken;
    size_t n, capacity;
    /* n bytes, not terminated */
    char *s;
    /* a byte each */
    uint8_t *role, *attributes;
};
/* a line of wrapped ink: [from, to) */
struct page_line {
    size_t from, to;
};
void page_ink_add(struct page_ink *ink, unsigned role, unsigned attributes, const char *s,
                  size_t n);
/* Of ink that is spoken: puts signs and units into words, but for what one types, which is code
 * without a sign; nothing of it if `typed`. */
void page_ink_say(struct page_ink *ink, bool typed);
void page_ink_clear(struct page_ink *ink);
void page_ink_free(struct page_ink *ink);
int page_ink_width(const struct page_ink *ink, size_t from, size_t to);
/* Draws [from, to) at a place, never beyond `end`; returns the column after it. */
int page_ink_draw(struct page *p, int row, int column, int end, const struct page_ink *ink,
                  struct page_line line);
/* Lines of at most `width` cells, the first one at most `first`; broken by UAX 14, and inside a
 * word only where it alone is too long. The caller frees *out. */
size_t page_ink_wrap(const struct page_ink *ink, int first, int width, struct page_line **out);
/* Cells by which chopped ink that goes on at `from` is set in: where the text of its line begins,
 * after blanks and a sign; at most half. */
int page_ink_hang(const struct page_ink *ink, size_t from, int width);
/* Lines broken at newlines and, where longer than `width`, at spaces, inside a word only where it
 * alone is too long; what goes on hangs. */
size_t page_ink_chop(const struct page_ink *ink, int width, struct page_line **out);

/* ── curves of dots (dots.c) ───────────────────────────────────────────────────────────────────*/
struct page_dots {
    /* of cells */
    int rows, cells;
    /* dots in a cell */
    int across, down;
    /* bit i: curve i */
    uint8_t *dot;
};
/* Shares of the plot, from its left and from its foot: 0 to 1. */
struct page_dot {
    double x, y;
};
/* Freed by page_dots_free(). */
struct page_dots page_dots_new(const struct page *p, int rows, int cells);
void page_dots_free(struct page_dots *d);
/* A dot outside the plot, or nowhere, is none. */
void page_dots_set(struct page_dots *d, struct page_dot at, unsigned curve);
/* A straight line without gaps, up to the dot at its end. */
void page_dots_line(struct page_dots *d, struct page_dot from, struct page_dot to, unsigned curve);
/* Cells that only curve 1 goes through stand out from those of curve 0. */
void page_dots_print(struct page *p, const struct page_dots *d, int top, int left);

/* The flow's real width on this page: never beyond its right edge, 80 columns where it names none,
 * at least 1. */
struct page_flow page_flow_fit(const struct page *p, struct page_flow f);

/* Text that is in words already, wrapped. */
void page_text_said(struct page *p, struct page_flow f, const char *text);

/* A table of inks, rows × columns, drawn as page_table() says. */
void page_table_draw(struct page *p, struct page_flow f, const struct page_ink *cell, size_t rows,
                     size_t columns, const char *align, bool head);

/* Parses Markdown, whatever bytes it is made of, with the same extensions for pages and for HTML.
 * Passes `self` to md4c's callbacks in `calls`, whose flags are not read. markdown.c */
struct MD_PARSER;
void page_markdown_parse(const char *markdown, const struct MD_PARSER *calls, void *self);

#endif
