/* What would have helped: other settings, tried in turn by dry runs, until one fits the cap. */
#include "lab/predict.h"

#include <inttypes.h>
#include <stdio.h>

static void keep_peak(void *self, const struct lab_report *r) {
    if (r->says == LAB_SAYS_END) *(uint64_t *)self = r->as.end.peak_total;
}

/* Two steps hold all that more would. */
static uint64_t peak_of(const struct lab_options *o) {
    struct lab_options two = *o;
    uint64_t peak = UINT64_MAX;
    struct lab_sink sink = {keep_peak, &peak};
    two.cap = 0;
    if (two.steps > 2) two.steps = 2;
    if (two.accumulate > 2) two.accumulate = 2;
    return lab_dry_run(&two, 0, &sink) ? peak : UINT64_MAX;
}

static const char *const checkpoints[] = {"none", "selective", "full"};

enum { SMALL_BUCKET = 100000 };

/* An element for each rank: no smaller one is taken. */
static uint64_t least_bucket(const struct lab_options *o) {
    return lab_dtype_bytes(o->compute) * o->ranks;
}

/* One thing in each trial: a higher stage alone, less kept alone; then all of it with small buffers, and smaller and smaller batches; at
 * last the least of all. */
static bool trial(const struct lab_options *o, unsigned i, struct lab_options *out) {
    unsigned stages = o->ranks > 1 ? 3 - o->stage : 0, keeps = LAB_FULL - o->checkpoint;
    *out = *o;
    if (i < stages) return out->stage += i + 1, true;
    i -= stages;
    if (i < keeps) return out->checkpoint = o->checkpoint + i + 1, true;
    i -= keeps;
    if (o->ranks > 1) out->stage = 3;
    out->checkpoint = LAB_FULL;
    out->prefetch = 0;
    if (out->bucket > SMALL_BUCKET) out->bucket = SMALL_BUCKET;
    out->batch = o->batch >> i;
    if (out->batch > 0) return true;
    out->batch = 1;
    out->bucket = least_bucket(o);
    return o->batch >> (i - 1) > 0;
}

static int say(const struct lab_options *o, const struct lab_options *t, char *out, size_t size) {
    int n = 0;
    if (t->stage != o->stage) n += snprintf(out + n, size - (size_t)n, "--stage %u ", t->stage);
    if (t->checkpoint != o->checkpoint)
        n += snprintf(out + n, size - (size_t)n, "--checkpoint %s ", checkpoints[t->checkpoint]);
    if (t->bucket != o->bucket)
        n += snprintf(out + n, size - (size_t)n, "--bucket %" PRIu64 " ", t->bucket);
    if (o->ranks > 1 && t->stage == 3 && t->prefetch != o->prefetch)
        n += snprintf(out + n, size - (size_t)n, "--prefetch 0 ");
    if (t->batch != o->batch) n += snprintf(out + n, size - (size_t)n, "--batch %u ", t->batch);
    return n;
}

void lab_advice(const struct lab_options *o, const struct lab_refusal *r, char *out, size_t size) {
    struct lab_options t, best = *o;
    uint64_t least = UINT64_MAX;
    char bytes[32];
    for (unsigned i = 0; least > r->cap && trial(o, i, &t); i++) {
        uint64_t peak = peak_of(&t);
        if (peak < least) least = peak, best = t;
    }
    (void)account_print_bytes(bytes, sizeof bytes, (double)least);
    int n = say(o, &best, out, size);
    if (least <= r->cap)
        (void)snprintf(out + n, size - (size_t)n, "would hold %s at most, and fit", bytes);
    else
        (void)snprintf(out, size,
                       "no stage, checkpointing, bucket or batch of this model fits: the least "
                       "is %s a rank; more ranks, or --cap %" PRIu64 ", would help",
                       bytes, least);
}
