/* mem: exact bytes as JSON and CSV, pages as golden text (tests/command/golden; GENERATE=1 writes
 * them anew), colours on a terminal. */
#include "session/school.h"

#include "command/page.h"
#include "command/run.h"
#include "tty/tty.h"

static json_t *mem(const char *flags) {
    char *line = base_format("mem %s", flags);
    json_t *json = page_json(line, 0);
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
        {"mem --params 100 --explain", " 0.2 KB"},   {"mem --params 5e4 --explain", " 100 KB"},
        {"mem --params 5e6 --explain", " 10 MB"},    {"mem --params 7e9 --explain", " 14 GB"},
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

/* Line by line: each category's lines come to the ledger's, all of them to the total, and none is
 * without its how. */
static void assert_adds_up(const char *flags, const json_t *working, const json_t *ledger) {
    double total = 0, sum[16] = {0};
    const char *names[16];
    size_t n = 0, k;
    json_t *line;
    json_array_foreach(working, k, line) {
        const char *id = base_json_text(line, "id", "");
        double bytes = base_json_number(line, "bytes", -1);
        if (strcmp(id, "total") == 0) {
            assert_true(bytes == total);
            assert_true(bytes == base_json_number(ledger, "total", -1));
            continue;
        }
        if (!*base_json_text(line, "formula", "")) fail_msg("%s: %s has no working", flags, id);
        size_t i = 0;
        while (i < n && strcmp(names[i], id) != 0) i++;
        if (i == n) names[n++] = id;
        sum[i] += bytes;
        total += bytes;
    }
    for (size_t i = 0; i < n; i++)
        if (sum[i] != base_json_number(ledger, names[i], -1))
            fail_msg("%s: %s is %.0f in lines, %.0f in the ledger", flags, names[i], sum[i],
                     base_json_number(ledger, names[i], -1));
}

static void the_working_adds_up_to_what_is_shown(void **state) {
    static const char *const recipes[] = {"paper", "ddp",      "deepspeed", "fsdp1",
                                          "fsdp2", "megatron", "llm.c",     "zerolab"};
    static const char *const steps[] = {"", "--batch 1 --seq 1024",
                                        "--batch 2 --seq 1024 --checkpoint full",
                                        "--batch 1 --seq 1024 --accumulate 4"};
    (void)state;
    for (size_t r = 0; r < BASE_COUNT(recipes); r++)
        for (size_t k = 0; k < BASE_COUNT(steps); k++) {
            char *flags = base_format("--model gpt2-xl --gpus 8 --gpu a100-80g --explain "
                                      "--recipe %s %s",
                                      recipes[r], steps[k]);
            json_t *json = mem(flags);
            for (size_t i = 0; i < json_array_size(json_object_get(json, "stages")); i++) {
                const json_t *s = stage(json, i);
                assert_adds_up(flags, json_object_get(s, "working"), json_object_get(s, "gpu"));
                assert_adds_up(flags, json_object_get(s, "peak_working"),
                               json_object_get(s, "peak"));
            }
            json_decref(json);
            free(flags);
        }
}

/* What was assumed, flags with nothing to do, and what a card cannot: told, not refused. */
static void remarks_are_made(void **state) {
    static const struct {
        /* NULL: there is none */
        const char *flags, *note;
    } cases[] = {
        {"--params 7e9 --sp on", "--sp has no effect: tp is 1"},
        {"--params 7e9 --gpus 2 --tp 2 --sp on", NULL},
        {"--params 7e9 --interleave 2", "--interleave has no effect: pp is 1"},
        {"--params 7e9 --gpus 8 --stage 0 --shard-group 4",
         "--shard-group has no effect: stage 0 shards nothing"},
        {"--params 7e9 --gpus 8 --shard-group 4", NULL},
        {"--params 7e9 --gpus 8 --gpus-per-node 16",
         "--gpus-per-node has no effect: 8 GPUs are fewer than a node's 16"},
        {"--params 7e9 --batch 2", "--batch has no effect without --seq: activations need both"},
        {"--params 7e9 --gpus 8 --stage 1 --qgz on",
         "--qgz has no effect: only stage 3 gathers parameters"},
        {"--params 7e9 --gpus 8 --stage 2 --prefetch 0",
         "--prefetch has no effect: only stage 3 gathers parameters"},
        {"--params 7e9 --gpus 8 --stage 3 --prefetch 1", NULL},
        {"--model llama-2-7b --gpus 8 --batch 1 --seq 2048 --checkpoint selective",
         "--checkpoint selective has no effect: it drops attention's matrices, and flash attention "
         "keeps none (see --flash off)"},
        {"--params 7e9 --gpu t4", "NVIDIA T4 16GB has no bf16: use --precision mixed-fp16 or fp32"},
        {"--params 7e9 --gpu v100-32g --precision bf16",
         "NVIDIA V100 32GB SXM2 has no bf16: use --precision mixed-fp16 or fp32"},
        {"--params 7e9 --gpu t4 --precision mixed-fp16", NULL},
        {"--params 7e9 --gpu a100-80g", NULL},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        json_t *json = mem(cases[i].flags);
        const json_t *notes = json_object_get(json, "notes");
        const char *note = json_string_value(json_array_get(notes, 0));
        if (json_array_size(notes) != (cases[i].note ? 1 : 0) ||
            (cases[i].note && strcmp(note, cases[i].note) != 0))
            fail_msg("%s: \"%s\"", cases[i].flags, note ? note : "");
        json_decref(json);
    }
}

/* A config.json may begin with a mark of UTF-8. */
static void a_mark_before_a_config_is_skipped(void **state) {
    struct base_message m;
    size_t length;
    char *path = scratch_path(state, "marked.json");
    char *text = base_file_read("tests/command/configs/qwen3-8b.json", 1 << 20, &length, &m);
    char *marked = base_format("\xef\xbb\xbf%s", text), *flags = base_format("--config %s", path);
    assert_true(base_file_write(path, marked, strlen(marked), &m));
    json_t *json = mem(flags), *same = mem("--model qwen3-8b");
    assert_true(json_equal(json_object_get(json, "params"), json_object_get(same, "params")));
    json_decref(json);
    json_decref(same);
    free(flags);
    free(marked);
    free(text);
    free(path);
}

static void categories_add_up_to_the_total(void **state) {
    static const char *const categories[] = {"params",      "grads",    "master", "moments",
                                             "activations", "gather",   "reduce", "workspace",
                                             "staging",     "framework"};
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
    /* 16 bytes a parameter and the framework's share on one A100, of which PyTorch reports 79.15
     * GiB = 85.0 GB */
    static const struct {
        const char *params, *fits;
    } cases[] = {
        {"1e9", "yes"},     {"4.7e9", "yes"}, {"4.9e9", "tight"},
        {"5.2e9", "tight"}, {"5.3e9", "no"},  {"13e9", "no"},
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
         "--params 13e9 --model llama-2-13b --stage 1"},
        {"--params 13B --gpus 8 --stage 2", "--params=13e9 --gpus=8 --stage=2"},
        {"--params 1e9 --stage all", "--params 1e9"},
        {"--params 7e9 --stage 1 --stage 3 --gpus 8", "--params 7e9 --stage 3 --gpus 8"},
        {"--params 7e9 --gpus-per-node 8 --gpus 16", "--params 7e9 --gpus_per_node 8 --gpus 16"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        json_t *a = mem(cases[i].flags), *b = mem(cases[i].same);
        if (!json_equal(a, b)) fail_msg("%s is not %s", cases[i].flags, cases[i].same);
        json_decref(a);
        json_decref(b);
    }
}

/* The peak's own categories, and its total is that of the highest phase. */
static void the_peak_is_the_highest_phase(void **state) {
    static const char *const lines[] = {
        "--model llama-2-13b --gpus 8 --recipe deepspeed --batch 1 --seq 4096",
        "--model llama-2-7b --gpus 8 --recipe fsdp2 --batch 2 --seq 4096 --checkpoint full",
        "--params 7e9 --gpus 8 --gpu h100-80g",
        "--model llama-2-13b --gpus 64 --recipe deepspeed --gpu h100-80g",
        "--model llama-2-13b --gpus 8 --recipe deepspeed --offload-optimizer host",
    };
    (void)state;
    for (size_t k = 0; k < BASE_COUNT(lines); k++) {
        json_t *json = mem(lines[k]), *value;
        for (size_t i = 0; i < json_array_size(json_object_get(json, "stages")); i++) {
            const json_t *peak = json_object_get(stage(json, i), "peak");
            const char *phase;
            int64_t highest = 0;
            json_object_foreach(json_object_get(stage(json, i), "phases"), phase,
                                value) if (json_integer_value(value) > highest) highest =
                json_integer_value(value);
            assert_int_equal(base_json_int(peak, "total", -1), highest);
            assert_string_not_equal(base_json_text(peak, "where", ""), "");
        }
        json_decref(json);
    }
}

static void members_are_those_of_the_contract(void **state) {
    (void)state;
    json_t *json = mem("--params 7e9 --gpus 8");
    page_has(json, "params world recipe training budget stages");
    for (size_t i = 0; i < 4; i++) {
        page_has(stage(json, i), "stage gpu host nvme persistent phases peak highest fits");
        page_has(json_object_get(stage(json, i), "phases"), "init forward backward update");
        page_has(json_object_get(stage(json, i), "peak"), "total where phase");
        page_has(json_object_get(stage(json, i), "host"), "total");
        page_has(json_object_get(stage(json, i), "nvme"), "total");
    }
    json_decref(json);
}

/* What the card no longer holds, the host does. */
static void offload_moves_bytes_to_the_host(void **state) {
    (void)state;
    json_t *here = mem("--params 13e9 --gpus 8 --stage 2 --recipe deepspeed");
    json_t *there =
        mem("--params 13e9 --gpus 8 --stage 2 --recipe deepspeed --offload-optimizer host");
    const json_t *gpu = json_object_get(stage(there, 0), "gpu"),
                 *host = json_object_get(stage(there, 0), "host");
    assert_int_equal(base_json_int(gpu, "moments", -1), 0);
    assert_int_equal(base_json_int(host, "moments", -1), 104000000000);
    assert_int_equal(base_json_int(json_object_get(stage(here, 0), "host"), "total", -1), 0);
    json_decref(here);
    json_decref(there);
}

/* FSDP has no stage 1, Megatron no 2 and 3: all means those there are. */
static void all_means_the_stages_a_recipe_has(void **state) {
    static const struct {
        const char *recipe;
        /* up to -1 */
        int stages[4];
    } cases[] = {
        {"paper", {0, 1, 2, 3}},
        {"ddp", {0, -1}},
        {"megatron", {0, 1, -1}},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char *flags = base_format("--params 7e9 --gpus 8 --recipe %s", cases[i].recipe);
        json_t *json = mem(flags);
        size_t n = 0;
        for (; n < 4 && cases[i].stages[n] >= 0; n++)
            assert_int_equal(base_json_int(stage(json, n), "stage", -1), cases[i].stages[n]);
        assert_int_equal(json_array_size(json_object_get(json, "stages")), n);
        json_decref(json);
        free(flags);
    }
}

/* 16 bytes of 1 640 625 000 parameters: 26.25 GB, which the bar rounds as the table and a figure
 * do. */
static void halves_are_rounded_alike(void **state) {
    struct run r = run_line("mem --params 1640625000 --stage 0 --ascii", NULL);
    (void)state;
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, " 26.3 GB"));
    assert_null(strstr(r.out, " 26.2 GB"));
    run_free(&r);
}

static void bad_words_are_refused(void **state) {
    static const char *const cases[][2] = {
        {"mem", "--params: how many parameters? Set a count like 13B, or a model"},
        {"mem --params 7e9 --gpus 0",
         "--gpus cannot be '0': write a whole number of GPUs from 1 to 10000000"},
        {"mem --params 7e9 --gpus 3 --tp 2",
         "--tp: 3 GPUs cannot be divided by tp · pp · cp = 2 · 1 · 1"},
        {"mem --params 1e30", "--params cannot be '1e30': the count is too large for 64 bits; "
                              "write a count like 13B, 7.5e9, "
                              "350M or 124439808"},
        {"mem --params 7e9 --stage 4", "--stage cannot be '4': choose one of 0, 1, 2, 3, all"},
        {"mem --model lama-2-13b", "--model cannot be 'lama-2-13b': did you mean 'llama-2-13b', "
                                   "'llama-2-7b' or 'llama-2-70b'?"},
        {"mem --params 7e9 --gpu h100-90g",
         "--gpu cannot be 'h100-90g': did you mean 'h100-80g', 'a100-40g' or 'a100-80g'?"},
        {"mem --params 7e9 --recipe fsdp9",
         "--recipe cannot be 'fsdp9': choose one of paper, ddp, deepspeed, fsdp1, fsdp2, megatron, "
         "llm.c, zerolab"},
        {"mem --params 7e9 --recipe megatron --stage 3",
         "--stage cannot be '3' with --recipe megatron: it has the stages 0, 1"},
        {"mem --params 7e9 --bucket 5e8", "--bucket: paper has no reduction buckets: leave it out"},
        {"mem --params 7e9 --recipe ddp --prefetch 2",
         "--prefetch: ddp gathers nothing ahead: leave it out"},
        {"mem --params 7e9 --recipe megatron --grad-dtype 16bit",
         "--grad-dtype: megatron keeps gradients in fp32 under mixed-bf16: use auto"},
        {"mem --params 7e9 --sp maybe", "--sp cannot be 'maybe': choose one of off, on"},
        {"mem --params 7e9 --seq 2048 --batch 1",
         "--batch: the size of activations depends on the shapes of the layers: name a model"},
        {"mem --params 7e9 --qlora 8",
         "--qlora: the size of adapters depends on the shapes of the matrices: name a model"},
        {"mem --model gpt2 --lora 4 --qlora 8",
         "--lora and --qlora both set the adapters: use one of them"},
        {"mem --config x.json --model gpt2",
         "--model and --config both name a model: use one of them"},
        {"mem --params 7e9 --gpu=", "--gpu cannot be '': name one, or leave it out"},
        {"mem --model= --params 7e9", "--model cannot be '': name one, or leave it out"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) page_refused(cases[i][0], cases[i][1]);
}

static void half_a_config_is_refused(void **state) {
    static const char half[] = "{\"model_type\": \"llama\", \"hidden_size\": 40";
    char *path = scratch_path(state, "half.json"), *line = base_format("mem --config %s", path);
    assert_true(base_file_write(path, half, strlen(half), NULL));
    struct run r = run_line(line, NULL);
    if (r.status != 2 || *r.out || !strstr(r.err, "--config: ") ||
        !strstr(r.err, "half.json:1: not valid JSON") || !strstr(r.err, "a whole config.json"))
        fail_msg("status %d, \"%s\", \"%s\"", r.status, r.err, r.out);
    run_free(&r);
    free(line);
    free(path);
}

/* A config and the same model of the catalogue are one training; --params overrides either's
 * count. */
static void a_config_is_a_model(void **state) {
    (void)state;
    json_t *file =
        mem("--config tests/command/configs/qwen3-8b.json --gpus 8 --batch 1 --seq 4096");
    json_t *name = mem("--model qwen3-8b --gpus 8 --batch 1 --seq 4096");
    json_t *other = mem("--config tests/command/configs/qwen3-8b.json --params 8e9");
    assert_true(json_equal(json_object_get(file, "stages"), json_object_get(name, "stages")));
    assert_int_equal(base_json_int(other, "params", 0), 8000000000);
    json_decref(file);
    json_decref(name);
    json_decref(other);
}

/* ── pages ─────────────────────────────────────────────────────────────────────────────────────*/
static void pages_read_as_before(void **state) {
    static const struct {
        const char *name, *line;
    } cases[] = {
        {"mem", "mem --params 7.5e9 --gpus 64"},
        {"mem-card", "mem --model llama-2-13b --gpus 8 --gpu a100-80g"},
        {"mem-words", "mem --model llama-2-13b --gpus 8 --gpu a100-80g --words"},
        {"mem-explain", "mem --params 13e9 --gpus 16 --stage 2 --explain"},
        {"mem-ascii", "mem --params 7.5e9 --gpus 64 --gpu h100-80g --ascii"},
        {"mem-small", "mem --params 124439808 --gpus 3 --precision fp32 --explain"},
        {"mem-csv", "mem --params 7.5e9 --gpus 64 --gpu a100-80g --csv"},
        {"mem-step", "mem --model llama-2-13b --gpus 8 --gpu a100-80g --recipe deepspeed "
                     "--batch 1 --seq 4096"},
        {"mem-offload", "mem --model llama-2-13b --gpus 8 --gpu a100-80g --recipe deepspeed "
                        "--stage 2 --offload-optimizer host --explain"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) page_is(cases[i].name, cases[i].line);
    page_is_wide("mem-step", cases[7].line);
}

/* At 40 columns the split of each total is left to the bars. */
static void a_narrow_terminal_gets_a_narrow_page(void **state) {
    const char *argv[] = {getenv("ZEROTUTOR"), "mem", "--params", "7.5e9", "--gpus", "64", "--gpu",
                          "a100-80g",          NULL};
    (void)state;
    struct tty *t = tty_open(40, 40, argv, NULL);
    tty_wait(t, "1e9 bytes");
    assert_true(tty_has(t, "yes"));
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
        {"TERM=xterm-256color", true},
        {"TERM=xterm", true},
        {"NO_COLOR=1", false},
        {"TERM=dumb", false},
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
        IN_SCHOOL(the_working_adds_up_to_what_is_shown),
        IN_SCHOOL(remarks_are_made),
        IN_SCHOOL(a_mark_before_a_config_is_skipped),
        IN_SCHOOL(categories_add_up_to_the_total),
        IN_SCHOOL(a_fit_is_judged_by_what_the_card_holds),
        IN_SCHOOL(flags_mean_what_they_say),
        IN_SCHOOL(members_are_those_of_the_contract),
        IN_SCHOOL(the_peak_is_the_highest_phase),
        IN_SCHOOL(offload_moves_bytes_to_the_host),
        IN_SCHOOL(all_means_the_stages_a_recipe_has),
        IN_SCHOOL(halves_are_rounded_alike),
        IN_SCHOOL(bad_words_are_refused),
        IN_SCHOOL(half_a_config_is_refused),
        IN_SCHOOL(a_config_is_a_model),
        IN_SCHOOL(pages_read_as_before),
        IN_SCHOOL(a_narrow_terminal_gets_a_narrow_page),
        IN_SCHOOL(colours_are_for_terminals_that_want_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
