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

enum { SMALL_BUCKET = 100000, BUCKETS_MOST = 1 << 16 };

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Of a large model no bucket is so small that all of them could not be walked in a moment. */
static uint64_t bucket_of(const struct lab_options *o, uint64_t least) {
    const struct lab_shape *s = &o->shape;
    uint64_t blocks = (uint64_t)s->layers * 12 * s->width * s->width;
    uint64_t params = blocks + ((uint64_t)s->vocab + s->seq) * s->width;
    return larger(least, params * lab_dtype_bytes(o->compute) / BUCKETS_MOST);
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
    uint64_t small = bucket_of(o, SMALL_BUCKET);
    if (out->bucket > small) out->bucket = small;
    out->batch = o->batch >> i;
    if (out->batch > 0) return true;
    out->batch = 1;
    /* An element for each rank: no smaller one is taken. */
    out->bucket = bucket_of(o, lab_dtype_bytes(o->compute) * o->ranks);
    return i > 0 && o->batch >> (i - 1) > 0;
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

/* The settings that hold the least of those tried, which ends with the first that fit; what they hold at most. */
static uint64_t least_of(const struct lab_options *o, uint64_t capacity, struct lab_options *best) {
    struct lab_options t;
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; least > capacity && trial(o, i, &t); i++) {
        uint64_t peak = peak_of(&t);
        if (peak < least) least = peak, *best = t;
    }
    return least;
}

static bool advise(const struct lab_options *o, uint64_t capacity, char *out, size_t size,
                   uint64_t *least) {
    struct lab_options best = *o;
    char bytes[32];
    *least = least_of(o, capacity, &best);
    if (*least > capacity) return false;
    int n = say(o, &best, out, size);
    (void)snprintf(out + n, size - (size_t)n, "would hold %s at most, and fit",
                   account_print_bytes(bytes, sizeof bytes, (double)*least));
    return true;
}

void lab_advice(const struct lab_options *o, const struct lab_refusal *r, char *out, size_t size) {
    uint64_t least;
    char bytes[32];
    if (advise(o, r->cap, out, size, &least)) return;
    (void)snprintf(out, size,
                   "no stage, checkpointing, bucket or batch of this model fits: the least "
                   "is %s a rank; more ranks, or --cap %" PRIu64 ", would help",
                   account_print_bytes(bytes, sizeof bytes, (double)least), least);
}

void lab_advice_for_machine(const struct lab_options *o, uint64_t capacity, char *out,
                            size_t size) {
    uint64_t least;
    char bytes[32];
    if (advise(o, capacity, out, size, &least)) return;
    (void)snprintf(out, size,
                   "nothing fits: the least that this model can do with is %s a rank; a smaller "
                   "one%s would help",
                   account_print_bytes(bytes, sizeof bytes, (double)least),
                   o->ranks > 1 ? ", or fewer ranks," : "");
}
