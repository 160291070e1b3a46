/* study: what is learned and how it is judged. Lessons as data, the dialogue of a lesson as events,
 * questions, verdicts, hints, fresh numbers. It knows account (and base), no Lua, no SQL, no terminal: what it needs
 * from those it declares here as two small interfaces, `lesson_source` and `lesson_journal`.
 *
 * Ownership: a lesson and a dialogue are freed by their own *_free(); everything reached through them is borrowed and lives
 * until the next lesson_do() (events) or the free (lesson data). */
#ifndef LESSON_H
#define LESSON_H

#include "account/account.h"
#include "base/base.h"
#include "memo/memo.h"

/* ── the two interfaces ──────────────────────────────────────────────────────────────────────────*/
/* Asks a lesson for a fresh variant: calls its function number `fn` with random numbers seeded by `seed`. The result is
 * the caller's. NULL with the message filled if the lesson failed, took too long or died. */
struct lesson_source {
    void *self;
    json_t *(*call)(void *self, int fn, uint64_t seed, struct base_message *m);
    /* Forgets whatever earlier calls left behind in the lesson, so that lint can see whether they did. NULL: nothing is ever left. */
    void (*restart)(void *self);
};

/* One run of a lab as it happened; `lab_run` keeps it beside its answer. Strings are borrowed. */
struct lesson_run {
    const char *lab;     /* "stage-ladder" */
    const char *variant; /* "stage 2" */
    const char *command; /* as one would type it */
    const char *events;  /* JSON Lines */
    const char *outcome; /* "ended", "failed" or "cancelled" */
    /* What was weighed, as the answer's problem: {"params":N, "rows":[{"what":"params","measured":B,"predicted":B|absent},…],
     * "loss":"…", "note":"…"}; NULL if the run did not come so far. */
    const json_t *measured;
    double seconds;
};
/* One answer as it happened; what `answer` keeps of it is documented at store. Strings are borrowed. */
struct lesson_answer {
    const char *item; /* "1.1/ddp-7b" */
    const char *line; /* the worksheet line's id, or "" */
    int try;          /* 1, 2, …: each try has its own seed */
    uint64_t seed;
    const json_t *problem; /* the variant itself */
    int lesson_revision;
    const char *typed;
    double value; /* base units; NaN if it is no number */
    const char *
        verdict; /* "right", "rounded", "unit", "mistake", "wrong", "unreadable", "noted" (ungraded) */
    const char *mistake; /* id, ids joined by '|', or "" */
    int hints;           /* deepest hint level seen before it: 0 to 3 */
    double seconds;
    const struct lesson_run
        *run; /* a run of a lab, which is the answer; NULL in what is read back */
};
struct
    lesson_place { /* where a lesson was left; the worksheet line and the try follow from the answers */
    char step[64]; /* the step's id; "" if never opened */
    bool finished; /* once it was gone through to the recap, whatever was answered on the way */
};
/* Keeps answers. When a function returns, what it was given is durable. All return false with the message filled. A
 * journal that several programs share refuses an answer whose item, line and try have one already; what is "unreadable" never was
 * one. */
struct lesson_journal {
    void *self;
    bool (*answer)(void *self, const struct lesson_answer *a, struct base_message *m);
    bool (*place_get)(void *self, const char *lesson, struct lesson_place *out,
                      struct base_message *m);
    bool (*place_set)(void *self, const char *lesson, const struct lesson_place *p,
                      struct base_message *m);
    /* Calls `each` with every answer kept for an item, oldest first; `a` lives during the call. */
    bool (*answers)(void *self, const char *item,
                    void (*each)(void *to, const struct lesson_answer *a), void *to,
                    struct base_message *m);
};

/* ── lessons as data ─────────────────────────────────────────────────────────────────────────────*/
enum lesson_step_kind { /* the names are in lesson_step_kind_name() */
                        LESSON_SAY,
                        LESSON_PREDICT,
                        LESSON_FIGURE,
                        LESSON_EXPLORE,
                        LESSON_WORKED,
                        LESSON_PROBLEM,
                        LESSON_MYTH,
                        LESSON_SAY_ALOUD,
                        LESSON_CARDS,
                        LESSON_RECAP,
                        LESSON_ANIMATE,
                        LESSON_LAB,
                        LESSON_READ,
                        LESSON_MEMO,
                        LESSON_STEP_KINDS
};
const char *lesson_step_kind_name(enum lesson_step_kind k);
enum { LESSON_MINUTES_MOST = 600 };
struct lesson; /* parsed and checked; see lessons/README.md for the JSON it is read from */
/* Reads and checks the lesson that a script returned. `name` is the file's name, for messages. NULL on error. */
struct lesson *lesson_read(const json_t *json, const char *name, struct base_message *m);
void lesson_free(struct lesson *l);
const char *lesson_id(const struct lesson *l);
const char *lesson_title(const struct lesson *l);
int lesson_minutes(const struct lesson *l);
size_t lesson_steps(const struct lesson *l);
/* The step as it was written: its "kind", "id", "text" … (borrowed). */
const json_t *lesson_step(const struct lesson *l, size_t i);
enum lesson_step_kind lesson_step_kind(const struct lesson *l, size_t i);
/* Whether the way through the lesson comes by this step: neither cards nor a problem that is kept for reviews and checks. */
bool lesson_step_passed(const struct lesson *l, size_t i);

/* Whether a lesson is done only once this step of it was answered: a graded problem on the way through it, or a memo. */
bool lesson_step_counts(const struct lesson *l, size_t i);

/* The course: phases, ids, titles, minutes, files, from lessons/course.json. After the lessons of phase k stand its review ("1r") and its
 * check ("1c"), which are made of the lessons' problems and have no file. */
enum lesson_kind { LESSON_ORDINARY, LESSON_REVIEW, LESSON_CHECK };
const char *lesson_kind_name(enum lesson_kind k); /* "lesson", "review", "check" */
struct lesson_entry {
    const char *id, *title,
        *file;          /* `file` is relative to lessons/, NULL if the lesson does not exist yet */
    int minutes, phase; /* phase counts from 0 */
    enum lesson_kind kind;
};
struct lesson_course {
    json_t *json;
    json_t *made; /* what the reviews and checks are called */
    size_t phases, lessons;
    const char *phase_title[8];
    struct lesson_entry lesson[64];
};
bool lesson_course_read(struct lesson_course *c, const json_t *json, struct base_message *m);
void lesson_course_free(struct lesson_course *c);

/* What became of a graded step: as it was last answered; in a check, in its round. */
enum lesson_came { LESSON_CAME_NOT, LESSON_CAME_WRONG, LESSON_CAME_RIGHT };
enum lesson_came lesson_came(const struct lesson *l, size_t i, struct lesson_journal journal);

/* ── reviews and checks ──────────────────────────────────────────────────────────────────────────
 * A review asks problems of several lessons again, mixed; a check asks a few of them, each once and without help. Both are lessons, whose
 * steps are those problems in an order of their own, and at the end a page that says how it went. Going through one is a round; each
 * round chooses anew. A step's id names its round, "2/1.3/one-stage", and the last one is "2/result": so a place tells both. */
enum { LESSON_CHECK_ASKS = 6 };
struct lesson_mix {
    enum lesson_kind
        kind; /* a review keeps answers under the problems' own items, a check under "1c/1.3-one-stage", its tries the rounds */
    const char *id, *title; /* "1r" */
    int round;              /* from 1 */
    uint64_t seed;          /* the learner's */
    size_t lessons;
    const struct lesson *const *lesson;
    const char *
        chosen; /* the ids of this round's steps, a blank between, where it was chosen before; or NULL */
    const char *opening;         /* what its first page says before it asks, Markdown; or NULL */
    const char *passed, *failed; /* check: what its last page says is next, Markdown */
};
/* The lesson, the caller's; it does not hold on to the lessons it was made of. A review prefers what was missed last, then what was never met,
 * and asks no two in a row of one lesson where there are several. A check takes one of each lesson and then goes round again, and problems that
 * ask for a number before others. NULL if there are no problems. */
struct lesson *lesson_mix(const struct lesson_mix *mix, struct lesson_journal journal,
                          struct base_message *m);
/* Which lesson (its place in `lesson`) a function of the mixed lesson belongs to; returns what it is called there. */
int lesson_mix_function(int fn, size_t *lesson);
/* The round that a place stands for: 0 if it is none. `over`: it stands on the last page. */
int lesson_mix_round(const char *place, bool *over);
/* Whether so many right answers in one round pass a check that asks so many. */
bool lesson_check_passes(size_t right, size_t asked);

/* ── the dialogue ────────────────────────────────────────────────────────────────────────────────
 * A lesson is taken by giving actions and reading events. Skins draw the events and nothing else:
 *
 *     lesson_dialogue_open ──▶ events … ──▶ (learner) ──▶ lesson_do(action) ──▶ events … ──▶ LESSON_END
 */
enum lesson_tone {
    LESSON_PLAIN,
    LESSON_QUIET,
    LESSON_GOOD,
    LESSON_BAD,
    LESSON_HINT_TONE,
    LESSON_ASKING,
    LESSON_TONES
};
enum lesson_form {                /* what kind of answer is awaited */
                   LESSON_NEXT,   /* none: Enter goes on */
                   LESSON_NUMBER, /* a number with unit, or an expression */
                   LESSON_LINE,   /* the same, for one line of a worksheet */
                   LESSON_CHOICE, /* "2" or "b": one of `options` */
                   LESSON_ORDER,  /* "3 1 2": all of `options`, first to last */
                   LESSON_SORT,   /* "1=a 2=b 3=a": each of `options` into one of `bins` */
                   LESSON_TICKS,  /* "1 3": which of `options` were covered; empty is an answer */
                   LESSON_SLIDERS, /* explore: "gpus=16", or LESSON_DO_MOVE; Enter goes on. With `scenes`: animate */
                   LESSON_RUN, /* lab: `lab` is to be run: lesson_ran() for each of its runs, then LESSON_DO_RAN; next goes on without */
                   LESSON_WRITE, /* memo: `memo` is to be written, in a file of the learner's; the answer is its text */
                   LESSON_TEXT, /* free text, kept and compared with nothing (say_aloud); empty is allowed */
                   LESSON_FORMS
};
enum lesson_event_kind {
    LESSON_STEP, /* a step begins: clear the page. `index`, `count`, `step_kind`, `item` */
    LESSON_SHOW, /* a block of the page: `text` (Markdown) and/or `figure` in a `tone` */
    LESSON_ASK,  /* an answer is awaited: `ask` */
    LESSON_VERDICT, /* what became of the answer: `verdict`, `right`, `text` explains. The answer is already durable */
    LESSON_HINT,   /* `text`, `level` 1 to 3 */
    LESSON_LEDGER, /* explore, animate: the figure changed, it replaces the one shown; `figure`, and `ask` with the new positions */
    LESSON_TROUBLE, /* something failed, in words for a learner; the dialogue goes on: `text` */
    LESSON_END      /* the lesson is over or was left */
};
struct lesson_slider {
    const char *label, *value; /* the value now, for people */
    size_t position, count;
};
struct lesson_sheet_line { /* a worksheet's lines, known and blank, for drawing it whole */
    const char *id, *label, *formula; /* the formula is given on lines that are known, else "" */
    const char *value;                /* "14 GB" once known or answered, else "" */
    int state; /* 0 given, 1 still blank, 2 asked now, 3 answered right, 4 answered wrong */
};
struct lesson_ask {
    enum lesson_form form;
    const char
        *prompt; /* "your answer, in GB", "params, in GB": never empty for forms that take text */
    const char *unit; /* "GB" or "" */
    size_t options;
    const char *const *option; /* Markdown, one line each */
    size_t bins;
    const char *const *bin;
    size_t sliders;
    const struct lesson_slider *slider;
    bool
        scenes; /* animate: slider 0 is the step (0 is before the first), slider 1, if there is one, the ranks; read: the note */
    const char *
        lab; /* lab: its name: while it is to be run, and once it was (LESSON_DO_FRESH runs it again); else NULL */
    const char *
        memo; /* memo: its name, also once it passed (LESSON_DO_FRESH brings another case); else NULL */
    const char *memo_begins; /* and what it is before anything is written: Markdown */
    size_t lines;            /* worksheet: all its lines; `line` is the one asked */
    const struct lesson_sheet_line *sheet;
    size_t line;
    bool graded;
    bool hints;  /* LESSON_DO_HINT gives something */
    bool worked; /* LESSON_DO_WORKED gives something */
    bool
        fresh; /* LESSON_DO_FRESH gives something: in problems, also where no numbers could be made */
    bool ran; /* lab: it was run, and what was measured is kept */
    int try;  /* 1 for the first */
};
struct lesson_event {
    enum lesson_event_kind kind;
    enum lesson_tone tone;
    enum lesson_step_kind step_kind;
    size_t index, count;  /* steps: index from 0 */
    const char *item;     /* "1.1/two-bytes" */
    const char *step;     /* the step's id, for LESSON_DO_GOTO: "two-bytes" */
    const char *title;    /* a short title of the step, or "" */
    const char *text;     /* Markdown, or NULL */
    const json_t *figure; /* a figure's spec (paper.h), or NULL */
    const struct lesson_ask *ask;
    const char *verdict; /* as in lesson_answer */
    bool right;
    bool in_sheet; /* the line of the sheet shows all that the verdict says */
    int level;
    const char *sources; /* Markdown list of the step's sources, or NULL (LESSON_STEP) */
    const char *
        open; /* the item of the first problem that is not right yet, or NULL (LESSON_END, of a lesson that is over) */
};
enum lesson_action_kind {
    LESSON_DO_NEXT,   /* go on; leaves an open question unanswered */
    LESSON_DO_BACK,   /* the step before */
    LESSON_DO_GOTO,   /* a visit to a step; `text` is its id */
    LESSON_DO_ANSWER, /* `text` as the form asks */
    LESSON_DO_HINT,   /* the next level */
    LESSON_DO_WORKED, /* the solution of this try, line by line; then fresh numbers */
    LESSON_DO_FRESH,  /* fresh numbers without an answer */
    LESSON_DO_MOVE,   /* explore, animate: slider `index` by `by` positions */
    LESSON_DO_RAN,    /* lab: it is over; `text` says why it could not be run at all, else NULL */
    LESSON_DO_LEAVE
};
struct lesson_action {
    enum lesson_action_kind kind;
    const char *text;
    size_t index;
    int by;
    const struct memo_context
        *memo; /* an answer that is a memo: what it is checked with; or NULL */
};
/* The place: NEXT, BACK, LEAVE and every answer keep the step they come to. GOTO looks something up: it and the BACKs after it keep
 * nothing, so that a lesson left then goes on where it was, until an answer is given or NEXT goes on from there. Opening keeps nothing.
 * A lesson is finished when NEXT leads through it to the recap, or from the recap to the end; from a recap that is only visited NEXT leaves
 * as LEAVE does. */
struct lesson_dialogue;
/* Opens a lesson at the place the journal remembers (first step if none, or if that step is gone). `seed` is the learner's: with the
 * item's name and the try's number it makes each variant. The lesson, source and journal must outlive the dialogue. */
struct lesson_dialogue *lesson_dialogue_open(const struct lesson *l, struct lesson_source source,
                                             struct lesson_journal journal, uint64_t seed,
                                             struct base_message *m);
void lesson_dialogue_free(struct lesson_dialogue *d);
/* The next event, or NULL if an action is awaited. Valid until the next lesson_do(). */
const struct lesson_event *lesson_event(struct lesson_dialogue *d);
/* What is awaited now (NULL after the end), for redrawing and for reading keys. */
const struct lesson_ask *lesson_asked(const struct lesson_dialogue *d);
/* Does what the learner wants and queues events. An answer is judged, given to the journal, and only then is its verdict an event;
 * if the journal fails, LESSON_TROUBLE says so and the question stays open. A try that another program on the same record answered
 * first is not judged again: that is said, and fresh numbers come. */
void lesson_do(struct lesson_dialogue *d, const struct lesson_action *a);
/* Keeps a run of the lab that the step it stands on asks for. False with the message filled if it could not be kept; its measurement counts
 * for this step all the same. Queues no events. */
bool lesson_ran(struct lesson_dialogue *d, const struct lesson_run *r, struct base_message *m);
/* The id of the step it stands on. */
const char *lesson_where(const struct lesson_dialogue *d);
/* Puts an edited lesson in place of the old one, at the same step (or the nearest before it that still exists). */
bool lesson_reload(struct lesson_dialogue *d, const struct lesson *l, struct lesson_source source,
                   struct base_message *m);

/* ── judging and variants, also for lint and tests ───────────────────────────────────────────────*/
/* Reads a problem from its JSON: {"kind":"bytes","training":{…},"quantity":"model_state","unit":"GB",…}. */
bool lesson_problem_read(const json_t *json, struct account_problem *out, struct base_message *m);
/* A legal variant of a step that varies: asks the source with seeds derived from `seed` until one is legal (64 at most). */
json_t *lesson_variant(const struct lesson *l, size_t step, struct lesson_source source,
                       uint64_t seed, struct base_message *m);
/* The seed of a try: hash of the learner's seed, the item, and the try's number. */
uint64_t lesson_seed(uint64_t learner, const char *item, int try);
/* The variant of a try: the first draw from its seed, and where that has the answer of a neighbouring try, another one, so that two
 * tries in a row differ where the step has several answers at all. The same (learner, item, try) always gives the same. `seed` is
 * what lesson_variant() makes it from again. The caller owns it; NULL with the reason. */
json_t *lesson_try(const struct lesson *l, size_t step, struct lesson_source source,
                   uint64_t learner, int try, uint64_t *seed, struct base_message *m);

/* Lint: checks what the lesson promises, over `seeds` seeds a varying step. Calls `report` with each finding; returns their number.
 * `worst` gets, per varying step, the worst-separated pair as a line of text. */
size_t lesson_lint(const struct lesson *l, struct lesson_source source, int seeds,
                   void (*report)(void *to, const struct base_message *m),
                   void (*worst)(void *to, const char *line), void *to);

/* Of the answers kept: the share (0 to 1) of a lesson's graded steps whose latest verdict is right (or rounded); `answered` counts steps with any. */
struct lesson_score {
    size_t graded, answered, right;
};
void lesson_score_lesson(const struct lesson *l, struct lesson_journal journal,
                         struct lesson_score *out);

#endif
