-- 3.1  FSDP is ZeRO-3 by another name, mostly
--
-- Afterwards the learner can translate between DeepSpeed's stages and FSDP's strategies, say what each framework keeps in which
-- precision and where their ledgers differ, and read a configuration of either and say what it does.

-- ── the case that the lesson walks through ──────────────────────────────────────────────────────

local function training(recipe, stage, params, gpus)
  return { params = params or 7e9, precision = "mixed-bf16", optimizer = "adamw", gpus = gpus or 8, stage = stage, recipe = recipe }
end
-- A model whose shape is known: what is gathered and reduced depends on it.
local function shaped(recipe, stage)
  return { model = "llama-2-7b", precision = "mixed-bf16", optimizer = "adamw", gpus = 8, stage = stage, recipe = recipe }
end
local function states(recipe, stage, params, gpus)
  return engine.solve({ kind = "bytes", quantity = "model_state", unit = "GB", training = training(recipe, stage, params, gpus) }).value
end
local function volume(recipe, stage) return string.format("%gΨ", engine.traffic(training(recipe, stage)).volume_params) end

local zero, fsdp = engine.bytes_per_param(training("deepspeed", 3, 7e9, 1)), engine.bytes_per_param(training("fsdp2", 3, 7e9, 1))
local in_bf16 = training("fsdp2", 3, 7e9, 1)
in_bf16.precision = "bf16"
local pure = engine.bytes_per_param(in_bf16)
local kept_whole = engine.ledger(training("fsdp2", 2))

-- ── what the problems draw from ─────────────────────────────────────────────────────────────────

local sizes = { 3e9, 7e9, 8e9, 13e9, 34e9, 70e9 }

return lesson {
  id = "3.1",
  title = "FSDP is ZeRO-3 by another name, mostly",
  stop = "fsdp-by-lines",
  goal = "translate between DeepSpeed's stages and FSDP's strategies, say where their ledgers differ, and read a configuration of either and say what it does",
  revision = 1,
  values = {
    fsdp = fsdp, kept_whole = kept_whole, pure = pure, zero = zero, ds_3 = engine.gb(states("deepspeed", 3)),
    fsdp_3 = engine.gb(states("fsdp2", 3)), fsdp_2 = engine.gb(states("fsdp2", 2)), paper_2 = engine.gb(states("paper", 2), 4),
    paper_1 = engine.gb(states("paper", 1), 3), megatron_1 = engine.gb(states("megatron", 1), 3),
    pair_z = string.format("%g + %g bytes", zero.params, zero.master), pair_f = string.format("%g", fsdp.params),
    whole_2 = engine.gb(engine.ledger(training("deepspeed", 2)).params), v_paper = volume("paper", 2), v_ds = volume("deepspeed", 2),
  },

  predict {
    id = "what-is-sharded",
    title = "Before you start",
    ask = [[
DeepSpeed's stage 3 keeps bf16 weights **and** an fp32 master copy, in shards. FSDP2 has no master copy, not even in mixed precision. The model was built in fp32, as usual.

Where are the fp32 weights that its optimizer updates?]],
    choices = {
      "nowhere: FSDP updates bf16 weights",
      "its shards are fp32 themselves; bf16 weights exist only while gathered",
      "on the host",
    },
    answer = 2,
    reveal = [[
FSDP shards the weights **as the model was built**, here in fp32, and casts them to bf16 as it gathers. Gradients get the shards' precision.
That makes ${fsdp.params} + ${fsdp.grads} + ${fsdp.moments} bytes per parameter instead of ${zero.params} + ${zero.grads} + ${zero.master} + ${zero.moments}: the same sum, split differently. All of it is divided by N.

Build the model in bf16, and the shards are bf16. Then FSDP keeps ${pure.params} + ${pure.grads} + ${pure.moments} bytes, no rank has fp32 weights, and small updates are lost in rounding.]],
    sources = {
      "pytorch/pytorch, torch/distributed/fsdp/_fully_shard/_fsdp_param.py: orig_dtype is the parameter's own; the sharded parameter keeps it, and gradients are cast to it",
      "deepspeedai/DeepSpeed, runtime/zero/stage3.py: fp16_partitioned_groups_flat beside fp32_partitioned_groups_flat",
    },
  },

  say {
    id = "dictionary",
    title = "A dictionary",
    wall = "The same choices have other names in each framework.",
    text = [[
| what it does | DeepSpeed | FSDP1 | FSDP2 |
|:--|:--|:--|:--|
| plain data parallel | stage 0 | NO_SHARD | – |
| shard the optimizer | stage 1 | – | – |
| + gradients | stage 2 | SHARD_GRAD_OP | False |
| + parameters | stage 3 | FULL_SHARD | True, None |
| … and a second copy, in a node | hpZ | – | a number |
| inside a group, copies across | MiCS | HYBRID_SHARD | a 2-D mesh |

(FSDP2's column is `reshard_after_forward`. None, the default, keeps the root gathered.) "Mostly" is about the third row. Stage 2 never shards weights: for 7B on eight GPUs a rank keeps ${paper_2}. SHARD_GRAD_OP keeps ${fsdp_2}, because it shards weights **between steps**. From forward until backward is over they stay gathered, which takes ${gb(kept_whole.gather)} more: ${gb(kept_whole.total)}.]],
    sources = {
      "PyTorch documentation, torch.distributed.fsdp.ShardingStrategy",
      "PyTorch documentation, torch.distributed.fsdp.fully_shard: reshard_after_forward is a bool, an int or None",
      "deepspeedai/DeepSpeed, runtime/zero/mics.py",
    },
  },

  figure {
    id = "five-ledgers",
    title = "Same model, six ledgers",
    text = "Llama 2 7B on eight GPUs, by four recipes. (FSDP2's stage 2 is `reshard_after_forward` off.) Each total includes the bytes that a rank gathers and reduces at a time. The last three keep 16Ψ/N, and the rest comes and goes.",
    figure = { kind = "stack", unit = "GB", legend = true, bars = {
      { label = "paper 1", training = shaped("paper", 1) },
      { label = "Megatron 1", training = shaped("megatron", 1) },
      { label = "DeepSpeed 2", training = shaped("deepspeed", 2) },
      { label = "FSDP2 2", training = shaped("fsdp2", 2) },
      { label = "DeepSpeed 3", training = shaped("deepspeed", 3) },
      { label = "FSDP2 3", training = shaped("fsdp2", 3) },
    } },
    sources = { "Each recipe's source files: `zerotutor mem --recipe NAME` prints them" },
  },

  explore {
    id = "recipes",
    title = "Turn the recipe",
    text = "Llama 2 7B under each recipe and stage.",
    training = shaped("deepspeed", 3),
    sliders = {
      { field = "recipe", label = "recipe", start = 2, values = { { value = "paper", name = "paper" }, { value = "deepspeed", name = "DeepSpeed" }, { value = "fsdp1", name = "FSDP1" }, { value = "fsdp2", name = "FSDP2" } } },
      { field = "stage", label = "stage", start = 2, values = { { value = 2, name = "2" }, { value = 3, name = "3" } } },
      { field = "gpus", label = "GPUs", start = 2, values = { { value = 4, name = "4" }, { value = 8, name = "8" }, { value = 16, name = "16" }, { value = 64, name = "64" } } },
    },
    figure = { kind = "ledger", training = "explore", limit = "a100-80g", unit = "GB" },
    try = { "Go from DeepSpeed 3 to FSDP2 3. Which parts change? And under stage 2?" },
  },

  say {
    id = "whose-number",
    title = "Whose number is it?",
    text = [[
For weights at stage 3, DeepSpeed keeps ${pair_z} and FSDP2 keeps ${pair_f}, with wider gradients. At stage 2 DeepSpeed keeps weights whole, ${whole_2}. FSDP2 keeps shards and gathers them. So ask:

- **Which copies?** Megatron keeps fp32 gradients: ${megatron_1} instead of the paper's ${paper_1} under its distributed optimizer (stage 1).
- **Which collective?** The paper reduce-scatters under stages 1 and 2: ${v_paper}. DeepSpeed's default all-reduces its buckets: ${v_ds}.
- **In which precision?** FSDP's `reduce_dtype` of fp32 doubles the bytes of gradients sent.
- **How is it padded?** As a flat group (DeepSpeed's stages 1 and 2), each parameter by elements (its stage 3), or each by rows (FSDP2: 5 rows on 8 ranks take 8).
- **Which 16 bits?** Only fp16 scales its loss. All ranks skip a step if one shard overflows.

Try `zerotutor whose 28GB --params 7e9 --gpus 8`.]],
    briefly = [[
Two right numbers can differ. Ask: which copies are kept, which collective runs, in which precision, how is it padded, and does fp16 scale the loss?

Megatron keeps ${megatron_1} instead of the paper's ${paper_1}, because of fp32 gradients. DeepSpeed's default moves ${v_ds} instead of ${v_paper}. Try
`zerotutor whose 28GB --params 7e9 --gpus 8`.]],
    slowly = [[
Two people count the same model and get different numbers. Often both are right. They count different implementations. Two
examples: for weights at stage 3, DeepSpeed keeps ${pair_z}. FSDP2 keeps ${pair_f}, with wider gradients. At stage 2 DeepSpeed keeps weights whole, ${whole_2}.
FSDP2 keeps shards there, and gathers them.

So before you argue, ask five questions.

- **Which copies?** Megatron keeps gradients in fp32. Its distributed optimizer is stage 1. It takes ${megatron_1}, and the paper counts ${paper_1}.
- **Which collective?** Under stages 1 and 2 the paper reduce-scatters gradients. That is ${v_paper}. DeepSpeed all-reduces its buckets by
  default. That is ${v_ds}.
- **In which precision?** FSDP has a `reduce_dtype`. If it is fp32, gradients take twice the bytes on the wire.
- **How is it padded?** DeepSpeed's stages 1 and 2 pad a flat group. Its stage 3 pads each parameter by elements. FSDP2 pads each
  parameter by rows. So 5 rows on 8 ranks take the room of 8.
- **Which 16 bits?** Only fp16 scales its loss. If one shard overflows, all ranks must skip the step.

You can ask the program, too. Try `zerotutor whose 28GB --params 7e9 --gpus 8`.]],
    sources = {
      "NVIDIA/Megatron-LM, megatron/core/distributed: accumulate_allreduce_grads_in_fp32",
      "deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py: average_tensor; config.py: use_multi_rank_bucket_allreduce = true; partition_parameters.py, _padding_size: stage 3 pads each parameter to a multiple of the ranks",
      "PyTorch documentation: fp16 under FSDP needs a gradient scaler that all ranks agree with (ShardedGradScaler in FSDP1)",
    },
    given = { "28GB" },
  },

  worked {
    id = "by-hand",
    title = "By hand: FSDP2",
    text = "13B on 16 GPUs, fully_shard, bf16 mixed precision, AdamW. What does a rank keep?",
    problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = training("fsdp2", 3, 13e9, 16) },
    notes = {
      params = "The model was built in fp32, so its shards are the master copy.",
      grads = "Gradients have their parameter's type.",
      total = "16Ψ/N, as with ZeRO-3.",
    },
  },

  problem {
    id = "fsdp-by-lines",
    title = "Your turn: FSDP2, line by line",
    form = "sheet",
    about = { "no-grads" },
    vary = function(r)
      return {
        problem = { kind = "bytes", quantity = "params+grads", unit = "GB", training = training("fsdp2", 3, r:pick(sizes), r:pick { 8, 16, 32 }) },
        ask = "${A params} model, **FSDP2**, built in fp32, ${precision}, AdamW, ${gpus} GPUs. How much do weights and gradients take on a rank while the optimizer updates?",
      }
    end,
    hints = { "In which precision does FSDP keep its shards, and their gradients?", "fp32: 4 B each, × Ψ ÷ N." },
  },

  read {
    id = "a-deepspeed-json",
    title = "Read a DeepSpeed configuration",
    file = "data/configs/zero3-ignored.json",
    [[A colleague ran out of memory under stage 3, raised a bucket, and ran out again. Three of these keys do nothing here.]],
    notes = {
      { "\"reduce_bucket_size\"", "Read. It limits the gradients in flight: 5e8 **elements** are a gigabyte in bf16, and the flat copy that is sent takes as much." },
      { "\"allgather_partitions\"", "Not read. It concerns the gather after the update, under stages 1 and 2." },
      { "\"allgather_bucket_size\"", "Not read either. No value of it cures an out-of-memory error here." },
      { "\"round_robin_gradients\"", "Stages 1 and 2 only." },
      { "\"stage3_max_live_parameters\"", "With this many elements gathered, nothing more is fetched ahead. Which weights are *freed* depends on stage3_max_reuse_distance: 1e9 unless set." },
      { "\"stage3_param_persistence_threshold\"", "Smaller parameters stay whole on every rank." },
    },
    ask = "Which key would lower the peak, and at what cost?",
    reveal = "Lower stage3_max_reuse_distance and stage3_max_live_parameters: fewer weights are gathered at a time, and ranks wait more. Or lower reduce_bucket_size: ranks send more, smaller messages.",
    sources = {
      "deepspeedai/DeepSpeed, runtime/engine.py: which keys the stage-3 optimizer is given; runtime/zero/config.py: their defaults; https://www.deepspeed.ai/docs/config-json/",
      "deepspeedai/DeepSpeed, runtime/zero/partitioned_param_coordinator.py: max_live bounds prefetch, max_reuse_distance what is released",
      "deepspeedai/DeepSpeed, runtime/comm/coalesced_collectives.py, reduce_scatter_coalesced: the bucket's gradients are laid end to end once more",
    },
  },

  read {
    id = "an-fsdp-script",
    title = "Read an FSDP script",
    wall = "These lines decide what FSDP2 shards.",
    file = "data/configs/fsdp-twice.py",
    [[It stops in the call before its last one. Why?]],
    notes = {
      { "fully_shard(block", "FSDP2 shards each block by rows. Its hooks gather and free them. The parameters are DTensors now." },
      { "model = FSDP(", "FSDP1 wraps the whole model again, and tries to lay DTensors and plain tensors end to end: *got mixed torch.Tensor and DTensor*." },
      { "SHARD_GRAD_OP", "This keeps everything gathered, the opposite of reshard_after_forward=True." },
      { "MixedPrecision(param_dtype", "It sets no reduce_dtype, so gradients are reduced in bf16. The policy above says fp32." },
    },
    ask = "How would you write it?",
    reveal = "With one API: call fully_shard on each block, then on the model for the rest (embeddings, last norm, head). data/configs/fsdp2.py does so.",
    sources = {
      "PyTorch documentation, torch.distributed.fsdp.fully_shard: apply bottom-up, the root last",
      "Run under PyTorch 2.11 and 2.15, two ranks on the CPU (gloo): fsdp-twice.py stops in FlatParamHandle's torch.cat, fsdp2.py trains",
    },
  },

  problem {
    id = "states-of-fsdp",
    title = "Megatron's states",
    form = "number",
    about = { "all-sharded" },
    vary = function(r)
      local recipe, name = "megatron", "Megatron's distributed optimizer (fp32 gradients, whole)"
      return {
        problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = training(recipe, 1, r:pick(sizes), r:pick { 8, 16, 32 }) },
        values = { name = name },
        ask = "${A params} model, ${precision} with AdamW, ${gpus} GPUs under **${name}**. How many ${unit} of model states does a GPU keep?",
      }
    end,
    hints = { "Two things are whole: bf16 weights, and gradients of which width?", "2 + 4 bytes whole, 12 divided by N." },
  },

  problem {
    id = "reduced-in-fp32",
    title = "Reduced in fp32",
    form = "number",
    about = { "ring-whole", "reduce-16bit" },
    vary = function(r)
      local t = training("fsdp2", 3, r:pick(sizes), r:pick { 4, 8, 16 })
      t.reduce_dtype = "fp32"
      return {
        problem = { kind = "traffic", quantity = "reduce_scatter", unit = "GB", training = t },
        ask = "${A params} model, ${precision}, ${gpus} GPUs, FSDP2 with `reduce_dtype` fp32, one micro-batch. How many ${unit} of reduce-scatter does a rank send per step?",
      }
    end,
    hints = { "One collective runs once over all gradients. How wide is each gradient when it is sent?", "(N − 1)/N × 4 B × Ψ: twice what bf16 would send." },
  },

  problem {
    id = "which-is-it",
    title = "Translate",
    form = "sort",
    review = true,
    vary = function(r)
      local all = {
        { text = "FSDP1 FULL_SHARD", bin = 4, because = "Weights are freed after forward and after backward." },
        { text = "FSDP2 with reshard_after_forward=True", bin = 4, because = "The same, parameter by parameter." },
        { text = "FSDP1 SHARD_GRAD_OP", bin = 3, because = "Gradients and optimizer sharded; weights stay gathered through backward." },
        { text = "FSDP1 NO_SHARD", bin = 1, because = "That is DDP." },
        { text = "Megatron's distributed optimizer", bin = 2, because = "Only the optimizer's states are sharded." },
        { text = "torch.distributed.optim.ZeroRedundancyOptimizer", bin = 2, because = "It shards the optimizer's states over DDP's ranks." },
        { text = "DistributedDataParallel", bin = 1, because = "Everything is replicated." },
      }
      local items = {}
      for i, item in ipairs(r:shuffle(all)) do
        if i <= 5 then items[i] = item end
      end
      return { ask = "To which of ZeRO's stages is each of these closest?", bins = { "stage 0", "stage 1", "stage 2", "stage 3" }, items = items }
    end,
    hints = { "Which states are whole between steps, and which during a step?", "Shards nothing: 0. Optimizer: 1. Gradients too: 2. Frees weights: 3." },
  },

  problem {
    id = "read-or-ignored",
    title = "Read, or ignored?",
    form = "sort",
    review = true,
    vary = function(r)
      local all = {
        { text = "reduce_bucket_size", bin = 1, because = "It limits the elements of gradients in flight." },
        { text = "stage3_max_live_parameters", bin = 1, because = "With this many elements gathered, nothing more is fetched ahead." },
        { text = "stage3_max_reuse_distance", bin = 1, because = "Weights that are needed again within this many elements are not freed." },
        { text = "stage3_prefetch_bucket_size", bin = 1, because = "It sets how many elements are gathered ahead." },
        { text = "stage3_param_persistence_threshold", bin = 1, because = "Parameters smaller than this stay whole." },
        { text = "allgather_bucket_size", bin = 2, because = "Stage 3 gathers by module, not by this bucket." },
        { text = "round_robin_gradients", bin = 2, because = "It orders the partitions of stages 1 and 2." },
        { text = "allgather_partitions", bin = 2, because = "It belonged to stages 1 and 2." },
      }
      local items = {}
      for i, item in ipairs(r:shuffle(all)) do
        if i <= 5 then items[i] = item end
      end
      return { ask = "DeepSpeed, `\"stage\": 3`. Is the key read?", bins = { "read", "ignored" }, items = items }
    end,
    hints = { "Every key that begins with stage3_ is read. For the others, ask whether stage 3 does that at all.", "It gathers module by module, and reduces by bucket." },
  },

  problem {
    id = "deepspeed-default",
    title = "DeepSpeed's default",
    form = "number",
    review = true,
    about = { "all-reduce-once" },
    vary = function(r)
      return {
        problem = { kind = "traffic", unit = "GB", training = training("deepspeed", 2, r:pick(sizes), r:pick { 4, 8, 16 }) },
        ask = "${A params} model, ${precision}, ${gpus} GPUs, **DeepSpeed** stage 2 with its defaults, so gradient buckets are *all-reduced*. One micro-batch. How many ${unit} does a rank send per step?",
      }
    end,
    hints = { "An all-reduce instead of the paper's reduce-scatter, and the gather of new weights as before.", "3Ψ: (2 + 1) × (N − 1)/N × 2 B × Ψ." },
  },

  myth {
    id = "only-about-speed",
    title = "FSDP as the faster DDP",
    claim = "FSDP is PyTorch's faster DDP; ZeRO is for when memory runs out.",
    truth = false,
    because = [[
FULL_SHARD *is* ZeRO's stage 3, with the same shards and gathers and 3Ψ. It sends more than DDP. Use either if the model does not fit, or if freed memory buys a larger micro-batch.]],
    sources = { "Zhao et al., PyTorch FSDP, arXiv:2304.11277, sections 1 and 2.3: sharding as in ZeRO" },
  },

  say_aloud {
    id = "explain-it",
    title = "Aloud: ZeRO or FSDP?",
    ask = "*\"What is the difference between ZeRO and FSDP, and which one do you take?\"*",
    points = {
      "one idea: shard states over ranks, gather layers as they run",
      "FULL_SHARD is stage 3, SHARD_GRAD_OP nearly stage 2",
      "bf16 and an fp32 master, or fp32 shards: 16Ψ/N",
      "reduce precision, padding, buffers differ",
      "DeepSpeed: stages 1 and 2, NVMe; FSDP: the rest of PyTorch",
    },
    model = [[
They are one idea: ranks shard the states and gather each layer as it runs. FULL_SHARD is stage 3, SHARD_GRAD_OP nearly stage 2. For 7B on eight GPUs both keep ${fsdp_3} per rank, 16Ψ/N: DeepSpeed in bf16 with an fp32 master, FSDP in fp32 shards. They differ in the precision of the reduction, in padding and in buffers. I take FSDP2 with plain PyTorch, and DeepSpeed for stage 1 or 2 or NVMe.]],
  },

  cards {
    id = "cards",
    cards = {
      { id = "full-shard", front = "FULL_SHARD, SHARD_GRAD_OP, NO_SHARD in ZeRO's terms?", back = "Stage 3; nearly stage 2 (weights gathered through backward, sharded between steps); stage 0." },
      { id = "fsdp-bytes", front = "FSDP's 16 bytes per parameter?", back = "If the model was built in fp32: weights 4, gradients 4, moments 8; bf16 copies only while gathered. Built in bf16 it keeps 8, and nothing in fp32." },
      { id = "zero-bytes", front = "DeepSpeed stage 3's 16 bytes?", back = "bf16 weights 2, gradients 2, fp32 master 4, moments 8." },
      { id = "reshard", front = "fully_shard(reshard_after_forward=False)?", back = "Weights stay gathered from forward to backward: less traffic (2Ψ), more memory. None, the default, is False for the root alone; a number frees them down to shards over that many ranks." },
      { id = "ignored-keys", front = "DeepSpeed keys that stage 3 ignores?", back = "allgather_bucket_size, allgather_partitions, round_robin_gradients." },
      { id = "ds-3-psi", front = "Why does DeepSpeed's stage 2 move 3Ψ by default?", back = "Gradient buckets are all-reduced (use_multi_rank_bucket_allreduce), then weights are gathered." },
      { id = "megatron-18", front = "Megatron's bytes per parameter?", back = "18: bf16 weights 2, fp32 gradients 4, fp32 master 4, moments 8." },
    },
  },

  recap {
    id = "recap",
    title = "To take away",
    further = {
      "Zhao et al., PyTorch FSDP: https://arxiv.org/abs/2304.11277",
      "PyTorch documentation: https://docs.pytorch.org/docs/stable/distributed.fsdp.fully_shard.html",
      "The code that settles it: deepspeedai/DeepSpeed, runtime/zero/config.py",
    },
    text = [[
| | DeepSpeed 3 | FSDP2 |
|:--|--:|--:|
| weights kept | bf16 ${zero.params} + fp32 ${zero.master} | as built: fp32 ${fsdp.params} |
| gradients kept | ${zero.grads} | the same: fp32 ${fsdp.grads} |
| states, 7B on 8 | ${ds_3} | ${fsdp_3} |

FULL_SHARD = stage 3. SHARD_GRAD_OP ≈ stage 2, but sharded between steps. Of every number ask **whose it is**. Next: memory outside the GPU.]],
  },
}
