/* DeepSpeed's estimators, runtime/zero/stage_1_and_2.py and stage3.py, and what its documentation
 * prints of them. They count model states: 18 bytes a parameter with both copies of the gradients,
 * on the host 16 or 18, and while the model is built an fp32 copy a process; all on the host is
 * multiplied by a factor that the user gives. Their "GB" is GiB. */
#include "oracle/oracle.h"

struct asked {
    double params, largest, per_node, nodes, factor;
};
/* bytes on the host and on a GPU */
struct capacity {
    double host, gpu;
};

static double ranks(const struct asked *q) {
    return q->per_node * q->nodes;
}

static struct account_training zero(const struct asked *q, const char *more) {
    return trained("params=%.0f gpus=%.0f gpus_per_node=%.0f %s", q->params, ranks(q), q->per_node,
                   more);
}

static double on_host(const struct asked *q, const char *more) {
    struct account_training t = zero(q, more);
    return (double)memory_of(&t).host.total;
}

/* A whole fp32 model in each of so many processes. */
static double built(double params, double processes) {
    struct account_training t = trained("params=%.0f gpus=%.0f precision=fp32", params, processes);
    return (double)memory_of(&t).gpu.bytes[ACCOUNT_PARAMS] * processes;
}

/* The layer at work, gathered, and its gradients: a model of its own. */
static double one_layer(const struct asked *q) {
    struct account_training t = trained("params=%.0f", q->largest);
    struct account_ledger l = memory_of(&t).gpu;
    return (double)(l.bytes[ACCOUNT_PARAMS] + l.bytes[ACCOUNT_GRADS]);
}

static double greater(double a, double b) {
    return a > b ? a : b;
}

/* ── stage 2 ───────────────────────────────────────────────────────────────────────────────────*/

/* The estimator counts one of the two 16-bit copies of the gradient shard that the update holds. */
static double update_of_stage_2(const struct asked *q) {
    struct account_training t = zero(q, "recipe=deepspeed stage=2");
    struct account_memory m = memory_of(&t);
    return (double)(m.phase[ACCOUNT_UPDATE].ledger.total - m.gpu.bytes[ACCOUNT_GRADS]);
}

/* Offloading, it lets every process of the job build its model on this host, and every node hold
 * all the states: with more nodes than one its host is greater than ours by their number. */
static struct capacity stage_2(const struct asked *q, bool offload) {
    struct account_training t = zero(q, "stage=2 offload_optimizer=host");
    double gpu = offload ? total(&t) : update_of_stage_2(q);
    double all = on_host(q, "stage=2 offload_optimizer=host") * q->nodes;
    double build = built(q->params, offload ? ranks(q) : q->per_node);
    return (struct capacity){q->factor * (offload ? greater(build, all) : build), gpu};
}

/* ── stage 3 ───────────────────────────────────────────────────────────────────────────────────*/

static double states_of_stage_3(const struct asked *q) {
    struct account_training t = zero(q, "stage=3 grad_dtype=fp32");
    return total(&t);
}

static double shards_of_stage_3(const struct asked *q) {
    struct account_training t = zero(q, "stage=3 offload_optimizer=host");
    return total(&t);
}

static const char *const everything_away = "stage=3 offload_optimizer=host offload_params=host";
static const char *const states_away = "stage=3 offload_optimizer=host";

/* `row` in the estimator's order: parameters and states offloaded, states, nothing; of each first
 * with the model built in shards. */
static struct capacity stage_3(const struct asked *q, int row) {
    double build = built(q->params, q->per_node), layer = one_layer(q);
    bool whole = row % 2;
    if (row / 2 == 2) {
        double host = whole ? build : built(q->largest, q->per_node);
        return (struct capacity){q->factor * host, states_of_stage_3(q) + layer};
    }
    double away = on_host(q, row / 2 ? states_away : everything_away);
    double gpu = row / 2 ? shards_of_stage_3(q) + layer : layer;
    return (struct capacity){q->factor * (whole ? greater(build, away) : away), gpu};
}

/* ── runs ──────────────────────────────────────────────────────────────────────────────────────*/

static struct asked asked_of(const json_t *row) {
    return (struct asked){num(row, "inputs/total_params"),
                          num_or(row, "inputs/largest_layer_params", 0),
                          num(row, "inputs/num_gpus_per_node"), num(row, "inputs/num_nodes"),
                          num(row, "inputs/additional_buffer_factor")};
}

/* Shards are whole elements, and stage 2's a multiple of two: up to 20 bytes for each element
 * more. */
static double padding(const struct asked *q) {
    return fmod(q->params, 2 * ranks(q)) == 0 ? 0 : 40;
}

static void compare(const json_t *row, const struct asked *q, const char *key, struct capacity r) {
    near(row, key, r.host, num(row, path("expected/%s/cpu_bytes", key)),
         q->factor * q->per_node * padding(q));
    near(row, key, r.gpu, num(row, path("expected/%s/gpu_bytes", key)), padding(q));
    near(row, key, r.host / GiB, num(row, path("expected/%s/cpu_GB2", key)), 0.005 + 1e-9);
    near(row, key, r.gpu / GiB, num(row, path("expected/%s/gpu_GB2", key)), 0.005 + 1e-9);
}

static void check_stage_2(const json_t *row) {
    struct asked q = asked_of(row);
    compare(row, &q, "offload_optimizer=cpu", stage_2(&q, true));
    compare(row, &q, "offload_optimizer=none", stage_2(&q, false));
}

static void check_stage_3(const json_t *row) {
    static const char *const keys[] = {"offload_param=cpu,offload_optimizer=cpu",
                                       "offload_param=none,offload_optimizer=cpu",
                                       "offload_param=none,offload_optimizer=none"};
    struct asked q = asked_of(row);
    for (int i = 0; i < 6; i++) {
        const char *key = path("%s,zero_init=%d", keys[i / 2], i % 2 == 0);
        compare(row, &q, key, stage_3(&q, i));
    }
}

/* ── documentation ─────────────────────────────────────────────────────────────────────────────*/

/* Models that the documentation names by rounded counts. */
#define T0_3B    2783959040.0
#define T5_3B    2851598336.0
#define T5_EMBED 65798144.0 /* 32128 × 2048 */

static void check_printed(const json_t *row, const char *where, struct capacity r) {
    near(row, where, r.host / GiB, num(row, path("%s/0", where)), 0.01);
    near(row, where, r.gpu / GiB, num(row, path("%s/1", where)), 0.01);
}

static void check_T0(const json_t *row) {
    struct asked q = {T0_3B, T5_EMBED, num(row, "inputs/gpus"), 1, 1.5};
    for (int i = 0; i < 6; i++) check_printed(row, path("expected/rows/%d", i), stage_3(&q, i));
}

/* 15.93 is of an older formula, 4P + 16P/N; today's code has 2P + 18P/N. */
static void check_stale(const json_t *row, const struct asked *q, double printed) {
    near(row, "today's", stage_2(q, false).gpu / GiB, 11.28, 0.01);
    near(row, "the stale one", printed,
         (2 * stage_2(q, true).gpu + 16 * q->params / ranks(q)) / GiB, 0.01);
}

static void check_t5_cold(const json_t *row) {
    struct asked q = {num(row, "inputs/total_params"), num(row, "inputs/largest_layer_params"),
                      num(row, "inputs/gpus_per_node"), num(row, "inputs/nodes"), 1.5};
    check_printed(row, "expected/zero2/offload", stage_2(&q, true));
    for (int i = 0; i < 6; i++) check_printed(row, path("expected/zero3/%d", i), stage_3(&q, i));
    check_stale(row, &q, num(row, "expected/zero2/none/1"));
}

static void check_t5_live(const json_t *row) {
    struct asked q = {T5_3B, T5_EMBED / 2, num(row, "inputs/gpus_per_node"),
                      num(row, "inputs/nodes"), 1.5};
    struct capacity away = stage_2(&q, true), here = stage_2(&q, false);
    near(row, "host", away.host / GiB, num(row, "expected/offload/cpu_GB"), 0.01);
    near(row, "GPU", away.gpu / GiB, num(row, "expected/offload/gpu_GB"), 0.01);
    near(row, "host", here.host / GiB, num(row, "expected/none/cpu_GB"), 0.01);
    check_stale(row, &q, num(row, "expected/none/gpu_GB"));
}

static double count_at(const json_t *row, const char *where) {
    uint64_t count = 0;
    struct account_error e = {0};
    if (!account_read_count(json_string_value(at(row, where)), &count, &e)) fail_msg("%s", e.what);
    return (double)count;
}

static void check_t5_large(const json_t *row) {
    struct asked q = {count_at(row, "inputs/total_params"), count_at(row, "inputs/largest_layer"),
                      num(row, "inputs/total_gpus"), 1, 1.5};
    near(row, "1", stage_3(&q, 4).gpu / MiB, num(row, "expected/case1_MiB"), 1);
    near(row, "2", stage_3(&q, 0).gpu / MiB, num(row, "expected/case2_MiB"), 1);
    near(row, "3", stage_3(&q, 2).gpu / MiB, num(row, "expected/case3_MiB"), 1);
}

const struct adapter oracle_estimators[] = {
    {"ds.zero2est.", REPRODUCED, check_stage_2, NULL},
    {"ds.zero3est.", REPRODUCED, check_stage_3, NULL},
    {"ds.docs.T0_3B.", REPRODUCED, check_T0, NULL},
    {"ds.docs.t5-3b.cold", REPRODUCED, check_t5_cold, NULL},
    {"ds.docs.t5-3b.zero2", REPRODUCED, check_t5_live, NULL},
    {"ds.docs.t5-large", REPRODUCED, check_t5_large, NULL},
    {NULL, REPRODUCED, NULL, NULL},
};
