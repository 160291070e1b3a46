/* Who else may read a record: nobody, whatever the umask and the folder are; and of one that is
 * open to others it is said. */
#include "store/inside.h"
#include "store/record.h"

#include <string.h>

static unsigned mode_of(const char *path) {
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    return s.st_mode & 07777;
}

/* The record, its log and its shared memory while it is open. */
static void assert_closed(const char *path) {
    static const char *const files[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < BASE_COUNT(files); i++) {
        char *name = base_format("%s%s", path, files[i]);
        if (mode_of(name) != 0600) fail_msg("%s: %o", name, mode_of(name));
        free(name);
    }
}

static const mode_t masks[] = {0, 022, 077, 0777};

static void a_record_is_its_learners_alone(void **state) {
    mode_t before = umask(0);
    for (size_t i = 0; i < BASE_COUNT(masks); i++) {
        char *folder = base_format("%s/%zu/deep", (const char *)*state, i);
        char *path = base_format("%s/learner.db", folder),
             *above = base_format("%s/%zu", (const char *)*state, i);
        umask(masks[i]);
        struct store *s = record_open(path);
        assert_true(record_answer(s, 1, NULL));
        umask(before);
        assert_closed(path);
        assert_int_equal(mode_of(folder), 0700);
        assert_int_equal(mode_of(above), 0700);
        store_close(s);
        free(above);
        free(path);
        free(folder);
    }
}

static void a_folder_that_is_open_makes_no_open_record(void **state) {
    char *path = scratch_path(state, "learner.db");
    mode_t before = umask(0);
    assert_int_equal(chmod(*state, 0777), 0);
    struct store *s = record_open(path);
    umask(before);
    assert_closed(path);
    assert_int_equal(mode_of(*state), 0777); /* it is not ours to close */
    store_close(s);
    free(path);
}

static void a_rollback_journal_is_closed_too(void **state) {
    char *path = scratch_path(state, "learner.db"),
         *journal = scratch_path(state, "learner.db-journal");
    mode_t before = umask(0);
    struct store *s = store_open_as(path, true, NULL);
    assert_non_null(s);
    assert_true(store_sql_run(s->db, "BEGIN IMMEDIATE; INSERT INTO setting VALUES ('a', 'b')"));
    umask(before);
    assert_int_equal(mode_of(path), 0600);
    assert_int_equal(mode_of(journal), 0600);
    store_close(s);
    free(journal);
    free(path);
}

/* ── what is said of an older one ──────────────────────────────────────────────────────────────*/
static const struct exposed {
    mode_t file, folder;
    /* NULL: nothing is said */
    const char *says[2];
} exposeds[] = {
    {0600, 0700, {NULL}},
    {0600, 0755, {NULL}},
    /* only owners may rename there, as in /tmp */
    {0600, 01777, {NULL}},
    {0644,
     0700,
     {"other users may read it, because its mode is 644: run `chmod 600 /", "learner.db`"}},
    {0640, 0755, {"other users may read it, because its mode is 640", NULL}},
    {0666, 0755, {"other users may change it, because its mode is 666", NULL}},
    {0600, 0777, {"its folder's mode is 777: run `chmod go-w /", NULL}},
    {0644, 0775, {"its mode is 644", "; other users may replace it"}},
};

static void what_is_open_to_others_is_told(void **state) {
    char *path = scratch_path(state, "learner.db");
    store_close(record_open(path));
    for (size_t i = 0; i < BASE_COUNT(exposeds); i++) {
        const struct exposed *e = &exposeds[i];
        assert_int_equal(chmod(path, e->file) | chmod(*state, e->folder), 0);
        char *said = store_exposed(path);
        assert_int_equal(said != NULL, e->says[0] != NULL);
        for (size_t k = 0; k < 2 && e->says[k]; k++)
            if (!strstr(said, e->says[k])) fail_msg("%zu: %s", i, said);
        free(said);
    }
    free(path);
}

/* Whoever opened it to others meant it, or is told by doctor: nothing is changed behind a learner's
 * back. */
static void an_older_record_keeps_its_mode(void **state) {
    char *path = scratch_path(state, "learner.db");
    store_close(record_open(path));
    assert_int_equal(chmod(path, 0644), 0);
    store_close(record_open(path));
    assert_int_equal(mode_of(path), 0644);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(a_record_is_its_learners_alone),
        IN_SCRATCH(a_folder_that_is_open_makes_no_open_record),
        IN_SCRATCH(a_rollback_journal_is_closed_too),
        IN_SCRATCH(what_is_open_to_others_is_told),
        IN_SCRATCH(an_older_record_keeps_its_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
