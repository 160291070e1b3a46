/* inside.h: what the files of store share. Private to store. */
#ifndef STORE_INSIDE_H
#define STORE_INSIDE_H

#include "store/store.h"

#include <sqlite3.h>

struct store {
    sqlite3 *db;
    char *path;
    /* what store_mode() says */
    const char *mode;
    uint64_t seed;
    /* what store_kept_run() says */
    int64_t run;
};

/* ── one statement at a time (sql.c) ─────────────────────────────────────────────────────────────
 *     struct sql q = store_sql_begin(db, "SELECT … WHERE a = ?1 AND b = ?2");
 *     store_sql_text(&q, 1, a);
 *     store_sql_int(&q, 2, b);
 *     while (store_sql_row(&q)) … sqlite3_column_*(q.statement, i) …
 *     return store_sql_end(&q) || store_sql_fail(db, path, "read the answers", m);
 * Errors are remembered until store_sql_end(), so that nothing in between needs to be checked. */
struct sql {
    /* NULL if it could not be prepared */
    sqlite3_stmt *statement;
    /* SQLITE_OK until something fails */
    int status;
};
/* Takes a statement of this text that has ended, or prepares one. Until its first row, no other may
 * be begun with the same text. */
struct sql store_sql_begin(sqlite3 *db, const char *text);
void store_sql_text(struct sql *q, int at, const char *value);
void store_sql_int(struct sql *q, int at, int64_t value);
/* NaN is kept as NULL. */
void store_sql_real(struct sql *q, int at, double value);
/* True while there is a row. */
bool store_sql_row(struct sql *q);
/* Lets the statement wait for the next store_sql_begin(). False if anything failed since the last
 * one. */
bool store_sql_end(struct sql *q);
/* Back to its start, with its values, for another run that may take as many steps. */
void store_sql_again(sqlite3_stmt *s);
/* Runs a statement whose rows nobody needs, then store_sql_end(). */
bool store_sql_do(struct sql *q);
/* The same for one that writes one row: false too if no row was written, which a trigger in a file
 * of somebody else's can bring about without an error. */
bool store_sql_write(sqlite3 *db, struct sql *q);
/* A column as text, "" for NULL. It lives until the next row. */
const char *store_sql_column(const struct sql *q, int column);
/* The first column of the first row, `otherwise` if there is none or it failed. */
int64_t store_sql_number(sqlite3 *db, const char *text, int64_t otherwise);
/* Closes a connection with the statements that wait there; NULL is allowed. */
void store_sql_close(sqlite3 *db);
/* Runs statements that give no rows. */
bool store_sql_run(sqlite3 *db, const char *text);
/* Says why the last call on `db` failed, and what to do. Returns false. */
bool store_sql_fail(sqlite3 *db, const char *path, const char *doing, struct base_message *m);

/* A run's number, in terms of lab_run's row: its answer's, if it was kept before runs were counted.
 */
#define STORE_RUN_NUMBER "coalesce(number, answer)"

/* ── lessons that were begun anew (journal.c) ────────────────────────────────────────────────────
 * A reset is an answer to "reset/LESSON". What was answered in the lesson before its latest one is
 * kept, and counts for reviews, but no longer for the lesson's progress: a condition on the rows of
 * `answer`. Without any reset it costs one look at the index. */
#define STORE_RESET "reset/"
#define STORE_SINCE_RESET                                                                          \
    "(NOT EXISTS (SELECT 1 FROM answer WHERE item >= 'reset/' AND item < 'reset0') OR "            \
    "id > coalesce((SELECT max(r.id) FROM answer r WHERE "                                         \
    "r.item = 'reset/' || substr(answer.item, 1, instr(answer.item, '/') - 1)), 0)) "

/* ── the file itself (file.c) ──────────────────────────────────────────────────────────────────*/
enum { RECORD_MODE = 0600 }; /* no other user's */
/* Whether the file is a record, or nothing yet, by what it is: no pipe, no folder, none that may
 * not be read. Opens nothing. */
bool store_file_fits(const char *path, struct base_message *m);
/* Makes an empty file that is the learner's alone, if there is none. */
bool store_file_make(const char *path, struct base_message *m);
/* The file that a path leads to through links, next to which SQLite writes; the caller's. */
char *store_file_real(const char *path);
/* The folder of a path, the caller's. */
char *store_folder_of(const char *path);

/* ── opening ───────────────────────────────────────────────────────────────────────────────────*/
/* Whether the type that statfs() tells is a network file system's (network.c). */
bool store_network_type(uint64_t type);
/* store_open() with the choice of journal made (open.c). */
struct store *store_open_as(const char *path, bool network, struct base_message *m);

#endif
