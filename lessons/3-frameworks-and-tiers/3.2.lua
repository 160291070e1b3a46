-- 3.2  Host memory and NVMe are slower tiers
--
-- Afterwards the learner can say who holds what under ZeRO-Offload and ZeRO-Infinity, count what crosses PCIe in a step, tell when computation hides
-- it, and decide between offloading and another GPU.

-- ── the case that the lesson walks through ──────────────────────────────────────────────────────

local function training(params, gpus, stage, more)
  local t = { params = params, precision = "mixed-bf16", optimizer = "adamw", gpus = gpus, stage = stage, gpu = "a100-80g", recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end
local function bare(params, gpus, stage, more)
  local t = training(params, gpus, stage, more)
  t.gpu = nil
  return t
end
local function model(more)
  local t = { model = "llama-2-13b", precision = "mixed-bf16", gpus = 1, stage = 2, gpu = "a100-80g", batch = 4, seq = 2048, checkpoint = "full", recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end

local node, host_link = engine.node("a100-80g"), engine.link("pcie4")
local whole, off = engine.ledger(bare(13e9, 1, 2)), engine.ledger(bare(13e9, 1, 2, { offload_optimizer = "host" }))
local host = engine.memory(bare(13e9, 1, 2, { offload_optimizer = "host" })).host.total
local crossed = engine.traffic(bare(13e9, 1, 2, { offload_optimizer = "host" }))
local slow, slower, sixteen = engine.clock(model { offload_optimizer = "host" }), engine.clock(model { offload_optimizer = "nvme", stage = 3 }), engine.clock(model { offload_optimizer = "host", accumulate = 16 })
local four = engine.clock(model { gpus = 4 })
local seventy = engine.memory(bare(70e9, 8, 3, { offload_optimizer = "host", offload_params = "host" }))

local saved = engine.ledger(bare(13e9, 1, 0))

-- What share of a step the GPU does not compute.
local function waiting(clock) return engine.percent(1 - (clock.forward + clock.backward) / clock.step, 2) end

-- ── what the problems draw from ─────────────────────────────────────────────────────────────────

local sizes = { 3e9, 7e9, 8e9, 13e9, 20e9, 34e9 }

return lesson {
  id = "3.2",
  title = "Host memory and NVMe are slower tiers",
  stop = "when-it-hides",
  shows = "bytes-that-flow", goal = "say who holds what under ZeRO-Offload and ZeRO-Infinity, count what crosses PCIe in a step, and decide between offloading and another GPU",
  revision = 1,
  values = {
    crossed = crossed, host = host, host_link = host_link, node = node, off = off, saved = saved, seventy = seventy, sixteen = sixteen,
    slow = slow, slower = slower, waiting = waiting, whole = whole, each_way = engine.seconds(crossed.offload_down / host_link.rate),
    fits_off = engine.gb(engine.memory(model { offload_optimizer = "host" }).peak, 3),
    fits_4 = engine.gb(engine.memory(model { gpus = 4 }).peak, 3), speed_1 = string.format("%.0f", slow.tokens_per_s),
    speed_4 = string.format("%.0f", four.tokens_per_s), each_4 = string.format("%.0f", four.tokens_per_s / 4),
    checkpoint = engine.gb(saved.params + saved.master + saved.moments),
  },

  predict {
    id = "what-crosses",
    title = "Before you start",
    ask = [[
13B on **one** A100. Gradients and optimizer states go to host memory (ZeRO-Offload). There they take ${gb(host)}, with gradients in fp32, as DeepSpeed keeps them. The card keeps the bf16 weights.

Which bytes cross PCIe in every step, in the paper's algorithm?]],
    choices = {
      "all ${gb(host)}: the optimizer works on the GPU",
      "${gb(crossed.offload_down)} down and ${gb(crossed.offload_up)} up",
      "nothing: they stay on the host",
    },
    answer = 2,
    reveal = [[
**bf16 gradients down, bf16 weights up**: ${gb(crossed.offload_down)} each way. The moments do not travel, because the *update* happens next to them: the processor runs Adam. It is slow at arithmetic, but
Adam is bound by memory bandwidth.]],
    sources = { "Ren et al., ZeRO-Offload, arXiv:2101.06840, section 3: of all ways to cut the data flow, this one moves 4 bytes a parameter a step, the least",
      "deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py: the host's gradients are fp32, single_partition_of_fp32_groups[i].grad; the paper leaves them in 16 bits" },
  },

  figure {
    id = "the-pyramid",
    title = "Three tiers, each larger and slower",
    wall = "A larger, slower memory can hold the states that a step does not need right now.",
    figure = { kind = "tiers", card = "a100-80g", training = bare(13e9, 1, 2, { offload_optimizer = "host" }) },
    sources = { "Sources of the rates: data/hardware.json in this repository" },
  },

  say {
    id = "who-holds-what",
    title = "Who holds what",
    text = [[
| 13B, one GPU | GPU | host |
|:--|--:|--:|
| nothing offloaded | ${gb(whole.total)} | – |
| optimizer to the host | ${gb(off.total)} | ${gb(host)} |

The host gets the values that the optimizer reads and writes: fp32 gradients, master weights and moments, 4 + 4 + 8 bytes per parameter. **ZeRO-Infinity** goes further. Under stage 3 the weights' shards may move too,
and either may go to NVMe drives. With both on the host of an 8-GPU server, 70B takes ${bytes(seventy.host.total)} of its ${bytes(node.host_bytes)}.

**All GPUs of the machine share** its host memory. Memory that you copy should be *pinned* (DeepSpeed: `pin_memory`). A copy from pageable memory goes through a pinned buffer first, and cannot overlap with computation.]],
    sources = {
      "Ren et al., ZeRO-Offload, arXiv:2101.06840, sections 3.4 and 4",
      "Rajbhandari et al., ZeRO-Infinity, arXiv:2104.07857, sections 5 and 6",
      "deepspeedai/DeepSpeed, runtime/zero/offload_config.py: offload_param is valid with stage 3 only",
      "NVIDIA, CUDA C++ Best Practices Guide: pinned memory; asynchronous transfers need it",
    },
  },

  worked {
    id = "by-hand",
    title = "By hand: what crosses PCIe",
    text = "13B on one GPU, stage 2, optimizer on the host. How much crosses per step?",
    problem = { kind = "traffic", quantity = "offload", unit = "GB", training = bare(13e9, 1, 2, { offload_optimizer = "host" }) },
    notes = {
      down = "Gradients in bf16. The host widens them. DeepSpeed widens them on the GPU and sends 4 bytes.",
      up = "New weights, rounded to bf16 on the host.",
      total = "4 bytes per parameter. PCIe carries both directions at the same time.",
    },
    sources = {
      "deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py, async_inplace_copy_grad_to_fp32_buffer_from_gpu, and stage3.py, _offload_grad_partition_at_boundary: widened, then copied",
    },
  },

  problem {
    id = "crossing-by-lines",
    title = "Your turn: on the host",
    form = "sheet",
    about = { "no-master" },
    vary = function(r)
      return {
        problem = { kind = "host", unit = "GB", training = bare(r:pick(sizes), r:pick { 2, 4, 8 }, 2, { offload_optimizer = "host" }) },
        ask = "${A params} model, ${precision} with AdamW, ${gpus} GPUs in **one machine**, stage 2, optimizer on the host, and gradients there in fp32. How much does the machine's **host memory** hold in total?",
      }
    end,
    hints = { "Which values does the processor need to run Adam? And does each GPU of a machine have its own host?", "fp32 gradients 4, master 4, moments 8 bytes × Ψ, once for the machine." },
  },

  explore {
    id = "tiers",
    title = "Move it out",
    text = "Llama 2 13B, 4 × 2048 tokens a GPU, checkpointed. Move the optimizer out. One GPU and the host, or four GPUs: which fit? Which would you rather have?",
    training = model {},
    sliders = {
      { field = "offload_optimizer", label = "optimizer on", start = 1, values = { { value = "none", name = "GPU" }, { value = "host", name = "host" }, { value = "nvme", name = "NVMe" } } },
      { field = "gpus", label = "GPUs", start = 1, values = { { value = 1, name = "1" }, { value = 2, name = "2" }, { value = 4, name = "4" }, { value = 8, name = "8" } } },
      { field = "stage", label = "stage", start = 1, values = { { value = 2, name = "2" }, { value = 3, name = "3" } } },
    },
    figure = { kind = "ledger", training = "explore", limit = "a100-80g", unit = "GB" },
  },

  animate {
    id = "bytes-that-flow",
    title = "What crosses, and when",
    play = "tiers",
    training = model {},
    notes = {
      start = "The processor runs Adam, so the moments never come to the card.",
      forward = "Forward needs the weights. If they are on the card, nothing crosses.",
      backward = "Gradients leave while backward computes, so their transfer hides.",
      update = "Nothing hides the update. It comes once a step.",
      ["return"] = "Nothing hides this transfer either. It also comes once a step.",
      finish = "Change optimizer, weights and micros. What does the GPU wait for, how often?",
    },
    ask = "In how many of backward, update and return will the GPU wait?",
    reveal = "A transfer hides only while the GPU computes.",
    [[Llama 2 13B on one A100, 4 × 2048 tokens, with its optimizer offloaded.]],
    sources = { "account_tiers() in this repository: src/account/play/tiers.c, by account_offload_of() and account_clock()" },
  },

  say {
    id = "when-it-hides",
    title = "When does it hide?",
    text = [[
It fits on one GPU with its host (${fits_off}) or four without (${fits_4}). One trains ${speed_1} tokens per second, four train ${speed_4}, ${each_4} each. Why?

| one A100 and its host, 4 × 2048 tokens | |
|:--|--:|
| forward, backward | ${seconds(slow.forward + slow.backward)} |
| ${gb(crossed.offload_down)} down, ${gb(crossed.offload_up)} up, PCIe at ${rate(host_link.rate)} of the printed ${rate(host_link.wire)} | ${each_way} each |
| CPU Adam | ${seconds(slow.update)} |
| a step; the share of waiting | ${seconds(slow.step)}; ${waiting(slow)} |
| the share of waiting with 16 micro-batches | ${waiting(sixteen)} |
| from NVMe, ${rate(node.nvme_rate)} a node, a step | ${seconds(slower.step)} |

Gradients go down during backward, under stage 2 in **every** micro-batch. The GPU waits for update and upload **once per step**, so more *tokens* per step cost less.

ZeRO-Infinity's rule without overlap: the GPU's share is ait × rate ÷ (ait × rate + peak). Here *ait* counts operations per byte moved: a micro-batch's tokens for weights **and** gradients, a quarter of them for optimizer states.]],
    sources = {
      "Rajbhandari et al., ZeRO-Infinity, arXiv:2104.07857, section 4: efficiency = ait × rate ÷ (ait × rate + peak); section 4.1: weights are read three times with checkpointing and gradients written once, 8 bytes × Ψ, for 8 operations × tokens × Ψ",
      "Ren et al., ZeRO-Offload, arXiv:2101.06840, section 5.2: delayed parameter update",
      "deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py, async_accumulate_grad_in_cpu_via_gpu: accumulated_grads_in_cpu is fetched, added to and copied back; account_clock() in this repository: src/account/traffic/clock.c",
    },
  },

  lab {
    id = "down-and-up",
    title = "Down, and up again",
    lab = "tiers",
    text = [[
Two ranks train on this machine under stage 3, four times. First all states stay with what computes, which is memory that is counted separately here.
Then the optimizer's states move to the host, then to a file, and at last the shards of parameters move to the file too. The links are **emulated**:
100 MB/s to the host, 40 MB/s to the file.]],
    question = [[
With the optimizer on the host: how many MB crossed **one rank's** link per step, down and up together? Everything is in fp32 here.]],
    problem = {
      kind = "traffic", quantity = "offload", unit = "MB",
      training = { params = "measured", precision = "fp32", optimizer = "adamw", gpus = 2, stage = 3, offload_optimizer = "host", recipe = "zerolab" },
    },
    given = { "100 MB/s", "40 MB/s" },
    sources = {
      "zerolab, src/lab/tier.c and piece.c in this repository: gradients go down once they are complete, updated parameters come up, in pieces",
      "Rajbhandari et al., ZeRO-Infinity, arXiv:2104.07857, section 5: states on NVMe, read ahead and written behind",
    },
  },

  problem {
    id = "on-the-card",
    title = "What stays on the card",
    form = "number",
    about = { "offload-ignored", "grads-stay" },
    vary = function(r)
      return {
        problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = bare(r:pick(sizes), r:pick { 2, 4, 8 }, 2, { offload_optimizer = "host" }) },
        ask = "${A params} model, ${precision} with AdamW, ${gpus} GPUs, stage 2, optimizer on the host (gradients leave as they are made). How many ${unit} of model states stay on **each GPU**?",
      }
    end,
    hints = { "Which states do forward and backward need on the card?", "The bf16 weights, whole under stage 2: 2 B × Ψ." },
  },

  problem {
    id = "over-the-link",
    title = "Over the link",
    form = "number",
    about = { "one-way", "fp32-down" },
    vary = function(r)
      return {
        problem = { kind = "traffic", quantity = "offload", unit = "GB", training = bare(r:pick(sizes), r:pick { 2, 4, 8 }, 2, { offload_optimizer = "host" }) },
        ask = "${A params} model, ${precision}, ${gpus} GPUs, stage 2, optimizer on the host by the paper, one micro-batch. How many ${unit} cross **one GPU's** own PCIe link per step, both directions together?",
      }
    end,
    hints = { "Each rank sends and fetches only its shard.", "(2 + 2) B × Ψ ÷ N." },
  },

  problem {
    id = "how-long-it-takes",
    title = "How long it takes",
    form = "number",
    review = true,
    about = { "one-way" },
    vary = function(r)
      return {
        problem = { kind = "seconds", quantity = "offload", unit = "s", training = training(r:pick(sizes), r:pick { 2, 4, 8 }, 2, { offload_optimizer = "host" }) },
        ask = "${A params} model, ${precision}, ${gpus} A100s, stage 2, optimizer on the host, each GPU with its own PCIe 4 x16 (${rate(host_link.rate)}). How many seconds do gradients down **and** weights up take, one after the other?",
      }
    end,
    hints = { "Count the bytes first: each rank's own shard, down and up.", "4 B × Ψ ÷ N ÷ rate." },
  },

  problem {
    id = "host-or-gpu",
    title = "Offload, or another GPU?",
    form = "choice",
    review = true,
    vary = function(r)
      local case = r:pick {
        { "You have one small card at home, a weekend and no budget. The model needs two such cards.", 1,
          "Nothing else makes it fit, and the result is not urgent.", "It needs two such cards.", "You have no budget for one." },
        { "You have eight A100s. The model fits under stage 3 with room to spare. A colleague wants to offload \"to be safe\".", 2,
          "Safe from what? It would add an update on the processor to every step.", "It fits, and no step waits for the processor.", "The eight have room to spare." },
        { "You rent two GPUs for a run of six weeks, but the states need three. With the optimizer on the host a step takes twice as long. A third GPU adds half of today's rent.", 3,
          "It would fit, and you would pay the rent of two for twice as long.", "The states need three.", "Three GPUs for six weeks cost less than two for twelve." },
        { "A fine-tuning run does not fit on your four cards, and no fifth is free. Each step has 64 micro-batches of many tokens.", 1,
          "You pay for the update once per step. With so many tokens in a step it hardly shows.", "It does not fit there.", "No fifth is free." },
      }
      local texts = {
        "offload the optimizer",
        "leave it on the GPUs",
        "get another GPU and shard over it",
      }
      local choices = {}
      for i, text in ipairs(texts) do
        choices[i] = { text = text, right = i == case[2], because = case[2 + i] }
      end
      return { ask = case[1] .. " What would you do?", choices = choices }
    end,
    hints = { "Does it fit without offloading? How much time does each step pay, and how many tokens share it?", "Offload if it is the only way, or if steps are long. Do not offload a model that fits anyway." },
  },

  problem {
    id = "tier-order",
    title = "Fastest first",
    form = "order",
    review = true,
    vary = function(r)
      local which = r:pick { "bandwidth, highest first", "speed, fastest first" }
      return {
        ask = "Sort by " .. which .. ", as one A100 of a DGX sees it.",
        items = { "its own HBM", "another GPU's memory over NVLink", "host memory over PCIe 4", "its share of the NVMe drives" },
        because = "HBM is far ahead, then come " .. engine.rate(engine.link("nvlink3").rate) .. ", " .. engine.rate(host_link.rate) .. ", and an eighth of the rate of all drives together (" .. engine.rate(node.nvme_rate) .. ").",
      }
    end,
    hints = { "Each step down is about a factor of ten.", "HBM, NVLink, PCIe, drives." },
  },

  problem {
    id = "checkpoint-size",
    title = "How large is a checkpoint?",
    form = "number",
    review = true,
    about = { "weights-only" },
    vary = function(r)
      return {
        problem = { kind = "bytes", quantity = "params+master+moments", unit = "GB", training = bare(r:pick(sizes), 1, 0) },
        ask = "DeepSpeed's stages 1 and 2 write bf16 weights, master weights and both moments to a checkpoint (gradients are not needed). ${A params} model, ${precision} with AdamW. How many ${unit} is the checkpoint?",
      }
    end,
    hints = { "Everything except the gradients.", "2 + 4 + 8 = 14 bytes per parameter." },
  },

  say {
    id = "saving",
    title = "Saving when no rank has it all",
    text = [[
Under stage 3 no rank holds the whole model, so none can write it alone. There are two ways:

- **Sharded**: every rank writes its own part, all at the same time. This is fast, but the files fit only this number of ranks, unless the loader can cut them again (PyTorch's distributed checkpoints, DeepSpeed's universal ones).
- **Consolidated**: one rank gathers the model into host memory, layer by layer. This is slow, and you need it only once, at the end.

To resume exactly, **12Ψ** suffice: master 4, moments 8. The bf16 weights are the rounded master weights. DeepSpeed's stage 3 saves only the 12Ψ, ${gb(saved.master + saved.moments)} for 13B. Its stages 1 and 2 save the bf16 weights too, **14Ψ**: ${checkpoint}. Inference needs the bf16 weights alone, ${gb(saved.params)}.]],
    sources = {
      "PyTorch documentation, torch.distributed.checkpoint: sharded state dicts, resharding on load",
      "deepspeedai/DeepSpeed, checkpoint/ds_to_universal.py; runtime/zero/stage3.py, _rigid_state_dict: fp32 partitions and the optimizer's states, beside a module whose partitioned parameters are empty; stages 1 and 2 save the module's weights whole, runtime/engine.py, _save_checkpoint; stage3_gather_16bit_weights_on_model_save",
    },
  },

  lab {
    id = "resumed-elsewhere",
    title = "Save on four ranks, resume on two",
    lab = "resume-elsewhere",
    text = [[
Four ranks of this machine train 16 steps under stage 3. After step 8 each rank saves its own shards. Then three more runs resume from those files: four ranks under stage 1, four ranks with the optimizer on the host, and two ranks under stage 2.]],
    question = [[
The lab saves fp32 weights and moments, and no gradients. How many MB do the **four files together** hold?]],
    problem = {
      kind = "bytes", quantity = "params+moments", per = "cluster", unit = "MB",
      training = { params = "measured", precision = "fp32", optimizer = "adamw", gpus = 4, stage = 3, recipe = "zerolab" },
    },
    sources = {
      "zerolab, src/lab/saved.h in this repository: each file says which ranges of which units it holds, so any number of ranks can read it",
    },
  },

  myth {
    id = "only-the-optimizer",
    title = "Offloading more than the optimizer",
    claim = "Under stage 3, a training can offload its weights and activations too, not only the optimizer's states.",
    truth = true,
    because = [[
Optimizer states are the usual first step, because they free the most bytes for the least traffic. Under stage 3 the weights' shards may go to the host or to NVMe as well, and checkpointed activations too. Each
of these crosses in every *pass* of every micro-batch, so offload them last.]],
    sources = { "Rajbhandari et al., ZeRO-Infinity, arXiv:2104.07857, section 5; deepspeedai/DeepSpeed, activation checkpointing: cpu_checkpointing" },
  },

  say_aloud {
    id = "explain-it",
    title = "Aloud: when ZeRO-Infinity helps",
    ask = "An interviewer asks: *\"When would you use ZeRO-Infinity rather than plain stage 3?\"* Say which bytes move, how much time it costs, and what you would try first.",
    points = {
      "when states do not fit all the GPUs' memory together",
      "the processor updates: 2 bytes per parameter go down in each micro-batch, 2 up in each step",
      "many tokens pay for it: they hide the gradients in a micro-batch and dilute the update in a step",
      "host memory is shared by the machine's GPUs; NVMe is slower still",
      "first try stage 3, checkpointing, a smaller micro-batch, another GPU",
    },
    model = [[
I use it if stage 3 over all my GPUs cannot hold the states. Then optimizer states go to host memory, and the processor updates. 2 bytes per parameter go down in each
micro-batch and 2 come up in each step. On one A100 that takes ${each_way} each way for 13B, plus a slow update. Large micro-batches hide the gradients, and accumulation
dilutes the update. A machine's GPUs share the host's memory. I use NVMe, which is slower, only if that is too small. First I try stage 3 with checkpointing and a smaller
micro-batch, and ask what another GPU costs.]],
  },

  cards {
    id = "cards",
    cards = {
      { id = "offload-crosses", front = "ZeRO-Offload: which bytes cross PCIe per step?", back = "By the paper bf16 gradients down (stage 2: for each micro-batch), bf16 weights up: 2 + 2 B × Ψ ÷ N for each GPU. DeepSpeed first moves sums of micro-batches both ways in bf16, then sends the complete gradients down in fp32." },
      { id = "host-keeps", front = "Optimizer on the host: what does the host hold?", back = "fp32 gradients, master, moments: 16 B × Ψ for all ranks together. Each host holds its GPUs' share." },
      { id = "why-cpu-adam", front = "Why does the processor run Adam?", back = "Then the states need not travel. Memory bandwidth limits the update, not arithmetic." },
      { id = "when-offload-hides", front = "When does offloading hardly cost time?", back = "If a step has many tokens: gradients hide behind backward, and update and upload come only once per step." },
      { id = "pinned", front = "Why pinned memory?", back = "A GPU copies at full speed, and during computation, only from memory that cannot be moved." },
      { id = "checkpoint-14", front = "Size of a checkpoint to resume from?", back = "12 B × Ψ suffice: master 4, moments 8. DeepSpeed's stages 1 and 2 save the bf16 weights as well: 14." },
    },
  },

  recap {
    id = "recap",
    title = "To take away",
    further = {
      "Rajbhandari et al., ZeRO-Infinity, section 4: https://arxiv.org/abs/2104.07857",
      "Distributed checkpoint: https://docs.pytorch.org/docs/stable/distributed.checkpoint.html",
      "The code that settles it: src/account/traffic/traffic_offload.c in this repository",
    },
    text = [[
| 13B, one GPU, stage 2 | GPU | host | a step crosses |
|:--|--:|--:|--:|
| nothing offloaded | ${gb(whole.total)} | – | – |
| optimizer on the host | ${gb(off.total)} | ${gb(host)} | ${gb(crossed.offload_down)} down, ${gb(crossed.offload_up)} up |

- Gradients go down during backward. Update and upload come **once per step**.
- If it fits, do not offload. If you lack a GPU for weeks, ask its price.
- Checkpoint: 12Ψ suffice; 14Ψ with the bf16 weights. Next: more axes.]],
  },
}
