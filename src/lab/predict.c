/* The engine's prediction: recipe zerolab. */
#include "lab/predict.h"

#include "lab/options_read.h"

#include <stdio.h>
#include <string.h>

static bool set(struct account_training *t, const char *field, const char *text,
                struct account_error *e) {
    return account_set(t, field, text, e);
}

static struct account_shape shape_of(const struct lab_shape *s) {
    struct account_shape out = {.tied = true,
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
    *t = account_training_default();
    if (!set(t, "recipe", "zerolab", e) || !set(t, "precision", precisions[o->compute], e))
        return false;
    t->shape = shape_of(&o->shape);
    t->params = account_count_params(&t->shape);
    t->gpus = o->ranks;
    t->stage = (uint8_t)o->stage;
    t->batch = o->batch;
    t->seq = o->shape.seq;
    t->accumulate = o->accumulate;
    t->checkpoint = (uint8_t)o->checkpoint;
    t->flash = o->device == LAB_CUDA;
    t->bucket = o->bucket;
    t->prefetch = o->prefetch;
    return account_check(t, e);
}

/* The engine's moments in the lab's words. */
static void place(const struct lab_options *o, const char *where, char *out, size_t size) {
    static const struct {
        const char *where;
        enum lab_phase phase;
        int unit; /* −2: the last block; −3: the head; −4: the last norm; −1: none */
    } places[] = {
        {"forward, embedding",    LAB_AT_FORWARD,  0 },
        {"forward, first block",  LAB_AT_FORWARD,  1 },
        {"forward, last block",   LAB_AT_FORWARD,  -2},
        {"forward, last norm",    LAB_AT_FORWARD,  -4},
        {"forward, logits",       LAB_AT_FORWARD,  -3},
        {"backward, logits",      LAB_AT_BACKWARD, -3},
        {"backward, last norm",   LAB_AT_BACKWARD, -4},
        {"backward, last block",  LAB_AT_BACKWARD, -2},
        {"backward, first block", LAB_AT_BACKWARD, 1 },
        {"init",                  LAB_AT_INIT,     -1},
        {"update",                LAB_AT_UPDATE,   -1},
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
    bool norm = o->stage > 0 && (o->clip > 0 || o->compute == LAB_F16);
    return (uint64_t)o->steps * (norm ? 2 : 1) * (o->ranks - 1) * sizeof(double);
}

bool lab_predict(const struct lab_options *o, struct lab_prediction *out, struct lab_message *m) {
    static const enum account_collective_kind op[LAB_COLLECTIVES] = {
        ACCOUNT_ALL_REDUCE, ACCOUNT_REDUCE_SCATTER, ACCOUNT_ALL_GATHER, ACCOUNT_COLLECTIVES};
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
        if (op[i] < ACCOUNT_COLLECTIVES) out->sent[i] = traffic.sent[op[i]] * o->steps;
    out->control = control_of(o);
    return true;
}
