/* migrate.c: user_version counts the schemas that a file has been through. */
#include "store/migrate.h"

#include <assert.h>
#include <stdlib.h>

static int64_t latest(const char *const *schema) {
    int64_t n = 0;
    while (schema[n]) n++;
    return n;
}

static int64_t version_of(sqlite3 *db) {
    return store_sql_number(db, "PRAGMA user_version", -1);
}

/* What a file says of itself. */
struct claim {
    int64_t version, application, tables;
};

static bool ask(sqlite3 *db, const char *question, int64_t *answer) {
    struct sql q = store_sql_begin(db, question);
    if (store_sql_row(&q)) *answer = sqlite3_column_int64(q.statement, 0);
    return store_sql_end(&q);
}

/* After a failure nothing more is asked, so that the reason stays the connection's last error. */
static bool read_claim(sqlite3 *db, struct claim *c) {
    return ask(db, "PRAGMA user_version", &c->version) &&
           ask(db, "PRAGMA application_id", &c->application) &&
           ask(db, "SELECT count(*) FROM (SELECT 1 FROM sqlite_schema LIMIT 1)", &c->tables);
}

/* Another program's database: named by hand, or lying where ours should. */
static bool is_foreign(const struct claim *c) {
    return c->version == 0 ? c->application != 0 || c->tables != 0
                           : c->application != APPLICATION_ID;
}

static bool accepts(sqlite3 *db, const char *path, const char *const *schema,
                    struct base_message *m) {
    struct claim c = {0};
    if (!read_claim(db, &c)) return store_sql_fail(db, path, "open the learner's record", m);
    if (is_foreign(&c))
        return base_fail_at(m, path, 0,
                            "this database belongs to another program: name another file, or set "
                            "ZEROTUTOR_HOME to another folder. It was left unchanged");
    if (c.version < 0)
        return base_fail_at(m, path, 0,
                            "its version is %lld, which no zerotutor ever wrote: move it away, or "
                            "set ZEROTUTOR_HOME to another folder. It was left unchanged",
                            (long long)c.version);
    if (c.version <= latest(schema)) return store_compare_schema(db, path, schema, c.version, m);
    return base_fail_at(
        m, path, 0,
        "a newer zerotutor made this record (version %lld; this program reads %lld): update "
        "zerotutor, or set ZEROTUTOR_HOME to another folder. The file was left unchanged",
        (long long)c.version, (long long)latest(schema));
}

/* All of it from one moment: a second program may be making the very same file just now. What is
 * refused keeps its transaction until it is closed, so that the reason stays the connection's last
 * error. */
bool store_migrate_accepts(sqlite3 *db, const char *path, const char *const *schema,
                           struct base_message *m) {
    if (!store_sql_run(db, "BEGIN"))
        return store_sql_fail(db, path, "open the learner's record", m);
    if (!accepts(db, path, schema, m)) return false;
    return store_sql_run(db, "COMMIT") || store_sql_fail(db, path, "open the learner's record", m);
}

static bool step(sqlite3 *db, const char *schema, int64_t version) {
    char *set = base_format("PRAGMA user_version = %lld", (long long)version);
    bool done = store_sql_run(db, schema) && store_sql_run(db, set);
    free(set);
    return done;
}

/* The version is read inside the transaction: another program may have migrated while this one
 * waited. */
static bool steps(sqlite3 *db, const char *const *schema) {
    assert(!sqlite3_get_autocommit(db)); /* all steps or none */
    int64_t version = version_of(db);
    while (version >= 0 && version < latest(schema)) {
        if (!step(db, schema[version], version + 1)) return false;
        version++;
    }
    return version >= 0;
}

bool store_migrate_is_latest(sqlite3 *db, const char *const *schema) {
    return version_of(db) == latest(schema);
}

bool store_migrate(sqlite3 *db, const char *path, const char *const *schema,
                   struct base_message *m) {
    if (version_of(db) == latest(schema)) return true;
    if (store_sql_run(db, "BEGIN IMMEDIATE") && steps(db, schema) && store_sql_run(db, "COMMIT"))
        return true;
    store_sql_fail(db, path, "prepare the learner's record", m);
    store_sql_run(db, "ROLLBACK");
    return false;
}
