/* page: pages of text and figures. Cells in rows, wrapping, Markdown, tables, bars, figures;
 * printed as text, ANSI, SVG or HTML. No curses, no colours: a cell has a role, and the front end
 * decides what a role looks like. It knows account (and base), of voice how signs are said, and of
 * experiment the structs that runs are drawn from.
 *
 * Ownership: page_new() is freed by page_free(); strings are copied in. A page is `width` cells
 * wide and grows downwards. */
#ifndef PAGE_H
#define PAGE_H

#include "account/account.h"
#include "base/base.h"
#include "experiment/experiment.h"

enum page_role {
    PAGE_PLAIN,
    /* said quietly: rules, units, axis */
    PAGE_DIM,
    PAGE_STRONG,
    PAGE_TITLE,
    /* the one accent: what is selected, where to press */
    PAGE_ACCENT,
    /* a key in the key line */
    PAGE_KEY,
    PAGE_GOOD,
    PAGE_BAD,
    PAGE_WARN,
    PAGE_CODE,
    /* a glossary term */
    PAGE_TERM,
    /* an answer field */
    PAGE_INPUT,
    /* the red line of a card's memory */
    PAGE_LIMIT,
    /* + enum account_category: a fill in the category's colour, on a ground of the same hue */
    PAGE_CATEGORY,
    /* + the same: the colour alone */
    PAGE_INK = PAGE_CATEGORY + ACCOUNT_CATEGORIES,
    /* + the same: of words and digits, dark enough to be read on a light page */
    PAGE_NAME = PAGE_INK + ACCOUNT_CATEGORIES,
    /* + left category × ACCOUNT_CATEGORIES + right category: both in one cell, the left one's tone
     * on the right one's. A tone is how a cell of the fill looks from afar. If both are the same,
     * it is the end of that category's bar, on the page's own ground: PAGE_END */
    PAGE_EDGE = PAGE_NAME + ACCOUNT_CATEGORIES,
    PAGE_ROLES = PAGE_EDGE + ACCOUNT_CATEGORIES * ACCOUNT_CATEGORIES
};
#define PAGE_END(category) (PAGE_EDGE + (unsigned)(category) * (ACCOUNT_CATEGORIES + 1))
enum page_attribute {
    PAGE_BOLD = 1,
    PAGE_UNDERLINE = 2,
    PAGE_REVERSE = 4,
    PAGE_ITALIC = 8,
    /* of a style: in fewer than 256 colours its cells are filled with its colour and the sign in
     * them is left free */
    PAGE_GROUND = 16
};
/* What roles look like: one table for curses, ANSI, SVG and HTML. Colour -1 is the terminal's
 * own. */
struct page_style {
    /* 256-colour index */
    int16_t colour, background;
    /* of 8 colours, for terminals with no more; -1 own */
    int8_t basic;
    /* enum page_attribute, in colour */
    uint8_t attributes;
    /* attributes where there is no colour at all */
    uint8_t bare;
};
enum page_theme { PAGE_DARK, PAGE_LIGHT, PAGE_CONTRAST, PAGE_THEMES };
const char *page_theme_name(enum page_theme t);
/* The theme of that name, which a learner chose. NULL or none of them: the one for the background
 * that the terminal says it has (COLORFGBG), or else dark. */
enum page_theme page_theme_named(const char *name);
struct page_style page_style(enum page_theme t, unsigned role);
/* The attributes (enum page_attribute) of a cell that has its own, where there are so many colours.
 * Eight colours cannot shade a field: there it looks as it does without any. What is turned round
 * twice is as it was. */
unsigned page_style_attributes(struct page_style s, unsigned own, int colours);
/* 24-bit colour of a 256-colour index, for SVG and HTML. */
uint32_t page_rgb(int colour);

struct page_cell {
    /* one grapheme, UTF-8; "" for the right half of a wide one; " " if empty */
    char text[16];
    uint8_t role, attributes;
};
struct page;
struct page *page_new(int width, bool ascii);
void page_free(struct page *p);
int page_width(const struct page *p);
int page_height(const struct page *p);
bool page_ascii(const struct page *p);
/* Says in how many colours the page will be shown, before anything is drawn; a new page has none.
 * In 256 colours and beyond ASCII bars of categories end within cells. page_has_colours() says
 * whether they do. */
void page_set_colours(struct page *p, int colours);
bool page_has_colours(const struct page *p);
/* Says that the page will be read aloud, before anything is drawn: tables, bars and curves are said
 * in sentences then, signs and units in words (voice_words()), and quotes have no bars, since a
 * screen reader names each of their characters. What page_put() writes stays as it is. */
void page_set_spoken(struct page *p, bool spoken);
bool page_spoken(const struct page *p);
/* Says how many rows the bars of figures that stand alone are to take, before anything is drawn: 1,
 * as on a new page, or up to PAGE_THICKEST where there is room below. */
enum { PAGE_THICKEST = 5 };
void page_set_thick(struct page *p, int rows);
/* Says that rows are scarce, before anything is drawn: figures then leave out what is said by the
 * numbers next to their bars, such as axes, and notes. */
void page_set_tight(struct page *p, bool tight);
/* Whether a table on it is so narrow that it cuts words or numbers. */
bool page_cuts(const struct page *p);
/* The cell there, or an empty one outside. */
const struct page_cell *page_cell(const struct page *p, int row, int column);
/* The page_width() cells of a row that the page has: 0 <= row < page_height(). */
const struct page_cell *page_row(const struct page *p, int row);
/* The column after a text that starts in this cell; -1 if another text does. */
int page_says(const struct page *p, int row, int column, const char *text);

/* Writes at a place (the page grows; what does not fit to the right is cut) and returns the column
 * after it. In ASCII pages characters are replaced by their nearest ASCII (— becomes -, × becomes
 * x, ÷ becomes /, box and block characters as in SCREENS.md). */
int page_put(struct page *p, int row, int column, unsigned role, unsigned attributes,
             const char *text);
/* The cells that a text would take on this page. Its ASCII replacement may be longer than the
 * text. */
int page_measure(const struct page *p, const char *text);
/* `text` cut to `cells`, with … (... in ASCII) at its end if it had to be cut; the caller's. In
 * ASCII it is cut as it will be written. */
char *page_cut(const char *text, int cells, bool ascii);
/* The bytes of the grapheme at `s` (at least 1 while s < end). */
size_t page_grapheme(const char *s, const char *end);
/* Cells a grapheme takes: 0, 1 or 2. A cluster never takes more than two, however many code points
 * it has. */
int page_grapheme_width(const char *s, size_t n);
int page_printf(struct page *p, int row, int column, unsigned role, const char *format, ...)
    BASE_PRINTF(5, 6);
void page_blank(struct page *p, int rows); /* leaves rows empty at the bottom */
void page_rule(struct page *p, int row, int column, int width);
/* Copies `from` onto `p` with its top left corner at a place. */
void page_paste(struct page *p, const struct page *from, int row, int column);
/* Copies rows [first, first + rows) of `from` onto `p` at a place. Where a cell of them is empty,
 * the cell below stays. */
void page_overlay(struct page *p, const struct page *from, int first, int rows, int row,
                  int column);
/* Appends `rows` rows of `from`, from its row `first` on, at the bottom of `p`. */
void page_append(struct page *p, const struct page *from, int first, int rows);

/* ── things that flow: each is added below what is there, within [indent, indent + width) ──────*/
struct page_flow {
    /* width 0: to the page's right edge, 80 columns at most */
    int indent, width;
    /* of plain text */
    unsigned role;
    /* that a figure may take, if it can choose; 0: as many as read best */
    int rows;
};
/* Markdown: paragraphs (wrapped by UAX 14), emphasis, code, headings, lists, quotes, code blocks,
 * rules, tables, links (shown as their text). */
void page_markdown(struct page *p, struct page_flow f, const char *markdown);
/* Plain text, wrapped. */
void page_text(struct page *p, struct page_flow f, const char *text);
/* A table: cells are plain text, `align` a letter a column (l r c; d aligns on the decimal point).
 * The first row is the head if `head`. */
void page_table(struct page *p, struct page_flow f, const char *const *cell, size_t rows,
                size_t columns, const char *align, bool head);

/* ── figures, from engine data ───────────────────────────────────────────────────────────────────
 * A spec is JSON (lessons/README.md lists the kinds):
 *   {"kind":"stack","bars":[{"label":"stage 0","training":{…}}…],
 *    "limit":"a100-80g"|"80 GB"|bytes|null,"unit":"GB","legend":true}
 *       stacked memory bars to one scale with an axis, the card drawn as a line
 *   {"kind":"ledger","training":{…},"unit":"GB","limit":…}
 *       a category a line: bytes per parameter, bytes, bar; total; what fits;
 *       with "peak": bytes at the peak
 *   {"kind":"piles","columns":[{"label":"yours","training":{…}}…],"params":7e9,
 *    "notes":{"params":"…"},"limit":…,"yours":42e9}
 *       one to three ledgers next to each other, and as bars; "bytes":{"params":14e9} may stand for
 *       a training; "yours" is a number without parts, which has a bar above the last one
 *   {"kind":"table","head":[…],"rows":[[…]…],"align":"lrr"}   cells are text
 *   {"kind":"units"}                                         GB next to GiB
 *   {"kind":"play","play":"ring-all-reduce","ranks":4,"frame":2,"bytes":14e9,"note":Markdown}
 *       a frame of a play (account/play/play.h), with the play's own options by their names
 *   {"kind":"owners","training":{…},"stages":[0,1,2,3]}
 *       who keeps what: a grid for each stage, a column for each rank
 *   {"kind":"flat","elements":10,"ranks":4,"names":[["w",6],["b",4]],"rank":1}
 *       a flat buffer cut into shards, its padding
 *   {"kind":"timeline","part":"forward","training":{…},"compare":[{…}]}
 *       compute and communication over time, to scale
 *   {"kind":"curve","training":{…},"limit":…,"rows":12}
 *       memory over the moments of a step, stacked by category, its peak named
 *   {"kind":"tower","bars":[{"label":"full","training":{…}}…],"layer":true,"limit":…}
 *       activations by what they are
 * Without a unit the one that reads best is taken. A card's limit is its usable bytes,
 * account_card_bytes(). Returns false with the message filled if the spec is wrong (nothing is
 * drawn then). */
bool page_figure(struct page *p, struct page_flow f, const json_t *spec, struct base_message *m);
/* The same figure in sentences, for people who use a screen reader. */
bool page_figure_words(struct page *p, struct page_flow f, const json_t *spec,
                       struct base_message *m);
/* Of its sentences those that `was` did not say, the figure before a slider moved; or that nothing
 * changed. */
bool page_figure_moved(struct page *p, struct page_flow f, const json_t *spec, const json_t *was,
                       struct base_message *m);
/* The figure and below it its sentences, for lines that may be seen or heard: page_tell(). A table
 * or a listing is text already, and is only drawn. */
bool page_figure_told(struct page *p, struct page_flow f, const json_t *spec,
                      struct base_message *m);
/* An empty page for the sentences about what is drawn on `p`: as wide as the longest of them, so
 * that each has a row. page_tell() adds them below what is on `p`, but for those with which a row
 * of it begins, wherever lines end there. */
struct page *page_sentences(const struct page *p);
void page_tell(struct page *p, struct page_flow f, const struct page *sentences);
/* By how many cells the longest line of a listing's code is too long for a figure `width` cells
 * wide, so that it would wrap. 0: every line has room, or the figure is another one. */
int page_listing_over(const json_t *spec, int width);
/* All that a play says, from its first frame to its last and with the lesson's lead, in whichever
 * frame it is; the notes of a listing; the caller's. NULL for a figure that says nothing. */
char *page_figure_script(const json_t *spec);
/* Whether its rows are bars, or cells that are as thick: they are to be seen from afar. */
bool page_figure_has_bars(const json_t *spec);
/* Whether the last move of a slider changed what is sharded, so that it is seen to fly apart in a
 * few drawings of the spec with "apart" set from 1 to 99. */
bool page_figure_flies(const json_t *spec);
/* Draws the trainings of a figure's or a problem's spec as a small table: the bytes that a GPU
 * keeps of each, by category. False, and nothing is drawn, if there are none, if they cannot be
 * computed, or if the figure is such a table itself. */
bool page_cases(struct page *p, struct page_flow f, const json_t *spec);
/* The limit at which bars draw a line: a card's memory, or bytes. */
struct page_limit {
    bool given;
    double bytes;
    /* NULL if bytes were given */
    const struct account_card *card;
};
/* Stacked bars of ledgers, as the figure "stack" has them. Texts are the caller's. */
enum { PAGE_BARS = 24 };
struct page_bars {
    size_t count;
    struct page_bars_one {
        /* "" for none */
        const char *label;
        struct account_ledger ledger;
        /* after the total: "yes"; NULL for none. In sentences at the end, unless it is over the
         * limit */
        const char *note;
        /* of the note */
        unsigned role;
        /* not told yet: a "?" for the bar and its total */
        bool unknown;
        /* of the ledger only the total is known */
        bool whole;
    } bar[PAGE_BARS];
    enum account_unit unit;
    struct page_limit limit;
    bool legend;
    /* what the limit's line is has been said */
    bool terse;
    /* of the axis, in bytes: longer bars are cut; 0: it reaches the longest */
    double reach;
};
void page_bars(struct page *p, struct page_flow f, const struct page_bars *b);
/* The memory of one GPU over a step, as the figure "curve" has it: moments as account_timeline()
 * has them, or as they were measured. The arrays are the caller's. */
struct page_curve {
    size_t count;
    const struct account_timepoint *moment;
    /* The total of each moment as it was predicted, drawn as a line; 0: not known. NULL: none. */
    const uint64_t *predicted;
    enum account_unit unit;
    struct page_limit limit;
    /* bytes to which the axis goes at least */
    double reach;
    /* of the axis; 0: as the width suggests */
    int rows;
    bool legend;
};
void page_curve(struct page *p, struct page_flow f, const struct page_curve *curve);
/* The same in sentences: how memory rises, where it is highest, and how much stays. And the peak's
 * name: "3.86 MB within backward block 3". The caller owns both. */
char *page_curve_say(const struct page_curve *c);
char *page_curve_name(const struct page_curve *c);
/* Whether the peak fits in the limit; "" without one. The caller's. */
char *page_curve_verdict(const struct page_curve *c);
/* The parts of the peak by category, the largest first; "" without moments. The caller's. */
char *page_curve_parts(const struct page_curve *c);
/* A training as a figure's spec has it: only the fields that are not at their defaults. The caller
 * owns it. */
json_t *page_training_json(const struct account_training *t);
/* ── runs of the lab ─────────────────────────────────────────────────────────────────────────────
 * A panel of one run, or of two next to each other, which share its axes. */
enum { PAGE_LAB_RUNS = 2 };
struct page_lab {
    /* the second may be NULL */
    const struct experiment_state *run[PAGE_LAB_RUNS];
    /* the axes of memory and of the timeline go at least so far */
    struct experiment_reach reach;
    /* of memory, loss and log, at most; 0: as many as read best */
    int rows;
    /* of the timeline, at most; 0: as many as read best */
    uint32_t ranks;
    /* of memory: without them */
    bool no_table, no_legend;
    /* of collectives: without the sentence that says what the table's columns are */
    bool no_meanings;
    /* the timeline in words; without the sentence that ranks share cores */
    bool as_table, no_cores;
};
void page_lab(struct page *p, struct page_flow f, enum experiment_panel panel,
              const struct page_lab *l);
/* The rows that the panel is likely to need on such a page while its runs last and at their end. If
 * it has so many from the beginning, no panel below it moves. */
int page_lab_room(const struct page *p, struct page_flow f, enum experiment_panel panel,
                  const struct page_lab *l);
/* The last picture of a lab: its runs next to each other (if it has one run, that run's ranks),
 * each with the bytes kept between steps, the further bytes at the peak, the bytes sent, and the
 * result. */
enum { PAGE_LAB_ENDS = 8 };
struct page_lab_end {
    /* at most PAGE_LAB_ENDS */
    size_t runs;
    const struct experiment_state *run[PAGE_LAB_ENDS];
    const struct experiment_compared *compared;
    /* what the learner said; NULL: nothing */
    const char *guess;
    /* what it is; the same pointer if the guess is right */
    const char *right;
    /* the amount that the learner estimated, in words: "✗ wrong: 900 KB. It is
     * 882.2 KB"; NULL: none */
    const char *estimate;
    /* that it may take: bars grow with it; 0: as few as read well */
    int rows;
    /* the lesson that the learner is in; NULL: in none */
    const char *here;
};
void page_lab_end(struct page *p, struct page_flow f, const struct page_lab_end *e);
/* The same in sentences. */
void page_lab_end_words(struct page *p, struct page_flow f, const struct page_lab_end *e);
/* A run in sentences, without its sums and differences: the parts of its ranks' memory, where their
 * peak is, and what they send. Of one run of several only its first ranks are told, and what is not
 * as in `before`, the run before it (NULL: it is the first). */
void page_lab_run_words(struct page *p, struct page_flow f, const struct experiment_state *s,
                        bool one_of_several, const struct experiment_state *before);
/* What surprises in the runs, and the lesson that explains it, which may be the one that the
 * learner is in (`here`; NULL: in none); "" if nothing does. The caller owns it. */
char *page_lab_surprise(const struct experiment_compared *c, const char *here);
/* The same in sentences, as the curve of memory over a step shows it; nothing if the run has no
 * curve. */
void page_lab_curve_words(struct page *p, struct page_flow f, const struct experiment_state *s);
/* A scenario, the scaled run that represents it, and that run's measurements. `s` is NULL before it
 * begins. */
void page_lab_scale(struct page *p, struct page_flow f, const struct experiment_scale *scale,
                    const struct experiment_state *s);

/* What a learner can do, the mistakes made most and the time spent, as session_learner_study() has
 * them. And the same in sentences. */
void page_study(struct page *p, struct page_flow f, const json_t *study);
void page_study_words(struct page *p, struct page_flow f, const json_t *study);
/* What is left of a course that is done, as session_learner_milestones() has it: a row for each
 * area, the mistake that is gone, the best round, the memo; then what fades, mistakes and minutes,
 * as far as there is room in so many rows. And the same in sentences. */
void page_milestones(struct page *p, struct page_flow f, const json_t *milestones, int rows);
void page_milestones_words(struct page *p, struct page_flow f, const json_t *milestones);
/* What a certificate says, as session_certificate() has it, and what it does not prove; of one that
 * is not earned, what is missing and what to do next. Markdown, the caller's. And draws that. */
char *page_certificate_words(const json_t *says);
void page_certificate(struct page *p, struct page_flow f, const json_t *says);

/* A solution that is followed line by line: all lines, of which the first `known` are told, and
 * next to piles of memory a bar that grows with them. Texts are the caller's. */
enum { PAGE_SOLVED = 12 };
struct page_solved {
    size_t count, known;
    struct page_solved_line {
        const char *label, *formula, *value;
        /* Markdown, said of it once it is known; "" or NULL for none */
        const char *note;
        /* its pile; ACCOUNT_CATEGORIES for none */
        enum account_category category;
        /* what the pile takes, or what its piles take together; in base units */
        double bytes;
    } line[PAGE_SOLVED];
    /* it takes no more than these for all notes and thick bars */
    int rows;
};
/* Returns the row of the line that became known last. */
int page_solved(struct page *p, struct page_flow f, const struct page_solved *s);

/* A horizontal bar of one role, `cells` long in eighths ("▊" at its end in Unicode). */
void page_bar(struct page *p, int row, int column, double cells, unsigned role);
/* The pile of that id, if it has bytes; else ACCOUNT_CATEGORIES. */
enum account_category page_pile_named(const char *id, double bytes);
/* A bar of a pile, in its fill and so many rows. */
void page_pile(struct page *p, int row, int rows, int column, double cells,
               enum account_category c);
/* A row of progress blocks: "███░░░░░". */
int page_progress(struct page *p, int row, int column, int width, double share);

/* ── printing ────────────────────────────────────────────────────────────────────────────────────
 * The caller owns what is returned. Text has no trailing blanks; every row ends in a newline. */
char *page_to_text(const struct page *p);
/* `colours`: 256, 8 or 0 (attributes only). */
char *page_to_ansi(const struct page *p, enum page_theme t, int colours);
char *page_to_svg(const struct page *p, enum page_theme t, const char *title);
/* Frames of one size, each shown for so many milliseconds, one after the other and again from the
 * first: an SVG that browsers play. At least one. */
struct page_film {
    const struct page *page;
    int ms;
};
char *page_film_to_svg(const struct page_film *film, size_t frames, enum page_theme t,
                       const char *title);
/* Markdown as HTML elements without styles, for documents that a browser lays out; `inline_only`:
 * without the marks of its paragraphs. */
char *page_markdown_to_html(const char *markdown, bool inline_only);
/* Text with & < > and " escaped. */
char *page_escape(const char *s);

#include "page/map.h"

#endif
