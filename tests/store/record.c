#include "store/record.h"

#include <dirent.h>
#include <sqlite3.h>
#include <string.h>

static const char item[] = "1.1/ddp-7b";

/* All 64 bits are in use. */
static uint64_t seed_of(int try) {
    uint64_t state = (uint64_t)try;
    return base_random(&state);
}

struct store *record_open(const char *path) {
    struct base_message m = {0};
    struct store *s = store_open(path, &m);
    if (!s) fail_msg("%s: %s", m.file, m.what);
    return s;
}

bool record_answer(struct store *s, int try, struct base_message *m) {
    json_t *problem =
        json_pack("{s:s, s:{s:f, s:i}}", "kind", "bytes", "training", "params", 7e9, "gpus", try);
    char *typed = base_format("2*7 + %d ▓", try);
    struct lesson_answer a = {
        .item = item,
        .line = "",
        .try = try,
        .seed = seed_of(try),
        .problem = problem,
        .lesson_revision = 3,
        .typed = typed,
        .value = try * 1.0625e9,
        .verdict = try % 2 ? "right" : "mistake",
        .mistake = try % 2 ? "" : "no-master|bits",
        .hints = try % 4,
        .seconds = try + 0.5,
    };
    struct lesson_journal j = store_journal(s);
    bool kept = j.answer(j.self, &a, m);
    free(typed);
    json_decref(problem);
    return kept;
}

static void check(void *to, const struct lesson_answer *a) {
    int try = ++*(int *)to;
    char *typed = base_format("2*7 + %d ▓", try);
    assert_string_equal(a->item, item);
    assert_string_equal(a->line, "");
    assert_int_equal(a->try, try);
    assert_true(a->seed == seed_of(try));
    assert_int_equal(base_json_int(json_object_get(a->problem, "training"), "gpus", -1), try);
    assert_int_equal(a->lesson_revision, 3);
    assert_string_equal(a->typed, typed);
    assert_true(a->value == try * 1.0625e9);
    assert_string_equal(a->verdict, try % 2 ? "right" : "mistake");
    assert_string_equal(a->mistake, try % 2 ? "" : "no-master|bits");
    assert_int_equal(a->hints, try % 4);
    assert_true(a->seconds == try + 0.5);
    free(typed);
}

int record_count(struct store *s) {
    struct lesson_journal j = store_journal(s);
    struct base_message m = {0};
    int count = 0;
    if (!j.answers(j.self, item, check, &count, &m)) fail_msg("%s: %s", m.file, m.what);
    return count;
}

int record_names_in(const char *folder) {
    DIR *d = opendir(folder);
    assert_non_null(d);
    int n = 0;
    for (struct dirent *e; (e = readdir(d));) n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

char *record_sql_error(const char *path, const char *sql) {
    sqlite3 *db;
    char *error = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_exec(db, sql, NULL, NULL, &error);
    char *said = error ? base_dup(error) : NULL;
    sqlite3_free(error);
    sqlite3_close(db);
    return said;
}

void record_sql(const char *path, const char *sql) {
    char *error = record_sql_error(path, sql);
    if (error) fail_msg("%s: %s", sql, error);
}

int64_t record_number(const char *path, const char *sql) {
    sqlite3 *db;
    sqlite3_stmt *q;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    int64_t number = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    sqlite3_close(db);
    return number;
}

void record_assert_same(const char *path, char *before, size_t length) {
    size_t n;
    char *now = base_file_read(path, 1 << 24, &n, NULL);
    assert_non_null(now);
    assert_int_equal(n, length);
    assert_memory_equal(now, before, n);
    free(now);
    free(before);
}
