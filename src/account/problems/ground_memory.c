/* Activations as products. The engine's formulas stay in one place: what grows with s, with s², and
 * what tensor parallelism leaves whole is found by asking them at s and at 2s, with t and without;
 * so "34 B × s × b × h" needs no second table of coefficients. */
#include "account/memory/step.h"
#include "account/problems/grounds.h"

#include <math.h>

/* A count of bytes of `struct account_activations`, and what it is made of. */
enum what { KEPT, WORKING, EMBEDDING, HEAD, LOGITS };

static double take(const struct account_activations *a, enum what what) {
    switch (what) {
    case KEPT: return (double)a->kept;
    case WORKING: return (double)a->working;
    case EMBEDDING: return (double)a->embedding;
    case HEAD: return (double)a->head;
    case LOGITS: return (double)a->logits;
    }
    return 0;
}

/* Activations with the training, at twice the sequence, and without tensor parallelism. */
struct asked {
    struct account_activations once, twice, alone, alone_twice;
};

static bool ask(const struct account_training *t, struct asked *out, struct account_error *e) {
    struct account_training longer = *t, alone = *t;
    longer.seq *= 2;
    alone.gpus /= t->tp ? t->tp : 1;
    alone.gpus_per_node = 0;
    alone.tp = 1;
    alone.sp = false;
    struct account_training alone_longer = alone;
    alone_longer.seq *= 2;
    return account_activations(t, &out->once, e) && account_activations(&longer, &out->twice, e) &&
           account_activations(&alone, &out->alone, e) &&
           account_activations(&alone_longer, &out->alone_twice, e);
}

/* of a count of bytes */
struct parts {
    /* ∝ s and not divided by t; ∝ s and divided; ∝ s² */
    double whole, split, scores;
};

static struct parts parts_of(const struct asked *a, enum what what, uint32_t tp) {
    double once = take(&a->once, what), twice = take(&a->twice, what),
           alone = take(&a->alone, what), alone_twice = take(&a->alone_twice, what);
    struct parts p = {.scores = (twice - 2 * once) / 2};
    double linear = once - p.scores, linear_alone = alone - (alone_twice - 2 * alone) / 2;
    if (tp > 1) p.whole = (linear * tp - linear_alone) / (tp - 1);
    if (p.scores < 1e-6 * once) p.scores = 0;
    if (p.whole < 1e-4 * linear) p.whole = 0;
    p.split = linear - p.whole;
    return p;
}

/* ── products ──────────────────────────────────────────────────────────────────────────────────*/

static void add_tokens(struct account_product *p, const struct account_training *t) {
    account_factor(p, ACCOUNT_SEQ, ACCOUNT_NUMBER, t->seq, 0);
    account_factor(p, ACCOUNT_BATCH, ACCOUNT_NUMBER, t->batch, 0);
}

/* How often it is there: layers of this rank, micro-batches in the pipeline. */
struct times {
    double layers, flight;
};

static void finish(struct account_product *p, struct times n, double value) {
    account_residual(p, value, ACCOUNT_WIDTH, ACCOUNT_BYTES);
    account_factor(p, ACCOUNT_LAYERS, ACCOUNT_NUMBER, n.layers, 0);
    account_factor(p, ACCOUNT_FLIGHT, ACCOUNT_NUMBER, n.flight, 0);
    account_settle(p, value * n.layers * n.flight, ACCOUNT_GIVEN);
}

static void put_linear(struct account_products *s, const struct account_training *t, const char *id,
                       const char *label, uint32_t sort, struct times n, double value,
                       double divisor) {
    struct account_product *p = value > 0 ? account_product(s, id, label, sort) : NULL;
    if (!p) return;
    add_tokens(p, t);
    account_factor(p, ACCOUNT_HIDDEN, ACCOUNT_NUMBER, t->shape.hidden, 0);
    account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, divisor, 0);
    account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, t->cp ? t->cp : 1, 0);
    finish(p, n, value);
}

/* Korthikanti et al., arXiv:2205.05198, section 4.1: 5 a s² b bytes of scores and their dropout. */
static void put_scores(struct account_products *s, const struct account_training *t, uint32_t sort,
                       struct times n, double value, const char *id, const char *label) {
    struct account_product *p = value > 0 ? account_product(s, id, label, sort) : NULL;
    if (!p) return;
    account_factor(p, ACCOUNT_HEADS, ACCOUNT_NUMBER, t->shape.heads, 0);
    add_tokens(p, t);
    account_factor(p, ACCOUNT_SEQ_AGAIN, ACCOUNT_NUMBER, t->seq, 0);
    account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, t->tp ? t->tp : 1, 0);
    account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, t->cp ? t->cp : 1, 0);
    finish(p, n, value);
}

/* The working set and the head grow with s as well: what layers keep is called by what it is. */
static const char *name_of_kept(const struct account_training *t, uint32_t tp) {
    if (tp > 1) return "what t divides";
    return t->checkpoint == ACCOUNT_FULL ? "the layers' inputs" : "all but the scores";
}

static void put_layers(struct account_products *s, const struct account_training *t,
                       const struct asked *a, struct times n) {
    uint32_t tp = t->tp ? t->tp : 1;
    struct parts parts = parts_of(a, KEPT, tp);
    put_linear(s, t, "whole", "what t leaves whole", ACCOUNT_OF_TOKENS | ACCOUNT_OF_WHOLE, n,
               parts.whole, 1);
    put_linear(s, t, "tokens", name_of_kept(t, tp), ACCOUNT_OF_TOKENS, n, parts.split, tp);
    put_scores(s, t, ACCOUNT_OF_SCORES, n, parts.scores, "scores", "attention scores");
}

static void put_working(struct account_products *s, const struct account_training *t,
                        const struct asked *a) {
    struct times once = {1, 1};
    struct parts parts = parts_of(a, WORKING, t->tp ? t->tp : 1);
    put_linear(s, t, "working", "one layer recomputed", ACCOUNT_OF_WORKING, once,
               parts.whole + parts.split, 1);
    put_scores(s, t, ACCOUNT_OF_WORKING | ACCOUNT_OF_SCORES, once, parts.scores, "working-scores",
               "and its attention scores");
}

static void put_logits(struct account_products *s, const struct account_training *t, double value) {
    struct account_product *p =
        value > 0 ? account_product(s, "logits", "logits", ACCOUNT_OF_LOGITS) : NULL;
    if (!p) return;
    add_tokens(p, t);
    account_factor(p, ACCOUNT_VOCAB, ACCOUNT_NUMBER, t->shape.vocab, 0);
    account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, t->tp ? t->tp : 1, 0);
    account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, t->cp ? t->cp : 1, 0);
    finish(p, (struct times){1, 1}, value);
}

static void put_ends(struct account_products *s, const struct account_training *t,
                     const struct account_activations *a) {
    struct times once = {1, 1};
    put_linear(s, t, "embedding", "behind the embedding", ACCOUNT_OF_ACTIVE, once,
               (double)a->embedding, 1);
    put_linear(s, t, "head", "last norm and head", ACCOUNT_OF_ACTIVE, once, (double)a->head, 1);
}

bool account_ground_activations(const struct account_problem *p, struct account_grounds *g,
                                struct account_error *e) {
    const struct account_training *t = &p->training;
    struct account_products *s = &g->products;
    struct asked a;
    if (t->batch == 0 || t->seq == 0)
        return account_fail(e, 0, "batch, seq: how many sequences, of how many tokens? Set both");
    if (!ask(t, &a, e)) return false;
    double layers = a.once.kept > 0 && a.once.in_flight > 0
                        ? (double)a.once.layers / (double)a.once.kept / a.once.in_flight
                        : 0;
    struct times all = {layers, a.once.in_flight}, once = {1, 1};
    bool everything = p->piece == ACCOUNT_PIECE_ALL;
    if (p->piece == ACCOUNT_PIECE_LAYER) put_layers(s, t, &a, once);
    if (everything || p->piece == ACCOUNT_PIECE_LAYERS) put_layers(s, t, &a, all);
    if (everything || p->piece == ACCOUNT_PIECE_WORKING) put_working(s, t, &a);
    if (everything) put_ends(s, t, &a.once);
    if (everything || p->piece == ACCOUNT_PIECE_LOGITS) put_logits(s, t, (double)a.once.logits);
    return s->count > 0 || account_fail(e, 0, "quantity: this training keeps none of it");
}

/* ── peaks, and what lies on the host ───────────────────────────────────────────────────────────*/

/* A product a category. */

const char *const account_ground_labels[ACCOUNT_CATEGORIES] = {
    "parameters", "gradients", "fp32 master copy", "optimizer moments", "activations",
    "gathered",   "reduced",   "workspace",        "staging",           "framework",
};

static uint32_t sort_of(enum account_category c) {
    switch (c) {
    case ACCOUNT_PARAMS: return ACCOUNT_OF_STATES | ACCOUNT_OF_PARAMETERS;
    case ACCOUNT_GRADS: return ACCOUNT_OF_STATES | ACCOUNT_OF_GRADIENTS;
    case ACCOUNT_MASTER:
    case ACCOUNT_MOMENTS: return ACCOUNT_OF_STATES;
    case ACCOUNT_ACTIVATIONS: return ACCOUNT_OF_ACTIVE;
    default: return ACCOUNT_OF_BUFFERS;
    }
}

/* bytes a parameter × Ψ ÷ what divides it, if that comes out at a number one can write */
static void put(struct account_products *s, const struct account_resolved *r,
                enum account_category c, uint64_t bytes, double divisor) {
    struct account_product *p = bytes > 0 ? account_product(s, account_category_name(c),
                                                            account_ground_labels[c], sort_of(c))
                                          : NULL;
    if (!p) return;
    p->categories = 1u << c;
    double split = (double)r->tp * r->pp;
    double rate = (double)bytes * divisor * split / (double)r->params;
    double fine = floor(rate * 128 + 0.5) / 128;
    if (c <= ACCOUNT_MOMENTS && fabs(fine - rate) < 5e-4 * rate) {
        account_factor(p, ACCOUNT_WIDTH, ACCOUNT_BYTES, fine, 0);
        account_factor(p, ACCOUNT_COUNT, ACCOUNT_ELEMENTS, (double)r->params, 0);
        account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, split, 0);
        account_factor(p, ACCOUNT_SHARE, ACCOUNT_DIVISOR, divisor, 0);
    }
    account_settle(p, (double)bytes, ACCOUNT_GIVEN);
}

/* Elements of a unit with the padding of all its shards. */
static uint64_t padded(uint64_t elements, uint64_t ranks) {
    return (elements + ranks - 1) / ranks * ranks;
}

static void put_unit(struct account_products *s, const char *id, const char *label, double units,
                     uint64_t elements, uint64_t bytes) {
    struct account_product *p =
        bytes > 0 ? account_product(s, id, label, ACCOUNT_OF_BUFFERS) : NULL;
    if (!p) return;
    p->categories = 1u << ACCOUNT_GATHER;
    account_factor(p, ACCOUNT_PASSES, ACCOUNT_NUMBER, units, 0);
    account_factor(p, ACCOUNT_WIDTH, ACCOUNT_BYTES, (double)bytes / units / (double)elements, 0);
    account_factor(p, ACCOUNT_COUNT, ACCOUNT_ELEMENTS, (double)elements, 0);
    account_settle(p, (double)bytes, ACCOUNT_GIVEN);
}

/* The embeddings at work and the blocks ahead of them, where that is what is gathered at the
 * most. */
static bool put_units(struct account_products *s, const struct account_resolved *r,
                      uint64_t gathered) {
    const struct account_share *share = &r->sheet.share[ACCOUNT_SET_DENSE];
    uint64_t ranks = r->sheet.ranks, each = r->bytes[ACCOUNT_AS_HALF];
    if (share->parts < 2) return false;
    uint64_t first = padded(share->part[0].elements, ranks) * each;
    uint64_t ahead = padded(share->part[1].elements, ranks) * each * r->prefetch;
    if (first + ahead != gathered) return false;
    put_unit(s, "gather", "embeddings, in use", 1, share->part[0].elements, first);
    put_unit(s, "ahead", "blocks ahead", r->prefetch, share->part[1].elements, ahead);
    return true;
}

bool account_ground_peak(const struct account_problem *p, struct account_grounds *g,
                         struct account_error *e) {
    struct account_resolved r;
    struct account_memory m;
    struct account_sheet resident;
    if (!account_resolve(&p->training, &r, e) || !account_memory_of(&r, &m, e)) return false;
    account_sheet_resident(&r.sheet, &resident);
    const uint64_t *bytes = p->quantity == ACCOUNT_TOTAL ? m.phase[m.peak].ledger.bytes : m.highest;
    if (p->quantity == 1u << ACCOUNT_GATHER && put_units(&g->products, &r, bytes[ACCOUNT_GATHER]))
        return true;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        enum account_category category = (enum account_category)c;
        bool sharded = c <= ACCOUNT_MOMENTS && account_sheet_divides(&resident, category);
        if (p->quantity >> c & 1)
            put(&g->products, &r, category, bytes[c], sharded ? r.mesh.shard.ranks : 1);
    }
    return g->products.count > 0 ||
           account_fail(e, 0, "quantity: this training holds none of it at its peak");
}

bool account_ground_host(const struct account_problem *p, struct account_grounds *g,
                         struct account_error *e) {
    struct account_resolved r;
    struct account_memory m;
    if (!account_resolve(&p->training, &r, e) || !account_memory_of(&r, &m, e)) return false;
    const struct account_ledger *l = p->piece == ACCOUNT_PIECE_NVME ? &m.nvme : &m.host;
    double nodes = (double)r.mesh.world / r.mesh.node;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        put(&g->products, &r, (enum account_category)c, l->bytes[c], nodes);
    return g->products.count > 0 ||
           account_fail(e, 0, "offload_optimizer: nothing is kept there: set it to host or nvme");
}
