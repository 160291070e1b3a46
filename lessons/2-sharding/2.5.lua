-- 2.5  Seconds = bytes ÷ bandwidth, so predict them
--
-- Afterwards the learner can turn bytes into seconds with latency and bandwidth, read a link's figures (bits, directions, bus and
-- algorithm bandwidth, inside and between nodes), and say how much of a transfer sticks out of the computation that should hide it.

-- ── the case that the lesson walks through ──────────────────────────────────────────────────────

local function training(model, stage, more)
  local t = { model = model, precision = "mixed-bf16", gpus = 8, gpu = "a100-80g", stage = stage, batch = 1, seq = 2048, recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end

local nvlink, pcie, ib = engine.link("nvlink3"), engine.link("pcie4"), engine.link("ib-hdr")
local gradients = 2 * engine.model("llama-2-7b").params
local fast, slow = engine.clock(training("llama-2-7b", 3)), engine.clock(training("llama-2-7b", 3, { link = "pcie4" }))
local two = engine.clock(training("llama-2-7b", 2, { link = "pcie5" }))
local function larger(batch, stage) return training("llama-2-7b", stage or 3, { link = "pcie4", batch = batch }) end
local four, eight, one = engine.clock(larger(4)), engine.clock(larger(8)), engine.clock(larger(4, 1))
-- A matrix product alone and beside an all-gather, on an A100 80GB: NVIDIA/nccl, issue 1428.
local alone, beside = 1.18e-3, 2.08e-3
local function all_reduce(link, bytes)
  return engine.collective_seconds { op = "all_reduce", bytes = bytes, training = { gpus = 8, link = link } }
end

-- ── what the problems draw from ─────────────────────────────────────────────────────────────────

local links = { "nvlink3", "nvlink4", "pcie4", "pcie5" }
local function said_link(name)
  local l = engine.link(name)
  return l.title .. ", " .. engine.rate(l.rate) .. " in one direction as NCCL reaches it"
end
local function collective(r, op)
  local link = r:pick(links)
  return {
    kind = "seconds", quantity = op, budget = r:pick { "500MB", "1GB", "2GB", "4GB", "14GB", "26GB" }, unit = "ms",
    training = { gpus = r:pick { 4, 8 }, link = link },
  }, said_link(link)
end

return lesson {
  id = "2.5",
  title = "Seconds = bytes ÷ bandwidth, so predict them",
  stop = "bits-on-the-box",
  goal = "turn bytes into seconds with latency and bandwidth, read a link's figures, and say how much of a transfer sticks out of the computation that should hide it",
  revision = 1,
  values = {
    alone = alone, beside = beside, eight = eight, fast = fast, four = four, gradients = gradients, ib = ib, nvlink = nvlink, one = one,
    pcie = pcie, slow = slow, two = two, sent = engine.gb(engine.traffic(training("llama-2-7b", 0)).total, 3),
    on_nvlink = engine.seconds(all_reduce("nvlink3", gradients)), on_pcie = engine.seconds(all_reduce("pcie4", gradients)),
    tiny = engine.seconds(all_reduce("nvlink3", 1e3)), small = engine.seconds(all_reduce("nvlink3", 1e6)),
    large = engine.seconds(all_reduce("nvlink3", 1e9)), bound = engine.seconds(math.max(0, slow.comm - slow.forward - slow.backward)),
    start = engine.seconds(all_reduce("nvlink3", 1) - 14 * nvlink.latency, 2), about = engine.seconds(all_reduce("nvlink3", gradients), 2),
    about_pcie = engine.seconds(all_reduce("pcie4", gradients), 2), four_peak = engine.gb(engine.memory(larger(4)).peak, 3),
    eight_peak = engine.gb(engine.memory(larger(8)).peak, 3), card = engine.gb(engine.card("a100-80g").usable_bytes, 3),
    slower = string.format("%.2f", beside / alone),
  },

  predict {
    id = "how-long",
    title = "Before you start",
    ask = [[
Llama 2 7B has ${gb(gradients, 3)} of bf16 gradients. Eight A100s all-reduce them over NVLink. Its data sheet says **${rate(2 * nvlink.wire)}**.

About how long does that take?]],
    choices = {
      "about ${seconds(gradients / (2 * nvlink.wire), 2)}: ${gb(gradients, 3)} ÷ ${rate(2 * nvlink.wire)}",
      "about ${about}",
      "about ${about_pcie}",
    },
    answer = 2,
    reveal = [[
**${on_nvlink}.** Three things separate the data sheet from that time. ${rate(2 * nvlink.wire)} counts *both directions*. One direction carries ${rate(nvlink.wire)}, of which
NCCL reaches ${rate(nvlink.rate)}. And an all-reduce sends 2 × 7/8 of the array, ${sent}.]],
    sources = { "NVIDIA A100 data sheet: NVLink 600 GB/s, the sum of both directions" },
  },

  say {
    id = "alpha-beta",
    title = "Two numbers: α and β",
    wall = "A collective takes a time to start, α, and then a time for each byte, β.",
    text = [[
> seconds = start + hops × **latency** + bytes sent ÷ **bandwidth**

A collective takes ${start} to start. A ring of N ranks makes N − 1 hops for a reduce-scatter and as many for an all-gather. Each hop takes the
latency, ${seconds(nvlink.latency)} over this NVLink. Lesson 1.4 counts the bytes. An all-reduce on eight A100s makes 14 hops and takes

| 1 kB | 1 MB | 1 GB |
|--:|--:|--:|
| ${tiny} | ${small} | ${large} |

Up to about a megabyte you pay for each *message*. Beyond that you pay for bytes. So buckets make few large messages. A **tree** needs log₂ M hops up and
as many down *between* M machines. Inside a machine NCCL's tree is a chain, with as many hops as the ring. So a tree wins on many machines, with small messages.

(The latency is that of NCCL's protocol *Simple*, for large messages. NCCL has faster ones for small messages, so the first two times are upper bounds.)]],
    sources = {
      "NVIDIA/nccl, src/graph/tuning.cc: base latencies and latencies per hop; a tree takes 2 × ((ranks ÷ nodes − 1) hops inside a node + log₂(nodes) between them), and src/graph/connect.cc builds it over nodes; the Simple protocol's are used here; a hop over NVLink takes LL 0.6 and LL128 1.9 µs",
      "Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH, 2005",
    },
    given = { "1 kB", "1 MB", "1 GB" },
  },

  animate {
    id = "up-a-tree",
    title = "A tree instead of a ring",
    play = "tree-all-reduce",
    notes = {
      start = "Whole numbers go up and down here, not chunks.",
      reduce = "Half of the remaining ranks send up. They wait for the total.",
      turn = "The root has every sum. Now the sums go down again.",
      gather = "Each rank that has the sums sends them to another.",
      finish = "log₂ N hops up, and as many down. Compare with a ring of more ranks, too.",
    },
    ask = "After how many hops does the root, rank 0, have the whole sum?",
    reveal = "Each hop up halves the ranks that still add: log₂ N.",
    [[The same all-reduce over a tree. Does it need fewer hops than a ring?]],
    sources = { "Sanders, Speck and Träff, Two-Tree Algorithms for Full Bandwidth Broadcast, Reduction and Scan, 2009; NVIDIA/nccl, src/graph/trees.cc: double binary trees, each for half of the buffer" },
  },

  say {
    id = "reading-figures",
    title = "Reading a link's figures",
    text = [[
| the data sheet or tool says | one rank gets |
|:--|:--|
| NVLink 3 "600 GB/s" | Both directions. One: ${rate(nvlink.wire)}. NCCL: ${rate(nvlink.rate)} |
| PCIe 4 x16 "64 GB/s" | Both. One: ${rate(pcie.wire)}. In practice: ${rate(pcie.rate)} |
| InfiniBand HDR "200 Gb/s" | **Bits**: ÷ 8 = ${rate(ib.rate)} |
| nccl-tests "busbw" | The rate on the links: compare with them |
| nccl-tests "algbw" | Array ÷ time: the rate for your gradients |

busbw = algbw × 2(n − 1)/n for an all-reduce, × (n − 1)/n for a reduce-scatter or an all-gather. Between nodes every GPU may have its own network card. Eight cards
of 200 Gb/s carry eight rings at the same time.]],
    sources = { "NVIDIA/nccl-tests, doc/PERFORMANCE.md", "Sources of the rates: data/hardware.json in this repository" },
    given = { "600 GB/s", "64 GB/s", "200 Gb/s" },
  },

  worked {
    id = "by-hand",
    title = "By hand: an all-reduce",
    text = "An all-reduce of 4 GB of gradients on eight GPUs over NVLink 3.",
    problem = { kind = "seconds", quantity = "all_reduce", budget = "4GB", unit = "ms", training = { gpus = 8, link = "nvlink3" } },
    notes = {
      all_reduce = "Bytes sent, over one direction of the link.",
      latency = "2 × 7 hops and a start. At this size they hardly count.",
    },
  },

  problem {
    id = "ring-by-lines",
    title = "Your turn: an all-gather",
    form = "sheet",
    blank = { "all_gather", "total" },
    about = { "link-bits" },
    vary = function(r)
      local problem, link = collective(r, "all_gather")
      return {
        problem = problem,
        values = { link = link },
        ask = "${gpus} GPUs **all-gather** an array of ${budget} over ${link}. How long does it take? The latency is given.",
      }
    end,
    hints = { "How many of the bytes does one rank send?", "Take (N − 1)/N of the array, divide by the rate, and add the latency." },
  },

  problem {
    id = "an-all-reduce",
    title = "An all-reduce",
    form = "number",
    about = { "all-reduce-once", "no-ring-factor" },
    vary = function(r)
      local problem, link = collective(r, "all_reduce")
      return {
        problem = problem,
        values = { link = link },
        ask = "An **all-reduce** of ${budget} on ${gpus} GPUs over ${link}. How many ${unit} does it take? Latency hardly counts at this size.",
      }
    end,
    hints = { "An all-reduce sends each byte nearly twice.", "2 × (N − 1)/N × bytes ÷ rate." },
  },

  problem {
    id = "bits-on-the-box",
    title = "Bits on the box",
    form = "number",
    about = { "link-bits" },
    vary = function(r)
      local gigabits = r:pick { 100, 200, 400 }
      return {
        problem = {
          kind = "seconds", quantity = "all_gather", budget = r:pick { "2GB", "4GB", "14GB", "26GB" }, unit = "ms",
          training = { gpus = r:pick { 4, 8, 16 }, gpus_per_node = 1, net = gigabits .. "Gb/s" },
        },
        values = { gigabits = gigabits },
        ask = "${gpus} machines with **one GPU each**, joined by a network of **${gigabits} Gb/s**. How many ${unit} does an all-gather of a ${budget} array take?",
      }
    end,
    hints = { "Networks are sold in bits. What is that in bytes?", "Divide by 8 for bytes per second. Then (N − 1)/N × bytes ÷ rate." },
  },

  lab {
    id = "alpha-and-beta-here",
    title = "Measure α and β",
    lab = "measure-collectives",
    text = [[
Four ranks of this machine time each collective alone, over an **emulated** link: 50 µs for each hop, then 200 MB/s. A line with two numbers, α per
hop and β for the bytes, is fitted to the sizes up to 1 MB. What it says of a larger size is a prediction.]],
    question = [[
A size that was not run: how many ms does an all-reduce of **32 MB** take on these four ranks, over 200 MB/s?]],
    problem = { kind = "seconds", quantity = "all_reduce", budget = "32MB", unit = "ms", training = { gpus = 4, link = "200MB/s" } },
    given = { "50 µs", "200 MB/s" },
    sources = {
      "zerolab collectives: medians over ranks and ten repetitions; the latency and the bandwidth are emulated and labelled so",
      "The fit: least squares of the relative errors, src/account/traffic/fit.c in this repository",
    },
  },

  say {
    id = "what-hides",
    title = "What hides, and what sticks out",
    text = [[
Transfers run while the GPU computes. This engine counts that as free, but NCCL uses processors and memory bandwidth: during an all-gather a matrix
product on an A100 took ${seconds(beside)} instead of ${seconds(alone)}, ${slower} times as long.

Is a step as long as the longer of the two? **No.** The computation of a block is a **window**, and all transfers during it share it:

- In forward: the gather of the next block.
- In backward: the next gather *and* the reduce-scatter of the last gradients.
- In no window: the first gather and the last bucket (**head** and **tail**). In stages 1 and 2 also the gather of new weights, unless
  Megatron's `overlap_param_gather` runs it during the next forward.

> exposed = head + tail + sum over windows of max(0, transfers − computation)

max(0, comm − compute) over the whole step is a *lower bound*. Llama 2 7B, stage 2, PCIe 5: ${seconds(two.comm)} of transfers, ${seconds(fast.forward + fast.backward)} of computation. By the
bound the GPU never waits, by the windows it waits ${seconds(two.exposed)}.]],
    briefly = [[
A step is not as long as the longer of computation and transfers. Each block's computation is a **window**, and its transfers share it. The first gather and the last bucket have no window:

> exposed = head + tail + sum over windows of max(0, transfers − computation)

Llama 2 7B, stage 2, PCIe 5: ${seconds(two.comm)} of transfers, ${seconds(fast.forward + fast.backward)} of computation, and the GPU still waits ${seconds(two.exposed)}.]],
    slowly = [[
Transfers can run while the GPU computes. Then they cost no time. We say that they *hide*. (This is not quite free. Transfers use
processors and memory bandwidth, too. A matrix product on an A100 took ${seconds(beside)} during an all-gather, and ${seconds(alone)} alone. That is
${slower} times as long.)

So is a step as long as the longer of the two? **No.** A transfer can only hide behind what computes at the same time.

Call the computation of one block a **window**. These transfers share it:

- In forward: the gather of the next block.
- In backward: the next gather *and* the reduce-scatter of the last gradients. There are two of them in one window.
- Some have no window. Nothing computes before the first gather. Nothing computes after the last bucket. These are **head** and
  **tail**. In stages 1 and 2 the gather of new weights has no window either. Megatron's `overlap_param_gather` can run it during the
  next forward.

Now look at one window. If its transfers are shorter than its computation, they hide. If they are longer, the GPU waits for the
difference. Time that is left over in another window does not help.

> exposed = head + tail + sum over windows of max(0, transfers − computation)

If you compare the sums of the whole step, you get a *lower bound*. Llama 2 7B, stage 2, PCIe 5 shows it. Transfers take ${seconds(two.comm)}.
Computation takes ${seconds(fast.forward + fast.backward)}, which is more. By the bound the GPU never waits. By the windows it waits ${seconds(two.exposed)}.]],
    sources = {
      "account_clock() in this repository: src/account/traffic/clock.c sums windows; compute by matrix products, 2 · weights · tokens and attention's 4 · s² · h a layer, forward, and twice that backward, at half of the card's peak",
      "NVIDIA/nccl, issue 1428: a matrix product, attention and elementwise kernels of a GPT on an A100-SXM4-80GB, alone and beside an all-gather; the maintainer names memory bandwidth",
      "NVIDIA/Megatron-LM, megatron/core/distributed/distributed_data_parallel_config.py: overlap_param_gather",
    },
  },

  figure {
    id = "two-links",
    title = "The same step over two links",
    text = [[
Llama 2 7B, eight A100s: ${seconds(fast.forward + fast.backward)} of forward and backward, ${seconds(fast.update)} of update. Over NVLink ${seconds(fast.exposed)} of ${seconds(fast.comm)} are exposed. Over PCIe 4 the
GPU waits ${bound} by the bound and ${seconds(slow.exposed)} by the windows.]],
    figure = { kind = "timeline", part = "step", training = training("llama-2-7b", 3, { link = "nvlink3" }), compare = { training("llama-2-7b", 3, { link = "pcie4" }) } },
  },

  explore {
    id = "hide-it",
    title = "Hide it",
    text = "Llama 2 7B, eight A100s over PCIe. Hide the slow link and stay on the card.",
    training = training("llama-2-7b", 3, { link = "pcie4" }),
    sliders = {
      { field = "stage", label = "stage", start = 4, values = { { value = 0, name = "0" }, { value = 1, name = "1" }, { value = 2, name = "2" }, { value = 3, name = "3" } } },
      { field = "batch", label = "micro-batch size", start = 1, values = { { value = 1, name = "1" }, { value = 2, name = "2" }, { value = 4, name = "4" }, { value = 8, name = "8" } } },
      { field = "accumulate", label = "accumulation", start = 1, values = { { value = 1, name = "1" }, { value = 4, name = "4" }, { value = 8, name = "8" } } },
    },
    figure = { kind = "timeline", part = "step", training = "explore" },
    try = { "Set size 4, then 8. How do the holes and the peak change? Then set stage 1." },
  },

  figure {
    id = "which-link",
    title = "Which link is fast enough?",
    wall = "Larger micro-batches close the holes, and cost memory.",
    text = [[
Micro-batches of 4 close most holes: the GPU waits ${seconds(four.exposed)} instead of ${seconds(slow.exposed)}, with a peak of ${four_peak}. Size 8 also waits ${seconds(eight.exposed)}, but
peaks at ${eight_peak} of ${card}. Transfers grow with parameters, computation with parameters × **tokens**. Stage 1 still waits ${seconds(one.exposed)}:
nothing computes during the gather of new weights.]],
    figure = { kind = "roofline", training = training("llama-2-7b", 3), links = { "nvlink3", "pcie5", "pcie4", "eth-100g" } },
  },

  problem {
    id = "a-step",
    title = "A step's transfers",
    form = "number",
    about = { "ring-whole" },
    vary = function(r)
      local link = r:pick(links)
      return {
        problem = {
          kind = "seconds", unit = "ms",
          training = { params = r:pick { 3e9, 7e9, 8e9, 13e9, 34e9 }, precision = "mixed-bf16", gpus = 8, stage = r:pick { 2, 3 }, link = link, recipe = "paper" },
        },
        values = { link = said_link(link) },
        ask = "${A params} model, ${precision}, ${gpus} GPUs, ZeRO stage ${stage} by the paper's algorithm, one micro-batch, over ${link}. How many ${unit} of transfers does a step have, hidden or not?",
      }
    end,
    hints = { "First the bytes that a rank sends in a step, as in lesson 1.4.", "Stage 2: 2Ψ, stage 3: 3Ψ; × (N − 1)/N × 2 B ÷ rate." },
  },

  problem {
    id = "stage-3-gathers",
    title = "Between machines",
    form = "number",
    review = true,
    about = { "link-bits" },
    vary = function(r)
      local gigabits = r:pick { 100, 200, 400 }
      return {
        problem = {
          kind = "seconds", unit = "s",
          training = { params = r:pick { 7e9, 13e9, 34e9, 70e9 }, precision = "mixed-bf16", gpus = r:pick { 8, 16, 32 }, gpus_per_node = 1, stage = 3, net = gigabits .. "Gb/s", recipe = "paper" },
        },
        values = { gigabits = gigabits },
        ask = "${A params} model, ${precision}, ${gpus} machines with one GPU each, ZeRO stage 3 by the paper's algorithm, one micro-batch, over **${gigabits} Gb/s**. How many seconds of transfers does a step have?",
      }
    end,
    hints = { "3Ψ × (N − 1)/N × 2 B. And the network is sold in bits.", "÷ (gigabits ÷ 8) GB/s." },
  },

  problem {
    id = "which-window",
    title = "Behind what?",
    form = "sort",
    review = true,
    vary = function(r)
      local all = {
        { text = "the gather of block 7 for forward", bin = 1, because = "It runs while block 6 computes forward." },
        { text = "the gather of block 7 for backward", bin = 2, because = "It runs while block 8 computes backward." },
        { text = "the reduce-scatter of block 7's gradients", bin = 2, because = "Blocks 6 to 0 still have their backward to do." },
        { text = "the very first gather of a step", bin = 3, because = "No computation comes before it." },
        { text = "the last bucket's reduce-scatter", bin = 3, because = "Backward is over." },
        { text = "the gather of new weights under stage 1", bin = 3, because = "It waits for the update, and usually the next forward waits for it." },
        { text = "DDP's all-reduce of the last layers' gradients", bin = 2, because = "Backward of the earlier layers still runs." },
      }
      local items = {}
      for i, item in ipairs(r:shuffle(all)) do
        if i <= 5 then items[i] = item end
      end
      return { ask = "Behind which computation can each transfer hide?", bins = { "forward", "backward", "nothing" }, items = items }
    end,
    hints = { "A transfer hides behind computation that runs at the same time and does not need its bytes.", "Heads and tails hide behind nothing." },
  },

  problem {
    id = "bus-or-algorithm",
    title = "Which bandwidth?",
    form = "choice",
    review = true,
    vary = function(r)
      local n, algorithm = r:pick { 4, 8, 16 }, r:pick { 100, 120, 140, 200 }
      local bus = algorithm * 2 * (n - 1) / n
      return {
        values = { n = n, algorithm = algorithm },
        ask = "nccl-tests reports an all-reduce on ${n} GPUs: algbw ${algorithm} GB/s. What is its **busbw**, the number to compare with the link?",
        choices = r:shuffle {
          { text = string.format("%.4g GB/s", algorithm), because = "That is the array over the time. The links carried nearly twice as much." },
          { text = string.format("%.4g GB/s", algorithm * (n - 1) / n), because = "That factor belongs to a reduce-scatter or an all-gather." },
          { text = string.format("%.4g GB/s", bus), right = true, because = "Times 2(n − 1)/n, since each byte of the array crosses links nearly twice." },
          { text = string.format("%.4g GB/s", 2 * algorithm * n), because = "Ranks do not add up: busbw is per link." },
        },
      }
    end,
    hints = { "Which factor does an all-reduce have?", "2(n − 1)/n." },
  },

  myth {
    id = "longer-of-two",
    title = "The longer of the two",
    claim = "A step takes as long as its computation or its communication, whichever is longer.",
    truth = false,
    because = [[
That is a lower bound. A transfer hides only behind the block that computes at the same time. A gather that is longer than that block sticks out, even if
backward has time to spare later. Head and tail always stick out. And under stages 1 and 2 the gather of new weights usually has nothing to hide behind.]],
  },

  say_aloud {
    id = "explain-it",
    title = "Aloud: an estimate of seconds",
    ask = "A colleague estimates: *\"Llama 2 7B, ${gb(gradients, 3)} of gradients, NVLink ${rate(2 * nvlink.wire)}, so ${seconds(gradients / (2 * nvlink.wire), 2)}, and it overlaps with backward, so it's free.\"* Correct that, friendly, in four sentences.",
    points = {
      "${rate(2 * nvlink.wire)} is both directions; one direction is ${rate(nvlink.wire)}, and NCCL reaches about ${rate(nvlink.rate)}",
      "an all-reduce sends 2(N − 1)/N of the array, not the array",
      "so it is about ${about}, not ${seconds(gradients / (2 * nvlink.wire), 2)}",
      "it overlaps bucket by bucket with the block that computes then; the last bucket sticks out",
      "for many small messages latency counts, too",
    },
    model = [[
Two factors are missing. ${rate(2 * nvlink.wire)} counts both directions. In one direction NCCL gets about ${rate(nvlink.rate)}. And an all-reduce sends nearly twice the array. That makes
${on_nvlink}. Most of it does hide behind backward, but bucket by bucket, and the last has nothing left to hide behind. Each message also has its latency, which counts if there are many small ones. And over PCIe 4 all of it takes ${on_pcie}, longer than backward itself.]],
  },

  cards {
    id = "cards",
    cards = {
      { id = "alpha-and-beta", front = "Seconds of a collective?", back = "Start + hops × latency + bytes sent ÷ bandwidth of one direction." },
      { id = "bus-alg", front = "busbw from algbw, all-reduce and all-gather?", back = "× 2(n − 1)/n and × (n − 1)/n." },
      { id = "nvlink-directions", front = "The A100's data sheet adds up both directions of NVLink. What rate does a ring get?", back = "${rate(nvlink.wire)} in one direction; NCCL reaches about ${rate(nvlink.rate)}." },
      { id = "bits", front = "400 Gb/s in bytes?", back = "${rate(400e9 / 8)}: a byte has 8 bits." },
      { id = "exposed-sum", front = "Exposed time of a step?", back = "Head and tail, and the sum over windows of max(0, all transfers in it − its computation). A window is a block's computation." },
      { id = "larger-batch-hides", front = "Why does a larger micro-batch hide a slow link?", back = "Computation grows with tokens, stage-3 transfers do not. But activations grow too, so look at the peak." },
      { id = "tree-or-ring", front = "When does a tree beat a ring?", back = "Small messages on many machines: log₂ M hops up and down between M of them. Inside a machine NCCL's tree is a chain, no shorter than the ring." },
    },
  },

  recap {
    id = "recap",
    title = "To take away",
    further = {
      "NVIDIA/nccl-tests, what bandwidth means: https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md",
      "Bekman, Machine Learning Engineering, network: https://github.com/stas00/ml-engineering/tree/master/network",
    },
    sources = { "The code that settles it: src/account/traffic/clock.c in this repository" },
    text = [[
> **seconds = start + hops × latency + bytes sent ÷ bandwidth** of one direction

- ${gb(gradients, 3)} all-reduced on 8 GPUs: ${on_nvlink} over NVLink 3, ${on_pcie} over PCIe 4.
- Small messages pay latency, large ones bandwidth. Networks are sold in bits.
- Busbw is the rate on the links, algbw the rate that you got.
- **Exposed = a sum over windows**; max(0, comm − compute) is a lower bound.
- Tokens hide bytes: a larger micro-batch makes a slow link good enough, as long as it fits.

Next: the same ideas under their real names, in real frameworks.]],
  },
}
