/* The end of a step: the gradients' norm and scale, the optimizer on what this rank owns, and the
 * new parameters for everybody.
 *
 *     stage 0       every rank updates all parameters, each with the same numbers
 *     stages 1, 2   each rank updates its shard, then all-gathers give every rank the others'
 *     stage 3       each rank updates its shard. No rank needs more: the next forward gathers
 */
#include "lab/engine.h"

#include <math.h>

/* ── the norm of the whole gradient ──────────────────────────────────────────────────────────────
 *
 * A rank that has only its shard of the sums knows only a part of the norm: one number per rank is
 * exchanged. To have the same bits at every stage, all stages add in the same order: each shard's Σ
 * g² in double, then the shards in rank order. Groups hold the same shards, so the first group's
 * are all. */

static double shard_sum(struct lab_rank *k, uint32_t rank) {
    for (size_t u = 0; u < k->split.units; u++) {
        size_t n = k->split.unit[u].shard;
        const char *whole = lab_whole_of(k, LAB_GRADS, u), *g = lab_mine_of(k, LAB_GRADS, u);
        if (whole) g = whole + lab_bytes_of(k, LAB_GRADS, rank * n);
        k->device->row->add_squares(k->device, lab_type_of(k, LAB_GRADS), g, n);
    }
    return k->device->row->take_squares(k->device);
}

/* A rank that has all sums needs no exchange. */
static bool shard_sums(struct lab_rank *k) {
    if (k->stage->shards_moments) {
        double mine = shard_sum(k, k->split.mine);
        if (lab_has_bug(k, LAB_LOCAL_NORM)) {
            memset(k->every, 0, k->split.ranks * sizeof *k->every);
            k->every[k->split.mine] = mine;
            return true;
        }
        return k->comm->row->exchange(k->comm, mine, k->every, &k->message);
    }
    for (uint32_t r = 0; r < k->split.ranks; r++) k->every[r] = shard_sum(k, r);
    return true;
}

/* Divides by norm + 1e-6, as torch.nn.utils.clip_grad_norm_ does. */
static double clipped(double clip, double norm) {
    double factor = clip / (norm + 1e-6);
    return factor < 1 ? factor : 1;
}

/* Gradients are sums over ranks and micro-steps of a loss that was scaled: the factor makes them
 * the mean, unscaled and clipped. fp16 needs the norm to see an overflow, the other types only to
 * clip. */
bool lab_gradient_scale(struct lab_rank *k, double *scale, bool *skip) {
    const struct lab_options *o = k->options;
    double sum = 0;
    *skip = false;
    *scale = 1 / ((double)o->ranks * o->accumulate * k->scaler.scale);
    if (lab_has_bug(k, LAB_FORGOTTEN_MEAN)) *scale *= o->ranks;
    if (o->clip == 0 && o->compute != LAB_F16) return true;
    if (!shard_sums(k)) return false;
    for (uint32_t r = 0; r < k->split.ranks; r++) sum += k->every[r];
    *skip = o->compute == LAB_F16 && !isfinite(sum);
    if (o->clip > 0) *scale *= clipped(o->clip, sqrt(sum) * *scale);
    return true;
}

/* ── dynamic loss scaling for fp16 ───────────────────────────────────────────────────────────────
 *
 * Micikevicius et al., arXiv:1710.03740, section 3.2: start with a high scale. If gradients
 * overflow, skip the step and halve the scale. After a long run without an overflow, double it.
 * NVIDIA's and PyTorch's defaults wait 2000 steps. Runs here are shorter. */

static const double first = 65536, highest = 16777216, lowest = 1;
enum { PATIENCE = 1000 };

struct lab_scaler lab_scaler_new(const struct lab_options *o) {
    if (o->compute != LAB_F16) return (struct lab_scaler){.scale = 1};
    return (struct lab_scaler){.scale = o->loss_scale > 0 ? o->loss_scale : first};
}

void lab_scaler_after(struct lab_scaler *s, bool overflow) {
    if (overflow) {
        s->good = 0;
        if (s->scale > lowest) s->scale /= 2;
        return;
    }
    if (++s->good < PATIENCE) return;
    s->good = 0;
    if (s->scale < highest) s->scale *= 2;
}

/* ── the optimizer: AdamW ── */

/* Rises linearly while it warms up, then follows a cosine down to a tenth. */
double lab_learning_rate(const struct lab_options *o, uint32_t step) {
    if (step <= o->warmup) return o->rate * step / o->warmup;
    double done = (double)(step - 1 - o->warmup) / (double)(o->steps - o->warmup);
    return o->rate * (0.1 + 0.9 * 0.5 * (1 + cos(3.14159265358979323846 * done)));
}

/* The optimizer itself is piece.c. A unit's all-gather starts as soon as the unit is updated, and
 * runs while the next one is updated (ZeRO, section 5.1: "an all-gather … at the end of each
 * training step"). Transfers end in order, so the last ticket stands for all. */
/* read: optimizer */
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
    if (!lab_gather_early(k)) return false;
    for (size_t u = 0; u < k->split.units; u++) {
        lab_at(k, LAB_AT_UPDATE, (int)u);
        if (!lab_update_unit(k, u, &x)) return false;
        if (lab_has_bug(k, LAB_MISSING_GATHER) && u == 1) continue;
        if (gathers && !(lab_update_settle(k) && lab_gather_unit(k, u, k->unit[u].params, &ticket)))
            return false;
    }
    lab_say_memory(k);
    return lab_update_settle(k) && k->comm->row->wait(k->comm, ticket, &k->message);
}
/* read: end */
