/* Inside page: what figures share, and the kinds there are. */
#ifndef PAGE_FIGURE_H
#define PAGE_FIGURE_H

#include "page/internal.h"

typedef bool page_figure_kind(struct page *p, struct page_flow f, const json_t *spec,
                              struct base_message *m);
page_figure_kind page_figure_stack, page_figure_tree, page_figure_tiers, page_figure_mesh,
    page_figure_ledger, page_figure_table, page_figure_units, page_figure_collective,
    page_figure_listing, page_figure_lab_memory, page_figure_lab_traffic, page_figure_lab_timeline,
    page_figure_lab_loss, page_figure_lab_log, page_figure_roofline, page_figure_owners,
    page_figure_flat, page_figure_timeline, page_figure_tower, page_figure_traffic;

bool page_limit_read(const json_t *spec, struct page_limit *out, struct base_message *m);
/* "an A100 holds 80", "the limit is 80". `amount` is the bytes as printed. */
char *page_limit_words(const struct page_limit *limit, const char *amount);
/* What something fits in: "an A100 (80 GB)", "80 GB". */
char *page_limit_place(const struct page_limit *limit, const char *amount);

/* The training of an object of fields, checked. */
bool page_training_read(const json_t *object, struct account_training *out, struct base_message *m);

/* ── words, the caller owns them ───────────────────────────────────────────────────────────────*/
char *page_seconds(double seconds);                    /* "1.57 s", "56.9 ms" */
char *page_rate(double rate);                          /* bytes per second: "240 GB/s" */
char *page_bytes(double bytes);                        /* "62.3 GB" */
char *page_card_name(const struct account_card *card); /* the name people say: "A100" */
char *page_tokens(double count); /* all its digits, in threes that a line does not part: "97 850" */
/* "Llama 2 13B", or "13B parameters" of a bare count. */
char *page_model_name(const struct account_training *t);

/* The unit and digits that a column of byte counts is printed in, so that points and units stand
 * under each other. */
struct page_scale {
    enum account_unit unit;
    int digits; /* after the point */
};
/* The unit the spec names, or the one that reads best for the largest of the values. */
bool page_scale_read(const json_t *spec, const double *bytes, size_t count, struct page_scale *out,
                     struct base_message *m);
char *page_scale_number(struct page_scale s, double bytes);
char *page_scale_print(struct page_scale s, double bytes);

/* A legend of these categories, and of the marks behind bars, under what is there: from column
 * `left` if they fit there in one row, else from the margin. */
void page_legend(struct page *p, struct page_flow f, int left,
                 const bool present[ACCOUNT_CATEGORIES], bool marked);
/* What the "+" behind a bar means. */
extern const char *const page_mark_meaning;

/* Divides a bar of `parts` parts, at most PAGE_PARTS, into whole units, `unit` of them in a cell.
 * `due` is the units, as a real number, that a part should have. Equal parts get equal units; no
 * cell has more than two parts, or one and the blank at the end; the bar ends within a unit of its
 * true end if that leaves equal parts equal. A part may get no unit if it is too small. */
enum { PAGE_PARTS = 16 };
/* A bar of categories at `scale` bytes a cell: in eighths of a cell on a page in colours, else in
 * whole cells. A category that is too small for either is marked behind the bar, after a "+";
 * returns whether one is. The line of a limit is drawn at column `limit` (< 0: none). */
bool page_bar_stack(struct page *p, int row, int column, const uint64_t bytes[ACCOUNT_CATEGORIES],
                    double scale, int limit, unsigned limit_role);
/* The columns that such a bar and its marks take. */
int page_bar_width(const struct page *p, const uint64_t bytes[ACCOUNT_CATEGORIES], double scale);

/* Text that ends in this column. */
void page_right(struct page *p, int row, int end, unsigned role, const char *text);
/* A sign and its name, wrapped at the edge; returns the column after them. *row is where it
 * stands. */
int page_sign(struct page *p, struct page_flow f, int *row, int column, unsigned role,
              const char *sign, const char *name);
/* A line of small print, wrapped. */
void page_note(struct page *p, struct page_flow f, const char *format, ...) BASE_PRINTF(3, 4);

/* A horizontal axis of round numbers. */
struct page_axis {
    double step, end; /* in the unit */
    int ticks;        /* steps up to the end */
    int cells;        /* a multiple of ticks: from 0 to the end */
};
/* An axis that reaches `most` within `capacity` cells. */
struct page_axis page_axis_fit(double most, int capacity);
/* Draws rule and labels in the next two rows from `column`, the limit (in the unit; < 0: none)
 * among them. */
void page_axis_draw(struct page *p, int column, struct page_axis a, struct page_scale s,
                    double limit);
/* What the limit's line is, in the next row: right of its foot, else left of it, else on a line of
 * its own. */
void page_limit_draw(struct page *p, struct page_flow f, int column, struct page_axis a,
                     struct page_scale s, const struct page_limit *limit);
/* The column of a value on the axis. */
int page_axis_column(struct page_axis a, double value);
/* "├── name ──┤" over the columns [from, to); the name alone, or the line alone, if they are too
 * narrow for both. */
void page_bracket(struct page *p, int row, int from, int to, const char *name);
/* What stands for the line of a limit. */
extern const char *const page_limit_sign;

#endif
