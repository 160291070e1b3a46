-- The terms of the course: what each means, which lesson teaches it, what belongs to it, and its formula with numbers of the engine.
--
-- A term is found in texts as a word or a plural (`also` has its other words). Numbers are the engine's, as in lessons.

local function training(params, gpus, stage, more)
  local t = { params = params, precision = "mixed-bf16", optimizer = "adamw", gpus = gpus, stage = stage, recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end
local function gb(bytes, digits) return engine.gb(bytes, digits or 4) end

local seven = engine.ledger(training(7e9, 1, 0))
local wide = engine.ledger(training(7e9, 1, 0, { precision = "fp32" }))
local on_eight = {}
for stage = 0, 3 do on_eight[stage] = engine.ledger(training(7e9, 8, stage)) end
local sent = {}
for stage = 0, 3 do sent[stage] = engine.traffic(training(7e9, 8, stage)) end
local function accumulated(stage) return engine.traffic(training(13e9, 8, stage, { accumulate = 8 })).total end
local cut = engine.shard { elements = 10, ranks = 4, rank = 3 }

local function llama(stage, more)
  local t = { model = "llama-2-7b", precision = "mixed-bf16", gpus = 8, gpu = "a100-80g", stage = stage, batch = 1, seq = 2048, recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end
local acts, few = engine.activations(llama(2)), engine.activations(llama(2, { checkpoint = "full" }))
local unflashed = engine.activations(llama(2, { flash = "off" }))
local third = engine.memory(llama(3))
local deeper = engine.memory(llama(3, { prefetch = 2 }))
local nvlink, pcie, ib = engine.link("nvlink3"), engine.link("pcie4"), engine.link("ib-hdr")
local array = 2 * engine.model("llama-2-7b").params
local function reduce_over(link, bytes) return engine.collective_seconds { op = "all_reduce", bytes = bytes, training = { gpus = 8, link = link } } end
local took = reduce_over("nvlink3", array)
local hidden = engine.clock(llama(3))
local slow = engine.clock(llama(3, { link = "pcie4" }))
local card = engine.card("a100-80g")
local words, width, tokens = engine.model("llama-2-7b").vocab, engine.model("llama-2-7b").hidden, 2048
local function collected(op, bytes) return bytes * engine.collective_factor { op = op, ranks = 8 } end

local off = training(13e9, 1, 2, { offload_optimizer = "host" })
local off_kept, off_sent, off_host = engine.ledger(off), engine.traffic(off), engine.memory(off).host
local seventy = training(70e9, 64, 3, { gpus_per_node = 8 })
local function layout(more)
  local t = {}
  for name, value in pairs(seventy) do t[name] = value end
  for name, value in pairs(more) do t[name] = value end
  return t
end
local flat, group, hpz = engine.traffic(seventy), engine.traffic(layout { shard_group = 8 }), engine.traffic(layout { hpz = 8 })
local packed = engine.traffic(layout { hpz = 8, qwz = "on", qgz = "on" })
local tensor = engine.ledger(layout { stage = 0, tp = 8 })
local pipeline = engine.clock { model = "llama-2-70b", gpus = 64, gpus_per_node = 8, gpu = "a100-80g", stage = 1, batch = 1, seq = 4096, tp = 8, pp = 4, accumulate = 16, recipe = "paper" }
local function adapted(more)
  local t = { model = "llama-2-7b", gpus = 1, recipe = "paper" }
  for name, value in pairs(more) do t[name] = value end
  return engine.ledger(t).total
end
local function per_param(recipe, more) return engine.bytes_per_param(training(7e9, 1, recipe == "fsdp2" and 3 or 1, { recipe = recipe, precision = more })).total end

return glossary {
  values = {
    gb4 = gb, seven = seven, wide = wide, on_eight = on_eight, sent = sent, accumulated = accumulated, cut = cut, acts = acts, few = few,
    unflashed = unflashed, third = third, deeper = deeper, nvlink = nvlink, pcie = pcie, ib = ib, array = array, reduce_over = reduce_over,
    took = took, hidden = hidden, slow = slow, card = card, off_kept = off_kept, off_sent = off_sent, off_host = off_host, flat = flat,
    group = group, hpz = hpz, packed = packed, tensor = tensor, pipeline = pipeline, adapted = adapted, per_param = per_param,
    deep = engine.model("llama-2-70b").layers, table_sent = collected("all_reduce", 2 * words * width), rows_sent = collected("all_gather", 8 * tokens * (2 * width + 4)),
    factor = function(op) return engine.collective_factor { op = op, ranks = 8 } end,
  },

  -- ── 1.1 ──
  { term = "parameter", also = { "weight", "param", "params", "Ψ", "psi" }, lesson = "1.1", step = "why-master", see = { "gradient", "model states" },
    means = "One number that training adjusts, a param for short, also called a weight. Ψ (psi) is how many a model has. Params is the pile of them that forward and backward use.",
    formula = "2Ψ bytes in 16 bits", example = "7B parameters in bf16 take ${gb(seven.params)}." },
  { term = "gradient", also = { "grad", "grads" }, lesson = "1.1", step = "four-piles", see = { "backward", "reduce-scatter" },
    means = "One number for each weight: how the loss changes with it, and so which way the update should move it. Backward makes it.",
    formula = "2Ψ bytes in 16 bits", example = "7B gradients in bf16 take ${gb(seven.grads)}." },
  { term = "forward", lesson = "1.1", step = "four-piles", see = { "backward", "activations" },
    means = "The first half of a training step. The model computes its output and the loss, layer by layer, and saves activations on the way." },
  { term = "backward", lesson = "1.1", step = "four-piles", see = { "forward", "gradient" },
    means = "The second half of a training step. It walks the layers in reverse order, reads the saved activations and makes the gradients." },
  { term = "optimizer", lesson = "1.1", step = "four-piles", see = { "Adam", "moments", "master weights" },
    means = "The rule that turns gradients into new weights. Its states are the numbers that it keeps from step to step." },
  { term = "Adam", also = { "AdamW" }, lesson = "1.1", step = "four-piles", see = { "moments", "fused Adam", "optimizer" },
    means = "The usual optimizer. It moves each weight by two running averages, of its gradient and of the gradient's square. AdamW keeps the same.",
    formula = "K = 4 + 4 + 4 = 12 bytes per parameter", example = "For 7B parameters master weights and moments take ${gb(seven.master + seven.moments)}." },
  { term = "bf16", lesson = "1.1", step = "why-master", see = { "fp32", "fp16", "mixed precision" },
    means = "A number in 16 bits, 2 bytes: the range of fp32, but only 8 significant bits. fp16 has more of these and less range; fp32 takes 4 bytes.",
    formula = "2 bytes per number", example = "7B numbers take ${gb(seven.params)} in bf16 and ${gb(wide.params)} in fp32." },
  { term = "fp32", lesson = "1.1", step = "why-master", see = { "bf16", "master weights" },
    means = "A number in 32 bits, 4 bytes, with 24 significant bits. The update needs them, because most updates are too small to change a bf16 weight.",
    formula = "4 bytes per number", example = "7B numbers take ${gb(wide.params)}." },
  { term = "fp16", lesson = "1.1", step = "why-master", see = { "bf16", "loss scaling" },
    means = "A number in 16 bits, 2 bytes. It has 11 significant bits and a small range, so small gradients become zero unless the loss is scaled." },
  { term = "model states", also = { "model state" }, lesson = "1.1", step = "four-piles", see = { "parameter", "gradient", "master weights", "moments" },
    means = "What training holds for every parameter when it updates: weights, gradients, master weights and the optimizer's moments.",
    formula = "(2 + 2 + 12)Ψ = 16Ψ bytes", example = "A 7B model keeps ${gb(seven.total)}." },
  { term = "master weights", also = { "master copy", "master" }, lesson = "1.1", step = "why-master", see = { "mixed precision", "fp32" },
    means = "The fp32 copy of the weights that the optimizer updates when forward and backward use 16-bit weights.",
    formula = "4Ψ bytes", example = "For 7B parameters they take ${gb(seven.master)}." },
  { term = "moments", lesson = "1.1", step = "why-master", see = { "Adam", "optimizer" },
    means = "Adam's two running averages for each parameter: of the gradient, and of its square.",
    formula = "(4 + 4)Ψ = 8Ψ bytes", example = "For 7B parameters they take ${gb(seven.moments)}." },
  { term = "mixed precision", lesson = "1.1", step = "why-master", see = { "bf16", "master weights", "recipe" },
    means = "16-bit numbers for the arithmetic, fp32 for the update. The ZeRO paper's form has 16-bit weights and gradients, and fp32 master weights and moments.",
    formula = "2 + 2 + 4 + 8 = 16 bytes per parameter", example = "Plain fp32 takes ${gb(wide.total)} for 7B parameters, too: it has no second copy." },
  { term = "activations", also = { "activation" }, lesson = "1.1", step = "four-piles", see = { "activation checkpointing", "micro-batch", "logits" },
    means = "What the forward pass saves for the backward pass. They grow with the model too, but also with the batch and the sequence; model states do not.",
    formula = "sbh(34 + 5as/h) bytes per layer, with dropout and without flash attention",
    example = "Llama 2 7B, one sequence of 2048 tokens, with flash attention: the layers keep ${gb(acts.layers, 3)}." },
  { term = "workspace", lesson = "1.1", see = { "peak", "activations" },
    means = "Scratch memory of a computation: it holds values for a short time, and nothing that a later layer reads." },
  { term = "GiB", lesson = "1.1", step = "gb-and-gib", see = { "usable bytes" },
    means = "2^30 bytes, ${gb(2 ^ 30, 4)}; a GB is 10^9 bytes.",
    formula = "1 GiB = 1024 × 1024 × 1024 bytes", example = "${gb(seven.total)} are ${gib(seven.total, 4)}." },

  -- ── 1.2 ──
  { term = "rank", lesson = "1.2", step = "one-step", see = { "world size", "data parallel" },
    means = "One process of a distributed training, usually with its own GPU. N ranks make the world. They are numbered from 0." },
  { term = "world size", also = { "world" }, lesson = "3.3", step = "more-axes", see = { "rank" },
    means = "How many ranks take part: N in this course, where all of them are data parallel." },
  { term = "data parallel", also = { "DDP", "data-parallel" }, lesson = "1.2", step = "one-step", see = { "replica", "all-reduce", "ZeRO" },
    means = "Every rank has the whole model and trains on its own part of the batch; gradients are averaged before the update. PyTorch calls it DDP.",
    formula = "16Ψ bytes per GPU, for every N", example = "7B on eight GPUs: ${gb(on_eight[0].total)} on each." },
  { term = "micro-batch", also = { "micro-batches" }, lesson = "1.2", step = "one-step", see = { "global batch", "gradient accumulation" },
    means = "The sequences that one rank takes through forward and backward at a time." },
  { term = "all-reduce", lesson = "1.2", step = "one-step", see = { "reduce-scatter", "all-gather", "collective" },
    means = "A collective: every rank puts in an array, and every rank gets the sum of all of them. It is a reduce-scatter and then an all-gather.",
    formula = "Each rank sends 2(N − 1)/N × the array", example = "${gb(array, 3)} of gradients on eight ranks: each sends ${gb(array * factor(\"all_reduce\"), 3)}." },
  { term = "replica", lesson = "1.2", step = "redundancy", see = { "data parallel" },
    means = "A copy of the model states that another rank has as well, bit for bit." },

  -- ── 1.3 ──
  { term = "ZeRO", lesson = "1.3", step = "three-cuts", see = { "stage", "shard", "FSDP" },
    means = "Zero Redundancy Optimizer: data parallel training whose ranks divide the model states among them instead of each keeping all.",
    formula = "Stage 3: 16Ψ/N bytes per GPU", example = "7B on eight GPUs: ${gb(on_eight[3].total)} on each, instead of ${gb(on_eight[0].total)}." },
  { term = "stage", lesson = "1.3", step = "three-cuts", see = { "ZeRO", "shard" },
    means = "How much ZeRO divides: 1 the optimizer's states, 2 the gradients too, 3 the parameters too. Stage 0 is plain data parallel.",
    formula = "16Ψ, 4Ψ + 12Ψ/N, 2Ψ + 14Ψ/N, 16Ψ/N bytes",
    example = "7B on eight GPUs: ${gb(on_eight[0].total)}, ${gb(on_eight[1].total)}, ${gb(on_eight[2].total)}, ${gb(on_eight[3].total)}." },
  { term = "shard", lesson = "1.3", step = "three-cuts", see = { "padding", "flat buffer", "rank" },
    means = "The part of an array that one rank keeps: an Nth, the last one padded.",
    formula = "⌈n / N⌉ elements", example = "Ten elements over four ranks: ${cut.size} on each." },

  -- ── 1.4 ──
  { term = "collective", lesson = "1.4", step = "round-the-ring", see = { "all-reduce", "reduce-scatter", "all-gather", "ring" },
    means = "An operation that all ranks of a group take part in: all-reduce, reduce-scatter, all-gather, broadcast." },
  { term = "reduce-scatter", lesson = "1.4", step = "where-it-goes", see = { "all-reduce", "all-gather", "gradient" },
    means = "Arrays of all ranks are added, and each rank gets one Nth of the sum.",
    formula = "Each rank sends (N − 1)/N × the array", example = "${gb(array, 3)} of gradients on eight ranks: each sends ${gb(array * factor(\"reduce_scatter\"), 3)}." },
  { term = "all-gather", lesson = "1.4", step = "where-it-goes", see = { "reduce-scatter", "unit", "prefetch" },
    means = "Each rank has one Nth of an array, and gets all the others'.",
    formula = "Each rank sends (N − 1)/N × the array", example = "${gb(array, 3)} of weights on eight ranks: each sends ${gb(array * factor(\"all_gather\"), 3)}." },
  { term = "ring", lesson = "1.4", step = "round-the-ring", see = { "collective", "latency" },
    means = "An order of the ranks in which each sends to the next only. No link carries more than another, whatever N is.",
    formula = "2(N − 1) hops for an all-reduce" },
  { term = "bucket", lesson = "1.4", step = "what-volume-hides", see = { "contiguous buffer", "overlap", "latency" },
    means = "A buffer in which gradients are collected until it is worth sending them." },
  { term = "gradient accumulation", also = { "accumulation" }, lesson = "1.4", see = { "micro-batch", "global batch" },
    means = "Several micro-batches one after the other, whose gradients are added up before one update.",
    formula = "A micro-batches send 2Ψ, (A + 1)Ψ, 3AΨ under stages 1, 2, 3",
    example = "13B on eight GPUs, eight micro-batches: ${gb(accumulated(1), 3)}, ${gb(accumulated(2), 3)}, ${gb(accumulated(3), 3)} per rank." },

  -- ── 2.1 ──
  { term = "flat buffer", lesson = "2.1", step = "flat-buffer", see = { "shard", "padding" },
    means = "One long array into which tensors are laid end to end, so that it can be cut anywhere and sent in one piece." },
  { term = "padding", lesson = "2.1", step = "flat-buffer", see = { "shard", "flat buffer" },
    means = "Elements at the end of the last shards that hold no parameter. They make all shards equally long.",
    formula = "N × ⌈n / N⌉ − n elements", example = "Ten elements over four ranks: ${cut.padding} elements of padding." },
  { term = "fused Adam", lesson = "2.1", see = { "Adam", "CPU Adam" },
    means = "One kernel that reads weight, gradient and both moments, updates all and writes them back, instead of a kernel for each operation." },

  -- ── 2.2 ──
  { term = "message", also = { "messages" }, lesson = "2.2", see = { "collective", "bucket", "latency" },
    means = "In the labs' tables: one collective that a rank takes part in. Messages are counted per step. Each costs the link's latency, however few bytes it sends." },
  { term = "peak", lesson = "2.2", see = { "model states", "fragmentation", "usable bytes" },
    means = "The most memory that is held at any time in a step. It is the peak that must fit, not the average.",
    example = "Llama 2 7B at stage 3 on eight A100s keeps ${gb(third.persistent.total, 3)} all the time, and peaks at ${gb(third.peak, 3)}." },
  { term = "contiguous buffer", lesson = "2.3", step = "what-the-peak-is", see = { "bucket", "fragmentation" },
    means = "One block of memory that holds all gradients of a bucket. It is sent as a whole, and freeing it leaves no small pieces behind." },
  { term = "overlap", lesson = "2.2", step = "a-bucket-travels", see = { "exposed", "prefetch", "bucket" },
    means = "Sending while computing. A transfer that has finished before its result is needed costs no time." },
  { term = "sparse gradient", lesson = "2.2", see = { "gradient", "all-reduce", "all-gather" },
    means = "A gradient of embeddings kept as the rows of the tokens that were looked up, since all other rows are zeros. Ranks all-gather rows instead of all-reducing the table. Embeddings that the head shares have none, because the head uses every row.",
    formula = "Rows send less if the table has more than N/2 times as many as a rank looks up",
    example = "Llama 2 7B's table in bf16 on eight GPUs, 2048 tokens on each: a rank sends ${bytes(table_sent)} as a table, ${bytes(rows_sent)} as rows." },

  -- ── 2.3 ──
  { term = "unit", lesson = "2.3", step = "a-layer", see = { "prefetch", "all-gather", "FSDP" },
    means = "Parameters that a rank gathers and frees together, usually a transformer block. FSDP calls it a wrapped module." },
  { term = "gather buffer", short = { "gather" }, lesson = "2.3", step = "what-the-peak-is", see = { "unit", "all-gather", "prefetch" },
    means = "Memory for parameters that stage 3 puts together: a unit is whole in it while it computes, and is freed afterwards." },
  { term = "reduce buffer", short = { "reduce" }, lesson = "2.3", step = "what-the-peak-is", see = { "bucket", "reduce-scatter", "peak" },
    means = "Memory in which gradients wait, and travel, while the ranks add them up. It is not kept between steps." },
  { term = "prefetch", lesson = "2.3", step = "the-schedule", see = { "unit", "overlap", "peak" },
    means = "Gathering the next unit while this one computes. Depth 1 is one unit ahead.",
    formula = "(1 + depth) gathered units", example = "Llama 2 7B at stage 3 on eight A100s: one more unit ahead raises the peak from ${gb(third.peak, 4)} to ${gb(deeper.peak, 4)}." },
  { term = "persistence threshold", lesson = "2.3", see = { "unit", "stage" },
    means = "DeepSpeed's stage 3 keeps parameters smaller than this whole on every rank, since gathering them costs more time than they cost memory." },
  { term = "fragmentation", lesson = "2.3", step = "what-the-peak-is", see = { "contiguous buffer", "reserve" },
    means = "Free memory in pieces too small to use. An allocator that frees and takes units of many sizes produces it." },

  -- ── 2.4 ──
  { term = "activation checkpointing", also = { "checkpointing", "recomputation" }, lesson = "2.4", step = "what-is-saved", see = { "activations", "flash attention" },
    means = "Saving less in forward and computing the rest again in backward. Full: only a layer's input is saved. Selective: arrays that are large and cheap to recompute are dropped.",
    formula = "2sbh bytes per layer if full",
    example = "Llama 2 7B, one sequence of 2048 tokens: ${gb(few.layers, 3)} instead of ${gb(acts.layers, 3)}." },
  { term = "flash attention", lesson = "2.4", step = "what-is-saved", see = { "activations", "activation checkpointing" },
    means = "Attention computed in tiles that never writes the sequence × sequence matrix to memory; backward computes the tiles again.",
    example = "Llama 2 7B, one sequence of 2048 tokens: the layers keep ${gb(acts.layers, 3)} with it, and ${gb(unflashed.layers, 3)} without." },
  { term = "logits", lesson = "2.4", step = "what-it-grows-with", see = { "activations", "peak" },
    means = "The head's output: one number for each token and each word of the vocabulary.",
    formula = "4sbV bytes in fp32", example = "Llama 2 7B, one sequence of 2048 tokens: ${gb(acts.logits, 3)}." },

  -- ── 2.5 ──
  { term = "latency", lesson = "2.5", step = "alpha-beta", see = { "bandwidth", "ring", "bucket" },
    means = "The time that even the shortest message takes: α in seconds. In a ring every hop pays it.",
    formula = "seconds = hops × α + bytes ÷ bandwidth", example = "An all-reduce of ${bytes(1000)} over eight GPUs and NVLink takes ${seconds(reduce_over(\"nvlink3\", 1000))}." },
  { term = "bandwidth", lesson = "2.5", step = "alpha-beta", see = { "latency", "bus bandwidth", "NVLink", "PCIe" },
    means = "Bytes per second, in one direction unless a source says otherwise: 1/β.",
    example = "As NCCL reaches it: ${rate(nvlink.rate)} over ${nvlink.title}, ${rate(pcie.rate)} over ${pcie.title}." },
  { term = "algorithm bandwidth", also = { "algbw" }, lesson = "2.5", step = "reading-figures", see = { "bus bandwidth" },
    means = "Array bytes ÷ seconds: the rate that the caller sees.",
    formula = "bytes of the array ÷ seconds", example = "An all-reduce of ${gb(array, 3)} over eight GPUs and NVLink: ${rate(array / took)}." },
  { term = "bus bandwidth", also = { "busbw" }, lesson = "2.5", step = "reading-figures", see = { "algorithm bandwidth", "bandwidth" },
    means = "Algorithm bandwidth × the collective's factor, 2(n−1)/n or (n−1)/n: the rate that the links carried. You can compare it between collectives.",
    formula = "algorithm bandwidth × 2(n − 1)/n for an all-reduce",
    example = "An all-reduce of ${gb(array, 3)} over eight GPUs and NVLink: ${rate(factor(\"all_reduce\") * array / took)}." },
  { term = "exposed", lesson = "2.5", see = { "overlap", "bandwidth" },
    means = "Time in which computation waits for a transfer. A transfer that runs during computation is hidden.",
    formula = "a sum over windows of max(0, transfer − computation)",
    example = "Llama 2 7B at stage 3 on eight A100s: ${seconds(hidden.exposed)} of ${seconds(hidden.comm)} over NVLink, ${seconds(slow.exposed)} of ${seconds(slow.comm)} over PCIe 4." },
  { term = "NVLink", lesson = "2.5", step = "alpha-beta", see = { "PCIe", "bandwidth" },
    means = "NVIDIA's link between the GPUs of one machine. Between machines InfiniBand or Ethernet takes its place, and is slower.",
    example = "${nvlink.title}: ${rate(nvlink.rate)} in one direction as NCCL reaches it." },
  { term = "PCIe", lesson = "2.5", step = "reading-figures", see = { "NVLink", "offload" },
    means = "The bus between a GPU and its host. GPUs without NVLink also send their collectives over it.",
    example = "${pcie.title}: ${rate(pcie.rate)} in one direction as NCCL reaches it." },

  -- ── 3.1 ──
  { term = "FSDP", also = { "FSDP1", "FSDP2" }, lesson = "3.1", step = "dictionary", see = { "ZeRO", "unit", "reshard_after_forward", "HSDP" },
    means = "PyTorch's fully sharded data parallel: FSDP1 wraps modules into flat parameters, FSDP2 (fully_shard) shards each parameter by rows.",
    example = "FSDP2 shards ${per_param(\"fsdp2\")} bytes per parameter if the weights are fp32, and ${per_param(\"fsdp2\", \"bf16\")} if they are bf16." },
  { term = "reshard_after_forward", lesson = "3.1", step = "dictionary", see = { "FSDP", "hpZ" },
    means = "FSDP2's switch: free a unit's gathered weights after its forward (true: stage 3), or keep them until its backward (false). None, the default, is true for every unit but the root. A number frees them down to shards over that many ranks, as ZeRO++'s hpZ does." },
  { term = "recipe", lesson = "3.1", step = "five-ledgers", see = { "mixed precision", "reduce dtype" },
    means = "In this course: which copies an implementation keeps, in which precision, and how it shards them. It says whose number a figure is.",
    example = "Bytes per parameter before sharding: ${per_param(\"paper\")} in the paper, ${per_param(\"megatron\")} in Megatron, ${per_param(\"deepspeed\")} in DeepSpeed." },
  { term = "reduce dtype", also = { "reduce_dtype" }, lesson = "3.1", step = "whose-number", see = { "recipe", "reduce-scatter" },
    means = "The precision in which gradients are added across ranks: 16 bits, or 32 for twice the bytes and a better sum." },
  { term = "loss scaling", lesson = "1.1", step = "why-master", see = { "fp16", "mixed precision" },
    means = "Multiplying the loss before backward so that small fp16 gradients do not become zero, and dividing the gradients before the update. bf16 does not need it." },

  -- ── 3.2 ──
  { term = "offload", also = { "offloading", "ZeRO-Offload", "ZeRO-Infinity" }, lesson = "3.2", step = "who-holds-what", see = { "pinned memory", "CPU Adam", "NVMe", "PCIe" },
    means = "Keeping states in host memory or on NVMe drives, and moving the bytes that the GPU needs over PCIe.",
    formula = "With the optimizer on the host: 2Ψ down and 2Ψ up per step",
    example = "13B on one GPU at stage 2: the GPU keeps ${gb(off_kept.total)}, the host ${gb(off_host.total)}, and ${gb(off_sent.offload_down, 3)} go each way per step." },
  { term = "pinned memory", lesson = "3.2", step = "who-holds-what", see = { "offload" },
    means = "Host memory that the operating system may not move. Only from there can a GPU copy at full speed and on its own." },
  { term = "CPU Adam", lesson = "3.2", step = "when-it-hides", see = { "offload", "fused Adam" },
    means = "The processor runs the optimizer's step next to the states in host memory, so gradients and weights travel instead of moments." },
  { term = "arithmetic intensity", also = { "operations per byte" }, lesson = "3.2", step = "when-it-hides", see = { "exposed", "micro-batch" },
    means = "Operations per byte moved. If it exceeds the processor's rate divided by the link's, the transfer hides." },
  { term = "NVMe", lesson = "3.2", step = "who-holds-what", see = { "offload" },
    means = "A fast drive at the PCIe bus. It holds far more than host memory, and is slower than it." },

  -- ── 3.3 ──
  { term = "tensor parallel", also = { "tensor parallelism" }, lesson = "3.3", step = "more-axes", see = { "pipeline parallel", "sequence parallel" },
    means = "Every layer's matrices are divided among t GPUs, which exchange activations in every layer.",
    formula = "16Ψ/t bytes per GPU without ZeRO", example = "70B over eight GPUs: ${gb(tensor.total)} on each." },
  { term = "sequence parallel", lesson = "3.3", step = "more-axes", see = { "tensor parallel", "activations" },
    means = "The parts of a layer that tensor parallelism leaves whole, such as norms, are divided by tokens among the same GPUs." },
  { term = "pipeline parallel", also = { "pipeline" }, lesson = "3.3", step = "more-axes", see = { "pipeline stage", "bubble", "micro-batch" },
    means = "Layers are divided among p groups; micro-batches travel from group to group." },
  { term = "pipeline stage", short = { "stage" }, lesson = "3.3", step = "more-axes", see = { "pipeline parallel", "bubble", "activations" },
    means = "Consecutive layers of the model, and the GPUs that compute them. A stage takes each micro-batch from the stage before it, and its gradients from the stage behind it. It has nothing to do with the stages of ZeRO.",
    formula = "Under 1F1B stage i of p, counted from 0, keeps the activations of up to p − i micro-batches",
    example = "Llama 2 70B has ${deep} layers, so each of four stages has ${deep // 4}." },
  { term = "HSDP", also = { "MiCS" }, lesson = "3.3", step = "the-map", see = { "FSDP", "hpZ", "replica" },
    means = "Hybrid sharded data parallel: states are sharded inside a group and replicated across groups. MiCS is the same idea.",
    formula = "16Ψ/G bytes per GPU, for groups of G",
    example = "70B on eight nodes of eight: a rank sends ${gb(group.between, 3)} to other nodes per step, and ${gb(flat.between, 3)} if all 64 shard." },
  { term = "ZeRO++", also = { "qwZ", "qgZ" }, lesson = "3.3", step = "zero-plus-plus", see = { "hpZ", "stage" },
    means = "hpZ keeps a second copy of the weights inside the node; qwZ and qgZ send weights in 8 bits and gradients in 4.",
    example = "70B on eight nodes of eight: all three cut what a rank sends to other nodes from ${gb(flat.between, 3)} to ${gb(packed.between, 3)} per step." },
  { term = "hpZ", lesson = "3.3", step = "zero-plus-plus", see = { "ZeRO++", "HSDP" },
    means = "The part of ZeRO++ that keeps a second shard of the 16-bit weights over the GPUs of a node, so that backward gathers inside the node.",
    formula = "2Ψ/G more bytes per GPU, for nodes of G",
    example = "70B on eight nodes of eight: a rank sends ${gb(hpz.between, 3)} to other nodes per step instead of ${gb(flat.between, 3)}." },
  { term = "expert parallel", also = { "expert" }, lesson = "3.3", step = "more-axes", see = { "tensor parallel" },
    means = "A mixture's experts are on different GPUs. Each token travels to its experts and back." },
  { term = "bubble", lesson = "3.3", step = "why-they-fight", see = { "pipeline parallel", "pipeline stage", "micro-batch" },
    means = "Time in which pipeline stages wait: for the first micro-batch to reach them, and for the last to finish elsewhere.",
    formula = "(p − 1)/(m + p − 1) of the time, for p stages and m micro-batches",
    example = "Four stages, 16 micro-batches: Llama 2 70B on 64 A100s waits ${seconds(pipeline.bubble)} of a step of ${seconds(pipeline.step)}." },

  -- ── 3.4 ──
  { term = "global batch", lesson = "3.4", step = "the-napkin", see = { "micro-batch", "gradient accumulation" },
    means = "Sequences per update: micro-batch × accumulation × data-parallel ranks. You choose it for the optimisation, not for memory. Keep it fixed when you compare.",
    formula = "b × A × N sequences" },
  { term = "LoRA", lesson = "3.4", step = "six-cases", see = { "QLoRA", "model states" },
    means = "Small trained matrices next to frozen weights. Only the small ones have gradients and optimizer states.",
    example = "Llama 2 7B on one GPU: ${gb(adapted { lora = 16 }, 3)} of model states with LoRA of rank 16, ${gb(adapted {}, 3)} without." },
  { term = "QLoRA", lesson = "3.4", step = "six-cases", see = { "LoRA" },
    means = "LoRA on a base whose frozen weights are kept in 4 bits.",
    example = "Llama 2 7B on one GPU: ${gb(adapted { qlora = 16 }, 3)} of model states with QLoRA of rank 16." },
  { term = "reserve", lesson = "3.4", step = "the-napkin", see = { "usable bytes", "fragmentation" },
    means = "Memory that a GPU holds besides your tensors: CUDA context, NCCL's and cuBLAS's buffers, and the allocator's waste." },

  -- ── 4.1 ──
  { term = "usable bytes", lesson = "4.1", see = { "reserve", "GiB", "peak" },
    means = "The bytes of a card that a training can use: the total that PyTorch reports, or the driver (nvidia-smi) if no source has PyTorch's. It is not the number on the box. Context, NCCL and cuBLAS use part of it, which the peak counts as reserve.",
    example = "${card.title}: ${gb(card.usable_bytes)}, which are ${gib(card.usable_bytes, 4)}." },
  { term = "baseline", lesson = "4.1", see = { "usable bytes" },
    means = "The simplest setup that fits, tuned. Any cleverer setup must beat it." },
}
