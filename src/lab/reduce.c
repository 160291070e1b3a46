/* Gradients: every rank has computed them on its own sequences, and the optimizer needs their sum.
 * As backward finishes a unit, its gradients are packed into a bucket. A full bucket is sent while
 * backward computes the next unit, and its sums are put where they belong:
 *
 *     gradients of a unit        slot [ranks][count]      after the reduction
 *     ┌─────┬─────┬─────┐        rank 0's range           stage 0: back into the whole gradients
 *     │ r0  │ r1  │ r2  │ pack → rank 1's range  →        stage 1: own row back into them
 *     └─────┴─────┴─────┘        rank 2's range           stages 2, 3: straight into the shard
 *
 * A reduce-scatter gives each rank the sums of its own row only, which is all that its optimizer
 * needs (ZeRO, sections 5.2 and 7.2.1). It sends half of what stage 0's all-reduce sends: the other
 * half is the all-gather of the new parameters, after the update.
 *
 * At stages 2 and 3 the whole gradients of a unit are memory that is used again and again: one
 * buffer for the block that backward is at, one for the embeddings, which the head begins and the
 * lookup ends. Only the shard is kept.
 *
 * There are two slots: while one is being sent the other is filled. Sums that are put back are made
 * in the slot itself. At stages 0 and 1 a bucket that is one whole unit needs no slot, because its
 * gradients already have the form [ranks][count]: they are reduced in place.
 *
 * With groups, a bucket is reduced among the ranks of a group. Its sums are those of the group's
 * sequences only, so the ranks that own the same shard, one in each group, all-reduce it. That
 * happens once in a step, when the last micro-step's sums are in (MiCS, section 3.4: "2-hop
 * gradient synchronization"), and moves a shard where the other way would move the model. Adding in
 * two hops is another order of additions than stage 3's, which adds all ranks' gradients in rank
 * order:
 *
 *     stage 3         ((g0 + g1) + g2) + g3
 *     groups of two   (g0 + g1) + (g2 + g3)
 *
 * The sums differ by rounding: by about an fp32 unit in the last place per addition; with 16-bit
 * gradients, which are rounded after each hop, by one such unit of the 16-bit type. */
#include "lab/engine.h"

/* One bucket needs no second slot. */
static size_t slots(const struct lab_rank *k) {
    return k->buckets.count < LAB_SLOTS ? k->buckets.count : LAB_SLOTS;
}

/* ── before the first step ── */

bool lab_reduce_reserve(struct lab_rank *k) {
    struct lab_reservations *r = &k->reservations;
    size_t e = lab_element(k), slot = k->buckets.row * k->split.ranks * e;
    if (!k->stage->reduces) return true;
    for (size_t i = 0; i < slots(k); i++)
        if (!lab_reservation_make(&k->ledger, &k->slot[i].reservation, ACCOUNT_REDUCE, LAB_SHARED,
                                  slot))
            return false;
    if (!k->stage->shards_grads) return true;
    return lab_reservation_make(&k->ledger, &r->block_grads, ACCOUNT_REDUCE, LAB_PRIVATE,
                                k->split.block * e) &&
           lab_reservation_make(&k->ledger, &r->embedding_grads, ACCOUNT_REDUCE, LAB_PRIVATE,
                                k->split.unit[0].padded * e);
}

void lab_reduce_free(struct lab_rank *k) {
    for (size_t i = 0; i < LAB_SLOTS; i++)
        lab_reservation_free(&k->ledger, &k->slot[i].reservation);
    lab_reservation_free(&k->ledger, &k->reservations.block_grads);
    lab_reservation_free(&k->ledger, &k->reservations.embedding_grads);
}

/* ── a unit's unsharded gradients, for backward to write ── */

static struct lab_reservation *unsharded_of(struct lab_rank *k, size_t unit) {
    return unit == 0 ? &k->reservations.embedding_grads : &k->reservations.block_grads;
}

void *lab_grads_unsharded(struct lab_rank *k, size_t unit) {
    return k->stage->shards_grads ? unsharded_of(k, unit)->memory : k->unit[unit].grads;
}

/* Gradients are written if nothing is there yet, and added to in later micro-steps. Stages 2 and 3
 * always write: they add when the sums arrive in the shard. Backward writes all of a unit but its
 * padding, which is set to zero here. Of the embeddings the head writes the first part, and the
 * lookup adds to the rest, so the rest is set to zero as well. */
bool lab_grads_open(struct lab_rank *k, size_t unit, struct lab_pass *p) {
    const struct lab_split *s = &k->split.unit[unit];
    size_t e = lab_element(k), written = unit ? s->count : lab_head_writes(k->device, k->options);
    p->grads = lab_grads_unsharded(k, unit);
    p->fresh = k->stage->shards_grads || k->micro == 0;
    if (k->stage->shards_grads && !lab_reservation_enter(&k->ledger, unsharded_of(k, unit)))
        return false;
    if (p->fresh && written < s->padded)
        k->device->row->zero(k->device, (char *)p->grads + written * e, (s->padded - written) * e);
    return true;
}

/* ── sending a bucket, and unpacking it when it has arrived ── */

/* Copies one range of rank r's shard between the unit's whole gradients and row r of the slot: to
 * the slot if `pack`, else back. */
static void copy_row(struct lab_rank *k, char *slot, char *whole, const struct lab_cut *c,
                     uint32_t r, bool pack) {
    size_t e = lab_element(k), count = k->buckets.bucket[c->bucket].count;
    assert(c->at + (c->to - c->from) <= count && c->to <= k->split.unit[c->unit].shard);
    char *staged = slot + (r * count + c->at) * e;
    char *own = whole + (r * k->split.unit[c->unit].shard + c->from) * e;
    k->device->row->copy(k->device, pack ? staged : own, pack ? own : staged,
                         (c->to - c->from) * e);
}

/* Stage 0 has the sums of all rows, stage 1 those of its own row. */
static void put_back(struct lab_rank *k, const struct lab_slot *s) {
    uint32_t from = 0, to = k->split.ranks;
    if (k->stage->op == LAB_REDUCE_SCATTER) from = k->split.mine, to = from + 1;
    for (size_t i = 0; i < s->bucket->cuts; i++) {
        const struct lab_cut *c = &k->buckets.cut[s->bucket->first + i];
        for (uint32_t r = from; r < to; r++)
            copy_row(k, s->reservation.memory, k->unit[c->unit].grads, c, r, false);
    }
}

/* Waits for the bucket that is in flight in the slot, so that the slot can be filled again. */
static bool land(struct lab_rank *k, struct lab_slot *s) {
    if (!s->bucket) return true;
    if (!k->comm->row->wait(k->comm, s->ticket, &k->message)) return false;
    if (!k->stage->shards_grads) put_back(k, s);
    s->bucket = NULL;
    return true;
}

/* Transfers of a rank run in the order in which they were started, so the group's sums are there
 * when this one begins. Groups divide b->count. */
static lab_ticket start_across(struct lab_rank *k, const struct lab_transfer *inside) {
    struct lab_transfer x = *inside;
    assert(inside->count % k->split.groups == 0);
    x.op = LAB_ALL_REDUCE;
    x.among = LAB_ACROSS;
    x.whole = inside->shard;
    x.count = inside->count / k->split.groups;
    x.add = false;
    return k->comm->row->start(k->comm, &x);
}

/* Starts the reduction of `whole`, [ranks][count]. At stages 2 and 3 the sums go to the shard, and
 * after the first micro-step they are added to it. */
static lab_ticket start(struct lab_rank *k, char *whole, const struct lab_bucket *b, size_t unit) {
    size_t e = lab_element(k);
    struct lab_transfer x = {
        .op = k->stage->op,
        .among = LAB_INSIDE,
        .whole = whole,
        .shard = k->stage->shards_grads ? k->shard_grads + b->at * e
                                        : whole + k->split.mine * b->count * e,
        .count = b->count,
        .type = k->options->compute,
        .into = k->options->compute,
        .add = k->stage->shards_grads && k->micro > 0,
        .unit = (int)unit,
    };
    assert(b->at + b->count <= k->split.shards);
    lab_ticket ticket = k->comm->row->start(k->comm, &x);
    bool last = k->micro + 1 == k->options->accumulate;
    return ticket && last && k->split.groups > 1 ? start_across(k, &x) : ticket;
}

static bool fire(struct lab_rank *k, struct lab_slot *s, const struct lab_bucket *b, size_t unit) {
    s->ticket = start(k, s->reservation.memory, b, unit);
    s->bucket = b;
    k->fired++;
    return s->ticket != 0 || lab_fail_memory(k);
}

/* Staging is in use from the first gradients that are packed to the last that have arrived. */
static bool enter_slots(struct lab_rank *k) {
    for (size_t i = 0; i < slots(k); i++)
        if (!lab_reservation_enter(&k->ledger, &k->slot[i].reservation)) return false;
    return true;
}

/* ── a unit's gradients are complete: pack and send them ── */

/* Whether a bucket is one whole unit, of which whole gradients are kept. */
static bool is_straight(const struct lab_rank *k, const struct lab_bucket *b) {
    const struct lab_cut *c = &k->buckets.cut[b->first];
    return !k->stage->shards_grads && b->cuts == 1 &&
           c->to - c->from == k->split.unit[c->unit].shard;
}

static bool pack(struct lab_rank *k, const struct lab_cut *c, char *grads) {
    struct lab_slot *s = &k->slot[k->fired % slots(k)];
    const struct lab_bucket *b = &k->buckets.bucket[c->bucket];
    if (is_straight(k, b)) {
        k->straight = enter_slots(k) ? start(k, grads, b, c->unit) : 0;
        return k->straight != 0 || lab_fail_memory(k);
    }
    if (c->at == 0 && (!land(k, s) || !enter_slots(k))) return false;
    assert(!s->bucket && s->reservation.used);
    for (uint32_t r = 0; r < k->split.ranks; r++)
        copy_row(k, s->reservation.memory, grads, c, r, true);
    return !c->last || fire(k, s, b, c->unit);
}

/* Stages 0 and 1 add up their micro-steps locally and send the last one's sum. Stages 2 and 3 send
 * each micro-step's gradients, because the whole gradients are overwritten by the next unit. */
bool lab_grads_close(struct lab_rank *k, size_t unit) {
    char *grads = lab_grads_unsharded(k, unit);
    bool last = k->micro + 1 == k->options->accumulate;
    if (!k->stage->reduces || (!k->stage->every && !last)) return true;
    for (size_t i = k->buckets.first[unit]; i < k->buckets.cuts && k->buckets.cut[i].unit == unit;
         i++)
        if (!pack(k, &k->buckets.cut[i], grads)) return false;
    if (k->stage->shards_grads) lab_reservation_leave(&k->ledger, unsharded_of(k, unit));
    return true;
}

/* ── the end of a micro-step ── */

bool lab_reduce_finish(struct lab_rank *k) {
    for (size_t i = 0; k->stage->reduces && i < slots(k); i++) {
        /* The older bucket first: transfers end in the order in which they were started. */
        struct lab_slot *s = &k->slot[(k->fired + i) % slots(k)];
        if (!land(k, s)) return false;
        lab_reservation_leave(&k->ledger, &s->reservation);
    }
    return k->comm->row->wait(k->comm, k->straight, &k->message);
}
