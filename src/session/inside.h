/* inside.h: what the files of session share. Private to session. */
#ifndef SESSION_INSIDE_H
#define SESSION_INSIDE_H

#include "session/session.h"
#include "script/script.h"
#include "hash/hash.h"

#include <sys/stat.h>

/* A lesson read from its file: the script that made it, and the data. */
struct loaded {
    /* NULL: nothing will be asked of it */
    struct script *script;
    struct lesson *lesson;
    /* NULL if it has none; a reference of its own */
    json_t *glossary;
};
/* Runs the file, or takes what it says from `store` if it was kept there: then a worker starts when
 * numbers are drawn. With NULL it is run, and what it says is not kept. The message names file and
 * line on failure. */
bool session_loaded_open(struct loaded *l, struct store *store, const char *path,
                         struct base_message *m);
void session_loaded_close(struct loaded *l);
/* The same without the script. */
bool session_loaded_read(struct loaded *l, struct store *store, const char *path,
                         struct base_message *m);
/* file_cache.c: the result of running a file, the caller's, kept in the record for the next time;
 * NULL with the message filled. `store` may be NULL: then nothing is kept. */
json_t *session_told(struct store *store, const char *path, struct base_message *m);
/* The same if it was kept, and neither the file nor what it depends on changed since; else NULL. */
json_t *session_told_kept(struct store *store, const char *path);
/* The same as a script. If what it says was kept, its worker starts when numbers are drawn. */
struct script *session_told_by(struct store *store, const char *path, struct base_message *m);
/* Whether a book can be asked without running its file, which may have failed. */
bool session_book_is_near(struct learner *who, enum session_book b);

/* The course's lessons and then its extras, counted on: how many there are, one of them, and the
 * place of the one with this id, or how many there are. */
size_t session_learner_entries(const struct learner *who);
const struct lesson_entry *session_learner_entry(const struct learner *who, size_t i);
size_t session_learner_find_entry(const struct learner *who, const char *id, size_t length);
/* What a command is called where it is found; the caller's. */
char *session_command_title(const struct session_command *c);
/* The absolute path of a lesson or an extra, the caller's; NULL if it has no file. */
char *session_learner_path(const struct learner *who, size_t i);
/* The path of an extra of the course, the caller's; NULL if there is none of this id. */
char *session_learner_extra(const struct learner *who, const char *id);
/* A lesson or an extra of the course to read in, not to take (it has no script): run once, and
 * again when its file changed. NULL if it has no file or does not load. It belongs to the learner.
 */
const struct loaded *session_learner_lesson(struct learner *who, size_t i);
/* The same if it was read before and needs no file; else NULL. */
const struct loaded *session_learner_cached(const struct learner *who, size_t i);
/* Whether that was tried: one that does not load is not tried again and again. */
bool session_learner_was_read(const struct learner *who, size_t i);
/* Where a book is kept. One that cannot be read is tried again only by who wants to know why. */
struct learner_book {
    json_t *list;
    bool tried;
};
struct learner_book *session_learner_book(struct learner *who, enum session_book b);
const struct session_command *session_learner_commands(const struct learner *who, size_t *count);
/* The entry's term, or the question's id. */
const char *session_book_name(enum session_book b, const json_t *entry);
/* plain.c: what a person reads of Markdown, in lines; the caller's. */
char *session_plain(const char *markdown);
/* The same of a text that stays where it is, as those of lessons and books do: the table's. */
struct session_plains {
    struct session_plain *slot;
    size_t count, capacity;
};
const char *session_plain_kept(struct session_plains *all, const char *markdown);
void session_plains_free(struct session_plains *all);
struct session_plains *session_learner_plains(struct learner *who);
/* The field in which a step says what it says openly, before anything is answered: no hint, no
 * reveal, no model answer. NULL if it has none. */
const char *session_step_told(const struct lesson *l, size_t i);
/* "true" or "false" for a myth that the learner answered, else NULL. */
const char *session_myth_verdict(struct learner *who, const struct lesson *l, size_t step);
/* Index of a lesson by its id alone, `length` bytes; the course's count if there is none. For what
 * the record says: costs no look at files. */
size_t session_learner_find_id(const struct learner *who, const char *id, size_t length);
/* Whether a lesson from this file may keep its answers under this id. */
bool session_learner_lends_id(const struct learner *who, const char *id, const char *path,
                              struct base_message *m);
/* Keeps the order of a lesson's steps, so that progress can be told later without running the
 * lesson. */
void session_learner_keep_outline(struct learner *who, const struct lesson *l);
/* Keeps how many of its steps are graded, and which must be answered, for the same. */
void session_learner_keep_graded(struct learner *who, const struct lesson *l);
/* Keeps a text of a lesson under "deck" and the like, if it is another one than before. */
void session_learner_keep(struct learner *who, const char *what, const char *lesson,
                          const char *value);
/* Keeps the ids of those steps which must be answered. */
void session_learner_keep_asked(struct learner *who, const struct lesson *l);
/* Keeps after which answer a round of a review began, if this is a new one; before its outline is
 * kept. */
void session_learner_keep_since(struct learner *who, const struct lesson *l);

/* What was kept of a lesson under "outline", "graded", "asked", "since", "places" or "opened": the
 * caller's, or NULL. */
char *session_learner_kept(struct learner *who, const char *what, const char *lesson);
/* The same as a count: digits and nothing else. False if there is none: nothing is made of what was
 * not written here. */
bool session_learner_kept_count(struct learner *who, const char *what, const char *lesson,
                                int64_t *count);
/* The same of a setting by its whole name. */
bool session_kept_count(struct store *store, const char *name, int64_t *count);
enum { LEARNER_STEPS_MOST = 200 }; /* of a lesson */
/* progress.c: 1-based place of a word in a text of words with a blank between; 0 if it is not
 * there. */
int session_word_number(const char *words, const char *word);
/* opened.c: the ids of the steps that were open once; the caller's, NULL if nothing was kept: then
 * each one that was passed was. */
char *session_opened(struct learner *who, const struct lesson *l);
bool session_is_opened(const char *opened, const char *id);
/* The step `here` is open; *opened, which may be NULL, says so from now on, and is kept. `reached`:
 * how far the learner had come (NULL: through the lesson). */
void session_keep_opened(struct learner *who, const struct lesson *l, char **opened,
                         const char *reached, const char *here);
/* How many graded steps it had when it was last taken; 0 if that is not known. */
size_t session_learner_graded(struct learner *who, const char *lesson);
/* Whether a lesson is written; of a review or a check, whether any of its phase is. */
bool session_learner_exists(const struct learner *who, size_t i);

/* gate.c: checks. */
struct learner_check {
    /* in some round */
    bool passed;
    /* in the latest one */
    size_t right, asked;
};
/* `i`: its index in the course. Read once, and again only after another answer. */
struct learner_check session_learner_check(struct learner *who, size_t i);
/* What is kept of a check for that. It belongs to the learner. */
struct learner_rounds {
    bool read;
    /* the last one of the record when it was read */
    int64_t answer;
    /* how many were right in a round */
    size_t best, latest;
};
struct learner_rounds *session_learner_rounds(struct learner *who, size_t i);
/* Whether the phase's check was passed. */
bool session_learner_passed(struct learner *who, size_t phase);
/* The round at which a review or a check continues. After its last one a review begins another, and
 * a check shows its result, from which the learner can take it again. */
int session_learner_round(struct learner *who, const struct lesson_entry *l);
/* The first check that is not passed: what placement asks; the course's count if all are. */
size_t session_learner_place_at(struct learner *who);

/* mixed.c: a review or a check of the course as a lesson (`lesson`, the caller's), and whom it asks
 * for numbers. `places`: as a part of placement. NULL with the message filled if it cannot be
 * made. */
struct mixed;
struct mixed *session_mixed_open(struct learner *who, size_t i, bool places, struct lesson **lesson,
                                 struct base_message *m);
struct lesson_source session_mixed_source(struct mixed *x);
/* The same for the lessons of these places in the course, which `lesson` becomes. */
struct mixed *session_mixed_of(struct learner *who, const size_t *index, size_t count,
                               const struct lesson **lesson, struct base_message *m);
/* The same for steps that were chosen, each asked once (lesson_queue()): the lesson, the caller's;
 * NULL with the message filled. */
struct session_pick {
    /* its place in the course */
    size_t lesson;
    /* of the step, or of the card */
    const char *id;
    /* NULL, or the problem about the learner's job, which belongs to no lesson */
    const json_t *own;
};
struct lesson *session_mixed_queue(struct learner *who, const struct lesson_queue_head *head,
                                   const struct session_pick *pick, size_t count,
                                   struct mixed **mixed, struct base_message *m);
void session_mixed_close(struct mixed *x);

/* deck.c: everything that can come back. */
struct learner_deck {
    struct review_thing *thing;
    char **title;
    size_t count;
};
void session_deck_read(struct learner *who, struct learner_deck *d);
void session_deck_free(struct learner_deck *d); /* learner.c */
/* Keeps what of a lesson can come back. */
void session_learner_keep_deck(struct learner *who, const struct lesson *l);

/* reviews.c: the memories, as far as the answers were read. It belongs to the learner. */
struct learner_reviews {
    const char *lesson[BASE_COUNT(((struct lesson_course *)0)->lesson)];
    size_t lessons;
    /* the hour at which its days begin */
    int rollover;
    /* NULL: not read yet */
    struct review_record *record;
    /* the numbers of the last answers in it, and in what was kept */
    int64_t through, kept;
    /* as it was read last */
    struct learner_deck deck;
    /* the lessons, in the course, of which today's review asks something; some stand here twice */
    size_t asks[REVIEW_DAY_MOST], asked;
    /* many answers were read: mastery has them to read, too */
    bool mastery_waits;
};
struct learner_reviews *session_learner_reviews(struct learner *who);
/* The same after the latest answer was read. */
struct learner_reviews *session_reviews(struct learner *who);
/* How likely the learner recalls a reviewed thing today. The first try of a day is its review. If
 * that failed, the thing is not recalled until a later try is right; it then counts as it will
 * tomorrow. */
double session_memory_recall(struct learner *who, const struct review_memory *m);
/* What is likely recalled is weak below the one and solid from the other on; page_strength_of()
 * draws it so. */
#define SESSION_WEAK  0.7
#define SESSION_SOLID 0.9

/* The seconds of review that a day has room for: fewer if the learner's job is asked on it. */
int64_t session_reviews_room(struct learner *who, int64_t day);
/* What is left for today, REVIEW_DAY_MOST at most; reads the deck. */
size_t session_reviews_choose(struct learner *who, struct review_pick *out);

/* due.c: in how many days after this one more of the deck comes, which was read; 0 if nothing
 * does. */
int64_t session_due_next(struct learner *who, int64_t day);
/* Keeps what will be due on the next days if nothing is answered until then, for session_due(). */
void session_due_keep(struct learner *who);

/* mastery.c: what the learner can do, as far as the answers were read. It belongs to the
 * learner. */
struct learner_mastery {
    const char *lesson[BASE_COUNT(((struct lesson_course *)0)->lesson)];
    size_t lessons;
    /* NULL: not read yet */
    struct review_mastery *fold;
    /* the hour at which its days begin */
    int rollover;
    /* the numbers of the last answers in it, and in what was kept */
    int64_t through, kept;
};
struct learner_mastery *session_learner_mastery(struct learner *who); /* learner.c */
/* The same after the latest answer was read. */
const struct review_mastery *session_mastery(struct learner *who);
/* What the engine calls a mistake; NULL if it knows none of this id. */
const char *session_mistake_name(const char *id);
/* An empty one for this course, which was made of no answer. The caller frees its `fold`. */
void session_mastery_begin(struct learner *who, struct learner_mastery *m);
/* Which problem is about which skill: each is solved once. */
struct session_solved;
struct session_solved *session_solved_new(void);
void session_solved_free(struct session_solved *s);
/* Adds the next answer, with its problem as it was asked, JSON or "". */
void session_mastery_add(const struct learner_mastery *m, struct session_solved *s,
                         const struct review_answer *a, const char *problem);
/* As session_learner_skills() on another day, of other answers. */
size_t session_skills(struct learner *who, const struct review_mastery *m, int64_t today,
                      struct learner_skill **out);

/* study.c: "2026-11-23", the caller's; and members of session_learner_study(). */
char *session_date(int64_t day);
json_t *session_areas(struct learner *who, const struct review_mastery *m, int64_t today);
json_t *session_mistakes(const struct review_mastery *m, int64_t today);

/* lines.c: a file of lines of JSON. The first says what it is, the last how many there are before
 * it and their SHA-256. */
/* Adds a line, and drops it. The last line after a text, the caller's. */
void session_lines_add(struct base_text *t, json_t *line);
char *session_lines_seal(const char *text, size_t n);
/* as it is read: `at` is the next line's first byte, `last` the last line's */
struct session_lines {
    const char *path, *text, *at, *last, *end;
    int line;
};
/* The next line, the caller's; NULL with the message filled. */
json_t *session_lines_next(struct session_lines *f, struct base_message *m);
/* Whether the first line says that it is such a file, and not newer than this. */
bool session_lines_head(json_t *head, const struct session_lines *f, const char *what,
                        int64_t format, int64_t schema, struct base_message *m);
/* Finds the last line; false with the message filled if the file was cut off. */
bool session_lines_end(struct session_lines *f, struct base_message *m);
/* Whether the last line fits those before it. */
bool session_lines_fit(const struct session_lines *f);

/* The course alone, without a record: nothing may be asked of one. */
struct learner *session_learner_open_course(struct base_message *m);
/* The course and this record, which it takes over in any case. */
struct learner *session_learner_of(struct store *store, struct base_message *m);

/* proof.c, certificate_file.c, certificate_read.c: the answers that a certificate carries, each
 * judged again. */
struct proof_answer {
    struct lesson_answer is;
    int64_t number, time;
    /* the learner's day on which it was given */
    int64_t day;
    /* which engine judged it first */
    int engine;
    /* of a hand-in: its line in the file */
    int line;
    /* it was asked by an earlier version of its lesson, so its numbers were not drawn again */
    bool before;
    /* its question: [text, JSON or null], NULL if it has none; the JSON of that, NULL if it is
     * none; and the text, "" if there is none */
    json_t *question, *problem;
    const char *asked;
    /* of an answer that was taken to be written: its row as JSON, and the number of its question in
     * the file, 0 if it has none */
    char *row;
    size_t asks;
    /* of a file that is read, what it says that its verdict was when it was made */
    char said[sizeof((struct lesson_again *)0)->verdict];
    /* as it is judged today, once `judged` */
    struct lesson_again again;
    bool judged;
};
struct session_proof {
    /* the file's first line; of a record that is read, made as it will be written */
    json_t *head;
    /* its second line, of a record that is read */
    json_t *table;
    struct proof_answer *answer;
    size_t answers;
    /* the answers by their items, those to one in their order; NULL until they are looked for */
    size_t *by_item;
    /* questions of this and other proofs that were read before, by their text; and all other texts
     * of the answers */
    json_t *known, *texts;
    /* names of the columns by their places in a row */
    size_t column[16];
    /* by whom and on which day it was countersigned: [{"name","day"}…] */
    json_t *countersigned;
    char seal[HASH_HEX];
};
/* The answers of the learner's record, those of today the last. False with the message filled.
 * session_proof_free() frees it in any case. */
bool session_proof_take(struct learner *who, const char *name, struct session_proof *p,
                        struct base_message *m);
/* The same of a hand-in, which must outlive it; or, if `p` has one already, the answers of another
 * copy of it to tries that were not answered in those before. `known` keeps the questions that were
 * read, so that each is read once for all hand-ins. */
bool session_proof_take_handin(const struct classroom_handin *h, json_t *known,
                               struct session_proof *p, struct base_message *m);
/* The same of single rows: the one with the columns' names first. False with the message filled. */
bool session_proof_add(struct session_proof *p, json_t *row, struct base_message *m);
void session_proof_free(struct session_proof *p);
/* The SHA-256 of all lessons of the course, which draw the numbers. */
void session_course_hash(struct learner *who, char out[HASH_HEX]);
/* audit.c: judges every answer again, and draws its numbers again if the lessons here are those of
 * the file, in as many processes as there are processors. To certify or to export, an answer that
 * comes out otherwise than it was kept is marked as today's programs judge it; to verify or to
 * import, the first one is the message. If the processes that draw numbers cannot run, nothing is
 * known, and the message says so: SESSION_REFUSED. An export marks such answers. */
enum session_purpose {
    SESSION_TO_CERTIFY,
    SESSION_TO_VERIFY,
    SESSION_TO_EXPORT,
    SESSION_TO_IMPORT
};
enum session_proven session_proof_judge(struct learner *who, struct session_proof *p,
                                        enum session_purpose why, struct base_message *m);
/* rejudge.c: the same for single answers, of many proofs, whose lessons stay open meanwhile. */
struct session_judge;
struct session_judge *session_judge_open(struct learner *who);
void session_judge_close(struct session_judge *j);
/* The next answers are those of this proof, which must outlive them. Whether they were asked by the
 * lessons that are here. */
bool session_judge_begin(struct session_judge *j, const struct session_proof *p);
/* Judges an answer with the numbers that it was kept with; `again` and `judged` of those before it
 * in the proof must be set. False if it is not judged. */
bool session_judge_answer(struct session_judge *j, size_t i, struct lesson_again *out);
/* The lesson that asked it, its place in the course; the course's count if it is judged by none. */
size_t session_judge_lesson(struct session_judge *j, size_t i);
/* The first line of the worksheet that it goes on with, whose numbers it must have; NULL if its own
 * were drawn. */
const struct proof_answer *session_judge_first(const struct session_proof *p, size_t i);
/* Whether its lesson asks this learner these numbers at this try. */
enum session_asked {
    SESSION_ASKED,
    SESSION_ASKED_NOT,
    /* the lesson cannot be run here */
    SESSION_ASK_UNKNOWN
};
/* For several answers, fast if those of a lesson follow each other: into asked[answer]. */
void session_judge_asked_all(struct session_judge *j, const size_t *answer, size_t n,
                             enum session_asked *asked);
bool session_verdict_is_graded(const char *verdict);
bool session_verdict_is_right(const char *verdict);
/* As the text of a certificate, the caller's; sets the seal. */
char *session_proof_write(struct session_proof *p, size_t *length);
/* Reads such a text, whoever wrote it. False with the message filled; `edited`: because it was
 * changed after it was made, and not because it is something else. `line`: how many stand above it
 * in the file. */
bool session_proof_read(const char *path, int line, const char *text, size_t n,
                        struct session_proof *p, bool *edited, struct base_message *m);
/* The link of the last line. */
const char *session_proof_last(const struct session_proof *p);
/* The text with one more line, a name and a day; the caller's. `link`: the last, which becomes its
 * own. */
char *session_proof_countersign(const char *text, char link[HASH_HEX], const char *name,
                                int64_t day);
/* The verdict that counts. */
const char *session_proof_verdict(const struct proof_answer *a);
/* Whether an item was answered as a whole; `self` is the proof. */
bool session_proof_answered(void *self, const char *item);
/* The answers as lesson's journal, which can only be read. */
struct lesson_journal session_proof_journal(struct session_proof *p);
/* "answer 17 (2026-11-24, 1.3/one-stage)", the caller's. */
char *session_proof_name(const struct session_proof *p, size_t i);

/* certificate_page.c: takes over a file, in which such a text may stand in a page. */
void session_certificate_uncarry(char *file, size_t n, struct session_certified *c);
/* Whether the line that belongs to the page fits the others, once `last` is known; says whether the
 * page fits that line. */
bool session_certificate_page_fits(const char *path, struct session_certified *c, bool *edited,
                                   struct base_message *m);

/* certificate_content.c: what answers show, as session_certificate() says it: those of a journal,
 * folded into skills. `seed` is the learner's. */
struct session_shown {
    struct lesson_journal journal;
    /* whether the journal `self` has an answer to this item as a whole */
    bool (*answered)(void *self, const char *item);
    const struct review_mastery *fold;
    uint64_t seed;
    int64_t today;
};
json_t *session_says(struct learner *who, const struct session_shown *s);
/* job.c: "13B on 8 × A100 80 GB" of a scenario's line. */
void session_job_name(const char *line, char *out, size_t size);

/* queue.c: whether a thing is one of an idea's problems, or a card about the same as one of them.
 */
bool session_is_about(const struct learner_deck *d, const struct lesson_idea *idea,
                      const struct review_thing *t);
/* Today's review as a lesson (`lesson`, the caller's), and whom it asks for numbers
 * (`mixed`, the caller's). NULL with the message filled, also if nothing is due. */
struct queue;
struct queue *session_queue_open(struct learner *who, const char *about, struct mixed **mixed,
                                 struct lesson **lesson, struct base_message *m);
void session_queue_close(struct queue *q);
/* After anything was done at an item: what follows from its answer, in words, the caller's; NULL if
 * it was not answered, or that was said. */
char *session_queue_answered(struct queue *q, const char *item, const char *title);
/* How long an item of it takes; 0 if it is not asked. */
int session_queue_seconds(const struct queue *q, const char *item);
/* What became of an item in it. */
enum lesson_came session_queue_came(const struct queue *q, const char *item);
/* How it went: Markdown, the caller's. */
char *session_queue_over(struct queue *q);
bool session_queue_suspend(struct queue *q, const char *item, struct base_message *m);
bool session_queue_can_undo(const struct queue *q);
/* Takes back what was done last; the item, the caller's. NULL if there is none, or with the message
 * filled. */
char *session_queue_undo(struct queue *q, struct base_message *m);

/* exits.c: the problems that most of the class missed. False with the message filled, also if there
 * are none. */
bool session_exit_choose(const struct classroom_sight *s, struct classroom_exit *out,
                         struct base_message *m);

/* slides.c: Markdown of one line as plain text; the caller's. */
char *session_slides_plain(const char *markdown);
/* exits.c: the questions at the end of the class, as a lesson; the caller's, NULL with the message.
 */
struct lesson *session_exit_open(struct learner *who, struct mixed **mixed, struct base_message *m);
/* drills.c: what LEARNER_MYTHS and the like open; the caller's, NULL with the message filled. */
struct lesson *session_drill_open(struct learner *who, const char *word, struct mixed **mixed,
                                  struct base_message *m);

/* days.c: the numbers of the local day, which begins at the hour that the learner set, and of its
 * week; and what answers of this week are kept under, "case/2956/NAME", the caller's. */
int64_t session_today(struct learner *who);
/* The time at which the learner's day began. */
int64_t session_today_began(struct learner *who);
int64_t session_week(struct learner *who);
char *session_week_item(int64_t day, const char *what, const char *name);
/* The title of the lesson of a note or bookmark, by which a step without a title of its own goes;
 * the lesson's id if there is no such lesson. Lives as long as the learner. */
const char *session_note_lesson(struct learner *who, const struct store_note *n);
/* session_learner_rollover() of a record. */
int session_rollover(struct store *s);
/* cases.c: the case of the week as a lesson, the caller's; NULL with the message filled if there is
 * none. */
struct lesson *session_case_open(struct learner *who, struct base_message *m);
/* feedback.c: the feedback of the learner's class, likewise. */
struct lesson *session_feedback_open(struct learner *who, struct base_message *m);
/* learner.c: the course's cases; NULL if it has none or they do not load. */
const struct loaded *session_learner_cases(struct learner *who);

/* job.c: the job as sliders take it (lesson_source.own), the caller's; NULL if none is kept. */
json_t *session_job_fields(struct learner *who);
/* The one problem a week about the learner's job: whether it was not answered in this day's week,
 * its step, and its numbers (both the caller's). */
enum { SESSION_JOB_SECONDS = 60 };
bool session_job_is_due(struct learner *who, int64_t day);
/* Whether it was answered today. */
bool session_job_was_asked(struct learner *who);
json_t *session_job_step(struct learner *who);
json_t *session_job_problem(struct learner *who, struct base_message *m);

/* classwork.c: what the class of this record gets. */
enum { ATTENDED_MOST = 8 }; /* lessons that are open at a time */
struct learner_class {
    /* NULL: the record is no class's */
    struct session_class *in;
    /* the class that the learner is in and that has not begun; NULL */
    struct session_class *ahead;
    /* the class began or ended meanwhile: its record is to be used, or no longer */
    bool turned;
    /* of the lessons; "" until a lesson is taken */
    char course[HASH_HEX];
    /* the hour at which the learner's days begin */
    int rollover;
    /* the hand-in has the answers up to this number, in so many rows, and was begun by this program
     * or before */
    int64_t handed;
    size_t rows;
    bool begun;
    /* since when the hand-in could not be brought up to date; 0: it is */
    int64_t waits;
    /* where the learner is, since when (base_ticks()), and whether the class was not told yet */
    struct classroom_presence now;
    int64_t began;
    bool changed;
    /* the lesson that `now` says, NULL if none is taken; and those that wait below it */
    const struct session *of;
    struct waiting {
        const struct session *of;
        struct classroom_presence now;
        int64_t began;
    } below[ATTENDED_MOST];
    size_t waiting;
    /* the board as it was read last, which of it was, and when it is looked at again
     * (base_ticks()) */
    struct classroom_board board;
    struct stat board_was;
    int64_t look;
    /* the line that the teacher wrote last, and whether it is still to be seen */
    struct classroom_nudge nudge;
    bool nudged;
    /* the class was told by this program */
    bool told;
    /* the step that is open for all, "" if none is; and whether the learner was there since */
    char open_lesson[CLASSROOM_WORD], open_step[CLASSROOM_WORD];
    bool followed;
};
/* pacing.c: takes in what the board says of it. */
void session_pacing_see(struct learner_class *c, const struct classroom_board *b);
/* Reads the class again. False if the learner left it meanwhile. */
bool session_classwork_again(struct learner_class *c);
/* Takes up the class that runs, if this is its record. */
void session_classwork_begin(struct learner_class *c, struct store *s);
/* Brings the hand-in up to date. False with the message filled; then `waits` says since when. */
bool session_classwork_hand_in(struct learner_class *c, struct store *s, struct base_message *m);
/* Tells the class where the learner is. */
bool session_classwork_tell(struct learner_class *c, struct base_message *m);
/* Hands in what waits, and tells the class that the learner's program ended. */
void session_classwork_end(struct learner_class *c, struct store *s);
/* asked.c: reads the board if it changed. True if it says something new. */
bool session_classwork_look(struct learner_class *c);
struct learner_class *session_learner_classwork(struct learner *who); /* learner.c */
/* speed.c: hands in what was kept outside of lessons. */
void session_speed_hand_in(struct learner *who);
/* attending.c: takes each event of the lesson that is taken, and NULL when an action is awaited;
 * and that the lesson is closed. The learner is then where the one below was left. */
void session_attend(struct learner *who, const struct session *s, const struct lesson *l,
                    const struct lesson_event *e);
void session_attend_end(struct learner *who, const struct session *s);

/* Gives each `read` step of a lesson its lines, or the reason why they are not there, as its
 * "source". */
void session_source_complete(json_t *lesson);

/* What a run weighed (lesson_run.measured), the caller's; NULL if it did not end as it was to:
 * well, or out of memory. */
/* lab_lesson.c: a lab as a lesson of one step; NULL with the message if there is no such lab. */
struct lesson *session_lab_named(const char *name, struct base_message *m);
/* loaded.c: gives the step of a lab the questions and the reveal that it does not have itself. */
void session_lab_complete(json_t *step, const struct experiment_lab *lab);
json_t *session_lab_weighed(const struct experiment *t, const struct experiment_variant *variant);
/* lab_keep.c: a run as lesson and store keep it; freed by session_kept_run_close(). */
struct kept_run {
    json_t *weighed;
    char *events;
    struct lesson_run run;
};
void session_kept_run_open(struct kept_run *k, const struct experiment_lab *what, size_t variant,
                           const struct experiment *t, double seconds);
void session_kept_run_close(struct kept_run *k);
struct learner *session_learner(const struct session *s);
/* The glossary of the lesson that is taken, NULL if it has none; the session's. */
const json_t *session_own_glossary(const struct session *s);

#endif
