/* session: wires lesson, script and store: the course with this learner's
 * progress, and one lesson being taken. Skins (screen, linear, tests) know only this, lesson's
 * events, and page.
 *
 * Ownership: session_close() and session_learner_close() free everything reached through them. */
#ifndef SESSION_H
#define SESSION_H

#include "base/base.h"
#include "store/store.h"
#include "lesson/lesson.h"
#include "experiment/experiment.h"
#include "memo/memo.h"

/* A learner: the course, and the record of the one who takes it. Opening it reads course.json and
 * the store and runs no lesson. */
struct learner;
/* NULL: the learner's own file */
struct learner *session_learner_open(const char *store_path, struct base_message *m);
/* The same to read in alone, for a moment: nothing is written. NULL without a message if there is
 * no record. */
struct learner *session_learner_open_to_read(const char *store_path, struct base_message *m);
void session_learner_close(struct learner *who);

/* ── all that a learner has ────────────────────────────────────────────────────────────────────*/
/* The record and, if `memos`, the memos in the learner's folder as the text of one file, to move to
 * another machine: the same record gives the same bytes. The caller's; NULL with the message
 * filled. */
char *session_learner_export(struct learner *who, bool memos, size_t *length,
                             struct base_message *m);
/* Takes such a file, which may come from anybody, into a record in which nothing was done: all of
 * it, or nothing with the message filled. */
bool session_learner_import(struct learner *who, const char *path, struct base_message *m);
/* Deletes the record and, if `memos`, the memos in the learner's folder. Afterwards `who` may only
 * be closed. */
bool session_learner_delete(struct learner *who, bool memos, struct base_message *m);
struct store *session_learner_store(struct learner *who);
const struct lesson_course *session_learner_course(const struct learner *who);

enum learner_standing {
    /* never opened */
    LEARNER_UNTOUCHED,
    /* under way */
    LEARNER_BEGUN,
    /* gone through, but some of what it asks was not answered */
    LEARNER_SKIPPED,
    /* a check that was not passed, in no round */
    LEARNER_FAILED,
    /* gone through, and each of its graded steps was answered; of a check: it was passed */
    LEARNER_DONE
};
/* of one lesson of the course; of a review or a check, of its last round */
struct learner_progress {
    /* it has a file; of reviews and checks, any lesson of the phase has */
    bool exists;
    bool opened;
    enum learner_standing standing;
    /* it was gone through to its end, whatever was answered on the way */
    bool through;
    /* it was left in the middle */
    bool under_way;
    /* where it was left */
    char step[64];
    /* 1-based, 0 if unknown (from the record) */
    int step_number;
    size_t graded,
        /* its graded steps, open ones too, those whose latest verdict is right, and those whose
         * first one was */
        right, right_first;
    /* steps that must be answered and were not */
    size_t skipped;
    /* of a lesson: the first of them, "" if there is none */
    char skip[64];
};
/* Fresh from the store; `i` is the lesson's index in the course. */
struct learner_progress session_learner_progress(struct learner *who, size_t i);
/* What one can do after a lesson, "" if it does not say; and the figure that stands for it, NULL if
 * there is none. They run the lesson if it was not yet, and live until its file is edited. */
const char *session_learner_goal(struct learner *who, size_t i);
const json_t *session_learner_face(struct learner *who, size_t i);
/* Whether nothing was opened or answered yet. */
bool session_learner_is_new(struct learner *who);
/* The lesson to take next: the one under way that was opened last, else the first that exists and
 * was not gone through, with the phase's review and check after its lessons; phases whose check was
 * passed come after these, and lessons of which something was skipped come last. The course's count
 * if all lessons are done. */
size_t session_learner_next(struct learner *who);
/* How far to go in a lesson today: from where it was left, or its beginning, to its natural stop,
 * and from there to its end. */
struct learner_stretch {
    /* at least 1 */
    int minutes;
    /* numbers of steps, from 1; 0 of reviews, checks and what was only skipped */
    int from, to, steps;
};
struct learner_stretch session_learner_stretch(struct learner *who, size_t i);
/* Where a lesson under way was left, if that was more than twelve hours ago: the title of the step,
 * and a sentence of what was shown before it, in Markdown (NULL: there is none). Without a title it
 * was not. Freed by session_learner_left_free(). */
struct learner_left {
    char *title, *said;
};
struct learner_left session_learner_left(struct learner *who, size_t i);
void session_learner_left_free(struct learner_left *left);
/* Calls `each` with the steps of a lesson of the course that a learner meets, in order, and what
 * became of those that are graded. The strings live until its file is edited. */
struct learner_step {
    const char *id, *title;
    bool graded;
    enum lesson_came came;
};
void session_learner_steps(struct learner *who, size_t i,
                           void (*each)(void *to, const struct learner_step *s), void *to);
/* The learner's own job: a model, GPUs and a card. It is typed once, as the options of `zerotutor
 * mem` or as a memo's scenario, checked by the engine, and kept in the record; "" forgets it. False
 * with the message filled if it cannot be read or kept. */
bool session_learner_set_job(struct learner *who, const char *text, struct base_message *m);
/* The line that is kept, without "Scenario: "; the caller's, NULL if there is none. */
char *session_learner_job_line(struct learner *who);
struct learner_job {
    /* "Llama 3.1 8B on 4 × RTX 4090" */
    char name[160];
    /* what its step is counted with: "1 × 8192 tokens, full checkpointing"; layers are
     * checkpointed unless the job says otherwise */
    char step[96];
    /* at the lowest stage that fits, or if none does at the one that needs least */
    struct account_training training;
    /* bytes of one GPU at the peak of a step, and those that the card gives */
    uint64_t need, room;
    enum account_fit fit;
};
/* False if none is kept. */
bool session_learner_job(struct learner *who, struct learner_job *out);
/* What it needs and whether that fits, a sentence; the caller's. */
char *session_job_words(const struct learner_job *job);
/* The case of the week: a complaint as people bring it, answered by choosing, never graded. It
 * comes from the course's file of cases. False if no lesson that one rests on is finished yet. */
struct learner_case {
    /* the complaint in a line; the learner's */
    const char *title;
    int minutes;
    bool answered;
    /* its place in the file */
    size_t at;
};
bool session_learner_case(struct learner *who, struct learner_case *out);
#define LEARNER_CASE "case" /* what it is opened by, in the place of a lesson's id */
/* The check that opens a phase, while that is closed; the course's count if it is open: only a
 * passed check opens it, placement's included. Nothing is locked: any lesson of a closed phase can
 * be opened and taken all the same. */
size_t session_learner_gate(struct learner *who, size_t phase);
/* Placement: one check after the other, until one is not passed. It is offered while nothing but
 * checks was answered. */
enum learner_placement {
    /* nothing was answered yet */
    LEARNER_UNPLACED,
    /* it was begun */
    LEARNER_PLACING,
    /* it is over, or lessons were begun */
    LEARNER_PLACED
};
/* `next` becomes the check that it asks next; the course's count if every check is passed. */
enum learner_placement session_learner_placement(struct learner *who, size_t *next);
#define LEARNER_PLACE "placement" /* what it is opened by, in the place of a lesson's id */
/* Index of a lesson by id ("1.1") or its file's path; the course's count if there is none. */
size_t session_learner_find(struct learner *who, const char *id);

/* What comes back today: things that are due and new ones of finished lessons, as many as fit into
 * a day. It is derived from the answers. */
enum { LEARNER_NAMES = 4 };
struct learner_due {
    size_t count, fresh;
    /* the problem about the learner's job is among them: once a week, and never alone */
    bool job;
    int minutes;
    /* in how many days more comes; 0 if nothing ever does */
    int64_t next;
    /* days in a row that were kept, one missed day a week forgiven */
    int64_t streak;
    /* the same in weeks from Monday on, in which one answer keeps the week */
    int64_t weeks;
    /* titles of things that fade; they live until the next call */
    size_t names;
    const char *name[LEARNER_NAMES];
};
struct learner_due session_learner_due(struct learner *who);
/* The hour at which the learner's days begin: the setting of this name, "0" to "23", or four in the
 * morning. Reviews, the streak and the cases go by these days. */
#define SESSION_ROLLOVER "rollover"
int session_learner_rollover(struct learner *who);
/* What the learner suspended, in the order of the items: "1.1/ddp-7b" and its title, which live
 * during the call of `each`. And takes one back, so that it is asked again; false with the message
 * filled if it is not suspended, or that cannot be kept. */
size_t session_learner_suspended(struct learner *who,
                                 void (*each)(void *to, const char *item, const char *title),
                                 void *to);
bool session_learner_unsuspend(struct learner *who, const char *item, struct base_message *m);
/* How much of a lesson's problems and myths the learner is likely to recall today, from 0 to 1:
 * what was missed the last time it was asked on a new day counts nothing, since only the first try
 * of a day tells. NaN if none was answered. Cards are left out, since no one checks them. */
double session_learner_recall(struct learner *who, size_t i);
/* What the learner can do, by skill: the stage, quantity and unit that the engine finds in a
 * problem. The ideas of a lesson, which it asks by choosing, are one skill. Areas follow each
 * other, and skills of one area. */
struct learner_skill {
    /* "gradients at stage 2, in GB"; of ideas, "1.3  Three things are replicated" */
    char name[128];
    const char *area;
    /* skills follow each other by it, and then by their names */
    int order;
    /* first tries on a day, those that were right, and those of them after a hint */
    int tries, right, helped;
    /* since the last one */
    int64_t days_ago;
    /* the probability of a right first try, as review/mastery.h estimates it: today, and in
     * LEARNER_AHEAD days without practice */
    double today, ahead;
};
enum { LEARNER_AHEAD = 30 };
/* The skills that were tried, the caller's to free(); how many. */
size_t session_learner_skills(struct learner *who, struct learner_skill **out);
/* The same with mistakes and time as JSON, the caller's; page_study() draws it:
 *   {"today":"2026-11-23","ahead":30,
 *    "areas":[{"area","today","in_30_days","first_tries","right",
 *              "skills":[{"skill","today","in_30_days","first_tries","right","helped",
 *                         "days_ago"}…]}…],
 *    "mistakes":[{"id","name","times","days_ago","since","happens"}…]   the most frequent first
 *    "days":[{"day":"2026-11-23","days_ago","answers","minutes"}…]      those with answers
 *    "phases":[{"phase":1,"title","earned"}…]}
 * Probabilities are from 0 to 1. "since" counts first tries without the mistake. */
json_t *session_learner_study(struct learner *who);
/* Whether a phase was earned: its check was passed, in placement or after the lessons. What was
 * skipped or only read earns nothing. */
bool session_learner_earned(struct learner *who, size_t phase);
#define LEARNER_REVIEW "review" /* what it is opened by, in the place of a lesson's id */

struct session;
/* What to read once the course is done, an extra of this id: whether the course has one, and every
 * lesson of the phases was gone through. */
#define LEARNER_ONWARDS "onwards"
bool session_learner_onwards(struct learner *who);
/* The same at the end of a session, which is not that page itself. */
bool session_leads_onwards(const struct session *s);
/* Drills, which are opened by these words, in the place of a lesson's id. */
#define LEARNER_MYTHS     "myths"     /* the claims of lessons that were met: true or false? */
#define LEARNER_INTERVIEW "interview" /* what lessons have explained aloud, against a checklist */
bool session_is_drill_word(const char *word);
/* Whether there is anything for them: a lesson was gone through. */
bool session_learner_drills(struct learner *who);
/* How many seconds an interview gives for each explanation, 0 for as long as it takes. The setting
 * of this name. */
#define SESSION_INTERVIEW "interview"
int session_learner_interview(struct learner *who);
bool session_learner_set_interview(struct learner *who, int seconds, struct base_message *m);

/* ── the speed challenge ───────────────────────────────────────────────────────────────────────*/
/* A round on the lessons that were gone through; on those of the first phase if there is none. A
 * seed of 0 draws other numbers in each round. */
struct session_speed;
struct session_speed *session_speed_open(struct learner *who, const struct lesson_speed_options *o,
                                         struct base_message *m);
void session_speed_close(struct session_speed *s);
struct lesson_speed *session_speed_round(const struct session_speed *s);
/* The subject, the clock and the way to answer that were chosen last, for the next round. */
struct lesson_speed_options session_speed_chosen(struct learner *who);
void session_speed_choose(struct learner *who, const struct lesson_speed_options *o);
/* Keeps how the round went, if anything was answered in it, and only once. The row says "noted":
 * reviews and mastery take no account of it. */
bool session_speed_keep(struct session_speed *s, struct base_message *m);
/* The rounds that were kept of a subject, with the same clock and the same way to answer. */
enum { SESSION_SPEED_LATEST = 5 };
struct session_speed_past {
    size_t rounds;
    /* right answers in the best of them; and in the latest, the newest last */
    size_t best, latest[SESSION_SPEED_LATEST], count;
};
struct session_speed_past session_speed_past(struct learner *who,
                                             const struct lesson_speed_options *o);

/* ── the map ───────────────────────────────────────────────────────────────────────────────────*/
/* Reads lessons/map.json; lesson_ideas_free() frees it. */
bool session_learner_map(struct learner *who, struct lesson_ideas *out, struct base_message *m);
enum learner_strength {
    LEARNER_NOT_MET,
    LEARNER_MET,
    LEARNER_PASSED_OVER,
    LEARNER_WEAK,
    LEARNER_FADING,
    LEARNER_SOLID
};
struct learner_idea {
    enum learner_strength strength;
    /* how many of its problems and myths were answered */
    size_t asked;
    /* How much of these is likely recalled today, and in thirty days without practice, from 0 to 1;
     * NaN if none was answered. */
    double today, month;
};
struct learner_idea session_learner_idea(struct learner *who, const struct lesson_idea *idea);

/* ── what can be looked up ───────────────────────────────────────────────────────────────────────
 * Terms and questions lie in files next to the lessons (lessons/glossary.lua, questions.lua), which
 * are read once; steps, myths and cards in lessons; bookmarks and notes in the record. */
enum session_kind {
    SESSION_TERM,
    SESSION_QUESTION,
    SESSION_STEP,
    SESSION_MYTH,
    /* of a lesson that was gone through */
    SESSION_CARD,
    SESSION_BOOKMARK,
    SESSION_NOTE,
    /* a subcommand */
    SESSION_COMMAND,
    SESSION_KINDS
};
/* "term", "question", "step" … */
const char *session_kind_name(enum session_kind k);
enum session_book { SESSION_GLOSSARY, SESSION_QUESTIONS, SESSION_BOOKS };
/* The entries as their file has them, with their texts filled (lua/book.lua); the learner's. NULL
 * with the message filled if the file cannot be read. */
const json_t *session_book(struct learner *who, enum session_book b, struct base_message *m);
/* The same without a learner; the caller's reference. */
json_t *session_book_read(enum session_book b, struct base_message *m);

/* The subcommands, which the program tells before it looks any up; borrowed. */
struct session_command {
    /* "mem", what it does in one line, and in Markdown */
    const char *name, *summary, *about;
};
void session_learner_set_commands(struct learner *who, const struct session_command *command,
                                  size_t count);

/* Something to read that leads somewhere. */
struct session_entry {
    enum session_kind kind;
    char *name, *title;
    /* Markdown */
    char *text;
    /* or NULL */
    json_t *figure;
    /* the terms that belong to it, or NULL */
    json_t *related;
    /* the lesson that teaches it, and the step; NULL: none, or the whole lesson */
    char *lesson, *step;
};
/* Opens a term (by any of its words), a question (by its id or number), a card ("1.3/id") or a
 * command. `brief`: without formulas and their numbers, which may be the answer to an open
 * question. NULL with the message filled if there is none. Freed by session_entry_close(). */
struct session_entry *session_entry_open(struct learner *who, enum session_kind kind,
                                         const char *name, bool brief, struct base_message *m);
void session_entry_close(struct session_entry *e);
/* "1.3  Three things are replicated …", the caller's; NULL if it leads to no lesson. */
char *session_entry_leads(struct learner *who, const struct session_entry *e);

struct session_hit {
    enum session_kind kind;
    /* of a term, a question, a card or a command: what opens it */
    const char *name;
    /* "shard", a step's own title, a card's front … */
    const char *title;
    /* where it is: "1.3 step 4" */
    const char *place;
    /* one line of plain text around the words */
    const char *excerpt;
    /* where it leads: ids; NULL: nowhere, or to the whole lesson */
    const char *lesson, *step;
};
struct session_query {
    /* blanks between; "": everything of these kinds, if they are not all kinds */
    const char *words;
    /* a bit for each session_kind; 0: all */
    unsigned kinds;
    /* leave out lessons that were not read yet, which takes some milliseconds each */
    bool at_once;
};
/* Every entry that openly says all the words (case-insensitive), those whose title does first.
 * Hints, reveals and model answers are left out, and so are the cards of lessons that were not gone
 * through. Lessons are run as needed, and again only when their file changed; one that fails is
 * passed over. The strings live during the call of `each`. */
void session_search(struct learner *who, const struct session_query *q,
                    void (*each)(void *to, const struct session_hit *h), void *to);
/* Whether lessons wait to be read for searches; reads the next of them. */
bool session_search_waits(const struct learner *who);
void session_search_read(struct learner *who);

/* One lesson being taken. Opening (and editing) it keeps the ids of its steps, a blank between, as
 * the setting "outline/<lesson's id>": the order of steps for whoever shows progress without
 * running the lesson. Cards are left out, as in the dialogue. */
struct session;
/* `lesson` is an id of the course, LEARNER_PLACE, LEARNER_REVIEW, LEARNER_CASE, a drill's word or
 * the path of a .lua file. Resumes at the exact step. A file that bears an id of the course and is
 * not the course's own file for it is refused: it would write into that lesson's record. */
struct session *session_open(struct learner *who, const char *lesson, struct base_message *m);
void session_close(struct session *s);
/* The lesson as it is now; an edit or the next check of a placement replaces it. */
const struct lesson *session_lesson(const struct session *s);
/* Where one is, for a heading, the caller's: "1.1  Memory runs out …", "Placement  Where GPU memory
 * goes". */
char *session_heading(const struct session *s);
/* How far, the caller's: "step 3 / 14", with `of` between the numbers; in a review or a check
 * "problem 3 of 6", or "result" on its last page. `step` counts from 0. */
char *session_how_far(const struct session *s, size_t step, size_t steps, const char *of);
/* The short title of a step, of a card its front; "" if it has none or there is no such step. */
const char *session_step_title(const struct session *s, const char *step);
/* What became of a step with an answer, for showing progress. */
enum lesson_came session_step_came(const struct session *s, const char *step);
/* Whether answers to a step count. */
bool session_step_graded(const struct session *s, const char *step);
/* The dialogue about it, for lesson_asked(). Its events and actions go through the next two. */
struct lesson_dialogue *session_dialogue(const struct session *s);
/* As lesson_event() and lesson_do(). In a placement, the next check begins after one was passed,
 * with its own id and title. */
const struct lesson_event *session_event(struct session *s);
void session_do(struct session *s, const struct lesson_action *a);
/* In a review: whether something can be taken back, and does it: the last answer or what was left
 * out is asked again. And leaves the thing that it stands on out of this and later reviews. Both
 * queue events; false if there is nothing to do it to. */
bool session_is_review(const struct session *s);
/* Whether it only goes forward: a review or a drill. */
bool session_is_forward(const struct session *s);
/* Whether an explanation is being timed: the seconds that are left, negative if it takes longer. */
bool session_clock(const struct session *s, int *left);
/* Whether it is the case of the week. */
bool session_is_case(const struct session *s);
bool session_can_undo(const struct session *s);
bool session_undo(struct session *s);
bool session_can_suspend(const struct session *s);
bool session_suspend(struct session *s);
/* A descriptor to wait on next to the keyboard: the lesson's file is being edited. -1 if there is
 * none. */
int session_fd(const struct session *s);
/* After the descriptor was readable: reloads an edited lesson in place, keeping the step; a broken
 * edit leaves the old lesson running and queues LESSON_TROUBLE with file and line. True if events
 * were queued. */
bool session_refresh(struct session *s);

/* ── words ───────────────────────────────────────────────────────────────────────────────────────
 * The terms that a lesson may use: its own, and those that it and the lessons before it in the
 * course explain. */
struct session_word {
    /* Markdown */
    const char *term, *means;
};
/* The first place of a term in a text. */
struct session_spot {
    size_t at, length, which;
};
struct session_glossary;
/* Begins with the lesson's own terms. It must be closed before the session, whose lesson it is: if
 * that changes, a new one is opened. */
struct session_glossary *session_glossary_open(const struct session *s);
void session_glossary_close(struct session_glossary *g);
/* Whether the course's terms wait to be read; reads them. The first time that runs a file: some
 * milliseconds. */
bool session_glossary_waits(const struct session_glossary *g);
void session_glossary_read(struct session_glossary *g);
/* Where a text has terms, as words or plurals: each term once, the longest that begins at a place,
 * `most` at most, in the text's order. */
size_t session_glossary_spots(const struct session_glossary *g, const char *text,
                              struct session_spot *out, size_t most);
/* Lives until the glossary is closed. */
struct session_word session_glossary_word(const struct session_glossary *g, size_t which);
/* The terms that a text has, `most` at most: the lesson's own first. Returns how many. */
size_t session_glossary_find(const struct session_glossary *g, const char *text,
                             struct session_word *out, size_t most);

/* ── bookmarks and notes ─────────────────────────────────────────────────────────────────────────
 * Of the step where a session is. In a review or a check that is the step of the lesson in which it
 * was written. */
struct session_here {
    char lesson[64], step[64];
};
struct session_here session_here(const struct session *s);
bool session_bookmarked(const struct session *s);
bool session_bookmark(const struct session *s, bool set, struct base_message *m);
/* The caller's, or NULL; "" takes it away. */
char *session_note(const struct session *s);
bool session_note_keep(const struct session *s, const char *text, struct base_message *m);

/* ── reports ───────────────────────────────────────────────────────────────────────────────────*/
/* Writes what the learner finds wrong with the step that is open into a new file, with all that
 * tells how it came about: statement, numbers, seed, the latest answer and its verdict, the
 * lesson's revision and the program's version. Its path, the caller's; NULL with the message
 * filled. */
char *session_report(const struct session *s, const char *words, struct base_message *m);

/* ── memos ───────────────────────────────────────────────────────────────────────────────────────
 * A memo is a Markdown file of the learner's own, base_home()/memo/NAME.md, which other programs
 * may write too. */
/* Where a memo of this name lies; the caller's. */
char *session_memo_path(const char *name);
/* Makes the file with this text in it, if there is none, and the learner's folder of memos. True if
 * there is one now, also if another program made it at the same moment: that one stays. */
bool session_memo_begin(const char *path, const char *text, struct base_message *m);
/* The memo for writing in. `most` bytes are read; NULL with the message filled if it cannot be, is
 * larger or is no text. */
struct session_memo;
struct session_memo *session_memo_open(const char *path, size_t most, struct base_message *m);
void session_memo_close(struct session_memo *f);
const char *session_memo_file(const struct session_memo *f);
/* As it was last read or written; lines end in \n alone, whatever they end in in the file. */
const char *session_memo_text(const struct session_memo *f, size_t *length);
enum session_memo_found {
    /* nobody else wrote it; what was to be saved is saved */
    SESSION_MEMO_SAME,
    /* another program did: session_memo_text() is what it wrote; nothing was saved */
    SESSION_MEMO_CHANGED,
    /* it did, and the message says why that cannot be shown; nothing was saved */
    SESSION_MEMO_UNREADABLE,
    /* it could not be saved, the message says why */
    SESSION_MEMO_UNWRITTEN
};
/* Saves it whole, or not at all, and never over what another program wrote (base_file_replace()
 * says how). Through a symbolic link it saves the file that the link leads to. After
 * SESSION_MEMO_CHANGED the next save writes over what was found. */
enum session_memo_found session_memo_save(struct session_memo *f, const char *text, size_t n,
                                          struct base_message *m);
/* Writes a text next to the memo under the first free name of NAME~, NAME~2, NAME~3 …; that name,
 * the caller's. NULL with the message filled. */
char *session_memo_keep(const struct session_memo *f, const char *text, size_t n,
                        struct base_message *m);
/* Looks whether another program wrote it. The descriptor is readable when that is worth doing; -1
 * if there is none. */
enum session_memo_found session_memo_look(struct session_memo *f, struct base_message *m);
int session_memo_fd(const struct session_memo *f);
/* The memo that the step asks for as it lies on the disk, the caller's: the answer to give. NULL
 * with the message filled. */
char *session_memo_asked(const struct session *s, struct base_message *m);
/* Opens it in the learner's editor ($VISUAL, $EDITOR, vi), which has the terminal meanwhile, and
 * comes back when that ended. False with the message filled if there is no such editor. */
bool session_memo_edit(const char *path, struct base_message *m);

/* ── labs ────────────────────────────────────────────────────────────────────────────────────────
 * The runs of a lab, one variant after the other: wait on the descriptor, at most as long as is
 * said, and read. */
struct session_lab;
/* Starts the first run. `s`: the session whose step asks for it, which must outlive it; NULL
 * outside of a lesson. NULL if it cannot be started; then the dialogue was told why, and has
 * events. */
struct session_lab *session_lab_open(struct session *s, const char *name, struct base_message *m);
/* The same with the lab's recordings (experiment_recorded_on() says whether there are any), each
 * played so slowly that it takes `ms` at least. */
struct session_lab *session_lab_replay(struct session *s, const char *name, int ms,
                                       struct base_message *m);
/* A recording by itself, at a speed, played so slowly that it takes `ms` at least. NULL with the
 * message filled if it cannot be read, or its start does not say what ran. */
struct session_lab *session_lab_play(const char *path, double speed, int ms,
                                     struct base_message *m);
const struct experiment_lab *session_lab_what(const struct session_lab *l);
/* Which variant runs, or ran last. */
size_t session_lab_at(const struct session_lab *l);
/* The run of a variant; NULL if it was not begun. */
const struct experiment *session_lab_run(const struct session_lab *l, size_t variant);
bool session_lab_over(const struct session_lab *l);
/* What failed, in words; NULL if nothing did. */
const char *session_lab_trouble(const struct session_lab *l);
int session_lab_fd(const struct session_lab *l);
int session_lab_due(const struct session_lab *l);
/* Takes in what is there; a run that ended is kept, and the next one begun. True if something
 * changed. */
bool session_lab_read(struct session_lab *l);
/* Stops a recording where it is, or lets it go on; one more step of it. False for a run, which goes
 * as it goes. */
bool session_lab_pause(struct session_lab *l, bool paused);
bool session_lab_advance(struct session_lab *l);
/* A step of a recording back; faster or slower by a factor of two. False for a run. */
bool session_lab_back(struct session_lab *l);
bool session_lab_pace(struct session_lab *l, bool faster);
/* What the learner said it would show, and what it does, which is the same pointer if that was
 * right; false if nothing was said. In a lesson its step knows; outside the option is to be told,
 * counted from 0. */
bool session_lab_guess(const struct session_lab *l, const char **said, const char **is);
void session_lab_guessed(struct session_lab *l, size_t option);
/* Whether a run came to the end it was to come to: a good one, or out of memory where it was to die
 * of that. */
bool session_lab_well(const struct session_lab *l, size_t variant);
/* Outside of a lesson: keeps the runs in this learner's record. Call it before the first
 * session_lab_read(). */
void session_lab_keep(struct session_lab *l, struct learner *who);
/* The number under which a run was kept, 0 if it was not (yet). */
int64_t session_lab_number(const struct session_lab *l, size_t variant);
/* Of the lab `capstone`: what stands for what. NULL of others. */
const struct experiment_scale *session_lab_scale(const struct session_lab *l, size_t variant);
/* Asks the run to end, and begins no other; reading brings its end. */
void session_lab_cancel(struct session_lab *l);
/* Ends what still goes, and tells the dialogue, which then has events. */
void session_lab_close(struct session_lab *l);

/* ── what a memo is checked with ───────────────────────────────────────────────────────────────*/
/* The runs that the learner's record keeps, the phrases of all lessons' myths (it runs each lesson
 * once), and a cache; without a learner the cache alone. The learner must outlive it. Freed by
 * session_checks_free(). */
struct memo_context *session_checks(struct learner *who);
void session_checks_free(struct memo_context *c);
/* Reads quotations, "[run 12: peak 1.83 GB]", against the runs that this store keeps; it must
 * outlive what is returned. */
struct memo_evidence session_evidence(struct store *s);
/* Keeps a run that is over, of a lab's variant, that no lesson and no session_lab looks after. Its
 * number; 0 with the message filled. */
int64_t session_keep_run(struct store *s, const struct experiment_lab *what, size_t variant,
                         const struct experiment *t, double seconds, struct base_message *m);
/* What to write into a memo to quote a run, the caller's; NULL with the message filled if there is
 * no such run, or nothing in it to quote. */
char *session_quote(struct store *s, int64_t run, struct base_message *m);

/* Gives each lab step of a lesson (as its script returned it) the lab's own question and reveal,
 * where it has none, and each `read` step the lines that it shows. False with the message filled if
 * there is no such lab. Lessons that are opened here are completed already. */
bool session_complete(json_t *lesson, const char *path, struct base_message *m);

#endif
