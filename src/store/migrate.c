/* migrate.c: user_version counts the schemas that a file has been through. */
#include "store/migrate.h"

#include <stdlib.h>

static int64_t latest(const char *const *schema) {
    int64_t n = 0;
    while (schema[n]) n++;
    return n;
}

static int64_t version_of(sqlite3 *db) {
    return sql_number(db, "PRAGMA user_version", -1);
}

/* Another program's database: named by hand, or lying where ours should. */
static bool is_foreign(sqlite3 *db, int64_t version) {
    int64_t id = sql_number(db, "PRAGMA application_id", -1);
    if (version == 0) return id != 0 || sql_number(db, "SELECT count(*) FROM sqlite_schema", 0) > 0;
    return id != APPLICATION_ID;
}

bool migrate_accepts(sqlite3 *db, const char *path, const char *const *schema,
                     struct base_message *m) {
    struct sql q = sql_begin(
        db, "PRAGMA user_version"); /* the first read: it tells whether this is a database */
    int64_t version = sql_row(&q) ? sqlite3_column_int64(q.statement, 0) : 0;
    if (!sql_end(&q)) return sql_fail(db, path, "open the learner's record", m);
    if (is_foreign(db, version))
        return base_fail_at(
            m, path, 0,
            "this database is another program's, not a learner's record: name another file, or set "
            "ZEROTUTOR_HOME to another folder; it was left as it is");
    if (version <= latest(schema)) return true;
    return base_fail_at(m, path, 0,
                        "a newer zerotutor made this record (version %lld; this program knows "
                        "%lld): update zerotutor, "
                        "or set ZEROTUTOR_HOME to another folder; the file was left as it is",
                        (long long)version, (long long)latest(schema));
}

static bool step(sqlite3 *db, const char *schema, int64_t version) {
    char *set = base_format("PRAGMA user_version = %lld", (long long)version);
    bool done = sql_run(db, schema) && sql_run(db, set);
    free(set);
    return done;
}

/* The version is read inside the transaction: another program may have migrated while this one waited. */
static bool steps(sqlite3 *db, const char *const *schema) {
    int64_t version = version_of(db);
    while (version >= 0 && version < latest(schema)) {
        if (!step(db, schema[version], version + 1)) return false;
        version++;
    }
    return version >= 0;
}

bool migrate(sqlite3 *db, const char *path, const char *const *schema, struct base_message *m) {
    if (version_of(db) == latest(schema)) return true;
    if (sql_run(db, "BEGIN IMMEDIATE") && steps(db, schema) && sql_run(db, "COMMIT")) return true;
    sql_fail(db, path, "prepare the learner's record", m);
    sql_run(db, "ROLLBACK");
    return false;
}
