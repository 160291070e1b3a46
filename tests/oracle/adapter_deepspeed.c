/* What DeepSpeed allocates and sends: recipe `deepspeed`, read off phases, categories and
 * collectives. */
#include "oracle/oracle.h"

/* ── shards ────────────────────────────────────────────────────────────────────────────────────*/

/* Elements of an fp32 master shard. */
static double shard(double params, double ranks, unsigned stage) {
    struct account_training t =
        trained("recipe=deepspeed params=%.0f gpus=%.0f stage=%u", params, ranks, stage);
    return (double)memory_of(&t).gpu.bytes[ACCOUNT_MASTER] / 4;
}

static void check_flat(const json_t *row) {
    for (size_t i = 0; i < length(row, "inputs/cases"); i++) {
        double params = num(row, path("inputs/cases/%zu/0", i));
        double ranks = num(row, path("inputs/cases/%zu/1", i));
        for (unsigned stage = 1; stage < 3; stage++) {
            double own = shard(params, ranks, stage);
            same(row, own, path("expected/shard/%zu", i));
            same(row, own * ranks, path("expected/padded/%zu", i));
        }
    }
}

/* A model of one tensor each. */
static void check_tensors(const json_t *row) {
    double ranks = num(row, "inputs/N");
    for (size_t i = 0; i < length(row, "inputs/numels"); i++) {
        double own = shard(num(row, path("inputs/numels/%zu", i)), ranks, 3);
        same(row, own, path("expected/partition/%zu", i));
        same(row, own * ranks, path("expected/aligned/%zu", i));
    }
}

/* ── the step ──────────────────────────────────────────────────────────────────────────────────*/

/* At the cast three copies of the gradient shard live; the two in 16 bits are gone when Adam runs.
 * The estimator counts one of them. */
static void check_peak_of_stage_2(const json_t *row) {
    struct account_training t = trained("recipe=deepspeed stage=2 params=%.0f gpus=%u",
                                        num(row, "inputs/params"), small(row, "inputs/N"));
    struct account_memory m = memory_of(&t);
    double cast = (double)m.phase[ACCOUNT_UPDATE].ledger.total;
    double averaged = (double)m.gpu.bytes[ACCOUNT_GRADS];
    same(row, states(&t), "expected/resident");
    same(row, cast, "expected/eager_moment_of_cast");
    same(row, cast - averaged, "expected/estimator_step_peak");
    same(row, cast - 2 * averaged, "expected/during_adam");
}

/* Whole fp32 gradients beside the 16-bit ones, while they are added in. */
static void check_bf16_optimizer(const json_t *row) {
    struct account_training t =
        trained("recipe=deepspeed stage=1 grad_dtype=fp32 params=%.0f gpus=%u",
                num(row, "inputs/params"), small(row, "inputs/N"));
    struct account_ledger backward = memory_of(&t).phase[ACCOUNT_BACKWARD].ledger;
    same(row, states(&t), "expected/resident");
    double buckets = (double)backward.bytes[ACCOUNT_REDUCE];
    same(row, (double)backward.total - buckets, "expected/peak");
}

/* In-place gathers: stages 1 and 2 have no gather buffer that a bucket could size. */
static void check_gather_bucket(const json_t *row) {
    for (unsigned stage = 1; stage < 3; stage++) {
        struct account_training t = trained("recipe=deepspeed stage=%u params=7.5e9 gpus=8", stage);
        for (size_t i = 0; i < length(row, "expected/extra_bytes"); i++)
            same(row, (double)memory_of(&t).highest[ACCOUNT_GATHER],
                 path("expected/extra_bytes/%zu", i));
    }
}

/* A bare Ψ has no units, so nothing but buckets is reduced. */
static void check_bucket(const json_t *row) {
    struct account_training t =
        trained("recipe=deepspeed params=40e9 gpus=16 stage=%u precision=%s grad_dtype=%s "
                "reduce_dtype=%s bucket=%.0f",
                small(row, "inputs/stage"), json_string_value(at(row, "inputs/precision")),
                json_string_value(at(row, "inputs/grad_dtype")),
                json_string_value(at(row, "inputs/reduce_dtype")), num(row, "inputs/elements"));
    struct account_memory m = memory_of(&t);
    same(row, (double)m.persistent.bytes[ACCOUNT_REDUCE], "expected/held");
    same(row, (double)m.highest[ACCOUNT_REDUCE], "expected/in_backward");
}

/* ── stage 3's limits, found by their effects ──────────────────────────────────────────────────*/

static struct account_memory stage_3(const char *more) {
    struct account_training t = trained("recipe=deepspeed stage=3 params=1e12 gpus=8 %s", more);
    return memory_of(&t);
}

static struct account_memory stage_3_of(uint32_t hidden, const char *more) {
    struct account_training t = trained("recipe=deepspeed stage=3 gpus=8 %s", more);
    give_shape(&t, shape_of("llama", 8, hidden, 1, 4 * hidden, 1000));
    return memory_of(&t);
}

static uint32_t largest_kept_whole(void) {
    uint32_t low = 1, high = 1u << 20;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        bool kept = stage_3_of(middle, "").persistent.bytes[ACCOUNT_GATHER] > 0;
        if (kept)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* allgather_bucket_size has no effect (ds.allgather_bucket.noop), stage3_max_reuse_distance none on
 * the peak. */
static void check_defaults(const json_t *row) {
    struct account_memory bare = stage_3("");
    double copies = (double)(bare.phase[ACCOUNT_UPDATE].ledger.bytes[ACCOUNT_GRADS] -
                             bare.gpu.bytes[ACCOUNT_GRADS]);
    double ahead = (double)(stage_3_of(32768, "").highest[ACCOUNT_GATHER] -
                            stage_3_of(32768, "prefetch=0").highest[ACCOUNT_GATHER]);
    same(row, (double)bare.persistent.bytes[ACCOUNT_REDUCE] / 2, "expected/reduce_bucket_size");
    same(row, (double)bare.highest[ACCOUNT_GATHER] / 2, "expected/stage3_max_live_parameters");
    same(row, copies / 4, "expected/sub_group_size");
    same(row, ahead / 2, "expected/stage3_prefetch_bucket_size");
    same(row, largest_kept_whole(), "expected/stage3_param_persistence_threshold");
}

static void check_small_tensors(const json_t *row) {
    uint32_t h = small(row, "inputs/hidden");
    struct account_training t = trained("recipe=deepspeed stage=3 gpus=8");
    give_shape(&t, shape_of("llama", small(row, "inputs/layers"), h, h / 128, 4 * h, 32000));
    double kept = (double)memory_of(&t).persistent.bytes[ACCOUNT_GATHER];
    same(row, kept, "expected/extra_bytes_fp16");
    same(row, kept / 2, "expected/persistent_numel");
}

/* ── traffic ───────────────────────────────────────────────────────────────────────────────────*/

static struct account_traffic sent(const char *recipe, unsigned stage, const json_t *row) {
    struct account_training t = trained("recipe=%s stage=%u params=7.5e9 gpus=8 accumulate=%u",
                                        recipe, stage, small(row, "inputs/m"));
    return traffic_of(&t);
}

static double times(const struct account_traffic *t, const char *what) {
    return leg_of(t, what)->windows;
}

static void check_accumulation(const json_t *row) {
    same(row, sent("ddp", 0, row).volume_params, "expected/ddp_no_sync");
    for (unsigned stage = 1; stage < 3; stage++) {
        struct account_traffic ours = sent("deepspeed", stage, row);
        same(row, sent("paper", stage, row).volume_params,
             path("expected/stage%u/algorithmic_units", stage));
        same(row, ours.volume_params, path("expected/stage%u/default_allreduce_units", stage));
        same(row, times(&ours, "reduce gradients"),
             path("expected/stage%u/grad_reduce_calls", stage));
        same(row, times(&ours, "updated parameters"), path("expected/stage%u/ag", stage));
    }
    struct account_traffic ours = sent("deepspeed", 3, row);
    same(row, ours.volume_params, "expected/stage3/units");
    same(row, times(&ours, "for forward"), "expected/stage3/fwd_ag");
    same(row, times(&ours, "for backward"), "expected/stage3/bwd_ag");
    same(row, times(&ours, "reduce gradients"), "expected/stage3/rs");
}

static void check_all_reduced_buckets(const json_t *row) {
    for (unsigned stage = 1; stage < 3; stage++) {
        double got[2];
        for (int i = 0; i < 2; i++) {
            struct account_training t =
                trained("recipe=%s stage=%u params=%.0f gpus=%u", i ? "deepspeed" : "paper", stage,
                        num(row, "inputs/params"), small(row, "inputs/N"));
            got[i] = (double)traffic_of(&t).total;
        }
        same(row, got[0], "expected/paper_bytes");
        same(row, got[1], "expected/default_bytes");
        same(row, got[1] / got[0], "expected/ratio");
    }
}

const struct adapter oracle_deepspeed[] = {
    {"ds.align.z12", REPRODUCED, check_flat, NULL},
    {"ds.align.z3", REPRODUCED, check_tensors, NULL},
    {"ds.allgather_bucket.noop", REPRODUCED, check_gather_bucket, NULL},
    {"ds.peak.z2", REPRODUCED, check_peak_of_stage_2, NULL},
    {"ds.bf16opt.z1", REPRODUCED, check_bf16_optimizer, NULL},
    {"ds.z3.defaults", REPRODUCED, check_defaults, NULL},
    {"ds.z3.persist", REPRODUCED, check_small_tensors, NULL},
    {"ds.comm.ga.", REPRODUCED, check_accumulation, NULL},
    {"ds.comm.multi_rank_allreduce", REPRODUCED, check_all_reduced_buckets, NULL},
    {"ds.bucket.", REPRODUCED, check_bucket, NULL},
    {NULL, REPRODUCED, NULL, NULL},
};
