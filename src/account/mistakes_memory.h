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
      "That is what lies there between two steps. At the peak activations and buffers stand "      \
      "beside it.",                                                                                \
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
      HOST, 3, ACCOUNT_NO_UNIT)

#endif
