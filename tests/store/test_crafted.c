/* Files that somebody made to do harm, and things that are no files: each is refused in words of
 * its own, none hangs, none is touched. */
#include "store/migrate.h"
#include "store/record.h"

#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { SECONDS = 100 }; /* until a child that hangs is ended: far more than any of these takes */

/* What `body` returns when a child runs it; a child that hangs is ended, and fails the test. */
static int in_child(int (*body)(const char *path), const char *path) {
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        _exit(body(path));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) fail_msg("%s: it hangs", path);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* ── things that are no record ─────────────────────────────────────────────────────────────────*/
static void make_pipe(const char *path) {
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void make_folder(const char *path) {
    assert_int_equal(mkdir(path, 0700), 0);
}

static void make_socket(const char *path) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    close(fd);
}

static void make_device(const char *path) {
    assert_int_equal(symlink("/dev/zero", path), 0);
}

static void make_dangling(const char *path) {
    assert_int_equal(symlink("nowhere/learner.db", path), 0);
}

static void make_circle(const char *path) {
    const char *slash = strrchr(path, '/');
    assert_int_equal(symlink(slash + 1, path), 0);
}

static void make_negative(const char *path) {
    store_close(record_open(path));
    record_sql(path, "PRAGMA user_version = -1");
}

static void make_newer(const char *path) {
    store_close(record_open(path));
    record_sql(path, "PRAGMA user_version = 99");
}

static void make_letter(const char *path) {
    assert_true(base_file_write(path, "Dear diary, this is no database.\n", 33, NULL));
}

/* SQLite looks into a journal that lies beside a file before it reads the file. */
static void make_piped_journal(const char *path) {
    store_close(record_open(path));
    char *journal = base_format("%s-journal", path);
    make_pipe(journal);
    free(journal);
}

static void make_piped_log(const char *path) {
    store_close(record_open(path));
    char *log = base_format("%s-wal", path);
    make_pipe(log);
    free(log);
}

static const struct thing {
    void (*make)(const char *path);
    const char *says;
} things[] = {
    {make_pipe, "this is a pipe, not a learner's record"},
    {make_socket, "this is a socket, not a learner's record"},
    {make_device, "this is a device, not a learner's record"},
    {make_folder, "this is a folder, not a learner's record"},
    {make_dangling, "this link leads to nowhere/learner.db, which is not there"},
    {make_circle, "this link leads back to itself"},
    {make_negative, "its version is -1, which no zerotutor ever wrote"},
    {make_newer, "a newer zerotutor made this record (version 99"},
    {make_letter, "it is not a database and was left unchanged"},
    {make_piped_journal, "learner.db-journal is a pipe"},
    {make_piped_log, "learner.db-wal is a pipe"},
};

static const struct thing *made; /* the thing that the child finds */

static int refuse_thing(const char *path) {
    struct base_message m = {0};
    if (store_open(path, &m)) return 1;
    if (strstr(m.what, made->says) && strcmp(m.file, path) == 0) return 0;
    print_message("%s: %s\n", m.file, m.what);
    return 2;
}

static void assert_untouched(const char *path, const struct stat *before) {
    struct stat now;
    assert_int_equal(lstat(path, &now), 0);
    assert_true(now.st_ino == before->st_ino && now.st_mode == before->st_mode &&
                now.st_size == before->st_size && now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
                now.st_mtim.tv_nsec == before->st_mtim.tv_nsec);
}

static void a_thing_that_is_no_record_is_named(void **state) {
    for (size_t i = 0; i < BASE_COUNT(things); i++) {
        char *folder = base_format("%s/%zu", (const char *)*state, i);
        char *path = base_format("%s/learner.db", folder);
        struct stat before;
        assert_int_equal(mkdir(folder, 0755), 0);
        made = &things[i];
        made->make(path);
        int names = record_names_in(folder);
        assert_int_equal(lstat(path, &before), 0);
        assert_int_equal(in_child(refuse_thing, path), 0);
        assert_untouched(path, &before);
        assert_int_equal(record_names_in(folder), names);
        free(path);
        free(folder);
    }
}

static int refuse_unreadable(const char *path) {
    struct base_message m = {0};
    if (store_open(path, &m)) return 1;
    if (strstr(m.what, "you may not read this file (its mode is 000)")) return 0;
    print_message("%s\n", m.what);
    return 2;
}

static void a_file_that_may_not_be_read_is_named(void **state) {
    char *path = scratch_path(state, "learner.db");
    store_close(record_open(path));
    assert_int_equal(chmod(*state, 0777), 0);
    assert_int_equal(chmod(path, 0), 0);
    assert_int_equal(scratch_unprivileged(refuse_unreadable, path), 0);
    free(path);
}

static void a_link_to_a_record_is_followed(void **state) {
    char *path = scratch_path(state, "real.db"), *link = scratch_path(state, "learner.db");
    store_close(record_open(path));
    assert_int_equal(symlink("real.db", link), 0);
    struct store *s = record_open(link);
    assert_true(record_answer(s, 1, NULL));
    store_close(s);
    s = record_open(path);
    assert_int_equal(record_count(s), 1);
    store_close(s);
    free(link);
    free(path);
}

/* ── schemas that were tampered with ───────────────────────────────────────────────────────────*/
#define ENDLESS "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "

static const struct crafted {
    const char *sql, *says;
} crafteds[] = {
    {"DROP TABLE answer; CREATE VIEW answer AS " ENDLESS
     "SELECT i AS id, i AS time, '1.1/a' AS item, '' AS line, 1 AS try, 1 AS seed, NULL AS "
     "problem, "
     "1 AS lesson_revision, 1 AS engine_revision, '' AS typed, 0 AS value, 'right' AS verdict, "
     "'' AS mistake, 0 AS hints, 0 AS seconds FROM n",
     "'answer_graded' is missing"},
    {"DROP TABLE setting; CREATE VIEW setting AS " ENDLESS "SELECT 'a' AS name, i AS value FROM n",
     "'setting'"},
    {"CREATE TRIGGER quiet BEFORE INSERT ON answer BEGIN SELECT RAISE(IGNORE); END",
     "trigger 'quiet' is not"},
    {"CREATE TRIGGER stay BEFORE INSERT ON place BEGIN SELECT RAISE(IGNORE); END",
     "trigger 'stay' is not"},
    {"DROP TRIGGER answer_stays; CREATE TRIGGER answer_stays BEFORE UPDATE ON answer BEGIN SELECT "
     "1; "
     "END",
     "trigger 'answer_stays' is"},
    {"DROP TRIGGER answer_once", "'answer_once' is missing"},
    {"DROP INDEX answer_of_item", "'answer_of_item'"},
    {"CREATE INDEX odd ON answer (abs(id))", "index 'odd' is not"},
    {"CREATE TABLE \"a\nb\" (x)", "table 'a"},
    {"ALTER TABLE place ADD COLUMN note TEXT", "table 'place' is"},
    {"PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (verdict <> "
     "'''')', "
     "'CHECK (verdict <> ''x'')') WHERE name = 'answer'",
     "table 'answer' is"},
};

static const struct crafted *tampered;

static void see_item(void *to, const struct store_item *i) {
    (void)to, (void)i;
}

/* Opens it and reads whatever a home screen reads. */
static int use_tampered(const char *path) {
    struct base_message m = {0};
    struct store *s = store_open(path, &m);
    if (s) {
        store_items(s, "", see_item, NULL, NULL);
        free(store_setting(s, "theme"));
        store_close(s);
        return 1;
    }
    bool clean = true;
    for (const char *c = m.what; *c; c++) clean &= (unsigned char)*c >= ' ';
    if (clean && strstr(m.what, tampered->says) && strstr(m.what, "left unchanged")) return 0;
    print_message("%s\n", m.what);
    return 2;
}

static void a_schema_that_is_not_ours_is_refused(void **state) {
    for (size_t i = 0; i < BASE_COUNT(crafteds); i++) {
        char *path = base_format("%s/%zu.db", (const char *)*state, i);
        size_t length;
        tampered = &crafteds[i];
        store_close(record_open(path));
        record_sql(path, tampered->sql);
        char *before = base_file_read(path, 1 << 24, &length, NULL);
        if (in_child(use_tampered, path) != 0) fail_msg("not refused: %s", tampered->sql);
        record_assert_same(path, before, length);
        free(path);
    }
}

/* Millions of words in a setting would be gone through once for each of as many rows. */
static void a_setting_longer_than_any_is_not_read(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct base_message m = {0};
    struct store *s = record_open(path);
    char *longest = base_format("%0*d", 64 * 1024, 0), *longer = base_format("%s0", longest);
    assert_false(store_set(s, "outline/1.1", longer, &m));
    assert_non_null(strstr(m.what, "longer than 65536 bytes"));
    assert_true(store_set(s, "outline/1.1", longest, &m));
    char *kept = store_setting(s, "outline/1.1");
    assert_string_equal(kept, longest);
    free(kept);
    store_close(s);
    record_sql(path, "UPDATE setting SET value = hex(zeroblob(3500000))");
    s = record_open(path);
    assert_null(store_setting(s, "outline/1.1"));
    assert_true(store_set(s, "outline/1.1", "one two", &m));
    kept = store_setting(s, "outline/1.1");
    assert_string_equal(kept, "one two");
    free(kept);
    store_close(s);
    free(longer);
    free(longest);
    free(path);
}

/* ── records of every version there ever was ───────────────────────────────────────────────────*/
static const char an_answer[] =
    "INSERT INTO answer (time, item, line, try, seed, problem, lesson_revision, engine_revision, "
    "typed, value, verdict, mistake, hints, seconds) VALUES (1, '1.1/a', '', 1, 5, '{}', 1, 1, "
    "'7', "
    "7.0, 'right', '', 0, 2.0)";

/* The schema as another program may have laid it out. */
static char *respaced(const char *sql) {
    struct base_text t = {0};
    for (const char *c = sql; *c; c++)
        base_text_printf(&t, *c == '\n' ? "  \n\t" : *c == '(' ? "( " : "%c", *c);
    return base_text_take(&t);
}

static void make_version(const char *path, size_t version, bool spaced) {
    for (size_t v = 0; v < version; v++) {
        char *sql = spaced ? respaced(store_schema[v]) : base_dup(store_schema[v]);
        char *set = base_format("PRAGMA user_version = %zu", v + 1);
        record_sql(path, sql);
        record_sql(path, set);
        free(set);
        free(sql);
    }
    record_sql(path, an_answer);
    record_sql(path, "INSERT INTO place VALUES ('1.1', 'a', 1, 3)");
}

static void count_items(void *to, const struct store_item *i) {
    *(int *)to += strcmp(i->item, "1.1/a") == 0 && i->right == 1;
}

static void each_older_version_is_opened_and_brought_up_to_date(void **state) {
    size_t latest = 0;
    while (store_schema[latest]) latest++;
    for (size_t version = 1; version <= latest; version++)
        for (int spaced = 0; spaced < 2; spaced++) {
            char *path = base_format("%s/%zu-%d.db", (const char *)*state, version, spaced);
            int items = 0;
            make_version(path, version, spaced);
            struct store *s = record_open(path);
            assert_true(store_items(s, "", count_items, &items, NULL));
            assert_int_equal(items, 1);
            assert_true(record_answer(s, 1, NULL));
            assert_null(store_broken(s));
            store_close(s);
            assert_int_equal(record_number(path, "PRAGMA user_version"), latest);
            store_close(record_open(path));
            free(path);
        }
}

/* A schema is compared by its words, and a comment in one would hide what follows it. */
static void no_schema_has_a_comment(void **state) {
    (void)state;
    for (size_t v = 0; store_schema[v]; v++)
        assert_true(!strstr(store_schema[v], "--") && !strstr(store_schema[v], "/*"));
}

/* Each schema there ever was is known by its digest, and none that differs in anything. */
static void each_schema_is_known_by_its_digest(void **state) {
    (void)state;
    sqlite3 *db = NULL;
    int64_t version = 0;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    for (; store_schema[version]; version++) {
        assert_true(store_compare_known(db, version));
        assert_false(store_compare_known(db, version + 1));
        assert_true(store_sql_run(db, store_schema[version]));
    }
    if (!store_compare_known(db, version))
        fail_msg("add the digest of version %d to src/store/compare.c", (int)version);
    assert_false(store_compare_known(db, version + 1));
    assert_true(store_sql_run(db, "CREATE TRIGGER quiet BEFORE INSERT ON answer BEGIN SELECT "
                                  "RAISE(IGNORE); END"));
    assert_false(store_compare_known(db, version));
    store_sql_close(db);
}

/* ── what changes under a record that is open ──────────────────────────────────────────────────*/
static bool keep_answer(struct store *s, struct base_message *m) {
    return record_answer(s, 1, m);
}

static bool keep_place(struct store *s, struct base_message *m) {
    struct lesson_journal j = store_journal(s);
    return j.place_set(j.self, "1.1", &(struct lesson_place){.step = "a"}, m);
}

static bool keep_setting(struct store *s, struct base_message *m) {
    return store_set(s, "theme", "dark", m);
}

static bool keep_run(struct store *s, struct base_message *m) {
    struct lesson_run r = {
        .lab = "buckets", .variant = "a", .command = "zerolab", .events = "", .outcome = "ended"};
    return store_keep_run(s, &r, m) != 0;
}

static const struct dropped {
    const char *table;
    bool (*keep)(struct store *s, struct base_message *m);
} droppeds[] = {
    {"answer", keep_answer}, {"place", keep_place}, {"setting", keep_setting},
    {"answer", keep_run},    {"lab_run", keep_run},
};

static void what_is_dropped_is_not_said_to_be_kept(void **state) {
    for (size_t i = 0; i < BASE_COUNT(droppeds); i++) {
        char *path = base_format("%s/%zu.db", (const char *)*state, i);
        struct base_message m = {0};
        struct store *s = record_open(path);
        char *sql = base_format("CREATE TRIGGER quiet BEFORE INSERT ON %s BEGIN SELECT "
                                "RAISE(IGNORE); END",
                                droppeds[i].table);
        record_sql(path, sql);
        if (droppeds[i].keep(s, &m)) fail_msg("%zu: it says that it was kept", i);
        assert_non_null(strstr(m.what, "did not take what was written"));
        assert_non_null(strstr(m.what, "zerotutor doctor"));
        record_sql(path, "DROP TRIGGER quiet");
        assert_true(droppeds[i].keep(s, &m));
        store_close(s);
        free(sql);
        free(path);
    }
}

/* ── more than a record ever holds ─────────────────────────────────────────────────────────────*/
static int ask_without_end(const char *path) {
    struct store *s = store_open(path, NULL);
    if (!s) return 1;
    struct base_message m = {0};
    struct sql q = store_sql_begin(s->db, ENDLESS "SELECT count(*) FROM n");
    bool answered = store_sql_row(&q);
    if (store_sql_end(&q) || answered) return 2;
    store_sql_fail(s->db, s->path, "read the answers", &m);
    return strstr(m.what, "more than a learner's record ever holds") ? 0 : 3;
}

static void a_question_without_end_is_given_up(void **state) {
    char *path = scratch_path(state, "learner.db");
    assert_int_equal(in_child(ask_without_end, path), 0);
    free(path);
}

static void see_answer(void *to, const struct lesson_answer *a) {
    *(size_t *)to += strlen(a->typed);
}

static void a_text_of_many_megabytes_is_not_read(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct base_message m = {0};
    size_t length = 0;
    store_close(record_open(path));
    record_sql(path, "INSERT INTO answer (time, item, line, try, seed, problem, lesson_revision, "
                     "engine_revision, typed, value, verdict, mistake, hints, seconds) VALUES (1, "
                     "'1.1/a', '', 1, 5, '{}', 1, 1, hex(zeroblob(20000000)), 7.0, 'right', '', 0, "
                     "2.0)");
    struct store *s = record_open(path);
    struct lesson_journal j = store_journal(s);
    assert_false(j.answers(j.self, "1.1/a", see_answer, &length, &m));
    assert_int_equal(length, 0);
    assert_non_null(strstr(m.what, "more than a learner's record ever holds"));
    store_close(s);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(a_thing_that_is_no_record_is_named),
        IN_SCRATCH(a_file_that_may_not_be_read_is_named),
        IN_SCRATCH(a_link_to_a_record_is_followed),
        IN_SCRATCH(a_schema_that_is_not_ours_is_refused),
        IN_SCRATCH(a_setting_longer_than_any_is_not_read),
        IN_SCRATCH(each_older_version_is_opened_and_brought_up_to_date),
        cmocka_unit_test(no_schema_has_a_comment),
        cmocka_unit_test(each_schema_is_known_by_its_digest),
        IN_SCRATCH(what_is_dropped_is_not_said_to_be_kept),
        IN_SCRATCH(a_question_without_end_is_given_up),
        IN_SCRATCH(a_text_of_many_megabytes_is_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
