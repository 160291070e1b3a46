/* setting.c: short texts by name. */
#include "store/inside.h"

#include <string.h>

/* Bytes. The longest ever kept is the outline of a lesson: 200 ids of at most 63 characters. A
 * longer one was not written here. */
enum { LONGEST = 64 * 1024 };

char *store_setting(struct store *s, const char *name) {
    struct sql q = store_sql_begin(s->db, "SELECT value FROM setting WHERE name = ?1");
    store_sql_text(&q, 1, name);
    bool fits = store_sql_row(&q) && sqlite3_column_bytes(q.statement, 0) <= LONGEST;
    char *value = fits ? base_dup(store_sql_column(&q, 0)) : NULL;
    store_sql_end(&q);
    return value;
}

static struct sql forget(struct store *s, const char *name) {
    struct sql q = store_sql_begin(s->db, "DELETE FROM setting WHERE name = ?1");
    store_sql_text(&q, 1, name);
    return q;
}

static struct sql keep(struct store *s, const char *name, const char *value) {
    struct sql q =
        store_sql_begin(s->db, "INSERT INTO setting (name, value) VALUES (?1, ?2) "
                               "ON CONFLICT (name) DO UPDATE SET value = excluded.value");
    store_sql_text(&q, 1, name);
    store_sql_text(&q, 2, value);
    return q;
}

bool store_set(struct store *s, const char *name, const char *value, struct base_message *m) {
    if (value && strlen(value) > LONGEST)
        return base_fail_at(m, s->path, 0, "cannot keep the setting: it is longer than %d bytes",
                            LONGEST);
    struct sql q = value ? keep(s, name, value) : forget(s, name);
    return (value ? store_sql_write(s->db, &q) : store_sql_do(&q)) ||
           store_sql_fail(s->db, s->path, "keep the setting", m);
}

/* In a write-ahead log a commit that was not synced may be lost, and breaks nothing; in a rollback
 * journal it could. The next answer's commit syncs the log again, this one's pages with it. */
bool store_set_derived(struct store *s, const char *name, const char *value) {
    bool log = strcmp(s->mode, "WAL") == 0;
    if (log) store_sql_run(s->db, "PRAGMA synchronous = NORMAL");
    bool set = store_set(s, name, value, NULL);
    if (log) store_sql_run(s->db, "PRAGMA synchronous = FULL");
    return set;
}
