/* What mem's files share. */
#ifndef COMMAND_MEM_H
#define COMMAND_MEM_H

#include "command/asked.h"

struct mem_stage {
    struct account_training training;
    struct account_memory memory;
    /* the moments of a step; NULL if only what stays is asked */
    struct account_timepoint *moment;
    size_t moments;
    /* "yes", "tight" or "no"; NULL without a card */
    const char *fits;
    /* in which that is said on a page */
    unsigned role;
};
struct mem {
    /* its stage is the first that was asked for */
    struct account_training asked;
    /* with what was assumed */
    struct asked from;
    /* what the card holds; 0 without one */
    uint64_t budget;
    /* curves in place of table and bars */
    bool over_time;
    size_t stages;
    struct mem_stage stage[ASKED_STAGES];
};

/* The highest moment of a stage: what has to fit. */
const struct account_instant *command_mem_peak(const struct mem_stage *s);
/* The unit that all numbers of one page are in. */
enum account_unit command_mem_unit(const struct mem *m);
/* Heading, table and bars; or heading and curves. */
void command_mem_page(const struct mem *m, struct page *p);

/* ── over time (mem_curve.c) ───────────────────────────────────────────────────────────────────*/
/* How curves are drawn: the rows of each; `brief`: without the sentence that says the same. */
struct mem_curves {
    int rows;
    bool brief;
};
/* Rows of each curve if the rest of the page takes so many of the terminal's. */
int command_mem_curve_rows(const struct mem *m, int others, bool brief);
/* A curve for each stage, all to one scale. */
void command_mem_curves(const struct mem *m, struct mem_curves as, struct page *p);
/* The same for programs: an "over_time" in each stage of mem's answer; a line for each moment. */
void command_mem_add_moments(const struct mem *m, json_t *json);
void command_mem_moments_csv(const struct mem *m, FILE *out);

/* ── explained (mem_working.c) ─────────────────────────────────────────────────────────────────*/
/* The working of every stage, line by line, and where the numbers come from. */
bool command_mem_explain(const struct mem *m, struct page *p, struct account_error *e);
/* The same for programs: a "working" in each stage of mem's answer. */
bool command_mem_add_working(const struct mem *m, json_t *json, struct account_error *e);

/* ── the working (mem_working.c) ───────────────────────────────────────────────────────────────*/
enum { MEM_LINES = 24 };
struct mem_line {
    /* a category, or "total" */
    const char *id;
    const char *source;
    char label[40], formula[96];
    double bytes;
};
/* the last line is the sum of the others */
struct mem_working {
    size_t lines;
    struct mem_line line[MEM_LINES];
};
/* The working of one training's memory, under a head. */
bool command_mem_explain_one(const struct account_training *t, const char *head, struct page *p,
                             struct account_error *e);

#endif
