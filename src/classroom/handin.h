/* classroom/handin.h: what a learner hands in: answers, never grades, in a file that grows.
 *
 *     {"zerotutor":"handin","format":1,"class":ID,"account":"ada","with":"bob","seed":N,
 *      "course":SHA-256 of the lessons,"version":"0.1.0"}            (one line)
 *     {"table":"answer","columns":["id","time","item",…]}
 *     {"answer":[17,1795430000,"1.1/ddp-7b",…],"day":20779,"link":HEX}
 *
 * If the second name at the keyboard changes, the first answer after that has "with":"eve" after
 * its day ("" if the learner is alone from then on). From the third line on it is a chain (hash.h),
 * which begins with the two lines above it. No line marks its end. handins/HEX.handin is 0644 and
 * its owner's program alone writes it. The learner's record is the truth: writing adds every row
 * that the file lacks, so a folder that cannot be written for a while loses nothing. A last line
 * without its line feed was torn by a crash or a full disk: readers ignore it, and the owner's next
 * writing cuts it off. */
#ifndef CLASSROOM_HANDIN_H
#define CLASSROOM_HANDIN_H

#include "classroom/settings.h"
#include "hash/hash.h"

enum { CLASSROOM_HANDIN_MOST = 64 << 20, CLASSROOM_ANSWERS_MOST = 1000000 };

/* The first line. The strings are borrowed; `with` may be "". */
struct classroom_handin_head {
    const char *class, *account, *with, *course, *version;
    uint64_t seed;
};

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
enum classroom_fault {
    CLASSROOM_WHOLE,
    /* it cannot be read: missing, a link, too large … */
    CLASSROOM_UNREAD,
    /* it has no whole line yet, or is not a hand-in */
    CLASSROOM_NO_HANDIN,
    /* a newer zerotutor wrote it */
    CLASSROOM_NEWER,
    CLASSROOM_OTHER_CLASS,
    /* it says that it is another account's than the file's owner, or its numbers are another's */
    CLASSROOM_OTHER_ACCOUNT,
    /* a line was changed, dropped or put in; the answers before it are there */
    CLASSROOM_CHANGED,
    /* it has more answers than any hand-in */
    CLASSROOM_TOO_MANY
};
struct classroom_handed {
    /* borrowed, of `row` */
    const json_t *row;
    int64_t day;
    /* in the file, from 1 */
    int line;
};
struct classroom_handin {
    struct classroom_handin_head head;
    /* all second names, one after the other: "bob, eve" */
    char with[CLASSROOM_TITLE];
    /* its first and second line, which own the strings */
    json_t *first, *table;
    struct classroom_handed *answer;
    size_t answers;
    enum classroom_fault fault;
    /* its last line was torn, and is ignored */
    bool torn;
    /* bytes up to the end of the last good line, and the link of that line (of the two first lines,
     * if there is no answer): a later hand-in must go on from there */
    size_t length;
    char link[HASH_HEX];
    uid_t owner;
    /* by the file server's clock */
    int64_t changed;
};
/* Reads a hand-in of this class, by whoever wrote it. From handins/ the file's owner must be the
 * account that it names, unless the class is synchronised; a copy in kept/ is the teacher's. False
 * with the message, which names the line, and `out->fault` if anything is wrong; `out` then has the
 * answers before it. classroom_handin_free() frees it in any case. */
bool classroom_handin_read(const struct classroom_folder *f, enum classroom_place p,
                           const char *name, const struct classroom_settings *s,
                           struct classroom_handin *out, struct base_message *m);
/* The same of a file that was read already; it is called `path` in messages. `owned`: its owner
 * must be the account that it names. */
bool classroom_handin_take(const struct classroom_file *file, const char *path,
                           const struct classroom_settings *s, bool owned,
                           struct classroom_handin *out, struct base_message *m);
/* Whose a file in handins/ is: its owner's; in a synchronised folder, whose its first line says.
 * The caller's; NULL if that cannot be found out. */
char *classroom_handin_account(const struct classroom_folder *f, const char *name,
                               const struct classroom_settings *s);
void classroom_handin_free(struct classroom_handin *h);
/* classroom_each() in handins/: of each account a few times as many names as a learner's programs
 * write; in a synchronised folder, where all have one owner, as many as a class has. */
bool classroom_handins_each(const struct classroom_folder *f, const struct classroom_settings *s,
                            void (*each)(void *to, const char *name, bool fit), void *to,
                            uid_t *crowd, struct base_message *m);
/* The place of a column in the rows; the count of columns if there is none of this name. */
size_t classroom_handin_column(const struct classroom_handin *h, const char *name);

/* ── writing ───────────────────────────────────────────────────────────────────────────────────
 * One's own file: it is made if it is missing, locked, and read. Whatever does not belong to its
 * chain is cut off. */
struct classroom_writing;
/* `columns` is a JSON array. NULL with the message filled. Waits at most two seconds for another
 * terminal of this learner. */
struct classroom_writing *classroom_handin_begin(const struct classroom_folder *f, const char *name,
                                                 const struct classroom_handin_head *head,
                                                 const json_t *columns, struct base_message *m);
/* The columns of the file, in the order in which it was begun; borrowed. */
const json_t *classroom_handin_columns(const struct classroom_writing *w);
/* How many rows it has: fewer than before if somebody cut or removed the file. */
size_t classroom_handin_rows(const struct classroom_writing *w);
/* Adds a row, JSON on one line, unless the file has this very row. */
void classroom_handin_add(struct classroom_writing *w, const char *row, size_t n, int64_t day);
/* Writes what was added, syncs it to the disk, unlocks the file and frees `w`. False with the
 * message filled if not all of it is on the disk. */
bool classroom_handin_end(struct classroom_writing *w, struct base_message *m);

#endif
