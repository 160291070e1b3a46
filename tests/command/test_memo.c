/* memo: exit status, JSON, the page, and what cannot be read. */
#include "session/school.h"

#include "command/page.h"
#include "command/run.h"

#include <string.h>

static void the_exit_status_says_whether_it_passes(void **state) {
    static const struct {
        const char *line;
        int status;
        const char *out, *err;
    } cases[] = {
        {"memo check tests/memo/good-13b.md", 0, "Passes. The decision fits", ""},
        {"memo check tests/memo/good-13b.md", 0, "The trap you avoided: Stage 1 fits on paper", ""},
        {"memo check tests/memo/good-13b.md", 0, "twice the sequence: fits", ""},
        {"memo check tests/memo/good-13b.md", 0, "to answer without looking", ""},
        {"memo check tests/memo/does-not-fit.md", 1, "Does not pass: it does not fit", ""},
        {"memo check tests/memo/subtly-wrong.md", 1, "subtly-wrong.md:38  mistake  42.25 GB", ""},
        {"memo check tests/memo/subtly-wrong.md", 1, "subtly-wrong.md:15  look again  42.25 GB",
         ""},
        {"memo check tests/memo/terse-70b.md", 1, "terse-70b.md:26  known  153 GB", ""},
        {"memo check tests/memo/terse-70b.md", 1, "the engine says 289 GB", ""},
        {"memo check tests/memo/no-numbers.md", 1, "What is missing", ""},
        {"memo check tests/memo/no-numbers.md", 1, "is written under Alternatives rejected:", ""},
        {"memo check tests/memo/13-no-scenario.md", 1, "add a line such as", ""},
        {"memo check tests/memo/second-thoughts.md", 2, "a second scenario", ""},
        {"memo check tests/memo/good-13b.md --all", 0, "known  48.75 GB", ""},
        {"memo check tests/memo/nowhere.md", 2, "", "nowhere.md"},
        {"memo check", 2, "", "which memo?"},
        {"memo chekc tests/memo/good-13b.md", 2, "", "check"},
        {"memo check tests/memo/good-13b.md --seed 3", 2, "", "does not take --seed"},
        {"memo new --seed 4", 0, "Scenario: ", ""},
        {"memo new", 0, "Scenario: 13e9 parameters, 8 × A100 80 GB", ""},
        {"memo new tests/memo/good-13b.md", 2, "", "exists already"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct run r = run_line(cases[i].line, NULL);
        bool said = strstr(r.err, cases[i].err) && (*cases[i].err || !*r.err);
        if (r.status != cases[i].status || !strstr(r.out, cases[i].out) || !said)
            fail_msg("%s: %d\n%s\n%s", cases[i].line, r.status, r.out, r.err);
        run_free(&r);
    }
}

/* Somebody else's memo, on a machine whose record has no run: its quotation is neither believed nor
 * called wrong. */
static void a_quotation_is_not_verified_without_a_record(void **state) {
    struct base_message m = {0};
    size_t length;
    char *good = base_file_read("tests/memo/good-13b.md", 1 << 20, &length, &m);
    char *memo = base_format("%s\nScaled down it had [Run 99: peak 1.83 GB].\n", good);
    char *path = base_format("%s/quoting.md", (const char *)*state);
    char *line = base_format("memo check --all %s", path);
    assert_true(base_file_write(path, memo, strlen(memo), &m));
    struct run r = run_line(line, NULL);
    if (r.status != 0 || !strstr(r.out, "not the engine's  peak 1.83 GB") ||
        !strstr(r.out, "cannot be verified here"))
        fail_msg("%d: %s%s", r.status, r.out, r.err);
    run_free(&r);
    free(line), free(path), free(memo), free(good);
}

static void members_are_those_of_the_contract(void **state) {
    (void)state;
    json_t *json = page_json("memo check tests/memo/subtly-wrong.md --json", 1);
    page_has(json,
             "passes verdict trap scenario recipe chosen configurations counts asked findings "
             "questions sensitivity");
    page_has(page_item(json, "findings", 0), "line column length kind section figure what differs");
    page_has(page_item(json, "asked", 0), "quantity configuration there");
    page_has(page_item(json, "questions", 0), "ask value");
    page_has(page_item(json, "configurations", 0), "name line values");
    page_has(json_object_get(json, "chosen"),
             "stage checkpoint micro_batch accumulate peak card spare where fits");
    assert_int_equal(base_json_int(json_object_get(json, "counts"), "mistake", 0), 1);
    assert_string_equal(base_json_text(json, "recipe", ""), "paper");
    json_decref(json);
}

/* A file of 10 MB, or junk: one line, and the file stays as it is. Four times the junk takes about
 * four times the time, and not its square. */
static void junk_is_refused(void **state) {
    static const struct {
        size_t length;
        char byte;
        const char *err;
    } cases[] = {
        {10 << 20, 'x', "10485760 bytes"},
        {4000, 1, "is not text"},
        {1 << 18, '7', ""},
        {1 << 20, '7', ""},
    };
    double ms[BASE_COUNT(cases)];
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct base_message m = {0};
        char *path = base_format("%s/junk.md", (const char *)*state),
             *text = base_alloc(cases[i].length);
        memset(text, cases[i].byte, cases[i].length);
        assert_true(base_file_write(path, text, cases[i].length, &m));
        char *line = base_format("memo check %s", path);
        struct run r = run_line(line, NULL);
        assert_int_equal(r.status, *cases[i].err ? 2 : 1);
        assert_non_null(strstr(r.err, cases[i].err));
        ms[i] = r.ms;
        size_t length;
        char *after = base_file_read(path, 64 << 20, &length, &m);
        assert_true(after && length == cases[i].length && memcmp(after, text, length) == 0);
        run_free(&r);
        free(line), free(path), free(text), free(after);
    }
    assert_true(ms[3] < 8 * ms[2]);
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(the_exit_status_says_whether_it_passes),
        IN_SCHOOL(a_quotation_is_not_verified_without_a_record),
        IN_SCHOOL(members_are_those_of_the_contract),
        IN_SCHOOL(junk_is_refused),
    };
    return cmocka_run_group_tests_name("command/memo", tests, NULL, NULL);
}
