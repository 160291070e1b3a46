-- Questions people ask: each with a paragraph, a figure, and the step that teaches it. Numbers are the engine's, as in lessons.

local function training(params, gpus, stage, more)
  local t = { params = params, precision = "mixed-bf16", optimizer = "adamw", gpus = gpus, stage = stage, recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end
local function llama(name, gpus, stage, more)
  local t = { model = name, precision = "mixed-bf16", gpus = gpus, gpu = "a100-80g", stage = stage, batch = 1, seq = 2048, recipe = "paper" }
  for key, value in pairs(more or {}) do t[key] = value end
  return t
end
local function bars(params, gpus)
  local list = {}
  for stage = 0, 3 do list[stage + 1] = { label = "stage " .. stage, training = training(params, gpus, stage) } end
  return list
end
local function kept(params, gpus, stage) return engine.gb(engine.ledger(training(params, gpus, stage)).total) end
local function sent(params, stage, more) return engine.gb(engine.traffic(training(params, 8, stage, more)).total, 3) end
local function volume(stage) return string.format("%gΨ", engine.traffic(training(7e9, 8, stage)).volume_params) end

local seven = engine.ledger(training(7e9, 1, 0))
local card = engine.card("a100-80g")
local third = engine.memory(llama("llama-2-7b", 8, 3, { seq = 4096 }))
local acts = engine.activations(llama("llama-2-7b", 8, 3, { seq = 4096 }))
local few = engine.activations(llama("llama-2-7b", 8, 3, { seq = 4096, checkpoint = "full" }))
local thirteen = { model = "llama-2-13b", gpus = 1, gpu = "a100-80g", stage = 3, batch = 4, seq = 2048, checkpoint = "full", offload_optimizer = "nvme", recipe = "paper" }
local infinity, four = engine.clock(thirteen), {}
for name, value in pairs(thirteen) do four[name] = value end
four.gpus, four.offload_optimizer = 4, "none"
local more_gpus = engine.clock(four)
local fast, slow = engine.clock(llama("llama-2-7b", 8, 3)), engine.clock(llama("llama-2-7b", 8, 3, { link = "pcie4" }))
local flat = { params = 70e9, gpus = 64, gpus_per_node = 8, stage = 3, recipe = "paper" }
local group = { params = 70e9, gpus = 64, gpus_per_node = 8, stage = 3, shard_group = 8, recipe = "paper" }
local function between(t) return engine.gb(engine.traffic(t).between, 3) end
local function one_card(more)
  local t = { model = "llama-2-7b", gpus = 1, recipe = "paper" }
  for name, value in pairs(more) do t[name] = value end
  return t
end
local function states(more) return engine.gb(engine.ledger(one_card(more)).total, 3) end
local function per_param(recipe, stage) return engine.bytes_per_param(training(7e9, 1, stage, { recipe = recipe })).total end
local saved = engine.ledger(training(13e9, 1, 0))

return questions {
  values = {
    kept = kept, sent = sent, volume = volume, seven = seven, card = card, third = third, acts = acts, few = few, infinity = infinity,
    more_gpus = more_gpus, fast = fast, slow = slow, across = between(flat), within = between(group),
    flat_kept = engine.gb(engine.ledger(flat).total), group_kept = engine.gb(engine.ledger(group).total),
    states = states, per_param = per_param, saved = saved,
  },

  -- ── the five of the trade ──
  { id = "three-stages", lesson = "1.3", step = "ladder", ask = "What are the three stages of ZeRO?",
    figure = { kind = "stack", unit = "GB", limit = "80GB", legend = true, bars = bars(7.5e9, 64) },
    answer = [[
      Each stage divides one more kind of model state among the N ranks: stage 1 the optimizer's states, stage 2 also the gradients,
      stage 3 also the weights. Every rank still trains on its own micro-batches, and the arithmetic does not change. A 7.5B model on 64 GPUs
      takes ${kept(7.5e9, 64, 0)} per GPU without ZeRO, then ${kept(7.5e9, 64, 1)}, ${kept(7.5e9, 64, 2)} and ${kept(7.5e9, 64, 3)}.
    ]] },
  { id = "which-stage", lesson = "3.4", step = "the-napkin", ask = "Stage 1, 2 or 3: which one should I use?",
    figure = { kind = "stack", unit = "GB", limit = "a100-80g", legend = true, bars = bars(13e9, 8) },
    answer = [[
      Use the lowest stage that fits with activations and reserve, then compare its speed with the next one at the same global batch. By the
      paper's algorithm stage 1 sends no more than DDP. Stage 2 sends more as soon as you accumulate gradients, and stage 3 always does. For 13B on eight GPUs the states
      take ${kept(13e9, 8, 1)}, ${kept(13e9, 8, 2)} and ${kept(13e9, 8, 3)} per GPU. A higher stage pays if the memory that it frees buys a
      larger micro-batch.
    ]] },
  { id = "zero-or-fsdp", lesson = "3.1", step = "dictionary", ask = "ZeRO or FSDP: what is the difference?",
    figure = { kind = "piles", params = 7e9, columns = {
      { label = "DeepSpeed", training = training(7e9, 1, 3, { recipe = "deepspeed" }) },
      { label = "FSDP2", training = training(7e9, 1, 3, { recipe = "fsdp2" }) },
      { label = "FSDP2 in bf16", training = training(7e9, 1, 3, { recipe = "fsdp2", precision = "bf16" }) } } },
    answer = [[
      FSDP is PyTorch's implementation of the same idea: FULL_SHARD is stage 3, and SHARD_GRAD_OP is close to stage 2. They differ in what they
      keep. DeepSpeed keeps 16-bit weights and a separate fp32 copy. FSDP2 usually shards fp32 weights and makes the 16-bit ones when it gathers them.
      Before sharding both keep ${per_param("fsdp2", 3)} bytes per parameter. If you load the model in bf16, FSDP2 keeps no fp32 copy at all.
    ]] },
  { id = "why-three-costs-more", lesson = "1.4", step = "count-it", ask = "Why does stage 3 send more than stage 2?",
    figure = { kind = "traffic", training = training(7e9, 8, 3), stages = { 0, 1, 2, 3 } },
    answer = [[
      Because no rank has the weights. By the paper's algorithm a step of stage 2 reduce-scatters the gradients and all-gathers the new weights once: ${volume(2)} per rank.
      Stage 3 all-gathers each unit before its forward, frees it, and gathers it again before its backward, so it sends ${volume(3)}. For 7B on eight
      GPUs that is ${sent(7e9, 2)} at stage 2 and ${sent(7e9, 3)} at stage 3, per rank and step.
    ]] },
  { id = "when-infinity", lesson = "3.2", step = "when-it-hides", ask = "When is ZeRO-Infinity right, rather than stage 3 alone?",
    figure = { kind = "tiers", training = thirteen },
    answer = [[
      When stage 3 over all your GPUs still does not fit, and you cannot get more GPUs. Infinity keeps states in host memory or on NVMe, and every step
      moves them over a slow link. A 13B model on one A100 then takes ${seconds(infinity.step)} per step with its optimizer on NVMe. On four A100s
      at stage 3 the same step takes ${seconds(more_gpus.step)} and trains four times as many sequences. A larger micro-batch or more accumulation
      hides some of the transfers.
    ]] },

  -- ── ten more ──
  { id = "sixteen-bytes", lesson = "1.1", step = "four-piles", ask = "The weights take 14 GB. Why does training need 112 GB?", given = { "14 GB", "112 GB" },
    figure = { kind = "piles", params = 7e9, limit = "80GB", columns = { { label = "training 7B", training = training(7e9, 1, 0) } } },
    answer = [[
      The weights are two of sixteen bytes. Mixed-precision Adam also keeps a gradient of two bytes, an fp32 copy of the weight of four bytes, and two
      moments of four bytes each. For 7B parameters that makes ${gb(seven.total)}, and only ${gb(seven.params)} of it are the weights that
      you load from a file. Activations are added to that.
    ]] },
  { id = "more-gpus-same-error", lesson = "1.2", step = "redundancy", ask = "I added GPUs, and it still runs out of memory. Why?",
    figure = { kind = "stack", unit = "GB", limit = "80GB", bars = {
      { label = "DDP, 1 GPU", training = training(7e9, 1, 0) }, { label = "DDP, 8 GPUs", training = training(7e9, 8, 0) },
      { label = "ZeRO-3, 8 GPUs", training = training(7e9, 8, 3) } } },
    answer = [[
      Plain data parallel gives every GPU a full copy of all states, so a GPU keeps the same bytes for every N. A 7B model takes ${kept(7e9, 1, 0)}
      on one GPU and ${kept(7e9, 8, 0)} on each of eight. More GPUs compute more sequences per step. Only sharding makes room:
      stage 3 keeps ${kept(7e9, 8, 3)} on each of eight.
    ]] },
  { id = "not-one-nth", lesson = "2.3", step = "what-the-peak-is", ask = "Stage 3 on eight GPUs needs far more than an eighth. Where is the rest?",
    figure = { kind = "curve", training = llama("llama-2-7b", 8, 3, { seq = 4096 }), rows = 8 },
    answer = [[
      N divides only the model states. The gathered units, the buffers for sending and the activations of your own micro-batch stay whole. Llama 2 7B
      on eight A100s with one sequence of 4096 tokens keeps ${gb(third.persistent.total, 3)} between steps and peaks at ${gb(third.peak, 3)}.
      Checkpointing lowers that peak. A higher stage cannot.
    ]] },
  { id = "activations", lesson = "2.4", step = "what-it-grows-with", ask = "Does ZeRO also shard activations?",
    figure = { kind = "tower", bars = {
      { label = "nothing recomputed", training = llama("llama-2-7b", 8, 3, { seq = 4096 }) },
      { label = "full checkpointing", training = llama("llama-2-7b", 8, 3, { seq = 4096, checkpoint = "full" }) } } },
    answer = [[
      No. Each rank has its own sequences, so it saves its own activations, at every stage. They grow with the micro-batch and the sequence. For one
      sequence of 4096 tokens the layers of Llama 2 7B keep ${gb(acts.layers, 3)}. Full checkpointing saves only each layer's input,
      ${gb(few.layers, 3)}, and computes the rest again in backward.
    ]] },
  { id = "same-loss", lesson = "1.3", step = "the-ladder-runs", ask = "Does a stage change the loss or the result?",
    figure = { kind = "owners", training = training(7e9, 4, 3), stages = { 0, 1, 2, 3 } },
    answer = [[
      No. The stages change who keeps a number between two uses. They do not change the numbers: gradients are summed over the same ranks, and each
      element is updated once by the same rule. The course's lab trains one model under all four stages, and the losses agree in every bit.
      In other frameworks the order of a sum can differ, and then the last bits do.
    ]] },
  { id = "stage-1-or-2", lesson = "2.2", step = "accumulation", ask = "Stage 2 saves memory for nothing. Why not always use it?",
    figure = { kind = "traffic", training = training(13e9, 8, 2, { accumulate = 8 }), stages = { 1, 2, 3 } },
    answer = [[
      By the paper's algorithm it is free only without accumulation. Stage 1 adds up the gradients of all micro-batches on each rank and sends them once. Stage 2 keeps only a
      shard of the sum, so it must send after each micro-batch. For 13B on eight GPUs with eight micro-batches a rank sends
      ${sent(13e9, 1, { accumulate = 8 })} at stage 1 and ${sent(13e9, 2, { accumulate = 8 })} at stage 2.
    ]] },
  { id = "slow-on-pcie", lesson = "2.5", step = "two-links", ask = "Why is stage 3 fast on one machine and slow on another?",
    figure = { kind = "roofline", training = llama("llama-2-7b", 8, 3), links = { "nvlink3", "pcie4" } },
    answer = [[
      Its all-gathers must hide behind the computation of one unit, and the link decides if they can. Llama 2 7B on eight A100s with one sequence of
      2048 tokens waits ${seconds(fast.exposed)} per step over NVLink, and ${seconds(slow.exposed)} over PCIe 4. A larger micro-batch computes longer per gather
      and hides more. If memory allows it, a lower stage sends less.
    ]] },
  { id = "many-nodes", lesson = "3.3", step = "four-layouts", ask = "Should I shard over all nodes, or only inside each?",
    figure = { kind = "mesh", training = group },
    answer = [[
      Shard inside a node if one node can hold the states, and replicate across nodes (HSDP). The gathers then use the fast link, and only gradients
      cross between nodes. For 70B on eight nodes of eight GPUs a rank sends ${across} to other nodes per step if all 64 GPUs shard, and
      ${within} with groups of eight. The price is memory: each group keeps a full set
      of states, here ${group_kept} per GPU instead of ${flat_kept}.
    ]] },
  { id = "checkpoint-size", lesson = "3.2", step = "saving", ask = "How large is a checkpoint that I can resume from?",
    figure = { kind = "ledger", training = training(13e9, 1, 0) },
    answer = [[
      You need master weights and moments: ${gb(saved.master + saved.moments)} for 13B parameters. The 16-bit weights are the rounded master weights, so
      saving them is optional and makes it ${gb(saved.master + saved.moments + saved.params)}. Gradients are not saved, because the next step makes new ones.
      Under ZeRO each rank writes its own shard, and a file for inference must be put together from all of them.
    ]] },
  { id = "one-24-gb-card", lesson = "3.4", step = "six-cases", ask = "Can I fine-tune a 7B model on one card of 24 GB?", given = { "24 GB" },
    figure = { kind = "stack", unit = "GB", limit = "rtx-4090", legend = true, bars = {
      { label = "all weights", training = one_card {} }, { label = "LoRA", training = one_card { lora = 16 } },
      { label = "QLoRA", training = one_card { qlora = 16 } } } },
    answer = [[
      Not all of its weights: the states of Llama 2 7B take ${states {}}, and a single GPU has no other rank to share them with. LoRA freezes the
      weights and trains small matrices next to them, so only the small ones have gradients and moments: ${states { lora = 16 }}. QLoRA also keeps the frozen
      weights in 4 bits: ${states { qlora = 16 }}. Activations still need room, so use checkpointing and short sequences.
    ]] },
}
