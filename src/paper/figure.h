/* Inside paper: what figures share, and the kinds there are. */
#ifndef PAPER_FIGURE_H
#define PAPER_FIGURE_H

#include "paper/bar.h"

typedef bool paper_figure_kind(struct paper *p, struct paper_flow f, const json_t *spec,
                               struct base_message *m);
paper_figure_kind paper_figure_stack, paper_figure_tree, paper_figure_tiers, paper_figure_mesh,
    paper_figure_ledger, paper_figure_table, paper_figure_units, paper_figure_collective,
    paper_figure_listing, paper_figure_lab_memory, paper_figure_lab_traffic,
    paper_figure_lab_timeline, paper_figure_lab_loss, paper_figure_lab_log, paper_figure_roofline,
    paper_figure_owners, paper_figure_flat, paper_figure_timeline, paper_figure_tower,
    paper_figure_traffic;

/* A card's memory, or bytes: what a figure draws its line at. */
struct paper_limit {
    bool given;
    double bytes;
    const struct account_card *card; /* NULL if bytes were given */
};
bool paper_limit_read(const json_t *spec, struct paper_limit *out, struct base_message *m);
/* "an A100 holds 80", "the limit is 80". `amount` is the bytes as printed. */
char *paper_limit_words(const struct paper_limit *limit, const char *amount);
/* What something fits in: "an A100 (80 GB)", "80 GB". */
char *paper_limit_place(const struct paper_limit *limit, const char *amount);

/* The training of an object of fields, checked. */
bool paper_training_read(const json_t *object, struct account_training *out,
                         struct base_message *m);

/* ── words, the caller owns them ─────────────────────────────────────────────────────────────────*/
char *paper_seconds(double seconds);                    /* "1.57 s", "56.9 ms" */
char *paper_rate(double rate);                          /* bytes per second: "240 GB/s" */
char *paper_bytes(double bytes);                        /* "62.3 GB" */
char *paper_count(double count);                        /* "4.1K" */
char *paper_card_name(const struct account_card *card); /* the name people say: "A100" */
char *
paper_tokens(double count); /* all its digits, in threes that a line does not part: "97 850" */
/* "Llama 2 13B", or "13B parameters" of a bare count. */
char *paper_model_name(const struct account_training *t);

/* The unit and digits that a column of byte counts is printed in, so that points and units stand under each other. */
struct paper_scale {
    enum account_unit unit;
    int digits; /* after the point */
};
/* The unit the spec names, or the one that reads best for the largest of the values. */
bool paper_scale_read(const json_t *spec, const double *bytes, size_t count,
                      struct paper_scale *out, struct base_message *m);
char *paper_scale_number(struct paper_scale s, double bytes);
char *paper_scale_print(struct paper_scale s, double bytes);

/* A legend of these categories under what is there: from column `left` if they fit there in one row, else from the margin. */
void paper_legend(struct paper *p, struct paper_flow f, int left,
                  const bool present[ACCOUNT_CATEGORIES]);

/* A horizontal axis of round numbers. */
struct paper_axis {
    double step, end; /* in the unit */
    int ticks;        /* steps up to the end */
    int cells;        /* a multiple of ticks: from 0 to the end */
};
/* An axis that reaches `most` within `room` cells. */
struct paper_axis paper_axis_fit(double most, int room);
/* Draws rule and labels in the next two rows from `column`, the limit (in the unit; < 0: none) among them. */
void paper_axis_draw(struct paper *p, int column, struct paper_axis a, struct paper_scale s,
                     double limit);
/* What the limit's line is, in the next row: right of its foot, else left of it, else on a line of its own. */
void paper_limit_draw(struct paper *p, struct paper_flow f, int column, struct paper_axis a,
                      struct paper_scale s, const struct paper_limit *limit);
/* The column of a value on the axis. */
int paper_axis_column(struct paper_axis a, double value);
/* "├── name ──┤" over the columns [from, to); the name alone, or the line alone, where there is less room. */
void paper_bracket(struct paper *p, int row, int from, int to, const char *name);
/* What stands for the line of a limit. */
extern const char *const paper_limit_sign;

#endif
