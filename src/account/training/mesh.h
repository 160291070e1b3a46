/* The mesh: which ranks form a group, how many of them share a node, and what part of the model the
 * fullest rank holds. Ranks are numbered tensor fastest, then context, then data, then pipeline
 * (Megatron-LM, parallel_state.py: "tp-cp-ep-dp-pp"). */
#ifndef ACCOUNT_MESH_H
#define ACCOUNT_MESH_H

#include "account/training/shapes.h"

struct account_group {
    /* in the group */
    uint32_t ranks;
    /* of them on one node; equal to `ranks` if the group does not leave its node */
    uint32_t per_node;
};
struct account_mesh {
    /* node: GPUs of one, all of them if it was not said */
    uint32_t world, dp, node;
    struct account_group tensor, context, shard, replicas, data, expert, pipeline, secondary;
};
struct account_resolved;

/* Parameters that are sharded together: `times` parts of `elements`, in rows of `row`. Each part is
 * padded separately. */
struct account_part {
    uint64_t elements, row;
    uint32_t times;
};
#define ACCOUNT_PARTS 40
/* The parameters of the model that a rank of pipeline stage `stage` has, before sharding: all but
 * the experts', or the experts', in parts as `pad` needs them. A bare Ψ is one part of ceil(Ψ / (tp
 * · pp)). A count that differs from the shape's (--params with a model) is spread over the same
 * parts' total as one flat part. */
struct account_share {
    /* their sum */
    uint64_t params;
    size_t parts;
    struct account_part part[ACCOUNT_PARTS];
    /* divided among so many ranks; 0: not yet */
    struct account_cut {
        uint32_t ranks;
        /* Elements on each rank, and how many of the last rank's are no padding. */
        uint64_t shard, last;
    } cut;
};
enum account_which { ACCOUNT_DENSE, ACCOUNT_EXPERTS };
void account_share(const struct account_resolved *r, uint32_t stage, enum account_which which,
                   enum account_pad pad, struct account_share *out);
/* The same of the embedding, the last norm and the head alone, as if the model had no blocks. */
void account_share_of_root(const struct account_resolved *r, enum account_pad pad,
                           struct account_share *out);
/* Whether all of Ψ is one flat part, so that no tensor need be known. */
bool account_share_is_flat(const struct account_resolved *r, enum account_pad pad);
/* Parameters on a rank of a pipeline stage that NF4 quantizes: the matrices of the blocks. 0 for a
 * bare Ψ. */
uint64_t account_linear_params(const struct account_resolved *r, uint32_t stage, bool experts);
/* Elements of the units on a rank of the first pipeline stage. All 0 for a bare Ψ, where no unit is
 * known. */
struct account_shard_units {
    /* one block; embedding, last norm and head together */
    uint64_t block, root;
    /* of all units, each of the root's by itself */
    uint64_t largest;
};
void account_shard_units(const struct account_resolved *r, struct account_shard_units *out);

#endif
