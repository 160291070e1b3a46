/* What the files of this room share; nobody outside includes it. */
#ifndef PLAIN_INSIDE_H
#define PLAIN_INSIDE_H

#include "paper/paper.h"
#include "plain/plain.h"
#include "sitting/sitting.h"

/* One learner at one terminal or pipe. */
struct talk {
    const struct plain_options *options;
    FILE *in, *out;
    bool ascii; /* how it looks: what the output can show and the learner has set (look.c) */
    int colours;
    enum paper_theme theme;
    bool
        echo; /* the input is no terminal: typed lines are printed, so that a transcript reads well */
    bool told_skip;     /* said once that an empty line leaves a question unanswered */
    size_t step, steps; /* where the lesson stands: index of the step, and how many there are */
    char id[64];        /* of that step */
    char *sources;      /* of that step, Markdown; NULL if it names none */
    bool blank;         /* the last line printed was blank */
    size_t events;      /* printed since the last action */
    struct desk *desk;
    struct sitting *sitting;
};

/* ── settings (look.c) ───────────────────────────────────────────────────────────────────────────*/
void talk_look(struct talk *t);

/* ── printing (print.c) ──────────────────────────────────────────────────────────────────────────*/
/* A page as wide as the output; print_page() prints and frees it, its first line left out if it is a second blank one. */
struct paper *print_begin(const struct talk *t);
void print_page(struct talk *t, struct paper *p);
/* One paragraph of Markdown in a role, with a blank line after it. */
void print_markdown(struct talk *t, unsigned role, const char *markdown);

/* ── events (events.c) ───────────────────────────────────────────────────────────────────────────*/
/* Prints all that waits; true if the lesson ended. */
bool print_events(struct talk *t);
/* What is asked, with its options, sliders or worksheet. */
void print_ask(struct talk *t, const struct study_ask *a);

/* ── input (input.c) ─────────────────────────────────────────────────────────────────────────────*/
/* Prompts and reads a line, without its end; NULL at the end of input. The caller owns it. An edited lesson is
 * reloaded while waiting, and its page printed. */
char *read_line(struct talk *t);

/* ── labs (lab.c) ────────────────────────────────────────────────────────────────────────────────*/
/* Runs the lab that is asked for, or plays its recordings, and prints what comes of it. True if the lesson ended. */
bool run_lab(struct talk *t, bool recorded);

/* ── memos (memo.c) ──────────────────────────────────────────────────────────────────────────────*/
/* Where the memo that is asked for lies, made if there is none, and how it is written. */
void print_memo(struct talk *t, const struct study_ask *a);
/* Has it checked as it lies there; true if the lesson ended. */
bool check_memo(struct talk *t);
/* Opens it in the learner's editor, where there is a terminal. */
void edit_memo(struct talk *t);

/* ── choosing a lesson (course.c) ────────────────────────────────────────────────────────────────*/
/* Lists the course and asks; the lesson's id, the caller's, or NULL if none was chosen. */
char *choose_lesson(struct talk *t, bool *ended);

#endif
