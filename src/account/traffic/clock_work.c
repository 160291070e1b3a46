/* Seconds of computation, of the optimizer's update, and of offloading. */
#include "account/traffic/clock.h"

/* What a node's processors read and write while they run Adam, in bytes a second. A judgement: one socket of eight DDR4-3200 channels moves
 * 204.8 GB/s by its data sheet, and the two of a usual node together reach about half of theirs. CPU Adam is bound by this, not by
 * arithmetic (ZeRO-Offload, arXiv:2101.06840, section 5.1). */
#define HOST_MEMORY 204.8e9

static double most(double a, double b) {
    return a > b ? a : b;
}

/* ── computation ─────────────────────────────────────────────────────────────────────────────────*/

/* 2 · V · h a token forward, three times that a step: Narayanan et al., arXiv:2104.04473, appendix. */
static double head_share(const struct account_training *t, double model) {
    double head = 6.0 * t->shape.vocab * t->shape.hidden * t->seq;
    return account_degree(t->pp) > 1 || !(model > head) ? 0 : head / model;
}

/* Catalogued rates are of 16-bit products; fp32 runs as TF32 at half of them (NVIDIA A100 and H100 data sheets) at best. */
static double card_flops(const struct account_training *t) {
    double flops = t->card ? t->card->flops * t->efficiency : 0;
    return account_dtype_bytes(t, ACCOUNT_AS_HALF) == 4 ? flops / 2 : flops;
}

/* Every rank of a replica takes its part of the replica's sequences. Forward is a third of the model's operations, half where LoRA spares
 * the weights' gradients; what checkpointing computes again belongs to backward. */
struct account_work account_work(const struct account_training *t) {
    double model = account_model_flops(t), hardware = account_hardware_flops(t);
    double rate = card_flops(t);
    if (!(rate > 0) || !(model > 0) || t->batch == 0 || t->seq == 0)
        return (struct account_work){0};
    double sequences = (double)t->batch * account_degree(t->accumulate);
    double ranks = (double)account_degree(t->tp) * account_degree(t->pp) * account_degree(t->cp);
    double forward = model / (t->lora ? 2 : 3), seconds = sequences / ranks / rate;
    return (struct account_work){.known = true,
                                 .forward = forward * seconds,
                                 .backward = (hardware - forward) * seconds,
                                 .blocks = 1 - head_share(t, model)};
}

/* ── update ──────────────────────────────────────────────────────────────────────────────────────*/

static double weight_bytes(const struct account_training *t) {
    uint32_t master = account_dtype_bytes(t, ACCOUNT_AS_MASTER);
    if (t->lora) return 4;
    return master ? master : account_dtype_bytes(t, ACCOUNT_AS_PARAM);
}

static double moment_bytes(const struct account_training *t) {
    const struct account_optimizer *o = account_optimizer_of(t);
    uint32_t each = o->moment_bytes ? o->moment_bytes : account_dtype_bytes(t, ACCOUNT_AS_MOMENT);
    return o->factored ? 0 : o->moments * (each + (o->block ? 4.0 / o->block : 0));
}

/* Of a gradient that lies with offloaded states. */
static double sent_bytes(const struct account_training *t) {
    return t->lora ? 4 : account_dtype_bytes(t, ACCOUNT_AS_MOMENT);
}

/* Bytes touched for a parameter: weight and moments read and written, the gradient read, the 16-bit copy written. Adam under mixed
 * precision: 8 + 16 + 2 + 2, and 30 where the host reads fp32 gradients. */
static double touched_bytes(const struct account_training *t) {
    bool away = t->offload_optimizer != ACCOUNT_GPU;
    double grad = away ? sent_bytes(t) : t->lora ? 4 : account_dtype_bytes(t, ACCOUNT_AS_GRAD);
    bool copies = !t->lora && account_dtype_bytes(t, ACCOUNT_AS_MASTER) > 0;
    double copy = copies ? account_dtype_bytes(t, ACCOUNT_AS_HALF) : 0;
    return 2 * weight_bytes(t) + 2 * moment_bytes(t) + grad + copy;
}

double account_update_seconds(const struct account_traffic_writer *w) {
    const struct account_training *t = w->training;
    double elements = (double)account_updated_elements(t, &w->sheet);
    double bytes = elements * touched_bytes(t);
    if (t->offload_optimizer != ACCOUNT_GPU) return bytes * w->mesh.node / HOST_MEMORY;
    return t->card && t->card->memory_rate > 0 ? bytes / t->card->memory_rate : 0;
}

/* ── offloading ──────────────────────────────────────────────────────────────────────────────────*/

/* `seconds` in `windows` equal parts, each beside a window of work. */
static double beyond(double seconds, uint32_t windows, double window) {
    return windows * most(0, seconds / account_degree(windows) - window);
}

/* ZeRO-Infinity, arXiv:2104.07857, section 4.2: the optimizer reads and writes weights, moments and gradients, 2 × 16 bytes a parameter for
 * Adam under mixed precision, all ranks of a node through the node's own devices. */
static double disk_optimizer_seconds(const struct account_traffic_writer *w, double disk) {
    const struct account_training *t = w->training;
    double each = 2 * (weight_bytes(t) + moment_bytes(t) + sent_bytes(t));
    return (double)account_updated_elements(t, &w->sheet) * each * w->mesh.node / disk;
}

struct lanes { /* seconds over the host link, and from disk where that is slower */
    double grads, last, updated, gathered;
};

static struct lanes lanes_of(const struct account_traffic_writer *w,
                             const struct account_offload *o, double host, double disk) {
    struct lanes l = {.grads = (double)(o->grads_down + o->sums_up + o->params_down) / host,
                      .last = (double)o->last_down / host,
                      .updated = (double)o->updated_up / host,
                      .gathered = (double)o->gathered_up / host};
    if (w->training->offload_params == ACCOUNT_NVME)
        l.gathered = most(l.gathered, (double)o->gathered_up * w->mesh.node / disk);
    return l;
}

/* Beside backward: a part of `grads` in each micro-batch, `last` in the last. A sum comes up, is added to and goes down in turn. */
static double grads_beyond(const struct lanes *l, uint32_t windows, double backward) {
    double each = l->grads / account_degree(windows);
    return beyond(l->grads, windows, backward) - most(0, each - backward) +
           most(0, each + l->last - backward);
}

/* Gradients leave while backward runs, shards arrive while forward and backward run; what the update made comes up with nothing beside it.
 * Reading and writing states on disk goes on while the host updates others. */
double account_offload_seconds(const struct account_traffic_writer *w,
                               const struct account_wires *wires, const struct account_work *work,
                               double update) {
    const struct account_training *t = w->training;
    const struct account_node *node = account_node_of(t->card);
    double disk = node ? node->nvme_rate : 0, host = wires->host.rate;
    bool optimizer = t->offload_optimizer != ACCOUNT_GPU, params = t->offload_params != ACCOUNT_GPU;
    bool on_disk = t->offload_optimizer == ACCOUNT_NVME || t->offload_params == ACCOUNT_NVME;
    if (!optimizer && !params) return 0;
    if (!(host > 0) || (on_disk && !(disk > 0))) return -1;
    struct account_offload o = account_offload(w);
    struct lanes l = lanes_of(w, &o, host, disk);
    double forward = work->forward / w->micro, backward = work->backward / w->micro;
    double each = l.gathered / account_degree(o.gathers);
    double sum =
        grads_beyond(&l, o.windows, backward) + l.updated + beyond(each, w->micro, forward);
    if (o.gathers > 1) sum += beyond(each, w->micro, backward);
    if (t->offload_optimizer == ACCOUNT_NVME)
        sum += most(0, disk_optimizer_seconds(w, disk) - update);
    return sum;
}
