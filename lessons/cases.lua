-- Cases of the week: complaints as people bring them. What do you ask first, and which figure settles it? Nothing here is graded.
--
-- Each case is a `predict` whose title is the complaint in one line; home shows it. `needs` names the lesson after which a
-- learner can settle it. Every figure is the engine's. The cases rotate by the week: add new ones at the end.

local a100 = engine.card("a100-80g")

local function paper(fields)
  local training = { precision = "mixed-bf16", optimizer = "adamw", recipe = "paper" }
  for name, value in pairs(fields) do training[name] = value end
  return training
end
local function states(fields) return engine.ledger(paper(fields)) end

-- two GPUs more, and still no room
local ddp = states { params = 7e9, gpus = 8, stage = 0 }
local sharded = states { params = 7e9, gpus = 8, stage = 1 }

-- the first update
local first = paper { params = 13e9, gpus = 8, stage = 1 }
local late = engine.ledger(first)

-- stage 2 to 3 over PCIe
local function clocked(stage)
  return engine.clock(paper { model = "llama-2-7b", gpus = 8, stage = stage, gpu = "a100-pcie-80g", batch = 1, seq = 2048, checkpoint = "full", link = "pcie4" })
end
local two, three = clocked(2), clocked(3)

-- a longer sequence
local function saved(seq) return engine.activations(paper { model = "llama-2-7b", gpus = 8, stage = 3, batch = 1, seq = seq }).highest end

-- logits
local llama3 = paper { model = "llama-3-8b", gpus = 8, stage = 3, batch = 4, seq = 8192, checkpoint = "full", recipe = "fsdp2" }
local logits = engine.activations(llama3)

-- accumulation
local function sent(stage, accumulate) return engine.traffic(paper { params = 7e9, gpus = 8, stage = stage, accumulate = accumulate }).total end

-- 70B at stage 3
local seventy = paper { params = 70e9, gpus = 8, stage = 3 }
local enough = engine.fewest_gpus(seventy, a100.label_bytes)

-- offload
local function stepped(tier)
  return engine.clock(paper { model = "llama-2-13b", gpus = 8, stage = 2, gpu = "a100-80g", batch = 1, seq = 2048, checkpoint = "full", offload_optimizer = tier })
end
local host, card = stepped("host"), stepped("none")

-- adapters
local lora = states { model = "llama-2-13b", gpus = 1, stage = 0, lora = 16 }

-- two machines
local function between(group)
  return engine.traffic(paper { params = 13e9, gpus = 16, gpus_per_node = 8, stage = 3, shard_group = group }).between
end

-- recipes
local seven = { params = 7e9, gpus = 8, stage = 1 }
local textbook = states(seven)
local deepspeed = engine.ledger { params = 7e9, gpus = 8, stage = 1, precision = "mixed-bf16", optimizer = "adamw", recipe = "deepspeed" }

-- the gathered units
local wide = paper { model = "llama-2-13b", gpus = 64, stage = 3, batch = 1, seq = 2048, checkpoint = "full", recipe = "fsdp2" }
local peak = engine.memory(wide)

local file = states { params = 7e9, gpus = 1, stage = 0 }

local question = "\n\nWhat do you ask first, and which figure settles it?"
local function case(step)
  step.ask = "> " .. step[1] .. question
  step[1] = nil
  return predict(step)
end

return lesson {
  id = "cases", title = "Cases of the week",
  values = {
    a100 = a100, between = between, ddp = ddp, deepspeed = deepspeed, enough = enough, card = card, file = file, host = host, late = late, logits = logits,
    lora = lora, peak = peak, saved = saved, sent = sent, seventy = engine.ledger(seventy), sharded = sharded, textbook = textbook,
    three = three, two = two,
  },

  case {
    id = "twice-the-gpus", needs = "1.2", title = "Twice the GPUs, and it still runs out of memory",
    "7B, mixed-precision Adam, DDP on four A100-80GB: out of memory. We rented four more, and it is out of memory again, at the same line.",
    choices = {
      "Which batch size? The activations of one sequence settle it",
      "Which stage? The states that one GPU keeps settle it",
      "Which link? The bytes of the all-reduce settle it",
    },
    answer = 2,
    reveal = [[
Ask for the **stage**. Under DDP each GPU keeps ${gb(ddp.total)} of states, on four GPUs as on eight, and the card gives
${gb(a100.usable_bytes)}. No batch size helps. Stage 1 on the eight GPUs keeps ${gb(sharded.total)}.]],
    given = { "A100-80GB" },
  },

  case {
    id = "eight-gb-gone", needs = "1.1", title = "Calculator: 112 GB. Profiler: 104. Who is right?",
    "The calculator says 112 GB of states for 7B. The profiler shows 104.3. We optimized nothing. Can we plan with the smaller number?",
    choices = {
      "Which unit? The same bytes in GiB settle it",
      "Which optimizer? The bytes of its moments settle it",
      "Which precision? The bytes of a gradient settle it",
    },
    answer = 1,
    reveal = [[
Ask for the **unit**. ${gb(file.total)} and ${gib(file.total)} are the same bytes: a GiB is 2^30 bytes, 7% more than a GB.
Nothing was saved. Plan with bytes, and compare with the card in the same unit.]],
    given = { "112 GB", "7%" },
  },

  case {
    id = "first-update", needs = "1.3", title = "It runs, and dies in the first optimizer step",
    "13B on eight A100-80GB at stage 1. Forward and backward ran, 74 GB in use, and the first `optimizer.step()` is out of memory.",
    choices = {
      "How large is a bucket? The staging of the reduction settles it",
      "Is the sequence longer in that step? Its activations settle it",
      "What is allocated only then? The moments of this rank's shard settle it",
    },
    answer = 3,
    reveal = [[
Ask **what is new at that point**. Adam makes its two averages at the first update: ${gb(late.moments)} per GPU here, of
${gb(late.total)} of states in total. Add the activations, and the card's ${gb(a100.usable_bytes)} are spent. A run that survives its
first update keeps what it needs.]],
    given = { "A100-80GB", "74 GB" },
  },

  case {
    id = "slower-at-stage-3", needs = "2.5", title = "We moved from stage 2 to 3 and lost speed",
    "7B on eight A100s over PCIe. Stage 2 fitted, but everybody says stage 3 is better. Now each step is slower. Same model, same batch.",
    choices = {
      "How much memory is free now? The states that one GPU keeps settle it",
      "Which link? The seconds of communication that no computation hides settle it",
      "Which optimizer? The time of its update settles it",
    },
    answer = 2,
    reveal = [[
Ask for the **link**, then calculate the exposed seconds. Per step ${seconds(two.exposed)} of communication stick out at stage 2, and
${seconds(three.exposed)} at stage 3, of steps of ${seconds(two.step)} and ${seconds(three.step)}. Stage 3 gathers the weights twice. If stage 2 fits,
stay there.]],
  },

  case {
    id = "four-times-the-text", needs = "2.4", title = "2048 tokens run, 8192 do not, on any number of GPUs",
    "7B at stage 3. Sequences of 2048 are fine. At 8192 it is out of memory, so we doubled the GPUs. It is still out of memory.",
    choices = {
      "How many GPUs in total? The states that one GPU keeps settle it",
      "Are layers checkpointed? The activations of one sequence settle it",
      "How large is a unit? The bytes of an all-gather settle it",
    },
    answer = 2,
    reveal = [[
Ask about **checkpointing**. No stage divides activations: one sequence of 2048 saves ${gb(saved(2048))}, one of 8192 saves
${gb(saved(8192))}, on each GPU, however many there are. Checkpoint the layers, or divide the sequence itself.]],
  },

  case {
    id = "end-of-forward", needs = "2.4", title = "All layers fit, and it dies at the very end of forward",
    "Llama 3 8B, FSDP2, micro-batch of 4 with 8192 tokens, full checkpointing. It dies after the last layer. A model with a small vocabulary runs.",
    choices = {
      "How large is the vocabulary? The bytes of the logits settle it",
      "How many layers? The checkpoints that are kept settle it",
      "Which stage? The shard of the parameters settles it",
    },
    answer = 1,
    reveal = [[
Ask for the **vocabulary**. The logits of 4 × 8192 tokens with 128,256 words each, and what
PyTorch's cross-entropy makes of them, take ${gb(logits.logits)}. All layers together
keep ${gb(logits.layers)}. Use a smaller micro-batch, or a loss that never makes all logits.]],
    given = { "128,256" },
  },

  case {
    id = "sixteen-micro-batches", needs = "2.2", title = "Since stage 2 the network is busy all the time",
    "7B, 16 micro-batches per step. Since we went from stage 1 to stage 2 the network carries many times as much. The batch is the same.",
    choices = {
      "How many micro-batches? The bytes that a rank sends per step settle it",
      "How large is a bucket? The number of messages settles it",
      "How many GPUs? The length of a shard settles it",
    },
    answer = 1,
    reveal = [[
Ask for the **accumulation**. Stage 2 reduces gradients after each micro-batch: ${gb(sent(2, 16))} per rank and step, where stage 1 sends
${gb(sent(1, 16))}. With one micro-batch both send ${gb(sent(1, 1))}. Spend the memory that stage 2 frees on larger micro-batches.]],
  },

  case {
    id = "seventy-on-eight", needs = "1.3", title = "70B at stage 3 dies before the first batch",
    "70B on eight A100-80GB. Stage 3 divides everything, and still it is out of memory while it starts.",
    choices = {
      "Which sequence length? The activations settle it",
      "How many GPUs? 16 bytes per parameter, divided by them, settle it",
      "Which link? The time to load the weights settles it",
    },
    answer = 2,
    reveal = [[
Divide first. Stage 3 on eight GPUs keeps ${gb(seventy.total)} of states per GPU, and the card gives ${gb(a100.usable_bytes)}. It takes
**${enough} GPUs** until the states alone fit, or another tier: host memory, adapters, fewer bytes per parameter.]],
    given = { "A100-80GB", "16 bytes" },
  },

  case {
    id = "offload-by-reflex", needs = "3.2", title = "Offload made it fit, and every step waits for the host",
    "13B on eight A100s at stage 2, and the optimizer on the host. It fits with room to spare, but the GPUs are idle for a part of each step.",
    choices = {
      "How much host memory is there? The master weights and moments settle it",
      "How long does the update take there? Its seconds on the host and over the link settle it",
      "How fast is NVMe? The seconds to read the moments settle it",
    },
    answer = 2,
    reveal = [[
Ask for the **update**. On the card it would take ${seconds(card.update)}. On the host it takes ${seconds(host.update)}, with ${seconds(host.offload)} for gradients
down and weights up, and the step ${seconds(host.step)} instead of ${seconds(card.step)}. More micro-batches per step spread that time. If the states
fit without offload, leave it off.]],
  },

  case {
    id = "one-percent", needs = "1.1", title = "LoRA trains 1% of the weights. Why 26 GB?",
    "We fine-tune Llama 2 13B with LoRA. Under 1% of the parameters are trained, so I expected 2 GB. It takes over 26 GB before the first batch.",
    choices = {
      "Which rank do the adapters have? Their moments settle it",
      "What does each frozen parameter still take? The bytes of the frozen weights settle it",
      "Which optimizer is it? Its bytes per parameter settle it",
    },
    answer = 2,
    reveal = [[
Ask what a **frozen** parameter takes. It has no gradient, no master copy and no moments, but its weight is still there: all parameters together are
${gb(lora.params)} of ${gb(lora.total)}. Gradients, master copy and moments of the adapters are only ${gb(lora.total - lora.params)}. To save more, quantize the frozen weights.]],
    given = { "1%", "2 GB", "26 GB" },
  },

  case {
    id = "second-machine", needs = "3.3", title = "A second machine made every step slower",
    "13B at stage 3. Eight GPUs in one machine were fine. Sixteen in two machines take longer per step, with the same micro-batch per GPU.",
    choices = {
      "Which ranks share the states? The bytes that cross between machines settle it",
      "How many cores has each machine? The loader's tokens per second settle it",
      "Is the batch larger? The activations settle it",
    },
    answer = 1,
    reveal = [[
Ask for the **shard group**. If all 16 ranks share the states, each rank sends ${gb(between(16))} to the other machine in each step.
Sharded inside a machine and replicated across, it is ${gb(between(8))}. That costs memory: each GPU keeps twice the states.]],
  },

  case {
    id = "whose-stage-1", needs = "3.1", title = "DeepSpeed at stage 1 needs more than the paper says",
    "7B on eight GPUs at stage 1. The paper's formula gives 38.5 GB per GPU. DeepSpeed keeps more, on every rank. Is one of them wrong?",
    choices = {
      "Which copies does the recipe keep? Its own ledger settles it",
      "Is a rank doing more than the others? The padding settles it",
      "Is memory fragmented? The reserved bytes settle it",
    },
    answer = 1,
    reveal = [[
Ask for the **recipe**. The paper's stage 1 keeps ${gb(textbook.total)} here, DeepSpeed's keeps ${gb(deepspeed.total)}. Both are right: they differ in
which copies and buffers exist, and in what dtype. `zerotutor whose` finds whose number you have.]],
    given = { "38.5 GB" },
  },

  case {
    id = "not-one-sixty-fourth", needs = "2.3", title = "Stage 3 on 64 GPUs: why is the peak not one 64th?",
    "13B at stage 3 on 64 GPUs, one sequence at a time, with checkpointing. The states are divided by 64. The peak is several times that.",
    choices = {
      "How many GPUs would be enough? The states per GPU settle it",
      "Which units are whole at the peak? The ledger at that point settles it",
      "Which rank is it? The padding of the last shard settles it",
    },
    answer = 2,
    reveal = [[
Ask what is **whole at that point**. Between steps a GPU keeps ${gb(peak.persistent.total)}. The peak, ${peak.where}, is ${gb(peak.peak)}: gathered
units, whole gradients on their way, and activations, which 64 does not divide. Smaller units and less prefetch lower it.]],
  },

  case {
    id = "too-large-a-file", needs = "3.2", title = "The checkpoint is seven times the model",
    "Our 7B model is 14 GB, as downloaded. Each checkpoint that we save takes 98 GB. Is everything in there seven times?",
    choices = {
      "How many ranks saved? The number of replicas settles it",
      "What must be there to resume? The bytes per parameter of weights, master copy and moments settle it",
      "Is it compressed? The size after gzip settles it",
    },
    answer = 2,
    reveal = [[
Ask what is saved to **resume**. DeepSpeed's stages 1 and 2 save the weights, the fp32 master copy and both moments, ${gb(file.params + file.master + file.moments)}. Gradients
are left out, since the next step makes new ones. To *use* the model, the weights are enough: ${gb(file.params)}.]],
    given = { "14 GB", "98 GB" },
  },
}
