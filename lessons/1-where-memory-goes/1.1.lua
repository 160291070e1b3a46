-- 1.1  Memory runs out before arithmetic does
--
-- Afterwards the learner can write the ledger of model states, category by category, for any
-- parameter count, precision and optimizer, and say whether it fits a card, in GB and in GiB.
--
-- This file is the example that other lessons are written from: see lessons/README.md.

-- ── the case that the lesson walks through ──────────────────────────────────────────────────────

local seven = { params = 7e9, precision = "mixed-bf16", optimizer = "adamw", gpus = 1 }
local full = { params = 7e9, precision = "fp32", optimizer = "adamw", gpus = 1 }
local pure = { params = 7e9, precision = "bf16", optimizer = "adamw", gpus = 1 }
local autocast = { params = 7e9, precision = "mixed-bf16", optimizer = "adamw", gpus = 1, recipe = "ddp" }

local kept = engine.ledger(seven)
local each = engine.bytes_per_param(seven)
local cast = engine.bytes_per_param(autocast)
local card = engine.card("a100-80g")
local hopper = engine.card("h100-80g")

-- The slider's sizes, and the largest of them that a card holds.
local shown, fits = { 350e6, 1.5e9, 3e9, 7e9, 13e9, 34e9, 70e9 }, nil
for _, params in ipairs(shown) do
  if params * kept.total / seven.params <= card.label_bytes then fits = params end
end

-- ── what the problems draw from ─────────────────────────────────────────────────────────────────

-- Sizes that people train, and cards that they train them on.
local sizes = { 1.3e9, 1.5e9, 2.7e9, 3e9, 6.7e9, 7e9, 8e9, 13e9, 14e9, 20e9, 32e9, 34e9, 65e9, 70e9 }
local budgets = { "16GB", "24GB", "32GB", "40GB", "48GB", "80GB", "96GB", "141GB" }

-- How a precision is said in a question.
local said = {
  ["mixed-bf16"] = "mixed precision: bf16 weights and gradients, an fp32 master copy",
  ["mixed-fp16"] = "mixed precision: fp16 weights and gradients, an fp32 master copy",
  ["fp32"] = "plain fp32",
  ["bf16"] = "pure bf16: no fp32 copy, 16-bit moments",
}

-- The problem "what does one GPU keep": every family below is a view of it.
local function states(params, precision, optimizer, unit)
  return {
    kind = "bytes",
    quantity = "model_state",
    unit = unit or "GB",
    training = { params = params, precision = precision, optimizer = optimizer or "adamw", gpus = 1 },
  }
end

return lesson {
  id = "1.1",
  title = "Memory runs out before arithmetic does",
  stop = "turn-the-knobs",
  goal = "write the ledger of model states, pile by pile, for any size, precision and optimizer, and say whether it fits a card, in GB and in GiB",
  shows = "first-guess",
  revision = 1,
  values = {
    card = card, cast = cast, each = each, fits = fits, hopper = hopper, kept = kept, pure = engine.gb(engine.ledger(pure).total),
    casts = engine.gb(engine.ledger(autocast).workspace), largest = engine.count(engine.largest_params(seven, card.label_bytes)),
    one_moment = engine.gb(engine.ledger({ params = 7e9, precision = "mixed-bf16", optimizer = "lion", gpus = 1 }).total),
    eight_moments = engine.bytes_per_param({ params = 7e9, precision = "mixed-bf16", optimizer = "adam8bit", gpus = 1 }).moments,
    eight_bit = engine.gb(engine.ledger({ params = 7e9, precision = "mixed-bf16", optimizer = "adam8bit", gpus = 1 }).total, 3),
  },

  predict {
    id = "first-guess",
    wall = [[
A **7B model** in bf16 has ${gb(kept.params)} of weights, and your card has ${gb(card.label_bytes)}.
You train it with Adam, in mixed precision. **How many GB does training take**, before any input is
stored?]],
    ask = [[
A **7B model** has seven billion weights, its *params*: the B is for billion. In bf16, a number in 16
bits, each weight takes two bytes. That is ${gb(kept.params)}, and your card has ${gb(card.label_bytes)}.

You train the model with Adam, the usual optimizer, in *mixed precision*: 16 bits where they are enough,
32 where they are not. **How many GB does training take**, before any input is stored?

Just guess: it is not graded. You then see where your number comes from. Every field for a number also
takes a sum, such as `3*4.5`.]],
    figure = {
      kind = "stack",
      unit = "GB",
      limit = "80GB",
      legend = false,
      bars = {
        { label = "the weights", training = seven, only = "params" },
        { label = "training it", unknown = true },
      },
    },
    problem = states(7e9, "mixed-bf16"),
    limit = "80GB",
    notes = {
      params = "what you load from a file",
      grads = "how each weight should move",
      master = "the weights again, in fp32",
      moments = "two averages, in fp32",
    },
    reveal = [[
Each parameter takes **${each.total} bytes**. Only ${each.params} of them are the weight itself.]],
  },

  problem {
    id = "another-size",
    title = "The same for another size",
    form = "number",
    skill = "whole-ledger",
    about = { "no-master", "weights-only" },
    vary = function(r)
      local params = r:pick { 3e9, 8e9, 13e9, 20e9, 32e9, 70e9 }
      return {
        problem = states(params, "mixed-bf16"),
        figure = {
          kind = "stack",
          unit = "GB",
          legend = false,
          bars = { { label = "7B", training = seven }, { label = engine.count(params), unknown = true } },
        },
        ask = "Now ${a params} model, trained in the same way: Adam, mixed precision in bf16, one GPU. How many ${unit} does training take, before any input is stored?",
      }
    end,
    hints = {
      "Training keeps the same bytes for each parameter, whatever the size. How many were there in the last step?",
      "16 bytes for each parameter. A billion parameters of 1 byte take 1 GB.",
    },
  },

  say {
    id = "four-piles",
    title = "Four piles",
    wall = "One GPU keeps four piles, the **model states**.",
    text = [[
A training step has three acts. **Forward** runs the model on a batch and keeps what its layers compute, the
*activations*. A larger batch has more of them. **Backward** finds which way each weight should move: its
*gradient*. The **optimizer** moves the weights. Usually it is Adam, or AdamW, which needs the same memory.

For the last act one GPU holds four piles, the **model states**. *Params* are the weights, and *grads* their
gradients. *Master* is a second copy of the weights, and *moments* are two averages that Adam keeps. Master and
moments are *optimizer states*. Such a list of piles is a **ledger**:]],
    figure = { kind = "ledger", training = seven, limit = "80GB", unit = "GB" },
    sources = {
      "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 3.1: 2 + 2 + K bytes per parameter, K = 12 for mixed-precision Adam",
      "PyTorch frees gradients between steps (Optimizer.zero_grad, set_to_none=True), and backward makes them again. So no gradients are held at the end of forward, and all of them are held at the update",
    },
  },

  say {
    id = "why-master",
    title = "Why a second copy",
    text = [[
The optimizer takes ${each.master + each.moments} of the ${each.total} bytes. Adam keeps two averages for each parameter, of the gradient and
of its square: the first and the second **moment**. Each is in fp32, a number in 32 bits: 4 + 4 bytes. The other 4 are
a second copy of the weights in fp32, the **master weights**. Why?

> bf16 has 8 significant bits, so the next number after 1 is 1.0078. Add an update of 0.001 to a weight of 1
> and it rounds back to 1. In fp32 small steps add up, and the bf16 weights are rounded from there.

fp16, the other 16-bit number, takes as much memory. Its range is narrower, so small gradients would become zero. The
loss is therefore multiplied by a large number first (*loss scaling*). bf16 has the range of fp32 and needs none of that.

PyTorch's `autocast` keeps weights and gradients in fp32 instead, and no master copy: ${cast.params} + ${cast.grads} + ${cast.moments} bytes. It
casts the weights to 16 bits to compute. Those casts, ${casts} for 7B, stay until backward has used them.]],
    briefly = [[
The optimizer takes ${each.master + each.moments} of ${each.total} bytes: Adam's two moments in fp32, 4 + 4, and 4 for the **master weights**, a copy in fp32.

bf16 has 8 significant bits, so a small update to a weight of 1 rounds away. In fp32 it adds up. fp16 also needs
*loss scaling*; bf16 does not. `autocast` keeps fp32 weights and no master.]],
    slowly = [[
The optimizer takes ${each.master + each.moments} of the ${each.total} bytes. Let us go through them one by one.

Adam keeps two averages for each parameter. The first is the average of the gradient. The second is the average of
the gradient's square. They are called the **moments**. Each is a number in fp32, so each takes 4 bytes.

The other 4 bytes are the **master weights**. They are the same weights once more, in fp32. Why does Adam need them?

An update is small. A weight might be 1, and the update 0.001. The next number that bf16 has after 1 is 1.0078. So bf16
cannot store 1.001, and rounds it back to 1. The update is lost. It is lost in every step.

In fp32 the weight does become 1.001. After four such steps it is 1.004, and bf16 rounds that up. So we update the
fp32 copy, and round it to bf16 after each step.

fp16 is the other 16-bit number. It cannot store very small numbers, so small gradients would become zero. The remedy is
*loss scaling*: multiply the loss by a large number first. bf16 stores small numbers well and needs no such thing.

PyTorch's `autocast` does it another way. Its weights are in fp32 all the time, so it needs no master copy. That is
${cast.params} + ${cast.grads} + ${cast.moments} bytes. It casts weights to 16 bits to compute. For 7B those casts take ${casts}, until
backward has used them.]],
    sources = {
      "Micikevicius et al., Mixed Precision Training, arXiv:1710.03740, section 3.1 (master copy) and 3.2 (loss scaling)",
      "PyTorch documentation, torch.amp: autocast chooses a precision for each operation, and the model is not to be cast itself; aten/src/ATen/autocast_mode.cpp, cached_cast: the casts of fp32 weights are cached",
      "Kalamkar et al., A Study of BFLOAT16 for Deep Learning Training, arXiv:1905.12322, abstract: the range of fp32",
    },
  },

  worked {
    id = "by-hand",
    title = "The ledger by hand",
    text = [[
This is the ledger of a 13B model in bf16, with fp32 master weights and AdamW, on one GPU. Go through it pile by pile:]],
    problem = states(13e9, "mixed-bf16"),
    notes = {
      params = "Billions × bytes = GB, because the nine zeros cancel.",
      grads = "One for each weight, in the same 16 bits.",
      master = "The pile that people forget.",
      moments = "Two averages of 4 bytes each.",
      total = "Or in one go: 16 B × 13e9.",
    },
  },

  problem {
    id = "finish-the-ledger",
    title = "Your turn: the last lines",
    form = "sheet",
    blank = { "moments", "total" },
    about = { "no-master", "no-grads" },
    vary = function(r)
      return {
        problem = states(r:pick(sizes), r:pick { "mixed-bf16", "mixed-fp16" }),
        ask = "${A params} model, ${precision}, AdamW, one GPU. The first lines are done. Finish the ledger.",
      }
    end,
    hints = {
      "Adam keeps two averages for each parameter. What precision are they kept in?",
      "Each average is fp32: 4 bytes.",
    },
  },

  explore {
    id = "turn-the-knobs",
    title = "Turn the knobs",
    text = "Which piles change? (8-bit Adam: 1 B for each moment, ${eight_moments - 2} B for scales.)",
    training = seven,
    sliders = {
      {
        field = "params",
        label = "parameters",
        start = 4,
        values = {
          { value = "350e6", name = "350M" }, { value = "1.5e9", name = "1.5B" }, { value = "3e9", name = "3B" },
          { value = "7e9", name = "7B" }, { value = "13e9", name = "13B" }, { value = "34e9", name = "34B" }, { value = "70e9", name = "70B" },
        },
      },
      {
        field = "precision",
        label = "precision",
        start = 1,
        values = {
          { value = "mixed-bf16", name = "bf16 with fp32 master" }, { value = "mixed-fp16", name = "fp16 with fp32 master" },
          { value = "fp32", name = "fp32" }, { value = "bf16", name = "pure bf16" },
        },
      },
      {
        field = "optimizer",
        label = "optimizer",
        start = 1,
        values = {
          { value = "adamw", name = "AdamW" }, { value = "adam8bit", name = "8-bit Adam" },
          { value = "lion", name = "Lion" }, { value = "sgd-momentum", name = "SGD with momentum" },
        },
      },
    },
    figure = { kind = "ledger", training = "explore", limit = "80GB", unit = "GB" },
    try = {
      "From bf16 with fp32 master to fp32: which piles change?",
      "With AdamW and master weights, which is the largest model that fits?",
      "What has to shrink before 7B fits?",
    },
  },

  say {
    id = "same-sixteen",
    title = "Sixteen, twice",
    wall = "From mixed precision to fp32 the piles change, and their sum does not.",
    text = [[
The answers to the last step's questions. From mixed precision to fp32, params and grads grow, and the
master copy goes, because fp32 weights need none. The total stays the same: 4 + 4 + 8, again ${each.total} bytes.
At ${each.total} bytes each, ${gb(card.label_bytes)} hold ${largest} parameters, so ${count(fits)} was the largest model on the slider that fits.

7B fits with 8-bit Adam, ${eight_bit}. Its moments take one byte each, and every 256 of them share a scale of 4 bytes. Lion and SGD with momentum keep one moment instead of two. At ${one_moment} they
just do not fit. Pure bf16 fits (${pure}), but it gives up the fp32 copy, and the small steps with it.]],
    figure = {
      kind = "stack",
      unit = "GB",
      limit = "80GB",
      legend = true,
      bars = {
        { label = "bf16 mixed", training = seven },
        { label = "fp32", training = full },
        { label = "pure bf16", training = pure },
      },
    },
    sources = {
      "Hugging Face transformers, docs: model memory anatomy: 6 bytes of weights, 4 of gradients where the framework keeps fp32 ones",
      "Implementations differ in gradient copies (16, 18, 20 bytes per parameter); the course's default is the ZeRO paper's count",
    },
  },

  lab {
    id = "on-the-scales",
    title = "On the scales",
    wall = "One rank trains a small GPT, and measures its own memory.",
    lab = "first-weighing",
    text = [[
Now a real run. One process on this machine, a **rank**, trains a small GPT in plain **fp32** with AdamW.
It counts the bytes of each pile. The course's **engine**, which calculates all numbers in these lessons,
has predicted them. After the run you see the piles that the rank keeps from step to step.

You also see the *peak*, the most that it holds during a step. Two more piles are in the peak: the
activations, and the *workspace*, which is scratch memory for computing.]],
    question = [[
The weights above take 4 bytes per parameter. How many MB of model states would **the same model**
keep in bf16 with fp32 master weights?]],
    problem = {
      kind = "bytes", quantity = "model_state", unit = "MB",
      training = { params = "measured", precision = "mixed-bf16", optimizer = "adamw", gpus = 1 },
    },
    sources = {
      "zerolab, src/lab in this repository: a GPT-2 architecture trained for real; its ledger is its allocator",
    },
  },

  problem {
    id = "one-number",
    title = "The whole ledger, one number",
    form = "number",
    skill = "whole-ledger",
    about = { "no-grads", "weights-only" },
    vary = function(r)
      local precision = r:pick { "mixed-bf16", "mixed-fp16", "fp32" }
      return {
        problem = states(r:pick(sizes), precision),
        values = { said = said[precision] },
        ask = "AdamW on one GPU, ${a params} model in ${said}. How many ${unit} of model states?",
      }
    end,
    hints = {
      "Add up the bytes per parameter first: weights, gradient, two moments, and a master copy if the weights are 16 bits wide.",
      "Mixed: 2 + 2 + 4 + 8 bytes for each parameter. fp32: 4 + 4 + 8.",
    },
  },

  problem {
    id = "other-optimizer",
    title = "Another optimizer",
    form = "number",
    review = true,
    about = { "two-moments" },
    vary = function(r)
      local optimizer = r:pick { "sgd-momentum", "lion" }
      local name = optimizer == "lion" and "Lion" or "SGD with momentum"
      return {
        problem = states(r:pick(sizes), "mixed-bf16", optimizer),
        values = { name = name },
        ask = "${A params} model, ${precision}, trained with **${name}**, which keeps one fp32 value for each parameter where Adam keeps two. One GPU: how many ${unit} of model states?",
      }
    end,
    hints = {
      "Start from Adam's 16 bytes. What does this optimizer not keep?",
      "One value of 4 bytes instead of two: 2 + 2 + 4 + 4.",
    },
  },

  say {
    id = "gb-and-gib",
    title = "Two kinds of giga",
    text = [[
Parameters times bytes give **GB**, units of 10^9 bytes. Drivers and frameworks count in **GiB**,
units of 2^30 bytes, though many print "GB". The two differ by ${percent(2 ^ 30 / 10 ^ 9 - 1, 2)}: ${gb(kept.total)} is ${gib(kept.total)}.

The "80 GB" on a box is only a name. An A100's driver reports ${gib(card.driver_bytes)} (${gb(card.driver_bytes)}), an H100's
${gib(hopper.driver_bytes)} (${gb(hopper.driver_bytes)}), and a part of that is gone before your first tensor. This course counts
an 80 GB card as exactly 80e9 bytes.]],
    figure = { kind = "units" },
    sources = {
      "nvidia-smi's totals: 81 920 MiB on an A100-SXM4-80GB, 81 559 MiB on an H100 80GB",
      "DeepSpeed's memory estimators divide by 2^30 and print GB: runtime/zero/stage3.py, estimate_zero3_model_states_mem_needs",
    },
  },

  problem {
    id = "in-gib",
    title = "In GiB",
    form = "number",
    about = { "gb-for-gib", "weights-only" },
    vary = function(r)
      return {
        problem = states(r:pick(sizes), r:pick { "mixed-bf16", "fp32" }, "adamw", "GiB"),
        ask = "${A params} model, ${precision} with AdamW, one GPU. How much model state is that in **GiB**?",
      }
    end,
    hints = {
      "First the bytes, exactly as before. Then ask how many times 2^30 goes into them.",
      "GB to GiB: multiply by 1e9 and divide by 2^30. You can type that: `16*7e9/2^30`.",
    },
  },

  problem {
    id = "which-pile",
    title = "Which pile?",
    form = "sort",
    review = true,
    vary = function(r)
      local all = {
        { text = "the bf16 weights that forward multiplies with", bin = 1, because = "These are the params: 2 bytes." },
        { text = "what backward leaves behind for every weight", bin = 2, because = "That is its gradient: 2 bytes." },
        { text = "an fp32 copy of every weight", bin = 3, because = "These are the master weights, which the optimizer updates." },
        { text = "a running average of each gradient", bin = 3, because = "That is Adam's first moment." },
        { text = "a running average of each squared gradient", bin = 3, because = "That is Adam's second moment." },
        { text = "a layer's output, saved until backward reaches it", bin = 4, because = "That is an activation. It grows with batch and sequence." },
        { text = "attention's scores, saved for backward", bin = 4, because = "That is an activation. It belongs to no parameter." },
      }
      local items = {}
      for i, item in ipairs(r:shuffle(all)) do
        if i <= 5 then items[i] = item end
      end
      return {
        ask = "Mixed-precision training with Adam. Which pile does each of these belong to?",
        bins = { "params", "grads", "optimizer states", "activations" },
        items = items,
      }
    end,
    hints = {
      "Ask who needs it: forward, backward, or the update?",
      "What the optimizer alone reads and writes is an optimizer state, whatever it is a copy of.",
    },
  },

  problem {
    id = "largest-that-fits",
    title = "The other way round",
    form = "number",
    review = true,
    about = { "no-master" },
    vary = function(r)
      return {
        problem = {
          kind = "largest_params",
          budget = r:pick(budgets),
          unit = "billion",
          training = { precision = "mixed-bf16", optimizer = "adamw", gpus = 1 },
        },
        ask = "A GPU gives you ${budget} for model states and nothing else. You train with AdamW, in ${precision}. What is the largest model that it can hold, in billions of parameters?",
      }
    end,
    hints = {
      "Read the ledger backwards. How many times do one parameter's bytes go into the budget?",
      "Divide the budget by 16 bytes per parameter.",
    },
  },

  myth {
    id = "half-the-memory",
    title = "Half the memory in 16 bits",
    claim = "Going from fp32 to mixed precision halves the memory that model states take.",
    truth = false,
    because = [[
Weights and gradients shrink from 4 + 4 to ${each.params} + ${each.grads}, and the fp32 master copy puts the
${each.master} bytes back. That is ${each.total} before and ${each.total} after. Mixed precision speeds up arithmetic several times, and about halves *activations*.]],
  },

  say_aloud {
    id = "explain-it",
    title = "Aloud: out of memory with 14 GB",
    ask = [[
A colleague writes: *"The model is 14 GB on disk. Why does training it run out of memory on an
80 GB card?"* Answer in three sentences.]],
    points = {
      "the 14 GB is the 16-bit weights alone",
      "gradients, master weights and moments take 2 + 4 + 8 more bytes per parameter",
      "16 bytes × 7e9 = ${gb(kept.total)}, which no ${gb(card.label_bytes)} card holds",
      "activations, which forward keeps, are added; a smaller batch shrinks only those",
    },
    model = [[
${gb(kept.params)} is the bf16 weights alone. Gradients, an fp32 copy and two fp32 averages make it ${each.total} bytes
per parameter: ${gb(kept.total)}. That is more than the card holds, before forward has kept one activation. A smaller batch
shrinks only the activations, so no batch size will help.]],
  },

  cards {
    id = "cards",
    cards = {
      { id = "sixteen", front = "Bytes per parameter, mixed-precision Adam?", back = "16 by the ZeRO paper: params 2, grads 2, master weights 4, moments 4 + 4. Also 16 under PyTorch's autocast: 4 + 4 + 8." },
      { id = "fp32-adam", front = "Bytes per parameter, plain fp32 Adam?", back = "16 as well: 4 + 4 + 8, and no master copy." },
      { id = "k", front = "ZeRO's K for mixed-precision Adam, and what is in it?", back = "12 bytes per parameter: fp32 master 4, first moment 4, second moment 4." },
      { id = "why-fp32-copy", front = "Why fp32 master weights?", back = "A 16-bit weight rounds small updates away. In fp32 they add up." },
      { id = "seven", of = "one-number", front = "7B, mixed-precision Adam, one GPU: model states?", back = "16 B × 7e9 = ${gb(kept.total)} (${gib(kept.total)})." },
      { id = "giga", of = "in-gib", front = "GB and GiB?", back = "10^9 and 2^30 bytes; a GiB is ${percent(2 ^ 30 / 10 ^ 9 - 1, 2)} larger. Drivers count in GiB." },
      { id = "mixed-saves", of = "half-the-memory", front = "What does mixed precision save, if not model states?", back = "Half of the activations, and arithmetic time." },
    },
  },

  recap {
    id = "recap",
    title = "To take away",
    text = [[
| bytes per parameter | |
|:-----|--:|
| params, bf16 | ${each.params} |
| grads, bf16 | ${each.grads} |
| master weights, fp32 | ${each.master} |
| moments (Adam's two averages), fp32 | ${each.moments} |
| **in total** | **${each.total}** |

**Model states take ${each.total} B × Ψ**, where Ψ (psi) is the number of parameters. For 7B that is ${gb(kept.total)}, or ${gib(kept.total)}.
Plain fp32 also takes ${each.total}: 4 + 4 + 8. The ZeRO paper writes 2 + 2 + K, where K = ${each.master + each.moments} is the optimizer's bytes.

Next: if one GPU is too small, do two help?]],
    further = { "*ZeRO*, section 3: https://arxiv.org/abs/1910.02054" },
    sources = {
      "Micikevicius et al., Mixed Precision Training, section 3, why there is a master copy: https://arxiv.org/abs/1710.03740",
      "PyTorch, Understanding CUDA Memory Usage: the same ledger, of a run of your own. https://docs.pytorch.org/docs/stable/torch_cuda_memory.html",
      "The code that settles it: src/account/training/tables.c in this repository",
    },
  },
}
