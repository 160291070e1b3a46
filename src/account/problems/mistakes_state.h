/* Mistakes with what the model states are made of. X(id, name, explain, transformation, mask, amount, kinds, rarity, unit); see mistakes.c. */
#ifndef ACCOUNT_MISTAKES_STATE_H
#define ACCOUNT_MISTAKES_STATE_H

#define STATE_MISTAKES(X)                                                                          \
    X("no-master", "the fp32 master copy was forgotten",                                           \
      "With mixed precision the optimizer updates an fp32 copy of the parameters, and that copy "  \
      "is kept: 4 bytes a parameter beside the 16-bit ones.",                                      \
      account_slip_forget, M, 0, STATE | HELD, 0, ACCOUNT_NO_UNIT)                                 \
    X("no-grads", "the gradients were forgotten",                                                  \
      "Backward writes one gradient for each parameter, and they live until the optimizer has "    \
      "used them.",                                                                                \
      account_slip_forget, G, 0, STATE | PEAK, 0, ACCOUNT_NO_UNIT)                                 \
    X("no-moments", "the optimizer's moments were forgotten",                                      \
      "The optimizer remembers values for each parameter from step to step; with Adam they are "   \
      "the largest part of the model state.",                                                      \
      account_slip_forget, V, 0, STATE | HELD, 2, ACCOUNT_NO_UNIT)                                 \
    X("no-optimizer", "the optimizer's states were forgotten",                                     \
      "Parameters and gradients are the small part: the master copy and the moments stay on the "  \
      "GPU too.",                                                                                  \
      account_slip_forget, M | V, 0, STATE | PEAK, 2, ACCOUNT_NO_UNIT)                             \
    X("weights-only", "only the parameters were counted",                                          \
      "That is what inference needs. Training keeps gradients and optimizer states beside the "    \
      "parameters.",                                                                               \
      account_slip_forget, G | M | V, 0, STATE, 0, ACCOUNT_NO_UNIT)                                \
    X("weights-16bit", "only the parameters were counted, in 16 bits",                             \
      "That is what inference needs. Training in fp32 keeps 4 bytes for each parameter, and "      \
      "gradients and moments beside them.",                                                        \
      account_slip_weights, P, 2, STATE, 0, ACCOUNT_NO_UNIT)                                       \
    X("pure-16bit", "everything was counted in 16 bits",                                           \
      "Mixed precision computes in 16 bits, but the optimizer keeps an fp32 master copy and fp32 " \
      "moments.",                                                                                  \
      account_slip_all_16_bit, P | G | M | V, 2, STATE, 1, ACCOUNT_NO_UNIT)                        \
    X("fp32-as-16bit", "everything was counted in 16 bits",                                        \
      "Plain fp32 keeps 4 bytes of each: of a parameter, of its gradient and of each moment.",     \
      account_slip_fp32_as_16_bit, P | G | V, 2, STATE, 1, ACCOUNT_NO_UNIT)                        \
    X("fp32-grads", "the gradients were counted at 4 bytes",                                       \
      "Backward runs in 16 bits here, and its gradients are kept in 16 bits. Some "                \
      "implementations do keep them in fp32; this recipe does not.",                               \
      account_slip_set_bytes, G, 4, STATE, 0, ACCOUNT_NO_UNIT)                                     \
    X("grads-16bit", "the gradients were counted at 2 bytes",                                      \
      "Backward writes them in 16 bits, but here they are added up in fp32, and that buffer is "   \
      "kept: 4 bytes each.",                                                                       \
      account_slip_narrow_grads, G, 2, STATE, 0, ACCOUNT_NO_UNIT)                                  \
    X("fp32-params", "the parameters were counted at 4 bytes",                                     \
      "Forward and backward compute with 16-bit parameters; the fp32 copy is counted separately, " \
      "as the master copy.",                                                                       \
      account_slip_set_bytes, P, 4, STATE, 1, ACCOUNT_NO_UNIT)                                     \
    X("extra-fp32-grads", "an fp32 copy of the gradients was counted on top",                      \
      "DeepSpeed keeps one beside the 16-bit gradients where it accumulates in fp32 "              \
      "(grad_accum_dtype), and its estimator for stage 2 counts the one that step() makes: 14 "    \
      "bytes a parameter become 18. This recipe keeps none.",                                      \
      account_slip_add_bytes, G, 4, STATE, 3, ACCOUNT_NO_UNIT)                                     \
    X("two-moments", "two moments were counted where this optimizer keeps one",                    \
      "Adam's 16 bytes a parameter hold two moments. SGD with momentum, Lion and Muon keep one "   \
      "value for each parameter.",                                                                 \
      account_slip_two_moments, V, 0, STATE, 1, ACCOUNT_NO_UNIT)                                   \
    X("adam-moments", "Adam's moments were counted for another optimizer",                         \
      "Adafactor keeps sums of the rows and columns of each matrix instead, which is next to "     \
      "nothing.",                                                                                  \
      account_slip_adam_moments, V, 0, STATE, 0, ACCOUNT_NO_UNIT)                                  \
    X("extra-master", "a master copy was counted",                                                 \
      "Only mixed precision keeps one. Plain fp32 has no master copy: its weights already are "    \
      "fp32; and pure bf16 goes without.",                                                         \
      account_slip_extra_master, M, 4, STATE, 2, ACCOUNT_NO_UNIT)                                  \
    X("one-moment", "the moments were counted once",                                               \
      "Adam keeps two values for each parameter, the mean of the gradients and the mean of their " \
      "squares.",                                                                                  \
      account_slip_one_moment, V, 0, STATE, 1, ACCOUNT_NO_UNIT)                                    \
    X("half-moments", "the moments were counted at 2 bytes each",                                  \
      "Moments are kept in fp32 here: small updates would be lost in 16 bits.",                    \
      account_slip_small_moments, V, 2, STATE, 2, ACCOUNT_NO_UNIT)                                 \
    X("name-count", "Ψ was taken from the model's name",                                           \
      "A name rounds: Llama-2-7B has 6 738 415 616 parameters. With a model of the catalogue the " \
      "exact count is meant.",                                                                     \
      account_slip_name, 0, 0, BYTES | FEWEST | TRAFFIC | HOST | PEAK, 0, ACCOUNT_NO_UNIT)         \
    X("paper-recipe", "the paper's bytes were used for another recipe",                            \
      "Frameworks keep copies that the paper does not have, or lack some that it has: 16, 18 and " \
      "20 bytes a parameter differ only in copies of gradients.",                                  \
      account_slip_paper, 0, 0, STATE | SENT, 1, ACCOUNT_NO_UNIT)                                  \
    X("adam8-as-adam", "the 8-bit moments were counted in fp32",                                   \
      "8-bit Adam keeps each moment in one byte, and an fp32 scale for each block of 256.",        \
      account_slip_plain_adam, 0, 0, STATE, 0, ACCOUNT_NO_UNIT)                                    \
    X("adam8-quarter", "8-bit Adam was taken to shrink everything to a quarter",                   \
      "Only the two moments shrink, from 8 bytes to 2.03; parameters, gradients and the master "   \
      "copy stay as they are.",                                                                    \
      account_slip_quarter, 0, 0.25, BYTES | RATE, 1, ACCOUNT_NO_UNIT)                             \
    X("lora-adapters-only", "only the adapters were counted",                                      \
      "The share of parameters that LoRA trains is no share of the memory: the frozen ones stay "  \
      "on the GPU in 16 bits.",                                                                    \
      account_slip_adapters, 0, 0, BYTES, 0, ACCOUNT_NO_UNIT)                                      \
    X("lora-ignored", "all parameters were counted as trained",                                    \
      "With LoRA only the adapters have gradients and optimizer states; the rest is frozen, in "   \
      "16 bits or less.",                                                                          \
      account_slip_no_lora, 0, 0, BYTES, 0, ACCOUNT_NO_UNIT)                                       \
    X("qlora-half-byte", "QLoRA was counted at half a byte for every parameter",                   \
      "NF4 takes 4.127 bits with its scales, and the embeddings and the head stay in 16 bits.",    \
      account_slip_half_byte, 0, 0, BYTES, 0, ACCOUNT_NO_UNIT)                                     \
    X("both-grads", "16-bit gradients were counted beside the fp32 ones",                          \
      "DeepSpeed keeps both where it accumulates in fp32 (grad_accum_dtype), 2 + 4 bytes a "       \
      "parameter. This recipe accumulates in the fp32 buffer itself, and keeps no other.",         \
      account_slip_both_widths, G, 2, STATE, 0, ACCOUNT_NO_UNIT)                                   \
    X("both-params", "a 16-bit copy of the parameters was counted beside the fp32 ones",           \
      "What is kept is fp32. The 16-bit copies are made of one unit at a time, when it is "        \
      "gathered, and freed with it.",                                                              \
      account_slip_both_widths, P, 2, STATE, 0, ACCOUNT_NO_UNIT)                                   \
    X("no-params", "the parameters were forgotten",                                                \
      "The 16-bit parameters are kept beside the master copy: forward and backward compute with "  \
      "them.",                                                                                     \
      account_slip_forget, P, 0, STATE, 1, ACCOUNT_NO_UNIT)                                        \
    X("grads-sharded", "the gradients were divided too",                                           \
      "Stage 1 divides the optimizer's states only: every rank keeps all the gradients until "     \
      "they are reduced.",                                                                         \
      account_slip_divide_grads, G, 0, STATE, 3, ACCOUNT_NO_UNIT)                                  \
    X("all-states", "all model states were counted",                                               \
      "Parameters, gradients and optimizer states together are the model state, and only a part "  \
      "of it is asked for.",                                                                       \
      account_slip_all_states, P | G | M | V, 0, BYTES, 0, ACCOUNT_NO_UNIT)                        \
    X("psi-shared", "the parameters were counted as bytes, and divided",                           \
      "A count of parameters is no size: each takes several bytes.", account_slip_psi_over_n, 0,   \
      1, BYTES, 3, ACCOUNT_NO_UNIT)

#endif
