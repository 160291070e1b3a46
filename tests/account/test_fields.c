/* Fields of trainings and problems: set, got, refused. */
#include "account/check.h"
#include "account/training/tables.h"

#include <string.h>

static void fields_read_back(void **state) {
    (void)state;
    static const char *const trainings[] = {
        "params=7e9",
        "model=llama-2-13b gpus=64 gpus_per_node=8 stage=2 gpu=a100-80g",
        "model=llama-2-13b params=13e9 precision=fp32 optimizer=lion",
        "model=gpt2 optimizer=adafactor precision=bf16 recipe=paper stage=3 gpu=h100",
    };
    for (size_t i = 0; i < sizeof trainings / sizeof *trainings; i++) {
        struct account_training t = training_of(trainings[i]), back = account_training_default();
        size_t count;
        const struct account_field *f = account_fields(&count);
        for (size_t j = 0; j < count; j++) {
            char text[64];
            struct account_error e = {0};
            assert_non_null(account_get(&t, f[j].name, text, sizeof text));
            if (!account_set(&back, f[j].name, text, &e))
                fail_msg("%s=%s: %s", f[j].name, text, e.what);
        }
        assert_memory_equal(&t, &back, sizeof t);
    }
}

static void choices_are_all_taken(void **state) {
    (void)state;
    size_t count;
    const struct account_field *f = account_fields(&count);
    for (size_t i = 0; i < count; i++) {
        char got[64];
        const char *one;
        assert_true(strlen(f[i].label) > 0 && strlen(f[i].help) > 0);
        for (size_t j = 0; f[i].choices && (one = f[i].choices->name(j)); j++) {
            struct account_training t = account_training_default();
            assert_true(account_set(&t, f[i].name, one, NULL));
            assert_string_equal(account_get(&t, f[i].name, got, sizeof got), one);
        }
    }
}

/* As memos' heads and answers read them. */
static void numbers_are_taken_in_words(void **state) {
    static const char *const rows[][3] = {
        {"gpus", "eight", "8"},
        {"gpus", "sixty-four GPUs", "64"},
        {"seq", "two thousand and forty-eight", "2048"},
        {"params", "thirteen billion", "13000000000"},
        {"params", "seven and a half billion", "7500000000"},
        {"efficiency", "half", "0.5"},
        {"efficiency", "three quarters", "0.75"},
        {"efficiency", "forty-five%", "0.45"},
        {"stage", "three", "3"},
        {"lora", "sixteen", "16"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = account_training_default();
        struct account_error e = {0};
        char got[64];
        if (!account_set(&t, rows[i][0], rows[i][1], &e)) fail_msg("%s: %s", rows[i][1], e.what);
        assert_string_equal(account_get(&t, rows[i][0], got, sizeof got), rows[i][2]);
    }
    struct account_training t = account_training_default();
    assert_false(account_set(&t, "gpus", "eight of them", NULL));
    assert_false(account_set(&t, "gpus", "one and a half", NULL));
    assert_false(account_set(&t, "gpus", "eightfold", NULL));
    assert_false(account_set(&t, "stage", "four", NULL));
}

static const struct account_choices *choices_of(const char *field) {
    size_t count;
    const struct account_field *f = account_fields(&count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(f[i].name, field)) return f[i].choices;
    fail_msg("there is no field %s", field);
    return NULL;
}

/* Every row of a table is offered by name and has a title; help, completion, errors and lessons
 * read nothing else. */
#define ASSERT_OFFERED(field, rows, count)                                                         \
    do {                                                                                           \
        const struct account_choices *c = choices_of(field);                                       \
        for (size_t i = 0; i < (count); i++) {                                                     \
            assert_string_equal(c->name(i), (rows)[i].name);                                       \
            assert_string_equal(c->title(i), (rows)[i].title);                                     \
            assert_true(strlen(c->title(i)) > 0);                                                  \
        }                                                                                          \
        assert_null(c->name(count));                                                               \
        assert_null(c->title(count));                                                              \
    } while (0)

static void every_row_of_a_table_is_a_choice(void **state) {
    (void)state;
    ASSERT_OFFERED("precision", account_precisions, account_precision_count);
    ASSERT_OFFERED("optimizer", account_optimizers, account_optimizer_count);
    ASSERT_OFFERED("recipe", account_recipes, account_recipe_count);
    assert_null(choices_of("flash")->title);
    assert_null(choices_of("gpus"));
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *field, *text, *says;
    } rows[] = {
        {"params", "lots", "params"},
        {"params", "1.5", "whole"},
        {"params", "1e30", "large"},
        {"params", "2e17", "at most"},
        {"params", "13GB", "memory"},
        {"gpus", "0", "1 to"},
        {"gpus", "eightfold", "whole number"},
        {"gpus", "1e9", "1 to"},
        {"gpus_per_node", "-1", "whole number"},
        {"stage", "4", "0, 1, 2 and 3"},
        {"stage", "twofold", "stages"},
        {"stage", "", "stages"},
        {"stage", "12", "stages"},
        {"precision", "fp8", "mixed-bf16"},
        {"optimizer", "adam", "adamw"},
        {"recipe", "mine", "paper"},
        {"model", "llama-9", "catalogue"},
        {"gpu", "a900", "catalogue"},
        {"link", "400", "rate like"},
        {"net", "1e30", "rate like"},
        {"colour", "red", "fields"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = account_training_default(), before = t;
        struct account_error e = {0};
        if (account_set(&t, rows[i].field, rows[i].text, &e))
            fail_msg("%s=%s was taken", rows[i].field, rows[i].text);
        if (!strstr(e.what, rows[i].says))
            fail_msg("%s=%s: %s", rows[i].field, rows[i].text, e.what);
        assert_memory_equal(&t, &before, sizeof t);
    }
    char out[8];
    struct account_training t = account_training_default();
    assert_null(account_get(&t, "colour", out, sizeof out));
}

static void checks(void **state) {
    (void)state;
    struct account_error e = {0};
    struct account_training t = account_training_default();
    assert_false(account_check(&t, &e));
    assert_non_null(strstr(e.what, "params"));
    t = training_of("params=7e9 gpus=12 gpus_per_node=8");
    assert_false(account_check(&t, &e));
    assert_non_null(strstr(e.what, "12 GPUs do not fill nodes of 8"));
    t = training_of("params=7e9 gpus=4 gpus_per_node=8"); /* half a node is a node */
    assert_true(account_check(&t, &e));
    t = training_of("params=7e9");
    t.params = UINT64_MAX;
    assert_false(account_check(&t, &e));
    t = training_of("params=7e9");
    t.gpus = 0;
    assert_false(account_check(&t, &e));
    t = training_of("params=7e9");
    t.stage = 4;
    assert_false(account_check(&t, &e));
    t = training_of("params=7e9");
    t.optimizer = 200;
    assert_false(account_check(&t, &e));
    assert_false(account_check(&t, NULL));
}

static void problems_read_back(void **state) {
    (void)state;
    static const struct {
        const char *set, *field, *got;
    } rows[] = {
        {"quantity=model_state", "quantity", "model_state"},
        {"quantity=optimizer", "quantity", "optimizer"},
        {"quantity=total", "quantity", "total"},
        {"quantity=params+grads", "quantity", "params+grads"},
        {"quantity=master+moments", "quantity", "optimizer"},
        {"kind=convert", "kind", "convert"},
        {"per=cluster", "per", "cluster"},
        {"kind=fewest_gpus", "unit", "GPUs"},
        {"unit=GiB", "unit", "GiB"},
        {"budget=80GiB", "budget", "80 GiB"},
        {"budget=80GB", "budget", "80 GB"},
        {"budget=80e9", "budget", "80000000000 B"},
        {"tolerance=0.01", "tolerance", "0.01"},
        {"kind=largest_params", "unit", "billion parameters"},
        {"params=7e9", "params", "7000000000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_problem p = problem_of(rows[i].set);
        char got[64];
        struct account_error e = {0};
        assert_string_equal(account_problem_get(&p, rows[i].field, got, sizeof got), rows[i].got);
        if (!account_problem_set(&p, rows[i].field, got, &e))
            fail_msg("%s=%s: %s", rows[i].field, got, e.what);
    }
    static const struct {
        const char *field, *text;
    } refused[] = {{"kind", "riddle"}, {"quantity", "params grads"},
                   {"quantity", ""},   {"quantity", "params+"},
                   {"per", "node"},    {"unit", "furlong"},
                   {"tolerance", "2"}, {"tolerance", "-1"},
                   {"colour", "red"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct account_problem p = account_problem_default();
        struct account_error e = {0};
        assert_int_equal(account_problem_set(&p, refused[i].field, refused[i].text, &e), false);
        assert_true(e.what[0] != 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_read_back),
        cmocka_unit_test(choices_are_all_taken),
        cmocka_unit_test(numbers_are_taken_in_words),
        cmocka_unit_test(every_row_of_a_table_is_a_choice),
        cmocka_unit_test(refusals),
        cmocka_unit_test(checks),
        cmocka_unit_test(problems_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
