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
 * lookup ends, or which first an untied head uses and then the lookup. Only the shard is kept.
 *
 * There are two slots: while one is being sent the other is filled. Sums that are put back are made
 * in the slot itself. At stages 0 and 1 a bucket that is of one unit alone needs no slot, because
 * its gradients are already there, each rank's row a shard after the one before: they are reduced
 * in place. (NCCL needs rows without gaps, so there this is so for whole units only.)
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
 * gradients, which are rounded after each hop, by one such unit of the 16-bit type.
 *
 * With gradients in fp32 (--grad-dtype), backward still makes a unit's gradients in 16 bits, in
 * memory that is used again for the next unit, at all stages. They are widened on their way: into
 * the slot at stages 2 and 3, into the whole sums at stages 0 and 1. All additions are in fp32
 * then, and fp32 is sent.
 *
 * With qgZ (ZeRO++, arXiv:2306.10209, section 3.3) a bucket is packed in 4 bits, and reduced in two
 * hops: among the ranks of a node, so that each has the sums for all ranks that have its own place
 * on their nodes; these sums, again in 4 bits, among those ranks. Only 1 / (ranks of a node) of a
 * bucket crosses nodes. Rows are packed in the order in which the hops divide them, by place and
 * then by node (the paper's "tensor slice reordering"); two nodes of two ranks:
 *
 *     slot             [ r0 r2 | r1 r3 ]     rank 0 adds r0 r2 of ranks 0 and 1,
 *     after hop 1      [ r0 r2 |       ]     then r0 of ranks 0 and 2: its own row
 *
 * Each value is rounded to 4 bits once per hop, so the loss differs from stage 3's. */
#include "lab/engine.h"

/* One bucket needs no second slot. */
static size_t slots(const struct lab_rank *k) {
    return k->buckets.count < LAB_SLOTS ? k->buckets.count : LAB_SLOTS;
}

/* ── before the first step ── */

bool lab_reduce_reserve(struct lab_rank *k) {
    struct lab_reservations *r = &k->reservations;
    size_t e = lab_element(k), slot = k->buckets.row * k->split.ranks * lab_grad_element(k);
    for (size_t i = 0; k->stage->reduces && i < slots(k); i++)
        if (!lab_reservation_make(&k->ledger, &k->slot[i].reservation, ACCOUNT_REDUCE, LAB_SHARED,
                                  slot))
            return false;
    if (!lab_grads_pass(k)) return true;
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
    return lab_is_table(k, unit) ? &k->reservations.embedding_grads : &k->reservations.block_grads;
}

void *lab_grads_unsharded(struct lab_rank *k, size_t unit) {
    return lab_grads_pass(k) ? unsharded_of(k, unit)->memory : k->unit[unit].grads;
}

/* Gradients are written if nothing is there yet, and added to in later micro-steps. If they pass,
 * they are always written, and added when they are closed, or arrive in the shard. Backward writes
 * all of a unit but its padding, which is set to zero here, and but the embeddings: a tied head
 * writes their first part, and the lookup adds to all, so what no head writes is set to zero as
 * well. */
static size_t written(const struct lab_rank *k, size_t unit) {
    if (unit == lab_head_unit(&k->options->shape)) return lab_head_writes(k->device, k->options);
    return unit ? k->split.unit[unit].count : 0;
}
bool lab_grads_open(struct lab_rank *k, size_t unit, struct lab_pass *p) {
    const struct lab_split *s = &k->split.unit[unit];
    size_t e = lab_element(k), made = written(k, unit);
    p->grads = lab_grads_unsharded(k, unit);
    p->fresh = lab_grads_pass(k) || (k->micro == 0 && !lab_has_bug(k, LAB_KEPT_GRADS));
    if (lab_grads_pass(k) && !lab_reservation_enter(&k->ledger, unsharded_of(k, unit)))
        return false;
    if (p->fresh && made < s->padded)
        k->device->row->zero(k->device, (char *)p->grads + made * e, (s->padded - made) * e);
    return true;
}

/* ── sending a bucket, and unpacking it when it has arrived ── */

/* Ranks of a node that share the states; of qgZ, the first hop is among them. */
static uint32_t near_of(const struct lab_rank *k) {
    return lab_set_of(k->comm, LAB_NEAR).count;
}

/* What travels. */
static enum lab_dtype sent_type(const struct lab_rank *k) {
    return k->options->qgz ? LAB_Q4 : lab_grads_type(k->options);
}

/* The row of a slot that belongs to rank r of the group. */
static size_t row_of(const struct lab_rank *k, uint32_t r) {
    uint32_t near = near_of(k);
    return k->options->qgz ? r % near * (k->split.ranks / near) + r / near : r;
}

/* Where one range of rank r's shard is in a slot, and in whole gradients of the unit. */
static char *staged(const struct lab_rank *k, char *slot, const struct lab_cut *c, uint32_t r) {
    size_t count = k->buckets.bucket[c->bucket].count;
    assert(c->at + (c->to - c->from) <= count && c->to <= k->split.unit[c->unit].shard);
    return slot + lab_dtype_size(sent_type(k), row_of(k, r) * count + c->at);
}

static size_t place_in_whole(const struct lab_rank *k, const struct lab_cut *c, uint32_t r) {
    return r * k->split.unit[c->unit].shard + c->from;
}

static void put_row(struct lab_rank *k, char *slot, const char *whole, enum lab_dtype type,
                    const struct lab_cut *c, uint32_t r) {
    const char *from = whole + place_in_whole(k, c, r) * lab_dtype_bytes(type);
    size_t n = c->to - c->from;
    if (type == sent_type(k))
        k->device->row->copy(k->device, staged(k, slot, c, r), from, lab_dtype_size(type, n));
    else
        k->device->row->cast(k->device, staged(k, slot, c, r), sent_type(k), from, type, n);
}

/* Stage 0 has the sums of all rows, stage 1 those of its own row. */
static void put_back(struct lab_rank *k, const struct lab_slot *s) {
    uint32_t from = 0, to = k->split.ranks;
    if (k->stage->op == LAB_REDUCE_SCATTER) from = k->split.mine, to = from + 1;
    for (size_t i = 0; i < s->bucket->cuts; i++) {
        const struct lab_cut *c = &k->buckets.cut[s->bucket->first + i];
        char *whole = lab_whole_of(k, LAB_GRADS, c->unit);
        for (uint32_t r = from; r < to; r++)
            k->device->row->copy(k->device,
                                 whole + lab_bytes_of(k, LAB_GRADS, place_in_whole(k, c, r)),
                                 staged(k, s->reservation.memory, c, r),
                                 lab_bytes_of(k, LAB_GRADS, c->to - c->from));
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
    x.stride = 0;
    x.type = x.into = lab_grads_type(k->options);
    x.add = false;
    return k->comm->row->start(k->comm, &x);
}

/* qgZ's two hops: the first leaves sums of all rows for this rank's place, in their own place, and
 * the second those of its row. */
static lab_ticket start_hops(struct lab_rank *k, struct lab_transfer *x) {
    struct lab_set near = lab_set_of(k->comm, LAB_NEAR);
    struct lab_transfer hop = *x;
    uint32_t nodes = k->split.ranks / near.count;
    hop.count = nodes * x->count;
    hop.whole = x->whole;
    hop.shard = (char *)x->whole + lab_dtype_size(LAB_Q4, near.mine * hop.count);
    hop.among = LAB_NEAR;
    hop.into = LAB_Q4;
    hop.add = false;
    x->among = LAB_FAR;
    x->whole = hop.shard;
    if (near.count > 1 && !k->comm->row->start(k->comm, &hop)) return 0;
    return k->comm->row->start(k->comm, x);
}

/* Starts the reduction of `whole`, [ranks][count], whose rows are `stride` elements apart (0:
 * count). At stages 2 and 3 the sums go to the shard, and after the first micro-step they are added
 * to it. */
static lab_ticket start(struct lab_rank *k, char *whole, size_t stride, const struct lab_bucket *b,
                        size_t unit) {
    struct lab_transfer x = {
        .op = k->options->qgz ? LAB_ALL_TO_ALL : k->stage->op,
        .among = LAB_INSIDE,
        .whole = whole,
        .shard =
            k->stage->shards_grads
                ? k->shard_grads + lab_bytes_of(k, LAB_GRADS, b->at)
                : whole + lab_bytes_of(k, LAB_GRADS, k->split.mine * (stride ? stride : b->count)),
        .count = b->count,
        .stride = stride,
        .type = sent_type(k),
        .into = lab_grads_type(k->options),
        .add = k->stage->shards_grads && (k->micro > 0 || lab_has_bug(k, LAB_KEPT_GRADS)),
        .unit = (int)unit,
    };
    assert(b->at + b->count <= k->split.shards);
    lab_ticket ticket = k->options->qgz ? start_hops(k, &x) : k->comm->row->start(k->comm, &x);
    bool last = k->micro + 1 == k->options->accumulate;
    return ticket && last && k->split.groups > 1 ? start_across(k, &x) : ticket;
}

static bool fire(struct lab_rank *k, struct lab_slot *s, const struct lab_bucket *b, size_t unit) {
    s->ticket = start(k, s->reservation.memory, 0, b, unit);
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

/* Whether a bucket is one whole unit, of which whole gradients are kept; or a part of one, if the
 * comm can leave its rows where they are. */
static bool is_straight(const struct lab_rank *k, const struct lab_bucket *b) {
    const struct lab_cut *c = &k->buckets.cut[b->first];
    bool whole = c->to - c->from == k->split.unit[c->unit].shard;
    return !k->stage->shards_grads && b->cuts == 1 && (whole || k->comm->row->strides);
}

static bool pack(struct lab_rank *k, const struct lab_cut *c, char *grads, enum lab_dtype type) {
    struct lab_slot *s = &k->slot[k->fired % slots(k)];
    const struct lab_bucket *b = &k->buckets.bucket[c->bucket];
    if (lab_has_bug(k, LAB_LOST_BUCKET) && c->bucket + 1 == k->buckets.count) return true;
    if (is_straight(k, b)) {
        char *first = grads + lab_bytes_of(k, LAB_GRADS, c->from);
        size_t stride = k->split.unit[c->unit].shard;
        k->straight = enter_slots(k) ? start(k, first, stride, b, c->unit) : 0;
        return k->straight != 0 || lab_fail_memory(k);
    }
    if (c->at == 0 && (!land(k, s) || !enter_slots(k))) return false;
    assert(!s->bucket && s->reservation.used);
    for (uint32_t r = 0; r < k->split.ranks; r++)
        put_row(k, s->reservation.memory, grads, type, c, r);
    return !c->last || fire(k, s, b, c->unit);
}

/* Adds a unit's 16-bit gradients to this rank's whole sums in fp32, or begins them. */
static void add_whole(struct lab_rank *k, size_t unit) {
    const void *made = lab_grads_unsharded(k, unit);
    float *sum = (float *)(void *)k->unit[unit].grads;
    size_t n = k->split.unit[unit].padded;
    if (k->micro == 0)
        k->device->row->cast(k->device, sum, LAB_F32, made, k->options->compute, n);
    else
        k->device->row->add_wide(k->device, sum, made, k->options->compute, n);
}

static bool send(struct lab_rank *k, size_t unit) {
    enum lab_dtype type = k->stage->shards_grads ? k->options->compute : lab_grads_type(k->options);
    char *grads = lab_whole_of(k, LAB_GRADS, unit);
    if (!grads) grads = lab_grads_unsharded(k, unit);
    for (size_t i = k->buckets.first[unit]; i < k->buckets.cuts && k->buckets.cut[i].unit == unit;
         i++)
        if (!pack(k, &k->buckets.cut[i], grads, type)) return false;
    return true;
}

/* Stages 0 and 1 add up their micro-steps locally and send the last one's sum. Stages 2 and 3 send
 * each micro-step's gradients, because the whole gradients are overwritten by the next unit. */
/* read: reduce */
bool lab_grads_close(struct lab_rank *k, size_t unit) {
    bool last = k->micro + 1 == k->options->accumulate;
    if (lab_grads_pass(k) && !k->stage->shards_grads) add_whole(k, unit);
    if (k->stage->reduces && (k->stage->every || last) && !send(k, unit)) return false;
    if (lab_grads_pass(k)) lab_reservation_leave(&k->ledger, unsharded_of(k, unit));
    return true;
}
/* read: end */

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
