/* handler.h: the small common core on which every kind of step is built. Private to lesson.
 *
 *   lesson_do ──▶ handler of the step (a row in dialogue.c) ──▶ show_*, ask_*, record_* ──▶ events
 *
 * A handler never writes to the queue or the journal itself. Texts of events live in `events`,
 * those of the question in `asking`; the first is emptied by each action, the second moves into the
 * first when a new question replaces the old one. */
#ifndef LESSON_HANDLER_H
#define LESSON_HANDLER_H

#include "lesson/parsed.h"

/* events.c: things that live until a moment: texts, arrays, and references to JSON. {0} keeps
 * nothing. */
struct kept;
struct keep {
    struct kept *first;
};
void *lesson_keep_alloc(struct keep *k, size_t size);
char *lesson_keep_text(struct keep *k, const char *s); /* a copy */
/* takes over what base_format() and the like gave */
char *lesson_keep_owned(struct keep *k, char *owned);
json_t *lesson_keep_json(struct keep *k, json_t *owned); /* takes over one reference */
void lesson_keep_free(struct keep *k);

/* One try at a problem: its numbers, and what was done with them. */
struct attempt {
    int number;
    uint64_t seed;
    /* NULL if the lesson gave none */
    json_t *variant;
    /* the deepest level seen */
    int hints;
    /* earlier tries whose numbers the learner passed over without an answer */
    int passed;
    struct account_problem problem;
    struct account_solution solution;
};

enum { SLIDERS_MOST = OPTIONS_MOST };
struct form_ops;
/* of the step it stands on; zeroed when another is entered */
struct step_state {
    struct attempt attempt;
    /* problem: how its answers are asked and judged */
    const struct form_ops *form;
    /* what the handler counts: lines shown, part of the question */
    int phase;
    /* nothing is open any more: next leaves */
    bool settled;
    /* that one can stop here was told */
    bool rested;
    /* problem: its answer was kept before, and is only shown again */
    bool recalled;
    /* order: which item is shown at each place */
    size_t place[OPTIONS_MOST];
    /* explore */
    size_t position[SLIDERS_MOST];
    /* choices: the one picked and the right one, from 1 */
    size_t said, truth;
    /* sheet: the line asked */
    size_t line;
    /* the line that had its last hint, from 1 */
    size_t hinted;
    /* the line that was told so, from 1 */
    size_t no_more;
    /* the line whose own hint was given, from 1 */
    size_t told;
    /* sheet: what was answered, NaN where nothing was */
    double given[ACCOUNT_LINES];
    /* sheet: as lesson_sheet_line.state */
    enum lesson_line line_state[ACCOUNT_LINES];
    /* sheet: the mistake of the first line that had one */
    char mistake[160];
    /* lab: of each run of the latest go, as lesson_run has it */
    json_t *measured;
    /* lab: how often it was run, this time included */
    int go;
    /* lab: runs of this time have come */
    bool going;
    /* lab: amounts that the journal has from before; the next is one more try */
    int amounts;
    /* lab: as they were typed, "" if there is none */
    char guess[32], amount[64];
    /* memo: the number of the case, from 1 */
    int written;
    /* memo: those of the one that passed */
    struct memo_question question[MEMO_QUESTIONS];
    size_t questions, question_at;
};

/* What a drill keeps of a step that was answered in it. */
struct outcome {
    bool answered;
    /* what was right or covered, of how many */
    size_t got, of;
    double seconds;
    /* what was missed, Markdown; NULL if nothing was */
    char *missed;
};

struct lesson_dialogue {
    const struct lesson *lesson;
    struct lesson_source source;
    struct lesson_journal journal;
    uint64_t seed;
    size_t at;
    bool finished, over;
    /* it came here by GOTO and has done nothing yet: the place stays where it was */
    bool visiting;
    /* the step's id that the journal remembers, "" if none */
    char place[64];
    /* another program on the same record answered this try first */
    bool overtaken;
    struct lesson_event *queue;
    size_t queued, read, capacity;
    struct keep events, asking;
    /* NULL once it is over */
    struct lesson_ask *ask;
    int64_t asked_at;
    /* of the action that is done */
    const struct memo_context *memo;
    /* of a drill: of each of its steps; else NULL */
    struct outcome *outcome;
    struct step_state state;
};

/* ── what a kind of step does (dialogue.c has the table); a NULL member means the common answer ─*/
struct step_ops {
    void (*enter)(struct lesson_dialogue *d);
    /* the page again, as far as the learner has come; NULL: what `enter` shows */
    void (*repeat)(struct lesson_dialogue *d);
    void (*answer)(struct lesson_dialogue *d, const char *text);
    /* false: leave the step */
    bool (*next)(struct lesson_dialogue *d);
    /* past all that the step asks; NULL or false: what `next` does */
    bool (*skip)(struct lesson_dialogue *d);
    void (*hint)(struct lesson_dialogue *d);
    void (*worked)(struct lesson_dialogue *d);
    void (*fresh)(struct lesson_dialogue *d);
    void (*move)(struct lesson_dialogue *d, size_t index, int by);
    void (*ran)(struct lesson_dialogue *d, const char *why);
    /* other words: the field that has them; false if it has none */
    bool (*reword)(struct lesson_dialogue *d, const char *field);
};
extern const struct step_ops lesson_step_say, lesson_step_predict, lesson_step_explore,
    lesson_step_worked, lesson_step_problem, lesson_step_myth, lesson_step_aloud,
    lesson_step_animate, lesson_step_lab, lesson_step_read, lesson_step_memo, lesson_step_result,
    lesson_step_card;

/* ── what every handler needs (events.c) ───────────────────────────────────────────────────────*/
const json_t *lesson_step_json(const struct lesson_dialogue *d);
/* Whether it asks what was chosen, what comes back today or a drill: each thing once. */
bool lesson_in_queue(const struct lesson_dialogue *d);
/* In a drill: keeps how this step came out. Takes over `missed`. */
void lesson_drilled(struct lesson_dialogue *d, size_t got, size_t of, char *missed);
/* Whether it is nothing that one comes back to: a queue, or the case of the week. */
bool lesson_is_alone(const struct lesson_dialogue *d);
/* A member of the step as text, or NULL. */
const char *lesson_step_text(const struct lesson_dialogue *d, const char *name);

/* Blocks of the page. Texts are copied; the _owned ones are taken over. */
void lesson_show(struct lesson_dialogue *d, enum lesson_tone tone, const char *text);
struct lesson_event *lesson_show_owned(struct lesson_dialogue *d, enum lesson_tone tone,
                                       char *text);
void lesson_show_figure(struct lesson_dialogue *d, enum lesson_tone tone, const char *text,
                        const json_t *figure);
void lesson_show_trouble(struct lesson_dialogue *d, const char *before,
                         const struct base_message *m);
void lesson_show_hint(struct lesson_dialogue *d, int level, char *text);
struct lesson_event *lesson_show_verdict(struct lesson_dialogue *d, const char *verdict,
                                         char *text);
struct lesson_event *lesson_show_end(struct lesson_dialogue *d, char *text);
/* Words that are no Markdown, such as what a learner typed, as Markdown that shows them as they
 * stand; the caller's. */
char *lesson_literally(const char *words);
/* The same, kept as long as the events. */
const char *lesson_show_literally(struct lesson_dialogue *d, const char *words);
/* What a learner typed where a command, a number or a name was expected, as Markdown that shows it
 * as code, which no voice puts into other words; kept as long as the events. */
const char *lesson_show_typed(struct lesson_dialogue *d, const char *line);
/* What is shown from now on belongs on a clean page. */
struct lesson_event *lesson_show_turn(struct lesson_dialogue *d);
/* Gives an event the options that are asked, with the one picked and the right one (from 1). */
void lesson_show_picked(struct lesson_dialogue *d, struct lesson_event *e, size_t said,
                        size_t truth);
/* An empty event of the step it stands on, at the queue's end; valid until the next one. */
struct lesson_event *lesson_show_event(struct lesson_dialogue *d, enum lesson_event_kind kind);

/* The question. lesson_ask_begin() replaces the old one; lesson_ask_pose() makes it an event and
 * starts its clock. */
struct lesson_ask *lesson_ask_begin(struct lesson_dialogue *d, enum lesson_form form, char *prompt);
const char **lesson_ask_options(struct lesson_dialogue *d, size_t count);
const char **lesson_ask_bins(struct lesson_dialogue *d, size_t count);
const char *lesson_ask_text(struct lesson_dialogue *d, const char *text);
void lesson_ask_pose(struct lesson_dialogue *d);
/* Nothing more to answer here: Enter goes on. */
void lesson_ask_next(struct lesson_dialogue *d);
/* "your answer, in GB"; `what` is "your answer" or a line's label. */
char *lesson_ask_prompt(const struct lesson_dialogue *d, const char *what, enum account_unit unit);
/* The unit as it stands behind a field. */
const char *lesson_ask_unit(const struct lesson_dialogue *d, enum account_unit unit);

/* record.c: answers into the journal, and what it remembers. */
struct record {
    const char *line, *typed, *verdict, *mistake;
    double value;
};
/* Keeps an answer of this try. If the journal fails, says so and returns false: the question stays
 * open. It is false too if the try was answered elsewhere meanwhile: then the dialogue says so and
 * goes on to the next try once the handler has returned. */
bool lesson_record_answer(struct lesson_dialogue *d, struct record r);
/* The place: this step, which ends a visit. Says so if it cannot be kept. */
void lesson_record_place(struct lesson_dialogue *d);
/* Whether the lesson is finished and the place is its last page, so that nothing is left to
 * resume. */
bool lesson_gone_through(const struct lesson_dialogue *d);
/* What is kept of this step. */
struct past_line {
    char id[32];
    char verdict[16];
    char mistake[160];
    char typed[160];
    double value;
};
struct past {
    /* the latest, 0 if there is none */
    int try;
    /* of that try */
    uint64_t seed;
    /* the latest whole verdict of that try, "" if it has none */
    char verdict[16];
    /* what was typed then */
    char typed[2001];
    double value;
    /* the deepest of that try */
    int hints;
    /* the variant of that try (a reference), or NULL */
    json_t *problem;
    /* a queue with fresh numbers began it */
    bool fresh;
    /* of all tries, those whose numbers were passed over */
    int passed;
    size_t lines;
    struct past_line line[ACCOUNT_LINES];
};
struct past lesson_record_past(struct lesson_dialogue *d);
void lesson_past_free(struct past *p);

/* attempt.c: tries. Each fills state.attempt; false if the lesson gave no numbers (said already;
 * Enter skips, fresh tries again). */
bool lesson_attempt_resume(struct lesson_dialogue *d, struct past *past);
bool lesson_attempt_next(struct lesson_dialogue *d);
bool lesson_attempt_begin(struct lesson_dialogue *d, int number);
/* Begins the try that was answered, with its numbers. The answer is shown again, not kept again. */
void lesson_attempt_recall(struct lesson_dialogue *d, const struct past *past);
/* For steps that do not vary: the try's number alone. */
void lesson_attempt_plain(struct lesson_dialogue *d, int number);
void lesson_attempt_free(struct attempt *a);

/* feedback.c: solutions as Markdown (code blocks whose columns are aligned). The caller owns
 * them. */
char *lesson_working_lines(const struct account_solution *s, size_t from, size_t to);
/* All lines with their values right-aligned, and the notes of those that have one below each
 * other. */
char *lesson_working_noted(const struct account_solution *s, char *const note[ACCOUNT_LINES]);

/* A judgement in words. The caller owns them. */
char *lesson_feedback_judgement(const struct account_judgement *j,
                                const struct account_solution *s);
char *lesson_feedback_unreadable(const struct account_judgement *j);
/* The mistakes' ids, "a|b" where it is either or, "a+b" where it is both; or "". */
const char *lesson_feedback_ids(const struct account_judgement *j, char *out, size_t size);
/* Where a guess comes from, in a few sentences that never call it wrong. */
char *lesson_feedback_guess(const struct account_guess *g, const struct account_problem *p);
/* The same in a few words: "the gradients were forgotten"; "" if it is right, or no one's. The
 * caller's. */
char *lesson_feedback_whose(const struct account_guess *g);
/* Which mistakes give the number, with the line of arithmetic and the step that is wrong. */
void lesson_feedback_diagnosis(struct base_text *t, const struct account_judgement *j);
/* The engine's remark on how it was typed, if there is one. */
void lesson_feedback_note(struct base_text *t, const struct account_judgement *j);

/* measured.c: what runs of a lab weighed. The table (the caller's, NULL if there is none), and in
 * words how it compares with what was predicted. */
json_t *lesson_measured_figure(const json_t *runs);
char *lesson_measured_words(const json_t *runs);

/* contrast.c: the guess and the truth as bars, the caller's, and pile by pile if the truth is a sum
 * of piles; NULL if there is nothing to compare. And of an answer whose mistake was made for the
 * third time or oftener, that it was, with both bars. */
json_t *lesson_guess_figure(const struct lesson_dialogue *d, const struct account_guess *g);
void lesson_contrast_show(struct lesson_dialogue *d, const struct record *r);
/* The figure of a problem that is settled, with the bars that it left open. */
void lesson_show_known(struct lesson_dialogue *d);

/* pick.c: what was typed where options are asked. */
/* "2", "b", "B)" → 1. False if it is none of `count` options. */
bool lesson_pick_one(const char *text, size_t count, size_t *out);
/* Finds the option of what is asked: by its number or letter, or by its whole text in either case.
 * False if there is none. */
bool lesson_pick_asked(const struct lesson_ask *a, const char *text, size_t *out);
/* "3 1 2", "c, a, b": at most `capacity` of them; false with the offending word in `bad`. */
bool lesson_pick_many(const char *text, size_t count, size_t *out, size_t capacity, size_t *got,
                      char bad[32]);
/* The next word of *s (letters, digits, signs; separated by blanks, commas, semicolons) into
 * `word`; false at the end. */
bool lesson_pick_word(const char **s, char *word, size_t size);
char lesson_pick_letter(size_t i); /* 'a', 'b', … */

/* attempt.c: a problem's question and its verdict, whatever its form. */
/* A check asks each problem once, and does not help. */
bool lesson_in_check(const struct lesson_dialogue *d);
/* Shows the question of this try. */
struct lesson_event *lesson_problem_state(struct lesson_dialogue *d);
/* Shows the question and poses it as its form does. `past` is the record of a try to resume, or
 * NULL. */
void lesson_problem_present(struct lesson_dialogue *d, const struct past *past);
/* The next try. */
void lesson_problem_again(struct lesson_dialogue *d);
/* Records a whole verdict and tells it: a right one waits for Enter, a missed one brings fresh
 * numbers. `text` is taken over. False if it could not be kept: nothing was told, and the question
 * is still open. */
bool lesson_problem_verdict(struct lesson_dialogue *d, struct record r, char *text);
/* What could not be read is kept and told, and the question stays. `text` is taken over. */
void lesson_problem_unreadable(struct lesson_dialogue *d, const char *line, const char *typed,
                               char *text);
/* The question of this try with its form's answer asked: what is common to all forms of
 * problems. */
struct lesson_ask *lesson_problem_ask(struct lesson_dialogue *d, enum lesson_form form_asked,
                                      char *prompt);

/* ── problems by form ──────────────────────────────────────────────────────────────────────────*/
struct form_ops {
    const char *name;
    /* said before the next try */
    const char *again;
    /* after a right answer too */
    bool show_working;
    /* Readies the state for a new variant, or for one that is resumed (`past` not NULL). */
    void (*ready)(struct lesson_dialogue *d, const struct past *past);
    /* of one that is resumed, what was said of its parts, on a page before it; NULL: nothing */
    void (*remind)(struct lesson_dialogue *d, const struct past *past);
    void (*pose)(struct lesson_dialogue *d);
    void (*answer)(struct lesson_dialogue *d, const char *text);
    /* a hint for the asked line, if the author's are about other lines; NULL: none */
    char *(*own_hint)(struct lesson_dialogue *d);
    /* level 3: a worked line */
    char *(*last_hint)(struct lesson_dialogue *d);
    /* the whole solution */
    char *(*working)(struct lesson_dialogue *d);
};
extern const struct form_ops lesson_form_number, lesson_form_sheet, lesson_form_choice,
    lesson_form_order, lesson_form_sort;

#endif
