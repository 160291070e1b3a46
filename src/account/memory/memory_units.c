/* The instants of zerolab's schedule: units are taken up and let go of in a fixed order, so what
 * lives at each is known to the byte. The schedule is src/lab's: step.c (the order, and when what
 * is taken up), states.c (how much), gather.c (parameters), reduce.c (gradients). Gathered
 * parameters and staged gradients are counted here, not by buffers.c. A lab of one rank gathers and
 * reduces nothing. The first and the last block stand for those between. */
#include "account/memory/step.h"

#include <assert.h>

/* ── staging ───────────────────────────────────────────────────────────────────────────────────*/

/* Elements of one rank's shard of a unit. The model's parts are its units. */
static uint64_t shard_of(const struct account_resolved *is, enum account_place part) {
    const struct account_share *share = &is->sheet.share[ACCOUNT_SET_DENSE];
    uint64_t align = is->sheet.align, ranks = is->sheet.ranks;
    assert((size_t)part < share->parts);
    return account_ceil_div(share->part[part].elements, ranks * align) * align;
}

/* Units whose gradients travel in buckets; and the shard of each in backward's order: an untied
 * head, last norm, blocks, embeddings. */
static uint32_t reduced(const struct account_resolved *is) {
    return is->shape.layers + 2 + account_has_head_unit(is) - is->sparse_gradients;
}
static uint64_t shard_at(const struct account_resolved *is, uint32_t place) {
    uint32_t norm = account_has_head_unit(is);
    if (place < norm) return shard_of(is, ACCOUNT_IN_HEAD);
    if (place == norm) return shard_of(is, ACCOUNT_IN_NORM);
    bool block = place - norm <= is->shape.layers;
    return shard_of(is, block ? ACCOUNT_IN_BLOCK : ACCOUNT_IN_EMBEDDING);
}

/* A unit joins the open bucket if it fits whole; one larger than a bucket is cut into its own. */
static uint64_t buckets(const struct account_resolved *is, uint64_t row) {
    uint64_t count = 0, fill = 0;
    for (uint32_t i = 0; i < reduced(is); i++) {
        uint64_t n = shard_at(is, i);
        if (count && fill + n <= row) {
            fill += n;
            continue;
        }
        count += account_ceil_div(n, row);
        fill = n % row ? n % row : row;
    }
    return count;
}

/* Two slots of the bucket's size, at most all gradients; one if all fits into it. */
static uint64_t staging(const struct account_resolved *is, uint64_t element) {
    uint64_t ranks = is->sheet.ranks, all = 0;
    for (uint32_t i = 0; i < reduced(is); i++) all += shard_at(is, i);
    uint64_t align = is->sheet.align, row = is->bucket / (ranks * align * element);
    row = account_least((row ? row : 1) * align, all);
    return ranks * element * row * account_least(2, buckets(is, row));
}

/* Of sparse gradients: every rank's rows, and a number of 4 bytes for the token of each
 * (lab/rows.c). */
static uint64_t rows(const struct account_resolved *is, uint64_t hidden, uint64_t tokens) {
    return is->sparse_gradients ? is->sheet.ranks * (hidden + tokens / 2) : 0;
}

/* ── what there is ─────────────────────────────────────────────────────────────────────────────*/

struct account_lab_units account_lab_units_of(const struct account_resolved *is,
                                              const struct account_activations *a) {
    const struct account_share *share = &is->sheet.share[ACCOUNT_SET_DENSE];
    struct account_lab_units h = {.element = is->bytes[ACCOUNT_AS_HALF],
                                  .layers = is->shape.layers,
                                  .untied = account_has_head_unit(is),
                                  .ahead = is->prefetch,
                                  .hidden = a->head / 2,
                                  .tokens = 8ull * is->batch * is->seq};
    bool together = is->sheet.ranks > 1;
    bool widens = is->wide_gradients && is->precision->in != ACCOUNT_IN_FP32;
    if (share->parts != 3u + h.untied || !(together || widens)) return h;
    h.embeddings = shard_of(is, ACCOUNT_IN_EMBEDDING) * is->sheet.ranks * h.element;
    h.block = shard_of(is, ACCOUNT_IN_BLOCK) * is->sheet.ranks * h.element;
    h.passes = widens || is->stage >= 2;
    if (!together) return h;
    h.staging = staging(is, is->reduce_bytes);
    h.rows = rows(is, h.hidden, h.tokens);
    h.gathers = is->recipe->gather[is->stage] == ACCOUNT_GATHER_UNITS;
    return h;
}

/* Places in a micro-step's order: 0 the lookup, 1 … L blocks, L + 1 the norm, L + 2 the head, then
 * back. The unit at work and those ahead are gathered; every slot but the embeddings', which an
 * untied head uses too, is a block's. */
static uint64_t gathered(const struct account_lab_units *h, uint32_t place) {
    uint32_t head = h->layers + 2, end = 2 * h->layers + 4;
    if (!h->gathers || place >= end) return 0;
    uint64_t units = account_least(h->ahead + 1ull, end - place);
    bool looks_up = place == 0, heads = place <= head && head < place + units;
    uint64_t embeddings = (uint64_t)looks_up + heads;
    assert(embeddings <= units);
    return embeddings * h->embeddings + (units - embeddings) * h->block;
}

static struct account_ledger with(const struct account_step *s, uint64_t activations,
                                  uint64_t workspace, uint64_t gather, uint64_t reduce) {
    struct account_ledger l = s->standing;
    l.total -= l.bytes[ACCOUNT_GATHER] + l.bytes[ACCOUNT_REDUCE];
    l.bytes[ACCOUNT_GATHER] = l.bytes[ACCOUNT_REDUCE] = 0;
    account_ledger_add(&l, ACCOUNT_ACTIVATIONS, activations);
    account_ledger_add(&l, ACCOUNT_WORKSPACE, workspace);
    account_ledger_add(&l, ACCOUNT_GATHER, gather);
    account_ledger_add(&l, ACCOUNT_REDUCE, reduce);
    return l;
}

/* ── instants ──────────────────────────────────────────────────────────────────────────────────*/

/* Initial values pass through two chunks of 4096 fp32; moments, gradients and the device's
 * workspace come after. */
static struct account_ledger at_init(const struct account_step *s) {
    struct account_ledger l = with(s, 0, 32768, 0, 0);
    account_step_leave_out(&l, s, ACCOUNT_MOMENTS);
    account_step_leave_out(&l, s, ACCOUNT_GRADS);
    assert(l.bytes[ACCOUNT_WORKSPACE] >= s->work.workspace);
    l.total -= s->work.workspace;
    l.bytes[ACCOUNT_WORKSPACE] -= s->work.workspace;
    return l;
}

static struct account_ledger lookup(const struct account_step *s) {
    const struct account_lab_units *h = &s->lab;
    return with(s, s->activations.kept, h->tokens, gathered(h, 0), 0);
}

/* Kept up to block k, from 1 on. Its output is written into what the next block keeps: the head,
 * after the last. */
static uint64_t kept_by(const struct account_step *s, uint32_t k) {
    const struct account_activations *a = &s->activations;
    return k < s->lab.layers ? (k + 1ull) * a->kept : a->layers + a->head;
}

static struct account_ledger block_forward(const struct account_step *s, uint32_t k) {
    const struct account_lab_units *h = &s->lab;
    return with(s, kept_by(s, k) + s->activations.working, h->tokens, gathered(h, k), 0);
}

static struct account_ledger norm(const struct account_step *s) {
    const struct account_lab_units *h = &s->lab;
    const struct account_activations *a = &s->activations;
    return with(s, a->layers + a->head, h->tokens, gathered(h, h->layers + 1), 0);
}

static struct account_ledger head(const struct account_step *s) {
    const struct account_lab_units *h = &s->lab;
    const struct account_activations *a = &s->activations;
    return with(s, a->layers + a->head + a->logits, h->tokens, gathered(h, h->layers + 2), 0);
}

/* Unsharded gradients of a block, or the last norm, while it is at work, and of the embeddings: a
 * tied head's are held until the lookup has added to them. */
static uint64_t unsharded(const struct account_lab_units *h, bool in_block) {
    if (!h->passes) return 0;
    return (in_block ? h->block : 0) + (in_block && h->untied ? 0 : h->embeddings);
}

static struct account_ledger head_made(const struct account_step *s) {
    const struct account_lab_units *h = &s->lab;
    const struct account_activations *a = &s->activations;
    return with(s, a->layers + a->head + a->logits, h->tokens + h->hidden,
                gathered(h, h->layers + 2), unsharded(h, false));
}

/* An untied head's gradients are packed when its logits and its parameters have been let go of. */
static struct account_ledger head_packed(const struct account_step *s) {
    const struct account_lab_units *h = &s->lab;
    const struct account_activations *a = &s->activations;
    uint64_t gather = gathered(h, h->layers + 2), freed = gather ? h->embeddings : 0;
    return with(s, a->layers + a->head, h->tokens + h->hidden, gather - freed,
                unsharded(h, false) + h->staging);
}

static struct account_ledger head_back(const struct account_step *s) {
    struct account_ledger made = head_made(s), packed = head_packed(s);
    return s->lab.untied && packed.total > made.total ? packed : made;
}

/* The norm's parameters are let go of before its gradients are packed. Staging is in use since an
 * untied head's were. */
static struct account_ledger norm_back(const struct account_step *s) {
    const struct account_lab_units *h = &s->lab;
    const struct account_activations *a = &s->activations;
    uint64_t gather = gathered(h, h->layers + 3), freed = gather && !h->untied ? h->block : 0;
    bool packed = h->staging >= freed;
    return with(s, a->layers + a->head, h->tokens + h->hidden, packed ? gather - freed : gather,
                unsharded(h, true) + (packed ? h->staging : 0));
}

/* Block k. Those after it have let go of what they kept. */
static struct account_ledger block_back(const struct account_step *s, uint32_t k) {
    const struct account_lab_units *h = &s->lab;
    const struct account_activations *a = &s->activations;
    return with(s, (uint64_t)k * a->kept + a->working, h->tokens + 6 * h->hidden + s->work.scratch,
                gathered(h, 2 * h->layers + 4 - k), unsharded(h, true) + h->staging);
}

/* The lookup needs no parameters. Its gradients are open since a tied head's. Gathered rows are
 * added straight to the whole sums. */
static struct account_ledger lookup_back(const struct account_step *s) {
    const struct account_lab_units *h = &s->lab;
    return with(s, 0, h->tokens + h->hidden, 0,
                (h->rows ? h->rows : unsharded(h, false)) + h->staging);
}

/* ── a step's order ────────────────────────────────────────────────────────────────────────────*/

size_t account_unit_moments(const struct account_step *s) {
    return 2ull * s->is->shape.layers + 6;
}

/* Lookup, blocks, norm, head; head, norm, blocks, lookup. */
struct account_ledger account_unit_at(const struct account_step *s, size_t i) {
    size_t last = s->lab.layers, back = account_unit_moments(s) - 1 - i;
    bool forward = i <= back;
    size_t place = forward ? i : back;
    if (place == 0) return forward ? lookup(s) : lookup_back(s);
    if (place == last + 1) return forward ? norm(s) : norm_back(s);
    if (place > last) return forward ? head(s) : head_back(s);
    return (forward ? block_forward : block_back)(s, (uint32_t)place);
}

static struct account_ledger at_lookup(const struct account_step *s) {
    return account_unit_at(s, 0);
}
static struct account_ledger at_first_block(const struct account_step *s) {
    return account_unit_at(s, 1);
}
static struct account_ledger at_last_block(const struct account_step *s) {
    return account_unit_at(s, s->is->shape.layers);
}
/* The highest of all blocks: gathers so far ahead that they reach backward's end grow smaller from
 * block to block, while activations grow. */
static struct account_ledger at_highest_block(const struct account_step *s) {
    uint32_t best = 1;
    uint64_t most = 0;
    for (uint32_t k = 1; k <= s->lab.layers; k++) {
        uint64_t now = kept_by(s, k) + gathered(&s->lab, k);
        if (now > most) best = k, most = now;
    }
    return block_forward(s, best);
}
static struct account_ledger at_norm(const struct account_step *s) {
    return account_unit_at(s, s->is->shape.layers + 1u);
}
static struct account_ledger at_head(const struct account_step *s) {
    return account_unit_at(s, s->is->shape.layers + 2u);
}
static struct account_ledger at_head_back(const struct account_step *s) {
    return account_unit_at(s, s->is->shape.layers + 3u);
}
/* Not the highest sum, but the most staged, where rows are sparse and so not packed later. */
static struct account_ledger at_head_packed(const struct account_step *s) {
    return s->lab.untied ? head_packed(s) : head_made(s);
}
static struct account_ledger at_norm_back(const struct account_step *s) {
    return account_unit_at(s, s->is->shape.layers + 4u);
}
static struct account_ledger at_block_back(const struct account_step *s) {
    return account_unit_at(s, s->is->shape.layers + 5u);
}

static struct account_ledger at_lookup_back(const struct account_step *s) {
    return account_unit_at(s, account_unit_moments(s) - 1);
}

static struct account_ledger at_update(const struct account_step *s) {
    return with(s, 0, 0, 0, 0);
}

const struct account_instant_row account_unit_instants[] = {
    {ACCOUNT_INIT, "init", at_init},
    {ACCOUNT_FORWARD, "forward, embedding", at_lookup},
    {ACCOUNT_FORWARD, "forward, first block", at_first_block},
    {ACCOUNT_FORWARD, "forward, last block", at_last_block},
    {ACCOUNT_FORWARD, "forward, a block between", at_highest_block},
    {ACCOUNT_FORWARD, "forward, last norm", at_norm},
    {ACCOUNT_FORWARD, "forward, logits", at_head},
    {ACCOUNT_BACKWARD, "backward, logits", at_head_back},
    {ACCOUNT_BACKWARD, "backward, logits", at_head_packed},
    {ACCOUNT_BACKWARD, "backward, last norm", at_norm_back},
    {ACCOUNT_BACKWARD, "backward, last block", at_block_back},
    {ACCOUNT_BACKWARD, "backward, embedding", at_lookup_back},
    {ACCOUNT_UPDATE, "update", at_update},
};
const size_t account_unit_instants_count =
    sizeof account_unit_instants / sizeof *account_unit_instants;
