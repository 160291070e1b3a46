/* The optimizer on this rank's part of a unit, wherever its arrays are.
 *
 * The update runs where the optimizer's states are: on the device, or on the host. What it needs
 * and is elsewhere passes through slots of the host's memory, a piece at a time:
 *
 *     fetch    gradients come down from the device, states are read from the file
 *     update   AdamW on the piece
 *     store    parameters go up to the device, states are written to the file
 *
 * Lanes fetch the next piece and store the one before while a piece is updated, so three slots do.
 * Elements do not depend on each other: pieces of any size give the same bits. An update on the
 * device finds everything in place, and its one piece is the whole part. */
#include "lab/engine.h"

/* ── where an array is, and how it reaches the update ── */

/* −1: it does not move. */
struct way {
    int in, out;
};
/* Whether parameters are their own master copy in the update, or share one in fp32 with it. */
static bool is_narrow(const struct lab_rank *k) {
    return k->options->compute != LAB_F32;
}
static bool has_master(const struct lab_rank *k) {
    return k->unit[0].master != NULL;
}

/* Of an array that the update reads (if `read`) and writes (if `write`). */
static struct way way_of(const struct lab_rank *k, enum lab_tier_kind place, bool read,
                         bool write) {
    static const struct way ways[LAB_TIERS] = {
        [LAB_TIER_DEVICE] = {LAB_LANE_DOWN, LAB_LANE_UP},
        [LAB_TIER_HOST] = {-1, -1},
        [LAB_TIER_NVME] = {LAB_LANE_READ, LAB_LANE_WRITE},
    };
    if (k->options->offload_optimizer == LAB_TIER_DEVICE) return (struct way){-1, -1};
    return (struct way){read ? ways[place].in : -1, write ? ways[place].out : -1};
}

/* Of parameters, the update reads only those that have no master copy. */
static struct way way(const struct lab_rank *k, enum lab_updated a) {
    const struct lab_options *o = k->options;
    if (a == LAB_GRADS) return way_of(k, LAB_TIER_DEVICE, true, false);
    if (a == LAB_PARAMS) return way_of(k, o->offload_params, !has_master(k), true);
    return way_of(k, o->offload_optimizer, true, true);
}

/* The first element of what this rank updates of a unit: its shard, or the whole unit if all ranks
 * update all of it. NULL: there is no such array. */
static char *array(const struct lab_rank *k, size_t unit, enum lab_updated a) {
    return k->stage->shards_moments ? lab_mine_of(k, a, unit) : lab_whole_of(k, a, unit);
}

/* In fp32 a parameter that goes up is the master copy's own value, and needs no slot. */
static bool has_slot(const struct lab_rank *k, enum lab_updated a) {
    struct way w = way(k, a);
    if (a == LAB_PARAMS && has_master(k) && !is_narrow(k)) return false;
    return (w.in >= 0 || w.out >= 0) && array(k, 0, a);
}

/* ── staging ── */

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t most(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Elements of a unit that this rank updates, with its padding. */
static size_t part_of(const struct lab_rank *k, size_t unit) {
    const struct lab_split *s = &k->split.unit[unit];
    return k->stage->shards_moments ? s->shard : s->padded;
}

/* A piece is a rank's row of a bucket, but not more than the largest part. */
static size_t piece_of(const struct lab_rank *k) {
    size_t largest = 0;
    for (size_t u = 0; u < k->split.units; u++) largest = most(largest, part_of(k, u));
    largest = least(largest, k->buckets.row);
    return (largest + LAB_PIECE_GRAIN - 1) / LAB_PIECE_GRAIN * LAB_PIECE_GRAIN;
}

bool lab_piece_reserve(struct lab_rank *k) {
    struct lab_tiers *t = &k->tiers;
    t->piece = SIZE_MAX;
    if (k->options->offload_optimizer == LAB_TIER_DEVICE) return true;
    t->piece = piece_of(k);
    for (size_t i = 0; i < LAB_PIECE_SLOTS; i++)
        for (int a = 0; a < LAB_UPDATED; a++) {
            if (!has_slot(k, (enum lab_updated)a)) continue;
            size_t bytes = lab_bytes_of(k, (enum lab_updated)a, t->piece);
            t->slot[i].memory[a] =
                lab_tier_take(k, LAB_TIER_HOST, ACCOUNT_STAGING, LAB_PRIVATE, bytes);
            if (!t->slot[i].memory[a]) return false;
        }
    return true;
}

void lab_piece_free(struct lab_rank *k) {
    for (size_t i = 0; i < LAB_PIECE_SLOTS; i++)
        for (int a = 0; a < LAB_UPDATED; a++)
            lab_ledger_give(lab_ledger_of(k, LAB_TIER_HOST), ACCOUNT_STAGING, LAB_PRIVATE,
                            k->tiers.slot[i].memory[a],
                            lab_bytes_of(k, (enum lab_updated)a, k->tiers.piece));
}

/* ── the pieces, in their order ── */

static struct lab_piece piece_from(const struct lab_rank *k, size_t unit, size_t from) {
    size_t part = part_of(k, unit);
    return (struct lab_piece){unit, from, from + least(k->tiers.piece, part - from), NULL};
}

/* The piece after this one, which may be the next unit's first. No unit's number is beyond the
 * last piece. */
static struct lab_piece piece_after(const struct lab_rank *k, const struct lab_piece *p) {
    if (p->to < part_of(k, p->unit)) return piece_from(k, p->unit, p->to);
    if (p->unit + 1 < k->split.units) return piece_from(k, p->unit + 1, 0);
    return (struct lab_piece){.unit = k->split.units};
}

/* Where the update finds the piece's elements of an array. */
static void *here(const struct lab_rank *k, const struct lab_piece *p, enum lab_updated a) {
    char *memory = p->slot->memory[a], *all = array(k, p->unit, a);
    if (memory) return memory;
    return all ? all + lab_bytes_of(k, a, p->from) : NULL;
}

static void move(struct lab_rank *k, const struct lab_piece *p, int lane, void *to,
                 const void *from, enum lab_updated a) {
    struct lab_move x = {to, from, lab_bytes_of(k, a, p->to - p->from)};
    p->slot->ticket[lane] = lab_lane_start(&k->tiers.lane[lane], &x);
}

static bool wait(struct lab_rank *k, const struct lab_piece_slot *s) {
    for (int lane = 0; lane < LAB_LANES; lane++)
        if (s->ticket[lane] && !lab_tier_wait(k, (enum lab_lane_kind)lane, s->ticket[lane]))
            return false;
    return true;
}

/* Slots take turns. */
static bool fetch(struct lab_rank *k, struct lab_piece *p) {
    if (p->unit == k->split.units) return true;
    p->slot = &k->tiers.slot[k->tiers.turn++ % LAB_PIECE_SLOTS];
    if (!wait(k, p->slot)) return false;
    for (int i = 0; i < LAB_UPDATED; i++) {
        enum lab_updated a = (enum lab_updated)i;
        char *all = array(k, p->unit, a);
        int in = way(k, a).in;
        if (all && in >= 0) move(k, p, in, here(k, p, a), all + lab_bytes_of(k, a, p->from), a);
    }
    return true;
}

static void store(struct lab_rank *k, const struct lab_piece *p, const void *params) {
    for (int i = 0; i < LAB_UPDATED; i++) {
        enum lab_updated a = (enum lab_updated)i;
        char *all = array(k, p->unit, a);
        int out = way(k, a).out;
        const void *from = a == LAB_PARAMS ? params : here(k, p, a);
        if (all && out >= 0) move(k, p, out, all + lab_bytes_of(k, a, p->from), from, a);
    }
}

/* ── the update of a piece ── */

/* Lists which elements decay. The piece starts and ends anywhere, also within a tensor. Loshchilov
 * and Hutter, arXiv:1711.05101. As in GPT-2's trainers, matrices decay, biases and norms do not. */
static void list_decays(const struct lab_unit *unit, size_t from, size_t to, struct lab_adam *x) {
    x->pieces = 0;
    for (size_t i = 0; i < unit->tensors; i++) {
        const struct lab_tensor *t = &unit->tensor[i];
        size_t end = least(t->offset + t->count, to);
        if (most(t->offset, from) < end)
            x->piece[x->pieces++] =
                (struct lab_adam_piece){end - from, t->rows > 1 && t->columns > 1};
    }
    assert(x->pieces > 0 && x->piece[x->pieces - 1].end == to - from);
}

/* One pass of the optimizer, which starts as late as a launch takes if that is emulated. */
static void pass(struct lab_rank *k, const struct lab_adam *x) {
    double began = lab_seconds(), starts = began + 1e-6 * k->options->launch;
    while (k->options->launch > 0 && lab_seconds() < starts) continue;
    k->device->row->adam(k->device, k->options->compute, lab_type_of(k, LAB_GRADS), x);
    k->meter.update += lab_seconds() - began;
    k->meter.passes++;
}

/* Elements do not depend on each other: a pass for each tensor gives the same bits. */
static void pass_by_tensor(struct lab_rank *k, const struct lab_adam *all) {
    size_t from = 0;
    for (size_t i = 0; i < all->pieces; from = all->piece[i++].end) {
        struct lab_adam x = *all;
        x.param = (char *)all->param + lab_bytes_of(k, LAB_PARAMS, from);
        x.master = all->master ? all->master + from : NULL;
        x.m = (char *)all->m + lab_bytes_of(k, LAB_M, from);
        x.v = (char *)all->v + lab_bytes_of(k, LAB_V, from);
        x.grad = (const char *)all->grad + lab_bytes_of(k, LAB_GRADS, from);
        x.n = all->piece[i].end - from;
        x.piece[0] = (struct lab_adam_piece){x.n, all->piece[i].decays};
        x.pieces = 1;
        pass(k, &x);
    }
}

/* Padding is not updated. In fp32 values that have a master copy are updated there. Returns where
 * the new parameters are. */
static void *update(struct lab_rank *k, const struct lab_piece *p, struct lab_adam *x) {
    const struct lab_split *s = &k->split.unit[p->unit];
    size_t own = k->stage->shards_moments ? k->split.mine * s->shard : 0;
    size_t from = own + p->from, to = least(own + p->to, s->count);
    x->master = here(k, p, LAB_MASTER);
    x->param = here(k, p, LAB_PARAMS);
    if (x->master && !is_narrow(k)) x->param = x->master, x->master = NULL;
    if (from >= to) return x->param;
    x->grad = here(k, p, LAB_GRADS);
    x->m = here(k, p, LAB_M);
    x->v = here(k, p, LAB_V);
    x->m_type = lab_type_of(k, LAB_M);
    x->v_type = lab_type_of(k, LAB_V);
    x->n = to - from;
    list_decays(&k->model->unit[p->unit], from, to, x);
    if (k->options->update == LAB_BY_TENSOR)
        pass_by_tensor(k, x);
    else
        pass(k, x);
    return x->param;
}

bool lab_update_unit(struct lab_rank *k, size_t unit, struct lab_adam *x) {
    struct lab_piece now = unit ? k->tiers.ahead : piece_from(k, 0, 0);
    if (unit == 0 && !fetch(k, &now)) return false;
    for (struct lab_piece next; now.unit == unit; now = next) {
        next = piece_after(k, &now);
        if (!wait(k, now.slot) || !fetch(k, &next)) return false;
        store(k, &now, update(k, &now, x));
    }
    k->tiers.ahead = now;
    return true;
}

bool lab_update_settle(struct lab_rank *k) {
    for (size_t i = 0; i < LAB_PIECE_SLOTS; i++)
        if (!wait(k, &k->tiers.slot[i])) return false;
    return true;
}
