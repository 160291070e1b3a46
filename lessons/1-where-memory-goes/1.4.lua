-- 1.4  Every saving is paid for in communication
--
-- Afterwards the learner can take an all-reduce apart, count the bytes that a rank sends per step under each stage, with the ring's
-- (N − 1)/N, and say where "stages 1 and 2 are free" holds and where it ends.

-- ── the case that the lesson walks through ──────────────────────────────────────────────────────

local function training(params, gpus, stage, accumulate)
  return { params = params, precision = "mixed-bf16", optimizer = "adamw", gpus = gpus, stage = stage, accumulate = accumulate, recipe = "paper" }
end

local sent, volume = {}, {}
for stage = 0, 3 do
  local traffic = engine.traffic(training(7e9, 8, stage))
  sent[stage], volume[stage] = traffic.total, traffic.volume_params
end
-- The same with gradients of 4 bytes on the wire.
local function wide_of(stage)
  local t = training(7e9, 8, stage)
  t.reduce_dtype = "fp32"
  return engine.gb(engine.traffic(t).total, 3)
end
local function gb_of(stage, accumulate) return engine.gb(engine.traffic(training(13e9, 8, stage, accumulate)).total, 3) end
local function volume_of(stage) return string.format("%gΨ", volume[stage]) end

-- ── what the problems draw from ─────────────────────────────────────────────────────────────────

local sizes = { 1.5e9, 2.7e9, 3e9, 6.7e9, 7e9, 8e9, 13e9, 20e9, 34e9, 70e9 }
local worlds = { 4, 8, 16, 32, 64 }

local function traffic(params, gpus, stage, more)
  local problem = { kind = "traffic", unit = "GB", training = training(params, gpus, stage) }
  for name, value in pairs(more or {}) do problem[name] = value end
  return problem
end

return lesson {
  id = "1.4",
  title = "Every saving is paid for in communication",
  stop = "count-them",
  goal = "take an all-reduce apart, count the bytes that a rank sends in a step under each stage, and say where \"stages 1 and 2 are free\" holds and where it ends",
  revision = 1,
  values = {
    gb_of = gb_of, sent = sent, volume_of = volume_of, whole = engine.gb(engine.ledger(training(7e9, 1, 0)).grads),
    kept_1 = engine.gb(engine.ledger(training(7e9, 8, 1)).total), kept_0 = engine.gb(engine.ledger(training(7e9, 8, 0)).total),
    kept_2 = engine.gb(engine.ledger(training(7e9, 8, 2)).total), kept_3 = engine.gb(engine.ledger(training(7e9, 8, 3)).total),
    wide = engine.gb(engine.traffic(training(7e9, 64, 2)).total, 3), narrow = engine.gb(engine.traffic(training(7e9, 4, 2)).total, 3),
    wide_kept = engine.gb(engine.ledger(training(7e9, 64, 2)).total, 3),
    narrow_kept = engine.gb(engine.ledger(training(7e9, 4, 2)).total, 3), wide_sent = wide_of,
  },

  predict {
    id = "what-does-it-cost",
    title = "Before you start",
    ask = [[
Train 7B on eight GPUs. Under plain data parallel (DDP) each rank keeps ${kept_0}, and sends ${gb(sent[0], 3)} per step so that
every rank gets the sum of all gradients. Under ZeRO **stage 2** it keeps ${kept_2}. How much does it send per step, in the ZeRO paper's algorithm?]],
    choices = {
      "more than ${gb(sent[0], 3)}, since pieces have to be collected again",
      "${gb(sent[2], 3)}, the same",
      "less, ${gb(sent[0] / 2, 3)}, since it keeps only a part",
    },
    answer = 2,
    reveal = [[
**The same ${gb(sent[2], 3)}**, to the byte. That looks like a free lunch. It is not one, because DDP had paid for it all along.]],
    sources = { "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 7.2: Pos and Pos+g keep data parallel's volume, Pos+g+p has 1.5 times it" },
  },

  animate {
    id = "round-the-ring",
    title = "All-reduce is two collectives",
    wall = "An all-reduce is a reduce-scatter and then an all-gather.",
    play = "ring-all-reduce",
    bytes = engine.ledger(training(7e9, 1, 0)).grads,
    notes = {
      start = "Each rank has its own gradient of the same weights, and needs the sum.",
      reduce = "All links work at the same time, and each carries a different chunk.",
      turn = "ZeRO-1 and 2 keep this chunk of gradients and update their shard with it.",
      gather = "A finished chunk replaces the partial sum. No rank needs that sum now.",
      finish = "However many ranks there are, no rank ever sends as much as 2 × S.",
    },
    ask = "After how many hops does a rank hold its first finished chunk?",
    reveal = "Each hop adds the share of one more rank.",
    [[In a **collective** all ranks take part. This **ring** sums 7B's gradients, S = ${whole}.]],
    sources = {
      "Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms, J. Parallel Distrib. Comput. 69(2), 2009",
    },
  },

  say {
    id = "count-it",
    title = "Count it",
    text = [[
Cut an array of S bytes into N chunks of S/N, one per rank. In each half of an all-reduce a rank sends N − 1 of them:

- reduce-scatter: (N − 1)/N × S
- all-gather: (N − 1)/N × S
- all-reduce: both, **2 (N − 1)/N × S**

The bf16 gradients of 7B take ${whole}, so each of eight ranks sends 2 × 7/8 × ${whole} = ${gb(sent[0], 3)}. With any
number of ranks it stays below 2 × ${whole}.

The paper counts **elements**, and leaves out (N − 1)/N. It writes 2Ψ for this all-reduce, because each of the Ψ gradients
is sent twice. Multiply by 2 bytes for bf16. (In 1.3, 2Ψ was a number of bytes. Here it is a number of elements.)]],
    sources = {
      "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 7.1",
      "NVIDIA/nccl-tests, doc/PERFORMANCE.md: the factors 2(n−1)/n and (n−1)/n",
    },
  },

  problem {
    id = "one-rank-sends",
    title = "One rank of DDP",
    form = "number",
    about = { "no-ring-factor", "all-reduce-once" },
    vary = function(r)
      return {
        problem = traffic(r:pick(sizes), r:pick { 4, 8, 16 }, 0),
        ask = "${A params} model under DDP on ${gpus} GPUs. bf16 gradients are all-reduced once per step, in a ring. How many ${unit} does one rank send?",
      }
    end,
    hints = {
      "An all-reduce is two collectives. In each a rank sends (N − 1)/N of the array.",
      "Calculate 2 × (N − 1)/N × 2 B × Ψ.",
    },
  },

  say {
    id = "where-it-goes",
    title = "Same bytes, sent at other times",
    text = [[
**Stages 1 and 2** split DDP's all-reduce in two and put the update in between:

1. Reduce-scatter the gradients: each rank gets the finished chunk that *it* will use.
2. Each rank updates its shard of the weights.
3. All-gather the new weights.

Each half sends Ψ, so the sum is ${volume_of(1)}, as before. But the second half now carries weights.

**Stage 3** keeps no whole weights between steps. Each layer's weights are all-gathered before its forward, freed, and
gathered again before its backward. The gradients are reduce-scattered. Each of the three sends Ψ, so the sum is **${volume_of(3)}**.]],
    briefly = [[
**Stages 1 and 2** cut DDP's all-reduce in two: reduce-scatter gradients, update, all-gather weights. ${volume_of(1)}, as before.

**Stage 3** gathers each layer's weights before its forward and again before its backward, and reduce-scatters gradients: **${volume_of(3)}**.]],
    slowly = [[
An all-reduce has two halves. The first half is a reduce-scatter: each rank gets the sum of one chunk. The second half is
an all-gather: each rank gets the other chunks.

**DDP** runs both halves on gradients. Then every rank updates all weights.

**Stages 1 and 2** put the update between the halves:

1. Reduce-scatter the gradients. Each rank has the sum of its own chunk now. It needs no other chunk.
2. Each rank updates the weights of its chunk.
3. All-gather the weights. Each rank has all new weights now.

Each half sends Ψ. So the sum is ${volume_of(1)}, the same as DDP. The second half carries weights instead of gradients.

**Stage 3** goes further. Between steps a rank keeps only its chunk of the weights. So the weights must travel when a layer
computes. They are gathered before its forward, then freed. They are gathered again before its backward, then freed. That is
Ψ + Ψ. The gradients still need their reduce-scatter, another Ψ. The sum is **${volume_of(3)}**.]],
    sources = { "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 7.2.2: stage 3 is 1.5 times data parallel" },
  },

  worked {
    id = "by-hand",
    title = "By hand: stage 3",
    text = "7B in bf16 on eight GPUs, stage 3: what does one rank send in a step?",
    problem = traffic(7e9, 8, 3),
    notes = {
      all_gather = "The first 2 is for two gathers, one before forward and one before backward.",
      reduce_scatter = "Once, because each rank needs only its shard of the sum.",
      total = "That is 1.5 times what DDP sends. All of it is bf16, because fp32 copies never travel.",
    },
  },

  problem {
    id = "stage-3-lines",
    title = "Your turn: stage 3",
    form = "sheet",
    about = { "one-gather" },
    vary = function(r)
      return {
        problem = traffic(r:pick(sizes), r:pick { 4, 8, 16 }, 3),
        ask = "${A params} model, ${precision}, ${gpus} GPUs, ZeRO stage 3, one micro-batch. What does one rank send per step, by collective?",
      }
    end,
    hints = {
      "Which collective moves parameters, and how often in a step? Which moves gradients?",
      "The gathers send 2 × (N − 1)/N × 2 B × Ψ, and the reduce-scatter half of that.",
    },
  },

  lab {
    id = "count-them",
    title = "Count the bytes",
    lab = "count-the-bytes",
    text = [[
Four ranks on this machine run stages 0 to 3 in fp32, 4 bytes per element. A byte counts as sent
when another rank copies it out of the sender's memory.]],
    question = [[
On **eight** ranks, in fp32, how many MB would one rank send per step under stage 0? (The gradients are a
quarter of what stage 0 keeps.)]],
    problem = {
      kind = "traffic", unit = "MB",
      training = { params = "measured", precision = "fp32", optimizer = "adamw", gpus = 8, stage = 0, recipe = "paper" },
    },
    sources = { "zerolab, src/lab in this repository; scalars such as the loss are counted apart, as control" },
  },

  explore {
    id = "watch-the-wire",
    title = "Watch both",
    text = "With *accumulation* a rank takes several micro-batches before one update.",
    training = training(7e9, 8, 2),
    sliders = {
      {
        field = "params", label = "parameters", start = 2,
        values = { { value = "1.5e9", name = "1.5B" }, { value = "7e9", name = "7B" }, { value = "13e9", name = "13B" } },
      },
      { field = "gpus", label = "GPUs", start = 2, values = { { value = 4, name = "4" }, { value = 8, name = "8" }, { value = 16, name = "16" }, { value = 64, name = "64" } } },
      { field = "accumulate", label = "micro-batches", start = 1, values = { { value = 1, name = "1" }, { value = 2, name = "2" }, { value = 4, name = "4" } } },
    },
    figure = { kind = "traffic", training = "explore", stages = { 0, 1, 2, 3 } },
    try = {
      "From 4 GPUs to 64: how do the kept and the sent bytes change?",
      "Four micro-batches: which stages send no more than before?",
    },
  },

  say {
    id = "where-free-ends",
    title = "Where free ends",
    wall = "With more GPUs a stage-2 rank keeps less and less, and sends hardly more.",
    text = [[
The answers: from 4 GPUs to 64, a stage-2 rank kept less and less (${narrow_kept}, then ${wide_kept}) and sent only a little more
(${narrow}, then ${wide}). With four micro-batches, only stages 0 and 1 sent no more than before.

So "stages 1 and 2 are free" is true of the volume, in the paper's algorithm, with **one micro-batch**. With A of them a
stage-2 rank reduce-scatters after *each*, because it keeps only its shard of the gradients. It gathers once.
Stage 3 also gathers the weights twice in each. For 13B on 8 GPUs a rank sends, per step:

| stage | volume | A = 1 | A = 4 |
|:--|:--|--:|--:|
| 1 | 2Ψ | ${gb_of(1, 1)} | ${gb_of(1, 4)} |
| 2 | (A + 1)Ψ | ${gb_of(2, 1)} | ${gb_of(2, 4)} |
| 3 | 3AΨ | ${gb_of(3, 1)} | ${gb_of(3, 4)} |]],
    sources = {
      "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 7, counts one micro-batch",
      "deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py: gradients are reduced in every micro-step under stage 2",
    },
  },

  say {
    id = "what-volume-hides",
    title = "What the volume leaves out",
    wall = "The paper counts only the volume: 2Ψ for DDP and stages 1 and 2, 3Ψ for stage 3.",
    text = [[
**Stages 1 and 2 are free** in the paper: 2Ψ, as under DDP. A run can differ:

- **Collectives.** By default DeepSpeed's stages 1 and 2 send 3Ψ, so they are not free. They all-reduce gradients (2Ψ),
  then gather weights (Ψ). With `use_multi_rank_bucket_allreduce` off they send about 2Ψ.
- **Width.** Gradients of 4 bytes, not 2: DDP under `autocast` (1.1), Megatron in bf16 (stage 1), PyTorch's FSDP
  (stage 3) if `reduce_dtype` is fp32.
- **Latency.** Every collective takes time to start. Many small ones are slow (2.2).
- **Waiting.** Ranks usually wait for the gather after the update (2.5).

A rank of 7B on 8 GPUs sends 7/8 × 7e9 times these bytes:

| stage | it sends | gradients in 2 bytes | in 4 bytes |
|:--|:--|--:|--:|
| 0 | gradients twice | 2 + 2: ${gb(sent[0], 3)} | 4 + 4: ${wide_sent(0)} |
| 1, 2 | gradients, weights | 2 + 2: ${gb(sent[2], 3)} | 4 + 2: ${wide_sent(2)} |
| 3 | gradients, weights twice | 2 + 2 + 2: ${gb(sent[3], 3)} | 4 + 2 + 2: ${wide_sent(3)} |]],
    briefly = [[
In the paper's algorithm stages 1 and 2 are free: 2Ψ, as DDP. A library may differ:

- **Collectives.** DeepSpeed's default all-reduces gradients in stages 1 and 2: 3Ψ. Without `use_multi_rank_bucket_allreduce`, about 2Ψ.
- **Width.** DDP under `autocast` sends gradients in 4 bytes: ${wide_sent(0)} for 7B on 8 GPUs, not ${gb(sent[0], 3)}.
- **Time.** Each collective takes time to start, and some are waited for.]],
    slowly = [[
The paper counts volume in Ψ. In its algorithm stages 1 and 2 are free. They send 2Ψ, and DDP sends 2Ψ as well. Is that true of a
real run? It depends on four things.

First, which **collectives** the library uses. The paper reduce-scatters the gradients. That sends Ψ. DeepSpeed is the library by
ZeRO's authors. By default it all-reduces the gradients in stages 1 and 2. That sends 2Ψ. Then it gathers the new weights,
another Ψ. So the sum is 3Ψ, and by default these stages are not free. The setting is `use_multi_rank_bucket_allreduce`. If you
turn it off, each rank gets only its own part of the sum. Then the sum is about 2Ψ, as in the paper.

Second, the **width** of a gradient. The paper sends a gradient in 2 bytes. Some libraries send it in 4:

- DDP under PyTorch's `autocast`, which keeps gradients in fp32 (lesson 1.1).
- Megatron in bf16, whose distributed optimizer is a stage 1.
- FSDP, which is PyTorch's form of stage 3 (lesson 3.1), if `reduce_dtype` is fp32.

Third, **latency**. Every collective takes some time to start. Many small ones are slow. So libraries first collect gradients
in **buckets** (lesson 2.2).

Fourth, **waiting**. DDP's all-reduce runs while backward still computes, so it costs little time. Stages 1 and 2 gather the
weights after the update. Usually nothing computes then, so all ranks wait for that gather (lesson 2.5).

Take 7B on 8 GPUs. For each Ψ a rank sends 7/8 × 7e9 elements. Multiply them by the bytes of an element. Weights always
travel in 2 bytes here:

| stage | it sends | gradients in 2 bytes | in 4 bytes |
|:--|:--|--:|--:|
| 0 | gradients twice | 2 + 2: ${gb(sent[0], 3)} | 4 + 4: ${wide_sent(0)} |
| 1, 2 | gradients, weights | 2 + 2: ${gb(sent[2], 3)} | 4 + 2: ${wide_sent(2)} |
| 3 | gradients, weights twice | 2 + 2 + 2: ${gb(sent[3], 3)} | 4 + 2 + 2: ${wide_sent(3)} |]],
    sources = {
      "deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py, average_tensor: with use_multi_rank_bucket_allreduce (config.py: true) buckets are all-reduced, and each rank copies its part; without it each part is reduced to its owner",
      "NVIDIA/Megatron-LM, megatron/training/arguments.py: with bf16 gradients are accumulated and all-reduced in fp32 unless --grad-reduce-in-bf16 is set",
      "pytorch/pytorch, torch/distributed/fsdp/_fully_shard/_fsdp_api.py: MixedPrecisionPolicy, param_dtype and reduce_dtype; DDP all-reduces gradients in their own dtype, under autocast fp32",
    },
  },

  problem {
    id = "with-accumulation",
    title = "With accumulation",
    form = "number",
    about = { "accumulation-free" },
    vary = function(r)
      local problem = traffic(r:pick(sizes), r:pick { 4, 8, 16 }, r:pick { 2, 3 })
      problem.training.accumulate = r:pick { 2, 4, 8 }
      return {
        problem = problem,
        ask = "${A params} model, ${precision}, ${gpus} GPUs, ZeRO stage ${stage}, **${accumulate} micro-batches** per step. How many ${unit} does a rank send per step, in the paper's algorithm?",
      }
    end,
    hints = {
      "What has to be repeated for each micro-batch, and what happens once per step?",
      "Stage 2 needs a reduce-scatter for each micro-batch, and one all-gather. Stage 3 needs all three for each.",
    },
  },

  problem {
    id = "which-collective",
    title = "Only the gathers",
    form = "number",
    review = true,
    about = { "ring-whole" },
    vary = function(r)
      return {
        problem = traffic(r:pick(sizes), r:pick { 4, 8, 16 }, r:pick { 1, 2, 3 }, { quantity = "all_gather" }),
        ask = "${A params} model, ${precision}, ${gpus} GPUs, ZeRO stage ${stage} by the paper's algorithm, one micro-batch. Of the bytes that a rank sends per step, how many ${unit} belong to **all-gathers**?",
      }
    end,
    hints = {
      "Stages 1 and 2 gather the new parameters once. And stage 3?",
      "Each gather sends (N − 1)/N × 2 B × Ψ. Stage 3 has two of them.",
    },
  },

  problem {
    id = "what-travels",
    title = "What travels?",
    form = "sort",
    review = true,
    vary = function(r)
      local all = {
        { text = "gradients, under DDP", bin = 1, because = "They are all-reduced, because every rank needs the whole sum." },
        { text = "gradients, under stage 1", bin = 2, because = "They are reduce-scattered, because a rank updates only its shard." },
        { text = "gradients, under stage 3", bin = 2, because = "They are reduce-scattered, as under stages 1 and 2." },
        { text = "new weights, under stage 2", bin = 3, because = "Each rank updated its shard, and every rank needs all shards." },
        { text = "weights before a layer's backward, under stage 3", bin = 3, because = "They were freed after forward." },
        { text = "Adam's moments, under any stage", bin = 4, because = "Only their owner ever reads them." },
        { text = "fp32 master weights, under stage 1", bin = 4, because = "The owner rounds them to bf16, and those travel." },
      }
      local items = {}
      for i, item in ipairs(r:shuffle(all)) do
        if i <= 5 then items[i] = item end
      end
      return {
        ask = "How does each of these travel, in the paper's algorithm?",
        bins = { "all-reduce", "reduce-scatter", "all-gather", "never" },
        items = items,
      }
    end,
    hints = {
      "Who needs the result? Does every rank need all of it, or does each rank need its part?",
      "If all need the sum, it is an all-reduce. If each needs its part of the sum, a reduce-scatter. If all need all the parts, an all-gather.",
    },
  },

  problem {
    id = "order-of-stage-1",
    title = "Put the step together",
    form = "order",
    review = true,
    vary = function(r)
      local stage = r:pick { "1", "2" }
      return {
        ask = "One step under ZeRO stage " .. stage .. ", one micro-batch. In which order?",
        items = {
          "forward and backward on the rank's own micro-batch",
          "reduce-scatter of the gradients",
          "each rank updates the master weights of its shard and rounds them to bf16",
          "all-gather of the bf16 weights",
        },
        because = "This is DDP's all-reduce cut in two, with the update in the gap.",
      }
    end,
    hints = {
      "What must be known before a shard can be updated?",
      "Its gradients, summed over all ranks. After the update, every rank needs the new weights.",
    },
  },

  myth {
    id = "stage-2-costs",
    title = "What stage 2 sends",
    claim = "By the paper's algorithm, with one micro-batch, ZeRO stage 2 sends no more than plain DDP.",
    says = { "stage 2 sends more than DDP", "stage 2 costs more traffic than DDP" },
    truth = true,
    because = [[
Both send ${volume_of(2)}, to the byte. But with accumulation stage 2 pays for every micro-batch, while DDP can wait for
the last (PyTorch's `no_sync()`). And by default DeepSpeed all-reduces instead, which makes 3Ψ.]],
    sources = {
      "PyTorch documentation, DistributedDataParallel.no_sync: gradients are accumulated locally and reduced in the first pass after it",
      "deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py: average_tensor; config.py: use_multi_rank_bucket_allreduce = true",
    },
  },

  say_aloud {
    id = "explain-it",
    title = "Aloud: what each stage sends",
    ask = [[
An interviewer: *"Why does ZeRO-3 cost more traffic than ZeRO-2, and ZeRO-2 no more than DDP? And with
accumulation?"*]],
    points = {
      "an all-reduce is a reduce-scatter and an all-gather, Ψ each",
      "stages 1 and 2 do the same two, with the update in between: 2Ψ",
      "stage 3 gathers for forward and for backward, and reduce-scatters: 3Ψ",
      "with accumulation stages 2 and 3 pay for each micro-batch",
    },
    model = [[
DDP's all-reduce is a reduce-scatter and an all-gather, 2Ψ. Stages 1 and 2 put the update
in between. Stage 3 keeps no whole weights, so it gathers them twice, and reduce-scatters gradients: 3Ψ. For 7B on eight
GPUs that is ${gb(sent[2], 3)} against ${gb(sent[3], 3)} per step. With A micro-batches, stage 2 reduce-scatters after each: (A + 1)Ψ.
Stage 3 repeats all three: 3AΨ.]],
  },

  cards {
    id = "cards",
    cards = {
      { id = "all-reduce-is", front = "All-reduce is which two collectives?", back = "Reduce-scatter, then all-gather." },
      { id = "ring-bytes", of = "one-rank-sends", front = "Bytes a rank sends in a ring all-reduce of S bytes?", back = "2 (N − 1)/N × S, and half of it for a reduce-scatter or an all-gather." },
      { id = "volumes", of = "stage-2-costs", front = "Volume per step of stages 0, 1, 2, 3, in Ψ?", back = "2, 2, 2, 3 (the paper's algorithm, one micro-batch)." },
      { id = "stage-3-three", front = "The three Ψ of stage 3?", back = "Gather for forward, gather for backward, reduce-scatter gradients." },
      { id = "accumulated", of = "with-accumulation", front = "A micro-batches a step: volumes of stages 1, 2, 3?", back = "2Ψ, (A + 1)Ψ, 3AΨ." },
      { id = "never-travels", of = "what-travels", front = "Which model states never travel?", back = "The optimizer's, because only their owner reads them." },
      { id = "bytes-per-element", front = "Bytes per element on the wire, mixed precision?", back = "In the ZeRO paper 2: bf16 gradients and weights travel, the fp32 master stays. Gradients take 4 under DDP with autocast, in Megatron's bf16 training, and in FSDP with reduce_dtype fp32." },
    },
  },

  recap {
    id = "recap",
    title = "To take away",
    further = { "*ZeRO*, section 7: https://arxiv.org/abs/1910.02054" },
    sources = {
      "NVIDIA/nccl-tests, what bandwidth means: https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md",
      "Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations: https://doi.org/10.1016/j.jpdc.2008.09.002",
      "The code that settles it: src/account/traffic/traffic.c in this repository; DeepSpeed's average_tensor in deepspeed/runtime/zero/stage_1_and_2.py",
    },
    text = [[
| stage | keeps (7B, N = 8) | sends | volume, A micro-batches |
|:--|--:|--:|--:|
| 0 | ${kept_0} | ${gb(sent[0], 3)} | ${volume_of(0)} |
| 1 | ${kept_1} | ${gb(sent[1], 3)} | ${volume_of(1)} |
| 2 | ${kept_2} | ${gb(sent[2], 3)} | (A + 1)Ψ |
| 3 | ${kept_3} | ${gb(sent[3], 3)} | 3AΨ |

**all-reduce = reduce-scatter + all-gather.** In bf16 a rank sends (N − 1)/N × 2 B × Ψ for each Ψ of volume. Stages 1
and 2 add no volume, and stage 3 sends 1.5 times as much. With more micro-batches per step, stages 2 and 3 send more.

Next phase: do it by hand, one tensor at a time.]],
  },
}
