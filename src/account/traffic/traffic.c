/* What a rank sends in a step: bytes of its memory that other ranks read. An all-gather or a
 * reduce-scatter over N ranks has each of the N − 1 others read one shard (nccl-tests,
 * doc/PERFORMANCE.md: (N−1)/N of the array), an all-reduce is both. Of those others, the ones on
 * this rank's node read inside it. NCCL's rings send as much, each rank to its neighbour: as many
 * rings as the node has members and network cards, each of which leaves the node once, so a card
 * carries one member's part of what a member sends. Sums are exact, in 128 bits until the end. */
#include "account/traffic/flows.h"

#include <assert.h>

static void put_sums(struct account_traffic_writer *w) {
    account_sum total = 0;
    for (int i = 0; i < ACCOUNT_COLLECTIVES; i++) {
        w->out->sent[i] = account_narrow_sum(w, w->sent[i]);
        total += w->sent[i];
    }
    assert(w->between <= total && w->network <= total);
    w->out->total = account_narrow_sum(w, total);
    w->out->between = account_narrow_sum(w, w->between);
    w->out->network = account_narrow_sum(w, w->network);
    w->out->inside = account_narrow_sum(w, total - w->between);
    struct account_offload o = account_offload(w);
    w->out->offload_down = account_narrow_sum(w, o.grads_down + o.last_down + o.params_down);
    w->out->offload_up = account_narrow_sum(w, o.sums_up + o.updated_up + o.gathered_up);
    w->out->offload_gathered = account_narrow_sum(w, o.gathered_up);
    w->out->disk_read = account_narrow_sum(w, o.disk_read);
    w->out->disk_written = account_narrow_sum(w, o.disk_written);
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

bool account_traffic_of(const struct account_resolved *is, struct account_traffic *out,
                        struct account_error *e) {
    struct account_traffic_writer w;
    account_traffic_begin(is, out, &w);
    return account_traffic_fill(&w, e);
}

bool account_traffic(const struct account_training *t, struct account_traffic *out,
                     struct account_error *e) {
    struct account_resolved is;
    *out = (struct account_traffic){0};
    return account_resolve(t, &is, e) && account_traffic_of(&is, out, e);
}
