/* Opening: every kind of file that may lie there, and what is said of those that are refused. */
#include "store/migrate.h"
#include "store/record.h"

#include <fcntl.h>
#include <string.h>

/* ── files that are opened ─────────────────────────────────────────────────────────────────────*/

static void a_new_record_is_made_with_its_folders(void **state) {
    char *path = scratch_path(state, "a/b/learner.db");
    struct store *s = record_open(path);
    assert_string_equal(store_mode(s), "WAL");
    assert_null(store_broken(s));
    assert_int_equal(record_number(path, "PRAGMA user_version"), 5);
    assert_int_equal(record_number(path, "PRAGMA application_id"), 0x5A547574);
    assert_int_equal(
        record_number(
            path,
            "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND "
            "NOT strict AND name NOT LIKE 'sqlite%'"),
        0);
    store_close(s);
    /* the folder a; inside, the log went with the last connection */
    assert_int_equal(record_names_in(*state), 1);
    char *folder = scratch_path(state, "a/b");
    assert_int_equal(record_names_in(folder), 1);
    free(folder);
    free(path);
}

static void no_path_means_the_learners_own(void **state) {
    setenv("ZEROTUTOR_HOME", *state, 1);
    struct store *s = record_open(NULL);
    store_close(s);
    char *path = scratch_path(state, "learner.db");
    assert_int_equal(access(path, F_OK), 0);
    free(path);
}

/* An empty file is what a first start leaves that was killed at once. */
static void an_empty_file_becomes_a_record(void **state) {
    char *path = scratch_path(state, "learner.db");
    assert_true(base_file_write(path, "", 0, NULL));
    struct store *s = record_open(path);
    assert_true(record_answer(s, 1, NULL));
    store_close(s);
    free(path);
}

static void names_are_only_names(void **state) {
    const char *const names[] = {"a?mode=ro", "b#c",    "d%41",     "e f",
                                 "ü▓",        "file:x", ":memory:", "'"};
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        char *path = scratch_path(state, names[i]);
        for (int round = 1; round <= 2; round++) {
            struct store *s = record_open(path);
            assert_true(record_answer(s, round, NULL));
            assert_int_equal(record_count(s), round);
            store_close(s);
        }
        assert_int_equal(access(path, F_OK), 0);
        free(path);
    }
    assert_int_equal(record_names_in(*state), BASE_COUNT(names));
}

static void a_relative_name_is_a_file_here(void **state) {
    char here[1000];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(*state), 0);
    store_close(store_open(":memory:", NULL));
    struct store *again = store_open(":memory:", NULL);
    bool there = again && access(":memory:", F_OK) == 0;
    store_close(again);
    assert_int_equal(chdir(here), 0);
    assert_true(there);
}

static void a_home_that_is_nowhere_is_said(void **state) {
    struct base_message m = {0};
    char *home = base_dup(getenv("HOME"));
    (void)state;
    unsetenv("ZEROTUTOR_HOME");
    unsetenv("XDG_DATA_HOME");
    setenv("HOME", "nowhere", 1);
    assert_null(store_open(NULL, &m));
    assert_non_null(strstr(m.what, "HOME is 'nowhere'"));
    assert_int_equal(access("nowhere", F_OK), -1);
    setenv("HOME", home, 1);
    free(home);
}

/* ── migrations ────────────────────────────────────────────────────────────────────────────────*/

static bool migrate_file(const char *path, const char *const *schema, struct base_message *m) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    bool done = store_migrate_accepts(db, path, schema, m) && store_migrate(db, path, schema, m);
    store_sql_close(db);
    return done;
}

static void an_older_record_keeps_its_answers(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    for (int try = 1; try <= 3; try++) assert_true(record_answer(s, try, NULL));
    store_close(s);
    const char *const later[] = {
        store_schema[0],
        store_schema[1],
        store_schema[2],
        store_schema[3],
        store_schema[4],
        "ALTER TABLE place ADD COLUMN note TEXT NOT NULL DEFAULT ''",
        "CREATE TABLE card (id TEXT PRIMARY KEY) STRICT; INSERT INTO card VALUES ('a')",
        NULL};
    struct base_message m = {0};
    if (!migrate_file(path, later, &m)) fail_msg("%s", m.what);
    assert_true(migrate_file(path, later, &m)); /* a second time there is nothing to do */
    assert_int_equal(record_number(path, "PRAGMA user_version"), 7);
    assert_int_equal(record_number(path, "SELECT count(*) FROM card"), 1);
    assert_int_equal(record_number(path, "SELECT count(*) FROM answer"), 3);
    assert_int_equal(record_number(path, "SELECT count(note) FROM place"), 0);
    assert_null(store_open(path, &m)); /* and this program, which is older now, leaves it alone */
    free(path);
}

static void a_migration_happens_wholly_or_not_at_all(void **state) {
    char *path = scratch_path(state, "learner.db");
    store_close(record_open(path));
    const char *const broken[] = {store_schema[0],
                                  store_schema[1],
                                  store_schema[2],
                                  store_schema[3],
                                  store_schema[4],
                                  "CREATE TABLE good (x) STRICT_NOT; ",
                                  NULL};
    const char *const half[] = {store_schema[0],
                                store_schema[1],
                                store_schema[2],
                                store_schema[3],
                                store_schema[4],
                                "CREATE TABLE one (x)",
                                "CREATE TABLE two (x); CREATE TABLE two (x)",
                                NULL};
    struct base_message m = {0};
    assert_false(migrate_file(path, broken, &m));
    assert_false(migrate_file(path, half, &m));
    assert_string_equal(m.file, path);
    assert_non_null(strstr(m.what, "table two already exists"));
    assert_int_equal(record_number(path, "PRAGMA user_version"), 5);
    assert_int_equal(
        record_number(path, "SELECT count(*) FROM sqlite_schema WHERE name IN ('one', 'two')"), 0);
    struct store *s = record_open(path);
    assert_true(record_answer(s, 1, NULL));
    store_close(s);
    free(path);
}

/* ── files that are refused ────────────────────────────────────────────────────────────────────*/

static void refuse(const char *path, const char *says) {
    struct base_message m = {0};
    struct store *s = store_open(path, &m);
    assert_null(s);
    assert_string_equal(m.file, path);
    if (!strstr(m.what, says)) fail_msg("says: %s", m.what);
}

static void make_foreign(const char *path) {
    record_sql(path, "CREATE TABLE moz_places (url TEXT); PRAGMA user_version = 0");
}

static void make_foreign_with_version(const char *path) {
    record_sql(path,
               "CREATE TABLE msg (t TEXT); PRAGMA user_version = 1; PRAGMA application_id = 1");
}

static void make_newer(const char *path) {
    struct store *s = record_open(path);
    assert_true(record_answer(s, 1, NULL));
    store_close(s);
    record_sql(path, "CREATE TABLE of_the_future (x TEXT) STRICT; PRAGMA user_version = 7");
}

static void make_garbage(const char *path) {
    static const char garbage[] = "this is my diary, not a database. ";
    struct base_text t = {0};
    for (int i = 0; i < 400; i++) base_text_puts(&t, garbage);
    assert_true(base_file_write(path, t.s, t.length, NULL));
    base_text_free(&t);
}

static void make_short_garbage(const char *path) {
    assert_true(base_file_write(path, "hi\n", 3, NULL));
}

/* A schema that cannot be read, as SQLite calls it: nothing is damaged, and somebody meant it. */
static void make_spoiled(const char *path) {
    store_close(record_open(path));
    record_sql(path, "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = "
                     "'CREATE TABLE place (x, x)'"
                     " WHERE name = 'place'");
}

static const struct refused {
    void (*make)(const char *path);
    const char *says;
} refuseds[] = {
    {make_newer,
     "a newer zerotutor made this record (version 7; this program reads 5): update zerotutor"},
    {make_foreign, "belongs to another program"},
    {make_foreign_with_version, "belongs to another program"},
    {make_garbage, "it is not a database and was left unchanged: move it away"},
    {make_short_garbage, "it is not a database and was left unchanged: move it away"},
    {make_spoiled, "malformed database schema (place)"},
};

static void what_is_refused_keeps_every_byte(void **state) {
    for (size_t i = 0; i < BASE_COUNT(refuseds); i++) {
        char *path = base_format("%s/%zu.db", (const char *)*state, i);
        refuseds[i].make(path);
        size_t length;
        char *before = base_file_read(path, 1 << 24, &length, NULL);
        refuse(path, refuseds[i].says);
        record_assert_same(path, before, length);
        assert_int_equal(record_names_in(*state), (int)i + 1); /* and nothing lies beside it */
        free(path);
    }
}

/* ── what a killed program leaves in the log ───────────────────────────────────────────────────*/

/* Runs `body` in a child that ends without closing anything, as a kill would. */
static void in_killed_child(void (*body)(const char *path), const char *path) {
    pid_t child = fork();
    if (child == 0) {
        body(path);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void begin_the_future(const char *path) {
    sqlite3 *db;
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        !store_sql_run(db, "CREATE TABLE of_the_future (x); PRAGMA user_version = 6"))
        _exit(1);
}

static void a_newer_version_in_the_log_is_refused_too(void **state) {
    char *path = scratch_path(state, "learner.db"), *log = scratch_path(state, "learner.db-wal");
    store_close(record_open(path));
    in_killed_child(begin_the_future, path);
    size_t length, log_length;
    char *before = base_file_read(path, 1 << 24, &length, NULL);
    char *log_before = base_file_read(log, 1 << 24, &log_length, NULL);
    assert_true(log_length > 0);
    refuse(path, "a newer zerotutor made this record (version 6; this program reads 5)");
    record_assert_same(path, before, length);
    record_assert_same(log, log_before, log_length);
    assert_int_equal(record_number(path, "PRAGMA user_version"), 6);
    free(path);
    free(log);
}

/* A log that came without its shared memory, as copying gives. */
static void a_log_alone_gains_no_company(void **state) {
    char *path = scratch_path(state, "learner.db"), *shared = scratch_path(state, "learner.db-shm");
    store_close(record_open(path));
    in_killed_child(begin_the_future, path);
    assert_int_equal(unlink(shared), 0);
    refuse(path, "a newer zerotutor made this record");
    assert_int_equal(access(shared, F_OK), -1);
    assert_int_equal(record_names_in(*state), 2);
    free(path);
    free(shared);
}

static void answer_three_times(const char *path) {
    struct store *s = store_open(path, NULL);
    for (int try = 1; try <= 3; try++)
        if (!s || !record_answer(s, try, NULL)) _exit(1);
}

/* The first page has come from the log into the file and the rest has not: read without its log,
 * the file looks damaged. */
static void a_file_half_caught_up_with_its_log_is_opened(void **state) {
    char *path = scratch_path(state, "learner.db"), *log = scratch_path(state, "learner.db-wal");
    in_killed_child(answer_three_times, path);
    size_t length, log_length;
    char *log_before = base_file_read(log, 1 << 24, &log_length, NULL);
    store_close(record_open(path));
    char *caught_up = base_file_read(path, 1 << 24, &length, NULL);
    assert_true(length > 4096);
    assert_true(base_file_write(path, caught_up, 4096, NULL));
    assert_true(base_file_write(log, log_before, log_length, NULL));
    struct store *s = record_open(path);
    assert_int_equal(record_count(s), 3);
    assert_null(store_broken(s));
    store_close(s);
    free(caught_up);
    free(log_before);
    free(path);
    free(log);
}

/* ── files that may not be written ─────────────────────────────────────────────────────────────*/

static int open_without_rights(const char *path) {
    struct base_message m = {0};
    struct store *s = store_open(path, &m);
    if (s) return 1;
    return strcmp(m.file, path) == 0 && strstr(m.what, "ZEROTUTOR_HOME") ? 0 : 2;
}

static void a_read_only_file_is_named(void **state) {
    char *path = scratch_path(state, "learner.db");
    store_close(record_open(path));
    assert_int_equal(chmod(*state, 0777), 0);
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(scratch_unprivileged(open_without_rights, path), 0);
    assert_int_equal(record_names_in(*state), 1);
    assert_int_equal(chmod(path, 0), 0);
    assert_int_equal(scratch_unprivileged(open_without_rights, path), 0);
    free(path);
}

static void an_unwritable_folder_is_named(void **state) {
    char *path = scratch_path(state, "learner.db");
    assert_int_equal(chmod(*state, 0555), 0);
    assert_int_equal(scratch_unprivileged(open_without_rights, path), 0);
    assert_int_equal(chmod(*state, 0755), 0);
    store_close(record_open(path)); /* the file may be written now, but no log beside it */
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(chmod(*state, 0555), 0);
    assert_int_equal(scratch_unprivileged(open_without_rights, path), 0);
    assert_int_equal(chmod(*state, 0755), 0);
    free(path);
}

static void a_folder_in_the_files_place_is_named(void **state) {
    char *path = scratch_path(state, "learner.db");
    assert_true(base_make_dirs(path, NULL));
    refuse(path, "this is a folder, not a learner's record");
    char *below = scratch_path(state, "file/learner.db"), *file = scratch_path(state, "file");
    assert_true(base_file_write(file, "", 0, NULL));
    struct base_message m = {0};
    assert_null(store_open(below, &m));
    assert_string_equal(m.file, file);
    free(file);
    free(below);
    free(path);
}

/* ── damage ────────────────────────────────────────────────────────────────────────────────────*/

static void damage_is_told(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    for (int try = 1; try <= 200; try++) assert_true(record_answer(s, try, NULL));
    store_close(s);
    struct stat file;
    assert_int_equal(stat(path, &file), 0);
    int fd = open(path, O_WRONLY);
    char noise[4096];
    memset(noise, 0x5A, sizeof noise);
    for (off_t at = file.st_size / 4096 / 2 * 4096; at + 4096 <= file.st_size; at += 4096)
        assert_int_equal(pwrite(fd, noise, sizeof noise, at), sizeof noise);
    close(fd);
    s = record_open(path);
    char *said = store_broken(s);
    assert_non_null(said);
    free(said);
    store_close(s);
    free(path);
}

/* ── network file systems ──────────────────────────────────────────────────────────────────────*/

static const struct type {
    uint64_t type;
    bool network;
} types[] = {
    {0x6969, true},      /* NFS */
    {0xFF534D42, true},  /* CIFS */
    {0x65735546, true},  /* FUSE, for sshfs */
    {0xEF53, false},     /* ext4 */
    {0x58465342, false}, /* XFS */
    {0x01021994, false}, /* tmpfs */
    {0x794C7630, false}, /* overlayfs */
};

static void network_file_systems_are_known(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(types); i++)
        assert_int_equal(store_network_type(types[i].type), types[i].network);
    assert_false(store_network_path("/proc"));
    assert_false(store_network_path("/no/such/folder"));
}

static void a_network_gets_a_rollback_journal(void **state) {
    char *path = scratch_path(state, "learner.db");
    store_close(record_open(path)); /* carried there from a laptop, where it had a log */
    for (int round = 1; round <= 2; round++) {
        struct base_message m = {0};
        struct store *s = store_open_as(path, true, &m);
        if (!s) fail_msg("%s", m.what);
        assert_string_equal(store_mode(s), "rollback journal (network file system)");
        assert_true(record_answer(s, round, NULL));
        assert_int_equal(record_names_in(*state), 1); /* no log, no shared memory */
        assert_int_equal(store_sql_number(s->db, "PRAGMA synchronous", -1), 3);
        store_close(s);
    }
    struct store *s = record_open(path); /* and back */
    assert_string_equal(store_mode(s), "WAL");
    assert_int_equal(record_count(s), 2);
    store_close(s);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(a_new_record_is_made_with_its_folders),
        IN_SCRATCH(no_path_means_the_learners_own),
        cmocka_unit_test(a_home_that_is_nowhere_is_said),
        IN_SCRATCH(an_empty_file_becomes_a_record),
        IN_SCRATCH(names_are_only_names),
        IN_SCRATCH(a_relative_name_is_a_file_here),
        IN_SCRATCH(an_older_record_keeps_its_answers),
        IN_SCRATCH(a_migration_happens_wholly_or_not_at_all),
        IN_SCRATCH(what_is_refused_keeps_every_byte),
        IN_SCRATCH(a_newer_version_in_the_log_is_refused_too),
        IN_SCRATCH(a_log_alone_gains_no_company),
        IN_SCRATCH(a_file_half_caught_up_with_its_log_is_opened),
        IN_SCRATCH(a_read_only_file_is_named),
        IN_SCRATCH(an_unwritable_folder_is_named),
        IN_SCRATCH(a_folder_in_the_files_place_is_named),
        IN_SCRATCH(damage_is_told),
        cmocka_unit_test(network_file_systems_are_known),
        IN_SCRATCH(a_network_gets_a_rollback_journal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
