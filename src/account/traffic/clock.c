/* Seconds of a step: computation, what of the communication sticks out of it, the update, offloading, the pipeline's bubble. */
#include "account/traffic/clock.h"

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

/* One-forward-one-backward with v pieces on each GPU: (p−1)/(m·v) of a step's work (Narayanan et al., arXiv:2104.04473, section 2.2). */
static double bubble(const struct account_training *t, double work) {
    double p = account_degree(t->pp), m = account_degree(t->accumulate),
           v = account_degree(t->interleave);
    return work * (p - 1) / (m * v);
}

static void time_work(const struct account_traffic_writer *w, const struct account_wires *wires,
                      const struct account_work *work, struct account_clock *out) {
    double update = account_update_seconds(w);
    double offload = account_offload_seconds(w, wires, work, update);
    if (!work->known || offload < 0) return;
    out->has_compute = true;
    out->forward = work->forward;
    out->backward = work->backward;
    out->update = update;
    out->offload = offload;
    out->bubble = bubble(w->training, work->forward + work->backward);
}

static void sum_step(const struct account_traffic_writer *w, struct account_clock *out) {
    const struct account_training *t = w->training;
    double tokens = (double)w->mesh.dp * t->batch * account_degree(t->accumulate) * t->seq;
    out->step =
        out->forward + out->backward + out->bubble + out->comm_exposed + out->update + out->offload;
    out->tokens_per_s = out->step > 0 ? tokens / out->step : 0;
}

bool account_clock(const struct account_training *t, struct account_clock *out,
                   struct account_error *e) {
    struct account_traffic traffic;
    struct account_traffic_writer w;
    *out = (struct account_clock){0};
    if (!account_check(t, e)) return false;
    account_traffic_begin(t, &traffic, &w);
    if (!account_traffic_fill(&w, e)) return false;
    struct account_wires wires = account_wires(t);
    struct account_work work = account_work(t);
    time_collectives(&traffic, &wires, out);
    time_work(&w, &wires, &work, out);
    if (!out->has_comm || !out->has_compute) return true;
    account_expose(&traffic, &work, w.micro, out);
    sum_step(&w, out);
    return true;
}
