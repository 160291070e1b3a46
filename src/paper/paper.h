/* paper: what a page is. Cells in rows, wrapping, Markdown, tables, bars, figures; printed as text, ANSI, SVG or
 * HTML. No curses, no colours: a cell has a role, and the skin decides what a role looks like. It knows account (and base).
 *
 * Ownership: paper_new() is freed by paper_free(); strings are copied in. A page is `width` cells wide and grows downwards. */
#ifndef PAPER_H
#define PAPER_H

#include "account/account.h"
#include "base/base.h"

enum paper_role {
    PAPER_PLAIN,
    PAPER_DIM, /* said quietly: rules, units, axis */
    PAPER_STRONG,
    PAPER_TITLE,
    PAPER_ACCENT, /* the one accent: what is selected, where to press */
    PAPER_KEY,    /* a key in the key line */
    PAPER_GOOD,
    PAPER_BAD,
    PAPER_WARN,
    PAPER_CODE,
    PAPER_TERM,  /* a glossary term */
    PAPER_INPUT, /* an answer field */
    PAPER_LIMIT, /* the red line of a card's memory */
    PAPER_CATEGORY, /* + enum account_category: a fill in the category's colour, on a ground of the same hue */
    PAPER_INK =
        PAPER_CATEGORY +
        ACCOUNT_CATEGORIES, /* + the same: the colour alone, for names and the ends of bars */
    PAPER_ROLES = PAPER_INK + ACCOUNT_CATEGORIES
};
enum paper_attribute { PAPER_BOLD = 1, PAPER_UNDERLINE = 2, PAPER_REVERSE = 4, PAPER_ITALIC = 8 };
/* What roles look like: one table for curses, ANSI, SVG and HTML. Colour -1 is the terminal's own. */
struct paper_style {
    int16_t colour, background; /* 256-colour index */
    int8_t basic;               /* of 8 colours, for terminals with no more; -1 own */
    uint8_t attributes;         /* enum paper_attribute, in colour */
    uint8_t bare;               /* attributes where there is no colour at all */
};
enum paper_theme { PAPER_DARK, PAPER_LIGHT, PAPER_CONTRAST, PAPER_THEMES };
const char *paper_theme_name(enum paper_theme t);
const struct paper_style *paper_style(enum paper_theme t, unsigned role);
/* 24-bit colour of a 256-colour index, for SVG and HTML. */
uint32_t paper_rgb(int colour);

struct paper_cell {
    char text[16]; /* one grapheme, UTF-8; "" for the right half of a wide one; " " if empty */
    uint8_t role, attributes;
};
struct paper;
struct paper *paper_new(int width, bool ascii);
void paper_free(struct paper *p);
int paper_width(const struct paper *p);
int paper_height(const struct paper *p);
bool paper_ascii(const struct paper *p);
/* The cell there, or an empty one outside. */
const struct paper_cell *paper_cell(const struct paper *p, int row, int column);

/* Writes at a place (the page grows; what does not fit to the right is cut) and returns the column after it. In ASCII pages
 * characters are replaced by their nearest ASCII (— becomes -, × becomes x, ÷ becomes /, box and block characters as in SCREENS.md). */
int paper_put(struct paper *p, int row, int column, unsigned role, unsigned attributes,
              const char *text);
/* The cells that a text would take on this page: its ASCII may be longer than it is. */
int paper_measure(const struct paper *p, const char *text);
/* The bytes of the grapheme at `s` (at least 1 while s < end). */
size_t paper_grapheme(const char *s, const char *end);
/* Cells a grapheme takes: 0, 1 or 2. A cluster never takes more than two, however many code points it has. */
int paper_grapheme_width(const char *s, size_t n);
int paper_printf(struct paper *p, int row, int column, unsigned role, const char *format, ...)
    BASE_PRINTF(5, 6);
void paper_blank(struct paper *p, int rows); /* leaves rows empty at the bottom */
void paper_rule(struct paper *p, int row, int column, int width);
/* Copies `from` onto `p` with its top left corner at a place. */
void paper_paste(struct paper *p, const struct paper *from, int row, int column);

/* ── things that flow: each is added below what is there, within [indent, indent + width) ─────────*/
struct paper_flow {
    int indent, width; /* width 0: to the page's right edge, 80 columns at most */
    unsigned role;     /* of plain text */
};
/* Markdown: paragraphs (wrapped by UAX 14), emphasis, code, headings, lists, quotes, code blocks, rules, tables, links (shown as their text). */
void paper_markdown(struct paper *p, struct paper_flow f, const char *markdown);
/* Plain text, wrapped. */
void paper_text(struct paper *p, struct paper_flow f, const char *text);
/* A table: cells are plain text, `align` a letter a column (l r c; d aligns on the decimal point). The first row is the head if `head`. */
void paper_table(struct paper *p, struct paper_flow f, const char *const *cell, size_t rows,
                 size_t columns, const char *align, bool head);

/* ── figures, from engine data ───────────────────────────────────────────────────────────────────
 * A spec is JSON (lessons/README.md lists the kinds):
 *   {"kind":"stack","bars":[{"label":"stage 0","training":{…}}…],"limit":"a100-80g"|"80 GB"|bytes|null,"unit":"GB","legend":true}
 *       stacked memory bars to one scale with an axis, the card drawn as a line, totals aligned on their unit
 *   {"kind":"ledger","training":{…},"unit":"GB","limit":…}    a category a line: bytes per parameter, bytes, bar; total; what fits,
 *       with "peak": bytes at the peak
 *   {"kind":"table","head":[…],"rows":[[…]…],"align":"lrr"}   cells are text
 *   {"kind":"units"}                                         GB beside GiB
 *   {"kind":"collective","play":"ring-all-reduce","ranks":4,"step":2,"note":Markdown}   a step of a collective, with its numbers
 *   {"kind":"owners","training":{…},"stages":[0,1,2,3]}       who keeps what: a grid a stage, a column a rank, slices where they lie
 *   {"kind":"flat","elements":10,"ranks":4,"names":[["w",6],["b",4]],"rank":1}   a flat buffer cut into shards, its padding
 *   {"kind":"timeline","part":"forward","training":{…},"compare":[{…}]}   compute and communication over time, to scale
 *   {"kind":"tower","bars":[{"label":"full","training":{…}}…],"layer":true,"limit":…}   activations by what they are
 * Without a unit the one that reads best is taken. A card's limit is its usable bytes, account_card_bytes().
 * Returns false with the message filled if the spec is wrong (nothing is drawn then). */
bool paper_figure(struct paper *p, struct paper_flow f, const json_t *spec, struct base_message *m);
size_t paper_figure_kinds(const char *const **names);
/* A training as a figure's spec has it: the fields that say something. The caller owns it. */
json_t *paper_training_json(const struct account_training *t);
/* A horizontal bar of one role, `cells` long in eighths ("▊" at its end in Unicode). */
void paper_bar(struct paper *p, int row, int column, double cells, unsigned role);
/* A row of progress blocks: "███░░░░░". */
int paper_progress(struct paper *p, int row, int column, int width, double share);

/* ── printing ────────────────────────────────────────────────────────────────────────────────────
 * The caller owns what is returned. Text has no trailing blanks; every row ends in a newline. */
char *paper_to_text(const struct paper *p);
/* `colours`: 256, 8 or 0 (attributes only). */
char *paper_to_ansi(const struct paper *p, enum paper_theme t, int colours);
char *paper_to_svg(const struct paper *p, enum paper_theme t, const char *title);
char *paper_to_html(const struct paper *p, enum paper_theme t); /* a <pre> with spans */
/* Markdown as HTML elements without styles, for documents that a browser lays out; `inline_only`: without the marks of its paragraphs. */
char *paper_markdown_to_html(const char *markdown, bool inline_only);
/* Text with & < > and " escaped. */
char *paper_escape(const char *s);

#endif
