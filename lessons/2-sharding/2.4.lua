-- 2.4  Activations are another fight
--
-- Afterwards the learner can write down what a layer saves for backward, say what it grows with and that N does not divide it, add the
-- logits, and choose between keeping, selective and full checkpointing, with and without flash attention.

-- ── the case that the lesson walks through ──────────────────────────────────────────────────────

-- Korthikanti et al. count a GPT layer at 16 bits; the engine's `paper` recipe does as they do.
local function gpt(model, more)
  local t = { model = model, precision = "mixed-bf16", gpus = 1, batch = 1, seq = 1024, flash = "off", dropout = "off", recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end
local function acts(...) return engine.activations(gpt(...)) end

local xl = engine.model("gpt2-xl")
local kept, full = acts("gpt2-xl", { batch = 8 }), acts("gpt2-xl", { batch = 8, checkpoint = "full" })
local selective, flash = acts("gpt2-xl", { batch = 8, checkpoint = "selective" }), acts("gpt2-xl", { batch = 8, flash = "on" })
local llama = engine.activations { model = "llama-3.1-8b", gpus = 1, batch = 1, seq = 8192, flash = "on", recipe = "paper" }

local torch = engine.activations { model = "llama-3.1-8b", gpus = 8, stage = 3, batch = 1, seq = 8192, flash = "on", recipe = "fsdp2" }

-- How much more arithmetic a step has with checkpointing.
local function computed(checkpoint)
  local clock = engine.clock(gpt("gpt2-xl", { gpu = "a100-40g", batch = 8, checkpoint = checkpoint }))
  return clock.forward + clock.backward
end
local function more(checkpoint) return engine.percent(computed(checkpoint) / computed("none") - 1, 2) end

-- ── what the problems draw from ─────────────────────────────────────────────────────────────────

local models = { "gpt2-medium", "gpt2-large", "gpt2-xl", "gpt3-6.7b", "gpt3-13b" }
local function said_shape(name)
  local m = engine.model(name)
  return m.title .. " (" .. m.layers .. " layers, h = " .. m.hidden .. ", " .. m.heads .. " heads)"
end

return lesson {
  id = "2.4",
  title = "Activations are another fight",
  stop = "checkpoints-by-lines",
  goal = "write down what a layer saves for backward, say what it grows with, add the logits, and choose between keeping and checkpointing",
  revision = 1,
  values = {
    flash = flash, full = full, kept = kept, llama = llama, selective = selective, torch = torch, xl = xl,
    more_selective = more("selective"), more_full = more("full"), vocab_llama = engine.model("llama-3.1-8b").vocab,
    states = engine.gb(engine.ledger({ params = xl.params, gpus = 1 }).total, 3), small = engine.gb(engine.card("a100-40g").label_bytes),
    loss_times = string.format("%.1f", torch.logits / llama.logits),
    states_8 = engine.gb(engine.ledger({ params = xl.params, gpus = 8, stage = 3 }).total, 3),
  },

  predict {
    id = "stage-3-to-the-rescue",
    title = "Before you start",
    ask = [[
GPT-2 XL on one ${small} card: ${states} of model states, and for 8 × 1024 tokens ${gb(kept.highest, 3)} of activations. It does not fit, so you take eight
such cards and **stage 3**. The states fall to ${states_8}.

What do the activations fall to, with the same micro-batch on each GPU?]],
    choices = {
      "an eighth: stage 3 divides everything",
      "${gb(kept.highest, 3)}, as before",
      "about half",
    },
    answer = 2,
    reveal = [[
**${gb(kept.highest, 3)}, to the byte**, and it still does not fit. ZeRO's stages remove *copies*. Activations are not copies, because each rank makes them from its own
data.]],
  },

  say {
    id = "what-is-saved",
    title = "What a layer saves, and why",
    text = [[
Backward of a matrix product needs the product's input. So forward saves, for each token and layer, in 16 bits:

- inputs of the two norms, input of attention, q, k, v, attention's output, input of the MLP, and its middle before and after GELU:
  4h + 2h + 6h + 2h + 2h + 16h = **32h** bytes
- attention probabilities, a row of s numbers for each head: **2as** bytes

> without dropout: **s·b·h × (32 + 2as/h)** bytes per layer
>
> with dropout, its masks and outputs: **s·b·h × (34 + 5as/h)**

There are b sequences of s tokens, the width is h, and the layer has a heads. The formula is Korthikanti's. GPT-2 XL with b = 8 and s = 1024 saves ${gb(kept.layer, 3)} per
layer, and has ${xl.layers} layers. A framework may save more: Hugging Face's Llama-3.1-8B was measured at 56·s·b·h.]],
    sources = {
      "Korthikanti et al., Reducing Activation Recomputation, arXiv:2205.05198, section 4.1, equation 1: sbh(34 + 5as/h). Attention saves 11 of the 34 (its masks are one of them), the MLP 19 (one), the norms 4",
      "stas00/ml-engineering, training/performance: Hugging Face's Llama-3.1-8B measured at 56 sbh a layer, where first principles give 41",
    },
  },

  figure {
    id = "one-layer-drawn",
    title = "One layer, drawn",
    text = "GPT-2 XL, 8 × 1024 tokens, without and with flash attention. Which part is the largest, and how much of it does flash attention leave?",
    figure = { kind = "tower", layer = true, bars = { { label = "one layer", training = gpt("gpt2-xl", { batch = 8 }) }, { label = "flash", training = gpt("gpt2-xl", { batch = 8, flash = "on" }) } } },
  },

  problem {
    id = "one-layer",
    title = "What one layer saves",
    form = "number",
    about = { "no-scores", "no-batch" },
    vary = function(r)
      local model = r:pick(models)
      return {
        problem = { kind = "activations", quantity = "layer", unit = "MB", training = gpt(model, { batch = r:pick { 2, 4, 8 }, seq = r:pick { 1024, 2048 }, dropout = "on" }) },
        values = { shape = said_shape(model) },
        ask = "${shape}, micro-batch ${batch} × ${seq} tokens, 16 bits **with dropout**, no flash attention, nothing recomputed. How many ${unit} does **one layer** save?",
      }
    end,
    hints = {
      "With dropout the two numbers are 34 and 5.",
      "s·b·h × 34 + 5 × a × s² × b bytes.",
    },
  },

  say {
    id = "what-it-grows-with",
    title = "What it grows with",
    wall = "Most activations grow with the tokens, and the scores with the square of the sequence.",
    text = [[
| twice as many … | states | activations |
|:--|:--|:--|
| parameters, by more layers | × 2 | × 2 |
| sequences in the micro-batch | the same | × 2 |
| tokens in a sequence | the same | × 2, scores × 4 |
| GPUs (stage 3) | ÷ 2 | the same |

**And once, at the end, the logits**: 4 B × s × b × V in fp32. With V = ${xl.vocab} they take ${gb(kept.logits, 3)} here. Llama 3.1 8B has V = ${vocab_llama}, so one sequence of 8192
tokens takes ${gb(llama.logits, 3)} in one array. No layer is as large.

Korthikanti's paper counts this one array. PyTorch's plain cross-entropy makes more arrays, for log-softmax and gradients. Together they take ${gb(torch.logits, 3)} in
this engine's recipes of FSDP and DeepSpeed. A fused cross-entropy makes hardly any.]],
    sources = {
      "Wijmans et al., Cut Your Losses in Large-Vocabulary Language Models, arXiv:2411.09009, abstract and table 1: Gemma 2 2B's loss takes 24 GB for 8192 tokens, three arrays of its fp32 logits",
      "pytorch/pytorch, aten: _log_softmax, nll_loss_backward and _log_softmax_backward_data each make an array; 16-bit logits are held as well as them: src/account/memory/activations.c",
      "V of Llama 3: config.json, vocab_size 128256" },
  },

  figure {
    id = "a-step-drawn",
    title = "All layers, over a step",
    wall = "The activations of all layers, over one step under stage 3.",
    text = "Your eight cards at stage 3, GPT-2 XL with 8 × 1024 tokens on each. Forward piles activations up block by block, and backward takes them down.",
    figure = { kind = "curve", training = gpt("gpt2-xl", { gpus = 8, stage = 3, batch = 8 }), limit = "a100-40g", rows = 6 },
    sources = { "account_timeline() in this repository: src/account/memory/timeline.c" },
  },

  worked {
    id = "by-hand",
    title = "By hand: full checkpointing",
    text = "GPT-2 XL, b = 8, s = 1024, no flash attention, **full** checkpointing. Each of ${xl.layers} layers saves its input only, and backward computes one layer at a time again. How large is each part?",
    problem = { kind = "activations", unit = "GB", training = gpt("gpt2-xl", { batch = 8, checkpoint = "full" }) },
    notes = {
      tokens = "Only these stay until backward: 2 bytes × s × b × h per layer.",
      working = "Backward computes one layer again. That takes 32 bytes, minus the 2 kept above.",
      total = "The sum of the parts is an upper bound. The logits are freed before a layer is computed again, so the peak is ${gb(full.highest, 3)}, which this lesson's tables show.",
    },
  },

  problem {
    id = "checkpoints-by-lines",
    title = "Your turn: part by part",
    form = "sheet",
    blank = { "tokens", "logits", "total" },
    about = { "not-checkpointed" },
    vary = function(r)
      local model = r:pick(models)
      return {
        problem = { kind = "activations", unit = "GB", training = gpt(model, { batch = r:pick { 2, 4, 8 }, seq = r:pick { 1024, 2048 }, checkpoint = "full" }) },
        values = { shape = said_shape(model), vocab = engine.model(model).vocab },
        ask = "${shape}, micro-batch ${batch} × ${seq} tokens, 16 bits, no dropout, no flash attention, **full** checkpointing. How large is each part? And what is their sum, which is an upper bound of the peak? (V = ${vocab})",
      }
    end,
    hints = {
      "Count three things: the inputs that all layers keep, one layer that is computed again, and the head with its logits.",
      "Inputs: 2 B × s × b × h × L. One layer again: (32 − 2) B × s × b × h, and its scores 2 B × a × s² × b. Logits: 4 B × s × b × V.",
    },
  },

  explore {
    id = "towers",
    title = "Towers",
    text = "GPT-2 XL on one GPU. Find three ways to halve it, and say what each costs. Double the sequence. Which part grows fourfold? Does it with flash on?",
    training = gpt("gpt2-xl", { batch = 8 }),
    sliders = {
      { field = "batch", label = "micro-batch", start = 4, values = { { value = 1, name = "1" }, { value = 2, name = "2" }, { value = 4, name = "4" }, { value = 8, name = "8" }, { value = 16, name = "16" } } },
      { field = "seq", label = "sequence", start = 2, values = { { value = 512, name = "512" }, { value = 1024, name = "1024" }, { value = 2048, name = "2048" }, { value = 4096, name = "4096" } } },
      { field = "checkpoint", label = "checkpointing", start = 1, values = { { value = "none", name = "none" }, { value = "selective", name = "selective" }, { value = "full", name = "full" } } },
      { field = "flash", label = "flash attention", start = 1, values = { { value = "off", name = "off" }, { value = "on", name = "on" } } },
    },
    figure = { kind = "tower", limit = "a100-40g", bars = { { label = "held", training = "explore" } } },
  },

  say {
    id = "three-ways-out",
    title = "Keep, drop, or never make",
    text = [[
At twice the sequence only the scores are four times as large. With flash on, nothing is. GPT-2 XL, 8 × 1024 tokens:

| | held | computed again |
|:--|--:|:--|
| keep everything | ${gb(kept.highest, 3)} | nothing |
| **selective**: drop scores | ${gb(selective.highest, 3)} | attention's core: ${more_selective} more |
| **flash**: never write them | ${gb(flash.highest, 3)} | tiles, in its kernel: usually faster |
| **full**: keep layer inputs | ${gb(full.highest, 3)} | a forward: ${more_full} more |

(The percentages are of a step's arithmetic. Wide models pay less.) Selective and full trade time for memory. Flash computes more too, but it moves
far fewer bytes to and from memory. Its paper reports GPT-2 training three times as fast.

Selective and flash remove the same term, s². So with flash on, selective saves next to nothing.]],
    sources = {
      "Korthikanti et al., arXiv:2205.05198, section 5: selective recomputation runs the attention core's forward again, s/18h of the layers' matrices. The paper's equation 8 counts three times that, s/6h",
      "Dao et al., FlashAttention, arXiv:2205.14135, abstract: three times as fast on GPT-2 at 1024 tokens as the implementations it was compared with; section 3.1: recomputation makes it faster, since it reads and writes less",
      "Chen et al., Training Deep Nets with Sublinear Memory Cost, arXiv:1604.06174",
    },
  },

  lab {
    id = "three-runs",
    title = "Keep, or compute again",
    lab = "activations",
    text = [[
One rank trains on this machine with checkpointing off, then selective, then full. Watch the activations grow through forward and shrink through
backward. The loss and all other bytes do *not* change.]],
    question = [[
How many MB of model states did that rank keep, in fp32 with AdamW?]],
    problem = {
      kind = "bytes", quantity = "model_state", unit = "MB",
      training = { params = "measured", precision = "fp32", optimizer = "adamw", gpus = 1 },
    },
    sources = { "zerolab, src/lab in this repository: selective drops norm and GELU outputs and the scores" },
  },

  problem {
    id = "the-logits",
    title = "The logits",
    form = "number",
    about = { "logits-16bit" },
    vary = function(r)
      local model = r:pick { "llama-3-8b", "qwen2.5-7b", "gemma-2b", "llama-2-7b", "mistral-7b", "gpt2-xl" }
      local m = engine.model(model)
      return {
        problem = { kind = "activations", quantity = "logits", unit = "GB", training = gpt(model, { batch = r:pick { 1, 2, 4 }, seq = r:pick { 2048, 4096, 8192 }, flash = "on" }) },
        values = { title = m.title, vocab = m.vocab },
        ask = "${title} has a vocabulary of ${vocab}. Micro-batch ${batch}, sequence ${seq}. How many ${unit} are its **logits**, one fp32 number for each token and word?",
      }
    end,
    hints = { "How many numbers are that, and how wide is each?", "4 B × s × b × V." },
  },

  problem {
    id = "kept-by-full",
    title = "What full checkpointing keeps",
    form = "number",
    review = true,
    about = { "one-layer" },
    vary = function(r)
      local model = r:pick(models)
      return {
        problem = { kind = "activations", quantity = "checkpoints", unit = "GB", training = gpt(model, { batch = r:pick { 2, 4, 8, 16 }, seq = r:pick { 1024, 2048 }, checkpoint = "full" }) },
        values = { shape = said_shape(model) },
        ask = "${shape}, micro-batch ${batch} × ${seq}, full checkpointing, 16 bits. How many ${unit} do **all layers' inputs** take? Nothing else is kept.",
      }
    end,
    hints = { "One array of s × b × h for each layer.", "2 B × s × b × h × L." },
  },

  problem {
    id = "which-cure",
    title = "Which cure?",
    form = "sort",
    review = true,
    vary = function(r)
      local all = {
        { text = "ZeRO stage 3 on more GPUs", bin = 1, because = "It divides states. Each rank still has its own activations." },
        { text = "full activation checkpointing", bin = 2, because = "States are the same whatever forward saves." },
        { text = "flash attention", bin = 2, because = "It never writes the scores." },
        { text = "half the micro-batch, twice the accumulation", bin = 2, because = "Fewer tokens at a time. States do not depend on the batch." },
        { text = "8-bit Adam", bin = 1, because = "The moments shrink." },
        { text = "offloading the optimizer to the host", bin = 1, because = "The optimizer's states leave the GPU." },
        { text = "a shorter sequence", bin = 2, because = "Activations grow with s, states do not." },
        { text = "more GPUs under DDP, the same micro-batch on each", bin = 3, because = "States are copied, and each rank has its own activations." },
      }
      local items = {}
      for i, item in ipairs(r:shuffle(all)) do
        if i <= 5 then items[i] = item end
      end
      return { ask = "A run is out of memory. Which bytes does each of these cures make smaller, on each GPU?", bins = { "states", "activations", "neither" }, items = items }
    end,
    hints = { "States follow parameters and N. Activations follow tokens in the micro-batch.", "Ask of each cure: does it change bytes per parameter, tokens, or the arrays that a layer saves?" },
  },

  problem {
    id = "twice-the-sequence",
    title = "Twice the sequence",
    form = "choice",
    review = true,
    vary = function(r)
      local model, seq = r:pick { "gpt2-large", "gpt2-xl", "gpt3-6.7b" }, r:pick { 1024, 2048 }
      local function scores(s) return acts(model, { seq = s }).layer - acts(model, { seq = s, flash = "on" }).layer end
      local before, after = acts(model, { seq = seq }).layer, acts(model, { seq = 2 * seq }).layer
      local times = after / before
      return {
        values = { title = engine.model(model).title, seq = seq },
        ask = "${title}, sequence ${seq}, no flash attention, nothing recomputed. You double the sequence. How much does one layer save then?",
        choices = r:shuffle {
          { text = "as much as before: activations follow the parameters", because = "They follow tokens: s × b × h." },
          { text = "twice as much", because = "Everything except the scores doubles. The scores grow more." },
          { text = string.format("%.1f times as much", times), right = true, because = "The linear part doubles, the scores (" .. string.format("%.0f%%", 100 * scores(seq) / before) .. " of the layer before) are four times as large." },
          { text = "four times as much", because = "Only the scores are four times as large. The rest doubles." },
        },
      }
    end,
    hints = { "One part of a layer grows with s, another with s².", "Between two and four times, nearer to two where h is large and s small." },
  },

  myth {
    id = "zero-divides-activations",
    title = "Activations on a thousand GPUs",
    claim = "At the same micro-batch, ZeRO-3 on a thousand GPUs leaves each of them with as many activations as training on one.",
    truth = true,
    because = [[
States are divided by a thousand, but each rank keeps the activations of its own micro-batch. To shrink those, take fewer tokens at a time, use tensor or
context parallelism, checkpoint, or do not make them (flash attention). The ZeRO paper treats them separately, as *residual states*.]],
    sources = { "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 6: ZeRO-R" },
  },

  say_aloud {
    id = "explain-it",
    title = "Aloud: still out of memory",
    ask = "*\"We moved to ZeRO-3 on 64 GPUs and still run out of memory at sequence 8192. Isn't everything divided by 64 now?\"*",
    points = {
      "states are divided, activations are not: each rank has its own tokens",
      "they grow with s × b × h × layers, and with s² if scores are kept",
      "logits: 4 B × s × b × V",
      "first flash attention, then a smaller micro-batch, then checkpointing",
      "full checkpointing costs one more forward, a third more arithmetic",
    },
    model = [[
The states are divided, so now activations fill the card. Forward saves them for a rank's own tokens, and no stage divides them. They grow with s × b × h ×
layers, and with s² if scores are kept. The logits take 4 B × s × b × V more. Turn on flash attention, make the micro-batch 1 and accumulate, then checkpoint: full costs about a third more arithmetic and leaves only the layers' inputs.]],
  },

  cards {
    id = "cards",
    cards = {
      { id = "layer-formula", front = "What does a GPT layer save, 16 bits, with dropout?", back = "s·b·h × (34 + 5as/h) bytes. Without dropout: s·b·h × (32 + 2as/h)." },
      { id = "grows-with", front = "Activations grow with …? And with N?", back = "s × b × h × L, scores with s². N does not divide them at a fixed micro-batch." },
      { id = "full-keeps", front = "Full checkpointing keeps …, and costs …?", back = "2·s·b·h per layer (its input) and one layer's working set. It costs a third more arithmetic." },
      { id = "flash-removes", front = "What does flash attention remove?", back = "The s² term, and with it nearly all that selective checkpointing saves. It is usually faster, too: it moves fewer bytes to and from memory." },
      { id = "logits-size", front = "Logits in fp32?", back = "4 B × s × b × V (Korthikanti's count). The arrays of PyTorch's plain cross-entropy take ${loss_times} times that." },
      { id = "no-stage", front = "Which ZeRO stage divides activations?", back = "None of the three: they are not copies." },
    },
  },

  recap {
    id = "recap",
    title = "To take away",
    further = {
      "Korthikanti et al., recomputation: https://arxiv.org/abs/2205.05198",
      "PyTorch, checkpointing: https://docs.pytorch.org/docs/stable/checkpoint.html",
    },
    sources = { "The code that settles it: src/account/memory/activations.c in this repository" },
    text = [[
> A layer: **s·b·h × (32 + 2as/h)**, with dropout **(34 + 5as/h)**. Logits: **4·s·b·V**

| GPT-2 XL, 8 × 1024 | held | |
|:--|--:|:--|
| keep all | ${gb(kept.highest, 3)} | |
| selective | ${gb(selective.highest, 3)} | ${more_selective} more arithmetic |
| flash attention | ${gb(flash.highest, 3)} | s² is gone |
| full | ${gb(full.highest, 3)} | ${more_full} more arithmetic |

States follow **parameters and N**, activations **tokens**. Next: how long do all those bytes take?]],
  },
}
