/* The mistakes people make with model state, as a table. A row says who it is for people (account_mistakes) and which
 * transformation it is (account_slips); both arrays are in the order of this list, and the id is for ever. Most were collected
 * from questions about DeepSpeed's estimators and from published tables that disagree. */
#include "account/slips.h"

#define P (1u << ACCOUNT_PARAMS)
#define G (1u << ACCOUNT_GRADS)
#define M (1u << ACCOUNT_MASTER)
#define V (1u << ACCOUNT_MOMENTS)

#define BYTES   (1u << ACCOUNT_ASK_BYTES)
#define RATE    (1u << ACCOUNT_ASK_BYTES_PER_PARAM)
#define LARGEST (1u << ACCOUNT_ASK_LARGEST_PARAMS)
#define FEWEST  (1u << ACCOUNT_ASK_FEWEST_GPUS)
#define CONVERT (1u << ACCOUNT_ASK_CONVERT)
#define STATE   (BYTES | RATE | LARGEST | FEWEST) /* whatever a sheet answers */
#define SHARED  (BYTES | RATE | LARGEST)          /* where N is given */

/* X(id, name, explain, transformation, mask, amount, kinds, rarity, unit) */
#define MISTAKES(X)                                                                                \
    X("no-master", "the fp32 master copy was forgotten",                                           \
      "With mixed precision the optimizer updates an fp32 copy of the parameters, and that copy "  \
      "is kept: 4 bytes a "                                                                        \
      "parameter beside the 16-bit ones.",                                                         \
      account_slip_forget, M, 0, STATE, 0, ACCOUNT_NO_UNIT)                                        \
    X("no-grads", "the gradients were forgotten",                                                  \
      "Backward writes one gradient for each parameter, and they live until the optimizer has "    \
      "used them.",                                                                                \
      account_slip_forget, G, 0, STATE, 0, ACCOUNT_NO_UNIT)                                        \
    X("no-moments", "the optimizer's moments were forgotten",                                      \
      "The optimizer remembers values for each parameter from step to step; with Adam they are "   \
      "the largest part of "                                                                       \
      "the model state.",                                                                          \
      account_slip_forget, V, 0, STATE, 0, ACCOUNT_NO_UNIT)                                        \
    X("no-optimizer", "the optimizer's states were forgotten",                                     \
      "Parameters and gradients are the small part: the master copy and the moments stay on the "  \
      "GPU too.",                                                                                  \
      account_slip_forget, M | V, 0, STATE, 0, ACCOUNT_NO_UNIT)                                    \
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
      account_slip_all_16_bit, P | G | M | V, 2, STATE, 0, ACCOUNT_NO_UNIT)                        \
    X("fp32-grads", "the gradients were counted at 4 bytes",                                       \
      "Backward runs in 16 bits here, and its gradients are kept in 16 bits. Some "                \
      "implementations do keep them in "                                                           \
      "fp32; this recipe does not.",                                                               \
      account_slip_set_bytes, G, 4, STATE, 0, ACCOUNT_NO_UNIT)                                     \
    X("fp32-params", "the parameters were counted at 4 bytes",                                     \
      "Forward and backward compute with 16-bit parameters; the fp32 copy is counted separately, " \
      "as the master copy.",                                                                       \
      account_slip_set_bytes, P, 4, STATE, 1, ACCOUNT_NO_UNIT)                                     \
    X("extra-fp32-grads", "an fp32 copy of the gradients was counted on top",                      \
      "DeepSpeed's estimator counts one for the optimizer's step, so in stage 2 14 bytes "         \
      "a parameter become 18. This recipe keeps none.",                                            \
      account_slip_add_bytes, G, 4, STATE, 0, ACCOUNT_NO_UNIT)                                     \
    X("extra-master", "a master copy was counted",                                                 \
      "Only mixed precision keeps one. Plain fp32 has no master copy: its weights already are "    \
      "fp32; and pure bf16 goes without.",                                                         \
      account_slip_extra_master, M, 4, STATE, 0, ACCOUNT_NO_UNIT)                                  \
    X("one-moment", "the moments were counted once",                                               \
      "Adam keeps two values for each parameter, the mean of the gradients and the mean of their " \
      "squares.",                                                                                  \
      account_slip_one_moment, V, 0, STATE, 1, ACCOUNT_NO_UNIT)                                    \
    X("half-moments", "the moments were counted at 2 bytes each",                                  \
      "Moments are kept in fp32 here: small updates would be lost in 16 bits.",                    \
      account_slip_small_moments, V, 2, STATE, 2, ACCOUNT_NO_UNIT)                                 \
    X("nodes", "N was taken as the number of nodes",                                               \
      "The shards are spread over all the ranks that train together, and each GPU is a rank.",     \
      account_slip_nodes, 0, 0, SHARED, 0, ACCOUNT_NO_UNIT)                                        \
    X("per-node", "N was taken as the GPUs of one node",                                           \
      "The shards are spread over all the ranks of all nodes, not only over those of one "         \
      "machine.",                                                                                  \
      account_slip_node, 0, 0, SHARED, 0, ACCOUNT_NO_UNIT)                                         \
    X("grads-whole", "the gradients were not divided",                                             \
      "From stage 2 on each rank keeps only the gradients of its own shard; the rest is reduced "  \
      "away.",                                                                                     \
      account_slip_keep_whole, G, 0, STATE, 0, ACCOUNT_NO_UNIT)                                    \
    X("params-sharded", "the parameters were divided too",                                         \
      "Up to stage 2 every rank keeps all the parameters it computes with; only stage 3 divides "  \
      "them.",                                                                                     \
      account_slip_divide, P, 0, STATE, 0, ACCOUNT_NO_UNIT)                                        \
    X("all-sharded", "everything was divided by N",                                                \
      "Only stage 3 divides everything; below it some copies stay whole on each GPU.",             \
      account_slip_divide_all, P | G | M | V, 0, STATE, 1, ACCOUNT_NO_UNIT)                        \
    X("none-sharded", "nothing was divided",                                                       \
      "From stage 1 on the ranks share at least the optimizer's states.",                          \
      account_slip_divide_none, P | G | M | V, 0, SHARED, 1, ACCOUNT_NO_UNIT)                      \
    X("stage-low", "the stage was taken one too low",                                              \
      "The stages add up: 1 divides the optimizer's states, 2 the gradients as well, 3 the "       \
      "parameters as well.",                                                                       \
      account_slip_stage, 0, -1, STATE, 2, ACCOUNT_NO_UNIT)                                        \
    X("stage-high", "the stage was taken one too high",                                            \
      "The stages add up: 1 divides the optimizer's states, 2 the gradients as well, 3 the "       \
      "parameters as well.",                                                                       \
      account_slip_stage, 0, 1, STATE, 2, ACCOUNT_NO_UNIT)                                         \
    X("cluster", "the GPUs were added up",                                                         \
      "One GPU is asked for, and every GPU has to hold its own part by itself.", account_slip_sum, \
      0, 1, BYTES, 0, ACCOUNT_NO_UNIT)                                                             \
    X("per-gpu", "only one GPU was counted", "The sum over all the GPUs is asked for.",            \
      account_slip_sum, 0, 0, BYTES, 0, ACCOUNT_NO_UNIT)                                           \
    X("psi-as-bytes", "the parameters were counted as bytes",                                      \
      "A count of parameters is no size: each takes several bytes.", account_slip_no_bytes, 0, 1,  \
      BYTES | LARGEST, 0, ACCOUNT_NO_UNIT)                                                         \
    X("label-bytes", "the label's bytes were used",                                                \
      "The label rounds: what the driver reports is what there is.", account_slip_label, 0, 0,     \
      LARGEST | FEWEST, 0, ACCOUNT_NO_UNIT)                                                        \
    X("usable-bytes", "the driver's bytes were used",                                              \
      "The bytes on the label are asked for here.", account_slip_usable, 0, 0, LARGEST | FEWEST,   \
      0, ACCOUNT_NO_UNIT)                                                                          \
    X("budget-unit", "GB and GiB were confused in the memory there is",                            \
      "1 GB is 1e9 bytes and 1 GiB is 2^30: they differ by 7 %.", account_slip_budget_unit, 0, 0,  \
      LARGEST | FEWEST, 1, ACCOUNT_NO_UNIT)                                                        \
    X("gib-for-gb", "the number is right in binary units",                                         \
      "1 GiB is 2^30 bytes, and 1 GB is 1e9: they differ by 7 %.", account_slip_binary, 0, 0,      \
      BYTES | CONVERT, 0, ACCOUNT_UNIT_TAKEN)                                                      \
    X("gb-for-gib", "the number is right in decimal units",                                        \
      "1 GB is 1e9 bytes, and 1 GiB is 2^30: they differ by 7 %.", account_slip_decimal, 0, 0,     \
      BYTES | CONVERT, 0, ACCOUNT_UNIT_TAKEN)                                                      \
    X("twin-unit", "the other unit was written behind the right number",                           \
      "1 GB is 1e9 bytes, and 1 GiB is 2^30: they differ by 7 %.", account_slip_twin, 0, 0, BYTES, \
      1, ACCOUNT_UNIT_WRITTEN)                                                                     \
    X("backwards", "the conversion went the wrong way",                                            \
      "A GiB is larger than a GB, so the same bytes make fewer of them.", account_slip_backwards,  \
      0, 0, BYTES | CONVERT, 0, ACCOUNT_UNIT_TAKEN)                                                \
    X("bits", "the number is right in bits", "A byte is 8 bits; memory is counted in bytes.",      \
      account_slip_factor, 0, 8, BYTES | CONVERT, 0, ACCOUNT_UNIT_TAKEN)                           \
    X("eighth", "it was divided by 8 as if it were bits", "The sizes here are bytes already.",     \
      account_slip_factor, 0, 0.125, BYTES | CONVERT, 1, ACCOUNT_UNIT_TAKEN)                       \
    X("thousand-times", "it is a thousand times too large",                                        \
      "A prefix was slipped: K, M, G and T are each a thousand apart.", account_slip_factor, 0,    \
      1000, BYTES | CONVERT | LARGEST, 0, ACCOUNT_UNIT_TAKEN)                                      \
    X("thousandth", "it is a thousand times too small",                                            \
      "A prefix was slipped: K, M, G and T are each a thousand apart.", account_slip_factor, 0,    \
      0.001, BYTES | CONVERT | LARGEST, 0, ACCOUNT_UNIT_TAKEN)                                     \
    X("1024-times", "it is 1024 times too large",                                                  \
      "A prefix was slipped: KiB, MiB, GiB and TiB are each 1024 apart.", account_slip_prefix, 0,  \
      1024, BYTES | CONVERT, 0, ACCOUNT_UNIT_TAKEN)                                                \
    X("1024th", "it is 1024 times too small",                                                      \
      "A prefix was slipped: KiB, MiB, GiB and TiB are each 1024 apart.", account_slip_prefix, 0,  \
      1 / 1024.0, BYTES | CONVERT, 0, ACCOUNT_UNIT_TAKEN)                                          \
    X("ten-times", "a decimal place slipped",                                                      \
      "The digits are right and the point is not: it is ten times too large.",                     \
      account_slip_factor, 0, 10, BYTES | RATE | CONVERT | LARGEST, 3, ACCOUNT_NO_UNIT)            \
    X("tenth", "a decimal place slipped",                                                          \
      "The digits are right and the point is not: it is ten times too small.",                     \
      account_slip_factor, 0, 0.1, BYTES | RATE | CONVERT | LARGEST, 3, ACCOUNT_NO_UNIT)

#define NAMES(id, name, explain, apply, mask, amount, kinds, rarity, unit) {id, name, explain},
#define SLIPS(id, name, explain, apply, mask, amount, kinds, rarity, unit)                         \
    {apply, mask, amount, kinds, rarity, unit},

static const struct account_mistake names[] = {MISTAKES(NAMES)};
const struct account_slip account_slips[] = {MISTAKES(SLIPS)};

const struct account_mistake *account_mistakes(size_t *count) {
    *count = sizeof names / sizeof *names;
    return names;
}
