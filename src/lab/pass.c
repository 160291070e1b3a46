/* One micro-step: forward through the units, the head, and back. What lives only for a part of it enters the ledger where it begins and
 * leaves where it ends. A unit's output is written straight into what the next one keeps. */
#include "lab/engine.h"
#include "lab/tokens.h"

static size_t last_norm(const struct lab_rank *k) {
    return k->split.units - 1;
}

static struct lab_pass pass_of(const struct lab_rank *k, size_t unit) {
    return (struct lab_pass){.device = k->device,
                             .options = k->options,
                             .unit = &k->model->unit[unit],
                             .working = k->reservations.working.memory,
                             .scratch = k->reservations.scratch.memory};
}

static bool enter(struct lab_rank *k, struct lab_reservation *reservation) {
    return lab_reservation_enter(&k->ledger, reservation);
}

static void leave(struct lab_rank *k, struct lab_reservation *reservation) {
    lab_reservation_leave(&k->ledger, reservation);
}

static const int32_t *targets(const struct lab_rank *k) {
    return (const int32_t *)k->reservations.tokens.memory + lab_rows(k);
}

/* Sequence numbers go round the ranks, so that N ranks and N micro-steps of one see the same. */
static bool bring_tokens(struct lab_rank *k, uint64_t micro,
                         void (*read)(const struct lab_tokens *t, uint64_t number, int32_t *inputs,
                                      int32_t *targets)) {
    const struct lab_options *o = k->options;
    size_t rows = lab_rows(k), seq = o->shape.seq;
    if (!enter(k, &k->reservations.tokens)) return false;
    if (o->dry) return true;
    uint64_t first = (micro * o->ranks + k->comm->rank) * o->batch;
    for (uint32_t i = 0; i < o->batch; i++)
        read(k->tokens, first + i, k->host_tokens + i * seq, k->host_tokens + rows + i * seq);
    k->device->row->upload(k->device, k->reservations.tokens.memory, k->host_tokens,
                           2 * rows * sizeof(int32_t));
    return true;
}

/* ── forward ─────────────────────────────────────────────────────────────────────────────────────*/

/* Where the output of the lookup or of a block goes: what the next block keeps, or the last norm. */
static struct lab_reservation *kept_after(struct lab_rank *k, size_t unit) {
    return unit + 1 < last_norm(k) ? &k->reservations.saved[unit] : &k->reservations.head;
}

static bool unit_forward(struct lab_rank *k, size_t unit) {
    struct lab_pass p = pass_of(k, unit);
    struct lab_reservation *to = kept_after(k, unit);
    lab_at(k, LAB_AT_FORWARD, (int)unit);
    if (!lab_params_use(k, &p.params) || !enter(k, to)) return false;
    if (unit == 0) {
        lab_embed_forward(&p, k->reservations.tokens.memory, to->memory);
    } else {
        p.saved = k->reservations.saved[unit - 1].memory;
        if (!enter(k, &k->reservations.working)) return false;
        lab_block_forward(&p, p.saved, to->memory);
    }
    lab_say_memory(k);
    lab_params_done(k);
    return true;
}

static bool norm_forward(struct lab_rank *k) {
    struct lab_pass p = pass_of(k, last_norm(k));
    lab_at(k, LAB_AT_FORWARD, (int)last_norm(k));
    leave(k, &k->reservations.working);
    if (!lab_params_use(k, &p.params)) return false;
    p.saved = k->reservations.head.memory;
    lab_last_norm_forward(&p, p.saved);
    lab_params_done(k);
    return true;
}

/* ── the head, forward and at once backward: its parameters are held through both ────────────────*/

static bool head_forward(struct lab_rank *k, const struct lab_pass *p) {
    struct lab_reservation *logits = &k->reservations.logits;
    double rows = (double)lab_rows(k);
    if (!enter(k, logits)) return false;
    lab_head_forward(p, logits->memory);
    lab_head_loss(p, logits->memory, targets(k), k->scaler.scale / rows);
    lab_say_memory(k);
    return true;
}

static bool head_backward(struct lab_rank *k, struct lab_pass *p) {
    lab_at(k, LAB_AT_BACKWARD, (int)k->split.units);
    if (!enter(k, &k->reservations.gradient) || !lab_grads_open(k, 0, p)) return false;
    lab_head_backward(p, k->reservations.logits.memory, k->reservations.gradient.memory);
    lab_say_memory(k);
    leave(k, &k->reservations.logits);
    return true;
}

static bool head(struct lab_rank *k) {
    struct lab_pass p = pass_of(k, 0);
    lab_at(k, LAB_AT_FORWARD, (int)k->split.units);
    if (!lab_params_use(k, &p.params)) return false;
    p.saved = k->reservations.head.memory;
    if (!head_forward(k, &p) || !head_backward(k, &p)) return false;
    lab_params_done(k);
    return true;
}

/* ── backward ────────────────────────────────────────────────────────────────────────────────────*/

static bool unit_backward(struct lab_rank *k, size_t unit) {
    struct lab_pass p = pass_of(k, unit);
    bool norm = unit == last_norm(k);
    struct lab_reservation *saved = norm ? &k->reservations.head : &k->reservations.saved[unit - 1];
    lab_at(k, LAB_AT_BACKWARD, (int)unit);
    if (!lab_params_use(k, &p.params) || !lab_grads_open(k, unit, &p)) return false;
    if (!norm && !(enter(k, &k->reservations.working) && enter(k, &k->reservations.scratch)))
        return false;
    p.saved = saved->memory;
    (norm ? lab_last_norm_backward : lab_block_backward)(&p, k->reservations.gradient.memory);
    lab_params_done(k);
    if (!lab_grads_close(k, unit)) return false;
    lab_say_memory(k);
    leave(k, saved);
    return true;
}

/* The embeddings' gradients are open since the head's backward. */
static bool lookup_backward(struct lab_rank *k) {
    struct lab_pass p = pass_of(k, 0);
    lab_at(k, LAB_AT_BACKWARD, 0);
    leave(k, &k->reservations.working);
    leave(k, &k->reservations.scratch);
    p.grads = lab_grads_whole(k, 0);
    lab_embed_backward(&p, k->reservations.tokens.memory, k->reservations.gradient.memory);
    leave(k, &k->reservations.gradient);
    leave(k, &k->reservations.tokens);
    if (!lab_grads_close(k, 0)) return false;
    lab_say_memory(k);
    return lab_reduce_finish(k);
}

bool lab_micro_step(struct lab_rank *k) {
    size_t norm = last_norm(k);
    uint64_t number = (uint64_t)(k->step - 1) * k->options->accumulate + k->micro;
    lab_gather_begin(k, false);
    lab_at(k, LAB_AT_FORWARD, 0);
    bool well = bring_tokens(k, number, lab_tokens_sequence);
    for (size_t u = 0; well && u < norm; u++) well = unit_forward(k, u);
    well = well && norm_forward(k) && head(k);
    for (size_t u = norm; well && u > 0; u--) well = unit_backward(k, u);
    return well && lookup_backward(k);
}

/* The same on what is not trained on, as far as the loss: always the same sequences, so that evaluations can be compared. */
bool lab_forward_only(struct lab_rank *k) {
    struct lab_rooms *r = &k->reservations;
    size_t norm = last_norm(k);
    lab_gather_begin(k, true);
    bool well = bring_tokens(k, 0, lab_tokens_held_out);
    for (size_t u = 0; well && u < norm; u++) well = unit_forward(k, u);
    if (!well || !norm_forward(k)) return false;
    struct lab_pass p = pass_of(k, 0);
    if (!lab_params_use(k, &p.params)) return false;
    p.saved = r->head.memory;
    if (!head_forward(k, &p)) return false;
    lab_params_done(k);
    for (size_t i = 0; i + 1 < norm; i++) leave(k, &r->saved[i]);
    leave(k, &r->logits);
    leave(k, &r->head);
    leave(k, &r->tokens);
    return true;
}
