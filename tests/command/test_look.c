/* glossary, search, notes and questions on the command line. */
#include "session/school.h"

#include "command/run.h"
#include "session/session.h"

static void assert_says(const char *line, int status, const char *out) {
    struct run r = run_line(line, NULL);
    if (r.status != status || !strstr(r.out, out))
        fail_msg("%s: %d\n%s%s", line, r.status, r.out, r.err);
    run_free(&r);
}

static void what_is_looked_up_is_printed(void **state) {
    (void)state;
    assert_says("glossary", 0, "master weights (term, 1.1)");
    assert_says("glossary", 0, "Run zerotutor glossary TERM");
    assert_says("glossary master weights", 0, "1B weights take 2 GB.");
    assert_says("glossary Box of Gradients", 0, "gradients that travel together");
    assert_says("search elephants", 0, "A short one (step, 2.1 step 1)");
    assert_says("search memory one gpu", 0, " 1 zerotutor mem\n");
    assert_says("search bicycle", 1, "Nothing found.");
    assert_says("questions", 0, "How many bytes? (question, 1.1)");
    assert_says("questions", 0, "Run zerotutor questions NUMBER");
    assert_says("questions 1", 0, "Two for each weight: 2 GB for 1B.");
    assert_says("notes", 0, "There are no bookmarks or notes yet.");
    assert_says("notes", 0, "press b to set a");
}

static void what_is_not_there_is_said(void **state) {
    (void)state;
    struct run r = run_line("glossary buket", NULL);
    assert_int_equal(r.status, 2);
    assert_string_equal(r.err, "zerotutor: unknown term 'buket': did you mean 'bucket'?\n");
    run_free(&r);
    r = run_line("questions 7", NULL);
    assert_int_equal(r.status, 2);
    assert_string_equal(r.err, "zerotutor: unknown question '7': run `zerotutor questions` for a "
                               "list\n");
    run_free(&r);
}

static json_t *json_of(const char *line) {
    struct run r = run_line(line, NULL);
    json_t *json = base_json_read(r.out, strlen(r.out), line, NULL);
    assert_non_null(json);
    run_free(&r);
    return json;
}

static void a_note_is_printed_as_json(void **state) {
    struct base_message m = {0};
    (void)state;
    struct learner *who = session_learner_open(NULL, &m);
    struct session *s = session_open(who, "2.1", &m);
    assert_true(session_note_keep(s, "mine", NULL));
    session_close(s);
    session_learner_close(who);
    json_t *json = json_of("notes --json");
    const json_t *note = json_array_get(json_object_get(json, "notes"), 0);
    assert_string_equal(base_json_text(note, "kind", ""), "note");
    assert_string_equal(base_json_text(note, "lesson", ""), "2.1");
    assert_string_equal(base_json_text(note, "step", ""), "hello");
    assert_string_equal(base_json_text(note, "text", ""), "mine");
    json_decref(json);
    assert_says("search mine", 0, "(note, 2.1)");
}

static void terms_and_hits_are_printed_as_json(void **state) {
    (void)state;
    json_t *json = json_of("glossary bucket --json");
    const json_t *terms = json_object_get(json, "terms");
    assert_int_equal(json_array_size(terms), 1);
    assert_string_equal(base_json_text(json_array_get(terms, 0), "lesson", ""), "2.1");
    json_decref(json);
    json = json_of("search elephant --json");
    assert_int_equal(json_array_size(json_object_get(json, "hits")), 2);
    json_decref(json);
}

/* What stands beside the real course, and what only a key opens, too. */
static void all_that_there_is_is_found(void **state) {
    char *here = realpath(".", NULL);
    (void)state;
    setenv("ZEROTUTOR_SHARE", here, 1);
    assert_says("search 1.3", 0,
                "   1 Three things are replicated, so there are three stages (lesson");
    /* What is called so comes before what is called more. */
    assert_says("search shard", 0, "   1 shard (term, 1.3)\n");
    assert_says("search 2c", 0, "   1 Check: Sharding one tensor at a time (lesson, 2c)\n");
    assert_says("search 1c", 0, "   1 Check: Where GPU memory goes (lesson, 1c)\n");
    assert_says("map", 0, "\n 2 one at a time\n");
    assert_says("map --words", 0, "\n Phase 2: one at a time\n");
    assert_says("map --words --json", 2, "");
    assert_says("search timeline history", 0, "One case through all the years (step, Timeline");
    assert_says("search two voices", 0, "Two voices: ");
    assert_says("search mouse", 0, "Settings\n");
    assert_says("search complaint", 0, "Case of the week\n");
    assert_says("search undo", 0, "zerotutor review\n");
    assert_says("search reset a lesson", 0, "zerotutor record\n");
    free(here);
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(what_is_looked_up_is_printed), IN_SCHOOL(what_is_not_there_is_said),
        IN_SCHOOL(a_note_is_printed_as_json),    IN_SCHOOL(terms_and_hits_are_printed_as_json),
        IN_SCHOOL(all_that_there_is_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
