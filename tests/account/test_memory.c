/* Memory over a step: what each recipe holds, and where its highest moment lies. The numbers are
 * the implementations' own, from their source or documentation (P = 6 738 415 616 is Llama-2-7B);
 * the engine must reach them from its rows. */
#include "account/check.h"

#include <stdio.h>
#include <string.h>

#define P 6738415616.0

struct row {
    const char *source, *training;
    /* 0: not asked */
    double params, grads, master, moments, peak;
};

static void check(const struct row *r) {
    struct account_training t = training_of(r->training);
    struct account_memory m;
    struct account_error e = {0};
    if (!account_memory(&t, &m, &e)) fail_msg("%s: %s", r->source, e.what);
    const double wanted[] = {r->params, r->grads, r->master, r->moments};
    for (int c = 0; c < 4; c++) assert_same((double)m.gpu.bytes[c], wanted[c], r->source);
    if (r->peak > 0) assert_same((double)m.phase[m.peak].ledger.total, r->peak, r->source);
}

static void recipes_hold_what_their_source_says(void **state) {
    (void)state;
    static const struct row rows[] = {
        {"ZeRO, figure 1, stage 2", "params=7.5e9 gpus=64 stage=2", 15e9, 15e9 / 64, 30e9 / 64,
         60e9 / 64, 16.640625e9},
        /* DeepSpeed, stage_1_and_2.py: 2P + 14P/N resident, 2P + 20P/N at the cast of step() */
        {"DeepSpeed stage 2", "model=llama-2-7b gpus=8 stage=2 recipe=deepspeed", 2 * P, P / 4,
         P / 2, P, 2 * P + 20 * P / 8},
        /* bf16_optimizer.py: whole fp32 gradients, and backward's own beside them: 8P + 12P/N */
        {"BF16_Optimizer", "model=llama-2-7b gpus=8 stage=1 recipe=deepspeed grad_dtype=fp32",
         2 * P, 4 * P, P / 2, P, 8 * P + 12 * P / 8},
        {"BF16_Optimizer, 13e9", "params=13e9 gpus=8 stage=1 recipe=deepspeed grad_dtype=fp32",
         26e9, 52e9, 6.5e9, 13e9, 123.5e9},
        /* Megatron-LM, dist_optimizer.md: 6 + 12/d under bf16, 4 + 16/d under fp16, 8 + 8/d in fp32
         */
        {"distributed optimizer, bf16", "params=13e9 gpus=8 stage=1 recipe=megatron", 26e9, 52e9,
         6.5e9, 13e9, 97.5e9},
        {"distributed optimizer, fp16",
         "params=13e9 gpus=8 stage=1 recipe=megatron precision=mixed-fp16", 26e9, 26e9 + 6.5e9,
         6.5e9, 13e9, 78e9},
        {"distributed optimizer, fp32", "params=13e9 gpus=8 stage=1 recipe=megatron precision=fp32",
         52e9, 52e9, 0, 13e9, 117e9},
        {"Megatron without it, fp16", "params=13e9 gpus=8 recipe=megatron precision=mixed-fp16",
         26e9, 78e9, 52e9, 104e9, 260e9},
        /* FSDP: fp32 shards are the master copy */
        {"FSDP, 128 ranks", "params=8e9 gpus=128 stage=3 recipe=fsdp1", 32e9 / 128, 32e9 / 128, 0,
         64e9 / 128, 0},
        /* ZeRO-Offload, arXiv:2101.06840, table 1: 2M with gradients and update on the CPU */
        {"ZeRO-Offload", "params=1e9 gpus=1 stage=2 offload_optimizer=host", 2e9, 0, 0, 0, 2e9},
        {"its second row", "params=1e9 gpus=1 stage=1 offload_optimizer=host", 2e9, 2e9, 0, 0, 4e9},
        /* QLoRA, arXiv:2305.14314: 4.127 bits for the matrices, 16 bits elsewhere */
        {"LoRA, r = 8", "model=llama-2-7b lora=8", 13476831232 + 4 * 4194304.0, 4 * 4194304.0, 0,
         8 * 4194304.0, 13543940096},
        /* DeepSpeed, partition_parameters.py, _partition_param_sec */
        {"hpZ, 18B", "params=18e9 gpus=64 gpus_per_node=16 stage=3 hpz=16",
         562500000 + 2250000000.0, 562500000, 1125000000, 2250000000, 6750000000},
        {"HSDP", "params=6.4e9 gpus=64 stage=3 shard_group=8", 1.6e9, 1.6e9, 3.2e9, 6.4e9, 12.8e9},
        {"tensor parallel divides first", "params=70e9 gpus=64 tp=8 stage=3", 140e9 / 64,
         140e9 / 64, 280e9 / 64, 560e9 / 64, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check(&rows[i]);
}

static struct account_memory memory_of(const char *training) {
    struct account_training t = training_of(training);
    struct account_memory m;
    struct account_error e = {0};
    if (!account_memory(&t, &m, &e)) fail_msg("%s: %s", training, e.what);
    return m;
}

/* 16P over the nodes: fp32 parameters, gradients and two moments. */
static void hosts_hold_what_gpus_do_not(void **state) {
    (void)state;
    struct account_memory m =
        memory_of("model=llama-2-7b gpus=32 gpus_per_node=8 stage=2 offload_optimizer=host");
    assert_same((double)m.host.total, 16 * P / 4, "a node's part");
    m = memory_of("params=40e9 gpus=1 stage=3 offload_optimizer=nvme offload_params=host");
    assert_same((double)m.nvme.total, 640e9, "16 bytes a parameter on NVMe");
    assert_same((double)m.host.total, 80e9, "16-bit parameters on the host");
    /* without a master copy the host needs weights of its own to update */
    m = memory_of("params=1e9 stage=2 precision=fp32 offload_optimizer=host");
    assert_same((double)m.host.total, 16e9, "fp32: weights, gradients, two moments");
    m = memory_of("params=1e9 stage=2 precision=bf16 offload_optimizer=host");
    assert_same((double)m.host.total, 8e9, "all of it in bf16");
    m = memory_of("params=1e9 gpus=4 stage=3 recipe=fsdp2 offload_optimizer=host "
                  "offload_params=host");
    assert_same((double)m.host.total, 16e9, "FSDP's shards are those weights");
    assert_int_equal(m.gpu.total, 0);
    assert_string_equal(m.phase[m.peak].where, "backward");
}

static void moments_have_their_place(void **state) {
    (void)state;
    static const struct {
        const char *training, *where;
        enum account_phase phase;
    } rows[] = {
        {"params=7e9 gpus=8 stage=1", "backward", ACCOUNT_BACKWARD},
        {"model=llama-2-7b gpus=8 stage=2 recipe=deepspeed", "update", ACCOUNT_UPDATE},
        {"model=llama-2-7b gpus=8 stage=2 recipe=deepspeed batch=4 seq=4096", "backward, logits",
         ACCOUNT_BACKWARD},
        {"model=llama-3-8b gpus=64 stage=3 recipe=fsdp2 batch=1 seq=8192 checkpoint=full",
         "backward, logits", ACCOUNT_BACKWARD},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_memory m = memory_of(rows[i].training);
        if (m.peak != rows[i].phase || strcmp(m.phase[m.peak].where, rows[i].where) != 0)
            fail_msg("%s: %s", rows[i].training, m.phase[m.peak].where);
    }
}

/* Nothing but a named card brings the framework, nothing but a recipe with buffers brings
 * buffers. */
static void nothing_unasked(void **state) {
    (void)state;
    struct account_memory m = memory_of("model=llama-2-7b gpus=8 stage=3");
    for (int c = ACCOUNT_ACTIVATIONS; c < ACCOUNT_CATEGORIES; c++)
        assert_int_equal(m.gpu.bytes[c], 0);
    m = memory_of("model=llama-2-7b gpus=8 stage=3 gpu=a100-80g recipe=deepspeed");
    assert_true(m.gpu.bytes[ACCOUNT_FRAMEWORK] > 1000000000);
    assert_true(m.gpu.bytes[ACCOUNT_GATHER] > 0 && m.gpu.bytes[ACCOUNT_REDUCE] > 0);
}

/* stage_1_and_2.py flattens what is trained, on the GPU where there is room and else on the host:
 * construction decides no fit. */
static void construction_decides_nothing(void **state) {
    (void)state;
    static const struct {
        const char *training;
        enum account_fit fits;
    } rows[] = {
        {"model=gpt3-13b gpus=1 gpu=v100-32g precision=mixed-fp16 recipe=deepspeed stage=2 "
         "offload_optimizer=host",
         ACCOUNT_FITS},
        {"model=llama-2-7b gpus=1 gpu=rtx-4090 lora=8 recipe=deepspeed stage=2", ACCOUNT_FITS},
        {"model=llama-2-7b gpus=1 gpu=rtx-4090 qlora=8 recipe=deepspeed stage=1", ACCOUNT_FITS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = training_of(rows[i].training);
        struct account_memory m = memory_of(rows[i].training);
        enum account_fit f = account_fit(m.phase[m.peak].ledger.total, account_card_bytes(t.card));
        if (f != rows[i].fits)
            fail_msg("%s: %s, %.2f GB", rows[i].training, account_fit_name(f),
                     (double)m.phase[m.peak].ledger.total / 1e9);
    }
}

/* stage3.py: the gradients' flat partition is allocated once; the bucket is, however small the
 * model. stage_1_and_2.py: 16-bit shards on the host beside the states that are offloaded, and the
 * accumulated gradients; a clone of the fp32 partition. */
static void deepspeed_holds_what_it_allocates(void **state) {
    (void)state;
    struct account_memory m = memory_of("model=llama-2-7b gpus=8 stage=3 recipe=deepspeed");
    assert_same((double)m.persistent.bytes[ACCOUNT_GRADS], P / 4, "gradients between steps");
    assert_same((double)m.highest[ACCOUNT_REDUCE], 2e9 + 2 * 202383360.0,
                "a bucket, its flat copy, a block's gradients");
    m = memory_of("model=gpt2 gpus=8 stage=3 recipe=deepspeed");
    assert_same((double)m.persistent.bytes[ACCOUNT_REDUCE], 1e9, "a bucket of 5e8 elements");
    double table = 2 * 32000.0 * 4096; /* the largest tensor, in 16 bits */
    m = memory_of("model=llama-2-7b gpus=4 stage=2 recipe=deepspeed offload_optimizer=host");
    assert_same((double)m.host.total, 18 * P + 4 * table, "a node's");
    assert_same((double)m.persistent.bytes[ACCOUNT_STAGING], table, "a gradient on its way");
    m = memory_of(
        "model=llama-2-7b gpus=4 stage=2 recipe=deepspeed offload_optimizer=host accumulate=4");
    assert_same((double)m.host.total, 20 * P + 4 * table, "with accumulated gradients");
    m = memory_of("model=llama-2-7b gpus=4 stage=3 recipe=deepspeed offload_optimizer=host");
    assert_same((double)m.host.total, 18 * P, "stage 3 keeps its flat gradients there");
    m = memory_of("model=llama-2-7b gpus=8 stage=2 recipe=deepspeed precision=fp32");
    assert_same((double)m.gpu.bytes[ACCOUNT_MASTER], P / 2, "the clone");
}

/* _fsdp_collectives.py, foreach_reduce: what is reduced is a copy of a unit's gradients in
 * reduce_dtype, kept until its reduce-scatter is over, while the next unit's come in the type the
 * GPU computes with. FSDP1 casts them (_runtime_utils.py, _post_backward_hook), and what it reduces
 * lives as long. Gathered: the root, the block at work and the one ahead; or, in FSDP2's forward,
 * the block and the buffer it was copied out of (_fsdp_param_group.py, wait_for_unshard). */
static void fsdp_reduces_in_the_type_it_was_told(void **state) {
    (void)state;
    static const struct {
        const char *training;
        /* bytes an element */
        double gathered, reduced;
    } rows[] = {
        {"recipe=fsdp2", 2, 2 + 2},
        {"recipe=fsdp2 reduce_dtype=16bit", 2, 2 + 2},
        {"recipe=fsdp2 reduce_dtype=fp32", 2, 2 + 4},
        {"recipe=fsdp2 reduce_dtype=fp32 precision=bf16", 2, 2 + 4},
        {"recipe=fsdp2 reduce_dtype=fp32 stage=2", 0, 2 + 4},
        {"recipe=fsdp1", 2, 2 + 2},
        {"recipe=fsdp1 reduce_dtype=fp32", 2, 2 + 4},
        {"recipe=fsdp1 reduce_dtype=fp32 precision=mixed-fp16", 2, 2 + 4},
        {"recipe=fsdp1 precision=fp32", 4, 4 + 4},
    };
    double block = 202383360, root = 2.0 * 32000 * 4096 + 4096;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char training[160];
        snprintf(training, sizeof training, "model=llama-2-7b gpus=8 stage=3 %s", rows[i].training);
        struct account_memory m = memory_of(training);
        assert_same((double)m.highest[ACCOUNT_REDUCE], rows[i].reduced * block, rows[i].training);
        if (rows[i].gathered > 0)
            assert_same((double)m.highest[ACCOUNT_GATHER], rows[i].gathered * (root + 2 * block),
                        rows[i].training);
    }
}

/* Without prefetch FSDP2 holds two units while it copies out, and one while it computes; with more
 * ahead, those too. */
static void fsdp_gathers_what_is_ahead(void **state) {
    (void)state;
    static const struct {
        const char *training;
        unsigned blocks, in_backward;
    } rows[] = {
        {"recipe=fsdp1 prefetch=0", 1, 1}, {"recipe=fsdp2 prefetch=0", 2, 1},
        {"recipe=fsdp1 prefetch=1", 2, 2}, {"recipe=fsdp2 prefetch=1", 2, 2},
        {"recipe=fsdp1 prefetch=2", 3, 3}, {"recipe=fsdp2 prefetch=2", 3, 3},
    };
    double block = 202383360, root = 2.0 * 32000 * 4096 + 4096;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char training[160];
        snprintf(training, sizeof training, "model=llama-2-7b gpus=8 stage=3 %s", rows[i].training);
        struct account_memory m = memory_of(training);
        double backward = (double)m.phase[ACCOUNT_BACKWARD].ledger.bytes[ACCOUNT_GATHER];
        assert_same((double)m.highest[ACCOUNT_GATHER], 2 * (root + rows[i].blocks * block),
                    rows[i].training);
        assert_same(backward, 2 * (root + rows[i].in_backward * block), rows[i].training);
    }
}

/* engine.py, communication_data_type: the model's own type, whatever gradients are added up in.
 * stage3.py allocates its bucket in the type of communication; stage_1_and_2.py, setup_buckets, in
 * the model's, and casts what it reduces (allreduce_bucket). */
static void deepspeed_buckets_are_in_the_type_that_travels(void **state) {
    (void)state;
    static const struct {
        const char *training;
        /* bytes an element of the bucket's 5e8 */
        double held, reduced;
    } rows[] = {
        {"stage=3", 2, 2 + 2},
        {"stage=3 grad_dtype=fp32", 2, 2 + 2},
        {"stage=3 grad_dtype=fp32 precision=mixed-fp16", 2, 2 + 2},
        {"stage=3 reduce_dtype=fp32", 4, 4 + 4},
        {"stage=3 grad_dtype=fp32 reduce_dtype=fp32", 4, 4 + 4},
        {"stage=3 grad_dtype=fp32 reduce_dtype=16bit", 2, 2 + 2},
        {"stage=3 precision=fp32", 4, 4 + 4},
        {"stage=3 precision=fp32 reduce_dtype=16bit", 2, 2 + 2},
        {"stage=2 precision=fp32 reduce_dtype=16bit", 0, 4 + 4 + 2},
        {"stage=3 precision=bf16", 2, 2 + 2},
        {"stage=2", 0, 2 + 2},
        {"stage=2 grad_dtype=fp32", 0, 2 + 2},
        {"stage=2 reduce_dtype=fp32", 0, 2 + 2 + 4},
        {"stage=1 reduce_dtype=fp32", 0, 2 + 2 + 4},
        {"stage=1 precision=fp32", 0, 4 + 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char training[160];
        snprintf(training, sizeof training, "params=7e9 gpus=8 recipe=deepspeed %s",
                 rows[i].training);
        struct account_memory m = memory_of(training);
        assert_same((double)m.persistent.bytes[ACCOUNT_REDUCE], 5e8 * rows[i].held,
                    rows[i].training);
        assert_same((double)m.highest[ACCOUNT_REDUCE], 5e8 * rows[i].reduced, rows[i].training);
    }
    struct account_memory given =
        memory_of("params=7e9 gpus=8 recipe=deepspeed stage=3 bucket=1e8 grad_dtype=fp32");
    assert_same((double)given.persistent.bytes[ACCOUNT_REDUCE], 2e8, "1e8 elements");
    given = memory_of("params=7e9 gpus=8 recipe=deepspeed stage=2 bucket=1GB reduce_dtype=fp32");
    assert_same((double)given.highest[ACCOUNT_REDUCE], 1e9 + 1e9 + 2e9, "5e8 elements of 2 B");
}

/* stage_1_and_2.py, __init__: 2Ψ of parameters and 2Ψ of a flat copy, where the card has room for
 * it; else the host flattens. */
static void the_peak_may_be_at_the_start(void **state) {
    (void)state;
    static const struct {
        const char *training;
        enum account_phase peak;
        /* 0: not asked */
        double total;
    } rows[] = {
        {"params=13e9 gpus=64 stage=2 recipe=deepspeed", ACCOUNT_INIT, 4 * 13e9},
        {"params=13e9 gpus=64 stage=2 recipe=deepspeed offload_optimizer=host", ACCOUNT_INIT,
         4 * 13e9},
        {"params=13e9 gpus=64 stage=2 recipe=deepspeed gpu=v100-32g precision=mixed-fp16",
         ACCOUNT_BACKWARD, 0},
        {"params=13e9 gpus=64 stage=1 recipe=deepspeed", ACCOUNT_BACKWARD, 0},
        {"params=13e9 gpus=64 stage=3 recipe=deepspeed", ACCOUNT_BACKWARD, 0},
        {"params=13e9 gpus=64 stage=3 recipe=fsdp2", ACCOUNT_BACKWARD, 0},
        {"params=13e9 gpus=64 recipe=ddp", ACCOUNT_BACKWARD, 0},
        {"params=13e9 gpus=64 stage=1 recipe=megatron", ACCOUNT_BACKWARD, 0},
        {"params=13e9 gpus=64 stage=2", ACCOUNT_BACKWARD, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_memory m = memory_of(rows[i].training);
        if (m.peak != rows[i].peak)
            fail_msg("%s: %s", rows[i].training, account_phase_name(m.peak));
        if (rows[i].total > 0)
            assert_same((double)m.phase[m.peak].ledger.total, rows[i].total, rows[i].training);
        for (int p = 0; p < ACCOUNT_PHASES; p++)
            assert_true(m.phase[p].ledger.total <= m.phase[m.peak].ledger.total);
    }
}

static void larger_buckets_never_help(void **state) {
    (void)state;
    uint64_t before = 0;
    static const char *const buckets[] = {"1e8", "2e8", "5e8", "2e9"};
    for (size_t i = 0; i < sizeof buckets / sizeof *buckets; i++) {
        char training[128];
        snprintf(training, sizeof training, "params=13e9 gpus=8 stage=2 recipe=deepspeed bucket=%s",
                 buckets[i]);
        struct account_memory m = memory_of(training);
        assert_true(m.gpu.bytes[ACCOUNT_REDUCE] > before);
        before = m.gpu.bytes[ACCOUNT_REDUCE];
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recipes_hold_what_their_source_says),
        cmocka_unit_test(hosts_hold_what_gpus_do_not),
        cmocka_unit_test(moments_have_their_place),
        cmocka_unit_test(nothing_unasked),
        cmocka_unit_test(construction_decides_nothing),
        cmocka_unit_test(deepspeed_holds_what_it_allocates),
        cmocka_unit_test(fsdp_reduces_in_the_type_it_was_told),
        cmocka_unit_test(fsdp_gathers_what_is_ahead),
        cmocka_unit_test(deepspeed_buckets_are_in_the_type_that_travels),
        cmocka_unit_test(the_peak_may_be_at_the_start),
        cmocka_unit_test(larger_buckets_never_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
