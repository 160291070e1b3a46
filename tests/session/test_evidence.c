/* What a memo may quote of a run: its figures by name; what there is not, and why. */
#include "session/school.h"
#include "session/session.h"

static const char events[] =
    "{\"event\":\"start\"}\n"
    "{\"event\":\"step\",\"step\":1,\"ms\":100}\n{\"event\":\"step\",\"step\":2,\"ms\":50}\n"
    "{\"event\":\"end\",\"status\":\"ok\",\"ranks\":[{\"rank\":0,\"peak\":{\"activations\":700}},"
    "{\"rank\":1,\"peak\":{\"activations\":900}}]}\n";

static void keep(struct store *s, const char *outcome, const char *weighed) {
    struct base_message m = {0};
    json_t *measured = weighed ? json_loads(weighed, 0, NULL) : NULL;
    struct lesson_run run = {.lab = "capstone",
                             .variant = "stage 2",
                             .command = "zerolab",
                             .events = strcmp(outcome, "ended") == 0 ? events : "",
                             .outcome = outcome,
                             .measured = measured};
    if (!store_keep_run(s, &run, &m)) fail_msg("%s", m.what);
    json_decref(measured);
}

/* Runs 1 to 4: one that ended, one out of memory, one that failed, one that was stopped. */
static struct store *record(void **state) {
    char *path = base_format("%s/evidence.db", (const char *)*state);
    struct base_message m = {0};
    struct store *s = store_open(path, &m);
    if (!s) fail_msg("%s", m.what);
    free(path);
    keep(s, "ended", "{\"state\":[1170],\"peak\":[1830000000,1830000000],\"sent\":[42]}");
    keep(s, "failed", "{\"needed\":[20200000],\"loss\":\"out of memory\"}");
    keep(s, "failed", NULL);
    keep(s, "cancelled", NULL);
    return s;
}

static const struct {
    long run;
    const char *what;
    enum memo_quoted says;
    /* 0: there is none, and */
    double value;
    /* this is said */
    const char *why;
} rows[] = {
    {1, "peak", MEMO_MEASURED, 1830000000, ""},
    {1, "states", MEMO_MEASURED, 1170, ""},
    {1, "model states", MEMO_MEASURED, 1170, ""},
    {1, "sent", MEMO_MEASURED, 42, ""},
    {1, "activations", MEMO_MEASURED, 900, ""},
    {1, "step", MEMO_MEASURED, 0.075, ""},
    {1, "needed", MEMO_UNKNOWN, 0, "run 1 has no figure 'needed'"},
    {1, "beauty", MEMO_UNKNOWN, 0, "peak, states, sent, step, or"},
    {2, "needed", MEMO_MEASURED, 20200000, ""},
    {2, "peak", MEMO_REFUTED, 0, "run 2 ran out of memory"},
    {3, "peak", MEMO_REFUTED, 0, "run 3 failed"},
    {4, "peak", MEMO_REFUTED, 0, "run 4 was stopped"},
    {12, "peak", MEMO_REFUTED, 0, "run 12 is not in your record: `zerotutor lab runs` lists yours"},
    {-1, "peak", MEMO_REFUTED, 0, "run -1 is not in your record"},
};

static void figures_are_found_or_it_is_said_why_not(void **state) {
    struct store *s = record(state);
    struct memo_evidence e = session_evidence(s);
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        struct base_message m = {0};
        double value = 0;
        enum memo_quoted says = e.quoted(e.self, rows[i].run, rows[i].what, &value, &m);
        if (says != rows[i].says || value != rows[i].value)
            fail_msg("run %ld, %s: %d, %g (%s)", rows[i].run, rows[i].what, (int)says, value,
                     m.what);
        if (!strstr(m.what, rows[i].why)) fail_msg("%s: not %s", m.what, rows[i].why);
    }
    store_close(s);
}

/* What a run did not time is not offered. */
static void a_step_is_offered_where_there_is_one(void **state) {
    char *path = base_format("%s/untimed.db", (const char *)*state);
    struct base_message m = {0};
    struct store *s = store_open(path, &m);
    struct lesson_run run = {.lab = "capstone",
                             .variant = "stage 2",
                             .command = "zerolab",
                             .events = "{\"event\":\"start\"}\n",
                             .outcome = "ended"};
    double value;
    free(path);
    assert_true(store_keep_run(s, &run, &m));
    struct memo_evidence e = session_evidence(s);
    assert_int_equal(e.quoted(e.self, 1, "step", &value, &m), MEMO_UNKNOWN);
    assert_non_null(strstr(m.what, "quote its peak, states, sent, or the peak"));
    store_close(s);
}

/* Without a run there is nothing to hold a memo against: it may come from another machine. */
static void an_empty_record_refutes_nothing(void **state) {
    (void)state;
    struct base_message m = {0};
    struct store *s = store_open(NULL, &m);
    struct memo_evidence e = session_evidence(s);
    double value = 0;
    assert_int_equal(e.quoted(e.self, 12, "peak", &value, &m), MEMO_UNKNOWN);
    assert_non_null(strstr(m.what, "cannot be verified here"));
    store_close(s);
}

static void a_run_says_how_to_quote_it(void **state) {
    static const char *const said[] = {"[run 1: peak 1.83 GB]", "[run 2: needed 20.2 MB]"};
    struct store *s = record(state);
    struct base_message m = {0};
    for (size_t i = 0; i < BASE_COUNT(said); i++) {
        char *words = session_quote(s, (int64_t)i + 1, &m);
        assert_string_equal(words, said[i]);
        free(words);
    }
    assert_null(session_quote(s, 4, &m));
    assert_non_null(strstr(m.what, "run 4 was stopped"));
    store_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(figures_are_found_or_it_is_said_why_not, school_open,
                                        school_close),
        cmocka_unit_test_setup_teardown(an_empty_record_refutes_nothing, school_open, school_close),
        cmocka_unit_test_setup_teardown(a_run_says_how_to_quote_it, school_open, school_close),
        cmocka_unit_test_setup_teardown(a_step_is_offered_where_there_is_one, school_open,
                                        school_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
