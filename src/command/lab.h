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
    int guess; /* option of the lab's question, or LAB_NO_GUESS */
    bool live; /* prints as it goes; not for JSON */
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

/* ── running (lab_run.c) ─────────────────────────────────────────────────────────────────────────*/
/* Starts what was asked for, one after the other. */
int lab_run(const struct arguments *a);
int lab_replay(const struct arguments *a);

#endif
