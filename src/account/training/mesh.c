#include "account/training/mesh.h"

/* Members lie `stride` ranks apart, so a node of G holds G ÷ stride of them, and one where the stride steps over a node. */
static struct account_group group(uint32_t ranks, uint32_t stride, uint32_t node) {
    uint32_t capacity = stride > 0 && stride < node ? node / stride : 1;
    return (struct account_group){.ranks = ranks, .per_node = ranks < capacity ? ranks : capacity};
}

struct account_mesh account_mesh(const struct account_training *t) {
    uint32_t world = account_degree(t->gpus), tp = account_degree(t->tp),
             cp = account_degree(t->cp);
    uint32_t node = t->gpus_per_node && t->gpus_per_node < world ? t->gpus_per_node : world;
    uint32_t dp = account_data_parallel(t), all = dp * cp,
             n = account_degree(account_shard_ranks(t));
    return (struct account_mesh){
        .world = world,
        .dp = dp,
        .node = node,
        .tensor = group(tp, 1, node),
        .context = group(cp, tp, node),
        .shard = group(n, tp, node),
        .replicas = group(all / n ? all / n : 1, tp * n, node),
        .data = group(all, tp, node),
        .expert = group(account_degree(t->ep), tp, node),
        .pipeline = group(account_degree(t->pp), tp * all, node),
        .secondary = group(account_degree(t->hpz), tp, node),
    };
}

uint32_t account_data_parallel(const struct account_training *t) {
    uint64_t model =
        (uint64_t)account_degree(t->tp) * account_degree(t->pp) * account_degree(t->cp);
    uint64_t dp = t->gpus / model;
    return dp ? (uint32_t)dp : 1;
}

uint32_t account_shard_ranks(const struct account_training *t) {
    return t->shard_group ? t->shard_group : account_data_parallel(t) * account_degree(t->cp);
}
