/* Inside page: what figures share, and the kinds there are. */
#ifndef PAGE_FIGURE_H
#define PAGE_FIGURE_H

#include "page/internal.h"

typedef bool page_figure_kind(struct page *p, struct page_flow f, const json_t *spec,
                              struct base_message *m);
page_figure_kind page_figure_stack, page_figure_tree, page_figure_tiers, page_figure_mesh,
    page_figure_ledger, page_figure_table, page_figure_units, page_figure_play, page_figure_listing,
    page_figure_roofline, page_figure_owners, page_figure_flat, page_figure_timeline,
    page_figure_tower, page_figure_traffic, page_figure_curve, page_figure_piles,
    page_figure_amounts;
/* What each of them shows, in sentences. */
page_figure_kind page_words_stack, page_words_ledger, page_words_piles, page_words_table,
    page_words_units, page_words_play, page_words_listing, page_words_owners, page_words_flat,
    page_words_timeline, page_words_tower, page_words_traffic, page_words_curve,
    page_words_roofline, page_words_mesh, page_words_tiers, page_words_tree, page_words_amounts;

/* What page_figure_script() gives of such a figure. */
char *page_script_play(const json_t *spec), *page_script_listing(const json_t *spec);

/* Whether a ledger has parts that "apart" lets fly. */
bool page_ledger_flies(const json_t *spec);

bool page_limit_read(const json_t *spec, struct page_limit *out, struct base_message *m);
/* "an A100 holds 80", "the limit is 80". `amount` is the bytes as printed. */
char *page_limit_words(const struct page_limit *limit, const char *amount);
/* What something fits in: "an A100 (80 GB)", "80 GB". */
char *page_limit_place(const struct page_limit *limit, const char *amount);

/* The training of an object of fields, checked. */
bool page_training_read(const json_t *object, struct account_training *out, struct base_message *m);

/* The ledger of an object with a "training", of all its categories or the one that "only" names; or
 * with "bytes" by category. */
bool page_ledger_read(const json_t *object, struct account_ledger *out, struct base_message *m);

/* What figures that follow sliders are told next to their training: `still`, the training at which
 * the sliders began, and `before`, the one before the last move. The axis reaches what
 * the first training needs, and the limit and half of it more, or without a limit twice what it
 * needs. It stays there while sliders move, and what is longer is cut. `range` has all values that
 * sliders give a field of the first training, by the field's name. */
bool page_still_given(const json_t *spec);
double page_still_reach(const struct page_limit *limit, double start);
/* Visits every training that the sliders reach together, or with `alone` those that one of them
 * reaches. Skips one that cannot be computed. */
typedef void page_range_visit(void *to, const struct account_training *t);
void page_range_each(const json_t *spec, bool alone, page_range_visit *each, void *to);
/* ACCENT if the two are not printed alike, else `otherwise`. */
unsigned page_changed(const char *before, const char *now, unsigned otherwise);

/* A sentence, wrapped; in it a number that the sentence of before has not is ACCENT. `before` NULL:
 * nothing was moved (ink.c). */
void page_text_changed(struct page *p, struct page_flow f, const char *text, const char *before);

/* ── words, the caller owns them (spec.c) ──────────────────────────────────────────────────────*/
char *page_seconds(double seconds);                    /* "1.57 s", "56.9 ms" */
char *page_rate(double rate);                          /* bytes per second: "240 GB/s" */
char *page_bytes(double bytes);                        /* "62.3 GB" */
char *page_card_name(const struct account_card *card); /* the name people say: "A100" */
char *page_tokens(double count);                       /* all its digits, in threes: "97,850" */
/* "Llama 2 13B", or "13B parameters" of a bare count. */
char *page_model_name(const struct account_training *t);

/* ── sentences (words.c) ───────────────────────────────────────────────────────────────────────*/
/* Adds the sentences which the page `before` has not; says so if that is none. */
void page_tell_new(struct page *p, struct page_flow f, const struct page *sentences,
                   const struct page *before);
/* A paragraph. */
void page_say(struct page *p, struct page_flow f, const char *format, ...) BASE_PRINTF(3, 4);
/* Adds item `i` of a list: "a, b and c". */
void page_list_add(struct base_text *out, size_t i, size_t count, const char *item);
/* "params 15 GB, grads 15 GB and moments 1.41 GB", the caller's; "" if there are none. */
char *page_parts(const uint64_t bytes[ACCOUNT_CATEGORIES], enum account_unit unit);

/* ── one scale for a column of numbers (spec.c) ────────────────────────────────────────────────*/
/* The unit and digits that a column of byte counts is printed in, so that points and units stand
 * under each other. */
struct page_scale {
    enum account_unit unit;
    /* after the point */
    int digits;
};
/* The unit the spec names, or the one that reads best for the largest of the values. */
bool page_scale_read(const json_t *spec, const double *bytes, size_t count, struct page_scale *out,
                     struct base_message *m);
char *page_scale_number(struct page_scale s, double bytes);
char *page_scale_print(struct page_scale s, double bytes);

/* ── legends (axis.c) ──────────────────────────────────────────────────────────────────────────*/
/* A legend of these categories, and of the marks behind bars, under what is there: from column
 * `left` if they fit there in one row, else from the margin. */
void page_legend(struct page *p, struct page_flow f, int left,
                 const bool present[ACCOUNT_CATEGORIES], bool marked);
/* What the "+" in a bar means: the parts that follow it are wider than they should be. */
extern const char *const page_mark_meaning;

/* ── bars (bar.c) ──────────────────────────────────────────────────────────────────────────────*/
/* Divides a bar of `parts` parts, at most PAGE_PARTS, into whole units, `unit` of them in a cell;
 * `due` is the units, as a real number, that a part should have. Equal parts get equal units; no
 * cell has more than two parts, or one and the blank at the end; the bar ends within a unit of its
 * true end if that leaves equal parts equal. A part may get no unit if it is too small. */
void page_divide(const double *due, int parts, int unit, int *units);
/* A part of a bar, of more than no bytes. Parts of one category differ in their fill, and the
 * bright ones are on the page's own ground: neighbours that differ in this can share a cell. */
enum { PAGE_PARTS = 16 };
struct page_part {
    double bytes;
    enum account_category category;
    bool bright;
    /* as it is on this page; borrowed */
    const char *fill;
};
/* The same in so many rows, each with its marks. */
bool page_bar_thick(struct page *p, int row, int rows, int column, const struct page_part *part,
                    int parts, double scale, int limit, unsigned limit_role);
/* The same of at most so many cells: a longer bar is cut there, with an arrow. */
bool page_bar_within(struct page *p, int row, int rows, int column, int cells,
                     const struct page_part *part, int parts, double scale, int limit);
/* The columns that such a bar and its marks take. */
int page_bar_parts_width(const struct page *p, const struct page_part *part, int parts,
                         double scale);
/* The parts of a bar of categories; returns how many there are. */
int page_parts_of(const struct page *p, const uint64_t bytes[ACCOUNT_CATEGORIES],
                  struct page_part part[static ACCOUNT_CATEGORIES]);
/* The same two for a bar of categories. */
bool page_bar_stack(struct page *p, int row, int column, const uint64_t bytes[ACCOUNT_CATEGORIES],
                    double scale, int limit, unsigned limit_role);
int page_bar_width(const struct page *p, const uint64_t bytes[ACCOUNT_CATEGORIES], double scale);

/* ── collectives (wires.c) ─────────────────────────────────────────────────────────────────────*/
/* "all-reduce"; the category whose fill and colour it has; its sign in a legend, as page_sign(). */
const char *page_wire_name(enum account_collective_kind c);
enum account_category page_wire_category(enum account_collective_kind c);
int page_wire_sign(struct page *p, struct page_flow f, int *row, int column,
                   enum account_collective_kind c);
/* The parts of a bar of bytes sent. An all-reduce is a reduce-scatter and an all-gather: it is
 * divided as they are, so that it is as long as they are together, on whole cells too. */
int page_wire_parts(const struct page *p, const uint64_t sent[ACCOUNT_COLLECTIVES],
                    struct page_part part[static PAGE_PARTS]);

/* ── stacks of bars (stack.c) ──────────────────────────────────────────────────────────────────*/
/* Stacked bars of parts to one scale, with their axis and the line of the limit. Texts are the
 * caller's. */
struct page_stacks {
    size_t count;
    struct page_stacks_bar {
        /* "" for none */
        const char *label;
        struct page_part part[PAGE_PARTS];
        int parts;
        double total;
        /* after the total; NULL for none */
        const char *note;
        /* of the note */
        unsigned role;
        /* a "?" for the bar and its total */
        bool unknown;
        /* the total stands out */
        bool changed;
        /* a number whose parts are not known: a bar of one sign, that of no category */
        bool whole;
    } * bar;
    /* of the totals */
    struct page_scale scale;
    struct page_limit limit;
    /* of a still axis, in bytes: longer bars are cut; 0: it reaches the longest */
    double reach;
    /* what the limit's line is has been said */
    bool terse;
};
/* Draws them; returns the column at which the bars start, and in *marked whether a part was too
 * small to draw. */
int page_stacks_draw(struct page *p, struct page_flow f, const struct page_stacks *s, bool *marked);

/* ── signs, small print and axes (axis.c) ──────────────────────────────────────────────────────*/
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
    /* in the unit */
    double step, end;
    /* steps up to the end */
    int ticks;
    /* a multiple of ticks: from 0 to the end */
    int cells;
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
/* The same in a sentence, if there is a limit. */
void page_limit_say(struct page *p, struct page_flow f, struct page_scale s,
                    const struct page_limit *limit);
/* The column of a value on the axis. */
int page_axis_column(struct page_axis a, double value);
/* "├── name ──┤" over the columns [from, to); the line alone where the name would touch a
 * neighbour. Numbers, and a letter over one column or two, stand alone. */
void page_bracket(struct page *p, int row, int from, int to, const char *name);
/* The same with the name of a phase, "fwd" or "bwd" where only that fits. */
void page_bracket_phase(struct page *p, int row, int from, int to, enum account_phase phase);
/* What stands for the line of a limit. */
extern const char *const page_limit_sign;

/* A count as it stands in a product with bytes, where a B would be read as bytes: "7e9"; and for
 * the ear: "7 billion". Both return `out`. */
const char *page_count_power(char out[static 32], uint64_t n);
const char *page_count_words(char out[static 48], uint64_t n);
/* Says "2 B" as "2 bytes". The caller owns it. */
char *page_rate_words(const char *rate);

/* The spans of a schedule and its traffic; of all phases, or only of `phase`. */
struct page_waits {
    const struct account_span *span;
    size_t spans;
    const struct account_traffic *traffic;
    bool all;
    enum account_phase phase;
};
/* The longest waits of computing for a collective, and how many others there are. */
void page_say_waits(struct page *p, struct page_flow f, const struct page_waits *r);

#endif
