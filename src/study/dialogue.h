/* dialogue.h: the small common core on which every kind of step is built. Not for other rooms.
 *
 *   study_do ──▶ handler of the step (a row of the table in steps.c) ──▶ show_*, ask_*, record_* ──▶ event queue
 *
 * A handler never writes to the queue or the journal itself. Texts of events live in `events`, those of the question in `asking`;
 * the first is emptied by each action, the second moves into the first when a new question replaces the old one. */
#ifndef STUDY_DIALOGUE_H
#define STUDY_DIALOGUE_H

#include "study/lesson.h"
#include "study/verdict.h"

/* keep.c: things that live until a moment: texts, arrays, and references to JSON. {0} keeps nothing. */
struct kept;
struct keep {
    struct kept *first;
};
void *keep_alloc(struct keep *k, size_t size);
char *keep_text(struct keep *k, const char *s); /* a copy */
char *keep_owned(struct keep *k, char *owned); /* takes over what base_format() and the like gave */
json_t *keep_json(struct keep *k, json_t *owned); /* takes over one reference */
void keep_move(struct keep *to, struct keep *from);
void keep_free(struct keep *k);

/* One try at a problem: its numbers, and what was done with them. */
struct attempt {
    int number;
    uint64_t seed;
    json_t *variant; /* NULL if the lesson gave none */
    int hints;       /* the deepest level seen */
    bool solved_before;
    struct account_problem problem;
    struct account_solution solution;
};

enum { SLIDERS_MOST = OPTIONS_MOST };
struct step_state { /* of the step it stands on; zeroed when another is entered */
    struct attempt attempt;
    int phase;                     /* what the handler counts: lines shown, part of the question */
    bool settled;                  /* nothing is open any more: next leaves */
    size_t place[OPTIONS_MOST];    /* order: which item is shown at each place */
    size_t position[SLIDERS_MOST]; /* explore */
    size_t line;                   /* sheet: the line asked */
    size_t hinted;                 /* the line that had its last hint, from 1 */
    size_t no_more;                /* the line that was told so, from 1 */
    double given[ACCOUNT_LINES];   /* sheet: what was answered, NaN where nothing was */
    int line_state[ACCOUNT_LINES]; /* sheet: as study_sheet_line.state */
    char slip[160];                /* sheet: the mistake of the first line that had one */
    json_t *measured;              /* lab: of each run of the latest go, as study_run has it */
    int go;                        /* lab: how often it was run, this time included */
    bool going;                    /* lab: runs of this time have come */
    char guess[32];                /* lab: as it was typed, "" if there is none */
    int written;                   /* memo: the number of the case, from 1 */
    struct memo_question question[MEMO_QUESTIONS]; /* memo: those of the one that passed */
    size_t questions, question_at;
};

struct study_dialogue {
    const struct study_lesson *lesson;
    struct study_source source;
    struct study_journal journal;
    uint64_t seed;
    size_t at;
    bool finished, over;
    bool visiting; /* it came here by GOTO and has done nothing yet: the place stays where it was */
    char place[64]; /* the step's id that the journal remembers, "" if none */
    bool overtaken; /* another program on the same record answered this try first */
    struct study_event *queue;
    size_t queued, read, room;
    struct keep events, asking;
    struct study_ask *ask; /* NULL once it is over */
    int64_t asked_at;
    const struct memo_context *memo; /* of the action that is done */
    struct step_state state;
};

/* ── what a kind of step does (steps.c has the table); a NULL member means the common answer ──────*/
struct step_ops {
    void (*enter)(struct study_dialogue *d);
    void (*answer)(struct study_dialogue *d, const char *text);
    bool (*next)(struct study_dialogue *d); /* false: leave the step */
    void (*hint)(struct study_dialogue *d);
    void (*worked)(struct study_dialogue *d);
    void (*fresh)(struct study_dialogue *d);
    void (*move)(struct study_dialogue *d, size_t index, int by);
    void (*ran)(struct study_dialogue *d, const char *why);
};
extern const struct step_ops step_read, step_predict, step_explore, step_worked, step_problem,
    step_myth, step_aloud, step_animate, step_lab, step_source, step_memo, step_result;

/* ── what every handler needs ────────────────────────────────────────────────────────────────────*/
const json_t *step_json(const struct study_dialogue *d);
/* A member of the step as text, or NULL. */
const char *step_text(const struct study_dialogue *d, const char *name);

/* show.c: blocks of the page. Texts are copied; the _owned ones are taken over. */
void show(struct study_dialogue *d, enum study_tone tone, const char *text);
void show_owned(struct study_dialogue *d, enum study_tone tone, char *text);
void show_figure(struct study_dialogue *d, enum study_tone tone, const char *text,
                 const json_t *figure);
void show_trouble(struct study_dialogue *d, const char *before, const struct base_message *m);
void show_hint(struct study_dialogue *d, int level, char *text);
struct study_event *show_verdict(struct study_dialogue *d, const char *verdict, char *text);
struct study_event *show_end(struct study_dialogue *d, char *text);
/* The full stop that a sentence ending in these words still needs, or "": what authors write may end by itself ("True or false?"). */
const char *stop_after(const char *words);
/* Words that are no Markdown, such as what a learner typed, as Markdown that shows them as they stand; the caller's. */
char *literally(const char *words);
/* The same, kept as long as the events. */
const char *show_literally(struct study_dialogue *d, const char *words);
/* An empty event of the step it stands on, at the queue's end; valid until the next one. */
struct study_event *show_event(struct study_dialogue *d, enum study_event_kind kind);

/* ask.c: the question. ask_begin() replaces the old one; ask_pose() makes it an event and starts its clock. */
struct study_ask *ask_begin(struct study_dialogue *d, enum study_form form, char *prompt);
const char **ask_options(struct study_dialogue *d, size_t count);
const char **ask_bins(struct study_dialogue *d, size_t count);
const char *ask_text(struct study_dialogue *d, const char *text);
void ask_pose(struct study_dialogue *d);
/* Nothing more to answer here: Enter goes on. */
void ask_next(struct study_dialogue *d);
/* "your answer, in GB"; `what` is "your answer" or a line's label. */
char *ask_prompt(const struct study_dialogue *d, const char *what, enum account_unit unit);
/* The unit as it stands behind a field. */
const char *ask_unit(const struct study_dialogue *d, enum account_unit unit);

/* record.c: answers into the journal, and what it remembers. */
struct record {
    const char *line, *typed, *verdict, *mistake;
    double value;
};
/* Keeps an answer of this try. If the journal fails, says so and returns false: the question stays open. It is false too if the try was
 * answered elsewhere meanwhile: then the dialogue says so and goes on to the next try once the handler has returned. */
bool record_answer(struct study_dialogue *d, struct record r);
/* The place: this step, which ends a visit. Says so if it cannot be kept. */
void record_place(struct study_dialogue *d);
/* What is kept of this step. */
struct past_line {
    char id[32];
    char verdict[16];
    char mistake[160];
    double value;
};
struct past {
    int try;          /* the latest, 0 if there is none */
    char verdict[16]; /* the latest whole verdict of that try, "" if it has none */
    char typed[256];  /* what was typed then */
    double value;
    int hints;       /* the deepest of that try */
    json_t *problem; /* the variant of that try (a reference), or NULL */
    size_t lines;
    struct past_line line[ACCOUNT_LINES];
};
struct past record_past(struct study_dialogue *d);
void past_free(struct past *p);

/* attempt.c: tries. Each fills state.attempt; false if the lesson gave no numbers (said already; Enter skips, fresh tries again). */
bool attempt_resume(struct study_dialogue *d, struct past *past);
bool attempt_next(struct study_dialogue *d);
bool attempt_number(struct study_dialogue *d, int number);
/* For steps that do not vary: the try's number alone. */
void attempt_plain(struct study_dialogue *d, int number);
void attempt_free(struct attempt *a);

/* fade.c: which lines of the sheet this try leaves blank. */
void fade_blanks(struct study_dialogue *d, bool blank[ACCOUNT_LINES]);

/* working.c: solutions as Markdown (code blocks whose columns are aligned). The caller owns them. */
char *working_lines(const struct account_solution *s, size_t from, size_t to);
char *working_all(const struct account_solution *s);
/* A value with four digits, in the unit. */
char *working_value(double value, enum account_unit unit);
/* ": 8 times as much", ": a third of that", ": 12 % more", or "" where there is nothing to compare. */
char *working_compare(double said, double truth);

/* feedback.c: a judgement in words. The caller owns them. */
char *feedback_judgement(const struct account_judgement *j, const struct account_solution *s);
char *feedback_unreadable(const struct account_judgement *j);
/* The mistakes' ids, "a|b" where it is either or, "a+b" where it is both; or "". */
const char *feedback_ids(const struct account_judgement *j, char *out, size_t size);
/* Which mistakes give the number, with the line of arithmetic and the step that slipped. */
void feedback_diagnosis(struct base_text *t, const struct account_judgement *j);
/* The engine's remark on how it was typed, if there is one. */
void feedback_note(struct base_text *t, const struct account_judgement *j);

/* measured.c: what runs of a lab weighed. The table (the caller's, NULL if there is none), and in words how it compares with what was
 * predicted. */
json_t *measured_figure(const json_t *runs);
char *measured_words(const json_t *runs);

/* pick.c: what was typed where options are asked. */
/* "2", "b", "B)" → 1. False if it is none of `count` options. */
bool pick_one(const char *text, size_t count, size_t *out);
/* "3 1 2", "c, a, b": at most `room` of them; false with the offending word in `bad`. */
bool pick_many(const char *text, size_t count, size_t *out, size_t room, size_t *got, char bad[32]);
/* The next word of *s (letters, digits, signs; separated by blanks, commas, semicolons) into `word`; false at the end. */
bool pick_word(const char **s, char *word, size_t size);
char pick_letter(size_t i); /* 'a', 'b', … */

/* ── problems by form ────────────────────────────────────────────────────────────────────────────*/
struct form_ops {
    const char *name;
    const char *again; /* said before the next try */
    bool show_working; /* after a right answer too */
    /* Readies the state for a new variant, or for one that is resumed (`past` not NULL). */
    void (*ready)(struct study_dialogue *d, const struct past *past);
    void (*pose)(struct study_dialogue *d);
    void (*answer)(struct study_dialogue *d, const char *text);
    char *(*last_hint)(struct study_dialogue *d); /* level 3: a worked line */
    char *(*working)(struct study_dialogue *d);   /* the whole solution */
};
extern const struct form_ops form_number, form_sheet, form_choice, form_order, form_sort;
/* Records a whole verdict and tells it: a right one waits for Enter, a missed one brings fresh numbers. `text` is taken over. False
 * if it could not be kept: nothing was told, and the question is still open. */
bool problem_verdict(struct study_dialogue *d, struct record r, char *text);
/* What could not be read is kept and told, and the question stays. `text` is taken over. */
void problem_unreadable(struct study_dialogue *d, const char *line, const char *typed, char *text);
/* The question of this try with its form's answer asked: what is common to all forms of problems. */
struct study_ask *problem_ask(struct study_dialogue *d, enum study_form form_asked, char *prompt);

#endif
