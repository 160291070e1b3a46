-- Two voices, phase 3: see voices/1.lua.

local function states(recipe, stage, more)
  local t = { params = 7e9, gpus = 8, stage = stage, precision = "mixed-bf16", optimizer = "adamw", recipe = recipe }
  for name, value in pairs(more or {}) do t[name] = value end
  return engine.gb(engine.solve({ kind = "bytes", quantity = "model_state", unit = "GB", training = t }).value, 4)
end
local one = { model = "llama-2-13b", gpus = 1, stage = 2, batch = 1, seq = 2048, precision = "mixed-bf16", gpu = "a100-80g", recipe = "deepspeed", offload_optimizer = "host" }
local off = engine.memory(one)
local function group(more)
  local t = { model = "llama-2-13b", gpus = 64, gpus_per_node = 8, stage = 3, batch = 1, seq = 2048, precision = "mixed-bf16", gpu = "a100-80g", recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end
local function between(more) return engine.gb(engine.traffic(group(more)).between, 3) end
local function keeps(more)
  local kept = engine.memory(group(more)).persistent
  return engine.gb(kept.total - kept.framework, 3)
end
local fsdp = engine.bytes_per_param { params = 7e9, gpus = 1, stage = 3, precision = "mixed-bf16", optimizer = "adamw", recipe = "fsdp2" }
local zero = engine.bytes_per_param { params = 7e9, gpus = 1, stage = 3, precision = "mixed-bf16", optimizer = "adamw", recipe = "deepspeed" }
local slots = 4

return lesson {
  id = "voices-3",
  title = "Two voices: frameworks, tiers and hybrids",
  revision = 1,
  values = {
    between = between, keeps = keeps, states = states, fsdp = fsdp, zero = zero, slots = slots, bubble = string.format("%d of %d", slots - 1, 8 + slots - 1),
    host = engine.gb(off.host.total, 4), on_gpu = engine.gb(off.peak, 3), alone = engine.gb(engine.ledger { params = 13e9, gpus = 1 }.total, 4),
    pcie = engine.rate(engine.link("pcie4").rate), nvlink = engine.rate(engine.link("nvlink3").rate),
  },

  say { id = "two-workshops", title = "Two workshops, one manual", text = [[
**Ruth.** There are several workshops now. Do they all take the manual apart in the same way?

**Omar.** They all took it apart. But one keeps a clean copy of each page in a drawer, and another writes into the only copy it has. One tears out single pages, another whole chapters. If you ask how heavy a mechanic's bag is, you must first ask which workshop.

**Ruth.** In our words?

**Omar.** A recipe: which copies an implementation keeps, in which precision, and how it cuts them. Every number in this course has one.]] },

  say { id = "dictionary", title = "DeepSpeed and FSDP", text = [[
**Ruth.** FSDP is ZeRO stage 3, then?

**Omar.** By another name, mostly. The full shard of FSDP divides weights, gradients and optimizer states, as stage 3 does. But look at the weights. DeepSpeed keeps ${zero.params} bytes of bf16 and ${zero.master} bytes of master copy. FSDP2 keeps one fp32 copy, ${fsdp.params} bytes, and makes the bf16 one as it gathers.

**Ruth.** So FSDP is smaller.

**Omar.** No: its gradients are ${fsdp.grads} bytes instead of ${zero.grads}. Both come to sixteen. On eight GPUs, seven billion parameters keep ${states("deepspeed", 3)} either way.

**Ruth.** And stage 2?

**Omar.** There they differ. DeepSpeed's stage 2 never cuts weights. The option of FSDP that people call stage 2 cuts them between steps, and keeps them whole from forward until backward is over.

**Ruth.** And Megatron?

**Omar.** Its distributed optimizer is stage 1, and it adds up gradients in fp32. So it keeps ${states("megatron", 1)} where the paper says ${states("paper", 1)}. Neither is wrong. They count different programs.]] },

  say { id = "tiers", title = "Down to the host", text = [[
**Ruth.** I have one GPU and a large computer around it. Thirteen billion parameters.

**Omar.** Sixteen bytes each: ${alone}. The host has that, the GPU has not. So the optimizer's states go to the host, and the host makes the update. The GPU keeps bf16 weights and what it computes. At its peak that is ${on_gpu}. The host keeps ${host}: the states, and the buffers through which they pass.

**Ruth.** And what does it cost?

**Omar.** In every step gradients go down and new weights come up, over PCIe. That link has ${pcie}, a tenth of NVLink's ${nvlink}. And the host's processors run Adam, which is slower than on the GPU.

**Ruth.** When is that a good trade?

**Omar.** When you have more time than GPUs, or so many micro-batches per update that the trip is rare. If a second GPU can be had, it is nearly always better. And one tier further down there is NVMe: more room, and slower still.]] },

  say { id = "hybrids", title = "Hybrids", text = [[
**Ruth.** Now I have sixty-four GPUs in eight nodes. Stage 3 over all of them?

**Omar.** You can. Each keeps ${keeps {}}. But every gather then crosses the network between nodes: ${between {}} per rank and step.

**Ruth.** And the network is slow.

**Omar.** So shard inside each node and keep one copy per node. Gathers stay on NVLink. Only gradients are added up across nodes. A rank keeps ${keeps { shard_group = 8 }}, and sends ${between { shard_group = 8 }} between nodes.

**Ruth.** More memory, less talking. That is your manual again.

**Omar.** It always is. A copy that is near costs memory; a copy that is far costs time.

**Ruth.** And pipelines?

**Omar.** They cut the model between layers. With ${slots} stages and eight micro-batches, ${bubble} slots of each GPU are spent waiting, at the start and at the end: the bubble. And stages 2 and 3 do not go well with it, since each micro-batch would gather and reduce again. Stage 1 does.

**Ruth.** Tensor parallelism?

**Omar.** It cuts inside a layer, and talks inside every layer. So it stays in the node. You take it when one layer does not fit, or when the batch may not grow further.]] },

  say { id = "the-napkin", title = "The napkin", text = [[
**Ruth.** So how do you choose?

**Omar.** I ask in this order. Does it fit whole, with a tenth to spare? Then plain data parallelism. If not: is it activations that do not fit? Then checkpointing or flash attention first, for no stage helps. Is it the states? Then the lowest stage that fits, because the lowest stage sends the least once I accumulate.

**Ruth.** And if only stage 3 fits, and the links are slow?

**Omar.** Then I count the exposed seconds. If they hurt, I shard inside the node. If that does not fit, larger micro-batches with checkpointing, to have more work for the same bytes. Offload comes last.

**Ruth.** Why last?

**Omar.** Because gradients and weights then cross a slow link in every step, and the GPUs wait while the host updates.]] },

  recap { id = "in-a-minute", title = "In one minute", text = [[
**Ruth.** In one minute.

**Omar.** FSDP is stage 3 with fp32 shards and no master copy; both come to sixteen bytes per parameter, divided by the number of GPUs. Always ask whose number it is. Offload keeps states on the host, behind a link ten times slower. Hybrids keep one copy per node, to keep gathers off the network. Pipelines have bubbles, tensor parallelism talks in every layer. And the choice goes from the simplest that fits to the cleverest that pays.

**Ruth.** That is an order I can remember.]] },
}
