/* sitting: a learner sits down. Wires study, script and store: the course with this learner's progress,
 * and one lesson being taken. Skins (screen, plain, tests) know only this, study's events, and paper.
 *
 * Ownership: sitting_close() and desk_close() free everything reached through them. */
#ifndef SITTING_H
#define SITTING_H

#include "base/base.h"
#include "store/store.h"
#include "study/study.h"
#include "trial/trial.h"

/* The desk: the course and the learner's record. Opening it reads course.json and the store and runs no lesson. */
struct desk;
struct desk *desk_open(const char *store_path,
                       struct base_message *m); /* NULL: the learner's own file */
void desk_close(struct desk *d);
struct store *desk_store(struct desk *d);
const struct study_course *desk_course(const struct desk *d);

enum desk_standing {
    DESK_UNTOUCHED, /* never opened */
    DESK_BEGUN,     /* under way */
    DESK_SKIPPED,   /* gone through, but some of what it asks was not answered */
    DESK_FAILED,    /* a check that was not passed, in no round */
    DESK_DONE /* gone through, and each of its graded steps was answered; of a check: it was passed */
};
struct desk_progress { /* of one lesson of the course; of a review or a check, of its last round */
    bool exists;       /* it has a file; of reviews and checks, any lesson of the phase has */
    bool opened;
    enum desk_standing standing;
    bool through;    /* it was gone through to its end, whatever was answered on the way */
    bool under_way;  /* it was left in the middle */
    char step[64];   /* where it was left */
    int step_number; /* 1-based, 0 if unknown (from the record) */
    size_t graded,
        right;      /* its graded steps, open ones too, and those whose latest verdict is right */
    size_t skipped; /* steps that must be answered and were not */
    char skip[64];  /* of a lesson: the first of them, "" if there is none */
};
/* Fresh from the store; `i` is the lesson's index in the course. */
struct desk_progress desk_progress(struct desk *d, size_t i);
/* The lesson to take next: the one under way that was opened last, else the first that exists and was not gone through, with the phase's review
 * and check after its lessons; phases whose check was passed come after these, and lessons of which something was skipped come last. The
 * course's count if all lessons are done. */
size_t desk_next(struct desk *d);
/* The check that opens a phase, while that is closed; the course's count if it is open: only a passed check opens it, placement's included.
 * Nothing is locked: any lesson of a closed phase can be opened and taken all the same. */
size_t desk_gate(struct desk *d, size_t phase);
/* Placement: one check after the other, until one is not passed. It is offered while nothing but checks was answered. */
enum desk_placement {
    DESK_UNPLACED, /* nothing was answered yet */
    DESK_PLACING,  /* it was begun */
    DESK_PLACED    /* it is over, or lessons were begun */
};
/* `next` becomes the check that it asks next; the course's count if every check is passed. */
enum desk_placement desk_placement(struct desk *d, size_t *next);
#define DESK_PLACE "placement" /* what it is opened by, in the place of a lesson's id */
/* Index of a lesson by id ("1.1") or its file's path; the course's count if there is none. */
size_t desk_find(struct desk *d, const char *id);

struct desk_hit {              /* search */
    const char *title;         /* "1.1 Memory runs out …" */
    const char *excerpt;       /* one line of plain text around the words */
    const char *lesson, *step; /* where it is: ids */
};
/* Every place that openly says all the words (case-insensitive): titles, texts, questions, claims, and the glossary, whose terms lead to
 * the first step that uses them. Hints, reveals, model answers and cards are left out. Lessons are run as needed, and again only when
 * their file changed; one that fails is passed over. The excerpt and the ids live during the call of `each`. */
void desk_search(struct desk *d, const char *words,
                 void (*each)(void *to, const struct desk_hit *h), void *to);

/* One lesson being taken. Opening (and editing) it keeps the ids of its steps, a blank between, as the setting "outline/<lesson's id>": the
 * order of steps for whoever shows progress without running the lesson. Cards are left out, as in the dialogue. */
struct sitting;
/* `lesson` is an id of the course, DESK_PLACE or the path of a .lua file. Resumes at the exact step. A file that bears an id of the course and is
 * not the course's own file for it is refused: it would write into that lesson's record. */
struct sitting *sitting_open(struct desk *d, const char *lesson, struct base_message *m);
void sitting_close(struct sitting *s);
const char *sitting_lesson_id(const struct sitting *s);
const char *sitting_title(const struct sitting *s);
/* The short title of a step, "" if it has none or there is no such step. */
const char *sitting_step_title(const struct sitting *s, const char *step);
/* What became of a step with an answer, for showing progress. */
enum study_came sitting_step_came(const struct sitting *s, const char *step);
/* As study_event(), study_asked(), study_do(). In placement the next check begins where one was passed, with its own id and title. */
const struct study_event *sitting_event(struct sitting *s);
const struct study_ask *sitting_asked(const struct sitting *s);
void sitting_do(struct sitting *s, const struct study_action *a);
/* A descriptor to wait on beside the keyboard: the lesson's file is being edited. -1 if there is none. */
int sitting_fd(const struct sitting *s);
/* After the descriptor was readable: reloads an edited lesson in place, keeping the step; a broken edit leaves the old lesson running and
 * queues STUDY_TROUBLE with file and line. True if events were queued. */
bool sitting_refresh(struct sitting *s);

/* ── memos ───────────────────────────────────────────────────────────────────────────────────────
 * A memo is a Markdown file of the learner's own, base_home()/memo/NAME.md, which other programs may write too. */
/* Where a memo of this name lies; the caller's. */
char *sitting_memo_path(const char *name);
/* Makes the file with this text in it, if there is none, and the learner's folder of memos. True if there is one now, also if another program
 * made it at the same moment: that one stays. */
bool sitting_memo_begin(const char *path, const char *text, struct base_message *m);
/* The memo for writing in. `most` bytes are read; NULL with the message filled if it cannot be, is larger or is no text. */
struct sitting_memo;
struct sitting_memo *sitting_memo_open(const char *path, size_t most, struct base_message *m);
void sitting_memo_close(struct sitting_memo *f);
const char *sitting_memo_file(const struct sitting_memo *f);
/* As it was last read or written; lines end in \n alone, whatever they end in in the file. */
const char *sitting_memo_text(const struct sitting_memo *f, size_t *length);
enum sitting_memo_found {
    SITTING_MEMO_SAME, /* nobody else wrote it; what was to be saved is saved */
    SITTING_MEMO_CHANGED, /* another program did: sitting_memo_text() is what it wrote; nothing was saved */
    SITTING_MEMO_UNREADABLE, /* it did, and the message says why that cannot be shown; nothing was saved */
    SITTING_MEMO_UNWRITTEN /* it could not be saved, the message says why */
};
/* Saves it whole, or not at all, and never over what another program wrote (base_file_replace() says how). Through a symbolic link it saves the
 * file that the link leads to. After SITTING_MEMO_CHANGED the next save writes over what was found. */
enum sitting_memo_found sitting_memo_save(struct sitting_memo *f, const char *text, size_t n,
                                          struct base_message *m);
/* Writes a text beside the memo under the first free name of NAME~, NAME~2, NAME~3 …; that name, the caller's. NULL with the message filled. */
char *sitting_memo_keep(const struct sitting_memo *f, const char *text, size_t n,
                        struct base_message *m);
/* Looks whether another program wrote it. The descriptor is readable when that is worth doing; -1 if there is none. */
enum sitting_memo_found sitting_memo_look(struct sitting_memo *f, struct base_message *m);
int sitting_memo_fd(const struct sitting_memo *f);
/* The memo that the step asks for as it lies on the disk, the caller's: the answer to give. NULL with the message filled. */
char *sitting_memo_asked(const struct sitting *s, struct base_message *m);
/* Opens it in the learner's editor ($VISUAL, $EDITOR, vi), which has the terminal meanwhile, and comes back when that ended. False with the
 * message filled if there is no such editor. */
bool sitting_memo_edit(const char *path, struct base_message *m);

/* ── labs ────────────────────────────────────────────────────────────────────────────────────────
 * The runs of a lab, one variant after the other: wait on the descriptor, at most as long as is said, and read. */
struct sitting_lab;
/* Starts the first run. `s`: the sitting whose step asks for it, which must outlive it; NULL outside of a lesson. NULL if it cannot be
 * started; then the dialogue was told why, and has events. */
struct sitting_lab *sitting_lab_open(struct sitting *s, const char *name, struct base_message *m);
/* The same with the lab's recordings (trial_recorded_on() says whether there are any), each played so slowly that it takes `ms` at least. */
struct sitting_lab *sitting_lab_replay(struct sitting *s, const char *name, int ms,
                                       struct base_message *m);
/* A recording by itself, at a speed, played so slowly that it takes `ms` at least. NULL with the message filled if it cannot be read, or its start
 * does not say what ran. */
struct sitting_lab *sitting_lab_play(const char *path, double speed, int ms,
                                     struct base_message *m);
const struct trial_lab *sitting_lab_what(const struct sitting_lab *l);
/* Which variant runs, or ran last. */
size_t sitting_lab_at(const struct sitting_lab *l);
/* The run of a variant; NULL if it was not begun. */
const struct trial *sitting_lab_run(const struct sitting_lab *l, size_t variant);
bool sitting_lab_over(const struct sitting_lab *l);
/* What failed, in words; NULL if nothing did. */
const char *sitting_lab_trouble(const struct sitting_lab *l);
int sitting_lab_fd(const struct sitting_lab *l);
int sitting_lab_due(const struct sitting_lab *l);
/* Takes in what is there; a run that ended is kept, and the next one begun. True if something changed. */
bool sitting_lab_read(struct sitting_lab *l);
/* Stops a recording where it is, or lets it go on; one more step of it. False for a run, which goes as it goes. */
bool sitting_lab_pause(struct sitting_lab *l, bool paused);
bool sitting_lab_advance(struct sitting_lab *l);
/* Whether a run came to the end it was to come to: a good one, or out of memory where it was to die of that. */
bool sitting_lab_well(const struct sitting_lab *l, size_t variant);
/* Outside of a lesson: keeps the runs in this desk's record. Call it before the first sitting_lab_read(). */
void sitting_lab_keep(struct sitting_lab *l, struct desk *d);
/* The number under which a run was kept, 0 if it was not (yet). */
int64_t sitting_lab_number(const struct sitting_lab *l, size_t variant);
/* Of the lab `capstone`: what stands for what. NULL of others. */
const struct trial_scale *sitting_lab_scale(const struct sitting_lab *l, size_t variant);
/* Asks the run to end, and begins no other; reading brings its end. */
void sitting_lab_cancel(struct sitting_lab *l);
/* Ends what still goes, and tells the dialogue, which then has events. */
void sitting_lab_close(struct sitting_lab *l);

/* ── what a memo is checked with ─────────────────────────────────────────────────────────────────*/
/* The runs that the desk's store keeps, the phrases of all lessons' myths (it runs each lesson once), and a cache; without a desk the cache
 * alone. The desk must outlive it. Freed by sitting_checks_free(). */
struct memo_context *sitting_checks(struct desk *d);
void sitting_checks_free(struct memo_context *c);
/* Reads quotations, "[run 12: peak 1.83 GB]", against the runs that this store keeps; it must outlive what is returned. */
struct memo_evidence sitting_evidence(struct store *s);
/* Keeps a run that is over, of a lab's variant, that no lesson and no sitting_lab looks after. Its number; 0 with the message filled. */
int64_t sitting_keep_run(struct store *s, const struct trial_lab *what, size_t variant,
                         const struct trial *t, double seconds, struct base_message *m);
/* What to write into a memo to quote a run, the caller's; NULL with the message filled if there is no such run, or nothing in it to quote. */
char *sitting_quote(struct store *s, int64_t run, struct base_message *m);

/* As study_ran(). */
bool sitting_ran(struct sitting *s, const struct study_run *r, struct base_message *m);
/* Gives each lab step of a lesson (as its script returned it) the lab's own question and reveal, where it has none, and each `read` step the
 * lines that it shows. False with the message filled if there is no such lab. Lessons that are opened here are completed already. */
bool sitting_complete(json_t *lesson, const char *path, struct base_message *m);

#endif
