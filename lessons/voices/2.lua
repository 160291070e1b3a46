-- Two voices, phase 2: see voices/1.lua.

local function xl(more)
  local t = { model = "gpt2-xl", gpus = 8, stage = 3, batch = 8, seq = 1024, precision = "mixed-bf16", flash = "off", dropout = "off", recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end
local function seven(stage, more)
  local t = { model = "llama-2-7b", gpus = 8, stage = stage, batch = 1, seq = 2048, precision = "mixed-bf16", gpu = "a100-80g", recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end
local function acts(more) return engine.gb(engine.activations(xl(more)).highest, 3) end
local shard = engine.shard { elements = 10, ranks = 4, rank = 3 }
local memory, fast, slow = engine.memory(seven(3)), engine.clock(seven(3)), engine.clock(seven(3, { link = "pcie4" }))

return lesson {
  id = "voices-2",
  title = "Two voices: sharding one tensor at a time",
  revision = 1,
  values = {
    acts = acts, shard = shard, states = engine.gb(memory.persistent.total - memory.persistent.framework, 3), gather = engine.gb(memory.highest.gather, 2),
    peak = engine.gb(memory.peak, 3), whole = engine.gb(2 * engine.model("llama-2-7b").params, 3),
    nvlink = engine.rate(engine.link("nvlink3").rate), pcie = engine.rate(engine.link("pcie4").rate),
    fast_comm = engine.seconds(fast.comm), slow_comm = engine.seconds(slow.comm), fast_step = engine.seconds(fast.step), slow_step = engine.seconds(slow.step),
    compute = engine.seconds(fast.forward + fast.backward),
  },

  say { id = "chapters", title = "Who has page nine?", text = [[
**Ruth.** Back to your mechanics. The manual is in eight parts now. How does anybody know who has page nine?

**Omar.** They need no list. The manual is one long strip of paper, and it is cut into equal lengths. Divide page nine by the length of a part, and you know who has it. Every mechanic can work that out alone.

**Ruth.** And if a cut goes through the middle of a drawing?

**Omar.** Then it goes through the middle. The update treats every number alone, so it makes no difference whether the owner of a number also owns its row.

**Ruth.** And if the strip does not divide evenly?

**Omar.** Then the last part gets some blank paper. Ten numbers over four ranks: parts of ${shard.size}, and the last has one number and ${shard.padding} blanks. We count the blanks, for they are allocated.]] },

  say { id = "buckets", title = "Buckets", text = [[
**Ruth.** Gradients. Backward makes them from the last layer to the first. When do they leave?

**Omar.** As they come. But a message has a price of its own, so a rank does not send a thousand small ones. It collects them in a bucket. When the bucket is full, it is reduced while backward goes on.

**Ruth.** Then a larger bucket is better.

**Omar.** Up to a point. A bucket is memory, next to the gradients that filled it. And the last bucket has nothing left to hide behind. Too small, and you pay for each message. Too large, and you pay in memory and at the end.

**Ruth.** And a gradient after its bucket has left?

**Omar.** Under stage 2 it is freed, except for the part that the rank owns. That is the saving: whole gradients never exist together.]] },

  say { id = "one-chapter", title = "One chapter at a time", text = [[
**Ruth.** Stage 3. A rank keeps an eighth of the weights, yet it multiplies with all of them. How?

**Omar.** One chapter at a time. Before the first block runs, all ranks gather it. They compute with it and free it, and so on to the last one. Backward goes the other way and gathers each block again.

**Ruth.** Twice! Why not keep it?

**Omar.** Because kept together they are the whole model, ${whole} for Llama 2 7B. Gathered one at a time, with one ahead, they are ${gather}.

**Ruth.** One ahead?

**Omar.** Prefetch. While block five computes, block six is being gathered. If the gather is faster than the block, no rank waits for it. The price is one more block in memory.

**Ruth.** So what is the peak of Llama 2 7B on eight GPUs, with sequences of two thousand tokens?

**Omar.** ${states} of states that stay, and at the peak ${peak} in total. The rest is activations, and what is gathered.]] },

  say { id = "activations", title = "What no stage divides", text = [[
**Ruth.** You said that no stage divides activations. Why not?

**Omar.** ZeRO removes copies. Activations are no copies: each rank has other text in its batch, so it has other activations. There is nothing to remove.

**Ruth.** How large can they be?

**Omar.** Take GPT-2 XL, with eight sequences of a thousand tokens. A layer keeps what backward needs: the inputs of its multiplications, the attention's matrix, the inputs of its norms. Together ${acts()}. The states of this model are smaller than that.

**Ruth.** And the attention's matrix is the worst?

**Omar.** It grows with the square of the sequence. Flash attention never stores it: then it is ${acts { flash = "on" }}. Full checkpointing keeps only the input of each layer and computes the rest again: ${acts { checkpoint = "full" }}. That costs a third more arithmetic.

**Ruth.** A third of what?

**Omar.** Of a step. Forward is one part, backward is two; checkpointing does forward again. Four parts instead of three.]] },

  say { id = "seconds", title = "Seconds", text = [[
**Ruth.** Bytes are not seconds. How long does all this talking take?

**Omar.** Bytes divided by bandwidth, and a little for each message. Stage 3 of our model over NVLink, at ${nvlink} in each direction: ${fast_comm} per step. Over PCIe, at ${pcie}: ${slow_comm}.

**Ruth.** And the arithmetic?

**Omar.** ${compute}. So over NVLink the talking fits next to the work, and the step takes ${fast_step}. Over PCIe it sticks out, and the step takes ${slow_step}.

**Ruth.** Sticks out?

**Omar.** Exposed is the word. What is hidden behind arithmetic costs nothing. Only what is exposed costs time. So the question is never how many bytes, but how many bytes for how much work. Larger micro-batches give more work for the same bytes.]] },

  recap { id = "in-a-minute", title = "In one minute", text = [[
**Ruth.** In one minute.

**Omar.** A tensor becomes part of a flat buffer, padded and cut into equal shards; anybody can work out who owns what. Gradients leave in buckets during backward. Under stage 3 each block is gathered before it runs, freed after, and gathered again in backward; prefetch hides the wait for one more block of memory. Activations are no copies, so no stage divides them; flash attention and checkpointing shrink them. And time is bytes divided by bandwidth, of which only the exposed part counts.

**Ruth.** What would you measure first?

**Omar.** The peak, against the prediction. Then the exposed time of one step. If both agree with the paper and pencil, I trust the rest.]] },
}
