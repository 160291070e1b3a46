/* Fields of trainings and problems: set, got, refused. */
#include "account/check.h"

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
        char choices[128] = "", got[64];
        assert_true(strlen(f[i].label) > 0 && strlen(f[i].help) > 0);
        if (f[i].choices) strcpy(choices, f[i].choices);
        for (char *one = strtok(choices, "|"); one; one = strtok(NULL, "|")) {
            struct account_training t = account_training_default();
            assert_true(account_set(&t, f[i].name, one, NULL));
            assert_string_equal(account_get(&t, f[i].name, got, sizeof got), one);
        }
    }
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *field, *text, *says;
    } rows[] = {
        {"params",        "lots",    "params"       },
        {"params",        "1.5",     "whole"        },
        {"params",        "1e30",    "large"        },
        {"params",        "2e17",    "at most"      },
        {"params",        "13GB",    "memory"       },
        {"gpus",          "0",       "1 to"         },
        {"gpus",          "eight",   "whole number" },
        {"gpus",          "1e9",     "1 to"         },
        {"gpus_per_node", "-1",      "whole number" },
        {"stage",         "4",       "0, 1, 2 and 3"},
        {"stage",         "two",     "stages"       },
        {"stage",         "",        "stages"       },
        {"stage",         "12",      "stages"       },
        {"precision",     "fp8",     "mixed-bf16"   },
        {"optimizer",     "adam",    "adamw"        },
        {"recipe",        "mine",    "paper"        },
        {"model",         "llama-9", "catalogue"    },
        {"gpu",           "a900",    "catalogue"    },
        {"link",          "400",     "rate like"    },
        {"net",           "1e30",    "rate like"    },
        {"colour",        "red",     "fields"       },
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
        {"quantity=model_state",    "quantity",  "model_state"       },
        {"quantity=optimizer",      "quantity",  "optimizer"         },
        {"quantity=total",          "quantity",  "total"             },
        {"quantity=params+grads",   "quantity",  "params+grads"      },
        {"quantity=master+moments", "quantity",  "optimizer"         },
        {"kind=convert",            "kind",      "convert"           },
        {"per=cluster",             "per",       "cluster"           },
        {"kind=fewest_gpus",        "unit",      "GPUs"              },
        {"unit=GiB",                "unit",      "GiB"               },
        {"budget=80GiB",            "budget",    "80 GiB"            },
        {"budget=80GB",             "budget",    "80 GB"             },
        {"budget=80e9",             "budget",    "80000000000 B"     },
        {"tolerance=0.01",          "tolerance", "0.01"              },
        {"kind=largest_params",     "unit",      "billion parameters"},
        {"params=7e9",              "params",    "7000000000"        },
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
    } refused[] = {
        {"kind",      "riddle"      },
        {"quantity",  "params grads"},
        {"quantity",  ""            },
        {"quantity",  "params+"     },
        {"per",       "node"        },
        {"unit",      "furlong"     },
        {"tolerance", "2"           },
        {"tolerance", "-1"          },
        {"colour",    "red"         }
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct account_problem p = account_problem_default();
        struct account_error e = {0};
        assert_int_equal(account_problem_set(&p, refused[i].field, refused[i].text, &e), false);
        assert_true(e.what[0] != 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_read_back),   cmocka_unit_test(choices_are_all_taken),
        cmocka_unit_test(refusals),           cmocka_unit_test(checks),
        cmocka_unit_test(problems_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
