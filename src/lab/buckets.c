/* Buckets: which gradients travel together, decided before the first step. */
#include "lab/engine.h"

#include <stdlib.h>

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t most_cuts(const struct lab_partition *p, size_t row) {
    size_t n = 1;
    for (size_t u = 0; u < p->units; u++) n += p->unit[u].shard / row + 1;
    return n;
}

static void close_bucket(struct lab_buckets *b) {
    if (b->count == 0 || b->bucket[b->count - 1].cuts == 0) return;
    b->cut[b->cuts - 1].last = true;
}

static struct lab_bucket *open_bucket(struct lab_buckets *b, size_t at) {
    close_bucket(b);
    b->bucket[b->count] = (struct lab_bucket){.at = at, .first = b->cuts};
    return &b->bucket[b->count++];
}

static void put(struct lab_buckets *b, const struct lab_split *unit, size_t u) {
    struct lab_bucket *now = b->count ? &b->bucket[b->count - 1] : NULL;
    b->first[u] = b->cuts;
    for (size_t from = 0; from < unit->shard;) {
        if (!now || from || now->count + unit->shard > b->row)
            now = open_bucket(b, unit->at + from);
        size_t to = least(unit->shard, from + b->row);
        b->cut[b->cuts++] = (struct lab_cut){u, from, to, now->count, b->count - 1, false};
        now->count += to - from;
        now->cuts++;
        from = to;
    }
}

bool lab_buckets_make(const struct lab_partition *p, uint64_t bytes, size_t element,
                      struct lab_buckets *out) {
    size_t row = (size_t)(bytes / (element * p->ranks));
    *out = (struct lab_buckets){.row = least(row ? row : 1, p->shards)};
    size_t cuts = most_cuts(p, out->row);
    out->cut = calloc(cuts, sizeof *out->cut);
    out->bucket = calloc(cuts, sizeof *out->bucket);
    out->first = calloc(p->units, sizeof *out->first);
    if (!out->cut || !out->bucket || !out->first) return false;
    for (size_t u = p->units; u-- > 0;) put(out, &p->unit[u], u);
    close_bucket(out);
    return true;
}

void lab_buckets_free(struct lab_buckets *b) {
    free(b->cut);
    free(b->bucket);
    free(b->first);
    *b = (struct lab_buckets){0};
}
