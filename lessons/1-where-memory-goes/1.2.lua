-- 1.2  Plain data parallel keeps N copies of everything
--
-- Afterwards the learner can say what data parallel training copies to every rank and what all-reduce makes equal, work out
-- per-GPU and cluster-wide model states, and show why more GPUs never make a model fit: (N − 1)/N of it all is redundant.

-- ── the case that the lesson walks through ──────────────────────────────────────────────────────

local function states_of(params, gpus, precision)
  return { params = params, precision = precision or "mixed-bf16", optimizer = "adamw", gpus = gpus, stage = 0, recipe = "paper" }
end

local alone, eight = states_of(7e9, 1), states_of(7e9, 8)
local kept = engine.ledger(eight).total
local divided = engine.ledger { params = 7e9, optimizer = "adamw", gpus = 8, stage = 3 }.total
local card = engine.card("a100-80g")

local function in_cluster(training)
  return engine.solve({ kind = "bytes", quantity = "model_state", per = "cluster", unit = "GB", training = training }).value
end
local function spare_percent(n) return string.format("%.3g%%", 100 * (n - 1) / n) end

-- The sliders' sizes, and the largest of them that a card holds.
local shown, fits = { 350e6, 1.5e9, 3e9, 7e9, 13e9 }, nil
for _, params in ipairs(shown) do
  if engine.ledger(states_of(params, 1)).total <= card.label_bytes then fits = params end
end

-- ── what the problems draw from ─────────────────────────────────────────────────────────────────

local sizes = { 350e6, 1.3e9, 1.5e9, 2.7e9, 3e9, 6.7e9, 7e9, 8e9, 13e9, 20e9, 34e9, 70e9 }
local worlds = { 2, 4, 8, 16, 32, 64, 128 }
local budgets = { "16GB", "24GB", "32GB", "40GB", "48GB", "80GB", "96GB", "141GB" }

local function asks(r, more)
  local problem = {
    kind = "bytes", quantity = "model_state", unit = "GB",
    training = states_of(r:pick(sizes), r:pick(worlds), r:pick { "mixed-bf16", "mixed-fp16", "fp32" }),
  }
  for name, value in pairs(more or {}) do problem[name] = value end
  return problem
end

return lesson {
  id = "1.2",
  title = "Plain data parallel keeps N copies of everything",
  stop = "add-gpus",
  goal = "say what data parallel training copies to every rank, work out what each GPU and the whole cluster keep, and show why more GPUs never make a model fit",
  revision = 1,
  values = {
    card = card, divided = divided, eight = eight, fits = fits, in_cluster = in_cluster, kept = kept, spare_percent = spare_percent,
    alone = engine.gb(engine.ledger(alone).total), largest = engine.count(engine.largest_params(states_of(1e9, 8), card.label_bytes)),
  },

  predict {
    id = "more-gpus",
    title = "Before you start",
    ask = [[
7B, mixed-precision Adam: ${alone} of model states, and your ${gb(card.label_bytes)} card ran out. So you rent
**eight** cards, ${gb(8 * card.label_bytes)} in total, and start the same script with `torchrun --nproc-per-node 8` under
DDP (plain data parallel). How much model state does each GPU hold now?]],
    choices = {
      "${gb(divided)}: an eighth",
      "${gb(kept / 2)}: about half, the rest is shared",
      "${gb(kept)}: as much as before",
    },
    answer = 3,
    reveal = [[
**${gb(kept)} on each**, and all eight run out of memory.

Data parallel divides the *batch*, not the model: each rank (a process with its GPU) runs the whole
forward, backward and update, so each keeps all four piles.]],
  },

  say {
    id = "one-step",
    title = "One step of data parallel",
    text = [[
Under data parallel, N **ranks** do this, all at the same time:

1. Each takes its **own micro-batch**, some of the batch's sequences, through forward and backward. The weights are the same
   everywhere, the data are not, so each rank's gradients are its own.
2. **All-reduce** gives every rank the sum of all ranks' gradients; divided by N it is the gradient
   of the whole batch.
3. Each rank runs the optimizer on the whole model.

Same weights, same gradient, same moments: the ranks end the step as they began it, **equal in every bit**.
No rank sends weights.]],
    sources = {
      "PyTorch's DDP keeps the gradients of its buckets a second time unless gradient_as_bucket_view=True: 2 or 4 bytes per parameter more than this course counts",
      "Li et al., PyTorch Distributed, arXiv:2006.15704, section 3.2.1: same initial weights, the same gradients in every iteration, so the same model everywhere",
      "torch.nn.parallel.DistributedDataParallel broadcasts weights once, when it is constructed",
    },
  },

  problem {
    id = "order-of-a-step",
    title = "In which order?",
    form = "order",
    review = true,
    vary = function(r)
      local micro = r:pick { "its own micro-batch", "other sequences than its neighbours", "its own slice of the batch" }
      return {
        ask = "One step under DDP. Put it in order.",
        items = {
          "every rank takes " .. micro .. " through forward",
          "backward gives each rank its own gradients",
          "all-reduce makes the gradients the same on all ranks",
          "every rank updates all the weights, with its own copy of the moments",
        },
        because = "There is one collective between backward and the update. (DDP starts it bucket by bucket while backward still runs, which saves time and changes nothing else.)",
      }
    end,
    hints = {
      "Until which point of the step do the ranks differ?",
      "They differ in their data, and so in their gradients. The update needs equal ones.",
    },
  },

  lab {
    id = "same-hash",
    title = "Are they really equal?",
    lab = "replicas",
    text = [[
Four ranks of this machine train a small GPT under plain data parallel, each on its own data. At
the end each rank's optimizer state is boiled down to a **hash**, a short number. States that differ in one bit
have different hashes. (The lab calls it *stage 0*, because nothing is divided. It counts the two halves of an
all-reduce: a *reduce-scatter* gives each rank one part of the sum, and an *all-gather* gives every rank all parts.)]],
    question = [[
The run was in fp32. On **sixteen** ranks under DDP, how many MB of model states would all of them
hold **together**?]],
    problem = {
      kind = "bytes", quantity = "model_state", per = "cluster", unit = "MB",
      training = { params = "measured", precision = "fp32", optimizer = "adamw", gpus = 16, stage = 0, recipe = "paper" },
    },
    sources = {
      "zerolab, src/lab in this repository; the hash is FNV-1a over a rank's master weights and moments",
    },
  },

  worked {
    id = "by-hand",
    title = "By hand: eight GPUs",
    text = "7B on eight GPUs under DDP. What does **one** keep? Watch where the 8 comes in.",
    problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = eight },
    notes = {
      params = "Every rank multiplies with them all.",
      grads = "Each rank's backward makes one per weight.",
      master = "Every rank updates every weight.",
      moments = "It takes all the moments for that.",
      total = "The 8 came in nowhere.",
    },
  },

  problem {
    id = "finish-the-ledger",
    title = "Your turn: one of many",
    form = "sheet",
    blank = { "master", "moments", "total" },
    about = { "all-sharded", "no-master" },
    vary = function(r)
      local problem = asks(r)
      problem.training.precision = r:pick { "mixed-bf16", "mixed-fp16" }
      return { problem = problem, ask = "${A params} model on ${gpus} GPUs under DDP: ${precision}, AdamW. What does one GPU keep?" }
    end,
    hints = {
      "Does a rank of DDP update a part of the weights, or all of them?",
      "All of them. So each line is bytes per parameter times all the parameters, and nothing is divided.",
    },
  },

  explore {
    id = "add-gpus",
    title = "Add GPUs",
    text = "Try to make it fit by adding GPUs.",
    training = states_of(7e9, 8),
    sliders = {
      {
        field = "gpus", label = "GPUs", start = 1,
        values = { { value = 1, name = "1" }, { value = 2, name = "2" }, { value = 8, name = "8" }, { value = 64, name = "64" }, { value = 1024, name = "1024" } },
      },
      {
        field = "params", label = "parameters", start = 4,
        values = {
          { value = "350e6", name = "350M" }, { value = "1.5e9", name = "1.5B" }, { value = "3e9", name = "3B" },
          { value = "7e9", name = "7B" }, { value = "13e9", name = "13B" },
        },
      },
    },
    figure = { kind = "ledger", training = "explore", limit = "80GB", unit = "GB" },
    try = {
      "From 1 GPU to 1024: which pile changes?",
      "Which slider makes it fit, and at what size?",
    },
  },

  say {
    id = "redundancy",
    title = "What the copies cost",
    text = [[
No pile changed: on a thousand GPUs 7B still keeps ${gb(kept)} on each. ${count(fits)} fits.

Eight copies of ${gb(kept)} are ${gb(in_cluster(eight))}. One would do; the other seven, ${gb(in_cluster(eight) - kept)}, are **redundant**:
**(N − 1)/N** of all model states, ${spare_percent(2)} on 2 GPUs, ${spare_percent(8)} on 8, ${spare_percent(64)} on 64.

Under DDP another GPU adds compute, and memory for *its own* activations. It never makes room for a larger model. Four ranks, four copies:]],
    figure = { kind = "owners", training = states_of(7e9, 4), stage = 0 },
    sources = {
      "Rajbhandari et al., ZeRO, arXiv:1910.02054, sections 1 and 4.1: data parallel replicates model states, and that is what ZeRO removes",
    },
  },

  problem {
    id = "per-gpu",
    title = "On one of them",
    form = "number",
    about = { "all-sharded", "weights-only" },
    vary = function(r)
      return {
        problem = asks(r),
        ask = "${A params} model, ${precision} with AdamW, on ${gpus} GPUs under DDP. How many ${unit} of model states on **each** GPU?",
      }
    end,
    hints = {
      "Which of the four piles does data parallel divide?",
      "None. 16 bytes for each parameter, whatever the number of GPUs.",
    },
  },

  problem {
    id = "in-all",
    title = "In all of them",
    form = "number",
    review = true,
    about = { "per-gpu", "weights-only" },
    vary = function(r)
      return {
        problem = asks(r, { per = "cluster", unit = "TB" }),
        ask = "${A params} model, ${precision} with AdamW, ${gpus} GPUs under DDP. How many ${unit} of model states does the **whole cluster** hold, copies and all?",
      }
    end,
    hints = {
      "First one GPU. Then ask how many GPUs hold the same.",
      "16 bytes × parameters × GPUs; a TB is 10^12 bytes.",
    },
  },

  problem {
    id = "largest",
    title = "The largest that fits",
    form = "number",
    about = { "all-sharded", "no-master" },
    vary = function(r)
      return {
        problem = {
          kind = "largest_params", budget = r:pick(budgets), unit = "billion",
          training = { precision = "mixed-bf16", optimizer = "adamw", gpus = r:pick { 4, 8, 16, 64 }, stage = 0, recipe = "paper" },
        },
        ask = "You have ${gpus} GPUs, and each has ${budget} for model states. Plain DDP, AdamW, ${precision}. What is the largest model that fits, in billions of parameters?",
      }
    end,
    hints = {
      "It must fit on each single GPU. What do the others change?",
      "Nothing. So divide the memory of one GPU by 16 bytes per parameter.",
    },
  },

  problem {
    id = "equal-or-not",
    title = "Equal, or each its own?",
    form = "sort",
    review = true,
    vary = function(r)
      local all = {
        { text = "the bf16 weights", bin = 1, because = "They were equal at the start, and every update is the same." },
        { text = "Adam's moments", bin = 1, because = "The same gradients went into them on every rank." },
        { text = "the master weights", bin = 1, because = "The same update, made N times." },
        { text = "the gradients, when the optimizer reads them", bin = 1, because = "All-reduce has made them equal." },
        { text = "the gradients, as backward leaves them", bin = 2, because = "Each rank saw other data." },
        { text = "the activations", bin = 2, because = "Each rank's micro-batch is its own." },
        { text = "the loss of the micro-batch", bin = 2, because = "Each rank computes the loss on its own sequences. The log shows an average." },
        { text = "the sequences it trains on", bin = 2, because = "This is what data parallel divides." },
      }
      local items = {}
      for i, item in ipairs(r:shuffle(all)) do
        if i <= 5 then items[i] = item end
      end
      return {
        ask = "Under DDP: the same on every rank, or each rank its own?",
        bins = { "the same on all", "each its own" },
        items = items,
      }
    end,
    hints = {
      "Follow the step: where do the ranks begin to differ, and what makes them equal again?",
      "Data differ, so do activations, losses and fresh gradients. After all-reduce everything is equal again.",
    },
  },

  problem {
    id = "how-many-gpus",
    title = "How many until it fits?",
    form = "choice",
    review = true,
    vary = function(r)
      local params, budget = r:pick { 7e9, 8e9, 13e9, 34e9, 70e9 }, r:pick { 40e9, 80e9 }
      local need = engine.ledger(states_of(params, 1)).total
      local divided_by = math.ceil(need / budget)
      return {
        values = { params = engine.count(params), need = engine.bytes(need), card = engine.gb(budget) },
        ask = "${params} parameters with mixed-precision AdamW need ${need} of model states. Your cards have ${card} each. With plain DDP, on how many GPUs does it fit?",
        choices = r:shuffle {
          { text = divided_by .. ": together they have enough memory", because = "Together, yes; but no GPU may keep less than the whole." },
          { text = (2 * divided_by) .. ": half of the memory is lost to copies", because = "The copies grow with the GPUs: twice as many hold twice as much of the same." },
          { text = "it never fits, however many GPUs you use", right = true, because = "Each GPU keeps " .. engine.bytes(need) .. ", on two GPUs as on two thousand." },
          { text = "on one, with a smaller micro-batch", because = "Model states do not depend on the batch. Activations do." },
        },
      }
    end,
    hints = {
      "What does one GPU keep when there are a thousand?",
      "It does not depend on their number.",
    },
  },

  myth {
    id = "pooled-memory",
    title = "Eight cards under DDP",
    claim = "Under DDP, eight ${gb(card.label_bytes)} cards joined by NVLink, a fast link between GPUs, can train no larger model than one of them alone.",
    truth = true,
    because = [[
NVLink joins eight memories. It does not make them one. Each process still allocates on its own card, and under DDP
each allocates everything. To *use* ${gb(8 * card.label_bytes)} for one model, ranks must divide it among them and send each
other the parts. The rest of this course shows how.]],
  },

  say_aloud {
    id = "explain-it",
    title = "Aloud: do eight GPUs settle it?",
    ask = [[
Your manager asks: *"The model does not fit on one GPU. We have budget for eight. That settles it?"*
Answer in three sentences.]],
    points = {
      "under data parallel every GPU keeps all states, 16 bytes per parameter",
      "more GPUs divide the batch, not the model",
      "(N − 1)/N of what the cluster keeps are copies",
      "it helps once the copies are divided among the ranks (sharding)",
    },
    model = [[
No, not more GPUs alone. Plain data parallel keeps a full copy on each GPU, ${gb(kept)} for our 7B,
however many you add. They share the batch, so training gets faster. To make it *fit*, each GPU must
keep only a part: ${gb(divided)} on eight.]],
  },

  cards {
    id = "cards",
    cards = {
      { id = "what-ddp-divides", front = "What does data parallel divide among the ranks?", back = "The batch, and nothing else." },
      { id = "what-ddp-copies", of = "per-gpu", front = "What does every rank keep under DDP?", back = "All model states: params, grads, master weights, moments." },
      { id = "what-makes-equal", front = "What keeps the ranks of DDP equal?", back = "Equal weights at the start, and equal gradients in every step, by all-reduce. Weights are not sent again." },
      { id = "redundant-share", front = "Share of model states in a DDP cluster that is redundant?", back = "(N − 1)/N: ${spare_percent(8)} at 8 GPUs, ${spare_percent(64)} at 64." },
      { id = "fit-by-adding", front = "Model states per GPU under DDP, from 8 to 64 GPUs?", back = "Unchanged: 16 B × Ψ. Adding GPUs never makes a model fit." },
      { id = "what-differs", of = "equal-or-not", front = "What differs from rank to rank under DDP?", back = "The data, and with them activations, losses, and gradients until they are reduced." },
    },
  },

  recap {
    id = "recap",
    title = "To take away",
    further = { "*ZeRO*, sections 1 and 4: https://arxiv.org/abs/1910.02054" },
    sources = {
      "Li et al., PyTorch Distributed: Experiences on Accelerating Data Parallel Training, section 3.2: https://arxiv.org/abs/2006.15704",
      "PyTorch documentation, DistributedDataParallel: https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html",
      "The code that settles it: pytorch/pytorch, torch/nn/parallel/distributed.py, https://github.com/pytorch/pytorch",
    },
    text = [[
| DDP | on each GPU | in the cluster |
|:--|--:|--:|
| batch | 1/N | 1 |
| model states | 16 B × Ψ | 16 B × Ψ × N |
| redundant | | (N − 1)/N |

Equal gradients, by all-reduce, keep all the rest equal. 7B on eight GPUs: **${gb(kept)} each,
${gb(in_cluster(eight))} in total, ${gb(in_cluster(eight) - kept)} of it copies.** ${gb(card.label_bytes)} cards hold ${largest}, on one GPU or on a thousand.

Next: params, grads and optimizer are copied. Which would you divide first?]],
  },
}
