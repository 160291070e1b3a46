/* What running a file says is kept in the record, so that only what changed is run again. */
#include "session/pupil.h"
#include "session/school.h"

#define LESSON "cache/told/first.lua"
#define TERMS  "cache/told/glossary.lua"

static void take_title(void *to, const struct session_hit *h) {
    char **title = to;
    if (h->kind == SESSION_STEP && strcmp(h->name, "1.1/two-bytes") == 0)
        *title = base_dup(h->title);
}

/* The first step's title, as search has it; the caller's. */
static char *title_of(struct learner *who) {
    char *title = NULL;
    session_search(who, &(struct session_query){.words = "two"}, take_title, &title);
    return title;
}

static void assert_title(const char *expected) {
    struct learner *who = open_learner();
    char *title = title_of(who);
    assert_string_equal(title, expected);
    free(title);
    session_learner_close(who);
}

/* In what is kept, which nothing else does: so it shows whether that is read. */
static void replace(const char *name, const char *what, const char *by) {
    struct base_message m = {0};
    struct learner *who = open_learner();
    char *kept = store_setting(session_learner_store(who), name);
    assert_non_null(kept);
    const char *at = strstr(kept, what);
    if (!at) fail_msg("%s has no %s: %s", name, what, kept);
    char *text = base_format("%.*s%s%s", (int)(at - kept), kept, by, at + strlen(what));
    assert_true(store_set(session_learner_store(who), name, text, &m));
    free(text);
    free(kept);
    session_learner_close(who);
}

static void what_a_lesson_says_is_kept_until_its_file_changes(void **state) {
    assert_title("Two bytes");
    replace(LESSON, "Two bytes", "Two words");
    assert_title("Two words");
    school_put(state, "first.lua", "first.lua");
    assert_title("Two bytes");
    assert_title("Two bytes");
}

static void what_is_kept_is_a_shortcut(void **state) {
    static const char *const nonsense[] = {NULL, "", "0\n{}", "7", "\n", "ffffffffffffffff\n{}"};
    (void)state;
    assert_title("Two bytes");
    for (size_t i = 0; i < BASE_COUNT(nonsense); i++) {
        struct base_message m = {0};
        struct learner *who = open_learner();
        assert_true(store_set(session_learner_store(who), LESSON, nonsense[i], &m));
        session_learner_close(who);
        assert_title("Two bytes");
    }
    replace(LESSON, "{", ""); /* its stamp is right, and it is no JSON */
    assert_title("Two bytes");
}

static char *term_of(struct learner *who, const char *name) {
    struct session_entry *e = session_entry_open(who, SESSION_TERM, name, false, NULL);
    char *title = e ? base_dup(e->title) : NULL;
    session_entry_close(e);
    return title;
}

/* The terms can be marked on a lesson's first page, if they were read before. */
static void kept_terms_need_no_waiting(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct base_message m = {0};
        struct learner *who = open_learner();
        struct session *s = session_open(who, "1.1", &m);
        if (!s) fail_msg("%s", m.what);
        struct session_glossary *g = session_glossary_open(s);
        assert_int_equal(session_glossary_waits(g), i == 0);
        session_glossary_read(g);
        session_glossary_close(g);
        session_close(s);
        session_learner_close(who);
    }
}

/* What a step that draws numbers asks, the caller's; and whether a worker was there before. */
static char *question(const char *lesson, const char *step, bool *ready) {
    struct base_message m = {0};
    struct learner *who = open_learner();
    struct session *s = session_open(who, lesson, &m);
    if (!s) fail_msg("%s", m.what);
    *ready = session_is_ready(s);
    session_do(s, &(struct lesson_action){.kind = LESSON_DO_GOTO, .text = step});
    struct base_text all = {0};
    const struct lesson_event *e;
    while ((e = session_event(s)) && e->kind != LESSON_ASK)
        base_text_printf(&all, "%s\n", e->text ? e->text : "");
    assert_true(session_is_ready(s));
    session_close(s);
    session_learner_close(who);
    return base_text_take(&all);
}

/* A lesson that was run before opens without running it, and draws the same numbers when it comes
 * to that. */
static void kept_lessons_start_a_worker_when_numbers_are_drawn(void **state) {
    (void)state;
    bool ready;
    char *ran = question("1.1", "apple", &ready);
    assert_true(ready);
    char *kept = question("1.1", "apple", &ready);
    assert_false(ready);
    assert_non_null(strstr(ran, "apple"));
    assert_string_equal(kept, ran);
    free(kept);
    free(ran);
}

static void a_worker_is_made_ready_once(void **state) {
    (void)state;
    bool ready;
    free(question("1.1", "apple", &ready));
    struct base_message m = {0};
    struct learner *who = open_learner();
    struct session *s = session_open(who, "1.1", &m);
    if (!s) fail_msg("%s", m.what);
    assert_false(session_is_ready(s));
    session_make_ready(s);
    assert_true(session_is_ready(s));
    session_close(s);
    session_learner_close(who);
}

/* While a newcomer reads the first page, what the first lesson shows is read. */
static void the_first_lesson_is_read_ahead(void **state) {
    (void)state;
    struct base_message m = {0};
    struct learner *who = open_learner();
    for (int i = 0; i < 2; i++) {
        assert_true(session_first_waits(who, 0));
        session_first_read(who, 0);
    }
    assert_false(session_first_waits(who, 0));
    struct session *s = session_open(who, "1.1", &m);
    if (!s) fail_msg("%s", m.what);
    struct session_glossary *g = session_glossary_open(s);
    assert_false(session_is_ready(s)); /* nothing was run again */
    assert_false(session_glossary_waits(g));
    session_glossary_close(g);
    session_close(s);
    session_learner_close(who);
}

/* A record may be anybody's. */
static void a_crafted_book_has_no_terms(void **state) {
    (void)state;
    struct learner *who = open_learner();
    char *title = term_of(who, "box of gradients");
    assert_string_equal(title, "bucket");
    free(title);
    session_learner_close(who);
    replace(TERMS, "\"box of gradients\"", "7");
    who = open_learner();
    assert_null(term_of(who, "bucket"));
    session_learner_close(who);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_a_lesson_says_is_kept_until_its_file_changes,
                                        school_open, school_close),
        cmocka_unit_test_setup_teardown(what_is_kept_is_a_shortcut, school_open, school_close),
        cmocka_unit_test_setup_teardown(kept_terms_need_no_waiting, school_open, school_close),
        cmocka_unit_test_setup_teardown(kept_lessons_start_a_worker_when_numbers_are_drawn,
                                        school_open_mixed, school_close),
        cmocka_unit_test_setup_teardown(a_worker_is_made_ready_once, school_open_mixed,
                                        school_close),
        cmocka_unit_test_setup_teardown(the_first_lesson_is_read_ahead, school_open, school_close),
        cmocka_unit_test_setup_teardown(a_crafted_book_has_no_terms, school_open, school_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
