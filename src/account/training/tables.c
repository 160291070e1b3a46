/* The rows that can be chosen: precisions, optimizers, recipes. */
#include "account/training/tables.h"

/* Bytes of an element: parameters, gradients, master copy, moments; what the GPU computes with;
 * fp32; Megatron's main gradients. Plain fp32 keeps no master copy, because its parameters are one.
 * Mixed precision computes with 16-bit parameters and gradients beside an fp32 master copy and fp32
 * moments (Micikevicius et al., arXiv:1710.03740; K = 12 in ZeRO, arXiv:1910.02054, section 3.1).
 * Pure bf16 keeps everything in 16 bits, the moments too. */
const struct account_precision account_precisions[] = {
    {"mixed-bf16",
     "bf16 parameters and gradients, fp32 master copy and moments",
     "mixed precision (bf16)",
     "bf16",
     ACCOUNT_IN_MIXED_BF16,
     {2, 2, 4, 4, 2, 4, 4}},
    {"mixed-fp16",
     "fp16 parameters and gradients, fp32 master copy and moments",
     "mixed precision (fp16)",
     "fp16",
     ACCOUNT_IN_MIXED_FP16,
     {2, 2, 4, 4, 2, 4, 2}},
    {"bf16",
     "everything in bf16, no master copy",
     "pure bf16",
     "bf16",
     ACCOUNT_IN_PURE,
     {2, 2, 0, 2, 2, 4, 2}},
    [ACCOUNT_FP32_ROW] =
        {"fp32", "everything in 32 bits", "fp32", "fp32", ACCOUNT_IN_FP32, {4, 4, 0, 4, 4, 4, 4}},
};
const size_t account_precision_count = sizeof account_precisions / sizeof *account_precisions;

/* What an optimizer remembers for each parameter.
 * adamw: two moments (Kingma and Ba, arXiv:1412.6980; Loshchilov and Hutter, arXiv:1711.05101).
 * adam8bit: the two as one byte each, and one fp32 scale a moment for each block of 256
 *     (Dettmers et al., arXiv:2110.02861; bitsandbytes, optim/optimizer.py), so 2 + 2·4/256 =
 *     2.03125 bytes. bitsandbytes leaves tensors under 4096 elements in fp32; that is under a
 *     thousandth of a model and is not counted.
 * adafactor: with beta1 = None, a row and a column of fp32 sums for each matrix (Shazeer and
 *     Stern, arXiv:1804.04235, section 3).
 * sgd-momentum, lion (Chen et al., arXiv:2302.06675), muon (Jordan et al., 2024): one moment.
 *     Muon's embeddings, head and norms are usually left to AdamW; the row counts its one
 *     momentum everywhere.
 *
 * The columns are: name, what, title, moments, bytes of a moment (0: as the precision says; 4:
 * always fp32), block, factored. */
const struct account_optimizer account_optimizers[] = {
    {"adamw", "two moments a parameter", "AdamW", 2, 0, 0, false},
    {"adam8bit", "two 8-bit moments per parameter, an fp32 scale for every 256", "8-bit Adam", 2, 1,
     256, false},
    {"adafactor", "row and column sums of each matrix, no first moment", "Adafactor", 0, 4, 0,
     true},
    {"sgd-momentum", "one momentum per parameter", "SGD with momentum", 1, 0, 0, false},
    {"lion", "one momentum per parameter", "Lion", 1, 0, 0, false},
    {"muon", "one momentum per parameter", "Muon", 1, 0, 0, false},
};
const size_t account_optimizer_count = sizeof account_optimizers / sizeof *account_optimizers;

/* ── recipes ────────────────────────────────────────────────────────────────────────────────────*/

/* Whose accounting: one row a recipe. The formulas read the rows; none asks for a name. Sources
 * by row:
 *
 * paper     ZeRO, arXiv:1910.02054, sections 5 and 7. P_os divides the optimizer's states,
 *           P_os+g the gradients too, P_os+g+p everything. Reduce-scatter and all-gather of Ψ
 *           each; stage 3 gathers twice. No buffers.
 * ddp       pytorch/pytorch, torch/nn/parallel/distributed.py: buckets of 25 MiB hold a second
 *           copy of all gradients unless gradient_as_bucket_view. Mixed precision is
 *           torch.autocast: fp32 parameters, a cache of 16-bit casts.
 * deepspeed deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py (flat groups padded to 2N;
 *           buckets are all-reduced by default, so stages 1 and 2 move 3Ψ; at the step a
 *           flattened and an fp32 copy of the gradient shard), runtime/bf16_optimizer.py (with
 *           fp32 accumulation, stages 0 and 1 keep whole fp32 gradients), runtime/zero/stage3.py
 *           and partition_parameters.py (each tensor padded to N; one bucket held all the time,
 *           sub-groups of 1e9 elements at the step; at most 1e9 elements live, 5e7 prefetched;
 *           tensors of at most 1e5 elements stay gathered),
 *           runtime/comm/coalesced_collectives.py, reduce_scatter_coalesced (the bucket's
 *           gradients are laid end to end once more), runtime/engine.py (communication_data_type
 *           is the model's type, whatever gradients are added up in; stage 3's bucket is in
 *           that, those of 1 and 2 in the model's and cast when they are sent),
 *           runtime/pipe/engine.py (no stage 2 or 3 with pipelines). Buckets count elements.
 *           Offloaded gradients are added up on the GPU, from sums on the host, and widened
 *           there before they leave for good: stage_1_and_2.py, copy_grads_in_partition and what
 *           it calls; stage3.py, partition_grads.
 * fsdp1     torch/distributed/fsdp/_flat_param.py: each wrapped unit is one flat parameter;
 *           PyTorch FSDP, arXiv:2304.11277, section 3. Fp32 shards are the master copy; the root
 *           stays gathered; a unit's gradients are cast to reduce_dtype before they are reduced,
 *           beside those that backward made (_runtime_utils.py, _post_backward_hook);
 *           SHARD_GRAD_OP (stage 2) keeps shards between steps only. HYBRID_SHARD all-reduces
 *           the shards in every backward (_runtime_utils.py, _reduce_grad). Offloaded, fp32
 *           crosses both ways: gradients are cast before they leave (_offload_grad), shards
 *           after they came (_flat_param.py, _use_low_precision_shard).
 * fsdp2     torch/distributed/fsdp/_fully_shard: each tensor by rows of dimension 0, and a copy
 *           out of the gathered buffer, which is held in forward until the next one is copied,
 *           in backward no longer (_fsdp_param_group.py, wait_for_unshard). What is reduced is a
 *           copy in reduce_dtype, held until its reduction is over (_fsdp_collectives.py,
 *           foreach_reduce). On a 2-D mesh replicas all-reduce in every backward, unless
 *           set_requires_all_reduce(False) has them wait (_fsdp_param_group.py). Offloaded as
 *           FSDP1: _fsdp_collectives.py, foreach_reduce; _fsdp_param.py, all_gather_inputs.
 * megatron  NVIDIA/Megatron-LM, docs/source/api-guide/dist_optimizer.md and
 *           core/distributed/param_and_grad_buffer.py: fp32 main gradients under bf16, both
 *           copies under fp16; the distributed optimizer (stage 1) divides the rest. Offloaded,
 *           fp32 crosses both ways: core/optimizer/cpu_offloading/hybrid_optimizer.py.
 * llm.c     karpathy/llm.c, train_gpt2.cu (gpt2_allocate_state) and llmc/zero.cuh: stage 1 only,
 *           nothing sharded if N does not divide.
 * zerolab   this project's lab: units are one flat padded buffer each, buckets of 25 MB, exact
 *           by construction. Offloaded, gradients stay on the device until the update, which walks
 *           through pieces of three slots (src/lab/piece.c). Gradients in fp32 travel so, and a
 * unit is computed in 16 bits before it is added to them (src/lab/reduce.c). */

#define ALL          ACCOUNT_STAGES
#define S(n)         ACCOUNT_STAGE(n)
#define ANY          (ACCOUNT_IN_ANY | ACCOUNT_EITHER)
#define NARROW       (ACCOUNT_IN_ANY | ACCOUNT_NARROW)
#define WIDE         (ACCOUNT_IN_ANY | ACCOUNT_WIDE)
#define MIXED        (ACCOUNT_IN_MIXED | ACCOUNT_EITHER)
#define MIXED_NARROW (ACCOUNT_IN_MIXED | ACCOUNT_NARROW)
#define NEVER        4
#define UNITS        ACCOUNT_GATHER_UNITS
#define EVERYTHING   ACCOUNT_GATHER_ALL
#define FLAT         ACCOUNT_PAD_FLAT
#define AR           ACCOUNT_ALL_REDUCE
#define RS           ACCOUNT_REDUCE_SCATTER
#define HALF         ACCOUNT_AS_HALF
#define STAY         ACCOUNT_SUMS_STAY

#define MiB (1u << 20)

/* clang-format off */
/* What both FSDPs share: fp32 shards of parameters, gradients and moments, gathered and reduced
 * unit by unit in 16 bits, or reduced in what reduce_dtype says. */
#define SHARDED_BY_UNITS                                                                           \
    .offload = true,                                                                               \
    .crossing = {.grads = ACCOUNT_AS_GRAD, .updated = ACCOUNT_AS_PARAM,                            \
                 .gathered = ACCOUNT_AS_PARAM},                                                    \
    .align = 1, .fp32_params = true, .gather = {0, 0, EVERYTHING, UNITS},                          \
    .root_kept = true, .unit_grads = true, .reduces_units = true,                                  \
    .activations = ACCOUNT_KEEP_AS_PYTORCH,                                                        \
    .reduce_op = {AR, RS, RS, RS}, .reduce_every = S(2) | S(3), .replicas_every = S(2) | S(3),     \
    .gathers_micro = {0, 0, 1, 2},                                                                 \
    .reduce_dtype = ACCOUNT_AS_HALF, .copies = 3,                                                  \
    .copy = {{ACCOUNT_PARAMS, ACCOUNT_AS_PARAM, 2, ALL, ANY, ACCOUNT_ALWAYS, 0},                   \
             {ACCOUNT_GRADS, ACCOUNT_AS_GRAD, 2, ALL, ANY, ACCOUNT_IN_BACKWARD, 0},                \
             {ACCOUNT_MOMENTS, ACCOUNT_AS_MOMENT, 2, ALL, ANY, ACCOUNT_ALWAYS, 0}}

const struct account_recipe account_recipes[] = {
    {.name = "paper",
     .title = "paper",
     .what = "the ZeRO paper's arithmetic, without buffers",
     .source = "ZeRO, arXiv:1910.02054, sections 5 and 7",
     .stages = ALL,
     .offload = true,
     .crossing = {.grads = HALF, .updated = HALF, .gathered = HALF},
     .align = 1,
     .activations = ACCOUNT_KEEP_AS_PAPER,
     .reduce_op = {AR, RS, RS, RS},
     .reduce_every = S(2) | S(3),
     .gathers_micro = {0, 0, 0, 2},
     .gathers_step = {0, 1, 1, 0},
     .reduce_dtype = ACCOUNT_AS_GRAD,
     .copies = 5,
     .copy = {{ACCOUNT_PARAMS, ACCOUNT_AS_PARAM, 3, ALL, ANY, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_GRADS, ACCOUNT_AS_GRAD, 2, ALL, NARROW, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_GRADS, ACCOUNT_AS_FLOAT, 2, ALL, WIDE, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_MASTER, ACCOUNT_AS_MASTER, 1, ALL, ANY, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_MOMENTS, ACCOUNT_AS_MOMENT, 1, ALL, ANY, ACCOUNT_ALWAYS, 0}}},
    {.name = "ddp",
     .title = "DDP",
     .what = "PyTorch DistributedDataParallel, torch.autocast for mixed precision",
     .source = "pytorch/pytorch, torch/nn/parallel/distributed.py",
     .stages = S(0),
     .align = 1,
     .fp32_params = true,
     .bucket = 25 * (uint64_t)MiB,
     .activations = ACCOUNT_KEEP_AS_PYTORCH,
     .reduce_op = {AR, AR, AR, AR},
     .reduce_dtype = ACCOUNT_AS_GRAD,
     .copies = 5,
     .copy = {{ACCOUNT_PARAMS, ACCOUNT_AS_PARAM, NEVER, ALL, ANY, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_GRADS, ACCOUNT_AS_GRAD, NEVER, ALL, ANY, ACCOUNT_IN_BACKWARD, 0},
              {ACCOUNT_MOMENTS, ACCOUNT_AS_MOMENT, NEVER, ALL, ANY, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_REDUCE, ACCOUNT_AS_GRAD, NEVER, ALL, ANY, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_WORKSPACE, ACCOUNT_AS_HALF, NEVER, ALL, MIXED, ACCOUNT_IN_STEP, 0}}},
    {.name = "deepspeed",
     .title = "DeepSpeed",
     .what = "DeepSpeed's ZeRO as it ships, with its default configuration",
     .source = "deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py, stage3.py, "
               "runtime/bf16_optimizer.py",
     .stages = ALL,
     .pad = {FLAT, FLAT, FLAT, ACCOUNT_PAD_TENSOR},
     .offload = true,
     .crossing = {.grads = ACCOUNT_AS_MOMENT, .updated = HALF, .gathered = HALF,
                  .sums = {0, ACCOUNT_SUMS_LATER, ACCOUNT_SUMS_LATER, ACCOUNT_SUMS_ALWAYS}},
     .align = 2,
     .no_pipeline = S(2) | S(3),
     .init_copy = S(1) | S(2),
     .host_staging = S(1) | S(2), /* param_buffer_of_bit16_for_cpu_offload_groups */
     .bucket = 500000000,
     .bucket_elements = true,
     .fixed_bucket = true,
     .buckets = {0, 2, 2, 2},
     .wide_buckets = {0, 0, 2, 2}, /* BF16_Optimizer reduces from its own gradients */
     .held_buckets = {0, 0, 0, 1},
     .cast_buckets = S(1) | S(2),
     .gather = {0, 0, 0, UNITS},
     .unit_grads = true,
     .persistent = 100000,
     .prefetch = 50000000,
     .most_live = 1000000000,
     .activations = ACCOUNT_KEEP_AS_PYTORCH,
     .reduce_op = {AR, AR, AR, RS},
     .reduce_every = S(2) | S(3),
     .gathers_micro = {0, 0, 0, 2},
     .gathers_step = {0, 1, 1, 0},
     .reduce_dtype = HALF,
     .copies = 11,
     .copy = {{ACCOUNT_PARAMS, ACCOUNT_AS_PARAM, 3, ALL, ANY, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_GRADS, ACCOUNT_AS_GRAD, 2, S(0) | S(1) | S(2), NARROW,
               ACCOUNT_IN_BACKWARD, 0},
              /* grad_partitions_flat_buffer */
              {ACCOUNT_GRADS, ACCOUNT_AS_GRAD, 3, S(3), NARROW, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_GRADS, ACCOUNT_AS_FLOAT, 2, ALL, WIDE, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_MASTER, ACCOUNT_AS_MASTER, 1, ALL, ANY, ACCOUNT_ALWAYS, 0},
              /* the partition that is updated is a clone even of fp32 parameters */
              {ACCOUNT_MASTER, ACCOUNT_AS_FLOAT, 1, S(1) | S(2),
               ACCOUNT_IN_FP32 | ACCOUNT_EITHER, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_MOMENTS, ACCOUNT_AS_MOMENT, 1, ALL, ANY, ACCOUNT_ALWAYS, 0},
              /* BF16_Optimizer: backward's own gradients beside the fp32 ones, until they are added
               * in */
              {ACCOUNT_GRADS, ACCOUNT_AS_HALF, NEVER, S(0) | S(1),
               ACCOUNT_IN_MIXED_BF16 | ACCOUNT_WIDE, ACCOUNT_PASSING, 0},
              /* the step: a flattened copy of the gradient shard, and that in fp32 */
              {ACCOUNT_GRADS, ACCOUNT_AS_HALF, 1, S(1) | S(2), NARROW, ACCOUNT_IN_UPDATE, 0},
              {ACCOUNT_GRADS, ACCOUNT_AS_FLOAT, 1, S(0) | S(1) | S(2), MIXED_NARROW,
               ACCOUNT_IN_UPDATE, 0},
              {ACCOUNT_GRADS, ACCOUNT_AS_FLOAT, 3, S(3), MIXED_NARROW, ACCOUNT_IN_UPDATE,
               1000000000}}},
    {.name = "fsdp1",
     .title = "FSDP1",
     .what = "PyTorch FullyShardedDataParallel: NO_SHARD, SHARD_GRAD_OP, FULL_SHARD as 0, 2, 3",
     .source = "pytorch/pytorch, torch/distributed/fsdp/_flat_param.py; arXiv:2304.11277",
     .stages = S(0) | S(2) | S(3),
     .pad = {ACCOUNT_PAD_UNIT, ACCOUNT_PAD_UNIT, ACCOUNT_PAD_UNIT, ACCOUNT_PAD_UNIT},
     SHARDED_BY_UNITS},
    {.name = "fsdp2",
     .title = "FSDP2",
     .what = "PyTorch fully_shard: reshard_after_forward off and on as 2 and 3",
     .source = "pytorch/pytorch, torch/distributed/fsdp/_fully_shard",
     .stages = S(2) | S(3),
     .pad = {ACCOUNT_PAD_ROWS, ACCOUNT_PAD_ROWS, ACCOUNT_PAD_ROWS, ACCOUNT_PAD_ROWS},
     .gather_copies = 1,
     SHARDED_BY_UNITS},
    {.name = "megatron",
     .title = "Megatron",
     .what = "Megatron-LM; stage 1 is its distributed optimizer",
     .source = "NVIDIA/Megatron-LM, docs/source/api-guide/dist_optimizer.md",
     .stages = S(0) | S(1),
     .offload = true,
     .crossing = {.grads = ACCOUNT_AS_FLOAT, .updated = ACCOUNT_AS_FLOAT, .gathered = HALF},
     .align = 1,
     .vocab_multiple = 128,
     .activations = ACCOUNT_KEEP_AS_MEGATRON,
     .reduce_op = {AR, RS, RS, RS},
     .gathers_step = {0, 1, 1, 0},
     .reduce_dtype = ACCOUNT_AS_MAIN,
     .copies = 5,
     .copy = {{ACCOUNT_PARAMS, ACCOUNT_AS_PARAM, NEVER, ALL, ANY, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_GRADS, ACCOUNT_AS_MAIN, NEVER, ALL, ANY, ACCOUNT_ALWAYS, 0},
              /* fp16: the optimizer's own fp32 copy of the gradients */
              {ACCOUNT_GRADS, ACCOUNT_AS_FLOAT, 1, ALL, ACCOUNT_IN_MIXED_FP16 | ACCOUNT_EITHER,
               ACCOUNT_ALWAYS, 0},
              {ACCOUNT_MASTER, ACCOUNT_AS_MASTER, 1, ALL, ANY, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_MOMENTS, ACCOUNT_AS_MOMENT, 1, ALL, ANY, ACCOUNT_ALWAYS, 0}}},
    {.name = "llm.c",
     .title = "llm.c",
     .what = "llm.c's train_gpt2.cu; stage 1 is its ZeRO",
     .source = "karpathy/llm.c, train_gpt2.cu and llmc/zero.cuh",
     .stages = S(0) | S(1),
     .only_data = true,
     .only_gpt = true,
     .no_dropout = true,
     .align = 1,
     .vocab_multiple = 128,
     .whole_unless_divides = true,
     .activations = ACCOUNT_KEEP_AS_LLMC,
     .reduce_op = {AR, RS, RS, RS},
     .gathers_step = {0, 1, 1, 0},
     .reduce_dtype = ACCOUNT_AS_GRAD,
     .copies = 4,
     .copy = {{ACCOUNT_PARAMS, ACCOUNT_AS_PARAM, NEVER, ALL, ANY, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_GRADS, ACCOUNT_AS_GRAD, NEVER, ALL, ANY, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_MASTER, ACCOUNT_AS_MASTER, 1, ALL, ANY, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_MOMENTS, ACCOUNT_AS_MOMENT, 1, ALL, ANY, ACCOUNT_ALWAYS, 0}}},
    {.name = "zerolab",
     .title = "zerolab",
     .what = "this project's lab, on a GPU if flash attention is on, else on the CPU",
     .source = "src/lab",
     .stages = ALL,
     .pad = {ACCOUNT_PAD_UNIT, ACCOUNT_PAD_UNIT, ACCOUNT_PAD_UNIT, ACCOUNT_PAD_UNIT},
     .by_units = true,
     .only_data = true,
     .offload = true,
     .crossing = {ACCOUNT_AS_GRAD, ACCOUNT_AS_PARAM, ACCOUNT_AS_PARAM, {STAY, STAY, STAY, STAY},
                  .pieces = 3, .grain = 2048},
     .align = 1,
     .quantum = 256,
     .pads_whole = true,
     .gpu_work = true,
     .bucket = 25000000,
     .buckets = {1, 1, 1, 1},
     .wide_buckets = {1, 1, 1, 1},
     .gather = {0, 0, 0, UNITS},
     .unit_grads = true,
     .activations = ACCOUNT_KEEP_AS_LAB,
     .reduce_op = {AR, RS, RS, RS},
     .reduce_every = S(2) | S(3),
     .gathers_micro = {0, 0, 0, 2},
     .gathers_step = {0, 1, 1, 0},
     .reduce_dtype = ACCOUNT_AS_GRAD,
     .copies = 5,
     .copy = {{ACCOUNT_PARAMS, ACCOUNT_AS_PARAM, 3, ALL, ANY, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_GRADS, ACCOUNT_AS_GRAD, 2, ALL, NARROW, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_GRADS, ACCOUNT_AS_FLOAT, 2, ALL, WIDE, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_MASTER, ACCOUNT_AS_MASTER, 1, ALL, ANY, ACCOUNT_ALWAYS, 0},
              {ACCOUNT_MOMENTS, ACCOUNT_AS_MOMENT, 1, ALL, ANY, ACCOUNT_ALWAYS, 0}}},
};
/* clang-format on */
const size_t account_recipe_count = sizeof account_recipes / sizeof *account_recipes;

size_t account_recipes_list(struct account_row *out, size_t capacity) {
    for (size_t i = 0; i < account_recipe_count && i < capacity; i++)
        out[i] = (struct account_row){account_recipes[i].name, account_recipes[i].what,
                                      account_recipes[i].source};
    return account_recipe_count;
}
