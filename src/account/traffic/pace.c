/* What the seconds of a collective are made of, and how much of the arithmetic is left when data must come first. */
#include "account/traffic/clock.h"

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

/* ZeRO-Infinity, arXiv:2104.07857, section 4, equation 6: compute time ÷ (compute time + communication time), with nothing overlapped.
 * `ait` in operations a byte, `rate` in bytes a second, `flops` the peak. For parameters and gradients ait is s · b, for the optimizer's
 * states s · b ÷ 4, for activation checkpoints 24 · h · (layers between two). */
double account_efficiency(double ait, double rate, double flops) {
    double served = ait * rate;
    return served + flops > 0 ? served / (served + flops) : 0;
}
