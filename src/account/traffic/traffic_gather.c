/* Parameters gathered, by the recipe's row: in every micro-batch for forward and for backward, or once after the update. */
#include "account/traffic/flows.h"

static double at_most_one(double x) {
    return x < 1 ? x : 1;
}

static bool is_expert(const struct account_moved *s) {
    return s->set == ACCOUNT_SET_EXPERTS;
}

/* ── bytes ───────────────────────────────────────────────────────────────────────────────────────*/

/* Tensors up to so many elements, or the others. */
static struct account_share sized(const struct account_share *all, uint64_t limit, bool small) {
    struct account_share some = {0};
    for (size_t i = 0; i < all->parts; i++) {
        const struct account_part *p = &all->part[i];
        if ((p->elements <= limit) != small) continue;
        some.part[some.parts++] = *p;
        some.params += p->elements * p->times;
    }
    return some;
}

static bool keeps_small(const struct account_traffic_writer *w, const struct account_moved *s) {
    return w->recipe->persistent && s->set != ACCOUNT_SET_ADAPTERS && w->training->shape.family &&
           w->sheet.pad == ACCOUNT_PAD_TENSOR;
}

/* A frozen base in NF4 is gathered as it is kept, so its shards are those of the sheet. */
static uint64_t frozen_bytes(const struct account_traffic_writer *w, const struct account_moved *s,
                             uint32_t ranks) {
    uint64_t sum = 0;
    for (size_t i = 0; i < w->sheet.terms; i++) {
        struct account_term term = w->sheet.term[i];
        if (term.category != ACCOUNT_PARAMS || term.set != s->set || term.group) continue;
        term.group = ranks;
        sum += account_term_bytes(&w->sheet, &term);
    }
    return sum;
}

/* qwZ: a byte an element, and an fp32 scale for at most 8000 of them (runtime/zero/partition_parameters.py, CUDAQuantizer). */
static uint64_t travel_bytes(const struct account_traffic_writer *w, const struct account_moved *s,
                             uint64_t elements) {
    bool narrow = w->training->qwz && w->stage == 3 && s->trained && s->bytes > 1;
    return narrow ? elements + 4 * account_ceil_div(elements, 8000) : elements * s->bytes;
}

static uint64_t gathered_bytes(const struct account_traffic_writer *w,
                               const struct account_moved *s, uint32_t ranks) {
    if (!s->trained) return frozen_bytes(w, s, ranks);
    struct account_share large = w->sheet.share[s->set];
    if (keeps_small(w, s)) large = sized(&large, w->recipe->persistent, false);
    return travel_bytes(w, s, account_shard_elements(&large, w->sheet.pad, w->sheet.align, ranks));
}

/* The root unit (embedding, last norm, head) of a shape is what is left of it without blocks; of a shape whose count was overridden, or
 * of a frozen base, its part. */
static uint64_t root_bytes(const struct account_traffic_writer *w, const struct account_moved *s,
                           uint32_t ranks, uint64_t all) {
    struct account_training bare = *w->training;
    double whole = (double)w->units.root + (double)w->units.block * w->layers;
    if (s->set != ACCOUNT_SET_DENSE || whole <= 0) return 0;
    if (!s->trained || account_count_params(&bare.shape) != bare.params)
        return (uint64_t)((double)all * ((double)w->units.root / whole));
    bare.shape.layers = 0;
    bare.params = account_count_params(&bare.shape);
    struct account_share root;
    account_share(&bare, 0, ACCOUNT_DENSE, w->sheet.pad, &root);
    uint64_t elements = account_shard_elements(&root, w->sheet.pad, w->sheet.align, ranks);
    uint64_t bytes = travel_bytes(w, s, elements);
    return bytes < all ? bytes : all;
}

/* ── flows ───────────────────────────────────────────────────────────────────────────────────────*/

/* Nothing computes while the first unit is gathered; and because the first is the embedding, whose lookup takes no time, the first
 * block's gather stands bare too. A root that is gathered at once waits whole. */
static double gather_head(const struct account_traffic_writer *w) {
    struct account_unit_shares p = account_unit_shares(w);
    double root = 1 - p.block * w->layers;
    return at_most_one((w->recipe->root_kept ? root : p.embedding) + p.block);
}

static double gather_volume(const struct account_traffic_writer *w, const struct account_moved *s) {
    return w->training->qwz && w->stage == 3 && s->trained ? 0.5 : 1;
}

static struct account_flow gathering(const struct account_traffic_writer *w,
                                     const struct account_moved *s) {
    return (struct account_flow){
        .op = ACCOUNT_ALL_GATHER,
        .what = is_expert(s) ? "gather experts for forward" : "gather parameters for forward",
        .name = "shard",
        .group = s->group,
        .runs = w->micro,
        .windows = w->micro,
        .calls = w->layers + 1.0,
        .window = w->training->prefetch ? ACCOUNT_BEHIND_FORWARD : ACCOUNT_BARE,
        .head = gather_head(w),
        .forward = 1,
    };
}

static void put_forward_gather(struct account_traffic_writer *w, const struct account_moved *s) {
    struct account_flow f = gathering(w, s);
    f.part = gathered_bytes(w, s, f.group.ranks);
    account_put_flow(w, &f);
    account_count_volume(w, s, gather_volume(w, s) * (double)f.runs);
}

/* The first gather of backward runs while the head still computes, so none stands bare. A root that stays is not gathered again (PyTorch
 * FSDP, arXiv:2304.11277, section 3.3.1 and Figure 5). */
static void put_backward_gather(struct account_traffic_writer *w, const struct account_moved *s) {
    struct account_flow f = gathering(w, s);
    bool near = w->training->hpz && !is_expert(s);
    f.what = near           ? "gather parameters for backward from the second copy"
             : is_expert(s) ? "gather experts for backward"
                            : "gather parameters for backward";
    if (near) f.group = w->mesh.secondary;
    if (f.window == ACCOUNT_BEHIND_FORWARD) f.window = ACCOUNT_BEHIND_BACKWARD;
    f.head = 0;
    f.forward = 0;
    uint64_t all = gathered_bytes(w, s, f.group.ranks);
    uint64_t kept = w->recipe->root_kept ? root_bytes(w, s, f.group.ranks, all) : 0;
    f.part = all - kept;
    account_put_flow(w, &f);
    double share = all ? (double)f.part / (double)all : 0;
    if (f.group.ranks > 1) account_count_volume(w, s, share * gather_volume(w, s) * (double)f.runs);
}

static void put_updated_gather(struct account_traffic_writer *w, const struct account_moved *s,
                               uint64_t elements, uint64_t runs, const char *what) {
    struct account_flow f = gathering(w, s);
    f.what = what;
    f.runs = runs;
    f.windows = 1;
    f.calls = 1;
    f.window = ACCOUNT_BARE;
    f.head = 1;
    f.forward = 0;
    f.after = true;
    f.part = elements * s->bytes;
    account_put_flow(w, &f);
}

/* Tensors that stay gathered are gathered anew when they have been updated (runtime/zero/stage3.py, _post_step). */
static void put_small_gather(struct account_traffic_writer *w, const struct account_moved *s) {
    if (!keeps_small(w, s) || !s->trained) return;
    struct account_share small = sized(&w->sheet.share[s->set], w->recipe->persistent, true);
    uint64_t own = account_shard_elements(&small, w->sheet.pad, w->sheet.align, s->group.ranks);
    put_updated_gather(w, s, own, 1, "gather updated small parameters");
}

void account_put_gathers(struct account_traffic_writer *w, const struct account_moved *s) {
    uint8_t micro = w->recipe->gathers_micro[w->stage], step = w->recipe->gathers_step[w->stage];
    if (micro >= 1) put_forward_gather(w, s);
    if (micro >= 2) put_backward_gather(w, s);
    if (micro) put_small_gather(w, s);
    if (step == 0 || !s->trained) return;
    put_updated_gather(w, s, account_moved_shard(w, s, s->group.ranks), step,
                       is_expert(s) ? "gather updated experts" : "gather updated parameters");
    account_count_volume(w, s, step);
}
