/* What lab's files share: the runs of a lab, one after the other. */
#ifndef COMMAND_LAB_H
#define COMMAND_LAB_H

#include "command/internal.h"
#include "experiment/experiment.h"

enum { LAB_RUNS_MOST = EXPERIMENT_VARIANTS };
struct lab_asking;
struct lab_runs {
    const struct arguments *arguments;
    /* NULL: a free experiment, or a recording */
    const struct experiment_lab *lab;
    struct experiment *run[LAB_RUNS_MOST];
    const char *label[LAB_RUNS_MOST];
    size_t runs;
    /* `lab`, where that needs a scenario; else NULL */
    struct experiment_capstone *scaled;
    /* variant that run[0] is */
    size_t first;
    /* asks before and after; NULL if it asks nothing */
    struct lab_asking *asking;
    /* prints as it goes; not for JSON */
    bool live;
    /* says figures in sentences */
    bool words;
    /* its turn in the class, for all runs; NULL: none is needed */
    struct session_turn *turn;
    /* the learner left the queue, so nothing ran */
    bool left;
};

/* ── telling (lab_page.c) ──────────────────────────────────────────────────────────────────────*/
/* Whether figures are said in sentences: with --words, or if the learner switched drawings off. */
bool command_lab_in_words(const struct arguments *a);
/* A page on which the runs are told. The caller owns it. */
struct page *command_lab_page(const struct lab_runs *r);
void command_lab_tell_about(const struct lab_runs *r);
void command_lab_tell_start(const struct lab_runs *r, const struct experiment *t);
/* A step that ended, if its number is one that is printed. */
void command_lab_tell_step(const struct lab_runs *r, const struct experiment_step *s);
void command_lab_tell_end(const struct lab_runs *r, const struct experiment *t);
/* What there was to be seen, of a lab that asks nothing as not all of it was run. */
void command_lab_tell_reveal(const struct lab_runs *r);

/* ── what a lab asks (lab_ask.c) ───────────────────────────────────────────────────────────────*/
/* Says what the lab is about and asks before its runs; asks after them. NULL if it was told why it
 * cannot. */
struct lab_asking *command_lab_ask_open(const struct lab_runs *r);
/* False if whoever was asked leaves. */
bool command_lab_ask_before(struct lab_asking *a);
void command_lab_ask_after(struct lab_asking *a, const struct lab_runs *r);
/* The guess that was made, or NULL, and what it is: the same pointer if that is right. */
void command_lab_ask_guess(const struct lab_asking *a, const char **said, const char **is);
/* The amount that was estimated, in words, or NULL. */
const char *command_lab_ask_estimate(const struct lab_asking *a);
void command_lab_ask_close(struct lab_asking *a);

/* ── the runs compared (lab_compare.c) ─────────────────────────────────────────────────────────*/
void command_lab_compare(const struct lab_runs *r);
/* The picture that a lab ends in; every variant of it was run. */
void command_lab_picture(const struct lab_runs *r, const struct experiment_lab *lab);

/* ── as JSON (lab_kept.c) ──────────────────────────────────────────────────────────────────────*/
json_t *command_lab_json(const struct lab_runs *r);
json_t *command_lab_list_json(void);

/* ── the capstone (lab_capstone.c) ─────────────────────────────────────────────────────────────*/
/* The lab for what --scenario and --stage say; the course's own scenario without. NULL if it was
 * told what is wrong. */
struct experiment_capstone *command_lab_capstone(const struct arguments *a);
/* The scenario next to the run that stands for it. */
void command_lab_tell_scale(const struct lab_runs *r, size_t i);
/* A run of a variant that dies ended well if it ran out of memory. */
bool command_lab_ended_well(const struct lab_runs *r, size_t i);

/* ── kept runs (lab_kept.c) ────────────────────────────────────────────────────────────────────*/
/* Keeps a named lab's run in the learner's record, and tells its number. */
void command_lab_keep(const struct lab_runs *r, size_t i, double seconds);
int command_lab_list_kept(const struct arguments *a);

/* ── running (lab_run.c) ───────────────────────────────────────────────────────────────────────*/
/* Starts what was asked for, one after the other. */
int command_lab_run(const struct arguments *a);

/* ── recordings (lab_run.c) ────────────────────────────────────────────────────────────────────*/
int command_lab_replay(const struct arguments *a);

#endif
