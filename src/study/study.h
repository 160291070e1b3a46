/* study: what is learned and how it is judged. Lessons as data, the dialogue of a lesson as events,
 * questions, verdicts, hints, fresh numbers. It knows account (and base), no Lua, no SQL, no terminal: what it needs
 * from those it declares here as two small interfaces, `study_source` and `study_journal`.
 *
 * Ownership: a lesson and a dialogue are freed by their own *_free(); everything reached through them is borrowed and lives
 * until the next study_do() (events) or the free (lesson data). */
#ifndef STUDY_H
#define STUDY_H

#include "account/account.h"
#include "base/base.h"
#include "memo/memo.h"

/* ── the two interfaces ──────────────────────────────────────────────────────────────────────────*/
/* Asks a lesson for a fresh variant: calls its function number `fn` with random numbers seeded by `seed`. The result is
 * the caller's. NULL with the message filled if the lesson failed, took too long or died. */
struct study_source {
    void *self;
    json_t *(*call)(void *self, int fn, uint64_t seed, struct base_message *m);
    /* Forgets whatever earlier calls left behind in the lesson, so that lint can see whether they did. NULL: nothing is ever left. */
    void (*restart)(void *self);
};

/* One run of a lab as it happened; `lab_run` keeps it beside its answer. Strings are borrowed. */
struct study_run {
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
struct study_answer {
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
    const struct study_run
        *run; /* a run of a lab, which is the answer; NULL in what is read back */
};
struct
    study_place { /* where a lesson was left; the worksheet line and the try follow from the answers */
    char step[64]; /* the step's id; "" if never opened */
    bool finished; /* once it was gone through to the recap, whatever was answered on the way */
};
/* Keeps answers. When a function returns, what it was given is durable. All return false with the message filled. A journal that
 * several programs share may refuse an answer whose item, line and try have one already. */
struct study_journal {
    void *self;
    bool (*answer)(void *self, const struct study_answer *a, struct base_message *m);
    bool (*place_get)(void *self, const char *lesson, struct study_place *out,
                      struct base_message *m);
    bool (*place_set)(void *self, const char *lesson, const struct study_place *p,
                      struct base_message *m);
    /* Calls `each` with every answer kept for an item, oldest first; `a` lives during the call. */
    bool (*answers)(void *self, const char *item,
                    void (*each)(void *to, const struct study_answer *a), void *to,
                    struct base_message *m);
};

/* ── lessons as data ─────────────────────────────────────────────────────────────────────────────*/
enum study_step_kind { /* the names are in study_step_kind_name() */
                       STUDY_SAY,
                       STUDY_PREDICT,
                       STUDY_FIGURE,
                       STUDY_EXPLORE,
                       STUDY_WORKED,
                       STUDY_PROBLEM,
                       STUDY_MYTH,
                       STUDY_SAY_ALOUD,
                       STUDY_CARDS,
                       STUDY_RECAP,
                       STUDY_ANIMATE,
                       STUDY_LAB,
                       STUDY_READ,
                       STUDY_MEMO,
                       STUDY_STEP_KINDS
};
const char *study_step_kind_name(enum study_step_kind k);
enum { STUDY_MINUTES_MOST = 600 };
struct study_lesson; /* parsed and checked; see lessons/README.md for the JSON it is read from */
/* Reads and checks the lesson that a script returned. `name` is the file's name, for messages. NULL on error. */
struct study_lesson *study_lesson_read(const json_t *json, const char *name,
                                       struct base_message *m);
void study_lesson_free(struct study_lesson *l);
const char *study_lesson_id(const struct study_lesson *l);
const char *study_lesson_title(const struct study_lesson *l);
int study_lesson_minutes(const struct study_lesson *l);
size_t study_lesson_steps(const struct study_lesson *l);
/* The step as it was written: its "kind", "id", "text" … (borrowed). */
const json_t *study_lesson_step(const struct study_lesson *l, size_t i);
enum study_step_kind study_lesson_step_kind(const struct study_lesson *l, size_t i);
/* Whether the way through the lesson comes by this step: neither cards nor a problem that is kept for reviews and checks. */
bool study_lesson_step_passed(const struct study_lesson *l, size_t i);

/* Whether a lesson is done only once this step of it was answered: a graded problem on the way through it, or a memo. */
bool study_lesson_step_counts(const struct study_lesson *l, size_t i);

/* The course: phases, ids, titles, minutes, files, from lessons/course.json. After the lessons of phase k stand its review ("1r") and its
 * check ("1c"), which are made of the lessons' problems and have no file. */
enum study_kind { STUDY_LESSON, STUDY_REVIEW, STUDY_CHECK };
const char *study_kind_name(enum study_kind k); /* "lesson", "review", "check" */
struct study_course_lesson {
    const char *id, *title,
        *file;          /* `file` is relative to lessons/, NULL if the lesson does not exist yet */
    int minutes, phase; /* phase counts from 0 */
    enum study_kind kind;
};
struct study_course {
    json_t *json;
    json_t *made; /* what the reviews and checks are called */
    size_t phases, lessons;
    const char *phase_title[8];
    struct study_course_lesson lesson[64];
};
bool study_course_read(struct study_course *c, const json_t *json, struct base_message *m);
void study_course_free(struct study_course *c);

/* What became of a graded step: as it was last answered; in a check, in its round. */
enum study_came { STUDY_CAME_NOT, STUDY_CAME_WRONG, STUDY_CAME_RIGHT };
enum study_came study_came(const struct study_lesson *l, size_t i, struct study_journal journal);

/* ── reviews and checks ──────────────────────────────────────────────────────────────────────────
 * A review asks problems of several lessons again, mixed; a check asks a few of them, each once and without help. Both are lessons, whose
 * steps are those problems in an order of their own, and at the end a page that says how it went. Going through one is a round; each
 * round chooses anew. A step's id names its round, "2/1.3/one-stage", and the last one is "2/result": so a place tells both. */
enum { STUDY_CHECK_ASKS = 6 };
struct study_mix {
    enum study_kind
        kind; /* a review keeps answers under the problems' own items, a check under "1c/1.3-one-stage", its tries the rounds */
    const char *id, *title; /* "1r" */
    int round;              /* from 1 */
    uint64_t seed;          /* the learner's */
    size_t lessons;
    const struct study_lesson *const *lesson;
    const char *
        chosen; /* the ids of this round's steps, a blank between, where it was chosen before; or NULL */
    const char *opening;         /* what its first page says before it asks, Markdown; or NULL */
    const char *passed, *failed; /* check: what its last page says is next, Markdown */
};
/* The lesson, the caller's; it does not hold on to the lessons it was made of. A review prefers what was missed last, then what was never met,
 * and asks no two in a row of one lesson where there are several. A check takes one of each lesson and then goes round again, and problems that
 * ask for a number before others. NULL if there are no problems. */
struct study_lesson *study_mix(const struct study_mix *mix, struct study_journal journal,
                               struct base_message *m);
/* Which lesson (its place in `lesson`) a function of the mixed lesson belongs to; returns what it is called there. */
int study_mix_function(int fn, size_t *lesson);
/* The round that a place stands for: 0 if it is none. `over`: it stands on the last page. */
int study_mix_round(const char *place, bool *over);
/* Whether so many right answers in one round pass a check that asks so many. */
bool study_check_passes(size_t right, size_t asked);

/* ── the dialogue ────────────────────────────────────────────────────────────────────────────────
 * A lesson is taken by giving actions and reading events. Skins draw the events and nothing else:
 *
 *     study_open ──▶ events … ──▶ (learner) ──▶ study_do(action) ──▶ events … ──▶ STUDY_END
 */
enum study_tone {
    STUDY_PLAIN,
    STUDY_QUIET,
    STUDY_GOOD,
    STUDY_BAD,
    STUDY_HINT_TONE,
    STUDY_ASKING,
    STUDY_TONES
};
enum study_form {               /* what kind of answer is awaited */
                  STUDY_NEXT,   /* none: Enter goes on */
                  STUDY_NUMBER, /* a number with unit, or an expression */
                  STUDY_LINE,   /* the same, for one line of a worksheet */
                  STUDY_CHOICE, /* "2" or "b": one of `options` */
                  STUDY_ORDER,  /* "3 1 2": all of `options`, first to last */
                  STUDY_SORT,   /* "1=a 2=b 3=a": each of `options` into one of `bins` */
                  STUDY_TICKS,  /* "1 3": which of `options` were covered; empty is an answer */
                  STUDY_SLIDERS, /* explore: "gpus=16", or STUDY_DO_MOVE; Enter goes on. With `scenes`: animate */
                  STUDY_RUN, /* lab: `lab` is to be run: study_ran() for each of its runs, then STUDY_DO_RAN; next goes on without */
                  STUDY_WRITE, /* memo: `memo` is to be written, in a file of the learner's; the answer is its text */
                  STUDY_TEXT, /* free text, kept and compared with nothing (say_aloud); empty is allowed */
                  STUDY_FORMS
};
enum study_event_kind {
    STUDY_STEP, /* a step begins: clear the page. `index`, `count`, `step_kind`, `item` */
    STUDY_SHOW, /* a block of the page: `text` (Markdown) and/or `figure` in a `tone` */
    STUDY_ASK,  /* an answer is awaited: `ask` */
    STUDY_VERDICT, /* what became of the answer: `verdict`, `right`, `text` explains. The answer is already durable */
    STUDY_HINT,   /* `text`, `level` 1 to 3 */
    STUDY_LEDGER, /* explore, animate: the figure changed, it replaces the one shown; `figure`, and `ask` with the new positions */
    STUDY_TROUBLE, /* something failed, in words for a learner; the dialogue goes on: `text` */
    STUDY_END      /* the lesson is over or was left */
};
struct study_slider {
    const char *label, *value; /* the value now, for people */
    size_t position, count;
};
struct study_sheet_line { /* a worksheet's lines, known and blank, for drawing it whole */
    const char *id, *label, *formula; /* the formula is given on lines that are known, else "" */
    const char *value;                /* "14 GB" once known or answered, else "" */
    int state; /* 0 given, 1 still blank, 2 asked now, 3 answered right, 4 answered wrong */
};
struct study_ask {
    enum study_form form;
    const char
        *prompt; /* "your answer, in GB", "params, in GB": never empty for forms that take text */
    const char *unit; /* "GB" or "" */
    size_t options;
    const char *const *option; /* Markdown, one line each */
    size_t bins;
    const char *const *bin;
    size_t sliders;
    const struct study_slider *slider;
    bool
        scenes; /* animate: slider 0 is the step (0 is before the first), slider 1, if there is one, the ranks; read: the note */
    const char *
        lab; /* lab: its name: while it is to be run, and once it was (STUDY_DO_FRESH runs it again); else NULL */
    const char *
        memo; /* memo: its name, also once it passed (STUDY_DO_FRESH brings another case); else NULL */
    const char *memo_begins; /* and what it is before anything is written: Markdown */
    size_t lines;            /* worksheet: all its lines; `line` is the one asked */
    const struct study_sheet_line *sheet;
    size_t line;
    bool graded;
    bool hints;  /* STUDY_DO_HINT gives something */
    bool worked; /* STUDY_DO_WORKED gives something */
    bool
        fresh; /* STUDY_DO_FRESH gives something: in problems, also where no numbers could be made */
    bool ran;  /* lab: it was run, and what was measured is kept */
    int try;   /* 1 for the first */
};
struct study_event {
    enum study_event_kind kind;
    enum study_tone tone;
    enum study_step_kind step_kind;
    size_t index, count;  /* steps: index from 0 */
    const char *item;     /* "1.1/two-bytes" */
    const char *step;     /* the step's id, for STUDY_DO_GOTO: "two-bytes" */
    const char *title;    /* a short title of the step, or "" */
    const char *text;     /* Markdown, or NULL */
    const json_t *figure; /* a figure's spec (paper.h), or NULL */
    const struct study_ask *ask;
    const char *verdict; /* as in study_answer */
    bool right;
    bool in_sheet; /* the line of the sheet shows all that the verdict says */
    int level;
    const char *sources; /* Markdown list of the step's sources, or NULL (STUDY_STEP) */
    const char *
        open; /* the item of the first problem that is not right yet, or NULL (STUDY_END, of a lesson that is over) */
};
enum study_action_kind {
    STUDY_DO_NEXT,   /* go on; leaves an open question unanswered */
    STUDY_DO_BACK,   /* the step before */
    STUDY_DO_GOTO,   /* a visit to a step; `text` is its id */
    STUDY_DO_ANSWER, /* `text` as the form asks */
    STUDY_DO_HINT,   /* the next level */
    STUDY_DO_WORKED, /* the solution of this try, line by line; then fresh numbers */
    STUDY_DO_FRESH,  /* fresh numbers without an answer */
    STUDY_DO_MOVE,   /* explore, animate: slider `index` by `by` positions */
    STUDY_DO_RAN,    /* lab: it is over; `text` says why it could not be run at all, else NULL */
    STUDY_DO_LEAVE
};
struct study_action {
    enum study_action_kind kind;
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
struct study_dialogue;
/* Opens a lesson at the place the journal remembers (first step if none, or if that step is gone). `seed` is the learner's: with the
 * item's name and the try's number it makes each variant. The lesson, source and journal must outlive the dialogue. */
struct study_dialogue *study_open(const struct study_lesson *l, struct study_source source,
                                  struct study_journal journal, uint64_t seed,
                                  struct base_message *m);
void study_free(struct study_dialogue *d);
/* The next event, or NULL if an action is awaited. Valid until the next study_do(). */
const struct study_event *study_event(struct study_dialogue *d);
/* What is awaited now (NULL after the end), for redrawing and for reading keys. */
const struct study_ask *study_asked(const struct study_dialogue *d);
/* Does what the learner wants and queues events. An answer is judged, given to the journal, and only then is its verdict an event;
 * if the journal fails, STUDY_TROUBLE says so and the question stays open. A try that another program on the same record answered
 * first is not judged again: that is said, and fresh numbers come. */
void study_do(struct study_dialogue *d, const struct study_action *a);
/* Keeps a run of the lab that the step it stands on asks for. False with the message filled if it could not be kept; its measurement counts
 * for this step all the same. Queues no events. */
bool study_ran(struct study_dialogue *d, const struct study_run *r, struct base_message *m);
/* The id of the step it stands on. */
const char *study_where(const struct study_dialogue *d);
/* Puts an edited lesson in place of the old one, at the same step (or the nearest before it that still exists). */
bool study_reload(struct study_dialogue *d, const struct study_lesson *l,
                  struct study_source source, struct base_message *m);

/* ── judging and variants, also for lint and tests ───────────────────────────────────────────────*/
/* Reads a problem from its JSON: {"kind":"bytes","training":{…},"quantity":"model_state","unit":"GB",…}. */
bool study_problem_read(const json_t *json, struct account_problem *out, struct base_message *m);
/* A legal variant of a step that varies: asks the source with seeds derived from `seed` until one is legal (64 at most). */
json_t *study_variant(const struct study_lesson *l, size_t step, struct study_source source,
                      uint64_t seed, struct base_message *m);
/* The seed of a try: hash of the learner's seed, the item, and the try's number. */
uint64_t study_seed(uint64_t learner, const char *item, int try);
/* The variant of a try: the first draw from its seed, and where that has the answer of a neighbouring try, another one, so that two
 * tries in a row differ where the step has several answers at all. The same (learner, item, try) always gives the same. `seed` is
 * what study_variant() makes it from again. The caller owns it; NULL with the reason. */
json_t *study_try(const struct study_lesson *l, size_t step, struct study_source source,
                  uint64_t learner, int try, uint64_t *seed, struct base_message *m);

/* Lint: checks what the lesson promises, over `seeds` seeds a varying step. Calls `report` with each finding; returns their number.
 * `worst` gets, per varying step, the worst-separated pair as a line of text. */
size_t study_lint(const struct study_lesson *l, struct study_source source, int seeds,
                  void (*report)(void *to, const struct base_message *m),
                  void (*worst)(void *to, const char *line), void *to);

/* Of the answers kept: the share (0 to 1) of a lesson's graded steps whose latest verdict is right (or rounded); `answered` counts steps with any. */
struct study_score {
    size_t graded, answered, right;
};
void study_score_lesson(const struct study_lesson *l, struct study_journal journal,
                        struct study_score *out);

#endif
