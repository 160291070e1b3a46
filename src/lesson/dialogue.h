/* lesson/dialogue.h: a front end takes a lesson by sending actions and reading events. It draws the
 * events and nothing else:
 *
 *     lesson_dialogue_open ──▶ events … ──▶ (learner) ──▶ lesson_do(action) ──▶ events …
 *                                                                          ──▶ LESSON_END */
#ifndef LESSON_DIALOGUE_H
#define LESSON_DIALOGUE_H

#include "lesson/data.h"
#include "memo/memo.h"

/* Begins the sentence of a verdict that gives the right answer. */
#define LESSON_TRUTH "The right answer: "

enum lesson_tone {
    LESSON_PLAIN,
    LESSON_QUIET,
    LESSON_GOOD,
    LESSON_BAD,
    LESSON_HINT_TONE,
    LESSON_ASKING,
    LESSON_TONES
};
/* What kind of answer is awaited. */
enum lesson_form {
    /* none: Enter goes on */
    LESSON_NEXT,
    /* a number with unit, or an expression */
    LESSON_NUMBER,
    /* the same, for one line of a worksheet */
    LESSON_LINE,
    /* "2" or "b": one of `options` */
    LESSON_CHOICE,
    /* "3 1 2": all of `options`, first to last */
    LESSON_ORDER,
    /* "1=a 2=b 3=a": each of `options` into one of `bins` */
    LESSON_SORT,
    /* "1 3": which of `options` were covered; empty is an answer */
    LESSON_TICKS,
    /* explore: "gpus=16", or LESSON_DO_MOVE; Enter goes on. With `scenes`:
     * animate */
    LESSON_SLIDERS,
    /* lab: `lab` is to be run: lesson_ran() for each of its runs, then
     * LESSON_DO_RAN; next goes on without */
    LESSON_RUN,
    /* memo: `memo` is to be written, in a file of the learner's; the answer is its
     * text */
    LESSON_WRITE,
    /* free text, kept and compared with nothing (say_aloud); empty is allowed */
    LESSON_TEXT,
    LESSON_FORMS
};
enum lesson_event_kind {
    /* a step begins: clear the page. `index`, `count`, `step_kind`, `item` */
    LESSON_STEP,
    /* a block of the page: `text` (Markdown) and/or `figure` in a `tone` */
    LESSON_SHOW,
    /* an answer is awaited: `ask` */
    LESSON_ASK,
    /* what became of the answer: `verdict`, `right`, `text` explains. The answer is already
     * durable */
    LESSON_VERDICT,
    /* `text`, `level` 1 to 3 */
    LESSON_HINT,
    /* The figure changed, it replaces the one shown; `figure`. Of explore and animate also `ask`
     * with the new positions; of animate `text` is what the frame says; of a problem the answer is
     * in it now */
    LESSON_LEDGER,
    /* The next blocks belong on a clean page: a new statement of the problem, or the result of a
     * guess. The learner first reads the blocks before this event, and then continues. */
    LESSON_TURN,
    /* something failed, in words for a learner; the dialogue goes on: `text` */
    LESSON_TROUBLE,
    /* the lesson is over or was left */
    LESSON_END
};
struct lesson_slider {
    /* the value now, for people */
    const char *label, *value;
    size_t position, count;
    /* the values that it can have, "2, 4, 8"; NULL for those of a play */
    const char *values;
};
/* The state of a play (account/play/play.h) that a front end needs to animate it. */
struct lesson_play {
    const struct account_play *row;
    /* Milliseconds for which this frame stays at the usual speed, and those that a play waits
     * before it begins, while the learner reads the step's text. */
    uint32_t ms, opening_ms;
    /* Frames that a step leads to; they may lie further than one. */
    size_t back, next;
    /* Which frame this is as a learner counts them, from 1, and how many there are. */
    unsigned number, numbers;
    /* The figure's title says both. */
    bool titled;
    /* The frame at which it asks, if that is ahead, else its last: what is between may be passed
     * over. */
    size_t ahead;
    /* The next frame that begins something new, or the last: for whom a picture does not show what
     * is between. */
    size_t part;
    /* It has stopped and asks this; the answer is a digit, one of so many from 0. NULL: nothing is
     * asked. */
    const char *question;
    unsigned digits;
};
/* The state of a line of a sheet. ASKED is the blank line that is asked now, and only for drawing.
 */
enum lesson_line {
    LESSON_LINE_GIVEN,
    LESSON_LINE_BLANK,
    LESSON_LINE_ASKED,
    LESSON_LINE_RIGHT,
    LESSON_LINE_WRONG
};
/* a worksheet's lines, known and blank, for drawing it whole; or a worked solution's */
struct lesson_sheet_line {
    /* the formula is given on lines that are known, else ""; of a worked solution always */
    const char *id, *label, *formula;
    /* what an answered line should have been, "it is 14 GB", if it is something else, else "" */
    const char *must;
    /* "14 GB" once known or answered, else ""; of a worked solution always */
    const char *value;
    /* worked: Markdown, what is said of the line, or "" */
    const char *note;
    /* its true bytes, for a bar once they are known; 0 if it has none */
    double amount;
    enum lesson_line state;
};
/* the most steps that an end leads back to */
enum { LESSON_AGAIN = 6 };
/* where a page leads to */
struct lesson_lead {
    /* ids */
    const char *lesson, *step;
};
#define LESSON_MY_JOB "my job"
struct lesson_ask {
    enum lesson_form form;
    /* "your answer, in GB", "params, in GB": never empty for forms that take text */
    const char *prompt;
    /* "GB" or "" */
    const char *unit;
    size_t options;
    /* Markdown, one line each */
    const char *const *option;
    size_t bins;
    const char *const *bin;
    size_t sliders;
    const struct lesson_slider *slider;
    /* the answer LESSON_MY_JOB sets the sliders to the learner's own training */
    bool own;
    /* animate: slider 0 is the frame, the others are the play's options; read: slider 0 is the
     * note */
    bool scenes;
    /* animate; else NULL */
    const struct lesson_play *play;
    /* of scenes: position 0 is the first note already, the last position all of them */
    bool notes;
    /* lab: its name: while it is to be run, and once it was (LESSON_DO_FRESH runs it again); else
     * NULL */
    const char *lab;
    /* lab: what was guessed, and what it is; the same pointer if that was right; NULL if nothing
     * was guessed */
    const char *guess, *truth;
    /* lab: the amount that was estimated, and what it is where that is known before the runs, in
     * words; NULL if none was */
    const char *estimate;
    /* memo: its name, also once it passed (LESSON_DO_FRESH brings another case); else NULL */
    const char *memo;
    /* and what it is before anything is written: Markdown */
    const char *memo_begins;
    /* worksheet: all its lines; `line` is the one asked. Worked: all its lines; `line` of them are
     * known. */
    size_t lines;
    const struct lesson_sheet_line *sheet;
    size_t line;
    /* what to look at again, in the order of its list: for the result of a review lessons, for that
     * of a check its own problems */
    size_t leads;
    const struct lesson_lead *lead;
    bool graded;
    /* a card: NEXT turns it, then the first option says that it was known */
    bool card;
    /* LESSON_DO_HINT gives something */
    bool hints;
    /* LESSON_DO_WORKED gives something */
    bool worked;
    /* LESSON_DO_FRESH gives something: in problems, even if no numbers could be made; from a
     * result, another round */
    bool fresh;
    /* predict: a guess is asked, or was made; LESSON_DO_FRESH asks for another */
    bool guesses;
    /* say: the member of the step whose words are shown, "text", "briefly" or "slowly", else
     * NULL; it has other words, for LESSON_DO_BRIEFLY and LESSON_DO_SLOWLY */
    const char *words;
    bool briefly, slowly;
    /* lab: it was run, and what was measured is kept */
    bool ran;
    /* this step is the lesson's natural stop, which is said once */
    bool rest;
    /* 1 for the first; and without those whose numbers were passed over */
    int try, counted;
};
struct lesson_event {
    enum lesson_event_kind kind;
    enum lesson_tone tone;
    enum lesson_step_kind step_kind;
    /* steps: index from 0 */
    size_t index, count;
    /* "1.1/two-bytes" */
    const char *item;
    /* the step's id, for LESSON_DO_GOTO: "two-bytes" */
    const char *step;
    /* a short title of the step, or "" */
    const char *title;
    /* Markdown, or NULL */
    const char *text;
    /* a figure's spec (page.h), or NULL */
    const json_t *figure;
    /* explore, LEDGER: the figure before the move */
    const json_t *figure_was;
    const struct lesson_ask *ask;
    /* as in lesson_answer */
    const char *verdict;
    bool right;
    /* animate, LEDGER: nothing begins in this frame; `text`, its sentence, may do without figure */
    bool between;
    /* the lesson was gone through to its end (LESSON_END) */
    bool done;
    /* the options of a choice that was made, which one was picked and which is right, from 1 */
    size_t options, said, truth;
    const char *const *option;
    /* SHOW: the question was shown before, and appears again on a new page; TURN: so it does there
     */
    bool repeated;
    /* SHOW: the sum of what the runs of a lab measured */
    bool measured;
    /* the label of the sheet's line that the verdict judges, or NULL; the verdict on the next line
     * takes its place */
    const char *of_line;
    /* the line of the sheet shows all that is said (VERDICT, and SHOW of a worked line) */
    bool in_sheet;
    int level;
    /* Markdown list of the step's sources, or NULL (LESSON_STEP) */
    const char *sources;
    /* ids of the steps to look at again, numbered in the text (LESSON_END, of a lesson that is
     * over) */
    size_t again;
    const char *const *again_at;
    /* what the last page led to, which stays open (LESSON_END) */
    size_t leads;
    const struct lesson_lead *lead;
};
enum lesson_action_kind {
    /* go on; leaves an open question unanswered */
    LESSON_DO_NEXT,
    /* the same, but in a lab of a lesson it leaves out all guesses and the run, and in a lab
     * outside of lessons only the guesses */
    LESSON_DO_SKIP,
    /* the step before */
    LESSON_DO_BACK,
    /* to a step; `text` is its id: the one that comes next, or a visit to another */
    LESSON_DO_GOTO,
    /* to the step at which the lesson was opened: always a visit */
    LESSON_DO_VISIT,
    /* the page of this step again: a play at its frame, sliders where they are */
    LESSON_DO_REPEAT,
    /* `text` as the form asks */
    LESSON_DO_ANSWER,
    /* the next level */
    LESSON_DO_HINT,
    /* the solution of this try, line by line; then fresh numbers */
    LESSON_DO_WORKED,
    /* fresh numbers without an answer */
    LESSON_DO_FRESH,
    /* explore, animate: slider `index` by `by` positions */
    LESSON_DO_MOVE,
    /* say: in fewer words, in more and shorter sentences; back to its own words if they are there
     */
    LESSON_DO_BRIEFLY,
    LESSON_DO_SLOWLY,
    /* lab: it is over; `text` says why it could not be run at all, else NULL */
    LESSON_DO_RAN,
    LESSON_DO_LEAVE
};
struct lesson_action {
    enum lesson_action_kind kind;
    const char *text;
    size_t index;
    int by;
    /* an answer that is a memo: what it is checked with; or NULL */
    const struct memo_context *memo;
};
/* The journal remembers a place. NEXT, BACK, LEAVE, every answer and GOTO the step that comes next
 * store the step they lead to. Any other GOTO only looks something up: it and the BACKs after it
 * store nothing, so a lesson that is left then resumes where it was. That ends with an answer, or
 * with NEXT from the visited step. Opening stores nothing. A lesson is finished when the learner
 * goes on through it to the recap, or from the recap to the end; from a recap that is only visited
 * NEXT leaves as LEAVE does. In a review or a check NEXT leads from a visited step back to the
 * place, and GOTO works even after the end. */
struct lesson_dialogue;
/* Opens a lesson at the place that the journal remembers, or at the step after it if that place is
 * a question that was settled. It opens at its first step if there is no place, if that step is
 * gone, or if the lesson was gone through and left on its last page.
 * `seed` is the learner's: with the item's name and the try's number it makes each variant. The
 * lesson, source and journal must outlive the dialogue. */
struct lesson_dialogue *lesson_dialogue_open(const struct lesson *l, struct lesson_source source,
                                             struct lesson_journal journal, uint64_t seed,
                                             struct base_message *m);
void lesson_dialogue_free(struct lesson_dialogue *d);
/* The next event, or NULL if an action is awaited. Valid until the next lesson_do(). */
const struct lesson_event *lesson_event(struct lesson_dialogue *d);
/* Does an action and reads all its events. Returns the last figure among them, the caller's; NULL
 * if there is none. `begins`, which may be NULL, says whether something begins in its frame. */
json_t *lesson_figure_after(struct lesson_dialogue *d, struct lesson_action a, bool *begins);
/* Whether `ask` is a play at its last frame, or not a play. */
bool lesson_play_is_over(const struct lesson_ask *ask);
/* What is awaited now (NULL after the end), for redrawing and for reading keys. */
const struct lesson_ask *lesson_asked(const struct lesson_dialogue *d);
/* Performs the action and queues events. An answer is judged and given to the journal, and only
 * then does its verdict become an event. If the journal fails, LESSON_TROUBLE says so and the
 * question stays open. If another program on the same record answered this try first, the answer is
 * not judged: an event says so, and fresh numbers follow. */
void lesson_do(struct lesson_dialogue *d, const struct lesson_action *a);
/* Keeps a run of the lab that the current step asks for. False with the message filled if it could
 * not be kept. Its measurement counts for this step even then. Queues no events. */
bool lesson_ran(struct lesson_dialogue *d, const struct lesson_run *r, struct base_message *m);
/* Whether a card shows its front only. */
bool lesson_card_unturned(const struct lesson_dialogue *d);
/* Whether the page leads to steps of its own lesson, as the result of a check does. */
bool lesson_leads_within(const struct lesson_dialogue *d);
/* Whether a question is open whose answer no panel may show, an unturned card too. True also while
 * a worked solution has lines left, and during a whole check, up to its result. */
bool lesson_question_open(const struct lesson_dialogue *d);
/* Whether a text, such as an explanation of a word, may tell what is asked: it contains the number,
 * within half a percent, or an option's words, perhaps by chance; or a card is not turned. */
bool lesson_gives_away(const struct lesson_dialogue *d, const char *text);
/* The id of the lesson that the current step was written in. */
const char *lesson_taught_in(const struct lesson_dialogue *d);
/* The problem of the current step with its present numbers: those of this try, or the step's own.
 * NULL if the step has none, or one without a fixed number of parameters or GPUs. Borrowed until
 * the next lesson_do(). */
const json_t *lesson_problem_now(const struct lesson_dialogue *d);
/* In a drill: what became of a step in it. */
enum lesson_came lesson_came_now(const struct lesson_dialogue *d, size_t i);
/* Milliseconds since the question was posed. */
int64_t lesson_asked_ms(const struct lesson_dialogue *d);
/* What the current step asks and with which numbers, the caller's: {"item","revision","try","seed",
 * "statement","numbers","solution"}. Seeds are text, since JSON's integers end earlier. An open
 * question comes without its solution. */
json_t *lesson_report(const struct lesson_dialogue *d);
/* The id of the current step. */
const char *lesson_where(const struct lesson_dialogue *d);
/* Of the step up to which the learner has come: the current one, or that from which a visit began,
 * "" if none was kept; NULL in a lesson that was finished. */
const char *lesson_reached(const struct lesson_dialogue *d);
/* The full stop that a sentence ending in these words still needs, or "" if they end in a
 * mark already, as in "True or false?". */
const char *lesson_stop_after(const char *words);
/* Puts an edited lesson in place of the old one, at the same step (or the nearest before it that
 * still exists). */
bool lesson_reload(struct lesson_dialogue *d, const struct lesson *l, struct lesson_source source,
                   struct base_message *m);

#endif
