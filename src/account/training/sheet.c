#include "account/training/sheet.h"

/* ── shards ──────────────────────────────────────────────────────────────────────────────────────*/

/* One flat group: ceil(n / N) elements on every rank, rounded up to the recipe's alignment; the padding lies at the end. By units
 * or tensors: the same for each part. By rows (FSDP2, torch/distributed/fsdp/_fully_shard/_fsdp_param.py): whole rows of dimension
 * 0, so that a [3, h] tensor on 8 ranks wastes 5 rows. */
static uint64_t pad_part(const struct account_part *p, enum account_pad pad, uint32_t align,
                         uint32_t ranks) {
    if (pad == ACCOUNT_PAD_FLAT)
        return account_ceil_div(p->elements, (uint64_t)ranks * align) * align;
    if (pad == ACCOUNT_PAD_ROWS) return account_ceil_div(p->elements / p->row, ranks) * p->row;
    return account_ceil_div(p->elements, ranks);
}

/* Rank r of a flat group owns elements [r·shard, (r+1)·shard), so what the last one lacks is what lies before its own of the
 * whole. Parts padded by themselves lie so each. */
struct account_cut account_cut(const struct account_share *share, enum account_pad pad,
                               uint32_t align, uint32_t ranks) {
    struct account_cut cut = {.ranks = ranks};
    for (size_t i = 0; i < share->parts; i++) {
        const struct account_part *p = &share->part[i];
        uint64_t size = pad_part(p, pad, align, ranks), before = size * (ranks - 1);
        cut.shard += p->times * size;
        cut.last += p->times * (p->elements > before ? p->elements - before : 0);
    }
    return cut;
}

uint64_t account_shard_elements(const struct account_share *share, enum account_pad pad,
                                uint32_t align, uint32_t ranks) {
    return account_cut(share, pad, align, ranks).shard;
}

/* Of N ranks in all, those that divide a term. */
static uint32_t ranks_of(const struct account_sheet *s, const struct account_term *term,
                         uint32_t all) {
    if (term->group) return term->group;
    uint32_t fewer = term->set == ACCOUNT_SET_EXPERTS ? all / s->expert_ranks : all;
    return fewer ? fewer : 1;
}

uint32_t account_term_ranks(const struct account_sheet *s, const struct account_term *term) {
    return ranks_of(s, term, s->ranks);
}

/* A term that is not the parameters themselves (factored sums, a mistaken count) is one flat run. */
static struct account_cut cut_of(const struct account_sheet *s, const struct account_term *term,
                                 uint32_t ranks) {
    const struct account_share *share = &s->share[term->set];
    if (term->follows && term->elements == share->params)
        return share->cut.ranks == ranks ? share->cut : account_cut(share, s->pad, s->align, ranks);
    struct account_share flat = {.parts = 1,
                                 .part = {{.elements = term->elements, .row = 1, .times = 1}}};
    return account_cut(&flat, ACCOUNT_PAD_FLAT, s->align, ranks);
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

/* ── sums ────────────────────────────────────────────────────────────────────────────────────────*/

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

/* ── what fits ───────────────────────────────────────────────────────────────────────────────────*/

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
