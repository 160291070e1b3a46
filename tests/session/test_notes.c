/* Bookmarks and notes at the step where a session is. */
#include "session/school.h"
#include "session/session.h"

#include <stdlib.h>

struct here {
    struct learner *who;
    struct session *session;
};

static struct here open_at(const char *lesson, const char *step) {
    struct base_message m = {0};
    struct here h = {.who = session_learner_open(NULL, &m)};
    h.session = h.who ? session_open(h.who, lesson, &m) : NULL;
    if (!h.session) fail_msg("%s", m.what);
    if (step) session_do(h.session, &(struct lesson_action){.kind = LESSON_DO_GOTO, .text = step});
    return h;
}

static void close_here(struct here h) {
    session_close(h.session);
    session_learner_close(h.who);
}

static void assert_note(struct session *s, const char *is) {
    char *note = session_note(s);
    assert_string_equal(note ? note : "none", is);
    free(note);
}

static void a_note_belongs_to_its_step(void **state) {
    (void)state;
    struct here h = open_at("1.1", "two-bytes");
    assert_note(h.session, "none");
    assert_false(session_bookmarked(h.session));
    assert_true(session_note_keep(h.session, "mine", NULL));
    assert_true(session_bookmark(h.session, true, NULL));
    session_do(h.session, &(struct lesson_action){.kind = LESSON_DO_GOTO, .text = "end"});
    assert_note(h.session, "none");
    assert_false(session_bookmarked(h.session));
    close_here(h);
    h = open_at("1.1", "two-bytes");
    assert_note(h.session, "mine");
    assert_true(session_bookmarked(h.session));
    assert_true(session_note_keep(h.session, "", NULL));
    assert_true(session_bookmark(h.session, false, NULL));
    assert_note(h.session, "none");
    assert_false(session_bookmarked(h.session));
    close_here(h);
}

static void count(void *to, const struct store_note *n) {
    (void)n;
    ++*(int *)to;
}

static void what_is_the_same_adds_no_row(void **state) {
    int notes = 0;
    (void)state;
    struct here h = open_at("1.1", "two-bytes");
    assert_true(session_note_keep(h.session, "", NULL));
    assert_true(store_notes(session_learner_store(h.who), NULL, NULL, count, &notes, NULL));
    assert_int_equal(notes, 0);
    close_here(h);
}

static void hear(void *to, const struct session_hit *hit) {
    char **title = to;
    free(*title);
    *title = base_dup(hit->title);
}

/* Nobody has to read the ids of lessons. */
static void a_step_without_a_title_goes_by_its_lesson(void **state) {
    (void)state;
    char *title = NULL;
    struct here h = open_at("1.1", "end");
    assert_string_equal(session_step_title(h.session, "end"), "");
    assert_true(session_note_keep(h.session, "mine", NULL));
    session_search(h.who, &(struct session_query){.words = "", .kinds = 1u << SESSION_NOTE}, hear,
                   &title);
    assert_string_equal(title, lesson_title(session_lesson(h.session)));
    struct session_entry *e = session_entry_open(h.who, SESSION_NOTE, "1.1/end", false, NULL);
    assert_string_equal(e->title, title);
    session_entry_close(e);
    free(title);
    close_here(h);
}

/* In a check a step is another lesson's, and its notes are that lesson's. */
static void in_a_check_a_note_goes_to_the_lesson_of_its_step(void **state) {
    (void)state;
    struct here h = open_at("1c", NULL);
    struct session_here at = session_here(h.session);
    assert_string_not_equal(at.lesson, "1c");
    assert_null(strchr(at.step, '/'));
    assert_true(session_note_keep(h.session, "from the check", NULL));
    close_here(h);
    h = open_at(at.lesson, NULL);
    struct base_message m = {0};
    char *name = base_format("%s/%s", at.lesson, at.step);
    struct session_entry *e = session_entry_open(h.who, SESSION_NOTE, name, false, &m);
    if (!e) fail_msg("%s: %s", name, m.what);
    assert_string_equal(e->text, "from the check");
    assert_string_equal(e->step, at.step);
    session_entry_close(e);
    free(name);
    close_here(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_note_belongs_to_its_step, school_open, school_close),
        cmocka_unit_test_setup_teardown(a_step_without_a_title_goes_by_its_lesson, school_open,
                                        school_close),
        cmocka_unit_test_setup_teardown(what_is_the_same_adds_no_row, school_open, school_close),
        cmocka_unit_test_setup_teardown(in_a_check_a_note_goes_to_the_lesson_of_its_step,
                                        school_open_mixed, school_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
