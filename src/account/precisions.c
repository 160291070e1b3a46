#include "account/tables.h"

/* Bytes of an element. Rows: plain fp32 keeps no master copy, because its parameters are one. Mixed precision computes with
 * 16-bit parameters and gradients beside an fp32 master copy and fp32 moments (Micikevicius et al., arXiv:1710.03740;
 * K = 12 in ZeRO, arXiv:1910.02054, section 3.1). Pure bf16 keeps everything in 16 bits, the moments too. */
const struct account_precision account_precisions[] = {
    {"fp32",       "everything in 32 bits",                         "fp32", {4, 4, 0, 4}},
    {"mixed-bf16",
     "bf16 parameters and gradients, fp32 master copy and moments", "bf16",
     {2, 2, 4, 4}                                                                       },
    {"mixed-fp16",
     "fp16 parameters and gradients, fp32 master copy and moments", "fp16",
     {2, 2, 4, 4}                                                                       },
    {"bf16",       "everything in bf16, no master copy",            "bf16", {2, 2, 0, 2}},
};
const size_t account_precision_count = sizeof account_precisions / sizeof *account_precisions;

const struct account_precision *account_precision_of(const struct account_training *t) {
    return &account_precisions[t->precision < account_precision_count ? t->precision : 0];
}
