/* The clock: the seconds of a step. Computation, what of the communication sticks out of it, the
 * optimizer's update, offloading, the pipeline's bubble. */
#include "account/memory/step.h"
#include "account/traffic/flows.h"

#include <assert.h>

/* What a node's processors read and write while they run Adam, in bytes a second. A judgement: one
 * socket of eight DDR4-3200 channels moves 204.8 GB/s by its data sheet, and the two of a usual
 * node together reach about half of theirs. CPU Adam is bound by this, not by arithmetic
 * (ZeRO-Offload, arXiv:2101.06840, section 5.1). */
#define HOST_MEMORY 204.8e9

static double most(double a, double b) {
    return a > b ? a : b;
}

/* ── computation ───────────────────────────────────────────────────────────────────────────────*/

/* 2 · V · h a token forward, three times that a step: Narayanan et al., arXiv:2104.04473,
 * appendix. */
static double head_share(const struct account_resolved *is, double model) {
    double head = 6.0 * is->shape.vocab * is->shape.hidden * is->seq;
    return is->pp > 1 || !(model > head) ? 0 : head / model;
}

/* Catalogued rates are of 16-bit products; fp32 runs as TF32 at half of them (NVIDIA A100 and H100
 * data sheets) at best. */
static double card_flops(const struct account_resolved *is) {
    double flops = is->card ? is->card->flops * is->efficiency : 0;
    return is->bytes[ACCOUNT_AS_HALF] == 4 ? flops / 2 : flops;
}

/* Every rank of a replica takes its part of the replica's sequences. Forward is a third of the
 * model's operations, half where LoRA spares the weights' gradients; what checkpointing computes
 * again belongs to backward. */
struct account_work account_work(const struct account_resolved *is) {
    struct account_flops flops = account_flops_of(is);
    double model = flops.model, hardware = flops.hardware;
    double rate = card_flops(is);
    if (!(rate > 0) || !(model > 0) || is->batch == 0 || is->seq == 0)
        return (struct account_work){0};
    double sequences = (double)is->batch * is->micro;
    double ranks = (double)is->tp * is->pp * is->cp;
    double forward = model / (is->lora ? 2 : 3), seconds = sequences / ranks / rate;
    return (struct account_work){.known = true,
                                 .forward = forward * seconds,
                                 .backward = (hardware - forward) * seconds,
                                 .blocks = 1 - head_share(is, model)};
}

/* ── update ────────────────────────────────────────────────────────────────────────────────────*/

static double weight_bytes(const struct account_resolved *is) {
    uint32_t master = is->bytes[ACCOUNT_AS_MASTER];
    if (is->lora) return 4;
    return master ? master : is->bytes[ACCOUNT_AS_PARAM];
}

static double moment_bytes(const struct account_resolved *is) {
    const struct account_optimizer *o = is->optimizer;
    uint32_t each = o->moment_bytes ? o->moment_bytes : is->bytes[ACCOUNT_AS_MOMENT];
    return o->factored ? 0 : o->moments * (each + (o->block ? 4.0 / o->block : 0));
}

/* Of a gradient that lies with offloaded states. */
static double sent_bytes(const struct account_resolved *is) {
    return is->lora ? 4 : is->bytes[ACCOUNT_AS_MOMENT];
}

/* Bytes touched for a parameter: weight and moments read and written, the gradient read, the 16-bit
 * copy written. Adam under mixed precision: 8 + 16 + 2 + 2, and 30 where the host reads fp32
 * gradients. */
static double touched_bytes(const struct account_resolved *is) {
    bool away = is->offload_optimizer != ACCOUNT_GPU;
    double grad = away ? sent_bytes(is) : is->lora ? 4 : is->bytes[ACCOUNT_AS_GRAD];
    bool copies = !is->lora && is->bytes[ACCOUNT_AS_MASTER] > 0;
    double copy = copies ? is->bytes[ACCOUNT_AS_HALF] : 0;
    return 2 * weight_bytes(is) + 2 * moment_bytes(is) + grad + copy;
}

static double update_seconds(const struct account_traffic_writer *w) {
    const struct account_resolved *is = w->is;
    double elements = (double)account_updated_elements(is);
    double bytes = elements * touched_bytes(is);
    if (is->offload_optimizer != ACCOUNT_GPU) return bytes * is->mesh.node / HOST_MEMORY;
    return is->card && is->card->memory_rate > 0 ? bytes / is->card->memory_rate : 0;
}

/* ── offloading ────────────────────────────────────────────────────────────────────────────────*/

/* `seconds` in `windows` equal parts, each beside a window of work. */
static double beyond(double seconds, uint32_t windows, double window) {
    return windows * most(0, seconds / account_degree(windows) - window);
}

/* ZeRO-Infinity, arXiv:2104.07857, section 4.2: the optimizer reads and writes weights, moments and
 * gradients, 2 × 16 bytes a parameter for Adam under mixed precision, all ranks of a node through
 * the node's own devices. */
static double disk_optimizer_seconds(const struct account_traffic_writer *w, double disk) {
    const struct account_resolved *is = w->is;
    double each = 2 * (weight_bytes(is) + moment_bytes(is) + sent_bytes(is));
    return (double)account_updated_elements(is) * each * is->mesh.node / disk;
}

/* seconds over the host link, and from disk where that is slower */
struct lanes {
    double grads, last, updated, gathered;
};

static struct lanes lanes_of(const struct account_traffic_writer *w,
                             const struct account_offload *o, double host, double disk) {
    struct lanes l = {.grads = (double)(o->grads_down + o->sums_up + o->params_down) / host,
                      .last = (double)o->last_down / host,
                      .updated = (double)o->updated_up / host,
                      .gathered = (double)o->gathered_up / host};
    if (w->is->offload_params == ACCOUNT_NVME)
        l.gathered = most(l.gathered, (double)o->gathered_up * w->is->mesh.node / disk);
    return l;
}

/* Beside backward: a part of `grads` in each micro-batch, `last` in the last. A sum comes up, is
 * added to and goes down in turn. */
static double grads_beyond(const struct lanes *l, uint32_t windows, double backward) {
    double each = l->grads / account_degree(windows);
    return beyond(l->grads, windows, backward) - most(0, each - backward) +
           most(0, each + l->last - backward);
}

/* Gradients leave while backward runs, shards arrive while forward and backward run; what the
 * update made comes up with nothing beside it. Reading and writing states on disk goes on while the
 * host updates others. */
static double offload_seconds(const struct account_traffic_writer *w,
                              const struct account_wires *wires, const struct account_work *work,
                              double update) {
    const struct account_resolved *is = w->is;
    const struct account_node *node = account_node_of(is->card);
    double disk = node ? node->nvme_rate : 0, host = wires->host.rate;
    bool optimizer = is->offload_optimizer != ACCOUNT_GPU,
         params = is->offload_params != ACCOUNT_GPU;
    bool on_disk = is->offload_optimizer == ACCOUNT_NVME || is->offload_params == ACCOUNT_NVME;
    if (!optimizer && !params) return 0;
    if (!(host > 0) || (on_disk && !(disk > 0))) return -1;
    struct account_offload o = account_offload(w);
    struct lanes l = lanes_of(w, &o, host, disk);
    double forward = work->forward / w->micro, backward = work->backward / w->micro;
    double each = l.gathered / account_degree(o.gathers);
    double sum =
        grads_beyond(&l, o.windows, backward) + l.updated + beyond(each, w->micro, forward);
    if (o.gathers > 1) sum += beyond(each, w->micro, backward);
    if (is->offload_optimizer == ACCOUNT_NVME)
        sum += most(0, disk_optimizer_seconds(w, disk) - update);
    return sum;
}

/* ── exposed time ───────────────────────────────────────────────────────────────────────────────*/

/* What of the communication no computation hides, summed over windows.
 *
 * A micro-batch's forward is a row of blocks, each a window: while one computes, the next one's
 * parameters are gathered. Its backward is the row in reverse: the next gather and the last
 * gradients' reduction share each window. A window hides at most its own computation. Blocks are
 * alike, so the sum over a pass of max(0, communication − computation) of each is that of the pass;
 * passes differ, since reductions may come with the last backward only, and heads and tails have no
 * window at all. The head's computation hides none of it: when it runs, all is gathered and nothing
 * is reduced. So max(0, communication − computation) of the whole step is a lower bound. */

static bool is_each(const struct account_collective *collective, uint32_t micro) {
    return collective->windows >= micro;
}

/* Seconds of a collective in one of its windows' passes. */
static double windowed(const struct account_collective *collective, double seconds) {
    return seconds * (1 - collective->head) / (collective->windows ? collective->windows : 1);
}

struct pass {
    /* seconds that every micro-batch has, that the last has besides */
    double each, last;
};

static struct pass pass_of(const struct account_traffic *t, const double *seconds,
                           enum account_window window, uint32_t micro) {
    struct pass p = {0};
    for (size_t i = 0; i < t->collectives; i++) {
        const struct account_collective *collective = &t->collective[i];
        if (collective->window != window) continue;
        *(is_each(collective, micro) ? &p.each : &p.last) += windowed(collective, seconds[i]);
    }
    return p;
}

/* The share of a pass's communication that sticks out of its computation. */
static double stands_out(double comm, double compute) {
    return comm > compute ? 1 - compute / comm : 0;
}

static void expose_pass(const struct account_traffic *t, enum account_window window, double compute,
                        uint32_t micro, struct account_clock *out) {
    struct pass p = pass_of(t, out->collective, window, micro);
    double most = stands_out(p.each, compute), last = stands_out(p.each + p.last, compute);
    for (size_t i = 0; i < t->collectives; i++) {
        const struct account_collective *collective = &t->collective[i];
        if (collective->window != window) continue;
        double one = windowed(collective, out->collective[i]);
        double before = is_each(collective, micro) ? (micro - 1.0) * most : 0;
        out->exposed[i] = out->collective[i] * collective->head + one * (before + last);
    }
}

/* Fills `exposed` and its sum from the seconds of the collectives. */
static void expose(const struct account_traffic *t, const struct account_work *work, uint32_t micro,
                   struct account_clock *out) {
    for (size_t i = 0; i < t->collectives; i++) out->exposed[i] = out->collective[i];
    expose_pass(t, ACCOUNT_BEHIND_FORWARD, work->forward * work->blocks / micro, micro, out);
    expose_pass(t, ACCOUNT_BEHIND_BACKWARD, work->backward * work->blocks / micro, micro, out);
    for (size_t i = 0; i < t->collectives; i++) out->comm_exposed += out->exposed[i];
}

/* ── a step ─────────────────────────────────────────────────────────────────────────────────────*/

static void time_collectives(const struct account_traffic *t, const struct account_wires *wires,
                             struct account_clock *out) {
    out->has_comm = true;
    for (size_t i = 0; i < t->collectives; i++) {
        const struct account_collective *collective = &t->collective[i];
        bool reached = account_wires_reach(wires, collective->ranks, collective->per_node);
        if (!reached) out->has_comm = false;
        out->collective[i] =
            collective->calls * account_wire_seconds(wires, collective->op, collective->ranks,
                                                     collective->per_node,
                                                     collective->payload / collective->calls);
        out->comm += out->collective[i];
    }
    if (out->has_comm) return;
    *out = (struct account_clock){0};
}

/* One-forward-one-backward with v pieces on each GPU: (p−1)/(m·v) of a step's work (Narayanan et
 * al., arXiv:2104.04473, section 2.2). */
static double bubble(const struct account_resolved *is, double work) {
    return work * (is->pp - 1.0) / ((double)is->micro * is->interleave);
}

static void time_work(const struct account_traffic_writer *w, const struct account_wires *wires,
                      const struct account_work *work, struct account_clock *out) {
    double update = update_seconds(w);
    double offload = offload_seconds(w, wires, work, update);
    if (!work->known || offload < 0) return;
    out->has_compute = true;
    out->forward = work->forward;
    out->backward = work->backward;
    out->update = update;
    out->offload = offload;
    out->bubble = bubble(w->is, work->forward + work->backward);
}

static void sum_step(const struct account_traffic_writer *w, struct account_clock *out) {
    const struct account_resolved *is = w->is;
    double tokens = (double)is->mesh.dp * is->batch * is->micro * is->seq;
    out->step =
        out->forward + out->backward + out->bubble + out->comm_exposed + out->update + out->offload;
    /* nothing is hidden twice: what sticks out is part of what is sent */
    assert(out->comm_exposed >= 0 && out->comm_exposed <= out->comm * (1 + 1e-9));
    assert(out->step >= out->forward + out->backward + out->update);
    out->tokens_per_s = out->step > 0 ? tokens / out->step : 0;
}

bool account_clock_of(const struct account_resolved *is, struct account_traffic *traffic,
                      struct account_clock *out, struct account_error *e) {
    struct account_traffic_writer w;
    *out = (struct account_clock){0};
    account_traffic_begin(is, traffic, &w);
    if (!account_traffic_fill(&w, e)) return false;
    struct account_wires wires = account_wires_of(is);
    struct account_work work = account_work(is);
    time_collectives(traffic, &wires, out);
    time_work(&w, &wires, &work, out);
    if (!out->has_comm || !out->has_compute) return true;
    expose(traffic, &work, w.micro, out);
    sum_step(&w, out);
    return true;
}

/* ── of what was asked ──────────────────────────────────────────────────────────────────────────*/

bool account_clock(const struct account_training *t, struct account_clock *out,
                   struct account_error *e) {
    struct account_traffic traffic;
    return account_traffic_clock(t, &traffic, out, e);
}

bool account_traffic_clock(const struct account_training *t, struct account_traffic *traffic,
                           struct account_clock *clock, struct account_error *e) {
    struct account_resolved is;
    if (account_resolve(t, &is, e)) return account_clock_of(&is, traffic, clock, e);
    *traffic = (struct account_traffic){0};
    *clock = (struct account_clock){0};
    return false;
}

double account_collective_seconds(const struct account_training *t, enum account_collective_kind c,
                                  uint32_t ranks, uint32_t per_node, double bytes) {
    struct account_wires w = account_wires(t);
    return account_wire_seconds(&w, c, ranks, per_node ? per_node : ranks, bytes);
}

struct account_link account_host_link(const struct account_training *t) {
    return account_wires(t).host;
}

bool account_pace(const struct account_training *t, const struct account_collective *collective,
                  struct account_pace *out) {
    struct account_wires w = account_wires(t);
    uint32_t near =
        collective->per_node < collective->ranks ? collective->per_node : collective->ranks;
    bool away = collective->ranks > collective->per_node;
    struct account_hops h = account_hops(collective->op, collective->ranks, collective->per_node);
    bool ring = collective->op != ACCOUNT_ALL_TO_ALL && collective->op != ACCOUNT_P2P;
    *out = (struct account_pace){
        .link = w.link, .net = w.net, .factor = 1, .bytes = collective->payload};
    if (collective->ranks <= 1 || !account_wires_reach(&w, collective->ranks, collective->per_node))
        return false;
    out->start =
        account_wire_seconds(&w, collective->op, collective->ranks, collective->per_node, 0);
    out->once = out->start > 0 ? ACCOUNT_ONCE : 0;
    out->hops_inside = h.inside;
    out->hops_between = h.between;
    if (collective->op != ACCOUNT_ALL_TO_ALL)
        out->factor = account_collective_factor(collective->op, collective->ranks);
    if (ring) out->rate = account_ring_rate(&w, collective->ranks, collective->per_node);
    if (collective->op == ACCOUNT_P2P) out->rate = away ? w.net.rate : w.link.rate;
    if (ring && away && near * w.net.rate <= out->rate) out->nics = near;
    return true;
}
