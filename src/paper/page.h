/* Inside paper: the page itself and text on its way onto it. Other rooms include paper/paper.h only. */
#ifndef PAPER_PAGE_H
#define PAPER_PAGE_H

#include "paper/paper.h"

struct paper {
    int width, height, room; /* rows in use, rows allocated */
    bool ascii;
    struct paper_cell *cell; /* room × width */
};

/* What stands for a code point on an ASCII page; NULL if nothing does. */
const char *paper_ascii_find(uint32_t code);
/* The whole text in ASCII. Fills and blocks become the category's letter where `role` is a category. The caller owns it. */
char *paper_ascii_dup(const char *s, size_t n, unsigned role);
/* The fill of a category on this page: "▓", or "G". */
const char *paper_fill(const struct paper *p, enum account_category c);

/* ── ink: styled text that is not yet on the page ────────────────────────────────────────────────*/
struct paper_ink {
    bool ascii;
    size_t n, room;
    char *s;                    /* n bytes, not terminated */
    uint8_t *role, *attributes; /* a byte each */
};
struct paper_line { /* a line of wrapped ink: [from, to) */
    size_t from, to;
};
void paper_ink_add(struct paper_ink *ink, unsigned role, unsigned attributes, const char *s,
                   size_t n);
void paper_ink_clear(struct paper_ink *ink);
void paper_ink_free(struct paper_ink *ink);
int paper_ink_width(const struct paper_ink *ink, size_t from, size_t to);
/* Draws [from, to) at a place, never beyond `end`; returns the column after it. */
int paper_ink_draw(struct paper *p, int row, int column, int end, const struct paper_ink *ink,
                   struct paper_line line);
/* Lines of at most `width` cells, the first one at most `first`; broken by UAX 14, and inside a word only where it alone is too long.
 * The caller frees *out. */
size_t paper_ink_wrap(const struct paper_ink *ink, int first, int width, struct paper_line **out);
/* Cells by which chopped ink that goes on at `from` is set in: where the text of its line begins, after blanks and a sign; at most half. */
int paper_ink_hang(const struct paper_ink *ink, size_t from, int width);
/* Lines broken at newlines and, where longer than `width`, at spaces, inside a word only where it alone is too long; what goes on hangs. */
size_t paper_ink_chop(const struct paper_ink *ink, int width, struct paper_line **out);

/* The flow's real width on this page: never beyond its right edge, 80 columns where it names none, at least 1. */
struct paper_flow paper_flow_fit(const struct paper *p, struct paper_flow f);

/* A table of inks, rows × columns, drawn as paper_table() says. */
void paper_table_draw(struct paper *p, struct paper_flow f, const struct paper_ink *cell,
                      size_t rows, size_t columns, const char *align, bool head);

#endif
