/* What the files of this room share; nobody outside includes it. */
#ifndef PLAIN_INSIDE_H
#define PLAIN_INSIDE_H

#include "page/page.h"
#include "linear/linear.h"
#include "session/session.h"

/* One learner at one terminal or pipe. */
struct talk {
    const struct linear_options *options;
    FILE *in, *out;
    bool ascii; /* how it looks: what the output can show and the learner has set (look.c) */
    int colours;
    enum page_theme theme;
    bool
        echo; /* the input is no terminal: typed lines are printed, so that a transcript reads well */
    bool told_skip;     /* said once that an empty line leaves a question unanswered */
    size_t step, steps; /* where the lesson stands: index of the step, and how many there are */
    char id[64];        /* of that step */
    char *sources;      /* of that step, Markdown; NULL if it names none */
    bool blank;         /* the last line printed was blank */
    size_t events;      /* printed since the last action */
    struct desk *desk;
    struct session *session;
};

/* ── settings (look.c) ───────────────────────────────────────────────────────────────────────────*/
void linear_talk_look(struct talk *t);

/* ── printing (print.c) ──────────────────────────────────────────────────────────────────────────*/
/* A page as wide as the output; linear_print_page() prints and frees it, its first line left out if it is a second blank one. */
struct page *linear_print_begin(const struct talk *t);
void linear_print_page(struct talk *t, struct page *p);
/* One paragraph of Markdown in a role, with a blank line after it. */
void linear_print_markdown(struct talk *t, unsigned role, const char *markdown);

/* ── events (events.c) ───────────────────────────────────────────────────────────────────────────*/
/* Prints all that waits; true if the lesson ended. */
bool linear_print_events(struct talk *t);
/* What is asked, with its options, sliders or worksheet. */
void linear_print_ask(struct talk *t, const struct lesson_ask *a);

/* ── input (input.c) ─────────────────────────────────────────────────────────────────────────────*/
/* Prompts and reads a line, without its end; NULL at the end of input. The caller owns it. An edited lesson is
 * reloaded while waiting, and its page printed. */
char *linear_read_line(struct talk *t);

/* ── labs (lab.c) ────────────────────────────────────────────────────────────────────────────────*/
/* Runs the lab that is asked for, or plays its recordings, and prints what comes of it. True if the lesson ended. */
bool linear_run_lab(struct talk *t, bool recorded);

/* ── memos (memo.c) ──────────────────────────────────────────────────────────────────────────────*/
/* Where the memo that is asked for lies, made if there is none, and how it is written. */
void linear_print_memo(struct talk *t, const struct lesson_ask *a);
/* Has it checked as it lies there; true if the lesson ended. */
bool linear_check_memo(struct talk *t);
/* Opens it in the learner's editor, where there is a terminal. */
void linear_edit_memo(struct talk *t);

/* ── choosing a lesson (course.c) ────────────────────────────────────────────────────────────────*/
/* Lists the course and asks; the lesson's id, the caller's, or NULL if none was chosen. */
char *linear_choose_lesson(struct talk *t, bool *ended);

#endif
