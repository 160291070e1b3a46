/* mem: exact bytes as JSON and CSV, pages as golden text (tests/command/golden; GENERATE=1 writes them anew), colours on a terminal. */
#include "base/golden.h"
#include "sitting/school.h"

#include "command/run.h"
#include "tty/tty.h"

static json_t *mem(const char *flags) {
    char *line = base_format("mem %s --json", flags);
    struct run r = run_line(line, NULL);
    struct base_message m = {0};
    json_t *json = base_json_read(r.out, strlen(r.out), line, &m);
    if (!json || r.status != 0) fail_msg("%s: status %d: %s%s", line, r.status, m.what, r.err);
    run_free(&r);
    free(line);
    return json;
}

static const json_t *stage(const json_t *json, size_t i) {
    return json_array_get(json_object_get(json, "stages"), i);
}

/* The ZeRO paper, arXiv:1910.02054, figure 1: 7.5B parameters on 64 GPUs. */
static void the_papers_figures_come_out_exactly(void **state) {
    static const int64_t totals[] = {120000000000, 31406250000, 16640625000, 1875000000};
    (void)state;
    json_t *json = mem("--params 7.5e9 --gpus 64");
    assert_int_equal(base_json_int(json, "params", 0), 7500000000);
    assert_int_equal(base_json_int(json, "world", 0), 64);
    assert_string_equal(base_json_text(json, "recipe", ""), "paper");
    assert_int_equal(json_array_size(json_object_get(json, "stages")), 4);
    for (size_t i = 0; i < 4; i++) {
        const json_t *total = json_object_get(json_object_get(stage(json, i), "gpu"), "total");
        assert_true(json_is_integer(total));
        assert_int_equal(json_integer_value(total), totals[i]);
        assert_true(json_is_null(json_object_get(stage(json, i), "fits")));
    }
    json_decref(json);
}

/* The numbers are those of the stage's ledger, in the order in which they are worked out. */
static void the_working_comes_as_json_too(void **state) {
    (void)state;
    json_t *plain = mem("--params 100"), *json = mem("--params 100 --gpus 3 --explain"), *line;
    assert_null(json_object_get(stage(plain, 0), "working"));
    for (size_t i = 0; i < 4; i++) {
        const json_t *working = json_object_get(stage(json, i), "working");
        const json_t *gpu = json_object_get(stage(json, i), "gpu");
        size_t k;
        assert_int_equal(json_array_size(working), 5);
        json_array_foreach(working, k, line) {
            const char *id = base_json_text(line, "id", "");
            assert_true(base_json_number(line, "bytes", -1) == base_json_number(gpu, id, -2));
            assert_string_not_equal(base_json_text(line, "formula", ""), "");
        }
    }
    json_decref(plain);
    json_decref(json);
}

static void the_working_is_in_the_tables_unit(void **state) {
    static const char *const lines[][2] = {
        {"mem --params 100 --explain",  " 0.2 KB" },
        {"mem --params 5e4 --explain",  " 100 KB" },
        {"mem --params 5e6 --explain",  " 10 MB"  },
        {"mem --params 7e9 --explain",  " 14 GB"  },
        {"mem --params 1e15 --explain", " 2000 TB"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        struct run r = run_line(lines[i][0], NULL);
        if (r.status != 0 || !strstr(r.out, lines[i][1]))
            fail_msg("%s: %s%s", lines[i][0], r.out, r.err);
        run_free(&r);
    }
}

static void categories_add_up_to_the_total(void **state) {
    static const char *const categories[] = {"params",  "grads",       "master",
                                             "moments", "activations", "gather",
                                             "reduce",  "workspace",   "framework"};
    (void)state;
    json_t *json = mem("--model llama-2-13b --gpus 7 --optimizer adam8bit");
    for (size_t i = 0; i < 4; i++) {
        const json_t *gpu = json_object_get(stage(json, i), "gpu");
        int64_t sum = 0;
        for (size_t c = 0; c < BASE_COUNT(categories); c++) {
            assert_true(json_is_integer(json_object_get(gpu, categories[c])));
            sum += base_json_int(gpu, categories[c], 0);
        }
        assert_int_equal(sum, base_json_int(gpu, "total", -1));
        assert_int_equal(base_json_int(stage(json, i), "stage", -1), (int64_t)i);
    }
    json_decref(json);
}

static void a_fit_is_judged_by_what_the_card_holds(void **state) {
    /* 16 bytes a parameter on one A100, whose driver reports 80 GiB = 85.9 GB */
    static const struct {
        const char *params, *fits;
    } cases[] = {
        {"1e9",   "yes"  },
        {"4.8e9", "yes"  },
        {"4.9e9", "tight"},
        {"5.3e9", "tight"},
        {"5.4e9", "no"   },
        {"13e9",  "no"   },
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char *flags = base_format("--params %s --stage 0 --gpu a100-80g", cases[i].params);
        json_t *json = mem(flags);
        const char *fits = base_json_text(stage(json, 0), "fits", "null");
        if (strcmp(fits, cases[i].fits) != 0) fail_msg("%s: %s", cases[i].params, fits);
        json_decref(json);
        free(flags);
    }
}

static void flags_mean_what_they_say(void **state) {
    static const struct {
        const char *flags, *same;
    } cases[] = {
        {"--model llama-2-13b --params 13e9 --stage 1",
         "--params 13e9 --model llama-2-13b --stage 1"                                            },
        {"--params 13B --gpus 8 --stage 2",             "--params=13e9 --gpus=8 --stage=2"        },
        {"--params 1e9 --stage all",                    "--params 1e9"                            },
        {"--params 7e9 --stage 1 --stage 3 --gpus 8",   "--params 7e9 --stage 3 --gpus 8"         },
        {"--params 7e9 --gpus-per-node 8 --gpus 16",    "--params 7e9 --gpus_per_node 8 --gpus 16"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        json_t *a = mem(cases[i].flags), *b = mem(cases[i].same);
        if (!json_equal(a, b)) fail_msg("%s is not %s", cases[i].flags, cases[i].same);
        json_decref(a);
        json_decref(b);
    }
}

/* ── pages ───────────────────────────────────────────────────────────────────────────────────────*/
static void pages_read_as_before(void **state) {
    static const struct {
        const char *name, *line;
    } cases[] = {
        {"mem",         "mem --params 7.5e9 --gpus 64"                              },
        {"mem-card",    "mem --model llama-2-13b --gpus 8 --gpu a100-80g"           },
        {"mem-explain", "mem --params 13e9 --gpus 16 --stage 2 --explain"           },
        {"mem-ascii",   "mem --params 7.5e9 --gpus 64 --gpu h100-80g --ascii"       },
        {"mem-small",   "mem --params 124439808 --gpus 3 --precision fp32 --explain"},
        {"mem-csv",     "mem --params 7.5e9 --gpus 64 --gpu a100-80g --csv"         },
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct run r = run_line(cases[i].line, NULL);
        assert_int_equal(r.status, 0);
        golden_is("command", cases[i].name, r.out);
        run_free(&r);
    }
}

/* At 40 columns the split of each total is left to the bars. */
static void a_narrow_terminal_gets_a_narrow_page(void **state) {
    const char *argv[] = {getenv("ZEROTUTOR"), "mem", "--params", "7.5e9", "--gpus", "64", "--gpu",
                          "a100-80g",          NULL};
    (void)state;
    struct tty *t = tty_open(40, 40, argv, NULL);
    tty_wait(t, "1e9 bytes");
    assert_true(tty_has(t, "stage 2   16.64   yes"));
    assert_false(tty_has(t, "0.4688"));
    assert_int_equal(tty_end(t), 0);
}

static bool has_colour(struct tty *t) {
    for (int row = 0; row < tty_rows(t); row++)
        for (int column = 0; column < tty_columns(t); column++) {
            struct tty_cell c = tty_at(t, row, column);
            if (c.colour != TTY_DEFAULT || c.background != TTY_DEFAULT) return true;
        }
    return false;
}

static void colours_are_for_terminals_that_want_them(void **state) {
    static const struct {
        const char *variable;
        bool colours;
    } cases[] = {
        {"TERM=xterm-256color", true },
        {"TERM=xterm",          true },
        {"NO_COLOR=1",          false},
        {"TERM=dumb",           false},
    };
    const char *argv[] = {getenv("ZEROTUTOR"), "mem", "--params", "7.5e9", "--gpus", "64", NULL};
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct tty *t = tty_open(120, 40, argv, (const char *const[]){cases[i].variable, NULL});
        tty_wait(t, "1 GB is 1e9 bytes");
        if (has_colour(t) != cases[i].colours) fail_msg("%s", cases[i].variable);
        assert_int_equal(tty_end(t), 0);
    }
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(the_papers_figures_come_out_exactly),
        IN_SCHOOL(the_working_comes_as_json_too),
        IN_SCHOOL(the_working_is_in_the_tables_unit),
        IN_SCHOOL(categories_add_up_to_the_total),
        IN_SCHOOL(a_fit_is_judged_by_what_the_card_holds),
        IN_SCHOOL(flags_mean_what_they_say),
        IN_SCHOOL(pages_read_as_before),
        IN_SCHOOL(a_narrow_terminal_gets_a_narrow_page),
        IN_SCHOOL(colours_are_for_terminals_that_want_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
