/* The sheet: its terms added up, searched for what fits, and written from the recipe's row. */
#include "account/training/resolved.h"

#include <assert.h>

const char *account_category_name(enum account_category c) {
    static const char *const names[ACCOUNT_CATEGORIES] = {
        [ACCOUNT_PARAMS] = "params",           [ACCOUNT_GRADS] = "grads",
        [ACCOUNT_MASTER] = "master",           [ACCOUNT_MOMENTS] = "moments",
        [ACCOUNT_ACTIVATIONS] = "activations", [ACCOUNT_GATHER] = "gather",
        [ACCOUNT_REDUCE] = "reduce",           [ACCOUNT_WORKSPACE] = "workspace",
        [ACCOUNT_STAGING] = "staging",         [ACCOUNT_FRAMEWORK] = "framework",
    };
    return (unsigned)c < ACCOUNT_CATEGORIES ? names[c] : "";
}

const char *account_category_words(enum account_category c) {
    return c == ACCOUNT_GATHER   ? "gather buffer"
           : c == ACCOUNT_REDUCE ? "reduce buffer"
                                 : account_category_name(c);
}

/* ── shards ────────────────────────────────────────────────────────────────────────────────────*/

/* One flat group: ceil(n / N) elements on every rank, rounded up to the recipe's alignment; the
 * padding lies at the end. By units or tensors: the same for each part. By rows (FSDP2,
 * torch/distributed/fsdp/_fully_shard/_fsdp_param.py): whole rows of dimension 0, so that a [3, h]
 * tensor on 8 ranks wastes 5 rows. */
static uint64_t pad_part(const struct account_part *p, enum account_pad pad, uint32_t align,
                         uint32_t ranks) {
    if (pad == ACCOUNT_PAD_ROWS) return account_ceil_div(p->elements / p->row, ranks) * p->row;
    return account_ceil_div(p->elements, (uint64_t)ranks * align) * align;
}

/* Rank r of a flat group owns elements [r·shard, (r+1)·shard), so what the last one lacks is what
 * lies before its own of the whole. Parts padded by themselves lie so each. */
static struct account_cut divide(const struct account_share *share, enum account_pad pad,
                                 uint32_t align, uint32_t ranks) {
    struct account_cut cut = {.ranks = ranks};
    for (size_t i = 0; i < share->parts; i++) {
        const struct account_part *p = &share->part[i];
        uint64_t size = pad_part(p, pad, align, ranks), before = size * (ranks - 1);
        cut.shard += p->times * size;
        cut.last += p->times * (p->elements > before ? p->elements - before : 0);
        assert(before + size >= p->elements); /* no element is left without a rank */
    }
    assert(cut.last <= cut.shard);
    return cut;
}

uint64_t account_shard_elements(const struct account_share *share, enum account_pad pad,
                                uint32_t align, uint32_t ranks) {
    return divide(share, pad, align, ranks).shard;
}

/* Of N ranks in all, those that divide a term. */
static uint32_t ranks_of(const struct account_sheet *s, const struct account_term *term,
                         uint32_t all) {
    if (term->group) return term->group;
    uint32_t fewer = term->set == ACCOUNT_SET_EXPERTS ? all / s->expert_ranks : all;
    return fewer ? fewer : 1;
}

bool account_sheet_divides(const struct account_sheet *s, enum account_category c) {
    for (size_t i = 0; i < s->terms; i++)
        if (s->term[i].category == c && s->term[i].sharded) return true;
    return false;
}

uint32_t account_term_ranks(const struct account_sheet *s, const struct account_term *term) {
    return ranks_of(s, term, s->ranks);
}

/* A term that is not the parameters themselves (factored sums, a mistaken count) is one flat
 * run. */
static struct account_cut cut_of(const struct account_sheet *s, const struct account_term *term,
                                 uint32_t ranks) {
    const struct account_share *share = &s->share[term->set];
    if (term->follows && term->elements == share->params)
        return share->cut.ranks == ranks ? share->cut : divide(share, s->pad, s->align, ranks);
    struct account_share flat = {.parts = 1,
                                 .part = {{.elements = term->elements, .row = 1, .times = 1}}};
    return divide(&flat, ACCOUNT_PAD_FLAT, s->align, ranks);
}

static uint64_t held(const struct account_term *term, uint64_t elements) {
    if (term->most && elements > term->most) elements = term->most;
    uint64_t blocks = term->block ? account_ceil_div(elements, term->block) : 0;
    return elements * term->bytes + blocks * term->block_bytes;
}

/* With N ranks in all, whatever the sheet says. */
static uint64_t bytes_among(const struct account_sheet *s, const struct account_term *term,
                            uint32_t all) {
    uint32_t ranks = ranks_of(s, term, all);
    if (term->sharded) return held(term, cut_of(s, term, ranks).shard);
    return held(term, s->pads_whole ? ranks * cut_of(s, term, ranks).shard : term->elements);
}

uint64_t account_term_bytes(const struct account_sheet *s, const struct account_term *term) {
    return bytes_among(s, term, s->ranks);
}

uint64_t account_term_padding(const struct account_sheet *s, const struct account_term *term) {
    if (!term->sharded) return account_term_bytes(s, term) - held(term, term->elements);
    struct account_cut cut = cut_of(s, term, account_term_ranks(s, term));
    return held(term, cut.shard) - held(term, cut.last);
}

/* ── sums ──────────────────────────────────────────────────────────────────────────────────────*/

uint64_t account_sheet_bytes(const struct account_sheet *s, uint32_t mask) {
    uint64_t sum = 0;
    for (size_t i = 0; i < s->terms; i++)
        if (mask >> s->term[i].category & 1) sum += account_term_bytes(s, &s->term[i]);
    return sum;
}

double account_term_rate(const struct account_term *term) {
    return term->bytes + (term->block ? (double)term->block_bytes / term->block : 0);
}

double account_sheet_rate(const struct account_sheet *s, uint32_t mask) {
    double sum = 0;
    for (size_t i = 0; i < s->terms; i++) {
        const struct account_term *term = &s->term[i];
        if (!(mask >> term->category & 1)) continue;
        bool whole =
            s->params == 0 || (term->follows && s->split == 1 && term->set == ACCOUNT_SET_DENSE &&
                               s->share[0].params == s->params);
        double share = whole ? 1 : (double)term->elements / (double)s->params;
        sum += account_term_rate(term) * share / (term->sharded ? account_term_ranks(s, term) : 1);
    }
    return sum;
}

/* ── what fits ─────────────────────────────────────────────────────────────────────────────────*/

static bool fits(const struct account_sheet *s, uint32_t mask, uint64_t params, uint32_t ranks,
                 double bytes) {
    uint64_t sum = 0;
    for (size_t i = 0; i < s->terms; i++) {
        struct account_term term = s->term[i];
        if (!(mask >> term.category & 1)) continue;
        if (term.follows && params != s->params) term.elements = account_ceil_div(params, s->split);
        sum += bytes_among(s, &term, ranks);
    }
    return (double)sum <= bytes;
}

/* Sizes grow with Ψ and shrink with N, so both searches halve. */
uint64_t account_sheet_largest(const struct account_sheet *s, uint32_t mask, double bytes) {
    uint64_t low = 0, high = ACCOUNT_MOST_PARAMS;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (fits(s, mask, middle, s->ranks, bytes))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

uint32_t account_sheet_fewest(const struct account_sheet *s, uint32_t mask, double bytes) {
    uint32_t low = 1, high = ACCOUNT_MOST_GPUS;
    if (!fits(s, mask, s->params, high, bytes)) return 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (fits(s, mask, s->params, middle, bytes))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* ── the terms ──────────────────────────────────────────────────────────────────────────────────*/

/* Each copy that the recipe's row names, for each set of parameters, on the tier where it lies. */

struct writer {
    const struct account_resolved *is;
    struct account_sheet *sheet;
    /* of the pipeline */
    uint32_t stage;
};

static uint8_t cases_of(const struct account_resolved *r) {
    const struct account_precision *p = r->precision;
    bool can_widen = !r->recipe->fp32_params && p->in != ACCOUNT_IN_FP32;
    bool wide = can_widen && r->wide_gradients;
    return (uint8_t)(p->in | (wide ? ACCOUNT_WIDE : ACCOUNT_NARROW));
}

static bool exists(const struct writer *w, const struct account_copy *copy) {
    uint8_t now = cases_of(w->is);
    uint8_t both = copy->cases & now;
    return (copy->stages & ACCOUNT_STAGE(w->is->stage)) && (both & ACCOUNT_IN_ANY) &&
           (both & ACCOUNT_EITHER);
}

static bool has_experts(const struct account_sheet *s) {
    return s->share[ACCOUNT_SET_EXPERTS].params > 0;
}

static void put(struct writer *w, struct account_term term) {
    if (term.bytes == 0 && term.block == 0) return;
    assert(w->sheet->terms < ACCOUNT_TERMS); /* else a recipe's row lost a copy */
    w->sheet->term[w->sheet->terms++] = term;
}

/* ── bytes ─────────────────────────────────────────────────────────────────────────────────────*/

/* Moments come from the optimizer, everything else from the precision. */
static void set_moments(const struct writer *w, struct account_term *term) {
    const struct account_optimizer *o = w->is->optimizer;
    uint32_t each = o->moment_bytes ? o->moment_bytes : term->bytes;
    term->bytes = o->factored ? each : o->moments * each;
    term->block = o->block;
    term->block_bytes = o->block ? o->moments * 4u : 0;
    if (!o->factored) return;
    term->follows = false;
    term->elements = term->set == ACCOUNT_SET_DENSE
                         ? account_factored_elements(&w->is->shape) / w->sheet->split
                         : 0;
}

/* ── tiers ─────────────────────────────────────────────────────────────────────────────────────*/

/* ZeRO-Offload (arXiv:2101.06840, section 4) and ZeRO-Infinity (arXiv:2104.07857, section 5.1): the
 * optimizer's states and the fp32 gradients it reads lie on the host or on NVMe; from stage 2 on
 * the GPU keeps no gradients, because each is sent down as it is reduced. Stage 3 may send the
 * parameters' shards as well. */
static bool moves(const struct account_resolved *is, const struct account_copy *copy) {
    if (copy->category == ACCOUNT_PARAMS)
        return is->stage == 3 && is->offload_params != ACCOUNT_GPU;
    bool optimizer = copy->category == ACCOUNT_MASTER || copy->category == ACCOUNT_MOMENTS;
    return optimizer && is->offload_optimizer != ACCOUNT_GPU;
}

static enum account_tier tier_of(const struct account_resolved *is,
                                 const struct account_copy *copy) {
    if (!moves(is, copy)) return ACCOUNT_GPU;
    return copy->category == ACCOUNT_PARAMS ? is->offload_params : is->offload_optimizer;
}

/* Whether gradients stay on the GPU until the update takes them. */
static bool keeps_grads(const struct account_resolved *is) {
    return is->recipe->crossing.sums[is->stage] == ACCOUNT_SUMS_STAY;
}

/* With the optimizer away, gradients on the GPU are only passing through, and no fp32 copy is made
 * there. */
static bool stays_away(const struct account_resolved *is, const struct account_copy *copy) {
    if (is->offload_optimizer == ACCOUNT_GPU || copy->category != ACCOUNT_GRADS) return false;
    if (keeps_grads(is)) return false;
    return is->stage >= 2 || copy->when == ACCOUNT_IN_UPDATE;
}

/* Whether the host keeps sums of the micro-batches' gradients beside the complete ones. */
static bool keeps_sums(const struct writer *w) {
    const struct account_resolved *is = w->is;
    uint8_t sums = w->is->recipe->crossing.sums[is->stage];
    return sums == ACCOUNT_SUMS_ALWAYS || (sums == ACCOUNT_SUMS_LATER && is->micro > 1);
}

/* The largest tensor that a rank holds whole; 0: no shape says. */
static uint64_t largest_tensor(const struct account_resolved *r) {
    uint64_t most = 0;
    for (size_t i = 0; i < r->tensors; i++) {
        const struct account_tensor *x = &r->tensor[i];
        uint64_t elements = x->rows * x->columns;
        if (x->split) elements = account_ceil_div(elements, r->tp);
        if (elements > most) most = elements;
    }
    return most;
}

/* What a gradient is copied to on its way, on both sides (DeepSpeed, runtime/zero/stage_1_and_2.py,
 * temp_grad_buffer_for_gpu_offload and temp_grad_buffer_for_cpu_offload). */
static void put_on_the_way(struct writer *w, enum account_set set) {
    struct account_term term = {.category = ACCOUNT_STAGING,
                                .set = set,
                                .elements = largest_tensor(w->is),
                                .bytes = w->is->bytes[ACCOUNT_AS_HALF]};
    if (set != ACCOUNT_SET_DENSE || term.elements == 0) return;
    put(w, term);
    term.tier = ACCOUNT_HOST;
    put(w, term);
}

/* 16-bit parameters on their way up, and the sums (DeepSpeed, runtime/zero/stage_1_and_2.py,
 * accumulated_grads_in_cpu, and stage3.py, grad_partitions_flat_buffer). Both on the host, wherever
 * the states are. */
static void put_staging(struct writer *w, enum account_set set) {
    const struct account_resolved *is = w->is;
    struct account_term term = {.category = ACCOUNT_STAGING,
                                .tier = ACCOUNT_HOST,
                                .set = set,
                                .elements = w->sheet->share[set].params,
                                .follows = true,
                                .bytes = w->is->bytes[ACCOUNT_AS_HALF],
                                .sharded = true};
    if (w->is->recipe->host_staging & ACCOUNT_STAGE(is->stage)) {
        put(w, term);
        put_on_the_way(w, set);
    }
    term.category = ACCOUNT_GRADS;
    term.bytes = w->is->sum_bytes;
    if (keeps_sums(w)) put(w, term);
}

/* Whether the updating side has weights of its own: a master copy, or the parameters' shards where
 * those lie away, too. */
static bool has_weights(const struct writer *w, enum account_set set) {
    for (size_t i = 0; i < w->sheet->terms; i++) {
        const struct account_term *term = &w->sheet->term[i];
        bool weights = term->category == ACCOUNT_MASTER || term->category == ACCOUNT_PARAMS;
        if (weights && term->set == set && term->tier != ACCOUNT_GPU) return true;
    }
    return false;
}

/* Bytes of an element that the update reads or writes and that is not on the host: the gradient, a
 * parameter that is not the master copy's own value, and states that are on NVMe. */
static uint32_t piece_rate(const struct writer *w) {
    const struct account_resolved *is = w->is;
    uint32_t half = is->bytes[ACCOUNT_AS_HALF], rate = is->kept_bytes;
    bool narrow = is->precision->in != ACCOUNT_IN_FP32;
    bool apart =
        is->offload_params != ACCOUNT_HOST && (narrow || is->offload_params == ACCOUNT_NVME);
    if (apart) rate += half;
    for (size_t i = 0; i < w->sheet->terms; i++) {
        const struct account_term *term = &w->sheet->term[i];
        bool states = term->category == ACCOUNT_MASTER || term->category == ACCOUNT_MOMENTS;
        if (states && term->tier == ACCOUNT_NVME) rate += term->bytes;
    }
    return rate;
}

/* Of a rank's part of the largest unit: all of it, and a piece of it, which is a row of a bucket at
 * most. Both are multiples of the grain. */
struct largest {
    uint64_t part, piece;
};
static struct largest largest_part(const struct writer *w, const struct account_share *share) {
    const struct account_resolved *is = w->is;
    uint64_t ranks = w->sheet->ranks, align = w->sheet->align, largest = 0;
    uint64_t row = is->bucket / (ranks * align * is->reduce_bytes);
    uint32_t grain = is->recipe->crossing.grain;
    for (size_t i = 0; i < share->parts; i++)
        largest =
            account_most(largest, account_ceil_div(share->part[i].elements, ranks * align) * align);
    uint64_t piece = account_least(largest, (row ? row : 1) * align);
    return (struct largest){account_ceil_div(largest, grain) * grain,
                            account_ceil_div(piece, grain) * grain};
}

/* What the host's update works in if it takes pieces; and what parameters on NVMe pass through on
 * their way up. */
static void put_pieces(struct writer *w, enum account_set set) {
    const struct account_crossing *c = &w->is->recipe->crossing;
    const struct account_share *share = &w->sheet->share[set];
    if (c->pieces == 0 || share->params == 0) return;
    struct largest l = largest_part(w, share);
    struct account_term term = {.category = ACCOUNT_STAGING,
                                .tier = ACCOUNT_HOST,
                                .set = set,
                                .elements = c->pieces * l.piece,
                                .bytes = piece_rate(w),
                                .most = c->pieces * l.piece};
    put(w, term);
    term.elements = term.most = l.part;
    term.bytes = w->is->bytes[ACCOUNT_AS_HALF];
    if (w->is->offload_params == ACCOUNT_NVME) put(w, term);
}

/* What the host's update reads and writes beside the states: gradients as wide as those, and
 * weights. */
static void put_sent(struct writer *w, enum account_set set) {
    const struct account_resolved *is = w->is;
    enum account_dtype dtype = is->lora ? ACCOUNT_AS_FLOAT : ACCOUNT_AS_MOMENT;
    if (is->offload_optimizer == ACCOUNT_GPU) return;
    struct account_term term = {.category = ACCOUNT_GRADS,
                                .tier = is->offload_optimizer,
                                .set = set,
                                .elements = w->sheet->share[set].params,
                                .follows = true,
                                .bytes = w->is->bytes[dtype],
                                .sharded = true};
    if (!keeps_grads(is)) put(w, term);
    term.category = ACCOUNT_MASTER;
    if (!has_weights(w, set)) put(w, term);
    put_staging(w, set);
    put_pieces(w, set);
}

/* ── copies ────────────────────────────────────────────────────────────────────────────────────*/

static void put_copy(struct writer *w, const struct account_copy *copy, enum account_set set) {
    const struct account_resolved *is = w->is;
    struct account_term term = {.category = copy->category,
                                .when = copy->when,
                                .tier = tier_of(is, copy),
                                .set = set,
                                .elements = w->sheet->share[set].params,
                                .follows = true,
                                .bytes = w->is->bytes[copy->dtype],
                                .sharded = is->stage >= copy->sharded_from,
                                .most = copy->most};
    if (stays_away(is, copy)) return;
    if (copy->dtype == ACCOUNT_AS_MOMENT) set_moments(w, &term);
    put(w, term);
}

/* hpZ: a second 16-bit shard of the parameters, over the ranks of a node, from which backward
 * gathers (ZeRO++, arXiv:2306.10209, section 3.2; DeepSpeed, runtime/zero/partition_parameters.py,
 * _partition_param_sec). */
static void put_secondary(struct writer *w, enum account_set set) {
    const struct account_resolved *is = w->is;
    if (is->hpz == 0 || is->stage < 3) return;
    put(w, (struct account_term){.category = ACCOUNT_PARAMS,
                                 .set = set,
                                 .elements = w->sheet->share[set].params,
                                 .follows = true,
                                 .bytes = w->is->bytes[ACCOUNT_AS_HALF],
                                 .sharded = true,
                                 .group = is->hpz});
}

static void put_trained(struct writer *w, enum account_set set) {
    for (size_t i = 0; i < w->is->recipe->copies; i++)
        if (exists(w, &w->is->recipe->copy[i])) put_copy(w, &w->is->recipe->copy[i], set);
    put_sent(w, set);
    put_secondary(w, set);
}

/* ── adapters ──────────────────────────────────────────────────────────────────────────────────*/

/* NF4 with double quantization (QLoRA, arXiv:2305.14314, section 3): 4 bits, an 8-bit scale for
 * every 64 and an fp32 scale for every 256 of those: 8192 + 256 + 4 bytes for 16384 parameters,
 * 4.127 bits each. Embeddings, head and norms stay in 16 bits. */
static void put_base(struct writer *w, enum account_set set, bool sharded) {
    const struct account_resolved *is = w->is;
    uint64_t whole = w->sheet->share[set].params;
    uint64_t linear =
        is->quantized ? account_linear_params(w->is, w->stage, set == ACCOUNT_SET_EXPERTS) : 0;
    assert(linear <= whole);
    struct account_term base = {.category = ACCOUNT_PARAMS,
                                .set = set,
                                .elements = whole - linear,
                                .follows = linear == 0,
                                .bytes = w->is->bytes[ACCOUNT_AS_HALF],
                                .sharded = sharded,
                                .tier = is->stage == 3 ? is->offload_params : ACCOUNT_GPU};
    put(w, base);
    if (linear == 0) return;
    base.elements = linear;
    base.bytes = 0;
    base.block = 16384;
    base.block_bytes = 8452;
    put(w, base);
}

/* LoRA (Hu et al., arXiv:2106.09685, section 4): the base is frozen and keeps neither gradients nor
 * states; the adapters are trained in fp32 (peft: 4 + 4 + 8 bytes). Copies of the base's kind
 * become the adapters', without a master copy of their own. */
static void put_adapter(struct writer *w, const struct account_copy *copy) {
    struct account_copy in_fp32 = *copy;
    if (copy->category == ACCOUNT_MASTER || copy->when != ACCOUNT_ALWAYS) return;
    if (in_fp32.dtype != ACCOUNT_AS_MOMENT) in_fp32.dtype = ACCOUNT_AS_FLOAT;
    put_copy(w, &in_fp32, ACCOUNT_SET_ADAPTERS);
}

static const struct account_copy *first_copy(const struct account_recipe *r,
                                             enum account_category c) {
    for (size_t i = 0; i < r->copies; i++)
        if (r->copy[i].category == c) return &r->copy[i];
    return &r->copy[0];
}

static void put_frozen(struct writer *w) {
    bool sharded = w->is->stage >= first_copy(w->is->recipe, ACCOUNT_PARAMS)->sharded_from;
    put_base(w, ACCOUNT_SET_DENSE, sharded);
    if (has_experts(w->sheet)) put_base(w, ACCOUNT_SET_EXPERTS, sharded);
    static const enum account_category trained[] = {ACCOUNT_PARAMS, ACCOUNT_GRADS, ACCOUNT_MOMENTS};
    for (size_t i = 0; i < sizeof trained / sizeof *trained; i++) {
        struct account_copy copy = *first_copy(w->is->recipe, trained[i]);
        copy.when = ACCOUNT_ALWAYS;
        put_adapter(w, &copy);
    }
    put_sent(w, ACCOUNT_SET_ADAPTERS);
}

/* ── the sheet ─────────────────────────────────────────────────────────────────────────────────*/

static void set_shares(const struct account_resolved *r, uint32_t stage,
                       struct account_sheet *out) {
    account_share(r, stage, ACCOUNT_DENSE, out->pad, &out->share[ACCOUNT_SET_DENSE]);
    account_share(r, stage, ACCOUNT_EXPERTS, out->pad, &out->share[ACCOUNT_SET_EXPERTS]);
    if (r->lora == 0) return;
    uint64_t here = account_ceil_div(r->adapters, r->pp);
    out->share[ACCOUNT_SET_ADAPTERS] = (struct account_share){
        .params = here, .parts = here > 0, .part = {{.elements = here, .row = 1, .times = 1}}};
}

/* llm.c (llmc/zero.cuh, set_zero_configs) shards nothing where N does not divide the count. */
static bool divides(const struct account_sheet *s) {
    return s->share[ACCOUNT_SET_DENSE].params % s->ranks == 0;
}

/* Once for all the copies of a set. */
static void cut_share(struct account_sheet *s, enum account_set set) {
    struct account_term any = {.set = set};
    s->share[set].cut.ranks = 0;
    if (s->share[set].parts)
        s->share[set].cut = divide(&s->share[set], s->pad, s->align, account_term_ranks(s, &any));
}

/* Where units are padded for all ranks, replicas of a shard can divide it among them evenly, and
 * elements that share a scale are of one shard. */
static uint32_t alignment(const struct account_resolved *is) {
    const struct account_recipe *r = is->recipe;
    bool sends = is->stage == 3 && (is->qwz || is->qgz);
    bool blocks = r->quantum && (is->optimizer->block || sends);
    if (r->pad[is->stage & 3] == ACCOUNT_PAD_FLAT) return r->align;
    return r->pads_whole ? is->mesh.replicas.ranks * (blocks ? r->quantum : 1u) : 1;
}

void account_sheet_all(const struct account_resolved *is, uint32_t stage,
                       struct account_sheet *out) {
    const struct account_recipe *r = is->recipe;
    out->params = is->params;
    out->ranks = is->mesh.shard.ranks;
    out->align = alignment(is);
    out->split = is->tp * is->pp;
    out->expert_ranks = is->ep;
    out->pad = r->pad[is->stage & 3];
    out->pads_whole = r->pads_whole;
    out->terms = 0;
    for (int set = 0; set < ACCOUNT_SETS; set++) out->share[set].params = out->share[set].parts = 0;
    set_shares(is, stage, out);
    for (int set = 0; set < ACCOUNT_SETS; set++) cut_share(out, (enum account_set)set);
    struct writer w = {is, out, stage};
    if (is->lora) {
        put_frozen(&w);
    } else {
        put_trained(&w, ACCOUNT_SET_DENSE);
        if (has_experts(out)) put_trained(&w, ACCOUNT_SET_EXPERTS);
    }
    if (r->whole_unless_divides && !divides(out))
        for (size_t i = 0; i < out->terms; i++) out->term[i].sharded = false;
}

static bool is_resident(const struct account_term *term) {
    bool state = ACCOUNT_MODEL_STATE >> term->category & 1;
    return term->tier == ACCOUNT_GPU && state &&
           (term->when == ACCOUNT_ALWAYS || term->when == ACCOUNT_IN_BACKWARD);
}

void account_sheet_resident(const struct account_sheet *all, struct account_sheet *out) {
    size_t kept = 0;
    if (out != all) *out = *all;
    for (size_t i = 0; i < out->terms; i++)
        if (is_resident(&out->term[i])) out->term[kept++] = out->term[i];
    out->terms = kept;
}
