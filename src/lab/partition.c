/* Who owns what: the table of stages, the partition of every unit among the ranks, and the buckets
 * in which gradients travel. All of it is decided before the first step, and is the same on every
 * rank without a word between them. */
#include "lab/engine.h"

#include <stdlib.h>

/* ── stages: what each divides among the ranks (ZeRO, sections 5.1 to 5.3) ───────────────────────
 *
 * Each stage shards what the one before does, and one thing more. Stages 2 and 3 reduce in every
 * micro-step, because whole gradients have no place to wait in for the last one: that is the memory
 * which the stage saves. */

/* read: stage */
/* clang-format off */
static const struct lab_stage stages[] = {
    /*  shards: moments, grads, params; reduces, every; by */
    /* 0 */ {false,      false, false,  true,    false, LAB_ALL_REDUCE    },
    /* 1 */ {true,       false, false,  true,    false, LAB_REDUCE_SCATTER},
    /* 2 */ {true,       true,  false,  true,    true,  LAB_REDUCE_SCATTER},
    /* 3 */ {true,       true,  true,   true,    true,  LAB_REDUCE_SCATTER},
};
/* clang-format on */
/* read: end */
static const struct lab_stage alone;

const struct lab_stage *lab_stage_of(const struct lab_options *o) {
    if (o->ranks == 1) return &alone;
    return &stages[o->shard_group == 1 ? 0 : o->stage];
}

/* ── the partition ───────────────────────────────────────────────────────────────────────────────
 *
 * A unit is the embeddings, a block, the last norm, or an untied head. Its parameters are one flat
 * buffer, and so are its gradients and each of its moments. The buffer is padded at its end so that
 * all ranks' shards are equal, because collectives move equal pieces:
 *
 *     count 10, ranks 4:   0 1 2 | 3 4 5 | 6 7 8 | 9 · ·      shard 3, padded 12
 *
 * Any rank can calculate who owns an element. It needs no table and no message. The cuts do not
 * respect tensors: the optimizer treats each element alone, so the owner of an element need not own
 * its row. If elements are kept or sent in blocks that share a scale, a shard is made of whole
 * blocks (the grain), so that no scale is shared by two ranks, and the blocks are the same among
 * any number of them. */

bool lab_partition_make(const struct lab_model *m, uint32_t ranks, size_t grain,
                        struct lab_partition *out) {
    *out = (struct lab_partition){.ranks = ranks, .groups = 1, .units = m->units, .grain = grain};
    out->unit = calloc(m->units, sizeof *out->unit);
    if (!out->unit) return false;
    /* read: shards */
    for (size_t u = m->units; u-- > 0;) {
        size_t count = m->unit[u].count, whole = ranks * grain;
        size_t shard = (count + whole - 1) / whole * grain;
        struct lab_split *s = &out->unit[u];
        *s = (struct lab_split){count, shard, shard * ranks, out->shards, 0};
        out->shards += shard;
        if (m->unit[u].kind == LAB_BLOCK) out->block = shard * ranks;
    }
    /* read: end */
    /* Padding is less than a grain per rank and unit, so the shards hold the model and hardly
     * more. */
    assert(out->shards * ranks >= m->params);
    assert(out->shards * ranks < m->params + m->units * ranks * grain);
    return true;
}

void lab_partition_group(struct lab_partition *p, uint32_t groups, uint32_t rank) {
    p->groups = groups;
    p->ranks /= groups;
    p->shards *= groups;
    p->mine = rank % p->ranks;
    p->group = rank / p->ranks;
    for (size_t u = 0; u < p->units; u++) {
        p->unit[u].shard *= groups;
        p->unit[u].at *= groups;
    }
}

void lab_partition_second(struct lab_partition *p, uint32_t ranks) {
    size_t multiple = p->groups * p->grain;
    for (size_t u = 0; u < p->units; u++) {
        struct lab_split *s = &p->unit[u];
        s->second = (s->count + ranks * multiple - 1) / (ranks * multiple) * multiple;
        assert(ranks * s->second <= s->padded);
    }
}

void lab_partition_free(struct lab_partition *p) {
    free(p->unit);
    *p = (struct lab_partition){0};
}

/* ── buckets: which gradients travel together ────────────────────────────────────────────────────
 *
 * Many small collectives would spend their time on latency. One large collective could start only
 * when backward is over, and would need a buffer as large as the model. So gradients travel in
 * buckets of a constant size, each sent as soon as backward has filled it (ZeRO, section 5.2 for
 * the bucketing, 6.2 for buffers of constant size).
 *
 * A bucket takes the same range of every rank's shard, so that its sum can be scattered: row r of
 * [ranks][count] belongs to rank r. For a last norm of two elements per rank, blocks of five, and
 * rows of ten:
 *
 *     backward's order    last norm, block 1    block 0
 *     a rank's shards     n n b b b b b         a a a a a
 *     buckets             └──── 0 ────┘         └── 1 ──┘     2 + 5 + 5 > 10 */

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Elements of a rank's shards in the units that buckets take: backward comes to the others last. */
static size_t reduced(const struct lab_partition *p, size_t first_unit) {
    return first_unit ? p->unit[first_unit - 1].at : p->shards;
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

/* Adds a unit's shard: to the open bucket if all of it fits there, else to as many new ones as it
 * takes. */
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
        assert(now->count <= b->row);
        from = to;
    }
}

/* Buckets follow one another through a rank's shards, without a gap: no gradient stays behind. */
static bool covers(const struct lab_buckets *b, size_t shards) {
    size_t at = 0;
    for (size_t i = 0; i < b->count; at += b->bucket[i++].count)
        if (b->bucket[i].at != at) return false;
    return at == shards;
}

bool lab_buckets_make(const struct lab_partition *p, size_t first_unit, uint64_t bytes,
                      size_t element, struct lab_buckets *out) {
    size_t multiple = p->groups * p->grain, row = (size_t)(bytes / (element * p->ranks)) / multiple;
    *out = (struct lab_buckets){.row = least((row ? row : 1) * multiple, reduced(p, first_unit))};
    size_t cuts = most_cuts(p, out->row);
    out->cut = calloc(cuts, sizeof *out->cut);
    out->bucket = calloc(cuts, sizeof *out->bucket);
    out->first = calloc(p->units, sizeof *out->first);
    if (!out->cut || !out->bucket || !out->first) return false;
    for (size_t u = p->units; u-- > first_unit;) put(out, &p->unit[u], u);
    close_bucket(out);
    assert(out->cuts <= cuts && covers(out, reduced(p, first_unit)));
    return true;
}

void lab_buckets_free(struct lab_buckets *b) {
    free(b->cut);
    free(b->bucket);
    free(b->first);
    *b = (struct lab_buckets){0};
}
