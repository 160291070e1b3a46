/* The life of a rank: it allocates, initialises, steps, and reports the end. */
#include "lab/engine.h"
#include "lab/saved.h"
#include "lab/tokens.h"

#include <stdio.h>
#include <stdlib.h>

static bool open_rank(struct lab_rank *k) {
    const struct lab_options *o = k->options;
    k->model = lab_model_new(&o->shape);
    k->every = calloc(o->ranks, sizeof *k->every);
    k->host_tokens = calloc(2 * lab_rows(k), sizeof *k->host_tokens);
    if (!k->model || !k->every || !k->host_tokens ||
        !lab_partition_make(k->model, o->ranks, lab_grain(o), &k->split))
        return lab_fail_memory(k);
    lab_partition_group(&k->split, o->ranks / lab_sharers(o), k->comm->rank);
    if (o->hpz) lab_partition_second(&k->split, o->hpz);
    if (!lab_buckets_make(&k->split, o->sparse_gradients ? 1 : 0, o->bucket, lab_grad_element(k),
                          &k->buckets))
        return lab_fail_memory(k);
    if (!lab_tiers_open(k)) return false;
    if (o->dry) return true;
    k->tokens = lab_tokens_open(o, &k->message);
    if (k->tokens && o->resume[0]) k->saved = lab_saved_open(o->resume, &k->message);
    if (!k->tokens || !k->saved) return k->tokens && !o->resume[0];
    if (o->loss_scale <= 0) k->scaler = k->saved->scaler; /* else the scale is the one asked for */
    assert(k->saved->step == o->done);
    return true;
}

static bool allocate(struct lab_rank *k) {
    lab_at(k, LAB_AT_INIT, -1);
    if (!lab_states_take(k) || !lab_gather_reserve(k) || !lab_reduce_reserve(k) ||
        !lab_rows_reserve(k) || !lab_reservations_make(k) || !lab_rehearse(k))
        return false;
    lab_say_memory(k);
    return k->comm->row->barrier(k->comm, &k->message);
}

static void close_rank(struct lab_rank *k) {
    k->comm->watch = NULL;
    k->comm->watch_self = NULL;
    lab_reservations_free(k);
    lab_reduce_free(k);
    lab_rows_free(k);
    lab_gather_free(k);
    lab_tiers_stop(k);
    lab_piece_free(k);
    lab_rise_free(k);
    lab_states_give(k);
    lab_tiers_close(k);
    lab_buckets_free(&k->buckets);
    lab_partition_free(&k->split);
    if (k->tokens) lab_tokens_close(k->tokens);
    lab_saved_close(k->saved);
    lab_model_free(k->model);
    free(k->every);
    free(k->host_tokens);
}

/* If the ledger refused memory, its refusal is the reason. Else there is a message. */
static void say_error(struct lab_rank *k) {
    uint32_t missed = k->comm->missed;
    struct lab_report r = {.says = LAB_SAYS_ERROR,
                           .rank = missed ? missed - 1 : k->comm->rank,
                           .where = k->ledger.where};
    r.as.error.memory = k->ledger.refusal.need > 0;
    r.as.error.refusal = k->ledger.refusal;
    (void)snprintf(r.as.error.text, sizeof r.as.error.text, "%.199s", k->message.text);
    if (r.as.error.memory && k->ledger.refusal.cap == 0)
        (void)snprintf(r.as.error.text, sizeof r.as.error.text, "%.199s", k->comm->trouble);
    k->sink->say(k->sink->self, &r);
}

static bool say_end(struct lab_rank *k) {
    const struct lab_ledger *l = &k->ledger;
    struct lab_report r = {.says = LAB_SAYS_END, .rank = k->comm->rank, .where = l->where};
    struct lab_says_end *e = &r.as.end;
    memcpy(e->persistent, l->now, sizeof e->persistent);
    memcpy(e->peak, l->peak, sizeof e->peak);
    memcpy(e->at_peak, l->at_peak, sizeof e->at_peak);
    memcpy(e->sent, k->comm->sent, sizeof e->sent);
    e->peak_total = l->peak_total;
    e->peak_where = l->peak_where;
    e->control = k->comm->control;
    e->between = k->comm->between;
    e->loss = k->loss;
    lab_tiers_tell(k, e->tier);
    if (!k->options->dry && !k->options->no_hash && !k->options->links) {
        e->state_hash = lab_state_hash(k);
        if (!lab_weights_hash(k, &e->weights_hash)) return false;
    }
    k->sink->say(k->sink->self, &r);
    return true;
}

/* Called when everything is loaded that a step needs. Only the first rank of a process reports what
 * the process holds. If processes share a GPU, none can tell its part. */
static void say_outside(struct lab_rank *k) {
    const struct lab_options *o = k->options;
    struct lab_report r = {
        .says = LAB_SAYS_OUTSIDE, .rank = k->comm->rank, .where = k->ledger.where};
    bool first = o->comm != LAB_LOCAL || k->comm->rank < o->gpus; /* on its GPU */
    if (!k->device->row->outside || k->step != o->done + 1 || !first || o->share_gpu) return;
    if (k->device->row->outside(k->device, &r.as.outside)) k->sink->say(k->sink->self, &r);
}

static bool step(struct lab_rank *k) {
    if (!lab_step(k)) return false;
    say_outside(k);
    return lab_evaluate(k) && lab_save(k);
}

/* ── from the first allocation to the last report ── */

bool lab_rank_run(const struct lab_options *o, struct lab_comm *comm, struct lab_device *device,
                  const struct lab_sink *sink) {
    struct lab_rank k = {
        .options = o,
        .stage = lab_stage_of(o),
        .device = device,
        .comm = comm,
        .sink = sink,
        .scaler = lab_scaler_new(o),
        .ledger = {.device = device, .comm = comm, .cap = o->cap, .where = {0, LAB_AT_INIT, -1}}};
    comm->group = lab_sharers(o);
    comm->node = lab_node_ranks(o);
    comm->second = o->hpz;
    comm->watch = lab_watch;
    comm->watch_self = &k; // cppcheck-suppress autoVariables ; close_rank() takes it back
    bool well = open_rank(&k) && (o->links ? lab_links(&k) : allocate(&k));
    for (k.step = o->done + 1; !o->links && well && k.step <= o->steps; k.step++) well = step(&k);
    well = well && say_end(&k) && comm->row->barrier(comm, &k.message);
    if (!well) say_error(&k);
    close_rank(&k);
    return well;
}
