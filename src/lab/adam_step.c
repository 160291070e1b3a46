/* The optimizer's step on what this rank owns, and the new parameters to everybody. */
#include "lab/engine.h"

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t most(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Loshchilov and Hutter, arXiv:1711.05101; as GPT-2's trainers do, matrices decay, biases and norms do not. */
static void list_pieces(const struct lab_unit *unit, size_t from, size_t to, struct lab_adam *x) {
    x->pieces = 0;
    for (size_t i = 0; i < unit->tensors; i++) {
        const struct lab_tensor *t = &unit->tensor[i];
        size_t end = least(t->offset + t->count, to);
        if (most(t->offset, from) < end)
            x->piece[x->pieces++] =
                (struct lab_adam_piece){end - from, t->rows > 1 && t->columns > 1};
    }
}

/* What this rank owns of the unit, without padding. */
static void update_unit(struct lab_rank *k, size_t u, struct lab_adam *x) {
    const struct lab_unit_state *s = &k->unit[u];
    const struct lab_split *n = &k->split.unit[u];
    size_t e = lab_element(k), from = k->stage->shards_moments ? k->comm->rank * n->shard : 0;
    size_t to = least(k->stage->shards_moments ? from + n->shard : n->padded, n->count);
    if (from >= to) return;
    x->param = s->params + (k->stage->shards_params ? 0 : from) * e;
    x->grad = s->grads + (k->stage->shards_grads ? 0 : from) * e;
    x->master = s->master;
    x->m = s->m;
    x->v = s->v;
    x->n = to - from;
    list_pieces(&k->model->unit[u], from, to, x);
    k->device->row->adam(k->device, k->options->compute, k->options->compute, x);
}

bool lab_update(struct lab_rank *k, double scale) {
    bool gathers = k->stage->shards_moments && !k->stage->shards_params;
    struct lab_adam x = {.rate = lab_learning_rate(k->options, k->step),
                         .beta1 = 0.9,
                         .beta2 = 0.95,
                         .eps = 1e-8,
                         .decay = k->options->decay,
                         .grad_scale = scale,
                         .step = k->step};
    lab_ticket ticket = 0;
    for (size_t u = 0; u < k->split.units; u++) {
        lab_at(k, LAB_AT_UPDATE, (int)u);
        update_unit(k, u, &x);
        if (gathers && !lab_gather_unit(k, u, k->unit[u].params, &ticket)) return false;
    }
    lab_say_memory(k);
    return k->comm->row->wait(k->comm, ticket, &k->message);
}
