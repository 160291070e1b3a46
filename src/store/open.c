/* open.c: a learner's record is opened, looked at before anything is written, and closed. */
#include "store/migrate.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUSY_MS = 5000 }; /* longer than any write of another terminal takes */

/* How a file is kept, by where it stands. On a power cut a rollback journal must be seen to be
 * gone, hence EXTRA. */
static const struct mode {
    const char *journal, *pragmas, *words;
} modes[] = {
    {"wal", "PRAGMA synchronous = FULL", "WAL"},
    {"delete", "PRAGMA synchronous = EXTRA", "rollback journal (network file system)"},
};
static const char other_mode[] = "rollback journal (a write-ahead log is not possible here)";

/* ── looking first ───────────────────────────────────────────────────────────────────────────────
 * A file that is refused must keep every byte, and no companion may appear next to it. So before it
 * is opened to be used it is looked at in a way that leaves nothing behind, by what lies next to
 * it:
 *
 *     nothing            read as if it could not change: no lock, no journal, no shared memory
 *     -wal alone         its log counts too; held alone, so that SQLite keeps the shared memory to
 *                        itself
 *     -shm or -journal   another program has it open, or it must be recovered first: it is read
 *                        through the ordinary connection, which adds no file that is not there */

static bool is_there(const char *path, const char *suffix) {
    char *name = base_format("%s%s", path, suffix);
    bool there = access(name, F_OK) == 0;
    free(name);
    return there;
}

/* The path as a URI, so that options can be added to it: everything but the plainest characters is
 * escaped. */
static char *uri(const char *path, const char *options) {
    struct base_text t = {0};
    base_text_puts(&t, path[0] == '/' ? "file:" : "file:./");
    for (const char *c = path; *c; c++) {
        bool plain = strchr("/._-", *c) || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9');
        base_text_printf(&t, plain ? "%c" : "%%%02X", (unsigned char)*c);
    }
    base_text_puts(&t, options);
    return base_text_take(&t);
}

/* The most that a record may hold, and that the statements here need (sqlite.org/limits.html). A
 * memo is the longest text, of at most 1 MiB. */
static const struct {
    int limit, most;
} limits[] = {
    {SQLITE_LIMIT_LENGTH, 8 << 20},
    {SQLITE_LIMIT_SQL_LENGTH, 100 * 1000},
    {SQLITE_LIMIT_COLUMN, 100},
    {SQLITE_LIMIT_EXPR_DEPTH, 30},
    {SQLITE_LIMIT_COMPOUND_SELECT, 5},
    {SQLITE_LIMIT_VDBE_OP, 25000},
    {SQLITE_LIMIT_FUNCTION_ARG, 8},
    {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 20},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 10},
};

/* Steps of SQLite's machine within which every statement here ends: a second's worth, or a million
 * answers read. They are counted for each run of a statement, and the one that comes so far is
 * given up. */
enum { STEPS_MOST = 20 * 1000 * 1000 };

static int give_up(void *nothing) {
    (void)nothing;
    return 1;
}

/* Files come from elsewhere too: nothing in one may run as a function, spoil the file's own tables,
 * or go on for ever. */
static void harden(sqlite3 *db) {
    sqlite3_busy_timeout(db, BUSY_MS);
    sqlite3_extended_result_codes(db, 1);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)NULL);
    for (size_t i = 0; i < BASE_COUNT(limits); i++)
        sqlite3_limit(db, limits[i].limit, limits[i].most);
    sqlite3_progress_handler(db, STEPS_MOST, give_up, NULL);
    store_sql_run(db,
                  /* damage is seen when a page is read, not when it is used */
                  "PRAGMA cell_size_check = ON");
}

static void leave_the_log(sqlite3 *db) {
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
}

/* Of what fails while looking only that counts which the file itself is to blame for. */
static bool blames_the_file(int status) {
    static const int to_blame[] = {SQLITE_OK,     SQLITE_ERROR,     SQLITE_CORRUPT,
                                   SQLITE_NOTADB, SQLITE_INTERRUPT, SQLITE_TOOBIG};
    for (size_t i = 0; i < BASE_COUNT(to_blame); i++)
        if (to_blame[i] == (status & 0xFF)) return true;
    return false;
}

/* `real` is the file that the path leads to. */
static bool look(const char *path, const char *real, bool log, struct base_message *m) {
    char *name = uri(real, log ? "" : "?immutable=1");
    int how = log ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
    sqlite3 *db = NULL;
    bool fine = sqlite3_open_v2(name, &db, how | SQLITE_OPEN_URI, NULL) != SQLITE_OK;
    free(name);
    if (!fine) {
        harden(db);
        leave_the_log(db);
        fine = (log && !store_sql_run(db, "PRAGMA locking_mode = EXCLUSIVE")) ||
               store_migrate_accepts(db, path, store_schema, m) ||
               !blames_the_file(sqlite3_errcode(db));
    }
    store_sql_close(db);
    return fine;
}

static bool looks_acceptable(const char *path, const char *real, struct base_message *m) {
    bool log = is_there(real, "-wal");
    if (!is_there(real, "") || is_there(real, "-shm") || is_there(real, "-journal")) return true;
    /* What was read without locks while another program began to write is not to be believed. */
    return look(path, real, log, m) || is_there(real, "-shm") || is_there(real, "-journal");
}

/* ── opening ───────────────────────────────────────────────────────────────────────────────────*/

/* SQLite opens what may not be written for reading, without a word. */
static bool open_to_write(struct store *s, struct base_message *m) {
    /* ":memory:" is a file like any other */
    char *name = base_format("%s%s", s->path[0] == '/' ? "" : "./", s->path);
    int status = sqlite3_open_v2(name, &s->db, SQLITE_OPEN_READWRITE, NULL);
    free(name);
    if (status != SQLITE_OK) return store_sql_fail(s->db, s->path, "open the learner's record", m);
    if (sqlite3_db_readonly(s->db, "main") != 1) return true;
    return base_fail_at(m, s->path, 0,
                        "the learner's record may not be written: chmod u+w it, or set "
                        "ZEROTUTOR_HOME to a folder of "
                        "your own");
}

/* Changing the journal needs the file alone for a moment and does not wait by itself, so two first
 * starts may meet here. */
static bool set_journal(struct store *s, const struct mode *mode, struct base_message *m) {
    char *pragma = base_format("PRAGMA journal_mode = %s", mode->journal);
    int64_t until = base_ticks() + BUSY_MS;
    bool set = false, waiting = true;
    while (!set && waiting) {
        struct sql q = store_sql_begin(s->db, pragma);
        if (store_sql_row(&q))
            s->mode =
                strcmp(store_sql_column(&q, 0), mode->journal) == 0 ? mode->words : other_mode;
        set = store_sql_end(&q);
        waiting = (q.status & 0xFF) == SQLITE_BUSY && base_ticks() < until;
        if (!set && waiting) sqlite3_sleep(5);
    }
    free(pragma);
    return (set && store_sql_run(s->db, mode->pragmas)) ||
           store_sql_fail(s->db, s->path, "prepare the learner's record", m);
}

static bool prepare(struct store *s, bool network, struct base_message *m) {
    if (!open_to_write(s, m)) return false;
    harden(s->db);
    if (!store_migrate_accepts(s->db, s->path, store_schema, m)) {
        leave_the_log(s->db);
        return false;
    }
    if (!set_journal(s, &modes[network], m) || !store_migrate(s->db, s->path, store_schema, m))
        return false;
    s->seed = (uint64_t)store_sql_number(s->db, "SELECT seed FROM learner", 0);
    return true;
}

struct store *store_open_as(const char *path, bool network, struct base_message *m) {
    char *real = store_file_real(path);
    bool fits =
        store_file_fits(path, m) && looks_acceptable(path, real, m) && store_file_make(real, m);
    free(real);
    if (!fits) return NULL;
    struct store *s = base_alloc(sizeof *s);
    s->path = base_dup(path);
    if (prepare(s, network, m)) return s;
    store_close(s);
    return NULL;
}

struct store *store_open(const char *path, struct base_message *m) {
    if (!path && !base_home_check(m)) return NULL;
    char *file = path ? base_dup(path) : base_format("%s/learner.db", base_home());
    char *folder = store_folder_of(file);
    struct store *s = NULL;
    if (base_make_dirs(folder, m)) s = store_open_as(file, store_network_path(folder), m);
    free(folder);
    free(file);
    return s;
}

/* Without a log next to it the file is all there is, and is read without locks, so that not even a
 * file next to it is made. */
static sqlite3 *open_to_read(const char *real) {
    bool busy = is_there(real, "-wal") || is_there(real, "-shm") || is_there(real, "-journal");
    char *name = uri(real, busy ? "" : "?immutable=1");
    sqlite3 *db = NULL;
    bool opened =
        sqlite3_open_v2(name, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK;
    free(name);
    if (opened) return db;
    store_sql_close(db);
    return NULL;
}

static bool may_be_read(struct store *s, struct base_message *m) {
    harden(s->db);
    leave_the_log(s->db);
    return store_migrate_accepts(s->db, s->path, store_schema, m) &&
           store_migrate_is_latest(s->db, store_schema);
}

struct store *store_open_to_read(const char *path, struct base_message *m) {
    char *file = path ? base_dup(path) : base_format("%s/learner.db", base_home());
    char *real = store_file_real(file);
    bool there = is_there(real, "") && store_file_fits(file, m);
    struct store *s = base_alloc(sizeof *s);
    s->path = file;
    s->mode = "read only";
    s->db = there ? open_to_read(real) : NULL;
    free(real);
    if (s->db && may_be_read(s, m)) {
        s->seed = (uint64_t)store_sql_number(s->db, "SELECT seed FROM learner", 0);
        return s;
    }
    store_close(s);
    return NULL;
}

void store_close(struct store *s) {
    if (!s) return;
    store_sql_close(s->db);
    free(s->path);
    free(s);
}

/* ── about the file ────────────────────────────────────────────────────────────────────────────*/

uint64_t store_seed(struct store *s) {
    return s->seed;
}

const char *store_mode(struct store *s) {
    return s->mode;
}

char *store_broken(struct store *s) {
    struct base_text found = {0};
    struct sql q = store_sql_begin(s->db, "PRAGMA integrity_check");
    while (store_sql_row(&q))
        base_text_printf(&found, "%s%s", found.length ? "\n" : "", store_sql_column(&q, 0));
    if (!store_sql_end(&q))
        base_text_printf(&found, "%s%s", found.length ? "\n" : "", sqlite3_errmsg(s->db));
    bool content = found.s && strcmp(found.s, "ok") == 0;
    char *said = base_text_take(&found);
    if (!content) return said;
    free(said);
    return NULL;
}
