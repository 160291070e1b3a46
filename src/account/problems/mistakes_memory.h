/* Mistakes with peaks and host memory. X(id, name, explain, transformation, mask, amount, kinds, rarity, unit); see mistakes.c. */
#ifndef ACCOUNT_MISTAKES_MEMORY_H
#define ACCOUNT_MISTAKES_MEMORY_H

#define MEMORY_MISTAKES(X)                                                                         \
    X("no-activations", "the activations were forgotten",                                          \
      "They are at their highest where backward begins, beside the states, and LoRA does not "     \
      "make them go: frozen layers are passed backward through as well.",                          \
      account_slip_drop_product, ACCOUNT_OF_ACTIVE, 0, PEAK, 0, ACCOUNT_NO_UNIT)                   \
    X("no-buffers", "the buffers were forgotten",                                                  \
      "Gathered units, reduction buckets and what the framework holds are there at the peak, if "  \
      "not between steps.",                                                                        \
      account_slip_drop_product, ACCOUNT_OF_BUFFERS, 0, PEAK, 0, ACCOUNT_NO_UNIT)                  \
    X("states-only", "only the model states were counted",                                         \
      "Those are what the update works on. At its peak a step also holds activations and "         \
      "buffers.",                                                                                  \
      account_slip_keep_product, ACCOUNT_OF_STATES, 0, PEAK, 1, ACCOUNT_NO_UNIT)                   \
    X("model-gathered", "the whole model was taken to be gathered",                                \
      "Stage 3 gathers unit by unit and frees each after use: the model never exists as a whole.", \
      account_slip_whole_model, 0, 0, PEAK, 0, ACCOUNT_NO_UNIT)                                    \
    X("bucket-bytes", "the bucket's elements were taken for bytes",                                \
      "This recipe's bucket sizes count elements, and each takes its bytes.", account_slip_bucket, \
      0, 0, PEAK, 0, ACCOUNT_NO_UNIT)                                                              \
    X("model-file", "the host was given the model's file only",                                    \
      "It holds the fp32 states that the optimizer works on: parameters, gradients and both "      \
      "moments.",                                                                                  \
      account_slip_model_file, 0, 2, HOST, 1, ACCOUNT_NO_UNIT)                                     \
    X("host-of-one-gpu", "only one GPU's part was counted",                                        \
      "All GPUs of a node send their shards to the same host.", account_slip_over_node, 0, 0,      \
      HOST, 3, ACCOUNT_NO_UNIT)                                                                    \
    X("no-prefetch", "what prefetch brings was forgotten",                                         \
      "The unit at work is whole, and beside it those that are gathered ahead.",                   \
      account_slip_one_unit, 0, 0, PEAK, 0, ACCOUNT_NO_UNIT)                                       \
    X("ahead-only", "the unit at work was forgotten",                                              \
      "Prefetch counts the units ahead; the one that computes is whole too.",                      \
      account_slip_one_unit, 0, 1, PEAK, 1, ACCOUNT_NO_UNIT)                                       \
    X("one-more-ahead", "one unit more was counted",                                               \
      "Prefetch counts the units ahead of the one at work: 1 + prefetch in all.",                  \
      account_slip_more_ahead, 0, 1, PEAK, 0, ACCOUNT_NO_UNIT)                                     \
    X("block-for-largest", "the largest unit was counted as a block",                              \
      "The embeddings are a unit too, whole for the lookup and for the head.",                     \
      account_slip_alike_units, 0, 0, PEAK, 0, ACCOUNT_NO_UNIT)                                    \
    X("largest-for-block", "the blocks were counted as large as the embeddings",                   \
      "Only the embeddings are that large; what is gathered ahead of the head are blocks.",        \
      account_slip_alike_units, 0, 1, PEAK, 0, ACCOUNT_NO_UNIT)                                    \
    X("gathered-shared", "what is gathered was divided by N",                                      \
      "N divides what a rank keeps. To compute, a unit is gathered whole on every rank.",          \
      account_slip_shared_units, 0, 0, PEAK, 0, ACCOUNT_NO_UNIT)                                   \
    X("gathered-fp32", "what is gathered was counted in fp32",                                     \
      "Parameters are gathered in the 16 bits that are computed with.", account_slip_set_factor,   \
      ACCOUNT_WIDTH | ACCOUNT_OF_BUFFERS, 4, PEAK, 0, ACCOUNT_NO_UNIT)                             \
    X("gathered-elements", "elements were counted, not bytes",                                     \
      "Each parameter takes 2 bytes in 16 bits.", account_slip_drop_factor,                        \
      ACCOUNT_WIDTH | ACCOUNT_OF_BUFFERS, 0, PEAK, 1, ACCOUNT_NO_UNIT)                             \
    X("shard-gathered", "the rank's shard was counted",                                            \
      "That is what it keeps between steps. To compute, whole units are gathered.",                \
      account_slip_shard_gathered, 0, 0, PEAK, 0, ACCOUNT_NO_UNIT)                                 \
    X("host-grads-16bit", "the gradients were counted at 2 bytes on the host",                     \
      "However they come down, the host keeps fp32 of them for its optimizer: 4 bytes each.",      \
      account_slip_set_factor, ACCOUNT_WIDTH | ACCOUNT_OF_GRADIENTS, 2, HOST, 0, ACCOUNT_NO_UNIT)  \
    X("host-params", "the 16-bit parameters were counted on the host",                             \
      "Only the optimizer was offloaded: the parameters that are computed with stay on the GPUs.", \
      account_slip_host_params, 0, 2, HOST, 0, ACCOUNT_NO_UNIT)                                    \
    X("host-each-gpu", "every GPU was given all of it",                                            \
      "The GPUs of a node share its host, and their shards together are the states once.",         \
      account_slip_times_ranks, 0, 0, HOST, 1, ACCOUNT_NO_UNIT)

#endif
