/* Memory over a step: what a GPU holds at each instant, and which instant is the highest.
 *
 *              params master moments   grads         activations   gather   reduce
 *   init       ███████████████████
 *   forward    ███████████████████   (accumulated)   ▁▃▅▇█         ██
 *   backward   ███████████████████   ▁▃▅▇█           █▇▅▃▁         ██       ██
 *   update     ███████████████████   █████ + copies
 */
#include "account/memory/step.h"

#include <assert.h>

static void add(struct account_ledger *l, const struct account_step *s, enum account_when when) {
    account_step_add(l, s, ACCOUNT_GPU, when);
}

/* ── instants ──────────────────────────────────────────────────────────────────────────────────*/

/* llm.c allocates its activations once, so every instant has them all. */
static void add_activations(struct account_ledger *l, const struct account_step *s,
                            uint64_t bytes) {
    const struct account_activations *a = &s->activations;
    account_ledger_add(l, ACCOUNT_ACTIVATIONS, a->fixed ? a->highest : bytes);
}

/* Buffers that are held are part of those a phase needs. */
static uint64_t beyond(uint64_t needed, uint64_t held) {
    return needed > held ? needed - held : 0;
}

static uint64_t trained_params(const struct account_step *s) {
    uint64_t sum = 0;
    for (size_t i = 0; i < s->is->sheet.terms; i++) {
        const struct account_term *term = &s->is->sheet.term[i];
        bool trained = s->is->lora == 0 || term->set == ACCOUNT_SET_ADAPTERS;
        if (trained && term->category == ACCOUNT_PARAMS && term->tier == ACCOUNT_GPU)
            sum += s->bytes[i];
    }
    return sum;
}

/* All that stays but the gradients; or before the states, a second copy of what is trained while
 * DeepSpeed flattens it (runtime/zero/ stage_1_and_2.py, __init__), if the card has room for it:
 * else the host flattens, so this never decides what fits. Other recipes have nothing at init that
 * forward does not have too; zerolab's own init is in memory_units.c. */
static struct account_ledger at_init(const struct account_step *s) {
    const struct account_resolved *is = s->is;
    struct account_ledger ready = s->standing, flat = {0};
    account_step_leave_out(&ready, s, ACCOUNT_GRADS);
    if (!(is->recipe->init_copy & ACCOUNT_STAGE(is->stage))) return ready;
    account_ledger_add(&flat, ACCOUNT_PARAMS, ready.bytes[ACCOUNT_PARAMS] + trained_params(s));
    account_ledger_add(&flat, ACCOUNT_FRAMEWORK, s->reserve);
    bool capacity =
        !is->card || account_fit(flat.total, account_card_bytes(is->card)) == ACCOUNT_FITS;
    return capacity && flat.total > ready.total ? flat : ready;
}

static struct account_ledger at_forward(const struct account_step *s) {
    struct account_ledger l = s->standing;
    add(&l, s, ACCOUNT_IN_STEP);
    if (s->is->micro > 1) add(&l, s, ACCOUNT_IN_BACKWARD);
    account_ledger_add(&l, ACCOUNT_GATHER, s->buffers.gather_forward);
    const struct account_activations *a = &s->activations;
    add_activations(&l, s, a->layers + a->embedding + a->head + a->logits_forward);
    return l;
}

/* Cross-entropy's own backward comes first: the logits and their gradients, and no other gradients
 * yet. */
static struct account_ledger at_logits(const struct account_step *s) {
    const struct account_activations *a = &s->activations;
    struct account_ledger l = s->standing;
    add(&l, s, ACCOUNT_IN_STEP);
    if (s->is->micro > 1) add(&l, s, ACCOUNT_IN_BACKWARD);
    account_ledger_add(&l, ACCOUNT_GATHER, s->buffers.gather_backward);
    add_activations(&l, s, a->layers + a->embedding + a->head + a->logits);
    return l;
}

/* Backward goes on with all activations and the first unit's gradients, and ends with all gradients
 * and the last unit's activations: what it holds in between lies between the two. */
static struct account_ledger in_backward(const struct account_step *s) {
    struct account_ledger l = s->standing;
    add(&l, s, ACCOUNT_IN_STEP);
    add(&l, s, ACCOUNT_PASSING);
    account_ledger_add(&l, ACCOUNT_GATHER, s->buffers.gather_backward);
    account_ledger_add(&l, ACCOUNT_REDUCE,
                       beyond(s->buffers.reduce_backward, s->buffers.reduce_always));
    return l;
}

static uint64_t first_gradients(const struct account_step *s, uint64_t all) {
    uint64_t whole = s->is->sheet.share[ACCOUNT_SET_DENSE].params, unit = s->units.largest;
    if (unit == 0 || unit >= whole) return all;
    return (uint64_t)((account_sum)all * unit / whole);
}

static struct account_ledger at_backward_start(const struct account_step *s) {
    struct account_ledger l = in_backward(s), grads = {0};
    add(&grads, s, ACCOUNT_IN_BACKWARD);
    uint64_t now = s->is->micro > 1 ? grads.total : first_gradients(s, grads.total);
    account_ledger_add(&l, ACCOUNT_GRADS, now);
    const struct account_activations *a = &s->activations;
    add_activations(&l, s, a->layers + a->embedding + a->working);
    return l;
}

static struct account_ledger at_backward_end(const struct account_step *s) {
    const struct account_activations *a = &s->activations;
    struct account_ledger l = in_backward(s);
    add(&l, s, ACCOUNT_IN_BACKWARD);
    uint64_t others =
        a->in_flight > 1 ? a->layers - (uint64_t)((double)a->layers / a->in_flight) : 0;
    add_activations(&l, s, others + a->kept + a->working + a->embedding);
    return l;
}

static struct account_ledger at_update(const struct account_step *s) {
    struct account_ledger l = s->standing;
    add(&l, s, ACCOUNT_IN_BACKWARD);
    add(&l, s, ACCOUNT_IN_UPDATE);
    add_activations(&l, s, 0);
    return l;
}

const struct account_instant_row account_plain_instants[ACCOUNT_PLAIN_INSTANTS] = {
    [ACCOUNT_PLAIN_INIT] = {ACCOUNT_INIT, "init", at_init},
    [ACCOUNT_PLAIN_FORWARD] = {ACCOUNT_FORWARD, "forward, logits", at_forward},
    [ACCOUNT_PLAIN_LOGITS] = {ACCOUNT_BACKWARD, "backward, logits", at_logits},
    [ACCOUNT_PLAIN_START] = {ACCOUNT_BACKWARD, "backward, last block", at_backward_start},
    [ACCOUNT_PLAIN_END] = {ACCOUNT_BACKWARD, "backward, first block", at_backward_end},
    [ACCOUNT_PLAIN_UPDATE] = {ACCOUNT_UPDATE, "update", at_update},
};

static const struct account_instant_row *instants_of(const struct account_step *s, size_t *count) {
    bool units = account_knows_units(s);
    *count = units ? account_unit_instants_count : ACCOUNT_PLAIN_INSTANTS;
    return units ? account_unit_instants : account_plain_instants;
}

/* ── the whole ─────────────────────────────────────────────────────────────────────────────────*/

/* Model states as they stand between backward and update; of the rest, each category's highest. */
static struct account_ledger on_gpu(const struct account_step *s, const uint64_t *highest) {
    struct account_ledger l = {0};
    add(&l, s, ACCOUNT_ALWAYS);
    add(&l, s, ACCOUNT_IN_BACKWARD);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (!(ACCOUNT_MODEL_STATE >> c & 1)) {
            assert(highest[c] >= l.bytes[c]);
            account_ledger_add(&l, (enum account_category)c, highest[c] - l.bytes[c]);
        }
    return l;
}

/* A node holds the shards of all its ranks. */
static struct account_ledger on_node(const struct account_step *s, enum account_tier tier) {
    struct account_ledger l = {0};
    uint32_t ranks = s->is->mesh.node;
    account_step_add(&l, s, tier, ACCOUNT_ALWAYS);
    account_step_add(&l, s, tier, ACCOUNT_IN_BACKWARD);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) l.bytes[c] *= ranks;
    l.total *= ranks;
    l.padding *= ranks;
    return l;
}

/* Returns the sum of the categories. */
static uint64_t keep_highest(const struct account_ledger *l, uint64_t *highest) {
    uint64_t sum = 0;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        sum += l->bytes[c];
        if (l->bytes[c] > highest[c]) highest[c] = l->bytes[c];
    }
    return sum;
}

/* Of phases that are equally high, backward is the one to name: there everything is alive. */
static void walk(const struct account_step *s, struct account_memory *out) {
    size_t count;
    const struct account_instant_row *instant = instants_of(s, &count);
    for (int p = 0; p < ACCOUNT_PHASES; p++)
        out->phase[p].where = account_phase_name((enum account_phase)p);
    for (size_t i = 0; i < count; i++) {
        struct account_instant *best = &out->phase[instant[i].phase];
        struct account_ledger now = instant[i].at(s);
        uint64_t sum = keep_highest(&now, out->highest);
        assert(sum == now.total && now.padding <= now.total);
        if (now.total <= best->ledger.total) continue;
        best->ledger = now;
        bool plain = now.bytes[ACCOUNT_ACTIVATIONS] == 0;
        best->where = plain ? account_phase_name(instant[i].phase) : instant[i].where;
    }
    out->peak = ACCOUNT_BACKWARD;
    for (int p = 0; p < ACCOUNT_PHASES; p++)
        if (out->phase[p].ledger.total > out->phase[out->peak].ledger.total)
            out->peak = (enum account_phase)p;
    assert(out->phase[out->peak].ledger.total >=
           s->standing.total - s->standing.bytes[ACCOUNT_GRADS]);
}

bool account_memory_of(const struct account_resolved *is, struct account_memory *out,
                       struct account_error *e) {
    struct account_step step;
    *out = (struct account_memory){0};
    if (!account_step_of(is, &step, e)) return false;
    walk(&step, out);
    out->gpu = on_gpu(&step, out->highest);
    out->host = on_node(&step, ACCOUNT_HOST);
    out->nvme = on_node(&step, ACCOUNT_NVME);
    out->persistent = step.standing;
    out->implied = account_implied_of(is);
    return true;
}

bool account_memory(const struct account_training *t, struct account_memory *out,
                    struct account_error *e) {
    struct account_resolved is;
    *out = (struct account_memory){0};
    return account_resolve(t, &is, e) && account_memory_of(&is, out, e);
}

const char *account_phase_name(enum account_phase p) {
    static const char *const names[] = {"init", "forward", "backward", "update"};
    return names[p < ACCOUNT_PHASES ? p : ACCOUNT_INIT];
}

/* ── ledgers, and what fits ────────────────────────────────────────────────────────────────────*/

/* ZeRO, arXiv:1910.02054, section 5: stage 0 keeps 2Ψ + 2Ψ + KΨ on every GPU, stage 1 4Ψ + KΨ/N,
 * stage 2 2Ψ + (2 + K)Ψ/N, stage 3 (4 + K)Ψ/N. Which copies there are, and from which stage each is
 * divided, is the recipe's row. */
bool account_ledger(const struct account_training *t, struct account_ledger *out,
                    struct account_error *e) {
    struct account_memory m;
    *out = (struct account_ledger){0};
    if (!account_memory(t, &m, e)) return false;
    *out = m.gpu;
    return true;
}

double account_bytes_per_param(const struct account_training *t, enum account_category c) {
    struct account_sheet s;
    account_sheet_whole(t, &s);
    return account_sheet_rate(&s, 1u << c);
}

bool account_is_sharded(const struct account_training *t, enum account_category c) {
    struct account_sheet s;
    account_sheet(t, &s);
    return account_sheet_divides(&s, c);
}

uint64_t account_largest_params(const struct account_training *t, uint64_t bytes) {
    struct account_sheet s;
    account_sheet(t, &s);
    return account_optimizer_of(t)->factored
               ? 0
               : account_sheet_largest(&s, ACCOUNT_TOTAL, (double)bytes);
}

uint32_t account_fewest_gpus(const struct account_training *t, uint64_t bytes) {
    struct account_sheet s;
    account_sheet(t, &s);
    return account_sheet_fewest(&s, ACCOUNT_TOTAL, (double)bytes);
}
