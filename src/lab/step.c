/* A training step, from the tokens to the new parameters:
 *
 *     for each micro-step   forward through the units, the head and its loss, backward
 *         for each unit     its parameters arrive (gather.c), it computes,
 *                           its gradients leave (reduce.c)
 *     then once             the loss of all ranks, the gradients' norm, the optimizer,
 *                           the new parameters (update.c)
 *
 * Memory that is used for a part of a micro-step only enters the ledger where that part begins, and
 * leaves it where the part ends. That is why peaks differ by stage. A unit's output is written
 * straight to where the next unit keeps its input, without a copy. */
#include "lab/engine.h"
#include "lab/saved.h"
#include "lab/tokens.h"

static size_t last_norm(const struct lab_rank *k) {
    return lab_norm_unit(&k->options->shape);
}

static size_t head_unit(const struct lab_rank *k) {
    return lab_head_unit(&k->options->shape);
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

/* ── tokens: the one thing in which ranks differ ── */

typedef void read_sequence(const struct lab_tokens *t, uint64_t number, int32_t *inputs,
                           int32_t *targets);

uint64_t lab_sequences(const struct lab_rank *k, uint32_t step, uint32_t micro) {
    const struct lab_options *o = k->options;
    uint64_t before = k->saved ? k->saved->sequences : 0;
    return before + ((uint64_t)(step - 1 - o->done) * o->accumulate + micro) * o->ranks * o->batch;
}

/* Sequences are dealt to the ranks in turn, so that N ranks see the same sequences in a step as one
 * rank in N micro-steps. */
static bool bring_tokens(struct lab_rank *k, uint64_t first, read_sequence *read) {
    const struct lab_options *o = k->options;
    size_t rows = lab_rows(k), seq = o->shape.seq;
    if (!enter(k, &k->reservations.tokens)) return false;
    if (o->dry) return true;
    uint64_t number =
        first + (lab_has_bug(k, LAB_SAME_DATA) ? 0 : (uint64_t)k->comm->rank * o->batch);
    for (uint32_t i = 0; i < o->batch; i++)
        read(k->tokens, number + i, k->host_tokens + i * seq, k->host_tokens + rows + i * seq);
    k->device->row->upload(k->device, k->reservations.tokens.memory, k->host_tokens,
                           2 * rows * sizeof(int32_t));
    return true;
}

/* ── forward ───────────────────────────────────────────────────────────────────────────────────*/

/* Where the output of the lookup or of a block goes: to what the next block keeps, or to the last
 * norm's input. */
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

/* ── the head ──
 *
 * Its backward follows its forward directly, so that its parameters are gathered once for both. */

/* The loss is scaled here, so that gradients in fp16 do not underflow. The scale is taken out in
 * the update. */
static bool head_forward(struct lab_rank *k, const struct lab_pass *p) {
    struct lab_reservation *logits = &k->reservations.logits;
    double rows = (double)lab_rows(k);
    if (!enter(k, logits)) return false;
    lab_head_forward(p, logits->memory);
    lab_head_loss(p, logits->memory, targets(k), k->scaler.scale / rows);
    lab_say_memory(k);
    return true;
}

/* Logits are their own gradient by now. A tied head's gradients stay open until the lookup's
 * backward has added its part. */
static bool head_backward(struct lab_rank *k, struct lab_pass *p) {
    lab_at(k, LAB_AT_BACKWARD, (int)k->split.units);
    if (!enter(k, &k->reservations.gradient) || !lab_grads_open(k, head_unit(k), p)) return false;
    lab_head_backward(p, k->reservations.logits.memory, k->reservations.gradient.memory);
    if (head_unit(k) == 0) lab_say_memory(k);
    leave(k, &k->reservations.logits);
    return true;
}

/* An untied head's gradients are complete, and are sent while the last block computes. */
static bool head_close(struct lab_rank *k) {
    if (head_unit(k) == 0) return true;
    if (!lab_grads_close(k, head_unit(k))) return false;
    lab_say_memory(k);
    return true;
}

static bool head(struct lab_rank *k) {
    struct lab_pass p = pass_of(k, head_unit(k));
    lab_at(k, LAB_AT_FORWARD, (int)k->split.units);
    if (!lab_params_use(k, &p.params)) return false;
    p.saved = k->reservations.head.memory;
    if (!head_forward(k, &p) || !head_backward(k, &p)) return false;
    lab_params_done(k);
    return head_close(k);
}

/* ── backward ──────────────────────────────────────────────────────────────────────────────────*/

/* The last norm, then the blocks from the last to the first. A block's activations are free once
 * its gradients are made. */
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

/* The fault of a late reduction: the embeddings' gradients are sent after the update. */
static bool is_late(const struct lab_rank *k) {
    return lab_has_bug(k, LAB_LATE_REDUCE) && k->micro + 1 == k->options->accumulate;
}

static bool reduce_late(struct lab_rank *k) {
    if (!lab_has_bug(k, LAB_LATE_REDUCE)) return true;
    k->micro = k->options->accumulate - 1;
    return lab_grads_close(k, 0) && lab_reduce_finish(k);
}

/* Since a tied head's backward the embeddings' gradients are open. */
static bool add_lookup(struct lab_rank *k) {
    const int32_t *tokens = k->reservations.tokens.memory;
    const void *gradient = k->reservations.gradient.memory;
    struct lab_pass p = pass_of(k, 0);
    if (k->options->sparse_gradients) return lab_rows_send(k, tokens, gradient);
    if (head_unit(k) != 0 && !lab_grads_open(k, 0, &p)) return false;
    p.grads = lab_grads_unsharded(k, 0);
    lab_embed_backward(&p, tokens, gradient);
    return true;
}

/* The embeddings' gradients are the last to be sent. */
static bool lookup_backward(struct lab_rank *k) {
    leave(k, &k->reservations.working);
    leave(k, &k->reservations.scratch);
    lab_at(k, LAB_AT_BACKWARD, 0);
    if (!add_lookup(k)) return false;
    leave(k, &k->reservations.gradient);
    leave(k, &k->reservations.tokens);
    if (is_late(k)) return true;
    if (!k->options->sparse_gradients && !lab_grads_close(k, 0)) return false;
    lab_say_memory(k);
    return lab_reduce_finish(k) && lab_rows_add(k);
}

/* ── a micro-step ──────────────────────────────────────────────────────────────────────────────*/

/* Between micro-steps only model states are in use, and memory that was lent to the device. */
static bool is_at_rest(const struct lab_rank *k) {
    const struct lab_ledger *l = &k->ledger;
    return l->now[ACCOUNT_ACTIVATIONS] == 0 && l->now[ACCOUNT_GATHER] == 0 &&
           l->now[ACCOUNT_REDUCE] == 0 && l->now[ACCOUNT_WORKSPACE] == k->reservations.device.bytes;
}

static bool micro_step(struct lab_rank *k) {
    size_t norm = last_norm(k);
    lab_gather_begin(k, false);
    lab_at(k, LAB_AT_FORWARD, 0);
    bool well = bring_tokens(k, lab_sequences(k, k->step, k->micro), lab_tokens_sequence);
    for (size_t u = 0; well && u < norm; u++) well = unit_forward(k, u);
    well = well && norm_forward(k) && head(k);
    for (size_t u = norm; well && u > 0; u--) well = unit_backward(k, u);
    well = well && lookup_backward(k);
    assert(!well || is_late(k) || is_at_rest(k));
    return well;
}

/* ── a step ────────────────────────────────────────────────────────────────────────────────────*/

/* Calculates the mean of all ranks' losses, added in rank order, over `rows` tokens of each. When a
 * rank's exchange returns, its peers have read all that they will of its parameters, so the
 * parameters may change. */
static bool mean_loss(struct lab_rank *k, double rows, double *mean) {
    double mine = k->device->row->take_loss(k->device) / rows, sum = 0;
    if (!k->comm->row->exchange(k->comm, mine, k->every, &k->message)) return false;
    for (uint32_t r = 0; r < k->comm->ranks; r++) sum += k->every[r];
    *mean = sum / k->comm->ranks;
    return true;
}

static void say_step(struct lab_rank *k, double loss, double scale, bool skipped) {
    double seconds = lab_seconds() - k->meter.started;
    struct lab_report r = {.says = LAB_SAYS_STEP, .rank = k->comm->rank, .where = k->ledger.where};
    r.as.step = (struct lab_says_step){.loss = loss,
                                       .seconds = seconds,
                                       .compute = seconds - k->meter.exposed - k->meter.offload,
                                       .comm = k->meter.comm,
                                       .exposed = k->meter.exposed,
                                       .skew = k->meter.skew,
                                       .offload = k->meter.offload,
                                       .update = k->meter.update,
                                       .passes = k->meter.passes,
                                       .scale = scale,
                                       .skipped = skipped};
    k->sink->say(k->sink->self, &r);
}

bool lab_settle(struct lab_rank *k) {
    return !k->comm->row->settle || k->comm->row->settle(k->comm, &k->message);
}

/* read: step */
bool lab_step(struct lab_rank *k) {
    double loss = 0, scale = 1, scaled = k->scaler.scale;
    double rows = (double)lab_rows(k) * k->options->accumulate;
    bool skip = false;
    k->meter = (struct lab_meter){.started = lab_seconds()};
    for (k->micro = 0; k->micro < k->options->accumulate; k->micro++)
        if (!micro_step(k)) return false;
    lab_at(k, LAB_AT_UPDATE, -1);
    if (!mean_loss(k, rows, &loss) || !lab_gradient_scale(k, &scale, &skip)) return false;
    if (k->options->loss_scale <= 0) lab_scaler_after(&k->scaler, skip);
    if (!skip && !lab_update(k, scale)) return false;
    if (!reduce_late(k)) return false;
    if (!k->device->row->finish(k->device, &k->message) || !lab_settle(k)) return false;
    say_step(k, loss, scaled, skip);
    k->loss = loss;
    return true;
}
/* read: end */

/* ── the loss on text that is not trained on ──
 *
 * It takes a forward, whose times and bytes are not a part of the run. */

/* Always the same sequences, so that evaluations can be compared. */
static bool forward_only(struct lab_rank *k) {
    struct lab_reservations *r = &k->reservations;
    size_t norm = last_norm(k);
    lab_gather_begin(k, true);
    bool well = bring_tokens(k, 0, lab_tokens_held_out);
    for (size_t u = 0; well && u < norm; u++) well = unit_forward(k, u);
    if (!well || !norm_forward(k)) return false;
    struct lab_pass p = pass_of(k, head_unit(k));
    if (!lab_params_use(k, &p.params)) return false;
    p.saved = r->head.memory;
    if (!head_forward(k, &p)) return false;
    lab_params_done(k);
    for (size_t i = 0; i + 1 < norm; i++) leave(k, &r->saved[i]);
    leave(k, &r->logits);
    leave(k, &r->head);
    leave(k, &r->tokens);
    assert(is_at_rest(k));
    return true;
}

static bool is_due(const struct lab_rank *k) {
    uint32_t every = k->options->evaluate;
    return every && !k->options->dry && k->step % every == 0;
}

static void say_evaluation(struct lab_rank *k, double loss) {
    struct lab_report r = {
        .says = LAB_SAYS_EVALUATION, .rank = k->comm->rank, .where = k->ledger.where};
    r.as.evaluation.loss = loss;
    if (k->comm->rank == 0) k->sink->say(k->sink->self, &r);
}

bool lab_evaluate(struct lab_rank *k) {
    struct lab_comm *c = k->comm;
    uint64_t moved[LAB_LANES], sent[LAB_COLLECTIVES], control = c->control, between = c->between;
    double loss = 0;
    if (!is_due(k)) return true;
    memcpy(sent, c->sent, sizeof sent);
    for (int i = 0; i < LAB_LANES; i++) moved[i] = k->tiers.lane[i].bytes;
    c->watch = NULL;
    bool well = forward_only(k) && mean_loss(k, (double)lab_rows(k), &loss) &&
                k->device->row->finish(k->device, &k->message) && lab_settle(k);
    c->watch = lab_watch;
    memcpy(c->sent, sent, sizeof sent);
    for (int i = 0; i < LAB_LANES; i++) k->tiers.lane[i].bytes = moved[i];
    c->control = control;
    c->between = between;
    if (well) say_evaluation(k, loss);
    return well;
}
