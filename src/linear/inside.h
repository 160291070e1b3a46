/* What the files of this module share; no other module includes it. Calls go downwards only:
 * linear.c, speed.c and watch.c, course.c and lab.c, memo.c, home.c, lookup.c, aloud.c, input.c,
 * event.c, ask.c, measured.c, print.c.
 */
#ifndef LINEAR_INSIDE_H
#define LINEAR_INSIDE_H

#include "page/page.h"
#include "linear/linear.h"
#include "session/session.h"

/* how a run ends */
enum { FINISHED = 0, CUT_SHORT = 1, NOT_OPENED = 2 };
/* Something that was listed, to be opened by its number. */
enum { LINEAR_FOUND = 200 };
struct linear_found {
    enum session_kind kind;
    char *name, *lesson, *step;
};

struct talk;
/* A prompt outside of a lesson: what it says, what `:help` prints there and what `:repeat` does. In
 * a lesson the lesson's words do that (linear.c). */
struct linear_prompt {
    const char *awaits;
    void (*help)(struct talk *t), (*repeat)(struct talk *t);
};

/* One learner at one terminal or pipe. */
struct talk {
    const struct linear_options *options;
    FILE *in, *out;
    /* how it looks: what the output can show and the learner has set (linear_talk_look()) */
    bool ascii;
    int colours;
    enum page_theme theme;
    /* figures are sentences alone: nothing is drawn */
    bool words;
    /* The input is not a terminal: the lines that are read are printed too, so that a transcript
     * reads well. */
    bool echo;
    struct linear_prompt prompt;
    /* the current step: its index, the number of steps, and its kind */
    size_t step, steps;
    enum lesson_step_kind kind;
    /* of that step, Markdown; NULL if it names none */
    char *sources;
    /* of that step, how it is moved has been said, and what Enter does; or NULL */
    const char *told_moves;
    /* this session has told how to open a lesson that a page names */
    bool told_leads;
    /* a line of a sheet was judged, so the question for the next does not say the sheet again */
    bool line_told;
    /* the last line printed was blank */
    bool blank;
    /* the lesson to open when this one was left, or NULL */
    char *onwards;
    /* the lesson that was left for exit questions and opens again after them, or NULL */
    char *back;
    /* a hand was raised in the lesson that led here, and stays up */
    bool hand;
    /* its step to begin at, or NULL */
    char *onwards_step;
    /* the lesson ended and named the next one to a learner at a terminal */
    bool leads;
    struct linear_found found[LINEAR_FOUND];
    size_t found_count;
    /* the course is listed, and a lesson can be chosen */
    bool asks_lesson;
    /* a case, a lab or a drill was chosen there: its end leads back */
    bool returns;
    /* a review was opened: an empty line takes the next lesson, also if some of it is left */
    bool reviewed;
    /* printed since the last action */
    size_t events;
    /* a verdict was printed, and a fresh problem waits until the learner has read it */
    bool turns;
    /* events are being printed; their text so far, and that of the last events with a question */
    bool prints_events;
    struct base_text printing, printed;
    /* the text over that question, as Markdown (NULL: none), and whether it was said in words */
    char *over;
    bool in_words;
    /* the step that was said to be open for all, or NULL */
    char *open_step;
    /* what was said last of the class (session_class_line()), or NULL */
    char *class_line;
    /* what the teacher asked last (session_class_asks()), or NULL */
    char *asked;
    struct learner *learner;
    struct session *session;
    /* a lab whose runs are over, until it is told what they measured; or NULL */
    struct session_lab *lab;
    /* the round that is played, or NULL */
    struct session_speed *speed;
};

/* said of a lab or a case, behind its title */
#define LINEAR_UNGRADED " Your answers here are not graded."

/* ── print.c ───────────────────────────────────────────────────────────────────────────────────*/
/* Takes how things look from the options and the learner's settings. */
void linear_talk_look(struct talk *t);
/* A page as wide as the output. linear_print_page() prints and frees it, and leaves out its first
 * line if that would be a second blank one. */
struct page *linear_print_begin(const struct talk *t);
void linear_print_page(struct talk *t, struct page *p);
/* Prints one paragraph of Markdown in a role, with a blank line after it. */
void linear_print_markdown(struct talk *t, unsigned role, const char *markdown);
/* Keeps whether figures are said in sentences, and says so. */
void linear_set_words(struct talk *t, bool words);
/* Prints what the learner can do, the mistakes made most and the time spent. */
void linear_print_progress(struct talk *t);
void linear_print_certificate(struct talk *t);
/* Prints a figure under its title (may be NULL) and below it its sentences, or these alone if
 * nothing is drawn; or says why it cannot. */
void linear_print_figure(struct talk *t, const char *title, const json_t *figure);
/* Prints what a move of a slider changed of a figure, in words. */
void linear_print_moved(struct talk *t, const json_t *figure, const json_t *was);
/* Prints what went wrong. */
void linear_complain(struct talk *t, const struct base_message *m);
/* Says on standard error why nothing could be opened; returns NOT_OPENED. */
int linear_not_opened(const struct base_message *m);

/* ── ask.c ─────────────────────────────────────────────────────────────────────────────────────*/
void linear_print_ask(struct talk *t, const struct lesson_ask *a);
/* What a line can be while a lab is to be run: "run, or Enter". */
const char *linear_run_or_not(const struct lesson_ask *a);
/* The frame of a play to which Enter leads. */
size_t linear_enter_leads(const struct talk *t, const struct lesson_ask *a);

/* ── measured.c ────────────────────────────────────────────────────────────────────────────────*/
/* Prints what the runs of `lab` measured, which is then told. */
void linear_tell_lab(struct talk *t);

/* ── event.c ───────────────────────────────────────────────────────────────────────────────────*/
/* Nothing is listed any more. */
void linear_forget_found(struct talk *t);
/* Prints the events that wait, and what is new of the class; true if the lesson ended. At a
 * terminal it stops before the fresh problem that follows an answer: `turns` is set then. */
bool linear_print_events(struct talk *t);
/* Prints what is new of the class: a raised hand, a hand-in that waits. */
void linear_print_class(struct talk *t);
/* The vote that the teacher asks, once; `again`: also if it was printed before. */
void linear_print_vote(struct talk *t, bool again);

/* ── looking up (lookup.c) ─────────────────────────────────────────────────────────────────────*/
/* Does what a line asks for that looks something up, in a lesson or outside: ":glossary shard".
 * False if it is none of these. `found` (may be NULL): whether there was anything. What ":open"
 * leads to becomes `onwards`. */
bool linear_look_up(struct talk *t, const char *line, bool *found);
void linear_look_up_end(struct talk *t);
/* Reports what is wrong with the step that is open, or with the question that a round asked last,
 * and prints where to. */
void linear_report(struct talk *t, const char *words);

/* ── input (input.c) ───────────────────────────────────────────────────────────────────────────*/
/* Prompts and reads a line, without its end; NULL at the end of input. The caller owns it. An
 * edited lesson is reloaded while waiting, and its page printed. Outside of lessons it has done
 * what the prompt does for everyone who asks, and reads on. */
char *linear_read_line(struct talk *t);
/* Whether a line is that word, with or without its colon. */
bool linear_is_word(const char *line, const char *word);

/* ── reading aloud (aloud.c) ───────────────────────────────────────────────────────────────────*/
/* Has the prose of the step or of the whole lesson read aloud, and returns when that has ended or
 * the learner typed a line. */
void linear_read_step(struct talk *t);
void linear_read_lesson(struct talk *t);

/* ── labs (lab.c) ──────────────────────────────────────────────────────────────────────────────*/
/* Runs the lab that is asked for, or plays its recordings, and prints what comes of it. True if the
 * lesson ended. */
bool linear_run_lab(struct talk *t, bool recorded);
/* ── a memo (memo.c) ───────────────────────────────────────────────────────────────────────────*/
/* Takes a line while a memo is to be written. True if the lesson ended. */
bool linear_do_memo(struct talk *t, const char *line);

/* ── the speed challenge (speed.c) ─────────────────────────────────────────────────────────────*/
/* what one types for it at the list */
#define LINEAR_SPEED "speed"
/* A round of a minute on all subjects, which a learner at the list asked for, and goes back to. */
int linear_take_speed(struct talk *t);

/* ── what else home has (home.c) ───────────────────────────────────────────────────────────────*/
/* Prints what there is to do today in minutes, where a lesson was left, the learner's job and the
 * case of the week. */
void linear_home_print(struct talk *t);
/* Whether a line is about the job or about what was suspended; then it is done, and what came of it
 * printed. */
bool linear_home_takes(struct talk *t, const char *line);
bool linear_home_has_case(struct talk *t);
/* Lists the named labs. */
void linear_print_labs(struct talk *t);
/* The name that opens the lab of a line such as "straggler" or "lab straggler"; the caller's, NULL
 * if it names none. */
char *linear_lab_meant(const char *line);

/* ── choosing a lesson (course.c) ──────────────────────────────────────────────────────────────*/
/* Lists the course and asks; the lesson's id, the caller's, or NULL if none was chosen. */
char *linear_choose_lesson(struct talk *t, bool *ended);
/* Asks without the list. */
char *linear_ask_lesson(struct talk *t, bool *ended);

#endif
