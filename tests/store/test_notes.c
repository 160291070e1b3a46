/* Bookmarks and notes: the latest row of a step says what it has, and no row is changed or lost. */
#include "store/record.h"

#include <string.h>

static bool keep(struct store *s, enum store_note_kind kind, const char *lesson, const char *step,
                 const char *text) {
    return store_note_keep(
        s,
        &(struct store_note){
            .kind = kind, .lesson = lesson, .step = step, .title = "A step", .text = text},
        NULL);
}

static void tell(void *to, const struct store_note *n) {
    base_text_printf(to, "%s %s/%s %s: %s; ", n->kind == STORE_NOTE ? "note" : "mark", n->lesson,
                     n->step, n->title, n->text);
}

static void assert_told(struct store *s, const char *lesson, const char *step, const char *what) {
    struct base_text told = {0};
    assert_true(store_notes(s, lesson, step, tell, &told, NULL));
    char *text = base_text_take(&told);
    assert_string_equal(text, what);
    free(text);
}

static void the_latest_row_of_a_step_counts(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    assert_told(s, NULL, NULL, "");
    assert_true(keep(s, STORE_NOTE, "1.1", "a", "first"));
    assert_true(keep(s, STORE_BOOKMARK, "1.1", "a", "set"));
    assert_true(keep(s, STORE_NOTE, "1.2", "a", "other"));
    assert_true(keep(s, STORE_NOTE, "1.1", "a", "second"));
    assert_told(s, NULL, NULL,
                "note 1.1/a A step: second; note 1.2/a A step: other; mark 1.1/a A step: set; ");
    assert_told(s, "1.2", NULL, "note 1.2/a A step: other; ");
    assert_told(s, "1.1", "b", "");
    assert_true(keep(s, STORE_NOTE, "1.1", "a", ""));
    assert_true(keep(s, STORE_BOOKMARK, "1.1", "a", ""));
    assert_told(s, "1.1", "a", "");
    store_close(s);
    s = record_open(path); /* and after all that, all rows are there */
    assert_told(s, NULL, NULL, "note 1.2/a A step: other; ");
    assert_int_equal(record_number(path, "SELECT count(*) FROM note"), 6);
    store_close(s);
    free(path);
}

static void rows_are_only_added(void **state) {
    static const char *const changes[] = {"UPDATE note SET text = 'x'", "DELETE FROM note"};
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    assert_true(keep(s, STORE_NOTE, "1.1", "a", "mine"));
    store_close(s);
    for (size_t i = 0; i < BASE_COUNT(changes); i++) {
        char *why = record_sql_error(path, changes[i]);
        assert_non_null(why);
        assert_non_null(strstr(why, "notes are only added"));
        free(why);
    }
    free(path);
}

static void a_note_that_is_too_long_is_refused(void **state) {
    static char text[STORE_NOTE_MOST + 2];
    struct base_message m = {0};
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct store_note n = {
        .kind = STORE_NOTE, .lesson = "1.1", .step = "a", .title = "", .text = text};
    memset(text, 'x', STORE_NOTE_MOST + 1);
    assert_false(store_note_keep(s, &n, &m));
    assert_non_null(strstr(m.what, "longer than 4000 bytes"));
    text[STORE_NOTE_MOST] = '\0';
    assert_true(store_note_keep(s, &n, NULL));
    store_close(s);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(the_latest_row_of_a_step_counts),
        IN_SCRATCH(rows_are_only_added),
        IN_SCRATCH(a_note_that_is_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
