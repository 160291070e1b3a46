-- The timeline: what each invention changed in the ledger of one GPU. `zerotutor learn timeline` takes it. It asks nothing and is no
-- lesson of the course.

local base = { model = "llama-2-7b", gpus = 8, batch = 1, seq = 2048, precision = "mixed-bf16", optimizer = "adamw", flash = "off", stage = 0, recipe = "paper" }
local function with(changes, more)
  local t = {}
  for _, part in ipairs { base, changes, more or {} } do
    for name, value in pairs(part) do t[name] = value end
  end
  return t
end
local function total(changes) return engine.gb(engine.ledger(with(changes)).total, 3) end
local function sent(changes) return engine.gb(engine.traffic(with(changes)).total, 3) end
local function acts(changes) return engine.gb(engine.activations(with(changes)).highest, 3) end
local function host(changes) return engine.gb(engine.memory(with(changes)).host.total, 3) end
local function nvme(changes) return engine.gb(engine.memory(with(changes)).nvme.total, 3) end
local function between(changes)
  return engine.gb(engine.traffic(with({ gpus = 64, gpus_per_node = 8, stage = 3 }, changes)).between, 3)
end

-- Bars of one GPU, one for each { label, changes }.
local function bars(rows)
  local list = {}
  for i, row in ipairs(rows) do list[i] = { label = row[1], training = with(row[2]) } end
  return { kind = "stack", unit = "GB", limit = "80GB", legend = true, bars = list }
end

-- What one rank moves in a step: all gradients in and their sum out, if it collects them for the others, or its part of a ring.
local function ring(gpus)
  local whole, rows = engine.ledger(with { precision = "fp32" }).grads, {}
  for i, n in ipairs(gpus) do
    rows[i] = { tostring(n), engine.gb(2 * (n - 1) * whole, 3), sent { precision = "fp32", recipe = "ddp", gpus = n } }
  end
  return { kind = "table", head = { "GPUs", "one rank for all moves", "each rank of a ring sends" }, rows = rows, align = "rrr" }
end

return lesson {
  id = "timeline",
  title = "From data-parallel SGD to today",
  revision = 1,
  values = { acts = acts, between = between, host = host, nvme = nvme, sent = sent, total = total, psi = engine.count(engine.model("llama-2-7b").params) },

  say {
    id = "the-case",
    title = "One case through all the years",
    text = [[
This timeline is the history of sharded training. Each page is one invention, and shows what it changed in **one ledger**: Llama 2 7B (${psi} parameters), eight GPUs, Adam, micro-batch 1 × 2,048 tokens, by the recipe that the page names. The line is an 80 GB card. Nothing is asked.]],
    given = { "80 GB" },
  },

  figure {
    id = "data-parallel",
    title = "Until 2016: data-parallel SGD",
    text = [[
Every GPU holds the whole model, takes its share of the batch, and all average their gradients. More GPUs train faster, and not one byte less is kept on each: **${total { precision = "fp32" }}** in fp32, on one GPU as on a thousand.]],
    figure = bars { { "1 GPU", { precision = "fp32", gpus = 1 } }, { "8 GPUs", { precision = "fp32" } } },
    sources = {
      "Dean et al., Large Scale Distributed Deep Networks, NIPS 2012",
      "Goyal et al., Accurate, Large Minibatch SGD, arXiv:1706.02677",
    },
  },

  figure {
    id = "checkpointing",
    title = "2016: activation checkpointing",
    text = [[
Keep only each layer's input, and compute the rest again in backward. Activations fall from ${acts { precision = "fp32" }} to **${acts { precision = "fp32", checkpoint = "full" }}**, and a step computes about a third more.]],
    figure = bars { { "keep all", { precision = "fp32" } }, { "checkpointed", { precision = "fp32", checkpoint = "full" } } },
    sources = { "Chen et al., Training Deep Nets with Sublinear Memory Cost, arXiv:1604.06174" },
  },

  figure {
    id = "ring",
    title = "2017: the ring all-reduce",
    text = [[
Baidu, then Horovod, brought the ring from supercomputers. If one rank collects all gradients and returns their sum, its traffic grows with N. In a ring each rank sends 2 (N − 1)/N × S, which hardly grows: **${sent { precision = "fp32", recipe = "ddp" }}** of fp32 gradients per step on 8 GPUs. Memory is unchanged.]],
    figure = ring({ 2, 8, 64, 512 }),
    sources = {
      "Sergeev and Del Balso, Horovod, arXiv:1802.05799",
      "Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms, J. Parallel Distrib. Comput. 69(2), 2009",
    },
  },

  figure {
    id = "mixed-precision",
    title = "2017: mixed precision",
    text = [[
Compute in 16 bits, update an fp32 master copy. Model states stay at 16 bytes per parameter: 2 + 2 + 4 + 8 instead of 4 + 4 + 8. What halves is **activations** (${acts { precision = "fp32" }} to ${acts {}}) and the gradients that travel.]],
    figure = bars { { "fp32", { precision = "fp32" } }, { "mixed", {} } },
    sources = { "Micikevicius et al., Mixed Precision Training, arXiv:1710.03740" },
  },

  figure {
    id = "model-parallel",
    title = "2018, 2019: cut the model",
    text = [[
GPipe cuts it between layers, Megatron-LM inside each. Each of eight GPUs then holds an eighth of the states. The price: a pipeline has bubbles, tensor parallelism sends activations twice per layer and pass, and someone must rewrite the model.]],
    figure = bars { { "data parallel", {} }, { "8-way tensor", { tp = 8 } }, { "8 stages", { pp = 8, accumulate = 8 } } },
    sources = { "Huang et al., GPipe, arXiv:1811.06965", "Shoeybi et al., Megatron-LM, arXiv:1909.08053" },
  },

  figure {
    id = "zero",
    title = "October 2019: ZeRO",
    text = [[
Data parallelism without copies. Divide optimizer states (stage 1), then gradients (2), then weights (3): ${total { stage = 1 }}, ${total { stage = 2 }}, **${total { stage = 3 }}**. In the paper, stages 1 and 2 send as much as plain data parallelism (${sent {}}), and stage 3 sends 50% more (${sent { stage = 3 }}).]],
    figure = bars { { "stage 0", {} }, { "stage 1", { stage = 1 } }, { "stage 2", { stage = 2 } }, { "stage 3", { stage = 3 } } },
    given = { "50%" },
    sources = { "Rajbhandari, Rasley, Ruwase and He, ZeRO, arXiv:1910.02054, figure 1 and section 7" },
  },

  figure {
    id = "offload",
    title = "January 2021: ZeRO-Offload",
    text = [[
The GPU keeps the 16-bit weights and what it computes; the host keeps the optimizer and runs Adam. One GPU holds ${total { gpus = 1, stage = 2, offload_optimizer = "host", recipe = "deepspeed" }}, its host **${host { gpus = 1, stage = 2, offload_optimizer = "host", recipe = "deepspeed" }}**. Gradients go down and weights come up over PCIe, in every step.]],
    figure = bars { { "one GPU", { gpus = 1, recipe = "deepspeed" } }, { "+ host", { gpus = 1, stage = 2, offload_optimizer = "host", recipe = "deepspeed" } } },
    sources = { "Ren et al., ZeRO-Offload, arXiv:2101.06840", "The recipe is DeepSpeed's" },
  },

  figure {
    id = "infinity",
    title = "April 2021: ZeRO-Infinity",
    text = [[
The next tier down is NVMe: the states stay on the drives, and a GPU reads them just before it uses them. The eight GPUs of a node put ${nvme { stage = 3, offload_optimizer = "nvme", offload_params = "nvme", recipe = "deepspeed" }} there. The limit is no longer memory. It is the bandwidth of the drives.]],
    figure = bars { { "stage 3", { stage = 3, recipe = "deepspeed" } }, { "on NVMe", { stage = 3, offload_optimizer = "nvme", offload_params = "nvme", recipe = "deepspeed" } } },
    sources = { "Rajbhandari et al., ZeRO-Infinity, arXiv:2104.07857", "The recipe is DeepSpeed's" },
  },

  figure {
    id = "fsdp",
    title = "2021, 2022: FSDP",
    text = [[
FairScale, then PyTorch 1.11, built stage 3 into the framework. It wraps a module and turns the module's parameters into one flat tensor, which it cuts into shards. The shards are fp32 and serve as the master copy, too: 4 + 4 + 8 bytes, divided by N. Its total includes memory that comes and goes: gathered units, and gradients that wait to be reduced.]],
    figure = bars { { "ZeRO-3", { stage = 3, recipe = "deepspeed" } }, { "FSDP", { stage = 3, recipe = "fsdp1" } } },
    sources = { "Zhao et al., PyTorch FSDP, arXiv:2304.11277", "pytorch/pytorch, torch/distributed/fsdp/_flat_param.py" },
  },

  figure {
    id = "attention",
    title = "2022: flash attention and selective recomputation",
    text = [[
Both found that the sequence × sequence matrix need not be kept. Activations fall from ${acts {}} to **${acts { flash = "on" }}** with flash attention, to ${acts { checkpoint = "selective" }} with selective recomputation. Selective costs a few percent of time, and flash attention usually saves time.]],
    figure = bars { { "as it was", { stage = 3 } }, { "selective", { stage = 3, checkpoint = "selective" } }, { "flash", { stage = 3, flash = "on" } } },
    sources = { "Dao et al., FlashAttention, arXiv:2205.14135", "Korthikanti et al., Reducing Activation Recomputation, arXiv:2205.05198" },
  },

  figure {
    id = "eight-bits",
    title = "2021, 2022: optimizers in 8 bits",
    text = [[
Moments as 8-bit numbers with a scale for each block: 2 bytes instead of 8 per parameter, and 16 become about 10. It helps on one GPU as on many, and it multiplies with sharding.]],
    figure = bars { { "AdamW", { stage = 2 } }, { "8-bit Adam", { stage = 2, optimizer = "adam8bit" } } },
    sources = { "Dettmers et al., 8-bit Optimizers via Block-wise Quantization, arXiv:2110.02861" },
  },

  figure {
    id = "groups",
    title = "2022, 2023: shard inside a node",
    text = [[
MiCS, then PyTorch's HYBRID_SHARD: shard among the GPUs of a node, and keep one copy per node. On 64 GPUs in eight nodes a rank keeps more, and sends less between nodes: ${between { shard_group = 8, recipe = "paper" }} instead of **${between {}}** a step.]],
    figure = bars { { "over all 64", { stage = 3, gpus = 64, gpus_per_node = 8 } }, { "in each node", { stage = 3, gpus = 64, gpus_per_node = 8, shard_group = 8 } } },
    sources = { "Zhang et al., MiCS, arXiv:2205.00119", "PyTorch documentation, ShardingStrategy.HYBRID_SHARD" },
  },

  figure {
    id = "zero-plus-plus",
    title = "June 2023: ZeRO++",
    text = [[
Gathers in 8 bits, a second 16-bit copy within each node for backward (hpZ), gradients reduced in 4 bits. Between nodes a rank sends **${between { recipe = "deepspeed", hpz = 8, qwz = "on", qgz = "on" }}** a step instead of ${between { recipe = "deepspeed" }}. The price is the second copy, and a little precision.]],
    figure = bars { { "stage 3", { stage = 3, gpus = 64, gpus_per_node = 8, recipe = "deepspeed" } }, { "ZeRO++", { stage = 3, gpus = 64, gpus_per_node = 8, recipe = "deepspeed", hpz = 8, qwz = "on", qgz = "on" } } },
    sources = { "Wang et al., ZeRO++, arXiv:2306.10209", "The recipe is DeepSpeed's" },
  },

  figure {
    id = "fsdp2",
    title = "2024: FSDP2",
    text = [[
FSDP2 gave up the flat tensor. It shards each parameter separately, by rows, as a DTensor. So parts of a unit can have different types or stay frozen, checkpoints are simple, and FSDP2 decides when memory is freed. The states are the same 16Ψ/N. Only the padding and the memory that backward holds for a moment differ.]],
    figure = bars { { "FSDP1", { stage = 3, recipe = "fsdp1" } }, { "FSDP2", { stage = 3, recipe = "fsdp2" } } },
    sources = { "PyTorch documentation, torch.distributed.fsdp.fully_shard", "Liang et al., TorchTitan, arXiv:2410.06511" },
  },

  figure {
    id = "today",
    title = "Today: all of them together",
    text = [[
Large runs combine them: shards inside a node, tensor or context parallelism for what data parallelism cannot divide, a pipeline across nodes, flash attention, checkpointing where it pays. Each is a divisor or a switch in the ledger that you know.]],
    figure = bars {
      { "2016", { precision = "fp32" } },
      { "stage 3, flash", { stage = 3, flash = "on", recipe = "fsdp2" } },
      { "+ checkpointing", { stage = 3, flash = "on", recipe = "fsdp2", checkpoint = "full" } },
      { "+ 2-way tensor", { stage = 3, flash = "on", recipe = "fsdp2", checkpoint = "full", tp = 2 } },
    },
    sources = { "Liang et al., TorchTitan, arXiv:2410.06511, on composing them", "Hugging Face, The Ultra-Scale Playbook, 2025" },
  },

  recap {
    id = "recap",
    text = [[
| year | what | in the ledger |
|:--|:--|:--|
| –2016 | data parallel | everything whole on each GPU |
| 2016 | checkpointing | activations ÷ about the layers, compute × 4/3 |
| 2017 | ring | sends 2 (N − 1)/N × S |
| 2017 | mixed precision | activations ÷ 2 |
| 2018–19 | tensor, pipeline | everything ÷ degree |
| 2019 | ZeRO | states ÷ N, by stages |
| 2021 | Offload, Infinity | states to the host, to NVMe |
| 2022 | FSDP | stage 3, fp32 shards |
| 2022 | flash, selective | no sequence² |
| 2023 | MiCS, hybrid, ZeRO++ | copies per node, fewer bytes between |
| 2024 | FSDP2 | the same, parameter by parameter |]],
    further = {
      "ZeRO: https://arxiv.org/abs/1910.02054",
      "PyTorch FSDP: https://arxiv.org/abs/2304.11277",
      "The Ultra-Scale Playbook: https://huggingface.co/spaces/nanotron/ultrascale-playbook",
    },
  },
}
