/* Scenarios: the line as people write it, written and read back; and the ones by seed, each with an
 * answer. */
#include "memo/memo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *line;
    double params;
    uint32_t gpus, per_node, seq, batch;
    const char *card, *precision, *optimizer;
} lines[] = {
    {"Scenario: 13e9 parameters, 8 × A100 80 GB, bf16 with fp32 master weights, AdamW, sequence "
     "2048, micro-batch 1",
     13e9, 8, 0, 2048, 1, "a100-80g", "mixed-bf16", "adamw"},
    {"8xA100-80GB, Llama 2 13B, seq 4k", 13015864320., 8, 0, 4096, 1, "a100-80g", "mixed-bf16",
     "adamw"},
    {"thirteen billion parameters on eight A100 (40 GB) cards, sequence length of 4,096, micro "
     "batch size: 2",
     13e9, 8, 0, 4096, 2, "a100-40g", "mixed-bf16", "adamw"},
    {"70B model on 64 H100 SXM 80GB, fp16 with fp32 master copy, 8-bit Adam, 4096 tokens", 70e9, 64,
     8, 4096, 1, "h100-80g", "mixed-fp16", "adam8bit"},
    {"Llama-2-70b, 2 nodes of 8 x H200, mixed precision, 2048 tokens", 68976648192., 16, 8, 2048, 1,
     "h200", "mixed-bf16", "adamw"},
    {"7B, 4 × RTX 4090, pure bf16, SGD with momentum, sequence 1024", 7e9, 4, 0, 1024, 1,
     "rtx-4090", "bf16", "sgd-momentum"},
    {"gpt2-xl; 16 x A100 PCIe 80 GB; 8 GPUs per node; fp32; lion; sequence: 1024", 1557611200., 16,
     8, 1024, 1, "a100-pcie-80g", "fp32", "lion"},
    {"Llama 2 7B at 6.9e9 parameters, 8 GPUs with 48 GB each, sequence 2048", 6.9e9, 8, 0, 2048, 1,
     "none", "mixed-bf16", "adamw"},
};

static void check_field(const struct account_training *t, const char *field, const char *want,
                        const char *line) {
    char is[64];
    account_get(t, field, is, sizeof is);
    if (strcmp(is, want) != 0) fail_msg("%s: %s is %s, not %s", line, field, is, want);
}

static void lines_are_read_as_people_write_them(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(lines); i++) {
        struct memo_scenario s;
        struct base_message m = {0};
        if (!memo_scenario_read(lines[i].line, &s, &m)) fail_msg("%s: %s", lines[i].line, m.what);
        const struct account_training *t = &s.training;
        if (t->params != (uint64_t)lines[i].params)
            fail_msg("%s: %llu", lines[i].line, (unsigned long long)t->params);
        if (t->gpus != lines[i].gpus || t->gpus_per_node != lines[i].per_node ||
            t->seq != lines[i].seq || t->batch != lines[i].batch)
            fail_msg("%s: %u GPUs, %u a node, sequence %u, micro-batch %u", lines[i].line, t->gpus,
                     t->gpus_per_node, t->seq, t->batch);
        check_field(t, "gpu", lines[i].card, lines[i].line);
        check_field(t, "precision", lines[i].precision, lines[i].line);
        check_field(t, "optimizer", lines[i].optimizer, lines[i].line);
    }
}

static void limits_links_and_deadlines_are_read(void **state) {
    (void)state;
    struct memo_scenario s;
    assert_true(memo_scenario_read(
        "Llama 2 13B, 32 × A100 80 GB, 100 Gb/s Ethernet, global batch 256, no NVMe, "
        "20e9 tokens in 3 weeks, 40 % of peak arithmetic, recipe deepspeed",
        &s, NULL));
    assert_string_equal(s.training.net.name, "eth-100g");
    assert_int_equal(s.global_batch, 256);
    assert_int_equal(s.training.accumulate, 8);
    assert_true(s.no_nvme && !s.no_host);
    assert_true(s.tokens == 20000000000u && s.days > 20.9 && s.days < 21.1);
    assert_true(s.training.efficiency > 0.39 && s.training.efficiency < 0.41);
    assert_string_equal(account_recipe_name(&s.training), "deepspeed");
}

/* As people write it, and as the course does. */
static const struct {
    const char *line, *written;
} ways[] = {
    {"13B, 8 A100s with 80GB each, seq 2k",
     "13e9 parameters, 8 × A100 80 GB, @, sequence 2048, micro-batch 1"},
    {"13B, 8 A100s with 40GB each, 2k context",
     "13e9 parameters, 8 × A100 40 GB, @, sequence 2048, micro-batch 1"},
    {"13B, 8x 80GB A100s, 2K tokens, batch 1 per GPU",
     "13e9 parameters, 8 × A100 80 GB, @, sequence 2048, micro-batch 1"},
    {"13B, one DGX A100 (8x80GB), 4096 ctx, mbs 4",
     "13e9 parameters, 8 × A100 80 GB, @, sequence 4096, micro-batch 4"},
    {"13B, two DGX A100 320GB nodes, seq_len=1024",
     "13e9 parameters, 16 × A100 40 GB, 8 GPUs per node, @, sequence 1024, micro-batch 1"},
    {"a 13-billion-parameter GPT on a DGX H100, sequence 2048",
     "13e9 parameters, 8 × H100 80 GB, @, sequence 2048, micro-batch 1"},
    {"7B, 8 × L40S, 1k context, 4 accumulation steps",
     "7e9 parameters, 8 × L40S, @, sequence 1024, micro-batch 1, accumulation 4"},
    {"7B, 2 × A100, seq 2048, 8 micro-batches a step",
     "7e9 parameters, 2 × A100 80 GB, @, sequence 2048, micro-batch 1, accumulation 8"},
    {"7B, 8 A100 80GB, seq 2048, NVLink 3 (600 GB/s)",
     "7e9 parameters, 8 × A100 80 GB, @, sequence 2048, micro-batch 1, link nvlink3"},
};
static char *written(const struct memo_scenario *s) {
    struct base_text t = {0};
    memo_scenario_write(s, &t);
    return base_text_take(&t);
}
static void ways_to_say_it_are_one(void **state) {
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(ways); i++) {
        struct memo_scenario s;
        struct base_message m = {0};
        if (!memo_scenario_read(ways[i].line, &s, &m)) fail_msg("%s: %s", ways[i].line, m.what);
        const char *at = strchr(ways[i].written, '@');
        char *is = written(&s),
             *want = base_format("Scenario: %.*sbf16 with fp32 master weights, AdamW%s",
                                 (int)(at - ways[i].written), ways[i].written, at + 1);
        assert_string_equal(is, want);
        free(is);
        free(want);
    }
}

/* Bits and bytes are told apart by their letters; NICs that a node's GPUs share are shared. */
static void rates_are_of_one_gpu(void **state) {
    static const struct {
        const char *line;
        /* bytes per second a GPU */
        double rate;
    } links[] = {
        {"200 Gb/s InfiniBand", 25e9},
        {"25 GB/s InfiniBand", 25e9},
        {"InfiniBand at 25 GB/s", 25e9},
        {"InfiniBand HDR", 25e9},
        {"200Gbps IB", 25e9},
        {"100GbE", 12.5e9},
        {"Ethernet (100 Gb/s)", 12.5e9},
        {"12.5 GB/s Ethernet", 12.5e9},
        {"200 Gb/s between nodes", 25e9},
        {"8 × 200 Gb/s NICs per node", 25e9},
        {"one 100 Gb/s NIC per node", 12.5e9 / 8},
        {"1 NIC of 100 Gb/s per node", 12.5e9 / 8},
        {"100 Gb/s Ethernet a node", 12.5e9 / 8},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(links); i++) {
        struct memo_scenario s;
        struct base_message m = {0};
        char *line = base_format("13B, 32 × A100 80 GB, sequence 2048, %s", links[i].line);
        if (!memo_scenario_read(line, &s, &m)) fail_msg("%s: %s", line, m.what);
        if (s.training.net.rate / links[i].rate < 0.999 ||
            s.training.net.rate / links[i].rate > 1.001)
            fail_msg("%s: %g", line, s.training.net.rate);
        free(line);
    }
}

static void what_cannot_be_read_is_asked_about(void **state) {
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"", "no model"},
        {"8 × A100 80 GB", "no model"},
        {"13B, bf16", "no GPUs"},
        {"13B on 8 × A100 80 GB, frobs 17", "\"frobs\" at column 24"},
        {"13B on 8 × A100 80 GB, 3 wise men", "\"wise\" at column 26"},
        {"13B on 8 × Z900", "\"Z900\" at column 12"},
        {"13B on 8 × A100 80 GB, 17, AdamW", "\"17\" at column 24"},
        {"13B on 8 × A100 80 GB, batch size 64", "global batch 64"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct memo_scenario s;
        struct base_message m = {0};
        assert_false(memo_scenario_read(cases[i].line, &s, &m));
        if (!strstr(m.what, cases[i].says)) fail_msg("\"%s\": %s", cases[i].line, m.what);
    }
}

/* ── all that `mem` can express ────────────────────────────────────────────────────────────────*/
/* Each field of the engine with a value that is not its default; two words may stand for one. */
static const struct {
    const char *field, *value;
} all[] = {
    {"model", "llama-2-70b"},
    {"params", "13.5e9"},
    {"gpus", "16"},
    {"gpus_per_node", "4"},
    {"gpu", "h100-80g"},
    {"stage", "3"},
    {"precision", "fp32"},
    {"precision", "bf16"},
    {"precision", "mixed-fp16"},
    {"optimizer", "adam8bit"},
    {"optimizer", "sgd-momentum"},
    {"optimizer", "adafactor"},
    {"optimizer", "lion"},
    {"optimizer", "muon"},
    {"recipe", "deepspeed"},
    {"recipe", "llm.c"},
    {"recipe", "fsdp2"},
    {"recipe", "ddp"},
    {"grad_dtype", "fp32"},
    {"grad_dtype", "16bit"},
    {"reduce_dtype", "fp32"},
    {"reduce_dtype", "16bit"},
    {"lora", "16"},
    {"qlora", "8"},
    {"batch", "4"},
    {"lora_on", "all-linear"},
    {"seq", "4096"},
    {"accumulate", "8"},
    {"checkpoint", "full"},
    {"checkpoint", "selective"},
    {"flash", "off"},
    {"dropout", "on"},
    {"tp", "2"},
    {"pp", "4"},
    {"cp", "2"},
    {"ep", "2"},
    {"interleave", "2"},
    {"sp", "on"},
    {"shard_group", "4"},
    {"hpz", "8"},
    {"qwz", "on"},
    {"qgz", "on"},
    {"offload_optimizer", "host"},
    {"offload_optimizer", "nvme"},
    {"offload_params", "host"},
    {"offload_params", "nvme"},
    {"bucket", "25MB"},
    {"bucket", "5e8"},
    {"prefetch", "2"},
    {"link", "pcie4"},
    {"link", "300GB/s"},
    {"net", "ib-ndr"},
    {"net", "25GB/s"},
    {"efficiency", "0.35"},
};

/* What the head says of it: all other fields as they were. */
static void assert_says_only(const char *spelling, const char *field, const char *value) {
    static const char base[] = "Llama 2 13B, 8 × A100 80 GB, sequence 2048, micro-batch 1";
    struct memo_scenario s;
    struct base_message m = {0};
    size_t count;
    const struct account_field *f = account_fields(&count);
    assert_true(memo_scenario_read(base, &s, &m));
    struct account_training want = s.training;
    struct account_error e = {0};
    if (!account_set(&want, field, value, &e)) fail_msg("%s: %s", field, e.what);
    if (!memo_fields_read(spelling, "the head", &s, &m)) fail_msg("\"%s\": %s", spelling, m.what);
    for (size_t i = 0; i < count; i++) {
        char is[64], should[64];
        account_get(&s.training, f[i].name, is, sizeof is);
        account_get(&want, f[i].name, should, sizeof should);
        if (strcmp(is, should) != 0)
            fail_msg("\"%s\": %s is %s, not %s", spelling, f[i].name, is, should);
    }
}

/* As flags of `mem`, as the field's label, with and without its signs. */
static void all_that_mem_can_say_a_head_can(void **state) {
    static const char *const ways[] = {"--%s %s", "%s=%s", "%s: %s", "%s %s"};
    size_t count;
    const struct account_field *f = account_fields(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        size_t tried = 0;
        for (size_t k = 0; k < BASE_COUNT(all); k++) {
            if (strcmp(all[k].field, f[i].name) != 0) continue;
            tried++;
            for (size_t w = 0; w < 2 * BASE_COUNT(ways); w++) {
                char *name = base_dup(w % 2 ? f[i].label : f[i].name);
                for (char *c = name; w < 2 && *c; c++) *c = *c == '_' ? '-' : *c;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
                char *text = base_format(ways[w / 2], name, all[k].value);
#pragma GCC diagnostic pop
                assert_says_only(text, all[k].field, all[k].value);
                free(text);
                free(name);
            }
        }
        if (!tried) fail_msg("no value is tried for the field %s", f[i].name);
    }
}

/* And what is read so is written so that it reads back. */
static void all_that_is_read_is_written(void **state) {
    (void)state;
    for (size_t k = 0; k < BASE_COUNT(all); k++) {
        struct memo_scenario s, again = {.training = account_training_default()};
        struct base_message m = {0};
        struct account_error e = {0};
        char is[64], was[64];
        assert_true(memo_scenario_read("Llama 2 13B, 64 × A100 80 GB, LoRA 8", &s, &m));
        if (!account_set(&s.training, all[k].field, all[k].value, &e)) fail_msg("%s", e.what);
        char *line = written(&s);
        if (!memo_fields_read(line + strlen("Scenario: "), "it", &again, &m))
            fail_msg("%s: %s", line, m.what);
        account_get(&s.training, all[k].field, was, sizeof was);
        account_get(&again.training, all[k].field, is, sizeof is);
        if (strcmp(is, was) != 0) fail_msg("%s: %s is %s, not %s", line, all[k].field, is, was);
        free(line);
    }
}

/* And in the words that people use instead. */
static void words_that_people_use_for_fields_are_read(void **state) {
    static const struct {
        const char *words, *field, *value;
    } said[] = {
        {"optimizer offloaded to the host", "offload_optimizer", "host"},
        {"optimizer offloaded to host memory", "offload_optimizer", "host"},
        {"offload optimizer to the host", "offload_optimizer", "host"},
        {"optimizer states on the host", "offload_optimizer", "host"},
        {"optimizer in host memory", "offload_optimizer", "host"},
        {"offload the optimizer to NVMe", "offload_optimizer", "nvme"},
        {"CPU offload of the optimizer", "offload_optimizer", "host"},
        {"parameters offloaded to NVMe", "offload_params", "nvme"},
        {"parameters offloaded to the host", "offload_params", "host"},
        {"adapters on all linear layers", "lora_on", "all-linear"},
        {"LoRA rank 16", "lora", "16"},
        {"LoRA r=16", "lora", "16"},
        {"rank-16 LoRA", "lora", "16"},
        {"LoRA 16 on q and v", "lora", "16"},
        {"QLoRA rank 8", "qlora", "8"},
        {"ZeRO-3", "stage", "3"},
        {"8-way tensor parallelism", "tp", "8"},
        {"sequence parallelism", "sp", "on"},
        {"HSDP 16", "shard_group", "16"},
        {"gradients in fp32", "grad_dtype", "fp32"},
        {"without flash attention", "flash", "off"},
        {"with dropout", "dropout", "on"},
        {"no dropout", "dropout", "off"},
        {"full activation recomputation", "checkpoint", "full"},
        {"MFU 40 %", "efficiency", "0.4"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(said); i++)
        assert_says_only(said[i].words, said[i].field, said[i].value);
}

/* Whoever writes too much is told which word it is and how much there can be: nothing is left out
 * without a word, or cut. */
static void what_is_too_much_is_refused_by_its_word(void **state) {
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"13B, 99999999999 × A100 80 GB",
         "\"99999999999\" at column 6: gpus: write a whole number"},
        {"13B, 9e99 GPUs", "\"9e99\" at column 6: gpus"},
        {"13B, 0 × A100 80 GB", "\"0\" at column 6: gpus"},
        {"13B, 2e6 × DGX A100", "\"2e6\" at column 6: gpus"},
        {"13B, 5000000 nodes of 8 × A100", "\"5000000\" at column 6: gpus: write a whole number"},
        {"13B, A100, 5000000 nodes, 8 GPUs per node", "\"5000000\" at column 12: gpus"},
        {"13B, 8 × A100, 99999999999 nodes of 8 GPUs",
         "\"99999999999\" at column 16: from 1 to 10000000"},
        {"13B, 8 × A100, 40 nodes", "\"40\" at column 16: there are fewer GPUs"},
        {"13B, 16 × A100, 4294967304 GPUs per node", "\"4294967304\" at column 17"},
        {"13B, 8 × A100, sequence 99999999999", "\"99999999999\" at column 25: seq"},
        {"13B, 8 × A100, 4294967297 micro-batches", "\"4294967297\" at column 16: accumulate"},
        {"13B, 8 × A100, micro-batch 4294967297", "\"4294967297\" at column 28: batch"},
        {"13B, 8 × A100, accumulation 1e30", "\"1e30\" at column 29: accumulate"},
        {"13B, 8 × A100, stage 77777777777", "\"77777777777\" at column 22: stage"},
        {"13B, 8 × A100, global batch 1e30", "\"1e30\" at column 29: from 1 to 100000000"},
        {"13B, 8 × A100, 1e30 tokens", "\"1e30 tokens\" at column 16: from 1 to 1e+17"},
        {"13B, 8 × A100, host memory 1e40 GB", "\"1e40 GB\" at column 28: from 0 to 1e+18 bytes"},
        {"13B, 8 × A100, 1e40 GB of host memory",
         "\"1e40 GB\" at column 16: from 0 to 1e+18 bytes"},
        {"13B, 8 × A100, 1e9 NICs of 100 Gb/s", "\"1e9\" at column 16: from 1 to 10000000 network"},
        {"13B, 8 × A100, 1e20 days", "\"1e20 days\" at column 16"},
        {"13B, 8 × A100, 900 % of peak", "\"900 %\" at column 16: efficiency"},
        {"1e30 parameters, 8 × A100", "\"1e30 parameters\" at column 1: params: the count"},
        {"99999999999999999999B, 8 × A100", "\"99999999999999999999B\" at column 1: params"},
    };
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct memo_scenario s;
        struct base_message m = {0};
        if (memo_scenario_read(cases[i].line, &s, &m)) fail_msg("\"%s\" is read", cases[i].line);
        if (!strstr(m.what, cases[i].says)) fail_msg("\"%s\": %s", cases[i].line, m.what);
    }
}

static void bytes_beyond_all_machines_are_none(void **state) {
    static const char *const lines[] = {"7B, 8 x A100, 26000000000 GB of host memory",
                                        "7B, 8 x A100, 1e300 GB of host memory",
                                        "7B, 26000000000 GB", "7B, 8 GPUs with 26000000000 GB each",
                                        "7B, 8 GPUs with 13664000 TB each"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct memo_scenario s;
        struct base_message m;
        memo_scenario_read(lines[i], &s, &m);
        if (s.host_bytes > 1000000000000000000u || s.card_bytes > 1000000000000000000u)
            fail_msg("%s: more than an exabyte was taken", lines[i]);
    }
}

static void what_is_written_reads_back(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct memo_scenario s, again;
        struct base_message m = {0};
        memo_scenario_vary(seed, &s);
        char *line = written(&s);
        if (!memo_scenario_read(line, &again, &m)) fail_msg("%s: %s", line, m.what);
        char *twice = written(&again);
        assert_string_equal(line, twice);
        free(line);
        free(twice);
    }
}

/* The planner knows a configuration that fits; some are traps, and the words for them have
 * figures. */
static void scenarios_have_answers(void **state) {
    size_t traps = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct memo_scenario s;
        struct account_question q;
        struct account_plan plan;
        struct account_plans plans;
        struct account_error e = {0};
        struct base_text trap = {0};
        memo_scenario_vary(seed, &s);
        memo_scenario_question(&s, &q);
        if (!account_plan(&q, &plan, 1, &plans, &e) || !plans.found)
            fail_msg("seed %d: %s", (int)seed, e.what);
        if (s.days > 0)
            assert_true((double)s.tokens / plan.measured.tokens_per_s / 86400 <= s.days);
        traps += memo_scenario_trap(&s, &trap);
        base_text_free(&trap);
    }
    assert_true(traps >= 20 && traps < 60);
}

/* A memo that passes hears of the trap, and whether its own choice avoided it. */
static void whoever_passes_hears_of_the_trap(void **state) {
    static const struct {
        bool passes;
        uint8_t stage;
        uint32_t accumulate;
        /* NULL: nothing */
        const char *says;
    } cases[] = {
        {false, 1, 8, NULL},
        {true, 1, 8, "The trap you avoided: Stages 2"},
        {true, 2, 1, "The trap you avoided: Stages 2"},
        {true, 2, 8, "You pay for the trap here:"},
    };
    struct memo_config config[2] = {0};
    struct memo_report r = {.config = config};
    struct base_message m = {0};
    (void)state;
    const char *line = "Llama 2 13B, 16 × A100 80 GB, 2 GPUs a node, 25 Gb/s Ethernet, "
                       "sequence 2048, micro-batch 1, global batch 128";
    if (!memo_scenario_read(line, &config[MEMO_THE_SCENARIO].is, &m)) fail_msg("%s", m.what);
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        struct base_text t = {0};
        r.passes = cases[i].passes;
        config[MEMO_THE_DECISION] = config[MEMO_THE_SCENARIO];
        config[MEMO_THE_DECISION].is.training.stage = cases[i].stage;
        config[MEMO_THE_DECISION].is.training.accumulate = cases[i].accumulate;
        bool told = memo_trap(&r, &t);
        if (told != (cases[i].says != NULL) || (told && !strstr(t.s, cases[i].says)))
            fail_msg("%zu: %s", i, told ? t.s : "nothing");
        base_text_free(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_read_as_people_write_them),
        cmocka_unit_test(limits_links_and_deadlines_are_read),
        cmocka_unit_test(ways_to_say_it_are_one),
        cmocka_unit_test(rates_are_of_one_gpu),
        cmocka_unit_test(what_cannot_be_read_is_asked_about),
        cmocka_unit_test(all_that_mem_can_say_a_head_can),
        cmocka_unit_test(all_that_is_read_is_written),
        cmocka_unit_test(words_that_people_use_for_fields_are_read),
        cmocka_unit_test(what_is_too_much_is_refused_by_its_word),
        cmocka_unit_test(bytes_beyond_all_machines_are_none),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(scenarios_have_answers),
        cmocka_unit_test(whoever_passes_hears_of_the_trap),
    };
    return cmocka_run_group_tests_name("memo/scenario", tests, NULL, NULL);
}
