-- Two voices, phase 1. Ruth reviews a plan, Omar owns it. A paragraph that begins with a name in bold is what that one says; read
-- aloud it takes six to eight minutes. It repeats phase 1, and asks nothing.

local function training(stage, params, gpus, more)
  local t = { params = params or 7e9, gpus = gpus or 8, stage = stage, precision = "mixed-bf16", optimizer = "adamw", recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end
local function kept(...) return engine.gb(engine.ledger(training(...)).total, 4) end
local function sent(...) return engine.gb(engine.traffic(training(...)).total, 4) end
local whole, each = engine.ledger(training(0)), engine.bytes_per_param(training(0))

return lesson {
  id = "voices-1",
  title = "Two voices: where GPU memory goes",
  revision = 1,
  values = { each = each, kept = kept, sent = sent, whole = whole, card = engine.card("a100-80g"),
    floor = engine.gb(whole.params + whole.grads), steps = sent(2, 7e9, 8, { accumulate = 4 }) },

  say { id = "the-manual", title = "A heavy manual", text = [[
**Ruth.** Before you show me your numbers, tell me the problem, as you would tell a colleague who has never seen a GPU.

**Omar.** Eight mechanics work from the same manual, and it is heavy. Each carries a whole copy, because that is simple. No mechanic ever has to ask another. But the manual grew, and now one mechanic cannot lift it.

**Ruth.** Then give them stronger arms.

**Omar.** That is a larger card. It helps until the next edition. The other way is to notice that they carry eight copies of one book. Take one copy apart, let each carry an eighth, and whoever needs a page gets it from the one who has it.

**Ruth.** So they carry less, and talk more.

**Omar.** That is the whole of it. All that follows says how much less, and how much more.]] },

  say { id = "what-is-carried", title = "What is carried", text = [[
**Ruth.** How heavy is a model with seven billion parameters?

**Omar.** In bf16 a parameter takes ${each.params} bytes, so the weights take ${gb(whole.params)}. That is what you load from a file, and what everybody thinks of first.

**Ruth.** And it does not train in ${gb(whole.params)}.

**Omar.** No. Training keeps three more piles. Backward makes a gradient for each parameter: ${each.grads} more bytes. Adam remembers two averages of each gradient, and keeps them in fp32: ${each.moments} bytes. And the optimizer updates an fp32 copy of the weights, the master weights: ${each.master} bytes.

**Ruth.** Why a copy? You have the weights already.

**Omar.** Because a step is small. bf16 has about three decimal digits. If you add a millionth to one, in bf16 you still have one. In fp32 the millionths add up, and once in a while the bf16 weight moves.

**Ruth.** Then add it up for me.

**Omar.** ${each.params} and ${each.grads} and ${each.master} and ${each.moments} make ${each.total} bytes per parameter. Seven billion times ${each.total} is ${gb(whole.total)}. The card has ${gb(card.label_bytes)}. It does not fit, and no activation has been stored yet.]] },

  say { id = "more-cards", title = "More cards do not help", text = [[
**Ruth.** You have eight cards. Is that not enough?

**Omar.** Not with plain data parallelism. Each of the eight keeps all ${gb(whole.total)}. They share the work, not the memory.

**Ruth.** What do they say to each other?

**Omar.** Once per step they add up their gradients: an all-reduce. Afterwards all have the same sum, make the same update, and so all keep the same weights. Eight times the same arithmetic on eight copies of the same optimizer. That is the waste that ZeRO removes.

**Ruth.** Zero as in nothing?

**Omar.** As in zero redundancy. The name says what it takes away: the copies.]] },

  say { id = "three-cuts", title = "Three cuts", text = [[
**Ruth.** Which copy do you take away first?

**Omar.** The one that no mechanic reads while working. The master weights and the moments are needed only in the update. ${each.master + each.moments} of ${each.total} bytes. Each rank updates one eighth of the parameters, keeps the optimizer's states for that eighth alone, and sends the others its new weights. That is stage 1.

**Ruth.** What is left?

**Omar.** ${kept(1)} instead of ${gb(whole.total)}.

**Ruth.** And stage 2?

**Omar.** If I update only my eighth, I need only the gradients of my eighth. The other sums can go to their owners as soon as they are made. Now it is ${kept(2)}.

**Ruth.** That is one quarter of what you had.

**Omar.** A little less. And it does not fall below ${gb(whole.params)}, whatever the number of GPUs, since the weights stay whole. For that there is stage 3: also the weights are cut. Each layer is collected just before it runs, and thrown away after. ${kept(3)}. Only stage 3 divides everything by the number of GPUs.

**Ruth.** Can I have stage 3 without stage 1? Cut the weights alone?

**Omar.** You could write it. It would save ${each.params} bytes of ${each.total} and cost the most talking. The stages are in this order because the first cut is the largest and the cheapest.]] },

  say { id = "the-price", title = "The price", text = [[
**Ruth.** Now the talking. I do not believe in free savings.

**Omar.** Nor do I. An all-reduce is two steps. In the first, each rank ends up with the sum of one eighth: a reduce-scatter. In the second, these eighths go round until all have all: an all-gather. In a ring, a rank sends seven eighths of the array in each.

**Ruth.** So plain data parallelism sends twice seven eighths of ${gb(whole.grads)}.

**Omar.** ${sent(0)} per step. Now look at stage 2. It needs the sums only at their owners: a reduce-scatter of the gradients. Then the owners update, and all need the new weights: an all-gather of the weights. The weights are as large as the gradients. The same two halves: ${sent(2)}.

**Ruth.** So stages 1 and 2 cost nothing more. Says who?

**Omar.** The paper's algorithm, with one update per backward. DeepSpeed's default all-reduces its buckets at these stages and sends 50% more. And if you accumulate gradients over four micro-batches, stage 2 must send its gradients four times, because it has no place to keep whole ones. Then it is ${steps}, and stage 1 is better.

**Ruth.** And stage 3?

**Omar.** It gathers the weights twice, once for forward and once for backward, and reduces the gradients: three instead of two. ${sent(3)}.]] },

  recap { id = "in-a-minute", title = "In one minute", text = [[
**Ruth.** In one minute, for my manager.

**Omar.** Training keeps ${each.total} bytes per parameter: weights, gradients, master weights, and two moments. Plain data parallelism keeps all of them on every GPU, so more GPUs save nothing. Stage 1 cuts what the optimizer keeps, stage 2 also the gradients, stage 3 also the weights. For our model on eight GPUs that is ${gb(whole.total)}, then ${kept(1)}, ${kept(2)}, and ${kept(3)}. The first two can be had for the same traffic; the third costs 50% more.

**Ruth.** And what would change your mind?

**Omar.** Slow links, many micro-batches per step, or activations that do not fit: no stage divides those. They come next.]] },
}
