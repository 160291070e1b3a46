/* What is derived from the answers is right: items, first answers, tries, and what a lesson begun
 * anew hides. */
#include "store/record.h"

#include <string.h>

/* ── items ─────────────────────────────────────────────────────────────────────────────────────*/

static const struct given {
    const char *item, *line, *verdict;
} givens[] = {
    {"1.1/number", "", "wrong"},
    {"1.1/number", "", "mistake"},
    {"1.1/number", "", "right"},
    {"1.1/guess", "", "noted"}, /* never graded: no item */
    {"1.1/rounded", "", "rounded"},
    {"1.1/rounded", "", "unreadable"}, /* not graded: nothing changes */
    /* lines are folded: only the row of the whole sheet counts */
    {"1.1/sheet", "params", "right"},
    {"1.1/sheet", "moments", "mistake"},
    {"1.1/sheet", "moments", "right"},
    {"1.1/sheet", "", "wrong"},
    {"1.1/undone", "params", "right"}, /* a sheet left in the middle */
    {"1.10/other", "", "right"},       /* begins with 1.1, but not with 1.1/ */
    {"1.1/unit", "", "unit"},
    {"1.1/number", "", "wrong"},
    {"2.1/far", "", "right"},
    {"2.1/far", "", "wrong"},
};

static void give_all(struct store *s) {
    struct lesson_journal j = store_journal(s);
    for (size_t i = 0; i < BASE_COUNT(givens); i++) {
        struct lesson_answer a = {.item = givens[i].item,
                                  .line = givens[i].line,
                                  .try = (int)i + 1,
                                  .typed = "",
                                  .verdict = givens[i].verdict,
                                  .mistake = ""};
        char *now = base_format("%zu", 1000 + i);
        setenv("ZEROTUTOR_NOW", now, 1);
        assert_true(j.answer(j.self, &a, NULL));
        free(now);
    }
    unsetenv("ZEROTUTOR_NOW");
}

static void print_item(void *to, const struct store_item *i) {
    base_text_printf(to, "%s %d/%d %s at %d%s\n", i->item, i->right, i->answers, i->last,
                     (int)i->when, i->right_first ? ", first" : "");
}

static const struct derived {
    const char *prefix, *items;
} deriveds[] = {
    {"1.1/", "1.1/number 1/4 wrong at 1013\n"
             "1.1/rounded 1/1 rounded at 1004, first\n"
             "1.1/sheet 0/1 wrong at 1009\n"
             "1.1/unit 0/1 unit at 1012\n"},
    {"1.10/", "1.10/other 1/1 right at 1011, first\n"},
    {"2.1/far", "2.1/far 1/2 wrong at 1015, first\n"},
    {"2.1/farther", ""},
    {"9", ""},
};

static void items_fold_what_was_answered(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    give_all(s);
    for (size_t i = 0; i < BASE_COUNT(deriveds); i++) {
        struct base_text got = {0};
        assert_true(store_items(s, deriveds[i].prefix, print_item, &got, NULL));
        char *items = base_text_take(&got);
        assert_string_equal(items, deriveds[i].items);
        free(items);
    }
    store_close(s);
    free(path);
}

static void print_first(void *to, const char *item, bool right, const char *mistake) {
    assert_string_equal(mistake, "");
    base_text_printf(to, "%s %d\n", item, right);
}

static void print_answer(void *to, int64_t number, const struct review_answer *a,
                         const char *problem) {
    assert_string_equal(problem, "");
    base_text_printf(to, "%lld %s/%s %s\n", (long long)number, a->item, a->line, a->verdict);
}

static void first_answers_and_later_ones_are_read(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct base_text first = {0}, after = {0};
    give_all(s);
    assert_true(store_first_answers(s, print_first, &first, NULL));
    assert_string_equal(first.s, "1.1/number 0\n1.1/rounded 1\n1.1/sheet 0\n1.1/unit 0\n"
                                 "1.10/other 1\n2.1/far 1\n");
    assert_true(store_answers(s, 5, REVIEW_ROLLOVER, print_answer, &after, NULL));
    const char *lines = "7 1.1/sheet/params right\n8 1.1/sheet/moments mistake\n"; /* no 6 */
    assert_memory_equal(after.s, lines, strlen(lines));
    free(base_text_take(&first));
    free(base_text_take(&after));
    store_close(s);
    free(path);
}

static void one_item_is_read_by_its_ends(void **state) {
    static const struct {
        const char *item;
        bool answered, right_first, right_last;
        /* as a whole, after these answers */
        int64_t whole_after, not_after;
    } cases[] = {
        {"1.1/number", true, false, false, 13, 14}, {"1.1/guess", false, false, false, -1, 0},
        {"1.1/rounded", true, true, true, 4, 5},    {"1.1/sheet", true, false, false, 9, 10},
        {"1.1/undone", false, false, false, -1, 0}, {"2.1/far", true, true, false, 15, 16},
        {"2.1/fa", false, false, false, -1, 0},
    };
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    give_all(s);
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct lesson_ends ends = store_item_ends(s, cases[i].item);
        assert_int_equal(ends.answered, cases[i].answered);
        assert_int_equal(ends.right_first, cases[i].right_first);
        assert_int_equal(ends.right_last, cases[i].right_last);
        assert_false(store_was_answered(s, cases[i].item, cases[i].not_after));
        if (cases[i].whole_after >= 0)
            assert_true(store_was_answered(s, cases[i].item, cases[i].whole_after));
    }
    store_close(s);
    free(path);
}

static void count_item(void *to, const struct store_item *i) {
    (void)i;
    ++*(int *)to;
}

static void an_empty_prefix_is_every_item(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    give_all(s);
    int items = 0;
    assert_true(store_items(s, "", count_item, &items, NULL));
    assert_int_equal(items, 6);
    assert_true(store_has_items(s, "") && store_has_items(s, "1.1/"));
    assert_false(store_has_items(s, "1.1/guess") || store_has_items(s, "9"));
    store_close(s);
    free(path);
}

static void print_try(void *to, size_t right) {
    base_text_printf(to, "%zu ", right);
}

/* Of all items together, in the tries' order, whatever order they were answered in. */
static void tries_fold_what_was_answered(void **state) {
    static const struct given_try {
        const char *item, *line;
        int try;
        const char *verdict;
    } tries[] = {
        {"1c/b", "", 3, "right"},   {"1c/a", "", 1, "right"},
        {"1c/b", "", 1, "rounded"}, {"1c/c", "", 1, "wrong"},
        {"1c/a", "", 2, "unit"},    {"1c/a", "x", 4, "right"}, /* a line of a sheet */
        {"1c/a", "", 5, "noted"},   {"1c/a", "", 6, "unreadable"},
        {"1c/a", "", 0, "right"},   {"1c/a", "", -1, "right"},
        {"1d/a", "", 7, "right"},
    };
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct lesson_journal j = store_journal(s);
    struct base_text got = {0};
    for (size_t i = 0; i < BASE_COUNT(tries); i++) {
        const struct given_try *t = &tries[i];
        struct lesson_answer a = {t->item, t->line, .try = t->try, .verdict = t->verdict};
        a.typed = a.mistake = "";
        assert_true(j.answer(j.self, &a, NULL));
    }
    assert_true(store_tries(s, "1c/", print_try, &got, NULL));
    assert_string_equal(got.s, "2 0 1 ");
    base_text_free(&got);
    store_close(s);
    free(path);
}

/* ── a lesson begun anew ───────────────────────────────────────────────────────────────────────*/
static void give(struct store *s, const char *item, int try) {
    struct lesson_journal j = store_journal(s);
    struct base_message m = {0};
    struct lesson_answer a = {.item = item,
                              .line = "",
                              .try = try,
                              .typed = "14",
                              .value = 14,
                              .verdict = "right",
                              .mistake = ""};
    if (!j.answer(j.self, &a, &m)) fail_msg("%s, try %d: %s", item, try, m.what);
}

static void add_try(void *to, const struct lesson_answer *a) {
    base_text_printf(to, "%d ", a->try);
}

static char *tries_of(struct store *s, const char *item) {
    struct lesson_journal j = store_journal(s);
    struct base_text t = {0};
    assert_true(j.answers(j.self, item, add_try, &t, NULL));
    return base_text_take(&t);
}

static void add_item(void *to, const struct store_item *i) {
    base_text_printf(to, "%s %d; ", i->item, i->answers);
}

static void add_round(void *to, size_t right) {
    base_text_printf(to, "%zu ", right);
}

static void add_review(void *to, int64_t number, const struct review_answer *a) {
    (void)number;
    base_text_printf(to, "%s/%d ", a->item, a->try);
}

/* What tries, items, answered items, rounds and reviews say, in this order. */
static char *all_of(struct store *s) {
    struct base_text t = {0};
    char *tries = tries_of(s, "1.1/a");
    base_text_printf(&t, "%s| ", tries);
    assert_true(store_items(s, "", add_item, &t, NULL));
    base_text_puts(&t, "| ");
    if (store_was_answered(s, "1.1/a", 0)) base_text_puts(&t, "1.1/a; ");
    assert_int_equal(store_item_ends(s, "1.1/a").answered, store_was_answered(s, "1.1/a", 0));
    base_text_puts(&t, "| ");
    assert_true(store_tries(s, "1.1/", add_round, &t, NULL));
    base_text_puts(&t, "| ");
    assert_true(store_reviews(s, 0, 4, add_review, &t, NULL));
    free(tries);
    return base_text_take(&t);
}

static void says(struct store *s, const char *expected) {
    char *said = all_of(s);
    assert_string_equal(said, expected);
    free(said);
}

static void a_reset_hides_and_keeps(void **state) {
    char *path = scratch_path(state, "learner.db");
    struct store *s = record_open(path);
    struct lesson_journal j = store_journal(s);
    struct lesson_place place = {"by-hand", true};
    struct base_message m = {0};
    give(s, "1.1/a", 1);
    give(s, "1.1/a", 2);
    give(s, "1.10/b", 1);
    assert_true(j.place_set(j.self, "1.1", &place, NULL));
    says(s, "1 2 | 1.1/a 2; 1.10/b 1; | 1.1/a; | 1 1 | 1.1/a/1 1.1/a/2 1.10/b/1 ");
    assert_int_equal(store_last_try(s, "1.1/a"), 2);
    assert_int_equal(store_last_try(s, "1.1/none"), 0);
    assert_true(store_reset(s, "1.1", &m));
    assert_true(j.place_get(j.self, "1.1", &place, NULL));
    assert_string_equal(place.step, "");
    assert_false(place.finished);
    says(s, "| 1.10/b 1; | | | 1.1/a/1 1.1/a/2 1.10/b/1 ");
    assert_int_equal(store_last_try(s, "1.1/a"), 0);
    assert_int_equal(store_last_try(s, "1.10/b"), 1);
    give(s, "1.1/a", 1);
    says(s, "1 | 1.1/a 1; 1.10/b 1; | 1.1/a; | 1 | 1.1/a/1 1.1/a/2 1.10/b/1 1.1/a/3 ");
    assert_int_equal(store_last_try(s, "1.1/a"), 1);
    assert_true(store_reset(s, "1.1", &m));
    give(s, "1.1/a", 1);
    store_close(s);
    s = record_open(path);
    says(s, "1 | 1.1/a 1; 1.10/b 1; | 1.1/a; | 1 | 1.1/a/1 1.1/a/2 1.10/b/1 1.1/a/3 1.1/a/4 ");
    store_close(s);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(items_fold_what_was_answered), IN_SCRATCH(first_answers_and_later_ones_are_read),
        IN_SCRATCH(one_item_is_read_by_its_ends), IN_SCRATCH(an_empty_prefix_is_every_item),
        IN_SCRATCH(tries_fold_what_was_answered), IN_SCRATCH(a_reset_hides_and_keeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
