/* Mistakes with what is sent. X(id, name, explain, transformation, mask, amount, kinds, rarity, unit); see mistakes.c. */
#ifndef ACCOUNT_MISTAKES_TRAFFIC_H
#define ACCOUNT_MISTAKES_TRAFFIC_H

#define TRAFFIC_MISTAKES(X)                                                                        \
    X("all-reduce-once", "an all-reduce was counted once",                                         \
      "It is a reduce-scatter and an all-gather: the array goes around twice.",                    \
      account_slip_drop_factor, ACCOUNT_TWICE, 0, SENT | VOLUME, 0, ACCOUNT_NO_UNIT)               \
    X("ring-whole", "each rank was taken to send the whole array",                                 \
      "In a ring a rank sends N − 1 of N parts: its own part is there already.",                   \
      account_slip_drop_factor, ACCOUNT_RING, 0, SENT, 0, ACCOUNT_NO_UNIT)                         \
    X("ring-times", "the parts were counted as whole arrays",                                      \
      "A rank sends N − 1 parts, and each is one N-th of the array.", account_slip_ring_times, 0,  \
      0, SENT, 4, ACCOUNT_NO_UNIT)                                                                 \
    X("own-part", "only one part was counted", "A rank passes on N − 1 parts, not just one.",      \
      account_slip_ring_own, 0, 0, SENT, 0, ACCOUNT_NO_UNIT)                                       \
    X("no-ring-factor", "the array was taken as it is, not what a rank sends of it",               \
      "A rank sends the array times the collective's factor: 2(N − 1)/N for an all-reduce, "     \
      "(N − 1)/N for the others.",                                                                 \
      account_slip_drop_factor, ACCOUNT_TWICE | ACCOUNT_RING, 0, SENT, 1, ACCOUNT_NO_UNIT)         \
    X("elements-for-bytes", "elements were counted, not bytes",                                    \
      "Each element takes several bytes on the wire and in memory.", account_slip_drop_factor,     \
      ACCOUNT_WIDTH, 0, TRAFFIC | HOST, 2, ACCOUNT_NO_UNIT)                                        \
    X("fp32-legs", "it was all taken to travel in fp32",                                           \
      "16-bit parameters and gradients take 2 bytes each on the wire.", account_slip_set_factor,   \
      ACCOUNT_WIDTH, 4, SENT, 2, ACCOUNT_NO_UNIT)                                                  \
    X("reduce-16bit", "gradients were taken to travel in 16 bits",                                 \
      "Here they are reduced in fp32: 4 bytes each, while the parameters are gathered in 16 "      \
      "bits.",                                                                                     \
      account_slip_set_factor, ACCOUNT_WIDTH | ACCOUNT_OF_GRADIENTS, 2, SENT, 0, ACCOUNT_NO_UNIT)  \
    X("states-travel", "all 16 bytes a parameter were sent",                                       \
      "Only gradients and parameters travel: the optimizer's states stay where they are used.",    \
      account_slip_set_factor, ACCOUNT_WIDTH, 16, SENT, 4, ACCOUNT_NO_UNIT)                        \
    X("accumulation-free", "gradient accumulation was taken to cost no traffic",                   \
      "Where gradients are sharded each micro-batch reduces them, and in stage 3 each one "        \
      "gathers the parameters again.",                                                             \
      account_slip_drop_factor, ACCOUNT_MICRO, 0, SENT | VOLUME, 0, ACCOUNT_NO_UNIT)               \
    X("accumulation-paid", "each micro-batch was counted",                                         \
      "Stages 0 and 1 keep all gradients and reduce them once a step.", account_slip_times_micro,  \
      0, 0, SENT | VOLUME, 0, ACCOUNT_NO_UNIT)                                                     \
    X("as-ddp", "it was counted as plain data parallelism",                                        \
      "Stages that shard parameters or gradients move more, at least with accumulation: 2Ψ "      \
      "becomes 3Ψ, or A + 1, or 3A.",                                                              \
      account_slip_as_ddp, 0, 0, SENT | VOLUME, 1, ACCOUNT_NO_UNIT)                                \
    X("triple-traffic", "stage 3 was taken to triple the traffic",                                 \
      "It moves 3Ψ against 2Ψ: half more, not three times as much.", account_slip_triple, 0, 3,    \
      SENT | VOLUME, 0, ACCOUNT_NO_UNIT)                                                           \
    X("half-more", "stages 1 and 2 were taken to move 3Ψ",                                         \
      "Reduce-scatter and all-gather together are one all-reduce: 2Ψ, as without ZeRO. "          \
      "DeepSpeed's default does all-reduce and then gather; this recipe does not.",                \
      account_slip_half_more, 0, 1.5, SENT | VOLUME, 0, ACCOUNT_NO_UNIT)                           \
    X("no-gather", "the parameters' all-gather was forgotten",                                     \
      "Each rank updates its own shard only, so the others' have to be gathered.",                 \
      account_slip_drop_product, ACCOUNT_OF_PARAMETERS, 0, SENT | VOLUME, 1, ACCOUNT_NO_UNIT)      \
    X("no-reduce", "the gradients' reduction was forgotten",                                       \
      "Ranks see different samples, and their gradients are summed in every step.",                \
      account_slip_drop_product, ACCOUNT_OF_GRADIENTS, 0, SENT | VOLUME, 3, ACCOUNT_NO_UNIT)       \
    X("one-gather", "one gather was counted instead of two",                                       \
      "Stage 3 frees the parameters after forward and gathers them again for backward.",           \
      account_slip_drop_factor, ACCOUNT_PASSES | ACCOUNT_OF_PARAMETERS, 0, SENT | VOLUME, 0,       \
      ACCOUNT_NO_UNIT)                                                                             \
    X("ranks-added", "the traffic of all ranks was added up",                                      \
      "One rank is asked for; they all send at the same time.", account_slip_times_ranks, 0, 0,    \
      TRAFFIC | SECONDS, 2, ACCOUNT_NO_UNIT)                                                       \
    X("no-replicas", "the reduction across replicas was forgotten",                                \
      "With a shard group the groups hold replicas, and their gradients are summed too.",          \
      account_slip_drop_product, ACCOUNT_OF_REPLICAS, 0, SENT | VOLUME, 0, ACCOUNT_NO_UNIT)        \
    X("no-layers", "what the layers send was forgotten",                                           \
      "Tensor, context and pipeline parallelism send activations in every layer or at every "      \
      "boundary.",                                                                                 \
      account_slip_drop_product, ACCOUNT_OF_LAYERS, 0, SENT, 0, ACCOUNT_NO_UNIT)                   \
    X("layers-doubled", "sequence parallelism was taken to double the traffic",                    \
      "An all-reduce is a reduce-scatter and an all-gather already: the same bytes.",              \
      account_slip_scale_factor, ACCOUNT_PASSES | ACCOUNT_OF_LAYERS, 2, SENT, 1, ACCOUNT_NO_UNIT)  \
    X("one-way", "only one direction was counted",                                                 \
      "Gradients go down to the host, and parameters come back up.", account_slip_keep_product,    \
      ACCOUNT_OF_DOWN, 0, SENT, 0, ACCOUNT_NO_UNIT)                                                \
    X("not-shared", "it was not divided among the ranks",                                          \
      "Each rank sends its own shard, over its own link.", account_slip_drop_factor,               \
      ACCOUNT_SHARE, 0, SENT | HOST, 1, ACCOUNT_NO_UNIT)                                           \
    X("all-between", "all traffic was counted as between nodes",                                   \
      "Most of a ring's neighbours are on the same node; only bytes that ranks of other nodes "    \
      "read leave it.",                                                                            \
      account_slip_piece, ACCOUNT_PIECE_BETWEEN, ACCOUNT_PIECE_ALL, TRAFFIC, 0, ACCOUNT_NO_UNIT)   \
    X("inside-for-between", "the traffic inside the node was counted",                             \
      "What leaves the node is asked for.", account_slip_piece, ACCOUNT_PIECE_BETWEEN,             \
      ACCOUNT_PIECE_INSIDE, TRAFFIC, 0, ACCOUNT_NO_UNIT)                                           \
    X("between-for-inside", "the traffic between nodes was counted",                               \
      "What stays inside the node is asked for.", account_slip_piece, ACCOUNT_PIECE_INSIDE,        \
      ACCOUNT_PIECE_BETWEEN, TRAFFIC, 0, ACCOUNT_NO_UNIT)

#endif
