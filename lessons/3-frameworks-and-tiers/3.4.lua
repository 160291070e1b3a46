-- 3.4  The decision on one napkin
--
-- Afterwards the learner can draw the decision tree with the quantity that decides at each fork, run it on real cases, weigh time as well as fit, and
-- say what to try, in which order, when it still runs out of memory.

-- ── the case that the lesson walks through ──────────────────────────────────────────────────────

local function sent(stage, accumulate, recipe)
  return engine.gb(engine.traffic({ params = 13e9, gpus = 8, stage = stage, accumulate = accumulate, recipe = recipe or "paper" }).total, 3)
end
local function kept(stage) return engine.gb(engine.ledger({ params = 13e9, gpus = 8, stage = stage, recipe = "paper" }).total, 4) end

-- The six cases of this lesson, as the planner is asked.
local cases = {
  lora = { model = "llama-2-7b", gpus = 1, gpu = "rtx-4090", lora = 16, seq = 2048 },
  small = { model = "gpt2-xl", gpus = 4, gpu = "a100-40g", seq = 1024 },
  seven = { model = "llama-2-7b", gpus = 8, gpu = "a100-40g", seq = 2048 },
  thirteen = { model = "llama-2-13b", gpus = 8, gpu = "a100-80g", seq = 2048 },
  seventy = { model = "llama-2-70b", gpus = 128, gpus_per_node = 8, gpu = "a100-80g", seq = 4096 },
  long = { model = "llama-3.1-8b", gpus = 8, gpu = "h100-80g", seq = 32768 },
}
-- The planner tries hundreds of ways: each question is put to it once.
local asked = {}
local function planned(question)
  asked[question] = asked[question] or engine.plan(question)
  return asked[question]
end
local plan = {}
for name, question in pairs(cases) do plan[name] = planned(question) end

local function words(p)
  local c = p.chosen
  if not c then return "nothing fits" end
  local parts = { "stage " .. c.stage }
  local function say(part) parts[#parts + 1] = part end
  for _, axis in ipairs { { "tp", "tensor" }, { "cp", "context" }, { "pp", "pipeline" }, { "ep", "expert" } } do
    if c[axis[1]] > 1 then say(axis[2] .. " " .. c[axis[1]]) end
  end
  if c.checkpoint ~= "none" then say(c.checkpoint .. " checkpointing") end
  if c.offload_optimizer ~= "none" then say("optimizer on the " .. c.offload_optimizer) end
  if c.offload_params ~= "none" then say("parameters on the " .. c.offload_params) end
  say(c.batch .. " × " .. c.accumulate)
  return table.concat(parts, ", ")
end

-- ── the six cases, asked ────────────────────────────────────────────────────────────────────────

-- Each of the six comes in two forms, so that a second try has other numbers.
local kinds = {
  { cases.lora, { model = "llama-3.1-8b", gpus = 1, gpu = "rtx-4090", lora = 16, seq = 2048 } },
  { cases.small, { model = "gpt2-xl", gpus = 8, gpu = "a100-80g", seq = 1024 } },
  { cases.seven, { model = "llama-2-7b", gpus = 4, gpu = "a100-80g", seq = 2048 } },
  { cases.thirteen, { model = "llama-2-13b", gpus = 32, gpus_per_node = 8, gpu = "a100-80g", seq = 2048 } },
  { cases.seventy, { model = "llama-2-70b", gpus = 64, gpus_per_node = 8, gpu = "a100-80g", seq = 4096 } },
  { cases.long, { model = "llama-2-7b", gpus = 8, gpu = "h100-80g", seq = 16384 } },
}
local stages = { "stage 0", "stage 1", "stage 2", "stage 3", "none" }

-- The first of the planner's forks that says yes, as a place in `stages`, and the sum that decided: the last stage's where none was enough.
local function first_fit(question)
  local sum
  for i, fork in ipairs(planned(question).tree) do
    if fork.question:find("computed again") then break end
    if fork.question:find("fit") then sum = fork.because end
    if fork.answer == "yes" then return i, sum end
  end
  return #stages, sum
end

local labels = { ["gpt2-xl"] = "GPT-2 XL", ["rtx-4090"] = "RTX 4090 24GB", ["a100-40g"] = "A100-40GB", ["a100-80g"] = "A100-80GB", ["h100-80g"] = "H100-80GB" }
local function described(question)
  local activations = engine.activations { model = question.model, lora = question.lora, gpus = 1, batch = 1, seq = question.seq, flash = "on", recipe = "paper" }
  return (question.lora and "LoRA on " or "") .. (labels[question.model] or engine.model(question.model).title) .. ", " .. question.gpus .. " × " .. labels[question.gpu] .. ", " .. question.seq .. " tokens (" .. engine.gb(activations.highest, 3) .. ")"
end

-- By how much of a step the plan of another stage is slower; negative: faster. The planner has the fastest plan of a stage first.
local function behind(p, stage)
  for _, other in ipairs(p.plans) do
    if other.stage == stage then return other.seconds / p.chosen.seconds - 1 end
  end
end
local ahead = 0
for _, name in ipairs { "small", "seven", "thirteen" } do ahead = math.max(ahead, -behind(plan[name], 3)) end

local stage_1_34 = engine.ledger { params = 34e9, gpus = 16, stage = 1, recipe = "paper" }
local function kept_7(stage) return engine.gb(engine.ledger({ params = 7e9, gpus = 8, stage = stage, recipe = "paper" }).total, 4) end

-- The rows of the six that fit under no stage without checkpointing.
local none_fit = {}
for i, name in ipairs { "lora", "small", "seven", "thirteen", "seventy", "long" } do
  if first_fit(cases[name]) == #stages then none_fit[#none_fit + 1] = tostring(i) end
end
local function highest_of(lora) return engine.gb(engine.activations { model = "llama-2-7b", lora = lora, gpus = 1, batch = 1, seq = 2048, flash = "on", recipe = "paper" }.highest, 3) end

-- ── fit, then time: cases in which one of four setups is clearly the one to take ────────────────

local TENTH, TIE = 0.9, 0.02 -- of the card that may be filled; of a step that no clock tells apart
local setups = { { "stage 1", 1, "none" }, { "stage 2", 2, "none" }, { "stage 3", 3, "none" }, { "stage 1, checkpointed", 1, "full" } }

-- Peak and step of each setup, from the simplest; nil where one is tight, or nothing is clearly the one.
local function weighed(case)
  local usable, rows, best = engine.card(case.gpu).usable_bytes, {}, nil
  for i, setup in ipairs(setups) do
    local t = { model = case.model, gpus = 8, gpu = case.gpu, link = case.link, seq = 2048, batch = 1, accumulate = case.accumulate, recipe = "paper", stage = setup[2], checkpoint = setup[3] }
    local row = { name = setup[1], peak = engine.memory(t).peak, step = engine.clock(t).step }
    row.fits = row.peak <= TENTH * usable
    if not row.fits and row.peak <= engine.card(case.gpu).driver_bytes then return nil end
    if row.fits and (not best or row.step < best) then best = row.step end
    rows[i] = row
  end
  if not best then return nil end
  for i, row in ipairs(rows) do
    row.behind = row.step / best - 1
    if row.fits and row.behind > TIE and row.behind < 2 * TIE then return nil end
    if row.fits and row.behind <= TIE then rows.taken = rows.taken or i end
  end
  return rows
end

local races, winners = {}, {} -- cases by the setup to take
for _, model in ipairs { "gpt3-6.7b", "llama-2-7b", "llama-3.1-8b", "llama-2-13b" } do
  for _, gpu in ipairs { "a100-40g", "a100-80g" } do
    for _, link in ipairs { "nvlink3", "pcie4" } do
      for _, accumulate in ipairs { 4, 8, 16 } do
        local case = { model = model, gpu = gpu, link = link, accumulate = accumulate }
        case.rows = weighed(case)
        local taken = case.rows and case.rows.taken
        if taken and not races[taken] then
          races[taken] = {}
          winners[#winners + 1] = taken
        end
        if taken then table.insert(races[taken], case) end
      end
    end
  end
end

-- ── what the problems draw from ─────────────────────────────────────────────────────────────────

local sizes = { 3e9, 7e9, 8e9, 13e9, 34e9 }
local function states(params, gpus, stage, more)
  local t = { params = params, precision = "mixed-bf16", optimizer = "adamw", gpus = gpus, stage = stage, recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end

return lesson {
  id = "3.4",
  title = "The decision on one napkin",
  stop = "six-cases",
  shows = "walk-it", goal = "draw the decision tree with the quantity that decides at each fork, run it on real cases, and say what to try when it still runs out of memory",
  revision = 1,
  values = {
    ahead = ahead, behind = behind, cases = cases, highest_of = highest_of, kept = kept, kept_7 = kept_7, plan = plan, sent = sent,
    stage_1_34 = stage_1_34, words = words,
    third_34 = engine.gb(engine.ledger({ params = 34e9, gpus = 16, stage = 3, recipe = "paper" }).total), ds1 = sent(1, 8, "deepspeed"),
    ds2 = sent(2, 8, "deepspeed"),
    reserve = engine.gb(engine.memory({ model = "llama-2-7b", gpus = 8, gpu = "a100-80g", recipe = "paper" }).highest.framework, 2),
    none_fit = table.concat(none_fit, " and "),
  },

  predict {
    id = "stage-3-by-reflex",
    title = "Before you start",
    ask = [[
13B on eight A100-80GB fits under stages 2 and 3 (${kept(2)} and ${kept(3)} of states) and, with checkpointing, stage 1 (${kept(1)}). The global batch needs **eight micro-batches** per step. A colleague always takes stage 3, "to be safe".

How many times as many bytes does a rank send per step under stage 3 as under stage 1, by the paper's algorithm?]],
    choices = { "1.5 times", "about 4 times", "12 times" },
    answer = 3,
    reveal = [[
**12 times**: ${sent(1, 8)} under stage 1, ${sent(2, 8)} under 2, ${sent(3, 8)} under 3. (DeepSpeed's default all-reduces gradients under 1 and 2: ${ds1}, ${ds2}.) With one micro-batch it would be ${sent(1, 1)}, ${sent(2, 1)} and ${sent(3, 1)}. Whether that costs time depends on the link. Over NVLink nearly all of it hides,
over PCIe it does not (4.1 shows both). And you can *spend* the memory that a stage frees on a larger micro-batch, and accumulate less.]],
    given = { "A100-80GB" },
  },

  say {
    id = "the-napkin",
    title = "The napkin",
    text = [[
At each fork one quantity decides. Calculate it before you have a GPU, and measure it in the first hour.

1. Does it fit under **DDP**? Compare 16Ψ + activations + reserve with the card's *usable* bytes.
2. **Stage 1**: 4Ψ + 12Ψ/N. It sends what DDP sends, 2Ψ a step.
3. **Stage 2**: 2Ψ + 14Ψ/N. In A micro-batches it sends (A + 1)Ψ.
4. **Stage 3**: 16Ψ/N + gathered units. It sends 3AΨ, so it needs a fast link. (All by the paper. DeepSpeed's default sends 3Ψ, (2A + 1)Ψ, 3AΨ.)
5. Are activations too large at micro-batch 1? Try flash attention, then **checkpointing**, a third more arithmetic.
6. **Offload** if steps are long. Add **more GPUs** if you can pay for them.
7. Is one layer or sequence too large for a GPU? Use **tensor, context, pipeline** parallel.

Then compare the plans that fit **by time**, at the same global batch. If two tie, take the simpler one.]],
    sources = { "account_plan() in this repository: src/account/plan/search.c tries all of them and times them" },
  },

  figure {
    id = "one-walk",
    wall = "One walk down the questions ends at the first plan that fits.",
    figure = { kind = "tree", training = cases.thirteen },
    sources = { "account_plan() in this repository: src/account/plan/search.c tries all of them and times them" },
  },

  problem {
    id = "draw-the-tree",
    title = "Draw it yourself",
    form = "order",
    vary = function(r)
      local start = r:pick { "It does not fit under DDP.", "One GPU is too small, and you have eight.", "DDP runs out of memory in its first step." }
      return {
        ask = start .. " NVLink joins the GPUs. In which order do you try these? Begin with the one that costs least time.",
        items = {
          "ZeRO stage 1",
          "ZeRO stage 2",
          "ZeRO stage 3",
          "full activation checkpointing on top",
          "offloading the optimizer to the host",
        },
        because = "By the paper's count stage 1 sends as much as DDP. Stages 2 and 3 send more with accumulation. Checkpointing costs a third more arithmetic, and offloading an update on the processor. Over PCIe stage 3 may cost more than checkpointing.",
      }
    end,
    hints = { "Which of them cost no time, and which cost time in every step?", "First the stages in their order. Then the one that recomputes, then the one that leaves the GPU." },
  },

  worked {
    id = "by-hand",
    title = "By hand: the third fork",
    text = "34B on 16 A100-80GB. Stage 1 keeps 4 B × 34e9 = ${gb(stage_1_34.params + stage_1_34.grads)} whole, so it does not fit. Does stage 2?",
    problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = states(34e9, 16, 2) },
    notes = {
      params = "The weights alone nearly fill the card.",
      total = "Too much, so go on to stage 3: 16Ψ/N = ${third_34}.",
    },
    given = { "A100-80GB" },
  },

  problem {
    id = "fork-by-lines",
    title = "Your turn: a fork",
    form = "sheet",
    blank = { "params", "grads", "total" },
    about = { "all-sharded" },
    vary = function(r)
      return {
        problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = states(r:pick(sizes), r:pick { 8, 16, 32 }, r:pick { 1, 2 }) },
        ask = "At the fork \"does stage ${stage} fit?\": ${a params} model on ${gpus} GPUs, ${precision} with AdamW. How much would a GPU keep of each?",
      }
    end,
    hints = { "What is whole at this stage?", "Stage 1: params and gradients. Stage 2: params." },
  },

  explore {
    id = "walk-it",
    title = "Walk it",
    text = "Change the case and watch the path.",
    training = cases.seven,
    sliders = {
      { field = "model", label = "model", start = 2, values = { { value = "gpt2-xl", name = "GPT-2 XL" }, { value = "llama-2-7b", name = "Llama 2 7B" }, { value = "llama-2-13b", name = "Llama 2 13B" }, { value = "llama-2-70b", name = "Llama 2 70B" } } },
      { field = "gpus", label = "GPUs", start = 4, values = { { value = 1, name = "1" }, { value = 2, name = "2" }, { value = 4, name = "4" }, { value = 8, name = "8" }, { value = 64, name = "64" } } },
      { field = "gpu", label = "card", start = 2, values = { { value = "rtx-4090", name = "RTX 4090" }, { value = "a100-40g", name = "A100 40 GB" }, { value = "a100-80g", name = "A100 80 GB" }, { value = "h200", name = "H200" } } },
    },
    figure = { kind = "tree", training = "explore", brief = true },
    try = { "7B on 8: how does the card change it? 13B on 1 card: where does it end?" },
  },

  problem {
    id = "run-six-cases",
    title = "Run six cases",
    form = "sort",
    vary = function(r)
      local items = {}
      for i, kind in ipairs(r:shuffle(kinds)) do
        local question = r:pick(kind)
        local bin, sum = first_fit(question)
        items[i] = { text = described(question), bin = bin, because = sum .. "." }
      end
      return {
        ask = "The brackets give activations with micro-batch 1, flash attention and no checkpointing. The reserve is at most ${reserve}. Which is the **first stage that fits** with a tenth of the card to spare?",
        bins = stages, items = items,
      }
    end,
    hints = {
      "Which cases have too many activations for any stage? For the others, how much does each stage keep?",
      "16Ψ; 4Ψ + 12Ψ/N; 2Ψ + 14Ψ/N; 16Ψ/N. LoRA's frozen weights: 2Ψ. Add activations and reserve, and compare the sum with nine tenths of the card.",
    },
  },

  say {
    id = "six-cases",
    title = "What the planner chooses",
    text = [[
The fastest plan that fits wins. (batch: sequences; 1 × 8: accumulation 8)

| case | tokens | batch | answer |
|:--|--:|--:|:--|
| LoRA, Llama 2 7B, RTX 4090 | ${cases.lora.seq} | ${plan.lora.global_batch} | ${words(plan.lora)} |
| GPT-2 XL, 4 A100-40GB | ${cases.small.seq} | ${plan.small.global_batch} | ${words(plan.small)} |
| Llama 2 7B, 8 A100-40GB | ${cases.seven.seq} | ${plan.seven.global_batch} | ${words(plan.seven)} |
| Llama 2 13B, 8 A100-80GB | ${cases.thirteen.seq} | ${plan.thirteen.global_batch} | ${words(plan.thirteen)} |
| Llama 2 70B, 128 A100-80GB | ${cases.seventy.seq} | ${plan.seventy.global_batch} | ${words(plan.seventy)} |
| Llama 3.1 8B, 8 H100 | ${cases.long.seq} | ${plan.long.global_batch} | ${words(plan.long)} |

Rows ${none_fit} fit under no stage as they are. Checkpointing makes room. Dividing layers (*tensor*) or sequence (*context*) is faster. **Ties**: in rows 2 to 4 stage 3 is up to ${percent(ahead, 2)} faster, so the simpler wins. DDP fits GPT-2 XL, but stage 1 is ${percent(behind(plan.small, 0), 2)} faster: each rank updates a quarter.

**LoRA** saves activations too (${highest_of(16)}, not ${highest_of(0)}): a frozen matrix keeps no input. **QLoRA** keeps the base in 4 bits.]],
    sources = { "Hu et al., LoRA, arXiv:2106.09685; Dettmers et al., QLoRA, arXiv:2305.14314",
      "pytorch/pytorch, tools/autograd/gen_variable_type.py, guard_for: a product saves a factor only where the other's gradient is wanted" },
    given = { "A100-40GB", "A100-80GB" },
  },

  problem {
    id = "which-stage-fits",
    title = "Run a case",
    form = "choice",
    review = true,
    vary = function(r)
      local params, gpus, card, room
      local first
      for _ = 1, 60 do
        params, gpus, card = r:pick { 3e9, 7e9, 8e9, 13e9, 34e9, 70e9 }, r:pick { 4, 8, 16, 32, 64 }, r:pick { "a100-40g", "a100-80g", "h200" }
        room = engine.card(card).usable_bytes - 12e9
        first = nil
        for stage = 3, 0, -1 do
          if engine.ledger(states(params, gpus, stage)).total <= room then first = stage end
        end
        if first and first > 0 then break end
      end
      local choices = {} -- stage 0 never fits here, so that each stage has its own number
      for stage = 1, 3 do
        local need = engine.ledger(states(params, gpus, stage)).total
        choices[stage] = {
          text = "stage " .. stage, right = stage == first,
          because = engine.gb(need, 3) .. " of states for " .. engine.gb(room, 3) .. " of room"
            .. (need > room and ": too much." or stage == first and ", and no lower stage fits." or ": it fits, but a lower stage also fits, and sends less with accumulation."),
        }
      end
      return {
        values = { params = engine.count(params), gpus = gpus, card = engine.card(card).title, usable = engine.gb(engine.card(card).usable_bytes, 3) },
        ask = "${params}, mixed-precision AdamW, ${gpus} × ${card} (${usable} usable). Set 12 GB aside for activations, buffers and reserve. A step has many micro-batches. DDP does not fit. Which stage do you take?",
        choices = choices,
      }
    end,
    hints = { "Go up from stage 0 and stop at the first that fits.", "The states that stay whole decide: 16Ψ, 4Ψ, 2Ψ, none." },
  },

  problem {
    id = "price-of-stage-3",
    title = "What it would send",
    form = "number",
    about = { "accumulation-free" },
    vary = function(r)
      return {
        problem = { kind = "traffic", unit = "GB", training = states(r:pick(sizes), r:pick { 4, 8, 16 }, 3, { accumulate = r:pick { 4, 8, 16 } }) },
        ask = "Before you take stage 3: ${a params} model, ${precision}, ${gpus} GPUs, ${accumulate} micro-batches a step. How many ${unit} would a rank send per step, by the paper's algorithm?",
      }
    end,
    hints = { "Three collectives for each micro-batch.", "3 × A × (N − 1)/N × 2 B × Ψ." },
  },

  say {
    id = "still-out-of-memory",
    title = "When it still runs out",
    text = [[
*When* did it happen, and which array did it try to allocate?

1. **In the first update**: optimizer states, which PyTorch allocates there (DeepSpeed at its start). Take a higher stage or more GPUs.
2. **In forward, or as backward begins**: activations, or the logits. Try a smaller micro-batch or sequence, flash attention, checkpointing.
3. **At random, after hours**: fragmentation, or a longer batch. Try expandable segments or fixed lengths.
4. **In a buffer**: lower the bucket sizes and live parameters.

Folklore: a **larger all-gather bucket** never cures it. DeepSpeed's stage 3 does not read that key, and today's stages 1 and 2 ignore it. If an old path reads it, the buffer grows. *Emptying the cache* returns blocks that PyTorch would have used again.

Make it a habit: **look at the peak by category first, then check whether the step now waits instead.**]],
    briefly = [[
Ask *when* it ran out.

1. **First update**: optimizer states. Take a higher stage or more GPUs.
2. **Forward, or as backward begins**: activations or logits. Shrink the batch, or use checkpointing.
3. **After hours**: fragmentation or a longer batch.
4. **In a buffer**: lower bucket sizes.

A **larger all-gather bucket** never helps. Look at the peak by category first.]],
    slowly = [[
It still runs out of memory. Do not turn knobs at random. Ask two questions. *When* did it happen? Which array did it try to allocate?

1. **In the first update.** These are the optimizer states. PyTorch allocates them there. DeepSpeed does it at its start. They are too
   large for the card. Take a higher stage, or more GPUs.
2. **In forward, or as backward begins.** These are activations, or the logits. They grow with the batch and the sequence. Make one of
   them smaller. Or use flash attention. Or use checkpointing.
3. **At random, after hours.** Memory is in pieces, or one batch was longer than all before. Try expandable segments. Try sequences of
   a fixed length.
4. **In a buffer.** It was reserved too large. Lower the bucket sizes, and the live parameters.

Some advice on the web is wrong. A **larger all-gather bucket** never cures it. DeepSpeed's stage 3 does not read that key. Today's
stages 1 and 2 ignore it. If an old path does read it, the buffer grows, and so does the peak. *Emptying the cache* does not help
either. It returns blocks that PyTorch would have used again.

Make it a habit. **Look at the peak by category first.** Then change one thing. Then check whether the step now waits instead.]],
    sources = {
      "PyTorch documentation, CUDA semantics: PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
      "deepspeedai/DeepSpeed, runtime/zero/stage3.py: allgather_bucket_size is not among its arguments",
    },
  },

  problem {
    id = "which-fork",
    title = "Where does it hurt?",
    form = "sort",
    review = true,
    given = { "40%" },
    vary = function(r)
      local all = {
        { text = "out of memory in the first optimizer.step()", bin = 1, because = "The optimizer makes its moments there: states." },
        { text = "out of memory in the model's constructor, on one GPU", bin = 1, because = "Weights alone do not fit." },
        { text = "out of memory in cross_entropy", bin = 2, because = "The logits: 4 B × s × b × V." },
        { text = "it fits at sequence 2048 and not at 8192", bin = 2, because = "Only activations depend on the sequence." },
        { text = "the GPU is busy 40% of the time under stage 3 with 16 micro-batches", bin = 3, because = "It waits for gathers. Take a lower stage, or larger micro-batches." },
        { text = "steps are twice as long since the optimizer moved to the host", bin = 3, because = "The update on the processor is not hidden." },
      }
      local items = {}
      for i, item in ipairs(r:shuffle(all)) do
        if i <= 4 then items[i] = item end
      end
      return { ask = "Which kind of trouble is it?", bins = { "states", "activations", "waiting" }, items = items }
    end,
    hints = { "States follow parameters, activations follow tokens, waiting follows bytes on a link.", "Ask which array it allocated when it failed, or what the GPU was waiting for." },
  },

  problem {
    id = "largest-micro-batch",
    title = "Spend what you freed",
    form = "choice",
    review = true,
    vary = function(r)
      local model = r:pick { "gpt2-xl", "gpt3-6.7b" }
      local stage_1, stage_3 = { model = model, gpus = 8, stage = 1, recipe = "paper" }, { model = model, gpus = 8, stage = 3, recipe = "paper" }
      local freed = engine.ledger(stage_1).total - engine.ledger(stage_3).total
      local each = engine.activations({ model = model, gpus = 8, batch = 1, seq = 1024, flash = "on", recipe = "paper" }).highest
      local more = freed // each
      return {
        values = { title = engine.model(model).title, freed = engine.gb(freed, 3), each = engine.gb(each, 3) },
        ask = "${title} on 8 GPUs: compared with stage 1, stage 3 frees ${freed} of states per GPU (ignore the gathered units). A sequence of 1024 tokens takes ${each} of activations. How many sequences more fit into the micro-batch?",
        choices = r:shuffle {
          { text = tostring(math.tointeger(more)), right = true, because = "Freed ÷ what one sequence takes, rounded down." },
          { text = tostring(math.tointeger(more) * 8), because = "Every GPU frees that much, and every GPU has its own micro-batch." },
          { text = "none: freed memory is returned to the system", because = "It is there for whatever you allocate." },
        },
      }
    end,
    hints = { "How many times do one sequence's activations fit into the freed memory?", "Divide, and round down." },
  },

  problem {
    id = "fit-then-time",
    title = "Fit, then time",
    form = "choice",
    review = true,
    vary = function(r)
      local case = r:pick(races[r:pick(winners)])
      local usable, lines, choices = engine.gb(engine.card(case.gpu).usable_bytes, 3), {}, {}
      local taken = case.rows[case.rows.taken]
      for i, row in ipairs(case.rows) do
        local peak, step = engine.gb(row.peak, 3), engine.seconds(row.step)
        lines[i] = "| " .. row.name .. " | " .. peak .. " | " .. step .. " |"
        local because
        if not row.fits then because = "It needs " .. peak .. ", and the card has " .. usable .. ". A run that does not fit has no step time."
        elseif i == case.rows.taken then because = "It fits, and no setup that fits is measurably faster."
        elseif row.behind <= TIE then because = step .. " against " .. engine.seconds(taken.step) .. " is a tie, and " .. taken.name .. " is simpler."
        else because = "It fits, but takes " .. step .. " instead of " .. engine.seconds(taken.step) .. "." end
        choices[i] = { text = row.name, right = i == case.rows.taken, because = because }
      end
      return {
        values = { title = engine.model(case.model).title, card = case.gpu == "a100-40g" and "A100-40GB" or "A100-80GB", usable = usable, link = case.link == "pcie4" and "PCIe 4" or "NVLink 3", accumulate = case.accumulate, lines = table.concat(lines, "\n") },
        ask = "${title} on 8 ${card} (${usable}), joined by ${link}; ${accumulate} micro-batches of 1 × 2048 tokens a step. A tenth of the card must stay free. Which setup do you take?\n\n| | peak | a step |\n|:--|--:|--:|\n${lines}",
        choices = choices,
      }
    end,
    hints = { "Strike out the setups that do not fit before you look at times.", "Of the setups that fit, take the fastest. At a tie take the lower stage." },
  },

  problem {
    id = "enough-gpus",
    title = "More GPUs",
    form = "number",
    review = true,
    about = { "no-master" },
    vary = function(r)
      return {
        problem = { kind = "fewest_gpus", budget = r:pick { "32GB", "60GB", "68GB", "120GB" }, unit = "GPUs", training = { params = r:pick { 7e9, 8e9, 13e9, 14e9 }, precision = "mixed-bf16", optimizer = "adamw", stage = r:pick { 2, 3 }, recipe = "paper" } },
        ask = "${A params} model, ${precision} with AdamW, ZeRO stage ${stage}. After activations and reserve each GPU has ${budget} left for states. How many GPUs does it take, at least?",
      }
    end,
    hints = { "The states that stay whole must fit first. The rest is divided.", "Stage 2: 14Ψ ÷ (budget − 2Ψ). Stage 3: 16Ψ ÷ budget. Rounded up." },
  },

  myth {
    id = "highest-stage",
    title = "Stage 3 because it saves more",
    claim = "If it fits under stage 1, stage 3 is still the better choice: less memory cannot hurt.",
    says = { "less memory cannot hurt" },
    truth = false,
    because = [[
It can hurt. With accumulation stage 3 sends 3Ψ for every micro-batch: ${sent(3, 8)} instead of ${sent(1, 8)} for 13B with eight. If computation does not hide that, each step is slower. The higher stage is better only when you spend what it frees, say on
a larger micro-batch, and come out faster at the same global batch.]],
  },

  say_aloud {
    id = "explain-it",
    title = "Aloud: 7B on eight A100s",
    ask = "A friend's 7B runs out of memory on eight A100-40GB. Walk through the napkin with numbers.",
    points = {
      "states: DDP ${kept_7(0)}, stage 1 ${kept_7(1)}, 2 ${kept_7(2)}, 3 ${kept_7(3)}",
      "so stage 2 or 3; activations and reserve decide",
      "flash attention and micro-batch 1 first, then checkpointing",
      "A micro-batches: stage 2 sends (A + 1)Ψ, stage 3 3AΨ",
      "compare by time at the same global batch; measure the peak by category",
    },
    model = [[
DDP keeps ${kept_7(0)}, which does not fit. Stage 1 keeps ${kept_7(1)}, which leaves next to nothing. Stage 2 keeps ${kept_7(2)}, stage 3 ${kept_7(3)}. With flash attention and micro-batch 1 I try stage 2, look at the peak, and checkpoint if activations break it. With A micro-batches stage 2 sends (A + 1)Ψ and stage 3 3AΨ, so with
much accumulation and slow links I avoid stage 3. If its room buys a larger micro-batch, I time both at the same global batch, and measure the peak by category.]],
    given = { "A100-40GB" },
  },

  cards {
    id = "cards",
    cards = {
      { id = "napkin-order", front = "The napkin's order?", back = "DDP, stage 1, 2, 3; checkpointing; offload or more GPUs; tensor, context, pipeline." },
      { id = "by-time", front = "Several plans fit. What decides?", back = "Time per step at the same global batch." },
      { id = "accumulated-13b", front = "13B on 8, eight micro-batches: sent under stages 1, 2, 3?", back = "${sent(1, 8)}, ${sent(2, 8)}, ${sent(3, 8)}." },
      { id = "oom-when", front = "Out of memory in the first optimizer.step()?", back = "States: the optimizer makes its moments there. In forward or cross_entropy: activations." },
      { id = "spend-it", front = "When is a higher stage faster?", back = "If you spend the freed memory, usually on a larger micro-batch." },
      { id = "lora-zero", front = "LoRA and ZeRO?", back = "States of few trained parameters are small; frozen weights and activations count. Stage 3 can shard the base." },
      { id = "review-habit", front = "Which two things do you look at when memory runs out?", back = "Look at the peak by category first. Then check whether the step now waits instead." },
    },
  },

  recap {
    id = "recap",
    title = "To take away",
    further = {
      "CUDA memory usage: https://docs.pytorch.org/docs/stable/torch_cuda_memory.html",
      "The code that settles it: src/account/plan/search.c and src/account/plan/tree.c",
    },
    text = [[
| fork | what decides |
|:--|:--|
| DDP? | 16Ψ + activations + reserve ≤ usable |
| stage 1, 2, 3 | 4Ψ + 12Ψ/N, 2Ψ + 14Ψ/N, 16Ψ/N + units |
| A micro-batches | 2Ψ, (A + 1)Ψ, 3AΨ sent (the paper's count) |
| checkpointing | a third more arithmetic |
| offload | tokens per step; (2A + 2)Ψ/N bytes over PCIe (the paper's) |
| more GPUs, t, p, c | money; one layer or sequence too large |

**Find the lowest stage that fits, then compare times.** Next: your case, in writing.]],
  },
}
