/* progress and lint --stats, as the program prints them. */
#include "session/school.h"

#include "command/run.h"
#include "store/store.h"

#include <math.h>

/* The simulated class of tests/review/test_items.c. */
static const char *const rows[] = {
    "11100", "11001", "10000", "11000", "00000", "11111", "11111", "00100",
    "11111", "11000", "11101", "11100", "10000", "10000", "11110", "10100",
    "11000", "10100", "10100", "11100", "10110", "11010", "11000", "10000",
};

static void keep(struct store *s, const char *item, int try, bool right, const char *mistake) {
    struct lesson_journal j = store_journal(s);
    json_t *problem = json_pack("{s{ss ss ss s{sI si si}}}", "problem", "kind", "bytes", "quantity",
                                "grads", "unit", "GB", "training", "params", (json_int_t)7000000000,
                                "gpus", 8, "stage", 2);
    struct lesson_answer a = {.item = item,
                              .line = "",
                              .try = try,
                              .problem = problem,
                              .typed = "1",
                              .verdict = right ? "right" : "mistake",
                              .mistake = right ? "" : mistake,
                              .seconds = 90};
    assert_true(problem && j.answer(j.self, &a, NULL));
    json_decref(problem);
}

static struct store *open_record(const char *path) {
    struct base_message m = {0};
    struct store *s = store_open(path, &m);
    if (!s) fail_msg("%s", m.what);
    return s;
}

/* ── progress ──────────────────────────────────────────────────────────────────────────────────*/
static void answer_some(void) {
    struct store *s = open_record(NULL);
    keep(s, "1.1/a", 1, false, "grads-sharded");
    keep(s, "1.1/a", 2, true, ""); /* practice: no first try */
    keep(s, "1.1/b", 1, true, "");
    store_close(s);
}

static void prints(const char *line, const char *says) {
    struct run r = run_line(line, NULL);
    if (r.status != 0 || !strstr(r.out, says) || *r.err)
        fail_msg("%s: status %d, \"%s\" is not in: %s%s", line, r.status, says, r.out, r.err);
    run_free(&r);
}

static void progress_is_told_in_every_form(void **state) {
    (void)state;
    prints("progress", "You have not answered a problem yet.");
    prints("progress --csv", "area,skill,today,in_30_days,first_tries,right,helped,days_ago\n");
    answer_some();
    prints("progress", "gradients at stage 2, in GB");
    prints("progress", "the gradients were divided too");
    prints("progress --words", "gradients at stage 2, in gigabytes: 54% chance today");
    prints("progress --ascii", "###====");
    prints("progress --csv", "Model states,\"gradients at stage 2, in GB\",0.541,");
    prints("progress --svg", "<svg");
    prints("progress --json", "\"first_tries\": 2");
}

/* (0.8 (0.8 × ½) + 1) ÷ (0.8 (0.8 + 1) + 1) after a miss and a right first try on one day. */
static void progress_as_json_has_the_estimate(void **state) {
    (void)state;
    answer_some();
    struct run r = run_line("progress --json", NULL);
    json_t *json = json_loads(r.out, 0, NULL);
    const json_t *area = json_array_get(json_object_get(json, "areas"), 0);
    assert_true(fabs(base_json_number(area, "today", 0) - 1.32 / 2.44) < 1e-3);
    const json_t *mistake = json_array_get(json_object_get(json, "mistakes"), 0);
    assert_int_equal(base_json_int(mistake, "since", -1), 1);
    assert_true(base_json_bool(mistake, "happens", false));
    json_decref(json);
    run_free(&r);
}

static void two_forms_are_refused(void **state) {
    (void)state;
    struct run r = run_line("progress --json --svg", NULL);
    assert_true(r.status == 2 && *r.out == '\0');
    assert_non_null(strstr(r.err, "--json and --svg exclude each other: use one of them"));
    run_free(&r);
}

/* ── lint --stats ──────────────────────────────────────────────────────────────────────────────*/
/* A record for each learner; the words that name them, the caller's. */
static char *make_class(void **state) {
    static const char *const items[] = {"1.1/a", "1.1/b", "1.2/c", "1.2/d", "1.3/e"};
    struct base_text words = {0};
    for (size_t k = 0; k < BASE_COUNT(rows); k++) {
        char name[16];
        snprintf(name, sizeof name, "%02zu.db", k);
        char *path = scratch_path(state, name);
        struct store *s = open_record(path);
        for (size_t i = 0; i < BASE_COUNT(items); i++) {
            bool right = rows[k][i] == '1';
            keep(s, items[i], 1, right, i == 4 ? "no-master|gib" : "gib");
            if (!right) keep(s, items[i], 2, true, ""); /* later tries do not count */
        }
        store_close(s);
        base_text_printf(&words, " %s", path);
        free(path);
    }
    return base_text_take(&words);
}

static void statistics_are_those_of_first_answers(void **state) {
    static const struct {
        int right;
        double correlation;
        const char *mistake;
    } expected[] = {{22, 0.2601561405405476, "gib"},
                    {14, 0.4054799983780801, "gib"},
                    {13, 0.26076932336075037, "gib"},
                    {6, 0.4856618642571827, "gib"},
                    {5, 0.5176037761306888, "no-master"}};
    char *records = make_class(state), *line = base_format("lint --stats --json%s", records);
    struct run r = run_line(line, NULL);
    json_t *json = json_loads(r.out, 0, NULL), *items = json_object_get(json, "items");
    if (r.status != 0) fail_msg("%s", r.err);
    assert_int_equal(json_array_size(items), BASE_COUNT(expected));
    for (size_t i = 0; i < BASE_COUNT(expected); i++) {
        const json_t *item = json_array_get(items, i);
        assert_int_equal(base_json_int(item, "learners", 0), BASE_COUNT(rows));
        assert_int_equal(base_json_int(item, "right", 0), expected[i].right);
        double r_is = base_json_number(item, "correlation", -2);
        assert_true(fabs(r_is - expected[i].correlation) < 1e-12);
        assert_string_equal(base_json_text(item, "mistake", ""), expected[i].mistake);
        assert_int_equal(base_json_int(item, "times", 0),
                         (int)BASE_COUNT(rows) - expected[i].right);
    }
    json_decref(json);
    run_free(&r);
    free(line);
    free(records);
}

static void other_files_are_refused(void **state) {
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"lint --stats nowhere.db", "nowhere.db does not exist: name learners' records"},
        {"lint --stats README.md", "README.md"},
        {"lint --stats", "your record does not exist: name learners' records"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct run r = run_line(cases[i].line, NULL);
        if (r.status != 2 || *r.out || !strstr(r.err, cases[i].says))
            fail_msg("%s: %d %s%s", cases[i].line, r.status, r.out, r.err);
        run_free(&r);
    }
}

static void an_own_record_has_no_correlation(void **state) {
    (void)state;
    answer_some();
    prints("lint --stats", "1.1/a  1     0%  -  the gradients were divided too (1)");
    struct store *s = open_record(NULL);
    keep(s, "1.1/c", 1, false, "no-master+gb-for-gib");
    store_close(s);
    prints("lint --stats", "; and ");
    prints("progress --json", "\"id\": \"no-master\"");
    prints("progress --json", "\"id\": \"gb-for-gib\"");
}

#define IN_SCHOOL(test) cmocka_unit_test_setup_teardown(test, school_open, school_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(progress_is_told_in_every_form), IN_SCHOOL(progress_as_json_has_the_estimate),
        IN_SCHOOL(two_forms_are_refused),          IN_SCHOOL(statistics_are_those_of_first_answers),
        IN_SCHOOL(other_files_are_refused),        IN_SCHOOL(an_own_record_has_no_correlation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
