/* What lab's files share: the runs of a lab, one after the other. */
#ifndef COMMAND_LAB_H
#define COMMAND_LAB_H

#include "command/inside.h"
#include "trial/trial.h"

enum { LAB_RUNS_MOST = TRIAL_VARIANTS, LAB_NO_GUESS = -1 };
struct lab_runs {
    const struct arguments *arguments;
    const struct trial_lab *lab; /* NULL: a free experiment, or a recording */
    struct trial *run[LAB_RUNS_MOST];
    const char *label[LAB_RUNS_MOST];
    size_t runs;
    struct trial_capstone *scaled; /* `lab`, where that needs a scenario; else NULL */
    size_t first;                  /* variant that run[0] is */
    int guess;                     /* option of the lab's question, or LAB_NO_GUESS */
    bool live;                     /* prints as it goes; not for JSON */
};

/* ── telling (lab_page.c) ────────────────────────────────────────────────────────────────────────*/
void lab_tell_about(const struct lab_runs *r);
void lab_tell_start(const struct lab_runs *r, const struct trial *t);
/* A step that ended, if its number is one that is printed. */
void lab_tell_step(const struct trial_step *s);
void lab_tell_end(const struct lab_runs *r, const struct trial *t);
void lab_tell_guess(const struct lab_runs *r);

/* ── the runs beside each other (lab_compare.c) ──────────────────────────────────────────────────*/
void lab_compare(const struct lab_runs *r);

/* ── as JSON (lab_data.c) ────────────────────────────────────────────────────────────────────────*/
json_t *lab_json(const struct lab_runs *r);
json_t *lab_list_json(void);

/* ── the capstone (lab_capstone.c) ───────────────────────────────────────────────────────────────*/
/* The lab for what --scenario and --stage say; the course's own scenario without. NULL if it was told what is wrong. */
struct trial_capstone *lab_capstone(const struct arguments *a);
/* The scenario beside the run that stands for it. */
void lab_tell_scale(const struct lab_runs *r, size_t i);
/* A run of a variant that dies ended well if it ran out of memory. */
bool lab_ended_well(const struct lab_runs *r, size_t i);

/* ── kept runs (lab_kept.c) ──────────────────────────────────────────────────────────────────────*/
/* Keeps a named lab's run in the learner's record, and tells its number. */
void lab_keep(const struct lab_runs *r, size_t i, double seconds);
int lab_list_kept(const struct arguments *a);

/* ── running (lab_run.c) ─────────────────────────────────────────────────────────────────────────*/
/* Starts what was asked for, one after the other. */
int lab_run(const struct arguments *a);
/* To its end, telling it as it goes. */
void lab_hear(const struct lab_runs *r, struct trial *t);
/* Whether somebody sits before a terminal. */
bool lab_is_watched(void);
/* What to end with; a failure if not all could be written. */
int lab_end_output(int status);

/* ── recordings (lab_replay.c) ───────────────────────────────────────────────────────────────────*/
int lab_replay(const struct arguments *a);

#endif
