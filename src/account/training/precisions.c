#include "account/training/tables.h"

/* Bytes of an element: parameters, gradients, master copy, moments; what the GPU computes with; fp32; Megatron's main gradients.
 * Plain fp32 keeps no master copy, because its parameters are one. Mixed precision computes with 16-bit parameters and gradients
 * beside an fp32 master copy and fp32 moments (Micikevicius et al., arXiv:1710.03740; K = 12 in ZeRO, arXiv:1910.02054, section
 * 3.1). Pure bf16 keeps everything in 16 bits, the moments too. */
const struct account_precision account_precisions[] = {
    {"fp32",       "everything in 32 bits",                         "fp32",                   "fp32", ACCOUNT_IN_FP32,       {4, 4, 0, 4, 4, 4, 4}},
    {"mixed-bf16",
     "bf16 parameters and gradients, fp32 master copy and moments", "mixed precision (bf16)",
     "bf16",                                                                                          ACCOUNT_IN_MIXED_BF16,
     {2, 2, 4, 4, 2, 4, 4}                                                                                                                        },
    {"mixed-fp16",
     "fp16 parameters and gradients, fp32 master copy and moments", "mixed precision (fp16)",
     "fp16",                                                                                          ACCOUNT_IN_MIXED_FP16,
     {2, 2, 4, 4, 2, 4, 2}                                                                                                                        },
    {"bf16",
     "everything in bf16, no master copy",                          "pure bf16",
     "bf16",                                                                                          ACCOUNT_IN_PURE,
     {2, 2, 0, 2, 2, 4, 2}                                                                                                                        },
};
const size_t account_precision_count = sizeof account_precisions / sizeof *account_precisions;

const struct account_precision *account_precision_of(const struct account_training *t) {
    return &account_precisions[t->precision < account_precision_count ? t->precision : 0];
}

/* PyTorch's DDP and FSDP keep fp32 parameters under mixed precision, and those are the master copy. */
uint32_t account_dtype_bytes(const struct account_training *t, enum account_dtype dtype) {
    const struct account_precision *p = account_precision_of(t);
    bool in_fp32 = account_recipe_of(t)->fp32_params && (p->in & ACCOUNT_IN_MIXED);
    if (in_fp32 && dtype != ACCOUNT_AS_HALF) p = &account_precisions[0];
    return p->bytes[dtype];
}

/* What gradients are added up in says nothing of what they travel in where a recipe casts them for that: FSDP's MixedPrecision has a
 * reduce_dtype, param_dtype unless it is set (torch/distributed/fsdp/api.py); DeepSpeed's communication_data_type is the model's type
 * unless it is set (runtime/engine.py), whatever grad_accum_dtype is. */
uint32_t account_reduce_bytes(const struct account_training *t) {
    enum account_dtype usual = account_recipe_of(t)->reduce_dtype;
    if (t->reduce_dtype == ACCOUNT_16_BIT) return 2;
    if (t->reduce_dtype == ACCOUNT_32_BIT) return 4;
    if (t->grad_dtype == ACCOUNT_32_BIT && usual != ACCOUNT_AS_HALF) return 4;
    return account_dtype_bytes(t, usual);
}

/* deepspeedai/DeepSpeed: stages 1 and 2 keep sums on the host in the parameters' own type (runtime/zero/stage_1_and_2.py,
 * buffer_to_accumulate_to_in_cpu), stage 3 in that of accumulation (stage3.py, grad_partitions_flat_buffer). */
uint32_t account_sum_bytes(const struct account_training *t) {
    bool wide = t->stage == 3 && t->grad_dtype == ACCOUNT_32_BIT;
    return account_dtype_bytes(t, wide ? ACCOUNT_AS_FLOAT : ACCOUNT_AS_HALF);
}
