/* store: one learner's record in one SQLite file. Fills lesson's `journal`. No SQL leaves this
 * module.
 *
 * WAL, synchronous=FULL, STRICT tables, user_version migrations from data/schema (compiled in).
 * When a call that writes returns true, what it wrote survives kill -9 and a power cut. Two
 * programs on one file work. A new file is the learner's alone (0600), whatever the umask and its
 * folder's mode. Files come from elsewhere too: one that is no file, is from a newer version, or
 * has any other schema than its version's is refused untouched; no question to one may run for
 * ever.
 *
 * Ownership: store_close() closes; strings handed to callbacks live during the call. */
#ifndef STORE_H
#define STORE_H

#include "base/base.h"
#include "review/review.h"
#include "lesson/lesson.h"

struct store;
/* Opens (and creates, with its folders) the file; `path` NULL means learner.db under base_home().
 * NULL with the message filled on failure. */
struct store *store_open(const char *path, struct base_message *m);
/* The same for a record whose learner's seed follows from something else, as in a class. A record
 * in which nothing was done gets this seed. One in which something was done with another seed is
 * refused. */
struct store *store_open_seeded(const char *path, uint64_t seed, struct base_message *m);
/* As store_open() to read in alone, for a moment: nothing is made, locked or migrated. NULL without
 * a message if there is no record yet, or one of an older version. */
struct store *store_open_to_read(const char *path, struct base_message *m);
void store_close(struct store *s);
/* Answers are added and never changed; a run of a lab is kept with the answer that it is, in one
 * transaction; a lesson once gone through stays so. Lives as long as the store. */
struct lesson_journal store_journal(struct store *s);
/* The learner's own seed, drawn once when the file is made. */
uint64_t store_seed(struct store *s);
/* Settings are short texts by name. The value (caller's), or NULL if there is none or it is longer
 * than 64 KiB, which none is that was set here. */
char *store_setting(struct store *s, const char *name);
/* A NULL value forgets the setting. A longer one than that is refused. */
bool store_set(struct store *s, const char *name, const char *value, struct base_message *m);
/* The same for a derived value, without waiting for the disk: a power cut may lose it. Why it
 * failed is not told. */
bool store_set_derived(struct store *s, const char *name, const char *value);
/* Begins a lesson anew: its place is forgotten, and answers given to it before count no longer for
 * its progress. They are kept, and reviews still count them. */
bool store_reset(struct store *s, const char *lesson, struct base_message *m);

/* what the answers say of one item */
struct store_item {
    const char *item;
    /* graded answers, and those that were right or rounded */
    int answers, right;
    /* the first of them was */
    bool right_first;
    /* the latest graded verdict */
    const char *last;
    /* of the latest answer */
    int64_t when;
};
/* Calls `each`, in the ids' order, with every item whose id begins with `prefix` ("1.1/") and that
 * has a graded answer. Only rows without a line count, so of a worksheet the row for the whole
 * sheet; "noted" and "unreadable" are not graded. */
bool store_items(struct store *s, const char *prefix,
                 void (*each)(void *to, const struct store_item *i), void *to,
                 struct base_message *m);
/* Whether there is any such item. Costs one look at the index, however long the record is. */
bool store_has_items(struct store *s, const char *prefix);
/* What the first and the last graded answer say of this very item. Costs a few looks at the index,
 * however often it was answered. */
struct lesson_ends store_item_ends(struct store *s, const char *item);
/* The try of the last answer to this very item, from 1; 0 if there is none. Costs a few looks at
 * the index. */
int store_last_try(struct store *s, const char *item);
/* Whether this very item was answered as a whole after the answer of this number: graded, or kept
 * with what was typed, as memos and guesses are. A problem of which only the working was shown was
 * not answered, nor a sheet that was left in the middle. */
bool store_was_answered(struct store *s, const char *item, int64_t after);
/* The same of a graded answer in a try that has this line, too. */
bool store_was_answered_in(struct store *s, const char *item, const char *line, int64_t after);
/* Calls `each` with every try in which any item whose id begins with `prefix` ("1c/") has a graded
 * answer, in the tries' order: `right` is how many of them are right or rounded. Of a check, whose
 * tries are its rounds. */
bool store_tries(struct store *s, const char *prefix, void (*each)(void *to, size_t right),
                 void *to, struct base_message *m);
/* Calls `each`, in their order, with the answers after the one of this number that reviews are
 * derived from: verdicts on whole problems, cards, and what was undone or suspended. Their day is
 * the local day of their time, with this rollover hour. */
bool store_reviews(struct store *s, int64_t after, int rollover,
                   void (*each)(void *to, int64_t number, const struct review_answer *a), void *to,
                   struct base_message *m);
/* The same for what a learner can do: lines of worksheets are among them, and each comes with the
 * problem as it was asked, JSON or "". */
bool store_answers(struct store *s, int64_t after, int rollover,
                   void (*each)(void *to, int64_t number, const struct review_answer *a,
                                const char *problem),
                   void *to, struct base_message *m);
/* Calls `each`, in the items' order, with the first graded answer to each item as a whole. */
bool store_first_answers(struct store *s,
                         void (*each)(void *to, const char *item, bool right, const char *mistake),
                         void *to, struct base_message *m);
/* The number of the last answer of all; 0 if there is none. Later answers have higher ones. */
int64_t store_last_answer(struct store *s);
/* The same of those before this time. */
int64_t store_last_answer_before(struct store *s, int64_t time);
/* Runs of labs, each by its number: 1, 2, 3 … in the order in which they were kept. */
struct store_run {
    int64_t number, when;
    /* as in lesson_run */
    const char *lab, *variant, *command, *outcome;
    /* "" in store_runs() */
    const char *events;
    /* NULL if it did not come so far */
    const json_t *measured;
};
/* Keeps a run that no lesson asked for, as an answer to "lab/NAME". Its number, 0 with the message
 * filled if it could not be kept. */
int64_t store_keep_run(struct store *s, const struct lesson_run *r, struct base_message *m);
/* Calls `each` with the run of this number. False with the message filled if there is none, or it
 * cannot be read. */
bool store_run(struct store *s, int64_t number, void (*each)(void *to, const struct store_run *r),
               void *to, struct base_message *m);
/* Calls `each` with the latest runs, `most` of them, newest first; of one lab, or of all (NULL). */
bool store_runs(struct store *s, const char *lab, int most,
                void (*each)(void *to, const struct store_run *r), void *to,
                struct base_message *m);
/* The number of the run that was kept last through this very store, whoever keeps runs in the same
 * file meanwhile; 0 if none was. */
int64_t store_kept_run(struct store *s);
/* The number of the latest run of a lab (NULL: of any); 0 if there is none. */
int64_t store_last_run(struct store *s, const char *lab);

/* A bookmark or a note at a step of a lesson. Rows are only added, and the latest of a step counts:
 * an empty text takes it away. */
enum store_note_kind { STORE_BOOKMARK, STORE_NOTE };
/* bytes of a note */
enum { STORE_NOTE_MOST = 4000 };
struct store_note {
    /* ignored when it is kept */
    int64_t number, when;
    enum store_note_kind kind;
    const char *lesson, *step;
    /* of the step when it was kept */
    const char *title;
    /* of a bookmark anything but "" */
    const char *text;
};
bool store_note_keep(struct store *s, const struct store_note *n, struct base_message *m);
/* Calls `each` with the bookmarks and notes of a step, of a lesson (`step` NULL) or of all (both
 * NULL), the latest first. */
bool store_notes(struct store *s, const char *lesson, const char *step,
                 void (*each)(void *to, const struct store_note *n), void *to,
                 struct base_message *m);

struct store_place {
    const char *lesson, *step;
    /* it was gone through to its end, whatever was answered on the way */
    bool finished;
    int64_t when;
};
bool store_places(struct store *s, void (*each)(void *to, const struct store_place *p), void *to,
                  struct base_message *m);
/* Which engine judges what is kept now: counted up when its judgement of the same problem and the
 * same text changes. Answers judged by an earlier one are imported as they are. */
enum { STORE_ENGINE_REVISION = 1 };

/* ── the whole record, to be carried elsewhere ───────────────────────────────────────────────────
 * Calls `line` with each row of the record as JSON, which stays the store's: for each table an
 * object {"table": NAME, "columns": [NAME…]}, then an array for each row. Derived settings
 * ("cache/…") are left out. `only`: of this table alone; NULL: of all. All lines are of one moment,
 * and the same record gives the same lines. False if `line` returned false, or with the message
 * filled. */
bool store_rows(struct store *s, const char *only, bool (*line)(void *to, json_t *row), void *to,
                struct base_message *m);
/* A row as text on one line, with every digit of its numbers, without a line feed; the caller's. */
char *store_row_text(const json_t *row);
/* The version of the record's schema. */
int64_t store_version(struct store *s);
/* Takes such lines, which may come from anybody, into a record in which nothing was done yet: its
 * learner's seed and its settings are replaced. NULL with the message filled if anything was done
 * in it. Until store_intake_end() nothing has changed. */
struct store_intake;
struct store_intake *store_intake_begin(struct store *s, struct base_message *m);
/* False with the message filled if the line is none of a record's; then only the end may follow. */
bool store_intake_line(struct store_intake *in, const json_t *line, struct base_message *m);
/* The seed of the learner whose rows were taken; 0 if the learner's own row has not come. */
uint64_t store_intake_seed(struct store_intake *in);
/* Frees it. Keeps all that was taken if `keep`; otherwise, or on failure, nothing of it. */
bool store_intake_end(struct store_intake *in, bool keep, struct base_message *m);
/* Deletes the record's files. Refused while another program has them open. Afterwards the store may
 * only be closed. */
bool store_delete(struct store *s, struct base_message *m);

/* ── about the file ────────────────────────────────────────────────────────────────────────────*/
/* Whether a file or folder is on a network file system, where write-ahead logs do not work. */
bool store_network_path(const char *path);
/* "WAL" or "rollback journal (…)", with the reason. For doctor. */
const char *store_mode(struct store *s);
/* How others on this machine may read, change or replace the record at this path, each with the
 * command that closes it, in words (the caller's); NULL if they may not. Opens nothing. */
char *store_exposed(const char *path);
/* NULL if `PRAGMA integrity_check` is content, else what it says (the caller's). */
char *store_broken(struct store *s);

#endif
