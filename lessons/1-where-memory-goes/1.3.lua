-- 1.3  Three things are replicated, so there are three stages
--
-- Afterwards the learner can write the ledger of ZeRO's stages 0 to 3 for any size and number of GPUs, say why the stages come
-- in that order, and find the stage, the GPUs or the model that fits.

-- ── the case that the lesson walks through: the ZeRO paper's own ────────────────────────────────

local function training(params, gpus, stage, precision)
  return { params = params, precision = precision or "mixed-bf16", optimizer = "adamw", gpus = gpus, stage = stage, recipe = "paper" }
end

local paper, bars, rung = { params = 7.5e9, gpus = 64 }, {}, {}
for stage = 0, 3 do
  rung[stage] = engine.ledger(training(paper.params, paper.gpus, stage))
  bars[stage + 1] = { label = "stage " .. stage, training = training(paper.params, paper.gpus, stage) }
end

local eighth = engine.ledger(training(7e9, 8, 1))
local each = engine.bytes_per_param(training(7e9, 1, 0))
local huge = engine.ledger(training(100e9, 400, 3)).total
local label = engine.card("a100-80g").label_bytes

-- ── what the problems draw from ─────────────────────────────────────────────────────────────────

local sizes = { 1.5e9, 2.7e9, 3e9, 6.7e9, 7e9, 8e9, 13e9, 20e9, 34e9, 70e9 }
local worlds = { 4, 8, 16, 32, 64, 128 }
local budgets = { "24GB", "32GB", "40GB", "48GB", "80GB", "96GB", "141GB" }

local function states(params, gpus, stage, precision)
  return { kind = "bytes", quantity = "model_state", unit = "GB", training = training(params, gpus, stage, precision) }
end

return lesson {
  id = "1.3",
  title = "Three things are replicated, so there are three stages",
  stop = "stage-by-lines",
  goal = "write the ledger of ZeRO's stages 0 to 3 for any size and number of GPUs, say why the stages come in that order, and find the stage, the GPUs or the model that fits",
  revision = 1,
  values = {
    each = each, eighth = eighth, huge = huge, rung = rung,
    only_grads = engine.gb(rung[0].total - rung[0].grads * (paper.gpus - 1) / paper.gpus, 3),
    huge_all = engine.bytes(engine.ledger(training(100e9, 1, 0)).total), seven = engine.gb(engine.ledger(training(7e9, 1, 0)).total),
    seven_8 = engine.gb(engine.ledger(training(7e9, 8, 3)).total), seven_2 = engine.gb(engine.ledger(training(7e9, 2, 3)).total),
    floor_7 = engine.gb(engine.ledger(training(7e9, 1, 0)).params + engine.ledger(training(7e9, 1, 0)).grads),
    huge_gpus = engine.fewest_gpus(training(100e9, 1, 3), label), seventy_2 = engine.gb(engine.ledger(training(70e9, 64, 2)).total, 3),
  },

  predict {
    id = "which-first",
    wall = [[
A 7.5B model trains with mixed-precision Adam on 64 GPUs. Plain data parallel (DDP) keeps ${gb(rung[0].total)} on each:
params, grads, and what the optimizer keeps (master weights and moments). Suppose that **only one of these three** is divided among
the 64 ranks, and that each rank keeps the other two whole. What is the least that a GPU can then keep?]],
    title = "Before you start",
    ask = [[
Eight mechanics work from the same heavy manual. Each can carry a whole copy, or they take **one** manual apart and share its
chapters. Which chapters should they share first? Here is the same question for a model.

A 7.5B model trains with mixed-precision Adam on 64 GPUs. Plain data parallel (DDP) keeps ${gb(rung[0].total)} on each:
params, grads, and what the optimizer keeps (master weights and moments). Suppose that **only one of these three** is divided among
the 64 ranks, and that each rank keeps the other two whole. What is the least that a GPU can then keep?]],
    choices = {
      "${gb(rung[3].total, 2)}: memory divides by 64",
      "about ${gb(rung[1].total, 3)}: one of them is most of the memory",
      "about ${only_grads}: one of them does not matter much",
    },
    answer = 2,
    reveal = [[
About ${gb(rung[1].total, 3)}, if you divide what the **optimizer** keeps. That is ${each.master + each.moments} of the ${each.total} bytes per parameter, and no
forward or backward ever reads them. The other ${each.params + each.grads} stay whole, ${each.params + each.grads} B × 7.5e9 = ${gb(rung[1].params + rung[1].grads)}. A 64th of the ${each.master + each.moments} adds ${gb(rung[1].master + rung[1].moments, 2)}.]],
  },

  say {
    id = "one-manual",
    title = "Back to the mechanics",
    text = [[
If each mechanic carries a whole copy, that is data parallelism. If they take **one** manual apart, and each carries an eighth, that is ZeRO. If a mechanic needs a page, the one who carries it hands it over.

They first take apart what they need least often:

1. The **service records**, read only in the evening, to bring the manual up to date. These are the optimizer's states.
2. The **day's notes**, needed once, in the evening. These are the gradients.
3. The **instructions**, which every mechanic needs all day. These are the parameters. Now pages go round during work, and that costs time.]],
  },

  say {
    id = "three-cuts",
    title = "Three cuts",
    text = [[
N ranks hold N copies of three things: params, grads, and the optimizer's two piles. **ZeRO**, the *Zero
Redundancy Optimizer*, cuts them into N equal **shards**, of which each rank keeps one. Its stages are **cumulative**: each
makes all cuts of the stage before, and one more.

| stage | whole on every GPU | divided by N | bytes per GPU |
|:--|:--|:--|--:|
| 0 | all of it | nothing | ${each.total}Ψ |
| 1 | params, grads | optimizer | ${each.params + each.grads}Ψ + ${each.master + each.moments}Ψ/N |
| 2 | params | optimizer, grads | ${each.params}Ψ + ${each.grads + each.master + each.moments}Ψ/N |
| 3 | nothing | everything | ${each.total}Ψ/N |

7B on eight GPUs, stage 1: ${each.params + each.grads} B × 7e9 = ${gb(eighth.params + eighth.grads)}, plus ${each.master + each.moments} B × 7e9 ÷ 8 = ${gb(eighth.master + eighth.moments)}.
In total that is ${gb(eighth.total)}. *The paper's count* is 2 bytes for params, 2 for grads and 12 for the optimizer.]],
    sources = {
      "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 5 and figure 1: Pos, Pos+g, Pos+g+p with K = 12",
      "The bytes per parameter are the paper's count; lesson 3.1 shows where DeepSpeed and FSDP keep more",
    },
  },

  figure {
    id = "ladder",
    title = "The ladder",
    text = "The paper's own example is 7.5B on 64 GPUs. Here is what one GPU keeps under each stage. Which pile shrinks at each rung?",
    figure = { kind = "stack", unit = "GB", limit = "80GB", legend = true, bars = bars },
    sources = { "Rajbhandari et al., ZeRO, arXiv:1910.02054, figure 1: 120, 31.4, 16.6 and 1.9 GB" },
  },

  explore {
    id = "climb",
    title = "Climb it yourself",
    text = "Some piles stay the same, however many GPUs you add.",
    training = training(7e9, 8, 1),
    sliders = {
      { field = "stage", label = "stage", start = 2, values = { { value = 0, name = "0" }, { value = 1, name = "1" }, { value = 2, name = "2" }, { value = 3, name = "3" } } },
      {
        field = "gpus", label = "GPUs", start = 3,
        values = { { value = 2, name = "2" }, { value = 4, name = "4" }, { value = 8, name = "8" }, { value = 16, name = "16" }, { value = 20, name = "20" }, { value = 32, name = "32" }, { value = 64, name = "64" }, { value = 400, name = "400" } },
      },
      {
        field = "params", label = "parameters", start = 2,
        values = { { value = "1.5e9", name = "1.5B" }, { value = "7e9", name = "7B" }, { value = "13e9", name = "13B" }, { value = "70e9", name = "70B" }, { value = "100e9", name = "100B" } },
      },
    },
    figure = { kind = "ledger", training = "explore", limit = "80GB", unit = "GB" },
    try = {
      "Stage 1, more and more GPUs: what does the total never go below?",
      "Which stage and how many GPUs put 100B on 80 GB cards?",
      "70B on 64 GPUs: is stage 2 enough?",
    },
  },

  say {
    id = "why-this-order",
    title = "Why in this order",
    wall = "Stage 1 never goes below params and grads, nor stage 2 below params.",
    text = [[
The answers: stage 1 of a 7B never goes below ${floor_7}, its params and grads. The states of 100B fit under
stage 3, from ${huge_gpus} GPUs on. 70B on 64 GPUs is too much for stage 2 (${seventy_2}). Why this order?

**What it saves.** The optimizer takes ${each.master + each.moments} bytes per parameter, grads ${each.grads} and params ${each.params}. For 7.5B on 64 GPUs the cuts save
${gb(rung[0].total - rung[1].total, 3)}, ${gb(rung[1].total - rung[2].total, 3)} and ${gb(rung[2].total - rung[3].total, 3)}.

**What it costs.** Which ranks need the whole pile, and when?

- Optimizer states: no rank does. A rank needs only the states of the parameters that it updates.
- Gradients: every rank makes all of them in backward. Once they are summed, it needs only those of its own parameters.
- Params: every rank needs all of them, in every layer, forward and backward. Each layer must be put
  together first. Only this cut adds traffic. (That holds for the paper's algorithm, if a step has a single
  micro-batch. Lesson 1.4 counts it.)]],
    briefly = [[
The order goes from most saved and nothing paid to least saved and most paid.

- Optimizer states, ${each.master + each.moments} bytes: no rank needs another rank's. No traffic is added.
- Gradients, ${each.grads} bytes: every rank makes them, but after the sum only one rank uses each.
- Params, ${each.params} bytes: every rank needs all of them, in every layer. Only this cut adds traffic (in the paper's algorithm, with one micro-batch: 1.4).]],
    slowly = [[
These are the answers to the last step. Stage 1 of a 7B never goes below ${floor_7}. That is its params and grads, which it
does not cut. Stage 3 holds even 100B, from ${huge_gpus} GPUs on. For 70B on 64 GPUs stage 2 still needs too much, ${seventy_2}.

So why not cut the params first? Look at two things: what a cut saves, and what it costs.

**What it saves.** The optimizer has ${each.master + each.moments} bytes per parameter. The gradients have ${each.grads}. The params have ${each.params}. The
first cut is by far the largest. For 7.5B on 64 GPUs the cuts save ${gb(rung[0].total - rung[1].total, 3)}, then
${gb(rung[1].total - rung[2].total, 3)}, then ${gb(rung[2].total - rung[3].total, 3)}.

**What it costs.** Ask of each pile: does a rank ever need all of it?

- Optimizer states: never. A rank updates its own parameters. It needs the states of those, and no others.
- Gradients: for a short time. Backward makes a gradient for every parameter. Then the ranks add them up. After
  that, only the rank that updates a parameter needs its gradient.
- Params: all the time. Every layer computes with all of its weights, on every rank. If a rank keeps only a part,
  it must fetch the rest before each layer, in forward and in backward.

Fetching is traffic. So the third cut adds traffic, and the first two add none. (That holds for the paper's algorithm, if a
step has a single micro-batch. Lesson 1.4 counts it.)]],
    sources = { "Rajbhandari et al., ZeRO, arXiv:1910.02054, sections 5.1 to 5.3 and 7" },
  },

  worked {
    id = "by-hand",
    title = "By hand: stage 2",
    text = "13B on 16 GPUs, stage 2. By the paper's count a parameter takes 2 + 2 + 12 bytes, as in 1.1 (some libraries keep more: 3.1). Each line says whether a rank keeps the pile whole or a 16th of it.",
    problem = states(13e9, 16, 2),
    notes = {
      params = "Stage 2 leaves the parameters whole.",
      grads = "The second cut leaves a 16th of the 2 bytes.",
      master = "The first cut leaves a 16th of the 4 bytes.",
      moments = "The first cut divides these as well.",
      total = "Or in one sum: 2 B × 13e9 + 14 B × 13e9 ÷ 16.",
    },
  },

  problem {
    id = "stage-by-lines",
    title = "Your turn: line by line",
    form = "sheet",
    blank = { "grads", "moments", "total" },
    about = { "all-sharded" },
    vary = function(r)
      local stage = r:pick { 1, 2 }
      return {
        problem = states(r:pick(sizes), r:pick(worlds), stage),
        ask = "${A params} model, ${precision} with AdamW, ${gpus} GPUs, ZeRO stage ${stage}, by the paper's count. What does one GPU keep?",
      }
    end,
    hints = {
      "Stage 1 cuts the optimizer's states, stage 2 the gradients as well. Which lines are divided here?",
      "The params are whole, 2 B × Ψ. The moments are an N-th, 8 B × Ψ ÷ N. For the gradients look at the stage.",
    },
  },

  figure {
    id = "who-keeps-what",
    title = "Who keeps what",
    text = "The ladder's 7.5B, on four ranks. Rank 2 under stage 2 keeps all params, but only its quarter of the gradients and of the optimizer's states.",
    figure = { kind = "owners", training = training(7.5e9, 4, 0), stages = { 0, 1, 2, 3 } },
  },

  lab {
    id = "the-ladder-runs",
    title = "The ladder, running",
    lab = "stage-ladder",
    text = [[
Four ranks on this machine train the same model on the same data under stages 0, 1, 2 and 3, in
fp32: 4 + 4 + 8 bytes per parameter. After the runs, compare their memory and their losses. (In a
*reduce-scatter* each rank gets one part of a sum, in an *all-gather* every rank gets all parts.)
The lab `gpt2-ladder` shows the same ladder with GPT-2 on an H200. The list of labs has it,
and so has `zerotutor lab list`.]],
    question = [[
On **sixteen** ranks, still in fp32: how many MB of model states would each keep under **stage 1**?]],
    problem = {
      kind = "bytes", quantity = "model_state", unit = "MB",
      training = { params = "measured", precision = "fp32", optimizer = "adamw", gpus = 16, stage = 1, recipe = "paper" },
    },
    sources = {
      "zerolab, src/lab in this repository; sums are taken in rank order at every stage, which is why the losses agree in every bit",
    },
  },

  problem {
    id = "one-stage",
    title = "A stage in one number",
    form = "number",
    about = { "no-master", "all-sharded" },
    vary = function(r)
      return {
        problem = states(r:pick(sizes), r:pick(worlds), r:pick { 1, 2 }),
        ask = "${A params} model, ${precision} with AdamW, ${gpus} GPUs, ZeRO stage ${stage}, by the paper's count. How many ${unit} of model states on each GPU? (For 7B on eight GPUs under stage 3 you could type `16*7/8`.)",
      }
    end,
    hints = {
      "Split the 16 bytes in two: what this stage leaves whole, and what it divides by N.",
      "Stage 1: 4 whole, 12 divided. Stage 2: 2 whole, 14 divided.",
    },
  },

  problem {
    id = "largest-at-stage",
    title = "The largest at a stage",
    form = "number",
    review = true,
    about = { "no-master", "weights-only" },
    vary = function(r)
      return {
        problem = {
          kind = "largest_params", budget = r:pick(budgets), unit = "billion",
          training = { precision = "mixed-bf16", optimizer = "adamw", gpus = r:pick { 4, 8, 16, 64 }, stage = r:pick { 1, 2, 3 }, recipe = "paper" },
        },
        ask = "${gpus} GPUs, each with ${budget} for model states and nothing else. ZeRO stage ${stage}, AdamW, ${precision}. What is the largest model that fits, in billions of parameters?",
      }
    end,
    hints = {
      "First the bytes per parameter on one GPU at this stage. Then divide.",
      "Stage 2 on 8 GPUs, for example: 2 + 14/8 = 3.75 bytes per parameter.",
    },
  },

  problem {
    id = "which-stage",
    title = "The first stage that fits",
    form = "choice",
    vary = function(r)
      local params, gpus, budget, first
      for _ = 1, 60 do
        params, gpus, budget = r:pick(sizes), r:pick(worlds), r:pick { 24e9, 40e9, 48e9, 80e9 }
        first = nil
        for stage = 3, 0, -1 do
          if engine.ledger(training(params, gpus, stage)).total <= budget then first = stage end
        end
        if first and first > 0 then break end
      end
      local choices = {} -- stage 0 never fits here, so that each stage has its own number
      for stage = 1, 3 do
        local kept = engine.ledger(training(params, gpus, stage)).total
        choices[stage] = {
          text = "stage " .. stage,
          right = stage == (first or 3),
          because = "Stage " .. stage .. " keeps " .. engine.gb(kept, 3) .. " on each GPU"
            .. (kept > budget and ", which is too much." or stage == first and ": it fits, and no lower stage does." or ": it fits, but a lower stage does too."),
        }
      end
      return {
        values = { params = engine.count(params), gpus = gpus, budget = engine.gb(budget) },
        ask = "${params} with mixed-precision AdamW on ${gpus} GPUs with ${budget} each for model states. DDP does not fit. Which is the **lowest** stage that does?",
        choices = choices,
      }
    end,
    hints = {
      "Start with what is never divided: 16Ψ under stage 0, 4Ψ under 1, 2Ψ under 2, nothing under 3.",
      "Then add the divided part: 12Ψ/N under stage 1, 14Ψ/N under 2, 16Ψ/N under 3.",
    },
  },

  problem {
    id = "whole-or-shard",
    title = "Whole, or a shard?",
    form = "sort",
    review = true,
    vary = function(r)
      local stage = r:pick { 1, 2 }
      local piles = {
        { text = "the bf16 params", cut = 3 }, { text = "the gradients", cut = 2 },
        { text = "the fp32 master weights", cut = 1 }, { text = "Adam's first moment", cut = 1 }, { text = "Adam's second moment", cut = 1 },
      }
      local items = {}
      for i, pile in ipairs(r:shuffle(piles)) do
        local divided = pile.cut <= stage
        items[i] = {
          text = pile.text, bin = divided and 2 or 1,
          because = divided and "Stage " .. pile.cut .. " divides it, and so does every stage above." or "It stays whole until stage " .. pile.cut .. ", which divides it.",
        }
      end
      return {
        ask = "ZeRO stage **" .. stage .. "**. Which piles does each rank keep whole, and of which does it keep only its shard?",
        bins = { "whole", "a shard" },
        items = items,
      }
    end,
    hints = {
      "The cuts come in this order: optimizer, gradients, parameters.",
      "Master weights and moments are the optimizer's: stage 1 divides all three of them.",
    },
  },

  problem {
    id = "hundred-billion",
    title = "A hundred billion",
    form = "number",
    review = true,
    about = { "no-master" },
    vary = function(r)
      return {
        problem = states(r:pick { 66e9, 70e9, 100e9, 175e9 }, r:pick { 128, 256, 400, 512, 1024 }, 3),
        ask = "${A params} model, ${precision} with AdamW, on ${gpus} GPUs under ZeRO stage 3. How many ${unit} of model states on each GPU?",
      }
    end,
    hints = {
      "Under stage 3 nothing is left whole.",
      "16 bytes × parameters, divided by the GPUs.",
    },
  },

  problem {
    id = "enough-gpus",
    title = "How many GPUs?",
    form = "number",
    review = true,
    about = { "no-master" },
    vary = function(r)
      return {
        problem = {
          kind = "fewest_gpus", budget = r:pick { "24GB", "40GB", "80GB" }, unit = "GPUs",
          training = { params = r:pick { 7e9, 8e9, 13e9, 34e9, 70e9 }, precision = "mixed-bf16", optimizer = "adamw", stage = 3, recipe = "paper" },
        },
        ask = "${A params} model, ${precision} with AdamW, ZeRO stage 3. Each GPU has ${budget} for model states. How many GPUs does it take, at least?",
      }
    end,
    hints = {
      "Add up all the model states and spread them evenly.",
      "16 bytes × parameters, divided by one GPU's memory, rounded up.",
    },
  },

  myth {
    id = "pick-and-mix",
    title = "Three cuts, one by one",
    claim = "The three cuts are independent, so ZeRO can divide the parameters alone and leave the optimizer's states whole.",
    truth = false,
    because = [[
No stage of ZeRO divides the parameters alone. The first question of this lesson divided one pile alone, but only to compare
the piles. The stages are cumulative, for a reason. A rank that keeps only its shard of the
parameters can update only that shard. With whole optimizer states it would keep ${each.master + each.moments} bytes for each of the other parameters, and never read them.]],
    sources = { "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 1: the three stages, \"when enabled cumulatively\"; figure 1: Pos, Pos+g, Pos+g+p" },
  },

  say_aloud {
    id = "explain-it",
    title = "Aloud: a claim about ZeRO-3",
    ask = [[
A colleague read on a forum: *"With ZeRO-3 a 7B model needs only ${seven_8}."* What is true of it, and what should they ask first?]],
    points = {
      "stage 3 divides all of 16 bytes × 7e9 = ${seven} by the number of GPUs",
      "on eight GPUs that is ${seven_8}, on two GPUs ${seven_2}",
      "that is only the model states, and activations and buffers are added",
      "so ask how many GPUs, and what else was counted",
    },
    model = [[
It is true for eight GPUs: ${seven} ÷ 8 = ${seven_8} of model states. On two GPUs stage 3 keeps ${seven_2}
on each. A step also needs activations, and layers that are gathered while they run. So ask on how many
GPUs, and what was counted.]],
  },

  cards {
    id = "cards",
    cards = {
      { id = "what-is-cut", of = "whole-or-shard", front = "What do ZeRO's stages 1, 2 and 3 divide?", back = "1: optimizer states. 2: gradients too. 3: parameters too." },
      { id = "stage-1", front = "Bytes per GPU under stage 1 (mixed-precision Adam)?", back = "4Ψ + 12Ψ/N." },
      { id = "stage-2", front = "Bytes per GPU under stage 2?", back = "2Ψ + 14Ψ/N." },
      { id = "stage-3", front = "Bytes per GPU under stage 3?", back = "16Ψ/N. It is the only stage that divides every byte." },
      { id = "paper-ladder", front = "7.5B on 64 GPUs: stages 0, 1, 2, 3?", back = "${gb(rung[0].total)}, ${gb(rung[1].total, 3)}, ${gb(rung[2].total, 3)}, ${gb(rung[3].total, 2)}." },
      { id = "floors", front = "Endless GPUs: what do stages 1 and 2 never go below?", back = "4Ψ under stage 1 and 2Ψ under stage 2, which they keep whole." },
      { id = "why-optimizer-first", front = "Why is the optimizer cut first?", back = "It is 12 of 16 bytes, and a rank that updates only its parameters needs only their states." },
    },
  },

  recap {
    id = "recap",
    title = "To take away",
    further = { "*ZeRO*, section 5 and figure 1: https://arxiv.org/abs/1910.02054" },
    sources = {
      "DeepSpeed documentation, memory requirements: https://deepspeed.readthedocs.io/en/latest/memory.html",
      "The code that settles it: deepspeedai/DeepSpeed, deepspeed/runtime/zero/stage_1_and_2.py, https://github.com/deepspeedai/DeepSpeed",
    },
    text = [[
| stage | bytes per GPU | 7.5B, N = 64 |
|:--|--:|--:|
| 0 | ${each.total}Ψ | ${gb(rung[0].total)} |
| 1 | ${each.params + each.grads}Ψ + ${each.master + each.moments}Ψ/N | ${gb(rung[1].total, 3)} |
| 2 | ${each.params}Ψ + ${each.grads + each.master + each.moments}Ψ/N | ${gb(rung[2].total, 3)} |
| 3 | ${each.total}Ψ/N | ${gb(rung[3].total, 2)} |

Stage 1 never goes below ${each.params + each.grads}Ψ, nor stage 2 below ${each.params}Ψ. Stages decide where a number is stored, not its value. The loss is the same,
except for rounding if additions come in another order. The states of 100B take ${huge_all}. Under stage 3 each of 400 GPUs keeps ${gb(huge)}.

Next: what does the saved memory cost?]],
  },
}
