/* Item statistics of a simulated class: 24 learners of normally distributed ability answer five
 * items by a logistic model (random.seed(1963) in Python 3.11). What they answered and the
 * correlations come from there:
 *     x = [row[i] for row in rows]; y = [sum(row) - row[i] for row in rows]
 *     statistics.correlation(x, y)
 * In the second table learner k of the first ten left out item k % 5, and y is the mean of the
 * others that the learner answered. */
#include "review/suite.h"

#include <math.h>

enum { ITEMS = 5, GUESTS = 10 };
static const char *const items[ITEMS] = {"1.1/a", "1.1/b", "1.2/c", "1.2/d", "1.3/e"};
static const char *const rows[] = {
    "11100", "11001", "10000", "11000", "00000", "11111", "11111", "00100",
    "11111", "11000", "11101", "11100", "10000", "10000", "11110", "10100",
    "11000", "10100", "10100", "11100", "10110", "11010", "11000", "10000",
};
struct expected {
    size_t learners, right;
    double correlation;
};

static struct review_items *answers(bool some_left_out) {
    struct review_items *s = review_items_new();
    for (size_t k = 0; k < BASE_COUNT(rows); k++) {
        review_items_learner(s);
        for (size_t i = 0; i < ITEMS; i++)
            if (!(some_left_out && k < GUESTS && k % ITEMS == i))
                review_items_add(s, items[i], rows[k][i] == '1', "");
    }
    return s;
}

static void compare(bool some_left_out, const struct expected *expected) {
    struct review_items *s = answers(some_left_out);
    size_t count;
    const struct review_item_statistics *got = review_items_statistics(s, &count);
    assert_int_equal(count, ITEMS);
    for (size_t i = 0; i < ITEMS; i++) {
        assert_string_equal(got[i].item, items[i]);
        assert_int_equal(got[i].learners, expected[i].learners);
        assert_int_equal(got[i].right, expected[i].right);
        if (fabs(got[i].correlation - expected[i].correlation) > 1e-12)
            fail_msg("%s: %.15f", items[i], got[i].correlation);
    }
    review_items_free(s);
}

static void the_correlation_leaves_the_item_itself_out(void **state) {
    (void)state;
    static const struct expected expected[ITEMS] = {{24, 22, 0.2601561405405476},
                                                    {24, 14, 0.4054799983780801},
                                                    {24, 13, 0.26076932336075037},
                                                    {24, 6, 0.4856618642571827},
                                                    {24, 5, 0.5176037761306888}};
    compare(false, expected);
}

static void items_that_were_left_out_count_for_nothing(void **state) {
    (void)state;
    static const struct expected expected[ITEMS] = {{22, 20, 0.3657620846290716},
                                                    {22, 12, 0.3909114170004763},
                                                    {22, 12, 0.2544233964755491},
                                                    {22, 5, 0.4132869465853778},
                                                    {22, 5, 0.4431502361503246}};
    compare(true, expected);
}

/* Two learners, or items that all answered alike, correlate with nothing. */
static void what_cannot_be_computed_is_no_number(void **state) {
    (void)state;
    struct review_items *s = review_items_new();
    size_t count;
    review_items_statistics(s, &count);
    assert_int_equal(count, 0);
    for (int k = 0; k < 4; k++) {
        if (k == 2) assert_true(isnan(review_items_statistics(s, &count)[1].correlation));
        review_items_learner(s);
        review_items_add(s, "1.1/all-right", true, "");
        review_items_add(s, "1.1/half", k % 2, "");
    }
    const struct review_item_statistics *got = review_items_statistics(s, &count);
    assert_true(isnan(got[0].correlation) && isnan(got[1].correlation));
    review_items_free(s);
}

static void the_commonest_mistake_is_named(void **state) {
    (void)state;
    static const char *const made[] = {"", "gib",       "no-master|gib", "gib",
                                       "", "no-master", "no-master"};
    struct review_items *s = review_items_new();
    size_t count;
    for (size_t k = 0; k < BASE_COUNT(made); k++) {
        review_items_learner(s);
        review_items_add(s, "1.1/a", !*made[k], made[k]);
        review_items_add(s, "1.1/b", true, "");
    }
    const struct review_item_statistics *got = review_items_statistics(s, &count);
    assert_string_equal(got[0].mistake, "no-master");
    assert_true(got[0].times == 3 && got[0].right == 2 && got[0].learners == 7);
    assert_true(got[1].times == 0 && *got[1].mistake == '\0');
    review_items_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_correlation_leaves_the_item_itself_out),
        cmocka_unit_test(items_that_were_left_out_count_for_nothing),
        cmocka_unit_test(what_cannot_be_computed_is_no_number),
        cmocka_unit_test(the_commonest_mistake_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
