-- 2.3  Parameters join: every layer needs an all-gather
--
-- Afterwards the learner can follow a layer through a stage-3 step, write down what a stage-3 peak is made of, say what prefetch
-- buys and costs, and name what stage 3 does not divide.

-- ── the case that the lesson walks through ──────────────────────────────────────────────────────

local function training(params, gpus, stage, accumulate)
  return { params = params, precision = "mixed-bf16", optimizer = "adamw", gpus = gpus, stage = stage, accumulate = accumulate, recipe = "paper" }
end
local function llama(prefetch)
  return { model = "llama-2-7b", precision = "mixed-bf16", gpus = 8, gpu = "a100-80g", stage = 3, batch = 1, seq = 2048, prefetch = prefetch, recipe = "zerolab" }
end
-- zerolab trains GPT-2's shape: the model that the lab's prediction is exact for.
local function xl(prefetch, gpus)
  return { model = "gpt2-xl", precision = "mixed-bf16", gpus = gpus or 8, stage = 3, batch = 1, seq = 1024, prefetch = prefetch, recipe = "zerolab" }
end

local states = engine.ledger(training(7e9, 8, 3))
local model = engine.model("gpt2-xl")
local memory = engine.memory(xl(1))
local function kept_by(ledger) return ledger.params + ledger.grads + ledger.master + ledger.moments end
local function gather(prefetch) return engine.memory(xl(prefetch)).highest.gather end
local function elsewhere(recipe) return engine.memory { model = "llama-2-7b", gpus = 8, stage = 3, batch = 1, seq = 2048, recipe = recipe } end
local fsdp, deepspeed = elsewhere("fsdp2"), elsewhere("deepspeed")
local mixtral = engine.model("mixtral-8x7b")
-- Each of its experts is a gated MLP of three matrices.
local experts = mixtral.layers * mixtral.experts * 3 * mixtral.hidden * mixtral.ffn / mixtral.params

-- ── what the problems draw from ─────────────────────────────────────────────────────────────────

local sizes = { 3e9, 6.7e9, 7e9, 8e9, 13e9, 20e9, 34e9, 70e9 }
local worlds = { 8, 16, 32, 64 }
local shapes = { "gpt2", "gpt2-medium", "gpt2-large", "gpt2-xl" }

return lesson {
  id = "2.3",
  title = "Parameters join: every layer needs an all-gather",
  stop = "keep-by-lines",
  goal = "follow a layer through a step of stage 3, write down what its peak is made of, and say what prefetch buys and what it costs",
  revision = 1,
  values = {
    deepspeed = deepspeed, experts = experts, fsdp = fsdp, gather = gather, kept_by = kept_by, memory = memory, model = model,
    states = states, whole = engine.gb(engine.ledger(training(7e9, 1, 0)).params),
    kept_64 = engine.bytes(kept_by(engine.memory(xl(1, 64)).persistent)), peak_64 = engine.bytes(engine.memory(xl(1, 64)).peak),
    seven_whole = engine.gb(2 * engine.model("llama-2-7b").params, 3),
    fsdp_each = string.format("%.0f", 8 * fsdp.persistent.total / engine.model("llama-2-7b").params),
    volume = string.format("%gΨ", engine.traffic(training(7e9, 8, 3)).volume_params),
    once = engine.gb(engine.traffic(training(7e9, 8, 3)).total, 4), four = engine.gb(engine.traffic(training(7e9, 8, 3, 4)).total, 4),
  },

  predict {
    id = "is-it-ever-whole",
    wall = [[
7B on eight GPUs, **stage 3**: a rank keeps ${gb(states.params, 3)} of ${whole}, and its forward needs every weight. How much of
the model is whole on one GPU at the peak of a step?]],
    title = "Before you start",
    ask = [[
The mechanics of lesson 1.3 have now taken apart the instructions, too: each carries an eighth of them. But no mechanic can work
from an eighth. How much of the manual must lie on a bench? Here is the same question for a model.

7B on eight GPUs under stage 3. A rank keeps an eighth of the bf16 weights, ${gb(states.params, 3)} of ${whole}. But its forward multiplies with **every** weight.

How much of the model is whole on one GPU at the peak of a step?]],
    choices = {
      "all ${whole}, for a short time",
      "one layer, or a few",
      "never more than the ${gb(states.params, 3)} it keeps",
    },
    answer = 2,
    reveal = [[
**A layer or a few.** Each is gathered just before it runs and freed right after. A large model exists whole on no GPU at any time.

(A small one may: DeepSpeed keeps what is needed again within `stage3_max_reuse_distance`, 1e9 elements unless you say less.)]],
    sources = { "deepspeedai/DeepSpeed, runtime/zero/config.py: max_reuse_distance; partitioned_param_coordinator.py: what a submodule releases" },
  },

  say {
    id = "one-chapter",
    title = "The everyday picture again",
    text = [[
Back to the mechanics and their eighths of the instructions. Before each job every mechanic reads out a part of **one chapter**, and all eight copy the parts. They do the job, throw the copies away, and turn to the next chapter. In the evening they check their work in the reverse order, and each chapter goes round again.

Every mechanic reads the whole manual every day. No mechanic ever has the whole manual on the bench.]],
  },

  say {
    id = "a-layer",
    title = "A layer's day",
    text = [[
Of each layer a rank keeps one shard. In every micro-batch:

- **Forward**: all-gather the layer's weights, compute, free them.
- **Backward**, from the last layer to the first: all-gather them *again*, compute, free them, reduce-scatter the layer's gradients.

Two gathers and one reduce-scatter: Ψ + Ψ + Ψ = ${volume}. After the update nothing is gathered: the next forward does that anyway.

A rank gathers one **unit** at a time, usually a whole block. Gathering matrix by matrix would move the same bytes in many more messages.]],
    sources = {
      "Rajbhandari et al., ZeRO, arXiv:1910.02054, sections 5.3 and 7.2.2",
      "Zhao et al., PyTorch FSDP, arXiv:2304.11277, section 3: units, and gathering before forward and before backward",
      "PyTorch documentation, fully_shard: reshard_after_forward=False keeps the weights from forward to backward, and saves the second gather",
    },
  },

  animate {
    id = "one-gather",
    title = "One unit is gathered",
    wall = "Before a rank computes a unit, an all-gather makes it whole.",
    play = "ring-all-gather",
    notes = {
      start = "Each rank brings the one shard of the unit that it keeps.",
      gather = "A shard moves to the neighbour, which copies it. Nothing is added.",
      finish = "The unit is whole everywhere, until it has been computed with.",
    },
    ask = "Which rank's shard does rank 0 send next?",
    reveal = "First its own, then each shard that it has just received.",
    [[The other half of the ring. How much does a rank send to see a whole unit?]],
  },

  animate {
    id = "window-of-units",
    title = "Gather, use, free",
    wall = "A unit is gathered, used and freed.",
    play = "gather-use-free",
    training = { model = "llama-2-7b", gpus = 8, stage = 3 },
    notes = {
      start = "Each rank brings its eighth of the unit; after seven hops all have it whole.",
      forward = "Prefetch 1 brings the next unit meanwhile. Keep off frees a used one.",
      turn = "With keep on, the whole model is here now.",
      backward = "Whole units and one whole gradient: with keep off, the peak is here.",
      finish = "How high is the peak with more prefetch? And with keep on, as FSDP can do?",
    },
    ask = "Block 0 computes next. How many units are then gathered or arriving?",
    reveal = "A used unit stays only with keep on.",
    [[Llama 2 7B on eight GPUs. A window of whole units walks there and back.]],
    sources = { "account_gathering() in this repository: src/account/play/gather.c" },
  },

  figure {
    id = "forward-at-work",
    title = "While forward goes on",
    text = "Llama 2 7B on eight A100s, stage 3, one unit ahead. Which gather has nothing to hide behind?",
    figure = { kind = "timeline", part = "forward", training = llama(1) },
    sources = { "account_schedule() in this repository: src/account/traffic/schedule.c" },
  },

  read {
    id = "the-schedule",
    title = "The schedule in code",
    wall = "These lines say when a unit is gathered.",
    file = "src/lab/gather.c",
    mark = "schedule",
    [[The first: nothing computes before it. Here is how the others start early.]],
    notes = {
      { "ahead = i + k->options->prefetch", "`i` is the unit about to compute. Gather up to here: the unit itself and `prefetch` more." },
      { "if (!k->stage->shards_params)", "Stages 0 to 2 have the weights already." },
      { "g->started <= ahead", "Start all gathers up to there. They run during the computation." },
      { "return arrive(k, i)", "Only then wait for this unit's own gather. Started early, it is done." },
    },
    ask = "With prefetch 0, when does the gather of block 5 start?",
    choices = { "just before block 4 computes", "just before block 5 computes", "with all the others, at the start" },
    answer = 2,
    reveal = "Nothing computes during it, so nothing hides it. With prefetch 1 it starts before block 4.",
  },

  say {
    id = "what-the-peak-is",
    title = "What the peak really is",
    text = [[
A rank **keeps** 16Ψ/N. At the peak of a step, this course's trainer holds

> 16Ψ/N  +  (1 + prefetch) gathered units  +  one unit's whole gradients  +  the reduce buffer  +  activations  +  logits (2.4)

With GPT-2 XL (${count(model.params)}) on eight ranks it keeps ${bytes(kept_by(memory.persistent))} of states. The *gather buffer* for its units takes ${bytes(gather(0))} without
prefetch, ${bytes(gather(1))} with one ahead, ${bytes(gather(2))} with two. The peak is ${bytes(memory.peak)}, in *${memory.where}*.

Watch the **embeddings**. They are also a unit, often the largest. If they are tied to the head, the trainer gathers them for the lookup
and again for the head, and holds them until the head's backward ends.

Units of all sizes come and go, and could leave free memory *fragmented*. So the trainer reserves contiguous buffers once and reuses
them. The ZeRO paper proposes that, too, for gradients and activation checkpoints (ZeRO-R).]],
    briefly = [[
At the peak of a step a rank holds 16Ψ/N, the gathered units (one and those fetched ahead), one unit's gradients, the reduce buffer, activations and logits.

GPT-2 XL on eight ranks keeps ${bytes(kept_by(memory.persistent))} of states, gathers ${bytes(gather(1))} with one unit ahead, and peaks at ${bytes(memory.peak)}. The
largest unit is often the **embeddings**.]],
    slowly = [[
Under stage 3 a rank **keeps** 16Ψ/N. That is the small number. But a step needs more than that for a short time. Let us add it up.

> 16Ψ/N  +  (1 + prefetch) gathered units  +  one unit's whole gradients  +  the reduce buffer  +  activations  +  logits (2.4)

A unit is one layer, or the embeddings. The unit that computes is whole. If the next one is fetched ahead, it is whole, too. In
backward the unit's gradients are whole, until they are reduced. They wait in the reduce buffer. Activations and logits come on
top, as without ZeRO.

Take GPT-2 XL (${count(model.params)}) on eight ranks. It keeps ${bytes(kept_by(memory.persistent))} of states. Now the gathered units: without prefetch they take ${bytes(gather(0))}.
With one unit ahead they take ${bytes(gather(1))}. With two they take ${bytes(gather(2))}. The peak is ${bytes(memory.peak)}. It comes in *${memory.where}*.

Watch the **embeddings**. They are a unit, too. Often they are the largest. If they are tied to the head, they are used twice. The
trainer gathers them for the lookup. It gathers them again for the head. Then it holds them until the head's backward ends.

There is one more trap. Units have different sizes, and they come and go. So free memory can break into pieces that are too small. That is
*fragmentation*. The trainer avoids it. It reserves buffers once and uses them again and again. The ZeRO paper proposes the same for
gradients and for activation checkpoints (ZeRO-R).]],
    sources = {
      "zerolab, src/lab/states.c and src/account/memory/memory_units.c in this repository",
      "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 6.3: fragmentation, and contiguous buffers set aside ahead",
    },
  },

  figure {
    id = "a-step-drawn",
    title = "The peak, drawn",
    text = "The same step of GPT-2 XL, from left to right. Some of the memory is held only for a while. Which category takes most of that?",
    figure = { kind = "curve", training = xl(1), rows = 7 },
    sources = { "account_timeline() in this repository: src/account/memory/timeline.c" },
  },

  say {
    id = "other-peaks",
    title = "The same sum in other hands",
    text = [[
The terms are the same everywhere, but each framework holds other amounts. Llama 2 7B on eight ranks, ${seven_whole} of bf16 weights:

| | gathered at most | kept between steps |
|:--|--:|--:|
| FSDP2 | ${gb(fsdp.highest.gather, 3)} | ${gb(fsdp.persistent.total, 3)} |
| DeepSpeed's stage 3 | ${gb(deepspeed.highest.gather, 3)} | ${gb(kept_by(deepspeed.persistent), 3)}, and a bucket of ${gb(deepspeed.persistent.reduce, 2)} |

- **FSDP2** keeps ${fsdp_each}Ψ/N of a model built in fp32: these weights, and the moments. Gradients are freed after the step. Embeddings and head sit in the root unit, which
  stays gathered from forward to backward. If they are tied, it gathers them once per micro-batch.
- **DeepSpeed** holds up to 1e9 elements at a time by default (`stage3_max_live_parameters`), in bf16 2 bytes each. It frees a layer only if
  the next 1e9 elements do not need it.
- Both allocate memory for each gather and leave fragmentation to PyTorch's caching allocator.]],
    sources = {
      "pytorch/pytorch, torch/distributed/fsdp/_fully_shard: _fsdp_state.py, the root's parameters are not freed after forward by default, and tied ones must share a unit; _fsdp_collectives.py, the gather's output is allocated each time",
      "deepspeedai/DeepSpeed, runtime/zero/config.py: max_live_parameters, max_reuse_distance; partition_parameters.py: torch.empty for each gather",
    },
  },

  worked {
    id = "by-hand",
    title = "By hand: what stage 3 keeps",
    text = "13B, mixed-precision AdamW, 16 GPUs, stage 3:",
    problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = training(13e9, 16, 3) },
    notes = {
      params = "The last pile that was whole.",
      grads = "As under stage 2.",
      total = "16Ψ/N. Gathered units, gradients in flight and activations are added.",
    },
  },

  problem {
    id = "keep-by-lines",
    title = "Your turn: watch the stage",
    form = "sheet",
    blank = { "params", "moments", "total" },
    about = { "params-sharded", "no-master" },
    vary = function(r)
      return {
        problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = training(r:pick(sizes), r:pick(worlds), r:pick { 2, 2, 3 }) },
        ask = "${A params} model, ${precision} with AdamW, ${gpus} GPUs, ZeRO stage **${stage}**. What does a rank keep?",
      }
    end,
    hints = {
      "What does stage 3 divide that stage 2 does not?",
      "The params: whole under stage 2, 2 B × Ψ ÷ N under stage 3.",
    },
  },

  explore {
    id = "knobs-of-the-peak",
    title = "The knobs of the peak",
    text = "GPT-2 XL, stage 3: each pile at its own highest, so a bit over the true peak.",
    training = xl(1),
    sliders = {
      { field = "gpus", label = "GPUs", start = 3, values = { { value = 2, name = "2" }, { value = 4, name = "4" }, { value = 8, name = "8" }, { value = 64, name = "64" } } },
      { field = "prefetch", label = "prefetch", start = 2, values = { { value = 0, name = "0" }, { value = 1, name = "1" }, { value = 2, name = "2" } } },
      { field = "batch", label = "micro-batch", start = 1, values = { { value = 1, name = "1" }, { value = 2, name = "2" }, { value = 4, name = "4" }, { value = 8, name = "8" } } },
    },
    figure = { kind = "ledger", training = "explore", unit = "GB" },
    try = {
      "64 GPUs: what is left? Prefetch 2: what is added?",
    },
  },

  lab {
    id = "prefetch-depth",
    title = "Prefetch: time against memory",
    lab = "prefetch",
    text = [[
From 8 to 64 GPUs the states fall from ${bytes(kept_by(memory.persistent))} to ${kept_64}, the peak only to ${peak_64}. Prefetch 2 adds one block, ${bytes(gather(1) - gather(0))}.

What does that buy? Stage 3 on two ranks over an **emulated** slow link, 0, 1 and 2 units ahead. Look for holes in the timeline's compute lane.]],
    question = [[
How many MB of model states does one of the two ranks keep under stage 3, in fp32?]],
    problem = {
      kind = "bytes", quantity = "model_state", unit = "MB",
      training = { params = "measured", precision = "fp32", optimizer = "adamw", gpus = 2, stage = 3, recipe = "paper" },
    },
    sources = { "zerolab --link: latency and bandwidth are emulated and labelled so; memory and bytes are true" },
  },

  problem {
    id = "gathered-at-most",
    title = "What is gathered",
    form = "number",
    about = { "model-gathered", "gathered-elements", "shard-gathered" },
    vary = function(r)
      local t = xl(r:pick { 0, 1, 2 }, r:pick { 4, 8, 16 })
      t.model = r:pick(shapes)
      local m = engine.model(t.model)
      local embeddings = (m.vocab + m.context) * m.hidden
      return {
        problem = { kind = "peak", quantity = "gather", unit = "MB", training = t },
        values = { title = m.title, embeddings = engine.count(embeddings), block = engine.count(12 * m.hidden * m.hidden + 13 * m.hidden) },
        ask = "${title} under stage 3 on ${gpus} GPUs in this course's trainer, prefetch ${prefetch}, all in bf16. Its largest unit is the embeddings, ${embeddings} parameters, tied to the head; a block has ${block}. While the head computes, the next units are blocks. How many ${unit} are gathered at most?",
      }
    end,
    hints = {
      "Which units are whole at the same time, at the peak?",
      "The unit at work and the ones ahead: 2 B × (embeddings + prefetch × block).",
    },
  },

  problem {
    id = "sent-by-stage-3",
    title = "What stage 3 sends",
    form = "number",
    about = { "one-gather", "accumulation-free" },
    vary = function(r)
      return {
        problem = { kind = "traffic", unit = "GB", training = training(r:pick(sizes), r:pick { 8, 16, 32 }, 3, r:pick { 2, 4, 8 }) },
        ask = "${A params} model, ${precision}, ${gpus} GPUs, ZeRO stage 3 by the paper's algorithm, ${accumulate} micro-batches a step. How many ${unit} does a rank send per step?",
      }
    end,
    hints = {
      "Weights are freed after each layer. What does that mean for the next micro-batch?",
      "All three collectives for each micro-batch: 3 × A × (N − 1)/N × 2 B × Ψ.",
    },
  },

  problem {
    id = "order-of-a-layer",
    title = "A layer's day, in order",
    form = "order",
    review = true,
    vary = function(r)
      local block = r:int(3, 20)
      return {
        ask = "Stage 3. What happens to block " .. block .. " in one micro-batch?",
        items = {
          "all-gather its weights", "compute its forward", "free its weights",
          "all-gather its weights once more", "compute its backward", "reduce-scatter its gradients",
        },
        because = "Between forward and backward of a block all later blocks come first, so its weights are not worth keeping.",
      }
    end,
    hints = {
      "How often must its weights be whole?",
      "Once for forward and once for backward; its gradients leave at the end.",
    },
  },

  problem {
    id = "divided-or-not",
    title = "Does N divide it?",
    form = "sort",
    review = true,
    vary = function(r)
      local all = {
        { text = "Adam's moments", bin = 1, because = "Sharded since stage 1." },
        { text = "the weights between two steps", bin = 1, because = "Sharded by stage 3." },
        { text = "the block that is at work", bin = 2, because = "It is whole while it computes." },
        { text = "the block that prefetch brings", bin = 2, because = "A second whole block." },
        { text = "the activations of the rank's micro-batch", bin = 2, because = "They are of this rank's own data." },
        { text = "the logits", bin = 2, because = "An activation: micro-batch × sequence × vocabulary." },
        { text = "the gradients of the block that runs backward", bin = 2, because = "Whole until they are reduce-scattered." },
        { text = "a norm's weight below DeepSpeed's persistence threshold", bin = 2, because = "Kept whole on purpose." },
      }
      local items = {}
      for i, item in ipairs(r:shuffle(all)) do
        if i <= 5 then items[i] = item end
      end
      return { ask = "Stage 3, on N ranks. Is it divided by N?", bins = { "divided by N", "not divided" }, items = items }
    end,
    hints = {
      "All that is kept between steps is divided. But what is held only while a unit computes?",
      "Whole: anything gathered, anything made by this rank's own data.",
    },
  },

  problem {
    id = "largest-on-n",
    title = "The largest that its states allow",
    form = "number",
    review = true,
    about = { "no-master" },
    vary = function(r)
      return {
        problem = {
          kind = "largest_params", budget = r:pick { "24GB", "40GB", "48GB", "80GB" }, unit = "billion",
          training = { precision = "mixed-bf16", optimizer = "adamw", gpus = r:pick { 4, 8, 16, 64 }, stage = 3, recipe = "paper" },
        },
        ask = "${gpus} GPUs with ${budget} each for model states, stage 3, AdamW, ${precision}. Going by model states alone, what is the largest model, in billions of parameters?",
      }
    end,
    hints = { "All the memory together holds how many parameters of 16 bytes?", "N × budget ÷ 16 B." },
  },

  myth {
    id = "exactly-one-nth",
    title = "One Nth of a single GPU's memory",
    claim = "Under ZeRO-3 the memory of a GPU is the single-GPU memory divided by N.",
    says = { "single-GPU memory divided by", "divides everything by N" },
    truth = false,
    because = [[
Only the model **states** are. Gathered units, one unit's whole gradients, buffers, activations and logits are not: GPT-2 XL on eight ranks keeps
${bytes(kept_by(memory.persistent))} and peaks at ${bytes(memory.peak)}. And small tensors are often kept whole on purpose: gathering a norm's ${bytes(2 * model.hidden)} costs a message and saves
almost nothing. Sparse experts are the opposite. They hold ${percent(experts, 2)} of Mixtral 8x7B, so shard them, but gather them less: expert parallelism (3.3) leaves each on the
ranks that compute it.]],
    sources = {
      "deepspeedai/DeepSpeed, zero/config.py: stage3_param_persistence_threshold = 1e5 elements",
      "Jiang et al., Mixtral of Experts, arXiv:2401.04088, table 1: 32 layers of 8 experts",
    },
  },

  say_aloud {
    id = "explain-it",
    title = "Aloud: what stage 3 saves",
    ask = "*\"If every GPU must compute with the whole model, what does stage 3 save at all?\"* Answer, and be honest about what it costs.",
    points = {
      "layers run one after the other: only one or two are whole at a time",
      "gathered before forward and again before backward, freed after",
      "kept: 16Ψ/N; for a while: (1 + prefetch) units, a unit's gradients",
      "activations and logits are not divided",
      "traffic 3Ψ instead of 2Ψ, and in every micro-batch",
    },
    model = [[
It never holds the whole model at one time. A block is gathered, run and dropped, in forward and again in backward. So it holds 16Ψ/N of states, one
or two whole blocks and one block's gradients. The price is 3Ψ of traffic in every micro-batch, where DDP can do with 2Ψ per step. Prefetch
hides what it can, for one more block of memory. Activations and logits are not divided.]],
  },

  cards {
    id = "cards",
    cards = {
      { id = "layers-day", front = "Stage 3: a layer's collectives in a micro-batch?", back = "All-gather, (forward, free), all-gather, (backward, free), reduce-scatter of gradients." },
      { id = "peak-of-3", front = "What is a stage-3 peak made of?", back = "16Ψ/N + (1 + prefetch) units + a unit's whole gradients + reduce buffer + activations + logits, in this course's trainer. DeepSpeed holds up to 1e9 gathered elements instead." },
      { id = "prefetch-costs", front = "What does prefetch cost, and what does it buy?", back = "Memory for one more unit each; exposed gather time. Not one byte of traffic." },
      { id = "tied-embedding", front = "A tied embedding under stage 3?", back = "In this course's trainer it is gathered twice per micro-batch: for the lookup, and for the head until the head's backward ends. FSDP2 gathers it once, in the root unit." },
      { id = "persistence", front = "Why keep small parameters whole?", back = "A gather costs a message's latency and would save almost no memory (DeepSpeed: below 1e5 elements)." },
      { id = "fragments", front = "Why reserve contiguous buffers under stage 3, and who does?", back = "Units of all sizes come and go and could leave pieces too small to use. This course's trainer and ZeRO-R reserve. FSDP2 and DeepSpeed's stage 3 allocate each gather." },
      { id = "all-gather-bucket", front = "Does a larger all-gather bucket cure an out-of-memory peak?", back = "No: DeepSpeed's stage 3 does not read it; where it is read it is a buffer, and larger is worse." },
    },
  },

  recap {
    id = "recap",
    title = "To take away",
    wall = "The states divide by N, and the peak does not.",
    further = {
      "*ZeRO*, sections 5.3 and 7.2: https://arxiv.org/abs/1910.02054",
      "DeepSpeed documentation, ZeRO: https://deepspeed.readthedocs.io/en/latest/zero3.html",
    },
    sources = {
      "The code that settles it: src/lab/gather.c and src/lab/step.c in this repository",
      "Zhao et al., PyTorch FSDP, section 3: https://arxiv.org/abs/2304.11277",
      "PyTorch documentation, fully_shard: https://docs.pytorch.org/docs/stable/distributed.fsdp.fully_shard.html",
    },
    text = [[
- Gather → forward → free … gather → backward → free → reduce-scatter.
- **${volume}** in every micro-batch: 7B on 8 GPUs sends ${once}; with four, ${four}.
- Kept: **16Ψ/N**. Held for a while: (1 + prefetch) units (DeepSpeed: up to 1e9 elements), one unit's gradients, a reduce buffer. Not divided: activations, logits.
- One unit more of prefetch: ${bytes(gather(1) - gather(0))} for GPT-2 XL, no traffic, less waiting.
- A large model exists whole on no GPU, at no time.

Next: the part of memory that none of the stages touches.]],
  },
}
