/* Mistakes with what is divided, and by how many. X(id, name, explain, transformation, mask, amount, kinds, rarity, unit); see mistakes.c. */
#ifndef ACCOUNT_MISTAKES_SHARING_H
#define ACCOUNT_MISTAKES_SHARING_H

#define SHARING_MISTAKES(X)                                                                        \
    X("nodes", "N was taken as the number of nodes",                                               \
      "The shards are spread over all the ranks that train together, and each GPU is a rank.",     \
      account_slip_nodes, 0, 0, SHARED | SENT | SHARD, 0, ACCOUNT_NO_UNIT)                         \
    X("per-node", "N was taken as the GPUs of one node",                                           \
      "The shards are spread over all the ranks of all nodes, not only over those of one "         \
      "machine.",                                                                                  \
      account_slip_node, 0, 0, SHARED | SENT | SHARD, 0, ACCOUNT_NO_UNIT)                          \
    X("grads-whole", "the gradients were not divided",                                             \
      "From stage 2 on each rank keeps only the gradients of its own shard; the rest is reduced "  \
      "away.",                                                                                     \
      account_slip_keep_whole, G, 0, STATE, 0, ACCOUNT_NO_UNIT)                                    \
    X("params-sharded", "the parameters were divided too",                                         \
      "Up to stage 2 every rank keeps all the parameters it computes with; only stage 3 divides "  \
      "them.",                                                                                     \
      account_slip_divide, P, 0, STATE, 0, ACCOUNT_NO_UNIT)                                        \
    X("all-sharded", "everything was divided by N",                                                \
      "Each GPU keeps a copy of whatever is not sharded, and only ZeRO's stage 3 shards it all.",  \
      account_slip_divide_all, P | G | M | V, 0, STATE, 1, ACCOUNT_NO_UNIT)                        \
    X("none-sharded", "nothing was divided",                                                       \
      "From stage 1 on the ranks share at least the optimizer's states.",                          \
      account_slip_divide_none, P | G | M | V, 0, SHARED, 1, ACCOUNT_NO_UNIT)                      \
    X("stage-low", "the stage was taken one too low",                                              \
      "The stages add up: 1 divides the optimizer's states, 2 the gradients as well, 3 the "       \
      "parameters as well.",                                                                       \
      account_slip_stage, 0, -1, STATE | SENT | PEAK, 2, ACCOUNT_NO_UNIT)                          \
    X("stage-high", "the stage was taken one too high",                                            \
      "The stages add up: 1 divides the optimizer's states, 2 the gradients as well, 3 the "       \
      "parameters as well.",                                                                       \
      account_slip_stage, 0, 1, STATE | SENT | PEAK, 2, ACCOUNT_NO_UNIT)                           \
    X("cluster", "the GPUs were added up",                                                         \
      "One GPU is asked for, and every GPU has to hold its own part by itself.", account_slip_sum, \
      0, 1, BYTES, 0, ACCOUNT_NO_UNIT)                                                             \
    X("per-gpu", "only one GPU was counted", "The sum over all the GPUs is asked for.",            \
      account_slip_sum, 0, 0, BYTES, 0, ACCOUNT_NO_UNIT)                                           \
    X("world-as-dp", "N was taken as all GPUs",                                                    \
      "Ranks that hold other parts of the model share nothing of this one: N is what tensor and "  \
      "pipeline parallelism leave of the world.",                                                  \
      account_slip_world, 0, 0, SHARED | SENT | SHARD, 0, ACCOUNT_NO_UNIT)                         \
    X("not-split", "tensor and pipeline parallelism were left out",                                \
      "They divide the model itself: a rank starts from its own part of Ψ, and ZeRO shards that.", \
      account_slip_unsplit, 0, 0, BYTES | RATE, 0, ACCOUNT_NO_UNIT)                                \
    X("hsdp-world", "the states were divided by all ranks",                                        \
      "With a shard group (HSDP, MiCS) they are divided within the group only, and each group "    \
      "holds all of them.",                                                                        \
      account_slip_hsdp, 0, 0, SHARED | SENT | SHARD, 0, ACCOUNT_NO_UNIT)                          \
    X("hpz-free", "ZeRO++'s second shard was forgotten",                                           \
      "hpZ keeps another 16-bit shard of the parameters, divided over the ranks of one node.",     \
      account_slip_hpz, 0, 0, BYTES | RATE | PEAK, 0, ACCOUNT_NO_UNIT)                             \
    X("offload-ignored", "what was offloaded was counted on the GPU",                              \
      "Offloaded states lie in the host's memory or on its disks, and the GPU has only what "      \
      "passes through.",                                                                           \
      account_slip_no_offload, 0, 0, BYTES | PEAK, 0, ACCOUNT_NO_UNIT)                             \
    X("hsdp-flat", "full sharding over all ranks was counted",                                     \
      "Hybrid sharding gathers and reduce-scatters inside its groups. Across them go only the "    \
      "gradients of each rank's shard, once.",                                                     \
      account_slip_flat, 0, 0, SENT, 1, ACCOUNT_NO_UNIT)                                           \
    X("hpz-whole", "ZeRO++'s second copy was counted whole",                                       \
      "hpZ divides it by the ranks of its group, as a rule those of one node.",                    \
      account_slip_second_whole, 0, 0, BYTES, 0, ACCOUNT_NO_UNIT)                                  \
    X("hpz-world", "ZeRO++'s second copy was divided by all ranks",                                \
      "That is the first shard. The second is divided within a node only, so that gathers for "    \
      "backward need not leave it.",                                                               \
      account_slip_second_world, 0, 0, BYTES, 0, ACCOUNT_NO_UNIT)                                  \
    X("hpz-fp32", "ZeRO++'s second copy was counted in fp32",                                      \
      "It is a copy of the weights that are computed with: 16 bits, like those.",                  \
      account_slip_second_bytes, 0, 4, BYTES, 0, ACCOUNT_NO_UNIT)                                  \
    X("hpz-instead", "ZeRO++'s second shard was taken in place of the first",                      \
      "The first shard, over all ranks, is what the optimizer updates and forward gathers; hpZ "   \
      "keeps another beside it.",                                                                  \
      account_slip_second_only, 0, 0, BYTES, 0, ACCOUNT_NO_UNIT)                                   \
    X("hpz-as-hsdp", "all states were divided within the node",                                    \
      "That is hybrid sharding. hpZ keeps only a second copy of the weights there; gradients and " \
      "optimizer states stay divided by all.",                                                     \
      account_slip_second_all, 0, 0, BYTES, 1, ACCOUNT_NO_UNIT)                                    \
    X("grads-stay", "the gradients were counted on the GPU",                                       \
      "With the optimizer on the host they go down as backward makes them, bucket by bucket, and " \
      "none are kept.",                                                                            \
      account_slip_grads_stay, 0, 0, BYTES, 0, ACCOUNT_NO_UNIT)                                    \
    X("grad-shard-stays", "a shard of the gradients was counted on the GPU",                       \
      "With the optimizer on the host the shard is there, too: it goes down as soon as it is "     \
      "reduced.",                                                                                  \
      account_slip_grads_stay, 0, 1, BYTES, 1, ACCOUNT_NO_UNIT)                                    \
    X("all-on-gpu", "nothing was divided, and nothing offloaded",                                  \
      "The optimizer's states and gradients left for the host, and the stage divides what stays.", \
      account_slip_all_here, 0, 0, BYTES, 1, ACCOUNT_NO_UNIT)                                      \
    X("no-pipeline", "the pipeline's stages were left out",                                        \
      "Each stage has its own layers: the model is divided by t and by p, and what is left of "    \
      "the GPUs shares the optimizer.",                                                            \
      account_slip_no_axis, 0, 0, BYTES, 1, ACCOUNT_NO_UNIT)                                       \
    X("no-tensor", "the tensor group was left out",                                                \
      "Its ranks have parts of every matrix: the model is divided by t and by p, and what is "     \
      "left of the GPUs shares the optimizer.",                                                    \
      account_slip_no_axis, 0, 1, BYTES, 1, ACCOUNT_NO_UNIT)

#endif
