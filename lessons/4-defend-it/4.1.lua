-- 4.1  Capstone: 13B on 8 A100s, and the memo
--
-- Afterwards the learner has made the decision for the course's case from its numbers, under more than one recipe and card, and can defend it.
-- Then it is written down: the memo is checked against the engine, first on the course's case, then on others by seed.

-- ── the case ────────────────────────────────────────────────────────────────────────────────────

local function training(stage, recipe, gpus)
  return { params = 13e9, precision = "mixed-bf16", optimizer = "adamw", gpus = gpus or 8, stage = stage, recipe = recipe or "paper" }
end
local function states(stage, recipe)
  return engine.solve({ kind = "bytes", quantity = "model_state", unit = "GB", training = training(stage, recipe) }).value
end
local function real(stage, more)
  local t = { model = "llama-2-13b", precision = "mixed-bf16", gpus = 8, gpu = "a100-80g", stage = stage, batch = 1, seq = 2048, recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end
local function gb(bytes, digits) return engine.gb(bytes, digits or 4) end

local card, small = engine.card("a100-80g"), engine.card("a100-40g")
local acts, full = engine.activations(real(2)), engine.activations(real(2, { checkpoint = "full" }))
local total = {}
for stage = 0, 3 do total[stage] = engine.memory(real(stage)).peak end

-- Each stage is timed as it fits: stage 1 only with full checkpointing.
local function as_it_fits(stage) return total[stage] > card.usable_bytes and "full" or "none" end
local function timed(stage, more)
  local t = real(stage, { accumulate = 8, checkpoint = as_it_fits(stage) })
  for name, value in pairs(more or {}) do t[name] = value end
  return engine.clock(t)
end
local clock, slow = {}, {}
for stage = 1, 3 do
  clock[stage], slow[stage] = timed(stage), timed(stage, { link = "pcie4" })
end
local again = clock[1].backward - timed(1, { checkpoint = "none" }).backward
local function step(stage) return engine.seconds(clock[stage].step) end
local function slowly(stage) return engine.seconds(slow[stage].step) end

-- The largest micro-batch of the explorer that leaves a tenth of the card.
local function roomy(stage, checkpoint)
  local best = 0
  for _, batch in ipairs { 1, 2, 4, 8 } do
    if engine.memory(real(stage, { batch = batch, checkpoint = checkpoint })).peak <= 0.9 * card.usable_bytes then best = batch end
  end
  return best
end

local function sent(stage, micro)
  local t = training(stage)
  t.accumulate = micro
  return gb(engine.traffic(t).total, 3)
end
local fp32_added = training(1, "deepspeed")
fp32_added.grad_dtype = "fp32"

-- ── what the problems draw from: other cases of the same kind ───────────────────────────────────

local cases = {
  { params = 7e9, gpus = 8 }, { params = 8e9, gpus = 8 }, { params = 13e9, gpus = 8 }, { params = 13e9, gpus = 16 },
  { params = 20e9, gpus = 16 }, { params = 34e9, gpus = 16 }, { params = 34e9, gpus = 32 }, { params = 70e9, gpus = 64 },
}
local function case(r, stage, recipe, more)
  local c = r:pick(cases)
  local t = { params = c.params, precision = "mixed-bf16", optimizer = "adamw", gpus = c.gpus, stage = stage, recipe = recipe or "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end

return lesson {
  id = "4.1",
  title = "Capstone: 13B on 8 A100s, and the memo",
  stop = "defend-it",
  goal = "decide for a real case from its numbers, under more than one recipe and card, write it down as a memo, and defend it",
  revision = 1,
  values = {
    acts = acts, again = again, card = card, full = full, roomy = roomy, sent = sent, slow = slow, slowly = slowly, small = small,
    states = states, step = step, total = total, mega_1 = gb(states(1, "megatron"), 4),
    mega_0_grads = gb(engine.ledger(training(1, "megatron")).grads, 4), grads = gb(engine.ledger(training(1)).grads, 4),
    ds_1 = gb(engine.memory(fp32_added).peak, 4),
    share = engine.percent(engine.clock(real(2, { efficiency = 1 })).forward / engine.clock(real(2)).forward),
    full_1 = gb(engine.memory(real(1, { checkpoint = "full" })).peak, 3),
    full_3 = gb(engine.memory(real(3, { checkpoint = "full" })).peak, 3), gathered = gb(engine.memory(real(3)).highest.gather, 3),
    reserve = gb(engine.memory(real(2)).highest.framework, 2),
    pair_3 = engine.seconds(engine.clock(real(3, { batch = 2, accumulate = 4, link = "pcie4" })).step),
    pipe_1 = engine.seconds(engine.clock(real(1, { pp = 2, accumulate = 16, link = "pcie4" })).step),
    psi = engine.count(engine.model("llama-2-13b").params), nvlink = engine.rate(engine.link("nvlink3").rate),
    pcie = engine.rate(engine.link("pcie4").rate), full_room_1 = roomy(1, "full"), full_room_2 = roomy(2, "full"),
    buckets = gb(engine.memory(real(2, { recipe = "deepspeed" })).highest.reduce, 3),
  },

  predict {
    id = "your-first-call",
    title = "The case",
    ask = [[
**13B parameters, 8 × A100 80 GB in one server, bf16 with fp32 master weights, AdamW, sequence 2048.** Your lead wants a stage by tomorrow, and reasons.

Model states take ${gb(states(0), 4)} whole. Guess before you calculate: how many of plain DDP and stages 1, 2 and 3 can you make fit?]],
    choices = { "one", "two", "three", "all four" },
    answer = 3,
    reveal = [[
Three. DDP cannot, because it needs ${gb(states(0), 4)}. By the paper's count a GPU keeps ${gb(states(1), 4)} under stage 1, ${gb(states(2), 4)} under 2, ${gb(states(3), 4)} under 3. With activations, stage 1 fits only with checkpointing,
stage 2 fits, and stage 3 leaves much room. But fitting is not enough. By the end you should know which stage you take and which facts would change your mind.]],
    given = { "80 GB" },
  },

  figure {
    id = "four-bars",
    title = "The four stages",
    text = "The model states of this case by the paper's count, next to the bytes that the card really has.",
    figure = { kind = "stack", unit = "GB", limit = "a100-80g", legend = true, bars = {
      { label = "stage 0", training = training(0) }, { label = "stage 1", training = training(1) }, { label = "stage 2", training = training(2) }, { label = "stage 3", training = training(3) },
    } },
  },

  worked {
    id = "by-hand",
    title = "First: states, by the recipe",
    text = "Stage 1, as the paper counts it. In which line would your framework differ?",
    problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = training(1) },
    notes = {
      params = "Every rank keeps them whole.",
      grads = "In bf16 here. Megatron keeps them in fp32: ${mega_0_grads} instead of ${grads}.",
      total = "Megatron: ${mega_1}. DeepSpeed in bf16, set to add up gradients in fp32, holds both copies in backward: ${ds_1}. So the recipe alone decides whether it fits in 80 GB.",
    },
    sources = {
      "NVIDIA/Megatron-LM, megatron/training/arguments.py: bf16 accumulates and reduces gradients in fp32 unless told otherwise",
      "deepspeedai/DeepSpeed, runtime/bf16_optimizer.py: an unsharded fp32 gradient buffer beside the bf16 gradients (data_types.grad_accum_dtype = fp32, stage 1)",
    },
    given = { "80 GB" },
  },

  problem {
    id = "states-by-lines",
    title = "Another case: states",
    form = "sheet",
    blank = { "params", "grads", "master", "moments", "total" },
    about = { "all-sharded" },
    vary = function(r)
      return {
        problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = case(r, r:pick { 1, 2 }) },
        ask = "Your variant: ${a params} model, ${precision} with AdamW, ${gpus} GPUs, ZeRO stage ${stage}, the paper's recipe. Fill in the whole sheet.",
      }
    end,
    hints = { "Go line by line: is it whole, or divided?", "2, 2, 4, 8 bytes; stage 1 divides the last two, stage 2 the last three." },
  },

  say {
    id = "what-fits",
    title = "Second: the rest that must fit",
    text = [[
The box says ${gb(card.label_bytes, 4)}, which means 80 GiB: the driver reports ${gb(card.driver_bytes, 3)}. CUDA keeps a little, so PyTorch reports **${gb(card.usable_bytes, 3)}** (79.15 GiB), which this course uses. The **peak** must fit in it. It is **states + activations + reserve** (context, NCCL, cuBLAS: ${reserve}). The table is for Llama 2 13B (${psi}), micro-batch 1 × 2048 tokens, flash attention. States are by the paper's count, activations from first principles:

| stage | states | peak | on 80 GB | on 40 GB |
|:--|--:|--:|:--|:--|
| 1 | ${gb(states(1), 4)} | ${gb(total[1], 3)} | checkpointed, ${full_1} | no |
| 2 | ${gb(states(2), 4)} | ${gb(total[2], 3)} | yes | no |
| 3 | ${gb(states(3), 4)} | ${gb(total[3], 3)} | yes | checkpointed, ${full_3} |

Activations take ${gb(acts.highest, 3)}. With full checkpointing they take ${gb(full.highest, 3)}. Stage 3's peak includes the ${gathered} of layers that it gathers. The paper leaves them out, but every implementation needs them. On 40 GB cards (${gb(small.usable_bytes, 3)} by the driver) the answer is stage 3, checkpointed. *The card, not the model, decides.*]],
    sources = {
      "stas00/ml-engineering, training/performance: PyTorch's total on an A100 80 GB is 79.15 to 79.21 GiB, by driver and CUDA",
      "src/account/memory/activations.c in this repository: what each operation saves, as Korthikanti et al., arXiv:2205.05198, derive it; the ZeRO paper counts 12 × hidden elements a token and layer",
      "nvidia-smi's totals; reserve: context 0.6 GB, NCCL 1.45 GiB, cuBLAS 32 MiB: data/hardware.json and src/account/memory/reserve.c",
    },
    given = { "80 GB", "40 GB", "80 GiB", "79.15 GiB" },
  },

  explore {
    id = "turn-the-case",
    text = "Find three setups that leave a tenth of the card free. Can stage 1? How much does DeepSpeed add?",
    training = real(2),
    sliders = {
      { field = "stage", label = "stage", start = 3, values = { { value = 0, name = "0" }, { value = 1, name = "1" }, { value = 2, name = "2" }, { value = 3, name = "3" } } },
      { field = "recipe", label = "recipe", start = 1, values = { { value = "paper", name = "paper" }, { value = "deepspeed", name = "DeepSpeed" } } },
      { field = "checkpoint", label = "checkpointing", start = 1, values = { { value = "none", name = "none" }, { value = "full", name = "full" } } },
      { field = "batch", label = "micro-batch", start = 1, values = { { value = 1, name = "1" }, { value = 2, name = "2" }, { value = 4, name = "4" }, { value = 8, name = "8" } } },
    },
    figure = { kind = "ledger", training = "explore", limit = "a100-80g", unit = "GB" },
  },

  lab {
    id = "scaled-down",
    title = "Run it",
    lab = "capstone",
    text = [[
These leave a tenth free: stage 2 with micro-batch ${roomy(2)}, and stage 3 with up to ${roomy(3)}. With checkpointing so do stage 1 with up to ${full_room_1}, and stages 2 and 3 with up to ${full_room_2}. DeepSpeed adds ${buckets} of buckets at stage 2.

Now run the case on your machine. The lab keeps layers, ranks, micro-batch and bytes per element, and also *sequence ÷ width* and *vocabulary ÷ (layers × width)*. So states and activations **shrink by one ratio**. A rank's **cap** is ${gb(card.usable_bytes, 3)} minus the reserve, shrunk by the same ratio.
So a stage that fits there fits here, and the lab refuses any other. Your memo can quote the run by its number.]],
  },

  problem {
    id = "recipe-flips-it",
    title = "Another recipe",
    form = "number",
    about = { "grads-16bit", "both-grads" },
    vary = function(r)
      return {
        problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = case(r, 1, "megatron") },
        ask = "${A params} model, ${precision} with AdamW, ${gpus} GPUs, stage 1 as **Megatron** does it: gradients in fp32. How many ${unit} of model states does a GPU keep?",
      }
    end,
    hints = { "Which line has more bytes than in the paper?", "2 + 4 whole, 12 ÷ N." },
  },

  say {
    id = "what-it-takes",
    title = "Third: what moves, and how long",
    text = [[
The case accumulates **eight** micro-batches. The table shows the bytes that a rank sends per step (the paper's algorithm) and the time of a step. Stage 1 is checkpointed, because otherwise it does not fit:

| stage | sent | NVLink 3, ${nvlink} | PCIe 4, ${pcie} |
|:--|--:|--:|--:|
| 1, checkpointed | ${sent(1, 8)} | ${step(1)} | ${slowly(1)} |
| 2 | ${sent(2, 8)} | ${step(2)} | ${slowly(2)} |
| 3 | ${sent(3, 8)} | ${step(3)} | ${slowly(3)} |

Stage 1 sends least but is slower than stage 2 on both links, because it fits only with checkpointing, which computes ${seconds(again)} more. Over NVLink stages 2 and 3 tie, because computation hides nearly all transfers. Over PCIe stage 3 waits ${seconds(slow[3].exposed)}, unless it uses its free memory: four micro-batches of 2 take ${pair_3}.

The prediction is sensitive to three things. Name them in your memo: the share of peak arithmetic that the GPU reaches (${share} assumed), the transfers that computation hides, and the global batch.]],
    sources = { "account_clock() in this repository; `zerotutor traffic --model llama-2-13b --gpus 8 --gpu a100-80g --batch 1 --seq 2048 --accumulate 8 --stage 1 --checkpoint full`" },
  },

  problem {
    id = "traffic-of-the-case",
    title = "What moves",
    form = "number",
    about = { "accumulation-free" },
    vary = function(r)
      return {
        problem = { kind = "traffic", unit = "GB", training = case(r, r:pick { 2, 3 }, "paper", { accumulate = r:pick { 2, 4, 8 } }) },
        ask = "${A params} model, ${precision}, ${gpus} GPUs, ZeRO stage ${stage}, ${accumulate} micro-batches a step. How many ${unit} does a rank send per step, by the paper's algorithm?",
      }
    end,
    hints = { "Which collectives does every micro-batch run at this stage?", "Stage 2: (A + 1)Ψ, stage 3: 3AΨ; × (N − 1)/N × 2 B." },
  },

  problem {
    id = "which-risk",
    title = "Which risk is it?",
    form = "sort",
    review = true,
    vary = function(r)
      local all = {
        { text = "the framework keeps fp32 gradients after all", bin = 1, because = "The recipe is not the paper's: 4 bytes per gradient instead of 2." },
        { text = "the data has sequences longer than 2048", bin = 2, because = "Activations grow with the sequence." },
        { text = "a colleague adds a running average of the weights (EMA)", bin = 1, because = "It takes 4 more bytes per parameter in fp32, whole unless it is sharded too." },
        { text = "the new server has PCIe between its GPUs", bin = 3, because = "The same bytes cross a link with a tenth of the bandwidth." },
        { text = "the global batch is quadrupled by accumulation", bin = 3, because = "Stages 2 and 3 send bytes for each micro-batch." },
        { text = "flash attention does not support this head size", bin = 2, because = "Then scores are kept: s² per head." },
      }
      local items = {}
      for i, item in ipairs(r:shuffle(all)) do
        if i <= 4 then items[i] = item end
      end
      return { ask = "A good memo names its risks. What would each of these break first?", bins = { "states", "activations", "step time" }, items = items }
    end,
    hints = { "Does it change bytes per parameter, bytes per token, or bytes per second?", "Recipe and copies: states. Sequence, attention: activations. Links, micro-batches: time." },
  },

  problem {
    id = "first-hour",
    title = "The first hour",
    form = "order",
    review = true,
    vary = function(r)
      local steps = r:pick { "20", "50" }
      return {
        ask = "You have the cluster for an hour. In which order do you do these steps?",
        items = {
          "start the simplest setup that should fit, with micro-batch 1",
          "after " .. steps .. " steps compare the peak, by category, with the prediction",
          "tune that baseline: micro-batch, flash attention, overlap",
          "only then try the alternative, at the same global batch",
          "keep whichever gives more tokens per second with a tenth of memory to spare",
        },
        because = "A comparison with an untuned baseline proves nothing, and a peak that you cannot explain will come back.",
      }
    end,
    hints = { "What must you understand before you tune anything?", "Run, explain the peak, tune, compare, choose." },
  },

  problem {
    id = "how-many-would-do",
    title = "Could we do with fewer?",
    form = "number",
    review = true,
    about = { "no-master" },
    vary = function(r)
      return {
        problem = { kind = "fewest_gpus", budget = r:pick { "30GB", "48GB", "60GB" }, unit = "GPUs", training = { params = r:pick { 13e9, 20e9, 34e9, 70e9 }, precision = "mixed-bf16", optimizer = "adamw", stage = 3, recipe = "paper" } },
        ask = "Your lead asks: would fewer GPUs be enough? ${A params} model, ${precision} with AdamW, stage 3, and ${budget} of each card are left for states. How many GPUs do you need, at least?",
      }
    end,
    hints = { "Spread all states over as few GPUs as possible.", "16 B × Ψ ÷ budget, rounded up." },
  },

  problem {
    id = "which-claim",
    title = "Which sentence passes review?",
    form = "choice",
    review = true,
    vary = function(r)
      local stage = r:pick { 1, 2, 3 }
      local value = states(stage)
      return {
        ask = "These sentences are from memos on the case (13B, 8 GPUs, mixed-precision AdamW). Which one passes review?",
        choices = r:shuffle {
          { text = "\"Under stage " .. stage .. " each GPU keeps " .. gb(value) .. " of model states (paper's recipe).\"", right = true, because = "It names a quantity, a unit and a recipe." },
          { text = "\"Stage " .. stage .. " needs " .. gb(value) .. " of memory.\"", because = "Is it model states? Per GPU? By which recipe? Activations are not in it." },
          { text = "\"Stage " .. stage .. " fits easily.\"", because = "It has no number and no card, so there is nothing to check." },
          { text = "\"Stage " .. stage .. " keeps " .. (gb(value):gsub(" GB", "")) .. " GiB.\"", because = "That is the number in GB; in GiB it is " .. engine.percent(1 - 10 ^ 9 / 2 ^ 30, 1) .. " smaller." },
        },
      }
    end,
    hints = { "What must a memo say about each figure?", "Which quantity, per what, in which unit, by whose count." },
  },

  myth {
    id = "one-right-answer",
    title = "Two memos, two stages",
    claim = "For 13B on 8 A100-80GB two memos may name different stages, and both be right.",
    truth = true,
    because = [[
Over NVLink stages 2 and 3 tie. Over PCIe 4 they tie too, if stage 3 uses its free memory (${slowly(2)}, ${pair_3}). Stage 1 is slow with the checkpointing that it needs. With a pipeline of two stages it fits without checkpointing, and takes ${pipe_1} over PCIe. An argument can still be *wrong*: it may count states without activations,
time a plan that does not fit, use the label instead of ${gb(card.usable_bytes, 3)}, or use one recipe's number for another framework.]],
    given = { "A100-80GB" },
  },

  say_aloud {
    id = "defend-it",
    title = "Defend it",
    ask = "You have one minute with your lead. Say the stage, the numbers, the price, the risk, and what you will measure first.",
    points = {
      "the stage; states per GPU, with the recipe named",
      "the peak with activations and reserve, compared with the usable bytes",
      "what a rank sends per step, over which link; the step time",
      "what you rejected, and the number that rejected it",
      "the risk, the fallback, the first measurement",
    },
    model = [[
I choose stage 2: ${gb(states(2), 4)} of states per GPU by the paper's count, and ${gb(total[2], 3)} of ${gb(card.usable_bytes, 3)} at the peak. With eight micro-batches it sends ${sent(2, 8)} per step over NVLink and takes ${step(2)}. Stage 1 needs ${gb(total[1], 3)}, which does not fit; with checkpointing it fits but takes ${step(1)}. Stage 3 with ${gb(total[3], 3)} is my fallback: it is as fast over NVLink (${step(3)}), but
much slower over PCIe. The risk is that the framework keeps fp32 gradients, so I measure the peak by category first.]],
  },

  memo {
    id = "capstone",
    title = "The memo",
    text = [[
Write one page that your lead would sign, with a figure for every claim. **Decision; memory; communication and step time; alternatives rejected; risks and fallback; what to measure in the first hour.**

Declare your choice in the memo's head, and claim its figures in the table *Figures*. The claims are judged; the engine looks up the other figures. There is no single right answer. A plan passes if it fits and you argue for it. A plan that does not fit fails, however well you write.]],
  },

  cards {
    id = "cards",
    cards = {
      { id = "case-states", front = "13B on 8, paper's recipe: states per GPU, stages 0 to 3?", back = "${gb(states(0), 4)}, ${gb(states(1), 4)}, ${gb(states(2), 4)}, ${gb(states(3), 4)}." },
      { id = "recipe-flip", front = "13B on 8, stage 1, Megatron's fp32 gradients?", back = "${mega_1} instead of ${gb(states(1), 4)}; DeepSpeed's bf16 with fp32 accumulation ${ds_1}. The recipe flips the answer on 80 GB." },
      { id = "usable", front = "What does an \"80 GB\" A100 give you?", back = "The label means 80 GiB: ${gb(card.driver_bytes, 3)} by the driver (nvidia-smi), ${gb(card.usable_bytes, 3)} by PyTorch; minus context, NCCL and cuBLAS." },
      { id = "memo-figure", front = "What must every figure of a memo say?", back = "Which quantity, per what, in which unit, by which recipe." },
      { id = "sensitive-to", front = "What is a predicted step time sensitive to?", back = "The share of peak arithmetic, the transfers that hide in their window, the global batch." },
      { id = "first-measure", front = "What do you measure first?", back = "The peak by category, on the simplest setup that fits. Compare it with the prediction." },
    },
  },

  recap {
    id = "recap",
    title = "To take away",
    further = {
      "The Ultra-Scale Playbook: https://huggingface.co/spaces/nanotron/ultrascale-playbook",
      "The code that settles it: src/account/memory/memory.c and src/account/memory/reserve.c",
    },
    text = [[
| 13B, 8 × A100 80 GB | stage 1, checkpointed | stage 2 | stage 3 |
|:--|--:|--:|--:|
| states (paper) | ${gb(states(1), 4)} | ${gb(states(2), 4)} | ${gb(states(3), 4)} |
| peak, 1 × 2048 | ${full_1} | ${gb(total[2], 3)} | ${gb(total[3], 3)} |
| sent, 8 micro-batches | ${sent(1, 8)} | ${sent(2, 8)} | ${sent(3, 8)} |
| a step, NVLink 3 | ${step(1)} | ${step(2)} | ${step(3)} |
| a step, PCIe 4 | ${slowly(1)} | ${slowly(2)} | ${slowly(3)} |

**A choice that does not fit the card is wrong, however well it is argued.** Next, take a config of your own, and ask of each figure whose it is.]],
  },
}
