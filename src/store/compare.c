/* compare.c: whether a file has the schema of its version, neither more nor less. A view that never
 * ends could bear a table's name, and a trigger could drop what is written, so a file that is not
 * exactly as zerotutor makes it is not worked on. */
#include "store/migrate.h"

#include "hash/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char entries[] =
    "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name";
enum { TYPE, NAME, TABLE, SQL };

/* ── two definitions ───────────────────────────────────────────────────────────────────────────*/
static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The definition as it counts: blanks only between words. Inside quotes everything counts. The
 * caller's. */
static char *squeeze(const char *sql) {
    struct base_text t = {0};
    char quote = '\0', last = '\0';
    for (const char *c = sql; *c; c++) {
        if (!quote && is_blank(*c)) continue;
        bool parted = !quote && c > sql && is_blank(c[-1]) && is_word(last) && is_word(*c);
        base_text_add(&t, " ", parted);
        base_text_add(&t, c, 1);
        last = *c;
        if (*c == '\'' || *c == '"') quote = quote == *c ? '\0' : quote ? quote : *c;
    }
    return base_text_take(&t);
}

static bool same_definition(const struct sql *a, const struct sql *b) {
    char *one = squeeze(store_sql_column(a, SQL)), *other = squeeze(store_sql_column(b, SQL));
    bool same = strcmp(one, other) == 0 &&
                strcmp(store_sql_column(a, TABLE), store_sql_column(b, TABLE)) == 0;
    free(one);
    free(other);
    return same;
}

/* ── two schemas ───────────────────────────────────────────────────────────────────────────────*/
/* Below 0 if the first comes before the second in a schema's order; a schema that has ended comes
 * last. */
static int order(const struct sql *a, bool a_there, const struct sql *b, bool b_there) {
    if (!a_there || !b_there) return b_there - a_there;
    int by_type = strcmp(store_sql_column(a, TYPE), store_sql_column(b, TYPE));
    return by_type ? by_type : strcmp(store_sql_column(a, NAME), store_sql_column(b, NAME));
}

static bool refuse(const char *path, const struct sql *q, const char *how, struct base_message *m) {
    const char *type = store_sql_column(q, TYPE), *name = store_sql_column(q, NAME);
    char *clean_type = base_clean_dup(type, strlen(type), 20);
    char *clean_name = base_clean_dup(name, strlen(name), 60);
    base_fail_at(m, path, 0,
                 "this is not a record that zerotutor made: its %s '%s' %s. Move it away, or set "
                 "ZEROTUTOR_HOME to another folder. It was left unchanged",
                 clean_type, clean_name, how);
    free(clean_name);
    free(clean_type);
    return false;
}

/* Both in their order, side by side, up to the first difference. */
static bool walk(struct sql *file, struct sql *own, const char *path, struct base_message *m) {
    for (;;) {
        bool more = store_sql_row(file), expected = store_sql_row(own);
        if (!more && !expected) return true;
        int at = order(file, more, own, expected);
        if (at < 0) return refuse(path, file, "is not one of zerotutor's", m);
        if (at > 0) return refuse(path, own, "is missing", m);
        if (!same_definition(file, own)) return refuse(path, own, "is not as it should be", m);
    }
}

/* An empty database with the first `version` schemas; NULL if it cannot be made. */
static sqlite3 *make_own(const char *const *schema, int64_t version) {
    sqlite3 *db = NULL;
    bool made = sqlite3_open(":memory:", &db) == SQLITE_OK;
    for (int64_t v = 0; made && v < version; v++) made = store_sql_run(db, schema[v]);
    if (made) return db;
    store_sql_close(db);
    return NULL;
}

/* ── known by its digest ─────────────────────────────────────────────────────────────────────────
 * Making a schema to compare with takes longer than everything else that `zerotutor due` does. A
 * file's schema is nearly always one of these, the SHA-256 of what each version makes. If one is
 * not here, or SQLite writes its definitions in another way, the two are walked through as above.
 */
static const char *const digests[] = {
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "b4138a02fa4f4eb7805bd046182ee6808515a37e126c4441f803d397beae7b55",
    "a469aba773c61c0be05e0717993945bb0f5e5a3e6042cdaaf4985219a31d0030",
    "82b328242a93360b2d2027ecfda2e39e5eb189a4474576ff841e2a430caed7c5",
    "228616286ccc2a4152058a23052b165da80e5e91632ab3f97d65b8f1d449d256",
    "21ae1fc0b285090829cf61070507c3ab65ba1cc1a20bc37f1d172455fa8a7379",
};
enum { DIGEST_TEXT = 2 * HASH_SHA256_BYTES + 1 };

static void add_text(struct hash_sha256 *h, const char *text) {
    hash_sha256_add(h, text, strlen(text) + 1);
}

/* In hexadecimal. False if the file cannot be read. */
static bool digest(sqlite3 *db, char out[DIGEST_TEXT]) {
    struct hash_sha256 h;
    unsigned char bytes[HASH_SHA256_BYTES];
    struct sql q = store_sql_begin(db, entries);
    hash_sha256_begin(&h);
    while (store_sql_row(&q)) {
        char *definition = squeeze(store_sql_column(&q, SQL));
        for (int i = TYPE; i < SQL; i++) add_text(&h, store_sql_column(&q, i));
        add_text(&h, definition);
        free(definition);
    }
    hash_sha256_end(&h, bytes);
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return store_sql_end(&q);
}

bool store_compare_known(sqlite3 *db, int64_t version) {
    char own[DIGEST_TEXT];
    return version < (int64_t)BASE_COUNT(digests) && digest(db, own) &&
           strcmp(own, digests[version]) == 0;
}

bool store_compare_schema(sqlite3 *db, const char *path, const char *const *schema, int64_t version,
                          struct base_message *m) {
    if (schema == store_schema && store_compare_known(db, version)) return true;
    sqlite3 *own = make_own(schema, version);
    if (!own) return base_fail_at(m, path, 0, "cannot check the learner's record: out of memory");
    struct sql there = store_sql_begin(db, entries), expected = store_sql_begin(own, entries);
    bool same = walk(&there, &expected, path, m);
    store_sql_end(&expected);
    if (!store_sql_end(&there)) same = store_sql_fail(db, path, "open the learner's record", m);
    store_sql_close(own);
    return same;
}
