/* The norm of the whole gradient, the same bits at every stage: each shard's Σ g² in double, added in rank order. */
#include "lab/engine.h"

#include <math.h>

static double shard_sum(struct lab_rank *k, uint32_t rank) {
    size_t e = lab_element(k);
    for (size_t u = 0; u < k->split.units; u++) {
        size_t n = k->split.unit[u].shard;
        const char *g = k->unit[u].grads + (k->stage->shards_grads ? 0 : rank * n * e);
        k->device->row->add_squares(k->device, k->options->compute, g, n);
    }
    return k->device->row->take_squares(k->device);
}

/* Where every rank has all gradients nothing need be said. */
static bool shard_sums(struct lab_rank *k) {
    if (k->stage->shards_moments) {
        double mine = shard_sum(k, k->comm->rank);
        return k->comm->row->exchange(k->comm, mine, k->every, &k->message);
    }
    for (uint32_t r = 0; r < k->split.ranks; r++) k->every[r] = shard_sum(k, r);
    return true;
}

/* torch.nn.utils.clip_grad_norm_ divides by norm + 1e-6. */
static double clipped(double clip, double norm) {
    double factor = clip / (norm + 1e-6);
    return factor < 1 ? factor : 1;
}

/* fp16 needs the norm to see an overflow; the others only to clip. */
bool lab_gradient_scale(struct lab_rank *k, double *scale, bool *skip) {
    const struct lab_options *o = k->options;
    double sum = 0;
    *skip = false;
    *scale = 1 / ((double)o->ranks * o->accumulate * k->scaler.scale);
    if (o->clip == 0 && o->compute != LAB_F16) return true;
    if (!shard_sums(k)) return false;
    for (uint32_t r = 0; r < k->split.ranks; r++) sum += k->every[r];
    *skip = o->compute == LAB_F16 && !isfinite(sum);
    if (o->clip > 0) *scale *= clipped(o->clip, sqrt(sum) * *scale);
    return true;
}
