/* Which skill a problem is about. */
#include "account/draws.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Fields of a problem, "name=value" parted by blanks. */
static struct account_problem problem(const char *fields) {
    struct account_problem p = account_problem_default();
    struct account_error e = {0};
    char text[200], *rest = text;
    snprintf(text, sizeof text, "%s", fields);
    account_set(&p.training, "params", "7e9", &e);
    account_set(&p.training, "gpus", "8", &e);
    for (char *field; (field = strsep(&rest, " "));) {
        char *value = strchr(field, '=');
        *value++ = '\0';
        if (!account_problem_set(&p, field, value, &e)) fail_msg("%s: %s", field, e.what);
    }
    return p;
}

static const struct {
    const char *fields, *key, *words, *area;
} skills[] = {
    {"quantity=grads stage=2 unit=GB", "bytes:grads:gpu:2:GB", "gradients at stage 2, in GB",
     "Model states"},
    {"quantity=grads stage=2 unit=MB", "bytes:grads:gpu:2:GB", "gradients at stage 2, in GB",
     "Model states"},
    {"quantity=model_state stage=3 unit=MiB per=cluster", "bytes:model_state:cluster:3:GiB",
     "all states, all GPUs at stage 3, in GiB", "Model states"},
    {"quantity=params+grads stage=1", "bytes:params+grads:gpu:1:GB",
     "parameters and gradients at stage 1, in GB", "Model states"},
    {"kind=bytes_per_param gpus=1", "bytes_per_param:model_state:gpu:-:-",
     "all states per parameter", "Model states"},
    {"kind=largest_params budget=80GB stage=1 unit=billion", "largest_params:model_state:gpu:1:-",
     "the largest model at stage 1", "What fits"},
    {"kind=convert budget=80GB unit=GiB", "convert:model_state:gpu:-:GiB",
     "sizes converted, in GiB", "Units"},
    {"kind=traffic stage=3 unit=GB", "traffic:total:gpu:3:GB", "traffic at stage 3, in GB",
     "Traffic"},
    {"kind=traffic quantity=all_gather stage=3", "traffic:all_gather:gpu:3:GB",
     "traffic, all-gather at stage 3, in GB", "Traffic"},
    {"kind=volume stage=2", "volume:total:gpu:2:-", "traffic in multiples of Ψ at stage 2",
     "Traffic"},
    {"kind=shard quantity=padding", "shard:padding:gpu:-:-", "shards, padding", "Shards"},
};

static void a_skill_is_a_stage_a_quantity_and_a_unit(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof skills / sizeof *skills; i++) {
        struct account_problem p = problem(skills[i].fields);
        struct account_skill s;
        char key[ACCOUNT_SKILL_MOST], words[ACCOUNT_SKILL_MOST];
        if (!account_skill_of(&p, &s)) fail_msg("%s has no answer", skills[i].fields);
        assert_string_equal(account_skill_key(&s, key), skills[i].key);
        assert_string_equal(account_skill_words(&s, words), skills[i].words);
        assert_string_equal(account_skill_area(&s), skills[i].area);
    }
}

/* Stages 0 to 2 keep all parameters, and still the stage belongs to it: stage 3 does not. On one
 * GPU no stage differs from another. */
static void the_stage_counts_if_another_has_another_answer(void **state) {
    (void)state;
    struct account_problem p = problem("quantity=params stage=1");
    struct account_skill s;
    assert_true(account_skill_of(&p, &s) && s.stage == 1);
    assert_true(account_set(&p.training, "gpus", "1", NULL));
    assert_true(account_skill_of(&p, &s) && s.stage == -1);
}

static void a_line_is_about_its_category(void **state) {
    (void)state;
    struct account_problem p = problem("quantity=model_state stage=2 unit=GB");
    struct account_skill s;
    char key[ACCOUNT_SKILL_MOST];
    assert_true(account_skill_of_line(&p, "moments", &s));
    assert_string_equal(account_skill_key(&s, key), "bytes:moments:gpu:2:GB");
    assert_false(account_skill_of_line(&p, "total", &s));
    assert_false(account_skill_of_line(&p, "", &s));
}

static void every_problem_with_an_answer_has_a_key_that_reads_back(void **state) {
    (void)state;
    size_t answered = 0;
    uint64_t seed = 18;
    for (uint64_t number = 0; number < 3000; number++) {
        struct account_training t = drawn_training(number);
        struct account_problem p = drawn_problem(&t, &seed);
        struct account_solution solution;
        struct account_skill s, again;
        char key[ACCOUNT_SKILL_MOST], copy[ACCOUNT_SKILL_MOST], words[ACCOUNT_SKILL_MOST];
        bool solved = account_solve(&p, &solution, NULL);
        assert_true(!solved || account_skill_of(&p, &s));
        if (!solved) continue;
        answered++;
        account_skill_key(&s, key);
        if (!account_skill_read(key, &again)) fail_msg("%s cannot be read", key);
        assert_string_equal(account_skill_key(&again, copy), key);
        assert_int_equal(strcspn(key, " \n"), strlen(key));
        assert_true(*account_skill_words(&s, words) && *account_skill_area(&s));
    }
    assert_true(answered > 1000);
}

static void other_texts_are_no_key(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      "bytes",
                                      "bytes:grads:gpu:2",
                                      "bytes:grads:gpu:2:GB:",
                                      "bytes:grads:gpu:4:GB",
                                      "bytes:grads:gpu:12:GB",
                                      "-:grads:gpu:2:GB",
                                      "bytes::gpu:2:GB",
                                      "bytes:nothing:gpu:2:GB",
                                      "ideas:1.1"};
    struct account_skill s;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (account_skill_read(bad[i], &s)) fail_msg("read: %s", bad[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_skill_is_a_stage_a_quantity_and_a_unit),
        cmocka_unit_test(the_stage_counts_if_another_has_another_answer),
        cmocka_unit_test(a_line_is_about_its_category),
        cmocka_unit_test(every_problem_with_an_answer_has_a_key_that_reads_back),
        cmocka_unit_test(other_texts_are_no_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
