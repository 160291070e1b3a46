/* Mistakes with what is sent. X(id, name, explain, transformation, mask, amount, kinds, rarity, unit); see mistakes.c. */
#ifndef ACCOUNT_MISTAKES_TRAFFIC_H
#define ACCOUNT_MISTAKES_TRAFFIC_H

#define TRAFFIC_MISTAKES(X)                                                                         \
    X("all-reduce-once", "an all-reduce was counted once",                                          \
      "It is a reduce-scatter and an all-gather: the array goes around twice.",                     \
      account_slip_drop_factor, ACCOUNT_TWICE, 0, SENT | VOLUME, 0, ACCOUNT_NO_UNIT)                \
    X("ring-whole", "each rank was taken to send the whole array",                                  \
      "In a ring a rank sends N − 1 of N parts: its own part is there already.",                    \
      account_slip_drop_factor, ACCOUNT_RING, 0, SENT, 0, ACCOUNT_NO_UNIT)                          \
    X("ring-times", "the parts were counted as whole arrays",                                       \
      "A rank sends N − 1 parts, and each is one N-th of the array.", account_slip_ring_times, 0,   \
      0, SENT, 4, ACCOUNT_NO_UNIT)                                                                  \
    X("own-part", "only one part was counted", "A rank passes on N − 1 parts, not just one.",       \
      account_slip_ring_own, 0, 0, SENT, 0, ACCOUNT_NO_UNIT)                                        \
    X("no-ring-factor", "the array was taken as it is, not what a rank sends of it",                \
      "A rank sends the array times the collective's factor: 2(N − 1)/N for an all-reduce, "      \
      "(N − 1)/N for the others.",                                                                  \
      account_slip_drop_factor, ACCOUNT_TWICE | ACCOUNT_RING, 0, SENT, 1, ACCOUNT_NO_UNIT)          \
    X("elements-for-bytes", "elements were counted, not bytes",                                     \
      "Each element takes several bytes on the wire and in memory.", account_slip_drop_factor,      \
      ACCOUNT_WIDTH, 0, SENT | HOST, 2, ACCOUNT_NO_UNIT)                                            \
    X("fp32-legs", "it was all taken to travel in fp32",                                            \
      "16-bit parameters and gradients take 2 bytes each on the wire.", account_slip_set_factor,    \
      ACCOUNT_WIDTH, 4, SENT, 2, ACCOUNT_NO_UNIT)                                                   \
    X("reduce-16bit", "gradients were taken to travel in 16 bits",                                  \
      "Here they are reduced in fp32: 4 bytes each, while the parameters are gathered in 16 "       \
      "bits.",                                                                                      \
      account_slip_set_factor, ACCOUNT_WIDTH | ACCOUNT_OF_GRADIENTS, 2, SENT, 0, ACCOUNT_NO_UNIT)   \
    X("states-travel", "all 16 bytes a parameter were sent",                                        \
      "Only gradients and parameters travel: the optimizer's states stay where they are used.",     \
      account_slip_set_factor, ACCOUNT_WIDTH, 16, SENT, 4, ACCOUNT_NO_UNIT)                         \
    X("accumulation-free", "gradient accumulation was taken to cost no traffic",                    \
      "Where gradients are sharded each micro-batch reduces them, and in stage 3 each one "         \
      "gathers the parameters again.",                                                              \
      account_slip_drop_factor, ACCOUNT_MICRO, 0, SENT | VOLUME, 0, ACCOUNT_NO_UNIT)                \
    X("accumulation-paid", "each micro-batch was counted",                                          \
      "Stages 0 and 1 keep all gradients and reduce them once a step.", account_slip_times_micro,   \
      0, 0, SENT | VOLUME, 0, ACCOUNT_NO_UNIT)                                                      \
    X("as-ddp", "it was counted as plain data parallelism",                                         \
      "Stages that shard parameters or gradients move more, at least with accumulation: 2Ψ "       \
      "becomes 3Ψ, or A + 1, or 3A.",                                                               \
      account_slip_as_ddp, 0, 0, SENT | VOLUME, 1, ACCOUNT_NO_UNIT)                                 \
    X("triple-traffic", "stage 3 was taken to triple the traffic",                                  \
      "It moves 3Ψ against 2Ψ: half more, not three times as much.", account_slip_triple, 0, 3,     \
      SENT | VOLUME, 0, ACCOUNT_NO_UNIT)                                                            \
    X("half-more", "stages 1 and 2 were taken to move 3Ψ",                                          \
      "Reduce-scatter and all-gather together are one all-reduce: 2Ψ, as without ZeRO. "           \
      "DeepSpeed's default does all-reduce and then gather; this recipe does not.",                 \
      account_slip_half_more, 0, 1.5, SENT | VOLUME, 0, ACCOUNT_NO_UNIT)                            \
    X("no-gather", "the parameters' all-gather was forgotten",                                      \
      "Each rank updates its own shard only, so the others' have to be gathered.",                  \
      account_slip_drop_product, ACCOUNT_OF_PARAMETERS, 0, SENT | VOLUME, 1, ACCOUNT_NO_UNIT)       \
    X("no-reduce", "the gradients' reduction was forgotten",                                        \
      "Ranks see different samples, and their gradients are summed in every step.",                 \
      account_slip_drop_product, ACCOUNT_OF_GRADIENTS, 0, SENT | VOLUME, 3, ACCOUNT_NO_UNIT)        \
    X("one-gather", "one gather was counted instead of two",                                        \
      "Stage 3 frees the parameters after forward and gathers them again for backward.",            \
      account_slip_drop_factor, ACCOUNT_PASSES | ACCOUNT_OF_PARAMETERS, 0, SENT | VOLUME, 0,        \
      ACCOUNT_NO_UNIT)                                                                              \
    X("ranks-added", "the traffic of all ranks was added up",                                       \
      "One rank is asked for; they all send at the same time.", account_slip_times_ranks, 0, 0,     \
      TRAFFIC | SECONDS, 2, ACCOUNT_NO_UNIT)                                                        \
    X("no-replicas", "the reduction across replicas was forgotten",                                 \
      "With a shard group the groups hold replicas, and their gradients are summed too.",           \
      account_slip_drop_product, ACCOUNT_OF_REPLICAS, 0, SENT | VOLUME, 0, ACCOUNT_NO_UNIT)         \
    X("no-layers", "what the layers send was forgotten",                                            \
      "Tensor, context and pipeline parallelism send activations in every layer or at every "       \
      "boundary.",                                                                                  \
      account_slip_drop_product, ACCOUNT_OF_LAYERS, 0, SENT, 0, ACCOUNT_NO_UNIT)                    \
    X("layers-doubled", "sequence parallelism was taken to double the traffic",                     \
      "An all-reduce is a reduce-scatter and an all-gather already: the same bytes.",               \
      account_slip_scale_factor, ACCOUNT_PASSES | ACCOUNT_OF_LAYERS, 2, SENT, 1, ACCOUNT_NO_UNIT)   \
    X("one-way", "only one direction was counted",                                                  \
      "Gradients go down to the host, and parameters come back up.", account_slip_keep_product,     \
      ACCOUNT_OF_DOWN, 0, SENT, 0, ACCOUNT_NO_UNIT)                                                 \
    X("not-shared", "it was not divided among the ranks",                                           \
      "Each rank sends its own shard, over its own link.", account_slip_drop_factor,                \
      ACCOUNT_SHARE, 0, SENT | HOST, 1, ACCOUNT_NO_UNIT)                                            \
    X("all-between", "all traffic was counted as between nodes",                                    \
      "Most of a ring's neighbours are on the same node; only bytes that ranks of other nodes "     \
      "read leave it.",                                                                             \
      account_slip_piece, ACCOUNT_PIECE_BETWEEN, ACCOUNT_PIECE_ALL, TRAFFIC, 0, ACCOUNT_NO_UNIT)    \
    X("inside-for-between", "the traffic inside the node was counted",                              \
      "What leaves the node is asked for.", account_slip_piece, ACCOUNT_PIECE_BETWEEN,              \
      ACCOUNT_PIECE_INSIDE, TRAFFIC, 0, ACCOUNT_NO_UNIT)                                            \
    X("between-for-inside", "the traffic between nodes was counted",                                \
      "What stays inside the node is asked for.", account_slip_piece, ACCOUNT_PIECE_INSIDE,         \
      ACCOUNT_PIECE_BETWEEN, TRAFFIC, 0, ACCOUNT_NO_UNIT)                                           \
    X("deepspeed-traffic", "DeepSpeed's traffic was counted",                                       \
      "Its default all-reduces each bucket of gradients and gathers the weights after: (2A + 1)Ψ " \
      "under stage 2 with A micro-batches. The paper reduce-scatters: (A + 1)Ψ.",                   \
      account_slip_deepspeed_sends, 0, 0, SENT, 1, ACCOUNT_NO_UNIT)                                 \
    X("paper-traffic", "the paper's traffic was counted",                                           \
      "The paper reduce-scatters the gradients. This recipe all-reduces them, twice the bytes, "    \
      "and gathers the weights after.",                                                             \
      account_slip_paper_sends, 0, 0, SENT, 0, ACCOUNT_NO_UNIT)                                     \
    X("gather-each", "a gather of the parameters was counted for every micro-batch",                \
      "Weights change once a step, so stages 1 and 2 gather them once; only what is reduced is "    \
      "paid for each micro-batch.",                                                                 \
      account_slip_times_micro, ACCOUNT_OF_PARAMETERS, 0, SENT, 3, ACCOUNT_NO_UNIT)                 \
    X("as-all-reduce", "it was counted as an all-reduce",                                           \
      "An all-reduce is a reduce-scatter and an all-gather. This is one of the two, and the "       \
      "array goes around once.",                                                                    \
      account_slip_as_all_reduce, 0, 0, SENT, 1, ACCOUNT_NO_UNIT)                                   \
    X("whole-step", "all collectives of the step were counted",                                     \
      "Only the reduce-scatter is asked for.", account_slip_piece, ACCOUNT_PIECE_REDUCE_SCATTER,    \
      ACCOUNT_PIECE_ALL, TRAFFIC, 2, ACCOUNT_NO_UNIT)                                               \
    X("fp32-down", "the gradients were taken to go down in fp32",                                   \
      "A micro-batch's, or their sum so far, leave the GPU in 16 bits.", account_slip_set_factor,   \
      ACCOUNT_WIDTH | ACCOUNT_OF_DOWN, 4, SENT, 0, ACCOUNT_NO_UNIT)                                 \
    X("link-states", "all 16 bytes a parameter were sent over the link",                            \
      "Master copy and moments stay on the host. Gradients go down and new weights come up: 4 of "  \
      "the 16.",                                                                                    \
      account_slip_over_link, 0, 16, SENT, 1, ACCOUNT_NO_UNIT)                                      \
    X("link-optimizer", "the optimizer's states were sent over the link",                           \
      "They stay on the host, and the update is made there. Gradients go down and new weights "     \
      "come up.",                                                                                   \
      account_slip_over_link, 0, 12, SENT, 0, ACCOUNT_NO_UNIT)                                      \
    X("link-ring", "a ring's factor was put in",                                                    \
      "A ring's is a collective's, where a rank has its own part already. Over its own link a "     \
      "rank sends and fetches all of its shard.",                                                   \
      account_slip_no_ring, 0, 0, SENT, 0, ACCOUNT_NO_UNIT)                                         \
    X("shard-ring", "the ring inside the group was taken for the one across",                       \
      "Across the groups there are as many ranks in a ring as there are groups.",                   \
      account_slip_replica_ring, ACCOUNT_OF_REPLICAS, 0, SENT, 0, ACCOUNT_NO_UNIT)                  \
    X("world-ring", "the ring across the groups was taken over all ranks",                          \
      "Only ranks that hold the same shard average it: one of each group.",                         \
      account_slip_replica_ring, ACCOUNT_OF_REPLICAS, 1, SENT, 0, ACCOUNT_NO_UNIT)                  \
    X("replica-world", "the gradients' shard was taken as one part of all ranks",                   \
      "In hybrid sharding a rank holds one part of its group's, whatever the world is.",            \
      account_slip_replica_share, ACCOUNT_OF_REPLICAS, 0, SENT, 1, ACCOUNT_NO_UNIT)                 \
    X("replica-groups", "the gradients were divided by the number of groups",                       \
      "They are divided inside a group, by its ranks; the groups are the copies.",                  \
      account_slip_replica_share, ACCOUNT_OF_REPLICAS, 1, SENT, 2, ACCOUNT_NO_UNIT)                 \
    X("replica-thrice", "three collectives were counted across the groups",                         \
      "Stage 3's gathers and its reduce-scatter stay inside a group. Across go the gradients "      \
      "alone, all-reduced: 2.",                                                                     \
      account_slip_set_factor, ACCOUNT_TWICE | ACCOUNT_OF_REPLICAS, 3, SENT, 1, ACCOUNT_NO_UNIT)

#endif
