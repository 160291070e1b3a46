/* traffic: bytes sent as JSON and CSV, seconds that are null until links are known, pages as golden
 * text. */
#include "session/school.h"

#include "command/page.h"
#include "command/run.h"

static const json_t *stage(const json_t *json, size_t i) {
    return page_item(json, "stages", i);
}

static const json_t *seconds(const json_t *json, const char *name) {
    return json_object_get(json_object_get(stage(json, 3), "seconds"), name);
}

/* By hand: calls × (start + factor × bytes of a call ÷ rate). 128 A100s stand on 16 nodes, whose 8
 * NICs of 25 GB/s are slower than NVLink's 240 GB/s. */
static void seconds_can_be_worked_out_again(void **state) {
    (void)state;
    json_t *json = page_json("traffic --model llama-2-7b --gpus 128 --gpu a100-80g", 0), *c;
    for (size_t i = 0; i < 4; i++) {
        size_t k;
        json_array_foreach(json_object_get(stage(json, i), "collectives"), k, c) {
            double calls = base_json_number(c, "calls", 0), rate = base_json_number(c, "rate", 0),
                   bytes = base_json_number(c, "payload", 0) / calls;
            bool twice = strcmp(base_json_text(c, "collective", ""), "all_reduce") == 0;
            double factor = (twice ? 2 : 1) * 127.0 / 128;
            double start = 8.4e-6 + (twice ? 2 : 1) * (112 * 3.4e-6 + 15 * 14e-6);
            double wanted = calls * (start + factor * bytes / rate),
                   got = base_json_number(c, "seconds", 0);
            assert_true(rate == 8 * 25e9);
            if (!(got > wanted * 0.999999 && got < wanted * 1.000001))
                fail_msg("stage %zu, c %zu: %g s, by hand %g s", i, k, got, wanted);
        }
    }
    json_decref(json);
}

/* One GPU: 4 bytes a parameter down, because DeepSpeed widens gradients first, and 2 up, over PCIe
 * 4.0 at 24 GB/s. */
static void a_host_link_carries_one_gpu_too(void **state) {
    (void)state;
    json_t *json = page_json("traffic --params 6e9 --gpu a100-80g --recipe deepspeed --stage 2 "
                             "--offload-optimizer host",
                             0);
    const json_t *all = json_object_get(stage(json, 0), "seconds");
    assert_int_equal(base_json_int(stage(json, 0), "offload", 0), 36000000000);
    assert_true(base_json_number(all, "host_down", 0) == 1.0);
    assert_true(base_json_number(all, "host_up", 0) == 0.5);
    json_decref(json);
}

static void members_are_those_of_the_contract(void **state) {
    (void)state;
    json_t *json = page_json("traffic --params 7.5e9 --gpus 64", 0);
    page_has(json, "params world recipe training stages");
    for (size_t i = 0; i < 4; i++) {
        page_has(stage(json, i),
                 "stage sent inside between network offload volume_params seconds collectives");
        page_has(json_object_get(stage(json, i), "sent"),
                 "all_reduce reduce_scatter all_gather all_to_all p2p total");
        page_has(json_object_get(stage(json, i), "seconds"), "comm exposed");
        page_has(
            page_item(stage(json, i), "collectives", 0),
            "what group collective ranks per_node calls payload sent inside between network behind "
            "seconds exposed");
    }
    json_decref(json);
}

/* The ZeRO paper, arXiv:1910.02054, section 7: 2Ψ up to stage 2, 3Ψ under stage 3; here (N − 1)
 * shards of it, to the byte. */
static void the_papers_volumes_come_out_exactly(void **state) {
    static const struct {
        double volume;
        int64_t total;
    } cases[] = {
        {2, 29531250000},
        {2, 29531250000},
        {2, 29531250000},
        {3, 44296875000},
    };
    (void)state;
    json_t *json = page_json("traffic --params 7.5e9 --gpus 64", 0);
    for (size_t i = 0; i < 4; i++) {
        const json_t *sent = json_object_get(stage(json, i), "sent");
        assert_int_equal(base_json_int(sent, "total", -1), cases[i].total);
        assert_true(base_json_number(stage(json, i), "volume_params", 0) == cases[i].volume);
    }
    json_decref(json);
}

static int64_t member_sum(const json_t *array, const char *member) {
    const json_t *item;
    int64_t sum = 0;
    size_t i;
    json_array_foreach(array, i, item) sum += base_json_int(item, member, 0);
    return sum;
}

static void collectives_add_up(void **state) {
    static const char *const lines[] = {
        "traffic --model llama-2-13b --gpus 16 --gpus-per-node 8",
        "traffic --model llama-2-13b --gpus 16 --gpus-per-node 8 --tp 4 --batch 1 --seq 2048",
        "traffic --params 13e9 --gpus 32 --gpus-per-node 8 --recipe deepspeed --accumulate 4",
    };
    (void)state;
    for (size_t k = 0; k < BASE_COUNT(lines); k++) {
        json_t *json = page_json(lines[k], 0);
        for (size_t i = 0; i < 4; i++) {
            const json_t *s = stage(json, i), *collectives = json_object_get(s, "collectives");
            int64_t total = base_json_int(json_object_get(s, "sent"), "total", -1);
            assert_int_equal(member_sum(collectives, "sent"), total);
            assert_int_equal(member_sum(collectives, "inside"), base_json_int(s, "inside", -1));
            assert_int_equal(member_sum(collectives, "between"), base_json_int(s, "between", -1));
            assert_int_equal(base_json_int(s, "inside", -1) + base_json_int(s, "between", -1),
                             total);
            assert_true(base_json_int(s, "between", 0) > 0);
        }
        json_decref(json);
    }
}

/* Without links there are no seconds, without a card and a shape nobody knows what is hidden. */
static void what_is_unknown_is_null(void **state) {
    (void)state;
    json_t *bare = page_json("traffic --params 7e9 --gpus 8", 0);
    json_t *linked = page_json("traffic --params 7e9 --gpus 8 --link 25GB/s", 0);
    json_t *whole =
        page_json("traffic --model llama-2-7b --gpus 8 --gpu a100-80g --batch 1 --seq 4096", 0);
    assert_true(json_is_null(seconds(bare, "comm")));
    assert_true(json_is_null(seconds(bare, "exposed")));
    assert_true(json_real_value(seconds(linked, "comm")) > 0);
    assert_true(json_is_null(seconds(linked, "exposed")));
    double comm = json_real_value(seconds(whole, "comm")),
           exposed = json_real_value(seconds(whole, "exposed"));
    assert_true(exposed > 0 && exposed <= comm);
    json_decref(bare);
    json_decref(linked);
    json_decref(whole);
}

/* 400 Gb/s are 50 GB/s: half the rate of the link is twice the time. */
static void rates_are_read_with_their_unit(void **state) {
    (void)state;
    json_t *bits = page_json("traffic --params 7e9 --gpus 8 --link 400Gb/s", 0);
    json_t *bytes = page_json("traffic --params 7e9 --gpus 8 --link 50GB/s", 0);
    assert_true(json_equal(seconds(bits, "comm"), seconds(bytes, "comm")));
    struct run r = run_line("traffic --params 7e9 --gpus 8 --link 400Gb/s", NULL);
    assert_non_null(strstr(r.out, ", link 50GB/s:"));
    assert_non_null(strstr(r.out, "Inside a node 50 GB/s."));
    run_free(&r);
    json_decref(bits);
    json_decref(bytes);
}

static void csv_has_a_leg_a_line(void **state) {
    (void)state;
    json_t *json = page_json("traffic --params 7.5e9 --gpus 64", 0);
    struct run r = run_line("traffic --params 7.5e9 --gpus 64 --csv", NULL);
    size_t collectives = 0, lines = 0;
    for (size_t i = 0; i < 4; i++)
        collectives += json_array_size(json_object_get(stage(json, i), "collectives"));
    for (const char *c = r.out; *c; c++) lines += *c == '\n';
    assert_ptr_equal(strstr(r.out, "stage,what,group,collective,"), r.out);
    assert_int_equal(lines, collectives + 1);
    run_free(&r);
    json_decref(json);
}

static void pages_read_as_before(void **state) {
    static const struct {
        const char *name, *line;
    } cases[] = {
        {"traffic", "traffic --params 7.5e9 --gpus 64"},
        {"traffic-words", "traffic --params 7.5e9 --gpus 64 --words"},
        {"traffic-one", "traffic --params 7e9"},
        {"traffic-card", "traffic --model llama-2-13b --gpus 16 --gpus-per-node 8 --gpu a100-80g "
                         "--batch 1 --seq 4096"},
        {"traffic-host", "traffic --model llama-2-7b --gpu a100-80g --recipe deepspeed --stage 2 "
                         "--offload-optimizer host --accumulate 4 --explain"},
        {"traffic-ascii", "traffic --model llama-2-7b --gpus 8 --stage 3 --link pcie4 --explain "
                          "--ascii"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) page_is(cases[i].name, cases[i].line);
    page_is_wide(cases[3].name, cases[3].line);
}

static void bad_words_are_refused(void **state) {
    static const char *const cases[][2] = {
        {"traffic --params 7e9 --link nvlnk3",
         "--link cannot be 'nvlnk3': did you mean 'nvlink3', 'nvlink2' or 'nvlink4'?"},
        {"traffic --params 7e9 --gpus 3 --tp 2",
         "--tp: 3 GPUs cannot be divided by tp · pp · cp = 2 · 1 · 1"},
        {"traffic --params 7e9 --csv --json",
         "--json and --csv exclude each other: use one of them"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) page_refused(cases[i][0], cases[i][1]);
}

int main(void) {
#define IN_SCHOOL(f) cmocka_unit_test_setup_teardown(f, school_open, school_close)
    const struct CMUnitTest tests[] = {
        IN_SCHOOL(members_are_those_of_the_contract),
        IN_SCHOOL(the_papers_volumes_come_out_exactly),
        IN_SCHOOL(collectives_add_up),
        IN_SCHOOL(what_is_unknown_is_null),
        IN_SCHOOL(rates_are_read_with_their_unit),
        IN_SCHOOL(csv_has_a_leg_a_line),
        IN_SCHOOL(seconds_can_be_worked_out_again),
        IN_SCHOOL(a_host_link_carries_one_gpu_too),
        IN_SCHOOL(pages_read_as_before),
        IN_SCHOOL(bad_words_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
