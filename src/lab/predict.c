/* What the engine expects of a run before it runs, by its formulas: recipe zerolab. */
#include "lab/predict.h"

#include "lab/backend.h"
#include "lab/engine.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct account_shape shape_of(const struct lab_shape *s) {
    struct account_shape out = {.tied = !s->untied,
                                .layers = s->layers,
                                .hidden = s->width,
                                .heads = s->heads,
                                .kv_heads = s->heads,
                                .head_size = s->width / s->heads,
                                .ffn = 4 * s->width,
                                .vocab = s->vocab,
                                .context = s->seq};
    (void)account_family_find("gpt", &out.family);
    return out;
}

bool lab_training(const struct lab_options *o, struct account_training *t,
                  struct account_error *e) {
    static const char *const precisions[] = {"fp32", "mixed-bf16", "mixed-fp16"};
    static const uint8_t tiers[LAB_TIERS] = {ACCOUNT_GPU, ACCOUNT_HOST, ACCOUNT_NVME};
    *t = account_training_default();
    if (!account_set(t, "recipe", "zerolab", e) ||
        !account_set(t, "precision", precisions[o->compute], e) ||
        !account_set(t, "optimizer", o->optimizer ? "adam8bit" : "adamw", e) ||
        !account_set(t, "grad_dtype", o->grad_dtype ? "fp32" : "auto", e))
        return false;
    t->shape = shape_of(&o->shape);
    t->params = account_count_params(&t->shape);
    t->gpus = o->ranks;
    /* A group of one rank shards nothing: that is stage 0. */
    t->stage = o->shard_group == 1 ? 0 : (uint8_t)o->stage;
    t->shard_group = o->shard_group > 1 ? o->shard_group : 0;
    t->gpus_per_node = lab_node_ranks(o);
    t->hpz = o->hpz;
    t->qwz = o->qwz;
    t->qgz = o->qgz;
    t->sparse_gradients = o->sparse_gradients;
    t->batch = o->batch;
    t->seq = o->shape.seq;
    t->accumulate = o->accumulate;
    t->checkpoint = (uint8_t)o->checkpoint;
    t->flash = o->device == LAB_CUDA;
    t->bucket = o->bucket;
    t->prefetch = o->prefetch;
    t->offload_optimizer = tiers[o->offload_optimizer];
    t->offload_params = tiers[o->offload_params];
    return account_check(t, e);
}

/* The engine's moments in the lab's words. */
static void place(const struct lab_options *o, const char *where, char *out, size_t size) {
    static const struct {
        const char *where;
        enum lab_phase phase;
        /* −2: the last block; −3: the head; −4: the last norm; −1: none */
        int unit;
    } places[] = {
        {"forward, embedding", LAB_AT_FORWARD, 0},
        {"forward, first block", LAB_AT_FORWARD, 1},
        {"forward, last block", LAB_AT_FORWARD, -2},
        {"forward, last norm", LAB_AT_FORWARD, -4},
        {"forward, logits", LAB_AT_FORWARD, -3},
        {"backward, logits", LAB_AT_BACKWARD, -3},
        {"backward, last norm", LAB_AT_BACKWARD, -4},
        {"backward, last block", LAB_AT_BACKWARD, -2},
        {"backward, first block", LAB_AT_BACKWARD, 1},
        {"backward, embedding", LAB_AT_BACKWARD, 0},
        {"init", LAB_AT_INIT, -1},
        {"update", LAB_AT_UPDATE, -1},
    };
    (void)snprintf(out, size, "%s", where);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (strcmp(places[i].where, where) != 0) continue;
        struct lab_where w = {0, places[i].phase, places[i].unit};
        if (w.unit < -1) w.unit = (int)o->shape.layers + (w.unit == -3 ? 2 : w.unit == -4);
        (void)lab_where_text(out, size, &w, o->shape.layers);
    }
}

/* Losses are exchanged in every step; norms where they are asked for and no rank knows them all. */
static uint64_t control_of(const struct lab_options *o) {
    bool norm = lab_stage_of(o)->shards_moments && (o->clip > 0 || o->compute == LAB_F16);
    return (uint64_t)(o->steps - o->done) * (norm ? 2 : 1) * (o->ranks - 1) * sizeof(double);
}

/* The engine counts what a node's ranks hold together. */
static void put_tier(const struct lab_options *o, const struct account_ledger *node, uint64_t in,
                     uint64_t out, struct lab_held *h) {
    uint64_t steps = o->steps - o->done;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) h->bytes[c] = node->bytes[c] / lab_node_ranks(o);
    h->total = node->total / lab_node_ranks(o);
    h->in = in * steps;
    h->out = out * steps;
}

bool lab_predict(const struct lab_options *o, struct lab_prediction *out, struct lab_message *m) {
    static const enum account_collective_kind op[LAB_COLLECTIVES] = {
        ACCOUNT_ALL_REDUCE, ACCOUNT_REDUCE_SCATTER, ACCOUNT_ALL_GATHER, ACCOUNT_ALL_TO_ALL,
        ACCOUNT_COLLECTIVES};
    struct account_training t;
    struct account_error e = {.what = ""};
    struct account_memory memory;
    struct account_traffic traffic;
    *out = (struct lab_prediction){0};
    if (!lab_training(o, &t, &e) || !account_memory(&t, &memory, &e) ||
        !account_traffic(&t, &traffic, &e))
        return lab_fail(m, "the engine cannot predict this: %s", e.what);
    const struct account_instant *peak = &memory.phase[memory.peak];
    memcpy(out->persistent, memory.persistent.bytes, sizeof out->persistent);
    memcpy(out->peak, memory.highest, sizeof out->peak);
    out->peak_total = peak->ledger.total;
    place(o, peak->where, out->peak_where, sizeof out->peak_where);
    for (size_t i = 0; i < LAB_COLLECTIVES; i++)
        if (op[i] < ACCOUNT_COLLECTIVES) out->sent[i] = traffic.sent[op[i]] * (o->steps - o->done);
    put_tier(o, &memory.host, traffic.offload_down, traffic.offload_up, &out->tier[LAB_TIER_HOST]);
    put_tier(o, &memory.nvme, traffic.disk_written, traffic.disk_read, &out->tier[LAB_TIER_NVME]);
    out->between = traffic.between * (o->steps - o->done);
    for (size_t i = 0; i < traffic.collectives; i++)
        if (traffic.collective[i].op == ACCOUNT_ALL_GATHER)
            out->gathered_between += traffic.collective[i].between * (o->steps - o->done);
    out->risen = traffic.offload_gathered * (o->steps - o->done);
    out->control = control_of(o);
    return true;
}

uint32_t lab_updaters(const struct lab_options *o) {
    return o->ranks / (lab_stage_of(o)->shards_moments ? lab_sharers(o) : 1);
}

bool lab_gathers_updates(const struct lab_options *o) {
    const struct lab_stage *s = lab_stage_of(o);
    return s->shards_moments && !s->shards_params;
}

void lab_predict_skipped(const struct lab_options *o, uint32_t skipped, struct lab_prediction *p) {
    uint32_t steps = o->steps - o->done;
    if (skipped > steps) return;
    for (int t = 0; t < LAB_TIERS; t++) {
        uint64_t risen = t <= (int)o->offload_params && t != LAB_TIER_DEVICE ? p->risen : 0;
        p->tier[t].in = p->tier[t].in / steps * (steps - skipped);
        p->tier[t].out = risen + (p->tier[t].out - risen) / steps * (steps - skipped);
    }
    if (!lab_gathers_updates(o)) return;
    p->sent[LAB_ALL_GATHER] = p->sent[LAB_ALL_GATHER] / steps * (steps - skipped);
    p->between -= p->gathered_between / steps * skipped;
}

/* ── what GPUs could compute ──
 *
 * For model FLOP utilisation, the share of it that a run computes (Chowdhery et al.,
 * arXiv:2204.02311, appendix B). */

/* Whether one of the words of `text` is this one; words are letters and digits, in either case. */
static bool has_word(const char *text, const char *word, size_t length) {
    for (const char *at = text; *at;) {
        size_t n = 0;
        while (isalnum((unsigned char)at[n])) n++;
        bool same = n == length;
        for (size_t i = 0; same && i < n; i++)
            same = tolower((unsigned char)at[i]) == tolower((unsigned char)word[i]);
        if (same) return true;
        at += n ? n : 1;
    }
    return false;
}
static bool is_size(const char *word, size_t length) { /* "80g" */
    size_t digits = strspn(word, "0123456789");
    return digits > 0 && digits + 1 == length && word[digits] == 'g';
}
/* The driver's name has all words of the catalogue's ("h100-pcie-80g"), sizes apart, and is of the
 * same board. */
static bool is_card(const char *gpu, const char *name) {
    static const char *const boards[] = {"pcie", "nvl", "mig"};
    for (const char *at = name; *at;) {
        size_t n = strcspn(at, "-");
        if (!is_size(at, n) && !has_word(gpu, at, n)) return false;
        at += n + (at[n] == '-');
    }
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        if (has_word(gpu, boards[i], strlen(boards[i])) !=
            has_word(name, boards[i], strlen(boards[i])))
            return false;
    return true;
}
static double peak_of_one(const char *gpu) {
    size_t count = 0;
    const struct account_card *card = account_cards(&count);
    for (size_t i = 0; i < count; i++)
        if (is_card(gpu, card[i].name)) return card[i].flops;
    return 0;
}

double lab_peak(const struct lab_options *o) {
    char hardware[200];
    uint32_t gpus = o->comm == LAB_NCCL && !o->share_gpu ? o->ranks : o->gpus;
    if (o->device != LAB_CUDA || o->compute == LAB_F32 || !lab_computes(o)) return 0;
    lab_machine(o, hardware, sizeof hardware);
    return peak_of_one(hardware) * gpus;
}
double lab_model_operations(const struct lab_options *o) {
    struct account_training t;
    struct account_error e;
    if (!lab_training(o, &t, &e)) return 0;
    return account_model_flops(&t) * o->ranks * o->batch * o->accumulate;
}
