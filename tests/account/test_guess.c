/* Where a guess comes from: a mistake with its bytes by category, another number of the training,
 * or the two known numbers that it lies between. */
#include "account/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STATES "kind=bytes quantity=model_state unit=GB "
#define SEVEN  STATES "params=7e9 gpus=1"

static const char *known(const struct account_known *k) {
    if (!(k->value > 0)) return "-";
    return k->match.mistake ? k->match.mistake->id : "truth";
}

static void guesses(void **state) {
    (void)state;
    static const struct {
        const char *problem, *typed;
        enum account_guessed is;
        /* the mistakes, the owner's quantity, or "below above" */
        const char *what;
        /* bytes per parameter that are yours: params grads master moments */
        const char *ledger;
    } rows[] = {
        {SEVEN, "56", ACCOUNT_GUESS_MISTAKE, "pure-16bit", "2 2 0 4"},
        {SEVEN, "14 GB", ACCOUNT_GUESS_MISTAKE, "weights-only", "2 0 0 0"},
        {SEVEN, "28", ACCOUNT_GUESS_MISTAKE, "no-optimizer", "2 2 0 0"},
        {SEVEN, "84", ACCOUNT_GUESS_MISTAKE, "no-master", "2 2 0 8"},
        {SEVEN, "2*7+2*7", ACCOUNT_GUESS_MISTAKE, "no-optimizer", "2 2 0 0"},
        {SEVEN, "112", ACCOUNT_GUESS_RIGHT, "", "0 0 0 0"},
        {SEVEN, "104.3 GiB", ACCOUNT_GUESS_RIGHT, "", "0 0 0 0"},
        {SEVEN, "40", ACCOUNT_GUESS_BETWEEN, "no-optimizer pure-16bit", "0 0 0 0"},
        {SEVEN, "3", ACCOUNT_GUESS_BETWEEN, "- weights-only", "0 0 0 0"},
        /* 2.647 GB of master weights are not 3 GB */
        {STATES "params=661.7e6 gpus=1", "3", ACCOUNT_GUESS_BETWEEN, "no-optimizer pure-16bit",
         "0 0 0 0"},
        {SEVEN, "5000", ACCOUNT_GUESS_BETWEEN, "fp32-grads -", "0 0 0 0"},
        {SEVEN, "lots", ACCOUNT_GUESS_UNREADABLE, "", "0 0 0 0"},
        {SEVEN, "", ACCOUNT_GUESS_UNREADABLE, "", "0 0 0 0"},
        {STATES "params=7e9 gpus=8 stage=1", "112", ACCOUNT_GUESS_MISTAKE, "none-sharded",
         "2 2 4 8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].problem);
        struct account_guess g;
        char what[120] = "", ledger[60];
        account_guess(&p, rows[i].typed, &g);
        double each = (double)p.training.params;
        if (g.is == ACCOUNT_GUESS_MISTAKE)
            snprintf(what, sizeof what, "%s", mistakes_of(&g.judged.diagnosis));
        if (g.is == ACCOUNT_GUESS_OTHER) snprintf(what, sizeof what, "%s", g.owner.quantity);
        if (g.is == ACCOUNT_GUESS_BETWEEN)
            snprintf(what, sizeof what, "%s %s", known(&g.below), known(&g.above));
        snprintf(ledger, sizeof ledger, "%g %g %g %g", (double)g.yours.bytes[ACCOUNT_PARAMS] / each,
                 (double)g.yours.bytes[ACCOUNT_GRADS] / each,
                 (double)g.yours.bytes[ACCOUNT_MASTER] / each,
                 (double)g.yours.bytes[ACCOUNT_MOMENTS] / each);
        if (g.is != rows[i].is || strcmp(what, rows[i].what) || strcmp(ledger, rows[i].ledger))
            fail_msg("%s: %s is %d of %s with %s", rows[i].problem, rows[i].typed, (int)g.is, what,
                     ledger);
    }
}

/* Rough digits, and the prefix next to the right one. */
static void a_prefix_is_one_off(void **state) {
    (void)state;
    static const struct {
        const char *typed;
        double meant;
    } rows[] = {{"0.115", 115e9}, {"115000", 115e9}, {"0.2", 0}, {"40", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(SEVEN);
        struct account_guess g;
        account_guess(&p, rows[i].typed, &g);
        assert_int_equal(g.is, ACCOUNT_GUESS_BETWEEN);
        assert_true(fabs(g.meant - rows[i].meant) <= 1e-6 * rows[i].meant);
    }
}

/* What adds up: the truth's own bytes, and those of another number of the same training. */
static void ledgers_add_up(void **state) {
    (void)state;
    struct account_problem p = problem_of(STATES "params=7e9 gpus=8 stage=1");
    struct account_guess g;
    account_guess(&p, "10.5", &g); /* what the optimizer keeps of it */
    assert_int_equal(g.is, ACCOUNT_GUESS_OTHER);
    assert_string_equal(g.owner.quantity, "optimizer");
    assert_true(g.piled);
    assert_int_equal(g.truth.total, 38500000000);
    assert_int_equal(g.yours.total, 10500000000);
    assert_int_equal(g.yours.bytes[ACCOUNT_GRADS], 0);
    assert_int_equal(g.yours.bytes[ACCOUNT_MASTER], 3500000000);
    assert_int_equal(g.yours.bytes[ACCOUNT_MOMENTS], 7000000000);
}

/* Seconds have no categories. */
static void other_kinds_have_no_piles(void **state) {
    (void)state;
    struct account_problem p =
        problem_of("kind=traffic unit=GB model=llama-2-7b gpus=8 stage=3 quantity=total");
    struct account_guess g;
    account_guess(&p, "70.75 GB", &g);
    assert_int_equal(g.is, ACCOUNT_GUESS_MISTAKE);
    assert_false(g.piled);
    assert_int_equal(g.yours.total, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guesses),
        cmocka_unit_test(a_prefix_is_one_off),
        cmocka_unit_test(ledgers_add_up),
        cmocka_unit_test(other_kinds_have_no_piles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
