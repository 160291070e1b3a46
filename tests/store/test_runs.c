/* Runs of labs by their number: kept without a lesson, read back, listed newest first; what is not
 * there is said. */
#include "store/record.h"

#include <string.h>

static int64_t keep(struct store *s, const char *lab, const char *variant, const char *outcome) {
    struct base_message m = {0};
    json_t *weighed = json_pack("{s:[I]}", "peak", (json_int_t)1830000000);
    struct lesson_run run = {.lab = lab,
                             .variant = variant,
                             .command = "zerolab --ranks 8",
                             .events = "{\"event\":\"start\"}\n",
                             .outcome = outcome,
                             .measured = strcmp(outcome, "ended") == 0 ? weighed : NULL};
    int64_t number = store_keep_run(s, &run, &m);
    json_decref(weighed);
    if (!number) print_message("%s\n", m.what);
    return number;
}

struct told {
    int count;
    char text[200];
};
static void tell(void *to, const struct store_run *r) {
    struct told *t = to;
    t->count++;
    size_t n = strlen(t->text);
    snprintf(t->text + n, sizeof t->text - n, "%lld %s/%s %s %lld%s; ", (long long)r->number,
             r->lab, r->variant, r->outcome,
             (long long)json_integer_value(json_array_get(json_object_get(r->measured, "peak"), 0)),
             r->events);
}

static void a_run_is_found_by_its_number(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct told told = {0};
    struct base_message m = {0};
    assert_int_equal(keep(s, "capstone", "stage 2", "ended"), 1);
    assert_int_equal(keep(s, "capstone", "stage 2", "failed"), 2); /* another try of the same */
    assert_int_equal(keep(s, "buckets", "stage 2", "ended"), 3);
    assert_true(store_run(s, 1, tell, &told, &m));
    assert_string_equal(told.text, "1 capstone/stage 2 ended 1830000000{\"event\":\"start\"}\n; ");
    told = (struct told){0};
    assert_true(store_run(s, 2, tell, &told, &m));
    assert_non_null(strstr(told.text, "2 capstone/stage 2 failed 0"));
    store_close(s);
    free(path);
}

static void runs_are_listed_newest_first(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct told told = {0}, one = {0};
    struct base_message m = {0};
    assert_int_equal(store_last_run(s, NULL), 0);
    keep(s, "capstone", "stage 3", "ended");
    keep(s, "buckets", "a", "cancelled");
    keep(s, "capstone", "stage 2", "ended");
    assert_true(store_runs(s, NULL, 2, tell, &told, &m));
    assert_string_equal(told.text,
                        "3 capstone/stage 2 ended 1830000000; 2 buckets/a cancelled 0; ");
    assert_true(store_runs(s, "capstone", 9, tell, &one, &m));
    assert_int_equal(one.count, 2);
    assert_int_equal(store_last_run(s, "buckets"), 2);
    assert_int_equal(store_last_run(s, "prefetch"), 0);
    store_close(s);
    free(path);
}

/* Answers between runs do not count; a memo may quote a run by its answer's number, which was the
 * run's own before version 5. */
static void runs_are_counted_apart_from_answers(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct told told = {0};
    struct base_message m = {0};
    for (int try = 1; try <= 3; try++) assert_true(record_answer(s, try, NULL));
    assert_int_equal(keep(s, "buckets", "a", "ended"), 1);
    assert_true(record_answer(s, 4, NULL));
    assert_int_equal(keep(s, "buckets", "b", "ended"), 2);
    record_sql(path, "UPDATE lab_run SET number = NULL WHERE variant = 'b'");
    assert_true(store_run(s, 6, tell, &told, &m));
    assert_non_null(strstr(told.text, "6 buckets/b"));
    assert_int_equal(keep(s, "buckets", "c", "ended"), 7);
    store_close(s);
    free(path);
}

static void what_is_not_there_is_said(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct told told = {0};
    struct base_message m = {0};
    assert_false(store_run(s, 12, tell, &told, &m));
    assert_non_null(strstr(m.what, "no lab run is kept yet"));
    keep(s, "capstone", "stage 3", "ended");
    assert_false(store_run(s, 12, tell, &told, &m));
    assert_non_null(strstr(m.what, "unknown run 12: the latest is run 1"));
    assert_int_equal(keep(s, "capstone", "stage 3", "exploded"), 0);
    assert_int_equal(record_number(path, "SELECT count(*) FROM answer"), 1);
    store_close(s);
    free(path);
}

/* Another terminal on the same record keeps a run of the same lab meanwhile: each knows its own by
 * its number. */
static void each_knows_the_run_that_it_kept(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *here = record_open(path), *there = record_open(path);
    struct lesson_journal j = store_journal(here);
    struct lesson_run r = {.lab = "capstone",
                           .variant = "stage 2",
                           .command = "zerolab",
                           .events = "",
                           .outcome = "ended"};
    struct lesson_answer a = {.item = "4.1/lab",
                              .line = "run/stage 2",
                              .try = 1,
                              .typed = "zerolab",
                              .verdict = "noted",
                              .mistake = "",
                              .run = &r};
    assert_int_equal(store_kept_run(here), 0);
    assert_true(j.answer(j.self, &a, NULL));
    int64_t other = keep(there, "capstone", "stage 2", "ended");
    assert_int_equal(store_kept_run(here), 1);
    assert_int_equal(store_kept_run(there), other);
    assert_int_equal(other, 2);
    int64_t mine = keep(here, "capstone", "stage 3", "ended");
    assert_true(j.place_set(j.self, "4.1", &(struct lesson_place){.step = "lab"}, NULL));
    keep(there, "capstone", "stage 3", "ended");
    assert_int_equal(store_kept_run(here), mine);
    r.outcome = "exploded";
    a.try = 2;
    assert_false(j.answer(j.self, &a, NULL));
    assert_int_equal(store_kept_run(here), mine); /* one that was not kept has no number */
    store_close(there);
    store_close(here);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(a_run_is_found_by_its_number),        IN_SCRATCH(runs_are_listed_newest_first),
        IN_SCRATCH(runs_are_counted_apart_from_answers), IN_SCRATCH(what_is_not_there_is_said),
        IN_SCRATCH(each_knows_the_run_that_it_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
