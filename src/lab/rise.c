/* Parameters whose shards are on another tier come to the device just before they are gathered,
 * into this rank's row of the slot that the all-gather fills (ZeRO-Infinity, arXiv:2104.07857,
 * section 5.1.1). From a file they pass through the host, and are read while the unit before is
 * gathered and used. */
#include "lab/engine.h"

static bool is_away(const struct lab_rank *k) {
    return k->options->offload_params != LAB_TIER_DEVICE;
}

static size_t bytes_of(const struct lab_rank *k, size_t unit) {
    return k->split.unit[unit].shard * lab_element(k);
}

/* Room for the largest shard. */
static size_t room(const struct lab_rank *k) {
    size_t largest = 0;
    for (size_t u = 0; u < k->split.units; u++)
        if (k->split.unit[u].shard > largest) largest = k->split.unit[u].shard;
    return (largest + LAB_PIECE_GRAIN - 1) / LAB_PIECE_GRAIN * LAB_PIECE_GRAIN * lab_element(k);
}

bool lab_rise_reserve(struct lab_rank *k) {
    struct lab_rise *r = &k->tiers.rise;
    if (k->options->offload_params != LAB_TIER_NVME) return true;
    r->memory = lab_tier_take(k, LAB_TIER_HOST, ACCOUNT_STAGING, LAB_PRIVATE, room(k));
    return r->memory != NULL;
}

void lab_rise_free(struct lab_rank *k) {
    lab_ledger_give(lab_ledger_of(k, LAB_TIER_HOST), ACCOUNT_STAGING, LAB_PRIVATE,
                    k->tiers.rise.memory, room(k));
}

void lab_rise_ahead(struct lab_rank *k, size_t unit) {
    struct lab_rise *r = &k->tiers.rise;
    struct lab_move x = {r->memory, k->unit[unit].params, bytes_of(k, unit)};
    if (!r->memory || r->ticket) return;
    r->unit = unit;
    r->ticket = lab_lane_start(&k->tiers.lane[LAB_LANE_READ], &x);
}

bool lab_rise(struct lab_rank *k, size_t unit, void *to) {
    struct lab_rise *r = &k->tiers.rise;
    struct lab_move x = {to, r->memory ? r->memory : k->unit[unit].params, bytes_of(k, unit)};
    if (!is_away(k)) return true;
    lab_rise_ahead(k, unit);
    assert(!r->memory || r->unit == unit);
    if (r->ticket && !lab_tier_wait(k, LAB_LANE_READ, r->ticket)) return false;
    r->ticket = 0;
    return lab_tier_wait(k, LAB_LANE_UP, lab_lane_start(&k->tiers.lane[LAB_LANE_UP], &x));
}
