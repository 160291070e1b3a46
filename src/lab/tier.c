/* A rank's tiers: opened, given memory from, waited for, closed. */
#include "lab/engine.h"

#include <stdio.h>

/* ── opening and closing ── */

static bool uses(const struct lab_options *o, enum lab_tier_kind kind) {
    bool file = o->offload_optimizer == LAB_TIER_NVME || o->offload_params == LAB_TIER_NVME;
    return kind == LAB_TIER_NVME ? file : o->offload_optimizer != LAB_TIER_DEVICE;
}

/* The lanes' other side is the host's memory. */
static const struct {
    enum lab_tier_kind used, device;
    bool up;
} lanes[LAB_LANES] = {
    [LAB_LANE_DOWN] = {LAB_TIER_HOST, LAB_TIER_DEVICE, false},
    [LAB_LANE_UP] = {LAB_TIER_HOST, LAB_TIER_DEVICE, true},
    [LAB_LANE_WRITE] = {LAB_TIER_NVME, LAB_TIER_NVME, true},
    [LAB_LANE_READ] = {LAB_TIER_NVME, LAB_TIER_NVME, false},
};

static bool open_lane(struct lab_rank *k, int i) {
    const struct lab_options *o = k->options;
    struct lab_lane *l = &k->tiers.lane[i];
    bool file = lanes[i].used == LAB_TIER_NVME;
    if (!uses(o, lanes[i].used)) return true;
    l->device = k->tiers.tier[lanes[i].device].device;
    l->up = lanes[i].up;
    l->rate = file ? o->nvme_rate : o->host_rate;
    l->latency = file ? o->nvme_latency : o->host_latency;
    return lab_lane_open(l, o->dry, &k->message);
}

/* On the CPU the host's memory is the device's own. In a dry run nothing is anywhere. */
bool lab_tiers_open(struct lab_rank *k) {
    const struct lab_options *o = k->options;
    struct lab_tier *t = k->tiers.tier;
    bool well = true;
    for (int i = 0; i < LAB_TIERS; i++) {
        t[i].device = k->device;
        if (i == LAB_TIER_NVME && uses(o, LAB_TIER_NVME) && !o->dry)
            t[i].device = lab_file_open(o->offload_dir, &k->message);
        t[i].ledger = (struct lab_ledger){.device = t[i].device, .comm = k->comm};
    }
    if (!t[LAB_TIER_NVME].device) return false;
    for (int i = 0; well && i < LAB_LANES; i++) well = open_lane(k, i);
    return well;
}

void lab_tiers_stop(struct lab_rank *k) {
    for (int i = 0; i < LAB_LANES; i++) lab_lane_close(&k->tiers.lane[i]);
}

void lab_tiers_close(struct lab_rank *k) {
    struct lab_device *file = k->tiers.tier[LAB_TIER_NVME].device;
    if (file && file != k->device) file->row->close(file);
}

/* ── memory ── */

struct lab_ledger *lab_ledger_of(struct lab_rank *k, enum lab_tier_kind kind) {
    return kind == LAB_TIER_DEVICE ? &k->ledger : &k->tiers.tier[kind].ledger;
}

struct lab_device *lab_optimizer_device(const struct lab_rank *k) {
    return k->tiers.tier[k->options->offload_optimizer].device;
}

struct lab_device *lab_params_device(const struct lab_rank *k) {
    return k->tiers.tier[k->options->offload_params].device;
}

/* No peer reads what is not on the device. */
void *lab_tier_take(struct lab_rank *k, enum lab_tier_kind kind, enum account_category c,
                    enum lab_side side, size_t bytes) {
    struct lab_ledger *l = lab_ledger_of(k, kind);
    char size[32];
    if (kind == LAB_TIER_DEVICE) return lab_ledger_take(l, c, side, bytes);
    void *memory = lab_ledger_take(l, c, LAB_PRIVATE, bytes);
    if (!memory && l->device->row->finish(l->device, &k->message))
        (void)lab_fail(&k->message, "out of memory for %s on the host: %s are needed",
                       account_category_words(c),
                       account_print_bytes(size, sizeof size, (double)bytes));
    return memory;
}

/* ── moves ── */

/* A sign of life while a slow link is waited for. */
bool lab_tier_wait(struct lab_rank *k, enum lab_lane_kind lane, lab_ticket t) {
    const struct lab_where *w = &k->ledger.where;
    struct lab_device *file = k->tiers.tier[LAB_TIER_NVME].device;
    double since = lab_seconds();
    while (!lab_lane_ended(&k->tiers.lane[lane], t))
        k->comm->row->progress(k->comm, w->step, (int)w->phase, w->unit);
    k->meter.offload += lab_seconds() - since;
    return lanes[lane].used != LAB_TIER_NVME || file->row->finish(file, &k->message);
}

void lab_tiers_tell(const struct lab_rank *k, struct lab_held out[LAB_TIERS]) {
    const struct lab_lane *lane = k->tiers.lane;
    for (int t = LAB_TIER_HOST; t < LAB_TIERS; t++) {
        const struct lab_ledger *l = &k->tiers.tier[t].ledger;
        memcpy(out[t].bytes, l->now, sizeof out[t].bytes);
        out[t].total = l->total;
    }
    out[LAB_TIER_HOST].in = lane[LAB_LANE_DOWN].bytes;
    out[LAB_TIER_HOST].out = lane[LAB_LANE_UP].bytes;
    out[LAB_TIER_NVME].in = lane[LAB_LANE_WRITE].bytes;
    out[LAB_TIER_NVME].out = lane[LAB_LANE_READ].bytes;
}
