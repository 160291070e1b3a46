-- 3.3  Hybrids: shard inside a node, pipeline or replicate across
--
-- Afterwards the learner can lay out tensor, pipeline and data parallel over nodes, say why ZeRO-2/3 and pipelines fight, work out what hybrid sharding
-- keeps and sends inside and between nodes, and place the chatty axis on the fast link.

-- ── the case that the lesson walks through: 70B on 64 GPUs ──────────────────────────────────────

local function training(more, params)
  local t = { params = params or 70e9, precision = "mixed-bf16", optimizer = "adamw", gpus = 64, gpus_per_node = 8, stage = 3, recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end
local function llama(more)
  local t = { model = "llama-2-70b", precision = "mixed-bf16", gpus = 64, gpus_per_node = 8, gpu = "a100-80g", stage = 1, batch = 1, seq = 4096, recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end
local function states(more) return engine.ledger(training(more)).total end

local flat, group = engine.traffic(training()), engine.traffic(training { shard_group = 8 })
local hpz = engine.ledger(training { hpz = 8 })
local tp8 = engine.traffic(llama { tp = 8 })
local function plus(more) return engine.gb(engine.traffic(training(more)).between, 3) end

-- What the ranks of a group send to other nodes.
local function crossing(t, group)
  local sum = 0
  for _, c in ipairs(engine.traffic(t).collectives) do
    if c.group == group then sum = sum + c.between end
  end
  return sum
end

-- What the network card of a GPU carries.
local function by_ring(t) return engine.traffic(t).network end
-- What a rank waits for the all-reduces of tensor parallelism in a micro-batch: nothing hides them.
local function tensor_wait(t)
  local sum = 0
  for _, c in ipairs(engine.traffic(t).collectives) do
    if c.group == "tensor" then sum = sum + c.calls * engine.collective_seconds { op = c.op, bytes = c.payload / c.calls, ranks = c.ranks, per_node = 8, link = "nvlink3", net = "ib-hdr" } end
  end
  return sum
end
-- The planner's layout, and the simple one at the same global batch.
local fastest = engine.plan { model = "llama-2-70b", gpus = 64, gpus_per_node = 8, gpu = "a100-80g", seq = 4096 }
local best = fastest.chosen
local simple = engine.clock(llama { tp = 8, sp = "on", accumulate = fastest.global_batch // 8 })
local pp = { { hpz = 8 }, { hpz = 8, qwz = "on" }, { hpz = 8, qwz = "on", qgz = "on" } } -- ZeRO++, one step after the other
local tp_across, tp_pp_across = training { stage = 1, tp = 8 }, training { stage = 1, tp = 8, pp = 4 }

-- What a rank sends in a step of 32 micro-batches, in multiples of its parameters.
local function sent(stage) return string.format("%gΨ", engine.traffic(training { stage = stage, accumulate = 32 }).volume_params) end

-- ── what the problems draw from ─────────────────────────────────────────────────────────────────

local sizes = { 13e9, 20e9, 34e9, 65e9, 70e9 }

return lesson {
  id = "3.3",
  title = "Hybrids: shard inside a node, pipeline or replicate across",
  stop = "hsdp-between",
  shows = "a-layer-divided", goal = "lay out tensor, pipeline and data parallel over nodes, work out what hybrid sharding keeps and sends, and place the axis that sends most on the fastest link",
  revision = 1,
  values = {
    best = best, by_ring = by_ring, fastest = fastest, flat = flat, hpz = hpz, plus = plus, pp = pp, sent = sent, simple = simple,
    states = states, tp8 = tp8, tp_across = tp_across, tp_pp_across = tp_pp_across, training = training,
    group = engine.gb(states { shard_group = 8 }), tp = engine.gb(states { stage = 1, tp = 8 }, 3),
    tp_pp = engine.gb(states { stage = 1, tp = 8, pp = 4 }, 3), g_between = engine.gb(group.between, 3),
    g_inside = engine.gb(group.inside, 3), fold = string.format("%.0f", flat.between / group.between),
    g_ring = engine.gb(by_ring(training { shard_group = 8 }), 3),
    ring_share = engine.percent(by_ring(training { shard_group = 8 }) / by_ring(training()), 2),
    ring_8 = engine.gb(by_ring(training { accumulate = 8 }), 3),
    g_ring_8 = engine.gb(by_ring(training { shard_group = 8, accumulate = 8 }), 3),
    pp_fold = string.format("%.0f", by_ring(training()) / by_ring(training(pp[3]))),
    tp_between_70 = engine.gb(engine.traffic(tp_across).between, 3), tp_pp_between = engine.gb(engine.traffic(tp_pp_across).between, 3),
    across = engine.gb(crossing(llama { tp = 16 }, "tensor"), 3), wait_16 = engine.seconds(tensor_wait(llama { tp = 16 }), 2),
    wait_8 = engine.seconds(tensor_wait(llama { tp = 8 }), 2),
    one_sequence = engine.gb(engine.activations(llama { flash = "on" }).highest, 3), nvlink = engine.rate(engine.link("nvlink3").rate),
    ib = engine.rate(engine.link("ib-hdr").rate),
  },

  predict {
    id = "where-it-hurts",
    title = "Before you start",
    ask = [[
70B, stage 3, 64 GPUs in 8 nodes. Inside a node NVLink carries ${nvlink}; between nodes each GPU has ${ib}. Count from rank to rank: in a step each rank sends ${gb(flat.inside, 3)} to ranks of its node and ${gb(flat.between, 3)} to ranks of others.

Now shard only over the **8 GPUs of a node**, with a copy in each node. How many of those ${gb(flat.between, 3)} remain?]],
    choices = {
      "all of them: the same gradients must be averaged over all 64",
      "${g_between}: one byte of every ${fold}, from rank to rank",
      "none are left",
    },
    answer = 2,
    reveal = [[
**${g_between}.** Weights are gathered inside the node. Only the averaging of gradients over eight copies still crosses, and each rank averages its own *eighth*. The price is memory: ${group}
per GPU instead of ${gb(states())}.

A **network card** (NIC) saves less. In NCCL's rings a shard enters a node once and continues over NVLink. So a NIC carries ${gb(by_ring(training()), 3)} under stage 3 over all 64, and still ${g_ring} with groups of eight: ${ring_share} of it. With eight micro-batches it carries ${ring_8}, and still ${g_ring_8} if ranks average the copies **once per step**, as MiCS does. (FSDP averages in every micro-batch unless you set `set_requires_all_reduce`.)]],
    sources = {
      "Zhang et al., MiCS, arXiv:2205.00119, section 3: two-hop synchronization; PyTorch documentation, ShardingStrategy.HYBRID_SHARD",
      "pytorch/pytorch, torch/distributed/fsdp/_fully_shard/_fsdp_param_group.py: all_reduce_grads is true unless set_requires_all_reduce(False); _runtime_utils.py: HYBRID_SHARD all-reduces in every backward",
      "`zerotutor traffic` says how it counts: bytes of a rank's memory that other ranks read. Its seconds are a ring's, over all network cards of a node",
    },
  },

  figure {
    id = "the-map",
    title = "The map",
    text = "64 GPUs, sharded in groups of eight. FSDP calls this HSDP, DeepSpeed MiCS. Look for rank 0's shard group, and for the ranks that keep the same shard. Each rank now sends ${g_inside} inside its node.",
    figure = { kind = "mesh", training = training { shard_group = 8 } },
  },

  say {
    id = "more-axes",
    title = "More axes",
    text = [[
| axis | divides | sends | put it on |
|:--|:--|:--|:--|
| **tensor** (t) | matrices | activations, 4 × per layer | NVLink |
| **pipeline** (p) | layers | outputs, per micro-batch | slowest link |
| **data, ZeRO** (d) | states | weights, gradients | links left over |
| **expert** (e) | experts | tokens, there and back | inside, if it fits |
| **context** (c) | sequence | keys and values | next to tensor |

GPUs = t × p × d (× c). The **N of ZeRO is d** (d × c in Megatron and FSDP), not the world: 64 GPUs with t = 8 shard over 8. With *sequence parallel* the same t GPUs also divide norms and dropout, which tensor parallel leaves whole.

One rule: *put the axis that sends most on the fastest link*. In Llama 2 70B with t = 8 a rank sends ${gb(tp8.inside, 3)} per step inside its node for
one sequence, and ${gb(tp8.between, 3)} between nodes.]],
    sources = {
      "Shoeybi et al., Megatron-LM, arXiv:1909.08053, section 3: two all-reduces a layer forward, two backward",
      "Korthikanti et al., arXiv:2205.05198, section 4.2.2: sequence parallelism",
      "Narayanan et al., arXiv:2104.04473, sections 2 and 3: tensor parallel inside a node, pipeline across",
      "Grattafiori et al., The Llama 3 Herd of Models, arXiv:2407.21783, section 3.3.2: tensor, context, pipeline, data parallel, innermost first",
    },
  },

  animate {
    id = "a-layer-divided",
    title = "A layer on several ranks",
    play = "tensor-layer",
    training = llama(),
    notes = {
      start = "Follow what each rank has of the activations, and of each matrix.",
      norm = "Tensor parallel leaves this whole. Sequence parallel divides it.",
      gather = "A multiplication needs all features of a token, so tokens come back first.",
      columns = "Cut by columns, a matrix gives each rank whole features, and no sum is open.",
      ["local"] = "This is why attention is cut by heads.",
      rows = "Cut by rows, the next matrix takes these features as they are.",
      sum = "Ranks wait here: the next operation needs this result.",
      turn = "Backward goes the other way, and communicates at the other end.",
      finish = "With sequence parallel a rank sends a quarter more bytes, and keeps less.",
    },
    ask = "How often must the ranks communicate in the layer's forward?",
    reveal = "One per pair of matrices; with sequence parallel, two.",
    [[Tensor parallel cuts each pair of matrices so that one collective per pair is enough.]],
    sources = {
      "Shoeybi et al., Megatron-LM, arXiv:1909.08053, section 3, figures 3 and 4: columns, then rows; f and g",
      "Korthikanti et al., arXiv:2205.05198, section 4.2.2, figures 5 and 6: all-gather and reduce-scatter in the place of all-reduce",
      "account_layer() in this repository: src/account/play/layer.c",
    },
  },

  worked {
    id = "by-hand",
    title = "By hand: 70B with t = 8",
    text = "64 GPUs, tensor parallel 8 inside each node, ZeRO stage 1 over the remaining GPUs. How much does a GPU keep?",
    problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = training { stage = 1, tp = 8 } },
    notes = {
      params = "An eighth of the model: tensor parallel divides first.",
      master = "ZeRO divides that by d = 64 ÷ 8 = 8.",
      total = "Tensor parallel divides everything. ZeRO divides the optimizer again.",
    },
  },

  problem {
    id = "layout-by-lines",
    title = "Your turn: a layout",
    form = "sheet",
    blank = { "params", "moments", "total" },
    about = { "world-as-dp" },
    vary = function(r)
      local tp, pp = r:pick { 2, 4, 8 }, r:pick { 1, 2, 4 }
      return {
        problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = training({ stage = 1, tp = tp, pp = pp }, r:pick(sizes)) },
        values = { tp = tp, pp = pp },
        ask = "${A params} model, ${precision} with AdamW, ${gpus} GPUs: tensor parallel ${tp}, pipeline ${pp}, ZeRO stage 1 over the rest. How much does a GPU keep?",
      }
    end,
    hints = { "How many GPUs are left for data parallel?", "d = GPUs ÷ (t · p). Divide everything by t · p, and the optimizer also by d." },
  },

  animate {
    id = "slots-of-a-pipeline",
    title = "A pipeline, slot by slot",
    play = "pipeline",
    notes = {
      start = "Simplified: a backward takes as long as two forwards, and sending no time.",
      fill = "Each stage can begin only when the one before it has computed.",
      turn = "In most schedules earlier stages wait again, until gradients come back.",
      steady = "A stage keeps a micro-batch's activations until its backward is over.",
      drain = "Backward runs from last to first, so the first stage gets its gradients last.",
      finish = "Change schedule, then micros. Which shrinks the bubble, which the memory?",
    },
    ask = "How many slots does the last stage wait for its first micro-batch?",
    reveal = "One slot for each stage before it: p − 1.",
    [[The micro-batches of a step pass through all pipeline stages, and back.]],
    sources = {
      "Huang et al., GPipe, arXiv:1811.06965, section 2.3: bubble (p − 1)/(m + p − 1)",
      "Narayanan et al., arXiv:2104.04473, section 2.2, figures 3 and 4: GPipe, 1F1B, interleaved 1F1B; the bubble shrinks by v, the number of pieces a stage holds",
      "Qi et al., Zero Bubble Pipeline Parallelism, arXiv:2401.10241, section 2: ZB-H1, a third of 1F1B's bubble at 1F1B's highest memory; ZB-H2, no bubble with 2p − 1 micro-batches in flight; section 4: no stage may wait for all others before its update",
      "account_pipeline_lay() in this repository: src/account/play/slots.c",
    },
  },

  say {
    id = "why-they-fight",
    title = "ZeRO-2/3 against pipelines",
    text = [[
A pipeline needs many micro-batches. Only then is its **bubble** small: p − 1 of m + p − 1 slots. But under stages 2 and 3 ranks communicate in every *micro-batch*:

- Stage 2 reduce-scatters gradients after each.
- Stage 3 also gathers weights for each, in forward and backward.

With m = 32 a rank sends ${sent(2)} and ${sent(3)} instead of ${sent(1)}. DeepSpeed refuses the combination. torchtitan shards under a pipeline, but keeps weights
gathered from one micro-batch to the next. Combine a pipeline with **stage 1**, which communicates once per step. A GPU holds only 1/p of the layers anyway.]],
    briefly = [[
A pipeline needs many micro-batches, or its **bubble** is large. But stages 2 and 3 communicate in every micro-batch. With m = 32 a rank sends ${sent(2)} and ${sent(3)} instead of ${sent(1)}.

So combine a pipeline with **stage 1**, which communicates once per step.]],
    slowly = [[
A pipeline and ZeRO want opposite things.

A pipeline cuts the model by layers. The first GPU starts. The last GPU has to wait for it. That waiting is the **bubble**. With p GPUs and m
micro-batches, p − 1 of m + p − 1 slots are empty. To make the bubble small, you need many micro-batches.

Now add ZeRO. Under stages 2 and 3, ranks communicate in every *micro-batch*:

- Stage 2 has room for a shard of the gradients. So it reduce-scatters them after each micro-batch.
- Stage 3 does that, too. It also gathers weights for each micro-batch. It does so in forward, and again in backward.

So each new micro-batch adds traffic. With m = 32 a rank sends ${sent(2)} under stage 2. It sends ${sent(3)} under stage 3. Stage 1 sends ${sent(1)}.

What do frameworks do? DeepSpeed refuses the combination. torchtitan shards under a pipeline. But it keeps weights gathered from one
micro-batch to the next.

What should you do? Combine a pipeline with **stage 1**. It communicates once per step. You also lose little, because a GPU holds only
1/p of the layers anyway.]],
    sources = {
      "deepspeedai/DeepSpeed, runtime/pipe/engine.py: ZeRO-2 and ZeRO-3 are incompatible with pipeline parallelism",
      "pytorch/torchtitan, distributed/fsdp.py, apply_fsdp_to_decoder: with a pipeline, no reshard after forward by default",
      "Narayanan et al., arXiv:2104.04473, section 2.2: bubble (p − 1)/m of the ideal time",
    },
  },

  animate {
    id = "tokens-to-experts",
    title = "Tokens to their experts",
    play = "experts",
    notes = {
      start = "Experts replace the MLP. Each token here represents many.",
      route = "Each token needs its experts, wherever they are.",
      send = "Every rank sends another part to every other: that is an all-to-all.",
      compute = "The slowest rank sets the pace. Try skewed routing, which has a favourite.",
      ["return"] = "The results take the same way back.",
      finish = "With backward a layer waits for four: keep experts inside a node if they fit.",
    },
    ask = "In each hop a rank sends to one other. How many hops does it take?",
    reveal = "One for each other rank: N − 1.",
    [[A router sends each token to two of the layer's experts.]],
    sources = {
      "Lepikhin et al., GShard, arXiv:2006.16668, section 3: all-to-all dispatch and combine",
      "Jiang et al., Mixtral of Experts, arXiv:2401.04088, section 2: two of eight experts per token",
      "account_experts() in this repository: src/account/play/experts.c",
    },
  },

  problem {
    id = "hsdp-keeps",
    title = "Hybrid: what it keeps",
    form = "number",
    about = { "hsdp-world" },
    vary = function(r)
      return {
        problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = training({ gpus = r:pick { 16, 32, 128 }, shard_group = 8 }, r:pick(sizes)) },
        ask = "${A params} model, ${precision} with AdamW, ${gpus} GPUs in nodes of 8, **hybrid sharding**: stage 3 inside each node, copies across nodes. How many ${unit} of model states does a GPU keep?",
      }
    end,
    hints = { "Over how many GPUs are the states divided?", "Over the 8 of the shard group, however many GPUs there are: 16 B × Ψ ÷ 8." },
  },

  problem {
    id = "hsdp-between",
    title = "Hybrid: what crosses",
    form = "number",
    about = { "inside-for-between", "hsdp-flat" },
    vary = function(r)
      return {
        problem = { kind = "traffic", quantity = "between", unit = "GB", training = training({ gpus = r:pick { 16, 32, 64 }, shard_group = 8 }, r:pick(sizes)) },
        ask = "${A params} model, ${precision}, ${gpus} GPUs in nodes of 8, stage 3 inside each node, copies across. One micro-batch. How many ${unit} does a rank send **to other nodes** per step?",
      }
    end,
    hints = { "After the reduce-scatter inside the node, which gradients does a rank hold, and with which ranks must it average them?", "An all-reduce of its eighth of the gradients over the nodes: 2 × (n − 1)/n × 2 B × Ψ ÷ 8, n nodes." },
  },

  explore {
    id = "lay-it-out",
    title = "Lay out Llama 2 70B on 64 A100s",
    text = "Set tensor 16: what crosses nodes? Set pipeline 4: what is left for ZeRO?",
    training = llama { tp = 8 },
    sliders = {
      { field = "tp", label = "tensor", start = 4, values = { { value = 1, name = "1" }, { value = 2, name = "2" }, { value = 4, name = "4" }, { value = 8, name = "8" }, { value = 16, name = "16" } } },
      { field = "pp", label = "pipeline", start = 1, values = { { value = 1, name = "1" }, { value = 2, name = "2" }, { value = 4, name = "4" } } },
    },
    figure = { kind = "mesh", training = "explore" },
  },

  say {
    id = "four-layouts",
    title = "A 70B, laid out four ways",
    text = [[
Tensor 16 spans two nodes. For one sequence of 4096 tokens a rank sends ${across} to the other node, and its layers wait ${wait_16}. Inside a node tensor 8 waits ${wait_8}. Tensor 8 with pipeline 4 leaves d = ${64 // (8 * 4)}. The table shows the states that a GPU keeps, and the bytes between nodes per step:

| 64 A100-80GB, one micro-batch | states | rank to rank | a NIC, by rings |
|:--|--:|--:|--:|
| stage 3 over all | ${gb(states())} | ${gb(flat.between, 3)} | ${gb(by_ring(training()), 3)} |
| stage 3 in a node, copies | ${group} | ${g_between} | ${g_ring} |
| tensor 8, stage 1 across | ${tp} | ${tp_between_70} | ${gb(by_ring(tp_across), 3)} |
| tensor 8, pipeline 4, stage 1 | ${tp_pp} | ${tp_pp_between} | ${gb(by_ring(tp_pp_across), 3)} |

(A pipeline's outputs add a little.) The second layout does not fit. The third sends no more, and fits. Which is fastest depends on links and tokens. `zerotutor plan` times them.]],
    given = { "A100-80GB" },
  },

  lab {
    id = "two-nodes",
    title = "Two nodes on one machine",
    lab = "hybrid",
    text = [[
Four ranks of this machine stand for two nodes of two GPUs. The **emulated** link inside a node sends 2 GB/s, the one between nodes 50 MB/s. Stage 3
shards over all four ranks, then inside each node alone.]],
    question = [[
Sharded inside each node: how many MB did one rank send to the **other node** per step, in fp32?]],
    problem = {
      kind = "traffic", quantity = "between", unit = "MB",
      training = { params = "measured", precision = "fp32", optimizer = "adamw", gpus = 4, gpus_per_node = 2, stage = 3, shard_group = 2, recipe = "zerolab" },
    },
    given = { "2 GB/s", "50 MB/s" },
    sources = {
      "pytorch/pytorch, torch/distributed/fsdp: HYBRID_SHARD shards inside a node and all-reduces across nodes",
      "Zhang et al., MiCS, arXiv:2205.00119, section 3: partition groups",
    },
  },

  say {
    id = "zero-plus-plus",
    title = "ZeRO++: less between nodes",
    text = [[
**ZeRO++** still divides the states by all 64, and sends fewer bytes between nodes (70B):

| | the change | rank to rank | a NIC, by rings | a GPU keeps |
|:--|:--|--:|--:|--:|
| stage 3 | | ${gb(flat.between, 3)} | ${gb(by_ring(training()), 3)} | ${gb(states())} |
| + hpZ | backward gathers inside | ${plus(pp[1])} | ${gb(by_ring(training(pp[1])), 3)} | ${gb(hpz.total)} |
| + qwZ | weights in 8 bits | ${plus(pp[2])} | ${gb(by_ring(training(pp[2])), 3)} | ${gb(hpz.total)} |
| + qgZ | gradients in 4, first inside | ${plus(pp[3])} | ${gb(by_ring(training(pp[3])), 3)} | ${gb(hpz.total)} |

The paper's "${pp_fold} times less" is the column by rings. *hpZ* costs memory for a second bf16 copy of the weights, sharded inside each node. *qwZ* and *qgZ* cost precision.]],
    sources = { "Wang et al., ZeRO++, arXiv:2306.10209, sections 3.1 to 3.3; abstract: communication is reduced by 4x" },
  },

  lab {
    id = "fewer-between",
    title = "ZeRO++ on two nodes",
    lab = "zero-plus-plus",
    text = [[
The same two nodes and **emulated** links. Stage 3 runs as before, then with hpZ's copy of the weights, then with weights in 8 bits and gradients in 4. The last run shards inside each node alone.]],
    question = [[
With hpZ: how many MB did one rank send to the **other node** per step, in fp32?]],
    problem = {
      kind = "traffic", quantity = "between", unit = "MB",
      training = { params = "measured", precision = "fp32", optimizer = "adamw", gpus = 4, gpus_per_node = 2, stage = 3, hpz = 2, recipe = "zerolab" },
    },
    sources = { "Wang et al., ZeRO++, arXiv:2306.10209, sections 3.1 to 3.3", "zerolab, src/lab/gather.c and reduce.c in this repository" },
  },

  problem {
    id = "hpz-keeps",
    title = "hpZ: what it keeps",
    form = "number",
    about = { "hpz-free", "hpz-as-hsdp" },
    vary = function(r)
      return {
        problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = training({ gpus = r:pick { 32, 64, 128 }, hpz = 8 }, r:pick(sizes)) },
        ask = "${A params} model, ${precision} with AdamW, ${gpus} GPUs, stage 3 with **hpZ over the 8 GPUs** of a node: a second bf16 copy of the weights, sharded inside the node. How many ${unit} does a GPU keep?",
      }
    end,
    hints = { "Stage 3 over all ranks, plus which copy?", "16 B × Ψ ÷ N + 2 B × Ψ ÷ 8." },
  },

  problem {
    id = "flat-between",
    title = "Everything, everywhere",
    form = "number",
    review = true,
    about = { "inside-for-between" },
    vary = function(r)
      return {
        problem = { kind = "traffic", quantity = "between", unit = "GB", training = training({ gpus = r:pick { 16, 32, 64 } }, r:pick(sizes)) },
        ask = "${A params} model, ${precision}, stage 3 over all ${gpus} GPUs, nodes of 8, one micro-batch, no ring: every rank sends its shard directly to each other rank. How many ${unit} does a rank send **to other nodes** per step?",
      }
    end,
    hints = { "Of the N − 1 other ranks, how many are in other nodes?", "(N − 8)/N × 3 × 2 B × Ψ." },
  },

  problem {
    id = "which-axis-where",
    title = "Which axis where?",
    form = "sort",
    review = true,
    vary = function(r)
      local all = {
        { text = "tensor parallel", bin = 1, because = "It waits for the wire four times in every layer." },
        { text = "hybrid sharding's gathers", bin = 1, because = "They bring weights for every layer and micro-batch." },
        { text = "the copies of hybrid sharding", bin = 2, because = "They average an eighth of the gradients once per step or micro-batch." },
        { text = "pipeline stages", bin = 2, because = "They send one layer's output per micro-batch, the least of all." },
        { text = "stage 1's reduce-scatter and all-gather, with tensor parallel in the node", bin = 2, because = "They run once per step, on an eighth of the model." },
        { text = "sequence parallel's gathers and scatters", bin = 1, because = "It runs with tensor parallel: in the same group, in every layer." },
      }
      local items = {}
      for i, item in ipairs(r:shuffle(all)) do
        if i <= 4 then items[i] = item end
      end
      return { ask = "NVLink joins the GPUs of a node. A tenth of its bandwidth joins nodes. Where does each of these belong?", bins = { "inside a node", "between nodes" }, items = items }
    end,
    hints = { "How often does it send: in every layer, every micro-batch or every step?", "In every layer: inside. Once a step or a micro-batch: it may cross." },
  },

  problem {
    id = "data-parallel-left",
    title = "What is left?",
    form = "choice",
    review = true,
    vary = function(r)
      local gpus, tp, pp, d
      repeat
        gpus, tp, pp = r:pick { 64, 128, 256 }, r:pick { 4, 8 }, r:pick { 2, 4 }
        d = gpus // (tp * pp)
      until d ~= tp * pp and gpus // tp ~= tp * pp -- four answers that differ
      return {
        values = { gpus = gpus, tp = tp, pp = pp },
        ask = "${gpus} GPUs, tensor parallel ${tp}, pipeline ${pp}. Over how many ranks does ZeRO stage 1 shard the optimizer?",
        choices = r:shuffle {
          { text = tostring(gpus), because = "That is every rank. Ranks of other tensor and pipeline parts have other parameters." },
          { text = tostring(gpus // tp), because = "Other pipeline stages have other layers, so divide by p too." },
          { text = tostring(d), right = true, because = "World ÷ (t · p): the ranks that hold the same parameters." },
          { text = tostring(tp * pp), because = "That many GPUs together hold one copy of the model. ZeRO shards across copies." },
        },
      }
    end,
    hints = { "Only ranks with the same parameters can share their states.", "world ÷ (t × p)." },
  },

  myth {
    id = "zero-replaces-tp",
    title = "ZeRO-3 or tensor parallelism",
    claim = "With ZeRO-3 you no longer need tensor parallelism.",
    truth = false,
    because = [[
There are two sides. For the claim: stage 3 divides states as well, changes no model code, and on fast links its gathers hide. Against it: stage 3 divides only *states*. Tensor parallelism also divides a layer's **activations and work**. If micro-batch 1 does not fit, or the global
batch may not grow with the GPUs, you need it. And a gather over thousands of GPUs is slow. Llama 3 405B was trained with both, DeepSeek-V3 without tensor parallelism, with pipeline, experts and stage 1.]],
    sources = {
      "Grattafiori et al., The Llama 3 Herd of Models, arXiv:2407.21783, section 3.3.2 and table 4: tensor parallel 8 beside FSDP, which keeps weights gathered from forward to backward",
      "DeepSeek-AI, DeepSeek-V3, arXiv:2412.19437, section 3.2: pipeline 16, experts 64, ZeRO-1, and no tensor parallelism",
    },
    given = { "405B" },
  },

  say_aloud {
    id = "explain-it",
    title = "Aloud: a layout for 70B",
    ask = "You have 8 nodes of 8 A100s, with NVLink inside and 200 Gb/s per GPU between them. Lay out a 70B model and defend where each axis goes.",
    points = {
      "the chattiest axis, tensor parallel or the shard group, inside a node",
      "across nodes: stage 1's traffic, copies, pipeline stages, and stage 3's gathers if they hide",
      "ZeRO's N is world ÷ (t · p)",
      "with a pipeline take stage 1: 2 and 3 would communicate for every micro-batch",
      "first it must fit (states, activations), then time decides",
    },
    model = [[
It must fit first. Stage 3 over all 64 keeps ${gb(states())}, but a sequence takes ${one_sequence} of activations, so I divide each layer inside a node, where the link is fast for the axis that talks most. Tensor 8 leaves ZeRO an N of 64 ÷ 8. With stage 1 across it is simple: it keeps ${tp} of states and crosses nodes once per step. With ${fastest.global_batch} sequences a step takes ${seconds(simple.step)}.
The planner finds tensor ${best.tp} with stage ${best.stage} over ${64 // (best.tp * best.pp)} ranks: its gathers cross in each of ${best.accumulate} micro-batches but hide, and a step takes ${seconds(best.seconds)}. So tensor 8 is ${percent(simple.step / best.seconds - 1, 2)} slower. I would take it only over a much slower network. With a pipeline I would also take stage 1, because 2 and 3 communicate for every micro-batch.]],
  },

  cards {
    id = "cards",
    cards = {
      { id = "n-of-zero", front = "ZeRO's N, with tensor and pipeline parallelism?", back = "World ÷ (t · p)." },
      { id = "chatty-axis", front = "Where does the axis that sends most go?", back = "On the fastest link: tensor parallel inside a node." },
      { id = "hsdp-price", front = "HSDP: what does it save, and what does it cost?", back = "It saves traffic between nodes. It costs memory: states ÷ group instead of ÷ N." },
      { id = "pipeline-stage", front = "Which ZeRO stage goes with a pipeline, and why?", back = "Stage 1: 2 and 3 would communicate for every micro-batch." },
      { id = "bubble", front = "A pipeline's bubble?", back = "(p − 1)/m of the ideal time, m micro-batches." },
      { id = "zero-bubble", front = "A zero-bubble schedule divides backward. How does that help, and what does ZB-H2 take?", back = "Only the input's gradient is urgent, so the weights' gradients fill slots in which 1F1B waits. ZB-H2 waits in none. It keeps activations of 2p − 1 micro-batches instead of p, and its update waits for no norm of all gradients." },
      { id = "zeropp", front = "ZeRO++: hpZ, qwZ, qgZ?", back = "A second weight copy inside the node; weights gathered in 8 bits; gradients reduced in 4." },
      { id = "tp-divides", front = "What does tensor parallelism divide that ZeRO does not?", back = "A layer's activations and its arithmetic." },
    },
  },

  recap {
    id = "recap",
    title = "To take away",
    further = {
      "DeepSpeed, ZeRO++: https://www.deepspeed.ai/tutorials/zeropp/",
      "PyTorch, DeviceMesh, with HSDP: https://docs.pytorch.org/tutorials/recipes/distributed_device_mesh.html",
      "The code that settles it: src/account/training/mesh.c in this repository",
    },
    text = [[
| 70B, 8 nodes of 8 | states a GPU | to other nodes | a NIC, by rings |
|:--|--:|--:|--:|
| stage 3 over 64 | ${gb(states())} | ${gb(flat.between, 3)} | ${gb(by_ring(training()), 3)} |
| stage 3 in a node, copies | ${group} | ${g_between} | ${g_ring} |
| tensor 8, stage 1 | ${tp} | ${tp_between_70} | ${gb(by_ring(tp_across), 3)} |

- GPUs = t × p × d. **ZeRO shards over d**, or over a group of it.
- Put the axis that sends most on the fastest link. Combine pipelines with stage 1. Next: one napkin.]],
  },
}
