/* What a rank sends in a step: bytes of its memory that other ranks read. An all-gather or a reduce-scatter over N ranks has each of the
 * N − 1 others read one shard (nccl-tests, doc/PERFORMANCE.md: (N−1)/N of the array), an all-reduce is both. Of those others, the ones
 * on this rank's node read inside it. NCCL's rings send as much, each rank to its neighbour: as many rings as the node has members and network
 * cards, each of which leaves the node once, so a card carries one member's part of what a member sends. Sums are exact, in 128 bits until
 * the end. */
#include "account/traffic/flows.h"

/* ── collectives ────────────────────────────────────────────────────────────────────────────────────────*/

static uint64_t rounds(enum account_collective_kind op) {
    return op == ACCOUNT_ALL_REDUCE ? 2 : 1;
}

static uint64_t narrow(struct account_traffic_writer *w, account_sum sum) {
    if (sum > UINT64_MAX) w->too_much = true;
    return (uint64_t)sum;
}

static double array_bytes(const struct account_flow *f) {
    double all = (double)f->runs * (double)f->part;
    return f->op == ACCOUNT_P2P ? all : all * f->group.ranks;
}

/* Pairs send by themselves, each GPU over its own card. NVIDIA/nccl, src/graph/search.cc: a channel's ring enters a node at one card and
 * leaves it at one; channels are spread over all of them. */
static account_sum by_card(const struct account_flow *f, account_sum sent, account_sum between) {
    bool ring = f->op != ACCOUNT_ALL_TO_ALL && f->op != ACCOUNT_P2P;
    uint32_t near = account_degree(f->group.per_node);
    return ring && between ? (sent + near - 1) / near : between;
}

void account_put_flow(struct account_traffic_writer *w, const struct account_flow *f) {
    uint32_t ranks = f->group.ranks, near = f->group.per_node < ranks ? f->group.per_node : ranks;
    if (ranks <= 1 || f->part == 0 || f->runs == 0) return;
    account_sum each = (account_sum)f->part * f->runs * rounds(f->op);
    bool p2p = f->op == ACCOUNT_P2P;
    account_sum sent = p2p ? each : each * (ranks - 1);
    account_sum between = p2p ? each * f->away / 2 : each * (ranks - near);
    account_sum network = by_card(f, sent, between);
    w->sent[f->op] += sent;
    w->between += between;
    w->network += network;
    if (w->out->collectives == ACCOUNT_COLLECTIVES_MOST) return;
    w->out->collective[w->out->collectives++] =
        (struct account_collective){.op = f->op,
                                    .what = f->what,
                                    .group = f->name,
                                    .ranks = ranks,
                                    .per_node = near,
                                    .calls = f->calls * (double)f->runs,
                                    .payload = array_bytes(f),
                                    .sent = narrow(w, sent),
                                    .between = narrow(w, between),
                                    .network = narrow(w, network),
                                    .window = f->window,
                                    .windows = f->windows,
                                    .head = f->head,
                                    .forward = f->forward,
                                    .after = f->after};
}

/* ── sets ────────────────────────────────────────────────────────────────────────────────────────*/

bool account_is_trained(const struct account_training *t, enum account_set set) {
    return (t->lora > 0) == (set == ACCOUNT_SET_ADAPTERS);
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

uint64_t account_updated_elements(const struct account_training *t, const struct account_sheet *s) {
    uint64_t sum = 0;
    bool sharded = divides_states(s);
    for (int i = 0; i < ACCOUNT_SETS; i++) {
        enum account_set set = (enum account_set)i;
        if (!account_is_trained(t, set)) continue;
        sum += account_shard_elements(&s->share[set], s->pad, s->align,
                                      sharded ? account_set_ranks(s, set) : 1);
    }
    return sum;
}

/* ── a step ──────────────────────────────────────────────────────────────────────────────────────*/

/* llm.c (llmc/zero.cuh, set_zero_configs) goes back to plain data parallelism where N does not divide the count. */
static bool stays_whole(const struct account_traffic_writer *w) {
    return w->recipe->whole_unless_divides &&
           w->sheet.share[ACCOUNT_SET_DENSE].params % w->sheet.ranks != 0;
}

void account_traffic_begin(const struct account_training *t, struct account_traffic *out,
                           struct account_traffic_writer *w) {
    uint32_t pp = account_degree(t->pp), layers = t->shape.layers;
    w->training = t;
    w->recipe = account_recipe_of(t);
    w->mesh = account_mesh(t);
    account_sheet_all(t, 0, &w->sheet);
    account_units(t, &w->units);
    w->layers = layers / pp + (layers % pp != 0);
    w->micro = account_degree(t->accumulate);
    w->stage = stays_whole(w) ? 0 : t->stage;
    for (int i = 0; i < ACCOUNT_COLLECTIVES; i++) w->sent[i] = 0;
    w->between = w->network = 0;
    w->too_much = false;
    w->out = out;
    *out = (struct account_traffic){0};
}

static void put_sums(struct account_traffic_writer *w) {
    account_sum total = 0;
    for (int i = 0; i < ACCOUNT_COLLECTIVES; i++) {
        w->out->sent[i] = narrow(w, w->sent[i]);
        total += w->sent[i];
    }
    w->out->total = narrow(w, total);
    w->out->between = narrow(w, w->between);
    w->out->network = narrow(w, w->network);
    w->out->inside = narrow(w, total - w->between);
    struct account_offload o = account_offload(w);
    w->out->offload_down = narrow(w, o.grads_down + o.last_down + o.params_down);
    w->out->offload_up = narrow(w, o.sums_up + o.updated_up + o.gathered_up);
}

bool account_traffic_fill(struct account_traffic_writer *w, struct account_error *e) {
    account_put_data_flows(w);
    account_put_model_flows(w);
    put_sums(w);
    if (!w->too_much) return true;
    *w->out = (struct account_traffic){0};
    return account_fail(e, 0,
                        "accumulate: a rank would send more than 2^64 bytes in a step: take fewer "
                        "micro-batches or fewer parameters");
}

bool account_traffic(const struct account_training *t, struct account_traffic *out,
                     struct account_error *e) {
    struct account_traffic_writer w;
    *out = (struct account_traffic){0};
    if (!account_check(t, e)) return false;
    account_traffic_begin(t, out, &w);
    return account_traffic_fill(&w, e);
}
