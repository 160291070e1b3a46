/* sql.c: one statement at a time, and SQLite's failures in words for a learner. */
#include "store/inside.h"

#include <assert.h>
#include <string.h>

/* ── statements that wait ────────────────────────────────────────────────────────────────────────
 * A screen asks the same few questions hundreds of times, and to prepare one takes longer than its
 * answer. So a statement that has ended waits in its connection, which lists them, for the next one
 * who asks the same. */
static sqlite3_stmt *find_waiting(sqlite3 *db, const char *text) {
    sqlite3_stmt *s = sqlite3_next_stmt(db, NULL);
    while (s && (sqlite3_stmt_busy(s) || strcmp(sqlite3_sql(s), text) != 0))
        s = sqlite3_next_stmt(db, s);
    return s;
}

void store_sql_close(sqlite3 *db) {
    for (sqlite3_stmt *s; db && (s = sqlite3_next_stmt(db, NULL));) sqlite3_finalize(s);
    sqlite3_close(db);
}

/* SQLite goes on counting a statement's steps when it is run again, and would give up a harmless
 * one that is often asked: the limit is for one run. */
void store_sql_again(sqlite3_stmt *s) {
    sqlite3_reset(s);
    sqlite3_stmt_status(s, SQLITE_STMTSTATUS_VM_STEP, 1);
}

struct sql store_sql_begin(sqlite3 *db, const char *text) {
    struct sql q = {.statement = find_waiting(db, text)};
    if (!q.statement)
        q.status = sqlite3_prepare_v3(db, text, -1, SQLITE_PREPARE_PERSISTENT, &q.statement, NULL);
    return q;
}

/* The first failure is kept: what follows it fails only because of it. */
static void note(struct sql *q, int status) {
    if (q->status == SQLITE_OK) q->status = status;
}

void store_sql_text(struct sql *q, int at, const char *value) {
    if (q->statement) note(q, sqlite3_bind_text(q->statement, at, value, -1, SQLITE_TRANSIENT));
}

void store_sql_int(struct sql *q, int at, int64_t value) {
    if (q->statement) note(q, sqlite3_bind_int64(q->statement, at, value));
}

void store_sql_real(struct sql *q, int at, double value) {
    if (q->statement) note(q, sqlite3_bind_double(q->statement, at, value));
}

bool store_sql_row(struct sql *q) {
    if (q->status != SQLITE_OK) return false;
    assert(q->statement); /* store_sql_end() was not called yet */
    int status = sqlite3_step(q->statement);
    if (status != SQLITE_ROW && status != SQLITE_DONE) note(q, status);
    return status == SQLITE_ROW;
}

bool store_sql_end(struct sql *q) {
    if (q->statement) {
        store_sql_again(q->statement);
        sqlite3_clear_bindings(q->statement);
    }
    q->statement = NULL;
    return q->status == SQLITE_OK;
}

bool store_sql_do(struct sql *q) {
    while (store_sql_row(q)) {
    }
    return store_sql_end(q);
}

bool store_sql_write(sqlite3 *db, struct sql *q) {
    return store_sql_do(q) && sqlite3_changes(db) == 1;
}

const char *store_sql_column(const struct sql *q, int column) {
    assert(column >= 0 && column < sqlite3_data_count(q->statement)); /* there is a row */
    const unsigned char *text = sqlite3_column_text(q->statement, column);
    return text ? (const char *)text : "";
}

int64_t store_sql_number(sqlite3 *db, const char *text, int64_t otherwise) {
    struct sql q = store_sql_begin(db, text);
    int64_t value = store_sql_row(&q) ? sqlite3_column_int64(q.statement, 0) : otherwise;
    return store_sql_end(&q) ? value : otherwise;
}

bool store_sql_run(sqlite3 *db, const char *text) {
    return sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK;
}

/* ── failures ──────────────────────────────────────────────────────────────────────────────────*/

#define TOO_MUCH "it holds more than a learner's record ever holds"
static const struct advice {
    int code;
    const char *what, *cure;
} advices[] = {
    {SQLITE_OK, "the record did not take what was written", "see what `zerotutor doctor` finds"},
    {SQLITE_FULL, "the disk is full", "make room, and try again"},
    {SQLITE_IOERR, "the disk refused",
     "see that it is mounted, not full, and within its quota (`ulimit -f`, too)"},
    {SQLITE_READONLY, "it may not be written", "chmod u+w it, or see ZEROTUTOR_HOME"},
    {SQLITE_PERM, "it may not be used", "chmod u+rw it, or see ZEROTUTOR_HOME"},
    {SQLITE_AUTH, "it may not be used", "chmod u+rw it, or see ZEROTUTOR_HOME"},
    {SQLITE_CANTOPEN, "its folder must be writable", "chmod u+w that, or see ZEROTUTOR_HOME"},
    {SQLITE_NOTADB, "it is not a database and was left unchanged",
     "move it away, and zerotutor makes a new one"},
    {SQLITE_CORRUPT, "it is damaged", "copy it, then rescue its rows with: sqlite3 FILE .recover"},
    {SQLITE_BUSY, "another program keeps it locked", "close that one, and try again"},
    {SQLITE_LOCKED, "another program keeps it locked", "close that one, and try again"},
    {SQLITE_NOMEM, "out of memory", "close other programs, and try again"},
    {SQLITE_INTERRUPT, TOO_MUCH, "move it away, or see ZEROTUTOR_HOME"},
    {SQLITE_TOOBIG, TOO_MUCH, "move it away, or see ZEROTUTOR_HOME"},
};

static const struct advice *advice_on(int code) {
    for (size_t i = 0; i < BASE_COUNT(advices); i++)
        if (advices[i].code == (code & 0xFF)) return &advices[i];
    return NULL;
}

bool store_sql_fail(sqlite3 *db, const char *path, const char *doing, struct base_message *m) {
    const struct advice *a = advice_on(sqlite3_errcode(db));
    const char *words = sqlite3_errmsg(db);
    if (!a) return base_fail_at(m, path, 0, "cannot %s: %s", doing, words);
    bool damaged = a->code == SQLITE_CORRUPT; /* then SQLite knows more than we do */
    return base_fail_at(m, path, 0, "cannot %s: %s%s%.180s%s: %s", doing, a->what,
                        damaged ? " (" : "", damaged ? words : "", damaged ? ")" : "", a->cure);
}
