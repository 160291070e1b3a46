/* One flow at a time, as data and model parallelism put them; and what the flows of a set of
 * parameters share. */
#include "account/traffic/flows.h"

#include <assert.h>
#include <math.h>

/* ── collectives ───────────────────────────────────────────────────────────────────────────────*/

uint64_t account_narrow_sum(struct account_traffic_writer *w, account_sum sum) {
    if (sum > UINT64_MAX) w->too_much = true;
    return (uint64_t)sum;
}

static double array_bytes(const struct account_flow *f) {
    double all = (double)f->runs * (double)f->part;
    return f->op == ACCOUNT_P2P ? all : all * f->group.ranks;
}

/* Pairs send by themselves, each GPU over its own card. NVIDIA/nccl, src/graph/search.cc: a
 * channel's ring enters a node at one card and leaves it at one; channels are spread over all of
 * them. */
static account_sum by_card(const struct account_flow *f, account_sum sent, account_sum between) {
    bool ring = f->op != ACCOUNT_ALL_TO_ALL && f->op != ACCOUNT_P2P;
    uint32_t near = account_degree(f->group.per_node);
    return ring && between ? (sent + near - 1) / near : between;
}

void account_put_flow(struct account_traffic_writer *w, const struct account_flow *f) {
    uint32_t ranks = f->group.ranks, near = f->group.per_node < ranks ? f->group.per_node : ranks;
    if (ranks <= 1 || f->part == 0 || f->runs == 0) return;
    bool p2p = f->op == ACCOUNT_P2P;
    account_sum each =
        (account_sum)f->part * f->runs * (p2p ? 1 : account_collective_rounds(f->op));
    account_sum sent = p2p ? each : each * (ranks - 1);
    account_sum between = p2p ? each * f->away / 2 : each * (ranks - near);
    account_sum network = by_card(f, sent, between);
    assert(near > 0 && between <= sent && network <= sent);
    assert(w->out->collectives < ACCOUNT_COLLECTIVES_MOST);
    w->sent[f->op] += sent;
    w->between += between;
    w->network += network;
    w->out->collective[w->out->collectives++] =
        (struct account_collective){.op = f->op,
                                    .what = f->what,
                                    .group = f->name,
                                    .ranks = ranks,
                                    .per_node = near,
                                    .calls = f->calls * (double)f->runs,
                                    .payload = array_bytes(f),
                                    .sent = account_narrow_sum(w, sent),
                                    .between = account_narrow_sum(w, between),
                                    .network = account_narrow_sum(w, network),
                                    .window = f->window,
                                    .windows = f->windows,
                                    .head = f->head,
                                    .forward = f->forward,
                                    .after = f->after};
}

/* ── sets ──────────────────────────────────────────────────────────────────────────────────────*/

bool account_is_trained(const struct account_resolved *is, enum account_set set) {
    return (is->lora > 0) == (set == ACCOUNT_SET_ADAPTERS);
}

uint32_t account_set_ranks(const struct account_sheet *s, enum account_set set) {
    uint32_t fewer = set == ACCOUNT_SET_EXPERTS ? s->ranks / s->expert_ranks : s->ranks;
    return account_degree(fewer);
}

static bool divides_states(const struct account_sheet *s) {
    for (size_t i = 0; i < s->terms; i++)
        if (s->term[i].category == ACCOUNT_MOMENTS) return s->term[i].sharded;
    return false;
}

uint64_t account_updated_elements(const struct account_resolved *is) {
    const struct account_sheet *s = &is->sheet;
    uint64_t sum = 0;
    bool sharded = divides_states(s);
    for (int i = 0; i < ACCOUNT_SETS; i++) {
        enum account_set set = (enum account_set)i;
        if (!account_is_trained(is, set)) continue;
        sum += account_shard_elements(&s->share[set], s->pad, s->align,
                                      sharded ? account_set_ranks(s, set) : 1);
    }
    return sum;
}

/* ── a step ────────────────────────────────────────────────────────────────────────────────────*/

/* llm.c (llmc/zero.cuh, set_zero_configs) goes back to plain data parallelism where N does not
 * divide the count. */
static bool stays_whole(const struct account_traffic_writer *w) {
    return w->is->recipe->whole_unless_divides &&
           w->is->sheet.share[ACCOUNT_SET_DENSE].params % w->is->sheet.ranks != 0;
}

uint32_t account_blocks_here(const struct account_resolved *is) {
    return (uint32_t)account_ceil_div(is->shape.layers, is->pp);
}

void account_traffic_begin(const struct account_resolved *is, struct account_traffic *out,
                           struct account_traffic_writer *w) {
    w->is = is;
    w->layers = account_blocks_here(is);
    w->micro = is->micro;
    w->stage = stays_whole(w) ? 0 : is->stage;
    for (int i = 0; i < ACCOUNT_COLLECTIVES; i++) w->sent[i] = 0;
    w->between = w->network = 0;
    w->too_much = false;
    w->out = out;
    *out = (struct account_traffic){0};
}

/* ── what one set moves ────────────────────────────────────────────────────────────────────────*/

static const struct account_share *share_of(const struct account_traffic_writer *w,
                                            const struct account_moved *s) {
    return &w->is->sheet.share[s->set];
}

uint64_t account_moved_shard(const struct account_traffic_writer *w, const struct account_moved *s,
                             uint32_t ranks) {
    return account_shard_elements(share_of(w, s), w->is->sheet.pad, w->is->sheet.align, ranks);
}

void account_count_volume(struct account_traffic_writer *w, const struct account_moved *s,
                          double times) {
    if (s->group.ranks <= 1) return;
    double all = 0;
    for (int i = 0; i < ACCOUNT_SETS; i++)
        if (i != ACCOUNT_SET_ADAPTERS) all += (double)w->is->sheet.share[i].params;
    if (all > 0) w->out->volume_params += times * (double)share_of(w, s)->params / all;
}

struct account_shard_unit_shares account_shard_unit_shares(const struct account_traffic_writer *w) {
    double all = (double)w->is->units.root + (double)w->is->units.block * w->layers;
    if (all <= 0) return (struct account_shard_unit_shares){1, 0};
    double first = (double)account_place_params(&w->is->shape, ACCOUNT_IN_EMBEDDING);
    return (struct account_shard_unit_shares){
        fmin((double)w->is->units.root, first / w->is->tp) / all, (double)w->is->units.block / all};
}
