-- 2.1  Shard one optimizer over four GPUs by hand
--
-- Afterwards the learner can cut a flat buffer into shards with a pencil: how large a shard is, who owns which element, how much is
-- padding; and follow one step of Adam on a shard, from the sum of the gradients to the all-gather.

-- ── the case that the lesson walks through: ten parameters, four ranks ──────────────────────────

local function flat(elements, ranks, precision)
  return { params = elements, precision = precision or "mixed-bf16", optimizer = "adamw", gpus = ranks, stage = 1, recipe = "paper" }
end
local function shard(quantity, elements, ranks, rank)
  return { kind = "shard", quantity = quantity, unit = "parameters", rank = rank, training = flat(elements, ranks) }
end
local function solved(...) return engine.solve(shard(...)).value end

local size, padding = solved("size", 10, 4), solved("padding", 10, 4)
local last = { first = solved("first", 10, 4, 3), real = solved("real", 10, 4, 3) }
local seven = engine.ledger { params = 7e9, gpus = 4, stage = 1, recipe = "paper" }
local whole = engine.ledger { params = 7e9, gpus = 1, stage = 0, recipe = "paper" }

-- One step of Adam, from moments of zero: what each rank does to its elements. Kingma and Ba, arXiv:1412.6980, algorithm 1.
local adam = { rate = 0.1, beta1 = 0.9, beta2 = 0.999, eps = 1e-8 }
local function update(w, g)
  local m, v = (1 - adam.beta1) * g, (1 - adam.beta2) * g * g
  local mean, square = m / (1 - adam.beta1), v / (1 - adam.beta2)
  return m, v, mean, square, w - adam.rate * mean / (math.sqrt(square) + adam.eps)
end
local weights, gradients = { 0.50, -1.20, 2.00 }, { 0.40, -0.02, 3.00 }
local rows = {}
for i = 1, size do
  local m, v, mean, square, new = update(weights[i], gradients[i])
  rows[i] = {
    "w" .. (i - 1), string.format("%.2f", weights[i]), string.format("%.2f", gradients[i]), string.format("%.3f", m), string.format("%.7f", v),
    string.format("%.2f", mean), string.format("%.4f", square), string.format("%.2f", new),
  }
end

local idle = 0
for rank = 0, 7 do
  if solved("real", 17, 8, rank) == 0 then idle = idle + 1 end
end

-- ── what the problems draw from ─────────────────────────────────────────────────────────────────

-- A buffer that the ranks do not divide, so that there is something to pad.
local function uneven(r, least, most)
  local ranks, elements = r:pick { 3, 4, 5, 6, 8 }
  repeat elements = r:int(least, most) until elements % ranks > 1 and math.ceil(elements / ranks) * (ranks - 1) < elements
  return elements, ranks
end

return lesson {
  id = "2.1",
  title = "Shard one optimizer over four GPUs by hand",
  stop = "cut-it",
  goal = "cut a flat buffer into shards with a pencil, say who owns which element and how much is padding, and follow one step of Adam on a shard",
  revision = 1,
  values = {
    adam = adam, idle = idle, padding = padding, seven = seven, size = size, whole = whole,
  },

  predict {
    id = "ten-over-four",
    title = "Before you start",
    ask = [[
Ten parameters on four GPUs. Each GPU keeps the optimizer's states of its part. Collectives need pieces of **equal
length**. How many elements does each GPU set aside?]],
    choices = {
      "2, and the last GPU takes the 4 that are left",
      "2.5",
      "3, though 4 × 3 is more than ten",
      "all 10, and updates only some of them",
    },
    answer = 3,
    reveal = [[
**${size}**: ten ÷ four, *rounded up*. The last ${padding} of ${size * 4} places are **padding**: real memory that holds nothing. On
7 billion elements over four GPUs it is at most three.]],
    after = { kind = "flat", elements = 10, ranks = 4 },
  },

  animate {
    id = "flat-buffer",
    title = "First, lay it flat",
    wall = "The tensors of a layer are laid end to end, into one flat buffer.",
    play = "flat-buffer",
    notes = {
      start = "A model has thousands of small tensors, and each would be padded.",
      flat = "Adam updates element by element and needs no neighbour.",
      pad = "Collectives move equal pieces. The padding is real memory that holds nothing.",
      cut = "A cut inside a tensor does not change Adam's result.",
      own = "Its number times the shard's length is its first element. No table is needed.",
      finish = "Each rank updates its own. With which ranks and elements is nothing padded?",
    },
    ask = "Cuts may go through tensors. How many of the three do they split?",
    reveal = "A cut falls wherever a shard ends.",
    [[A layer has a matrix W and two vectors, b and g. Ranks need equal parts of it.]],
    sources = {
      "deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py: flatten_dense_tensors_aligned; the flat group is padded to a multiple of the ranks",
      "PyTorch FSDP2 (fully_shard) shards each parameter by rows instead, and pads each",
      "account_flat() in this repository: src/account/play/flat.c",
    },
  },

  worked {
    id = "by-hand",
    title = "By hand: who owns what",
    text = "Ten elements, numbered 0 to 9, over ranks 0 to 3. How much of it is padding?",
    problem = shard("padding", 10, 4),
    notes = {
      size = "Rounded up, so that everything finds a place.",
      held = "What the four allocate, together.",
      padding = "It is at the end, so rank 3 has all of it.",
    },
  },

  problem {
    id = "padding-by-lines",
    title = "Your turn: padding",
    form = "sheet",
    about = { "rounded-down" },
    vary = function(r)
      local elements, ranks = uneven(r, 10, 60)
      return {
        problem = shard("padding", elements, ranks),
        values = { elements = elements, ranks = ranks },
        ask = "A flat buffer of ${elements} elements over ${ranks} ranks. How long is a shard, and how much is padding?",
      }
    end,
    hints = {
      "Shards are equally long, and together they must have room for everything.",
      "Divide and round up. The padding is all that the shards hold together, minus the elements.",
    },
  },

  problem {
    id = "first-element",
    title = "Where does it begin?",
    form = "number",
    about = { "element-from-one", "rounded-down" },
    vary = function(r)
      local elements, ranks = uneven(r, 20, 90)
      local rank = r:int(1, ranks - 1)
      return {
        problem = shard("first", elements, ranks, rank),
        values = { elements = elements, ranks = ranks, rank = rank },
        ask = "${elements} elements, numbered from 0, over ${ranks} ranks, numbered from 0. Which is the **first** element of rank **${rank}**?",
      }
    end,
    hints = {
      "How many elements belong to the ranks before it?",
      "Shard length × rank. Ranks and elements count from 0, so nothing is added.",
    },
  },

  read {
    id = "the-real-thing",
    title = "The real thing",
    wall = "The course's own trainer cuts its model in these lines.",
    file = "src/lab/partition.c",
    mark = "shards",
    [[It cuts the model of this course's own trainer, as you just did with a pencil.]],
    notes = {
      { "for (size_t u", "Unit by unit, from the last to the first, as backward makes gradients. A unit is one flat buffer: the embeddings, a block, or the last norm." },
      { "(count + whole - 1) / whole", "Division rounded up, in whole numbers. `grain` is 1, except where elements share a scale, as in 8 bits." },
      { "shard * ranks", "The unit with its padding; and `out->shards`, where its shard begins among this rank's." },
    },
    ask = "Which line says that rank 3 owns elements 9, 10 and 11 of a unit of ten?",
    reveal = "None: rank r owns from r × shard to (r + 1) × shard. Any rank can calculate who owns an element. It needs no table and no message.",
  },

  explore {
    id = "cut-it",
    title = "Cut it yourself",
    text = "A buffer of a few elements over a few ranks. Look for the worst padding.",
    training = flat(10, 4),
    sliders = {
      {
        field = "params", label = "elements", start = 3,
        values = { { value = 5, name = "5" }, { value = 8, name = "8" }, { value = 10, name = "10" }, { value = 13, name = "13" }, { value = 16, name = "16" }, { value = 17, name = "17" }, { value = 30, name = "30" } },
      },
      { field = "gpus", label = "ranks", start = 3, values = { { value = 2, name = "2" }, { value = 3, name = "3" }, { value = 4, name = "4" }, { value = 6, name = "6" }, { value = 8, name = "8" } } },
    },
    figure = { kind = "flat", training = "explore" },
    try = {
      "17 elements, 8 ranks: how many ranks hold nothing real?",
      "When is there no padding?",
    },
  },

  say {
    id = "a-step",
    title = "A step of Adam on a shard",
    text = [[
17 elements over 8 ranks leave ${idle} ranks empty. 16 elements need no padding.

Back to ten over four. After the reduce-scatter only rank 0 has the *finished* gradients g of elements 0 to 2. Only rank 0 has their moments
m and v, too, which start from zero. The learning rate is ${adam.rate}, β1 = ${adam.beta1}, β2 = ${adam.beta2}:

- m = (1 − β1) × g and v = (1 − β2) × g², as the old m and v are zero.
- **Bias correction**: m′ = m ÷ (1 − β1) and v′ = v ÷ (1 − β2).
- New weight = weight − ${adam.rate} × m′ ÷ √v′.

In this first step m′ is g and v′ is g². So each weight moves by the learning rate, however large its gradient.]],
    figure = {
      kind = "table", align = "lddddddd",
      head = { "", "weight", "gradient", "m", "v", "m′", "v′", "new weight" },
      rows = rows,
    },
    sources = { "Kingma and Ba, Adam, arXiv:1412.6980, algorithm 1: from the second step on, m = β1 × m + (1 − β1) × g, and both corrections shrink. It adds 1e-8 to the root, which does not show here" },
  },

  say {
    id = "and-back",
    title = "And back to every rank",
    wall = "After the update one **all-gather** gives every rank all the new weights.",
    text = [[
Rank 0 has new values for elements 0 to 2 and old values for the rest. One **all-gather** gives every rank all the new weights. So stage 1 is:

1. Reduce-scatter gradients: each rank gets the sums of its shard.
2. Each rank updates its shard.
3. All-gather weights.

For 7B on four GPUs, ${gb(whole.master + whole.moments)} of optimizer states become ${gb(seven.master + seven.moments)} on each; and each rank updates a quarter, in a quarter of the time.

The update reads and writes ${size * 12} bytes of states for these ${size} elements and hardly computes: memory bandwidth bounds it. A
**fused** Adam reads and writes each array once, in one kernel, and not once for every operation.]],
    briefly = [[
One **all-gather** gives every rank the new weights. Stage 1 is: reduce-scatter gradients, update your shard, all-gather weights.

For 7B on four GPUs, ${gb(whole.master + whole.moments)} of optimizer states become ${gb(seven.master + seven.moments)} on each. The update is bound by memory bandwidth, so a **fused** Adam helps.]],
    slowly = [[
Rank 0 has new values for elements 0 to 2. It has old values for all other elements. The other ranks have the
same problem with other elements. So each rank sends its new values to all others. That is one **all-gather**.

Now all of stage 1 is there:

1. Reduce-scatter the gradients. Each rank gets the sums of its shard.
2. Each rank updates its shard, with its own part of the optimizer states.
3. All-gather the weights. Each rank has all of them again.

What is saved? Take 7B on four GPUs. The optimizer states were ${gb(whole.master + whole.moments)}. Now each GPU has a quarter, ${gb(seven.master + seven.moments)}. Each GPU
also updates a quarter of the elements, in a quarter of the time.

What limits the update? It computes very little. For these ${size} elements it reads and writes ${size * 12} bytes of
states. So memory bandwidth sets its time.

A plain Adam runs one operation after another. Each operation reads the arrays and writes them again. A **fused** Adam
does all operations in one kernel. It reads and writes each array once.]],
    sources = {
      "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 5.1",
      "NVIDIA/apex, csrc/multi_tensor_adam.cu; torch.optim.AdamW(fused=True)",
    },
  },

  problem {
    id = "order-of-stage-1",
    title = "In order",
    form = "order",
    vary = function(r)
      local rank = r:int(0, 3)
      return {
        ask = "What happens to the elements that rank " .. rank .. " owns, in one step of stage 1?",
        items = {
          "every rank's backward makes a gradient for them, from its own data",
          "a reduce-scatter leaves their sums on rank " .. rank .. " alone",
          "rank " .. rank .. " updates their moments and master weights",
          "rank " .. rank .. " rounds the new master weights to bf16",
          "an all-gather gives every rank the new bf16 weights",
        },
        because = "Only bf16 travels. Moments and master weights never leave their owner.",
      }
    end,
    hints = {
      "Who has a gradient for them before anything is sent?",
      "Every rank has one. The owner gets the sum, updates in fp32, rounds, and sends the result to all.",
    },
  },

  problem {
    id = "real-on-the-last",
    title = "How much of it is real?",
    form = "number",
    review = true,
    about = { "rounded-down" },
    vary = function(r)
      local elements, ranks = uneven(r, 20, 90)
      return {
        problem = shard("real", elements, ranks, ranks - 1),
        values = { elements = elements, ranks = ranks, last = ranks - 1 },
        ask = "${elements} elements over ${ranks} ranks. How many elements on the **last** rank, rank ${last}, are parameters and not padding?",
      }
    end,
    hints = {
      "How many are taken by the ranks before it?",
      "All the elements, minus (ranks − 1) full shards.",
    },
  },

  problem {
    id = "who-owns-it",
    title = "Who owns it?",
    form = "choice",
    review = true,
    vary = function(r)
      local elements, ranks = uneven(r, 20, 60)
      local length = math.ceil(elements / ranks)
      local element = r:int(0, elements - 1)
      local owner = element // length
      local choices = {}
      for rank = 0, ranks - 1 do
        local from = rank * length
        choices[rank + 1] = {
          text = "rank " .. rank,
          right = rank == owner,
          because = "It owns elements " .. from .. " to " .. (from + length - 1) .. (from + length > elements and ", padding included." or "."),
        }
      end
      return {
        values = { elements = elements, ranks = ranks, element = element },
        ask = "${elements} elements, numbered from 0, over ${ranks} ranks. Who owns element **${element}**?",
        choices = choices,
      }
    end,
    hints = {
      "First the length of a shard.",
      "Element ÷ length, rounded down.",
    },
  },

  problem {
    id = "optimizer-per-gpu",
    title = "At full size",
    form = "number",
    review = true,
    about = { "no-master" },
    vary = function(r)
      return {
        problem = {
          kind = "bytes", quantity = "optimizer", unit = "GB",
          training = { params = r:pick { 1.5e9, 7e9, 8e9, 13e9, 34e9, 70e9 }, precision = "mixed-bf16", optimizer = "adamw", gpus = r:pick { 4, 8, 16, 64 }, stage = 1, recipe = "paper" },
        },
        ask = "${A params} model, ${precision} with AdamW, ${gpus} GPUs under ZeRO stage 1. How many ${unit} of **optimizer states** does a GPU keep?",
      }
    end,
    hints = {
      "Which three arrays belong to the optimizer in mixed precision?",
      "Master weights 4, first moment 4, second moment 4: 12 bytes × Ψ ÷ N.",
    },
  },

  myth {
    id = "whole-tensors",
    title = "A cut through a matrix",
    claim = "ZeRO may cut right through a weight matrix, so that two ranks each own and update a part of it, and Adam does not notice.",
    truth = true,
    because = [[
Every rank still computes all layers. (Giving whole layers to ranks would be pipeline parallelism.) Stage 1 only divides which rank **keeps** and **updates** an element.
Some sharded optimizers do give whole tensors to ranks, PyTorch's ZeroRedundancyOptimizer among them: the fullest rank sets the pace.
Muon needs whole matrices, so whole tensors suit it.]],
    sources = {
      "facebookresearch/fairscale, fairscale/optim/oss.py: parameters are partitioned as whole tensors",
      "PyTorch documentation, torch.distributed.optim.ZeroRedundancyOptimizer: each parameter belongs to a single rank",
    },
  },

  say_aloud {
    id = "explain-it",
    title = "Aloud: a ZeRO-1 rank's update",
    ask = "Explain to a colleague who knows DDP what a ZeRO-1 rank does between the end of backward and the next forward, with ten elements and four ranks.",
    points = {
      "tensors lie end to end in one flat buffer, cut into shards of ${size}; ${padding} of ${size * 4} places pad",
      "reduce-scatter: each rank gets the summed gradients of its shard",
      "it updates its shard, with moments and master weights only it has",
      "all-gather of the new 16-bit weights: all are equal again",
      "together these send as much as DDP's all-reduce",
    },
    model = [[
Ten elements in a flat buffer, padded to twelve: three for each rank. A reduce-scatter leaves each rank the summed gradients of its three. It
updates their fp32 master weights with moments that only it keeps, and rounds to bf16. An all-gather hands the new weights to all ranks. That is DDP's
all-reduce with the update in the middle, so a rank sends as much.]],
  },

  cards {
    id = "cards",
    cards = {
      { id = "shard-length", front = "Shard length of n elements over N ranks?", back = "n ÷ N, rounded up. The padding is N × length − n." },
      { id = "who-owns", front = "Which elements does rank r own?", back = "r × length up to (r + 1) × length, not included. No table: arithmetic." },
      { id = "why-flat", front = "Why a flat buffer?", back = "One cut, one padding, one message; Adam is element by element, so cuts may go through tensors." },
      { id = "never-leave", front = "Stage 1: what never leaves its owner?", back = "Moments and master weights." },
      { id = "three-acts", front = "Stage 1 after backward, in three acts?", back = "Reduce-scatter gradients, update own shard, all-gather weights." },
      { id = "fused-adam", front = "Why a fused Adam kernel?", back = "The update is bound by memory bandwidth: read and write each array once." },
    },
  },

  recap {
    id = "recap",
    title = "To take away",
    wall = "Any rank can calculate who owns an element.",
    further = {
      "*ZeRO*, section 5.1: https://arxiv.org/abs/1910.02054",
      "DeepSpeed documentation, ZeRO: https://deepspeed.readthedocs.io/en/latest/zero3.html",
    },
    sources = {
      "The code that settles it: src/lab/partition.c and src/lab/update.c in this repository",
      "Kingma and Ba, Adam, algorithm 1: https://arxiv.org/abs/1412.6980",
      "PyTorch documentation, ZeroRedundancyOptimizer: https://docs.pytorch.org/docs/stable/distributed.optim.html",
    },
    text = [[
- **Lay flat, cut equal, round up.** Ten over four: shards of ${size}, ${padding} of padding, all on the last rank.
- Rank r owns from r × length to (r + 1) × length.
- **Reduce-scatter → update own shard → all-gather.** Stage 1 is DDP's all-reduce with the update in the gap.
- Moments and master weights never travel. 7B on four GPUs: ${gb(whole.master + whole.moments)} of them, ${gb(seven.master + seven.moments)} on each.

Next: why should a rank keep gradients that it will not use?]],
  },
}
