/* memos: a memo as a file, and what it is checked with. */
#ifndef SESSION_MEMOS_H
#define SESSION_MEMOS_H

#include "session/taking.h"
#include "experiment/experiment.h"
#include "memo/memo.h"

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

#endif
