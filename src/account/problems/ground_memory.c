/* Peaks, and what lies on the host, as products: a product a category. */
#include "account/problems/grounds.h"
#include "account/problems/products.h"

#include <math.h>

static const char *const labels[ACCOUNT_CATEGORIES] = {
    "parameters", "gradients", "fp32 master copy", "optimizer moments", "activations",
    "gathered",   "reduced",   "workspace",        "framework",
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
static void put(struct account_products *s, const struct account_training *t,
                enum account_category c, uint64_t bytes, double divisor) {
    struct account_product *p =
        bytes > 0 ? account_product(s, account_category_name(c), labels[c], sort_of(c)) : NULL;
    if (!p) return;
    p->categories = 1u << c;
    double split = (double)(t->tp ? t->tp : 1) * (t->pp ? t->pp : 1);
    double rate = (double)bytes * divisor * split / (double)t->params;
    double fine = floor(rate * 128 + 0.5) / 128;
    if (c <= ACCOUNT_MOMENTS && fabs(fine - rate) < 5e-4 * rate) {
        account_factor(p, ACCOUNT_WIDTH, ACCOUNT_BYTES, fine, 0);
        account_factor(p, ACCOUNT_COUNT, ACCOUNT_ELEMENTS, (double)t->params, 0);
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

/* The embeddings at work and the blocks ahead of them, where that is what is gathered at the most. */
static bool put_units(struct account_products *s, const struct account_training *t,
                      uint64_t gathered) {
    struct account_sheet sheet;
    account_sheet(t, &sheet);
    const struct account_share *share = &sheet.share[ACCOUNT_SET_DENSE];
    uint64_t ranks = sheet.ranks, each = account_dtype_bytes(t, ACCOUNT_AS_HALF);
    if (share->parts < 2) return false;
    uint64_t first = padded(share->part[0].elements, ranks) * each;
    uint64_t ahead = padded(share->part[1].elements, ranks) * each * t->prefetch;
    if (first + ahead != gathered) return false;
    put_unit(s, "gather", "embeddings, at work", 1, share->part[0].elements, first);
    put_unit(s, "ahead", "blocks ahead", t->prefetch, share->part[1].elements, ahead);
    return true;
}

bool account_ground_peak(const struct account_problem *p, struct account_grounds *g,
                         struct account_error *e) {
    struct account_memory m;
    const struct account_training *t = &p->training;
    if (!account_memory(t, &m, e)) return false;
    const uint64_t *bytes = p->quantity == ACCOUNT_TOTAL ? m.phase[m.peak].ledger.bytes : m.highest;
    if (p->quantity == 1u << ACCOUNT_GATHER && put_units(&g->products, t, bytes[ACCOUNT_GATHER]))
        return true;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        enum account_category category = (enum account_category)c;
        bool sharded = c <= ACCOUNT_MOMENTS && account_is_sharded(t, category);
        if (p->quantity >> c & 1)
            put(&g->products, t, category, bytes[c], sharded ? account_shard_ranks(t) : 1);
    }
    return g->products.count > 0 ||
           account_fail(e, 0, "quantity: at its peak this training holds nothing of what is asked");
}

bool account_ground_host(const struct account_problem *p, struct account_grounds *g,
                         struct account_error *e) {
    struct account_memory m;
    const struct account_training *t = &p->training;
    if (!account_memory(t, &m, e)) return false;
    const struct account_ledger *l = p->piece == ACCOUNT_PIECE_NVME ? &m.nvme : &m.host;
    uint32_t node = t->gpus_per_node && t->gpus_per_node < t->gpus ? t->gpus_per_node : t->gpus;
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        put(&g->products, t, (enum account_category)c, l->bytes[c], (double)t->gpus / node);
    return g->products.count > 0 ||
           account_fail(e, 0, "offload_optimizer: nothing is kept there: set it to host or nvme");
}
