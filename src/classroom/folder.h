/* classroom/folder.h: a class's folder, and files of others read safely.
 *
 *     class.json    0644  the teacher's: what the class is (settings.h)
 *     extensions    0600  the teacher's: who has more time (private.h)
 *     roster        0600  the teacher's: one account per line
 *     members       0644  the teacher's: the roster as marks, for `class join`
 *     board.json    0644  the teacher's: what is said to the room now
 *     speed.json    0644  the teacher's: the speed challenge's table, by nickname
 *     handins/      1733  the teacher's, so that learners write there and cannot list it;
 *                         a learner's files are 0644 under a random name
 *     queue/        1777  tickets for labs, each its owner's
 *     feedback/     0711  the teacher's: files under the learners' random names, each for its
 * learner kept/         0700  the teacher's: what was collected, and grades
 *
 * Each file has one writer: the account that owns it, as the system says. What a file says of its
 * owner is not believed. In a folder that git or rsync keeps in step all files have one owner, so
 * there identity is not verified. A file of another account may be a link, a pipe, a device or
 * enormous: it is opened without following or waiting, and read up to a bound. */
#ifndef CLASSROOM_FOLDER_H
#define CLASSROOM_FOLDER_H

#include "base/base.h"

enum classroom_place {
    CLASSROOM_TOP,
    CLASSROOM_HANDINS,
    CLASSROOM_QUEUE,
    CLASSROOM_FEEDBACK,
    CLASSROOM_KEPT,
    CLASSROOM_PLACES
};
/* "handins", "queue" …; "" for the top; and the mode that a new one gets. */
const char *classroom_place_name(enum classroom_place p);
mode_t classroom_place_mode(enum classroom_place p);

struct classroom_folder;
/* Opens the folder of a class. The teacher is the account that owns it. NULL with the message
 * filled if it is not there, or is no class's folder. classroom_close() frees it. */
struct classroom_folder *classroom_open(const char *path, struct base_message *m);
void classroom_close(struct classroom_folder *f);
/* Makes the folder and its places, owned by this account, with their modes whatever the umask, and
 * opens it; it is a class once its settings are written. A folder that exists must hold nothing
 * else. NULL with the message filled. */
struct classroom_folder *classroom_make(const char *path, struct base_message *m);
/* Makes the places that are missing in a folder of this account: git carries no empty ones. False
 * with the message filled. */
bool classroom_complete(const struct classroom_folder *f, struct base_message *m);
/* As it was given, made absolute. Borrowed. */
const char *classroom_path(const struct classroom_folder *f);
uid_t classroom_teacher(const struct classroom_folder *f);
bool classroom_is_teacher(const struct classroom_folder *f);
/* The name of an account of this machine, or "uid 1234"; the caller's. */
char *classroom_account(uid_t who);
/* The account that a teacher typed, named as above: "1234" is a number, which may have no name on
 * this machine. The caller's. */
char *classroom_account_typed(const char *word);
/* The same the other way round: false if there is no such account. */
bool classroom_find_account(const char *account, uid_t *who);
/* Whether this machine has an account of this name. */
bool classroom_is_account(const char *name);

/* ── files ─────────────────────────────────────────────────────────────────────────────────────*/
/* Letters, digits, '-', '_' and '.', at most 64, and not a hidden one. */
bool classroom_is_name(const char *name);
/* A random name of 128 bits in hexadecimal. */
enum { CLASSROOM_NAME = 33 };
void classroom_random_name(char out[CLASSROOM_NAME]);

/* A learner's files in handins/: the learner's random name with one of these endings. */
#define CLASSROOM_HANDIN_END  ".handin"
#define CLASSROOM_NOW_END     ".now"
#define CLASSROOM_REPORTS_END ".reports"
enum classroom_file_kind { CLASSROOM_STRANGE, CLASSROOM_HANDIN, CLASSROOM_NOW, CLASSROOM_REPORTS };
/* Finds which of them a name is that classroom_each() gave; its digits go into `digits`. */
enum classroom_file_kind classroom_file_kind(const char *name, bool fit,
                                             char digits[CLASSROOM_NAME]);

/* who must own a file */
#define CLASSROOM_ANYBODY ((uid_t)-1)
struct classroom_file {
    /* NUL-terminated; the caller's */
    char *text;
    size_t length;
    uid_t owner;
    /* by the file server's clock, seconds since 1970 */
    int64_t changed;
};
/* Reads a whole file of at most `most` bytes, which must be a regular file with one name, owned by
 * `owner`. False with the message filled, also if there is none: then `out->text` is NULL and
 * errno is ENOENT. */
bool classroom_read(const struct classroom_folder *f, enum classroom_place p, const char *name,
                    uid_t owner, size_t most, struct classroom_file *out, struct base_message *m);
/* The same as an open file, to be locked or read in pieces: `flags` are O_RDONLY, O_RDWR or
 * O_WRONLY | O_APPEND. -1 with errno and the message. */
int classroom_open_file(const struct classroom_folder *f, enum classroom_place p, const char *name,
                        uid_t owner, int flags, struct base_message *m);
/* Makes an empty file of this account, opened to read and write. -1 with errno and the message,
 * with EEXIST if there is anything of this name. */
int classroom_create_file(const struct classroom_folder *f, enum classroom_place p,
                          const char *name, mode_t mode, struct base_message *m);
/* Replaces or makes a file of this account, whole or not at all, and synced to the disk. */
bool classroom_write(const struct classroom_folder *f, enum classroom_place p, const char *name,
                     mode_t mode, const char *text, size_t n, struct base_message *m);
/* The same for a file that `fill` writes, and locks if it is to be locked before its name is there;
 * false with errno: it cannot. Returns the open file, to be read and written; -1 with the message
 * filled. */
int classroom_make_file(const struct classroom_folder *f, enum classroom_place p, const char *name,
                        mode_t mode, bool (*fill)(void *with, int fd), void *with,
                        struct base_message *m);
/* Lets some accounts, besides the owner, read an open file (grants.c): the group's rights, which
 * must then be to read, bound those of the list. False if there is none of them, or the file system
 * has no access control lists. */
bool classroom_grant(int fd, const uid_t *who, size_t n);
/* As classroom_write(), of a file that only these accounts and its owner can read. False, with
 * nothing written, if that is not possible. */
bool classroom_write_for(const struct classroom_folder *f, enum classroom_place p, const char *name,
                         const uid_t *who, size_t readers, const char *text, size_t n);
/* Adds to the end of a file of this account, which must be `length` bytes long now, and syncs it.
 * False with the message filled; part of the text may then be there. */
bool classroom_append(const struct classroom_folder *f, enum classroom_place p, const char *name,
                      size_t length, const char *text, size_t n, struct base_message *m);
/* Whether there is no such file; false also if that cannot be found out at the moment. */
bool classroom_is_gone(const struct classroom_folder *f, enum classroom_place p, const char *name);
/* Removes a file of this account; false if there is none or it cannot be removed. */
bool classroom_remove(const struct classroom_folder *f, enum classroom_place p, const char *name);
/* Calls `each` with every name in a place that this account may list, in no order; hidden names are
 * left out. `fit` is false for a name that no program of ours writes, which is then made safe to
 * show. Of each account that owns files there at most `most` are listed, so that none can crowd out
 * the files of others; *crowd (or NULL) is one that has more, or CLASSROOM_ANYBODY. False with the
 * message filled if it cannot be listed. */
bool classroom_each(const struct classroom_folder *f, enum classroom_place p, size_t most,
                    void (*each)(void *to, const char *name, bool fit), void *to, uid_t *crowd,
                    struct base_message *m);
/* Sets the time of an open file of this account to now, as the file server's clock has it, and
 * returns it; 0 if that fails. Clocks of different machines are never compared. */
int64_t classroom_stamp(int fd);

#endif
