/* The optimizer's step on what this rank owns, and the new parameters to everybody. */
#include "lab/engine.h"

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t most(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Elements [from, to) of the unit, all of one tensor; `first` is the unit's element at which this rank's states begin. Loshchilov and
 * Hutter, arXiv:1711.05101; as GPT-2's trainers do, matrices decay, biases and norms do not. */
static void update_range(struct lab_rank *k, size_t u, size_t from, size_t to, size_t first,
                         struct lab_adam *x, bool decays) {
    const struct lab_unit_state *s = &k->unit[u];
    size_t e = lab_element(k), at = from - first;
    x->param = s->params + (k->stage->shards_params ? at : from) * e;
    x->grad = s->grads + (k->stage->shards_grads ? at : from) * e;
    x->master = s->master ? s->master + at : NULL;
    x->m = s->m + at;
    x->v = s->v + at;
    x->n = to - from;
    x->decay = decays ? k->options->decay : 0;
    k->device->row->adam(k->device, k->options->compute, k->options->compute, x);
}

static void update_unit(struct lab_rank *k, size_t u, struct lab_adam *x) {
    const struct lab_unit *unit = &k->model->unit[u];
    const struct lab_split *s = &k->split.unit[u];
    size_t first = k->stage->shards_moments ? k->comm->rank * s->shard : 0;
    size_t end = k->stage->shards_moments ? first + s->shard : s->padded;
    for (size_t i = 0; i < unit->tensors; i++) {
        const struct lab_tensor *t = &unit->tensor[i];
        size_t from = most(t->offset, first), to = least(t->offset + t->count, end);
        if (from < to) update_range(k, u, from, to, first, x, t->rows > 1 && t->columns > 1);
    }
}

bool lab_update(struct lab_rank *k, double scale) {
    bool gathers = k->stage->shards_moments && !k->stage->shards_params;
    struct lab_adam x = {.rate = lab_learning_rate(k->options, k->step),
                         .beta1 = 0.9,
                         .beta2 = 0.95,
                         .eps = 1e-8,
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
