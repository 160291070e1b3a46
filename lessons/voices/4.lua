-- Two voices, phase 4: see voices/1.lua.

local function real(stage, more)
  local t = { model = "llama-2-13b", precision = "mixed-bf16", gpus = 8, gpu = "a100-80g", stage = stage, batch = 1, seq = 2048, recipe = "paper" }
  for name, value in pairs(more or {}) do t[name] = value end
  return t
end
local function states(stage) return engine.gb(engine.memory(real(stage)).persistent.total - engine.memory(real(stage)).persistent.framework, 4) end
local function peak(stage, more) return engine.gb(engine.memory(real(stage, more)).peak, 3) end
local function step(stage, more)
  local t = real(stage, { accumulate = 8 })
  for name, value in pairs(more or {}) do t[name] = value end
  return engine.seconds(engine.clock(t).step)
end

return lesson {
  id = "voices-4",
  title = "Two voices: pick a stage and defend it",
  revision = 1,
  values = {
    peak = peak, states = states, step = step, card = engine.card("a100-80g"), small = engine.card("a100-40g"),
    acts = engine.gb(engine.activations(real(2)).highest, 3), full = engine.gb(engine.activations(real(2, { checkpoint = "full" })).highest, 3),
    psi = string.format("%.2f billion", engine.model("llama-2-13b").params / 1e9), pcie = engine.rate(engine.link("pcie4").rate),
    spare = engine.gb(engine.card("a100-80g").usable_bytes - engine.memory(real(2)).peak, 2),
  },

  say { id = "the-bench", title = "Eight benches, one manual", text = [[
**Ruth.** The workshop has eight benches, and tomorrow the heaviest manual so far arrives. You decide how it is divided. What do you want to know?

**Omar.** How heavy it is. How much a bench holds. How wide the doors between the benches are. And how often all must agree.

**Ruth.** In our words: parameters, usable bytes, bandwidth, and updates.

**Omar.** And whose workshop it is, since each keeps other copies.]] },

  say { id = "the-case", title = "The case", text = [[
**Ruth.** Llama 2 with thirteen billion parameters, eight A100s of eighty gibibytes in one server, bf16 with fp32 master weights, AdamW, sequences of two thousand and forty-eight tokens. Go.

**Omar.** ${psi} parameters. Whole, the states are ${states(0)}. A card gives PyTorch ${gb(card.usable_bytes, 3)}. So plain data parallelism is out, and I need no second look.

**Ruth.** Stage 1?

**Omar.** ${states(1)} of states. It looks as if it fits. But activations of one sequence take ${acts}, and context and libraries take their part: the peak is ${peak(1)}. It does not fit as it is. With full checkpointing it is ${peak(1, { checkpoint = "full" })}, and it fits.

**Ruth.** Stage 2?

**Omar.** ${states(2)} of states and a peak of ${peak(2)}. It fits with ${spare} to spare, and without checkpointing.

**Ruth.** Stage 3?

**Omar.** ${states(3)} of states, a peak of ${peak(3)}. Room for larger micro-batches.]] },

  say { id = "the-choice", title = "The choice", text = [[
**Ruth.** So stage 3, as it leaves the most room.

**Omar.** Room is not what we sell. We sell tokens per second. With eight micro-batches per update over NVLink, a step takes ${step(2)} under stage 2 and ${step(3)} under stage 3. Stage 1 must checkpoint, and takes ${step(1, { checkpoint = "full" })}.

**Ruth.** That is closer than I thought.

**Omar.** NVLink hides nearly all the talking. Look what happens over PCIe, at ${pcie}: ${step(1, { checkpoint = "full", link = "pcie4" })} under stage 1, ${step(2, { link = "pcie4" })} under stage 2, ${step(3, { link = "pcie4" })} under stage 3. Stage 3 falls behind, for it gathers in every micro-batch. Stage 2 still wins, since stage 1 pays for its checkpointing.

**Ruth.** So your answer depends on a cable.

**Omar.** Yes. And on the accumulation: stages 2 and 3 talk in every micro-batch, stage 1 once per update. With thirty-two micro-batches over PCIe it is ${step(1, { checkpoint = "full", link = "pcie4", accumulate = 32 })} under stage 1 and ${step(2, { link = "pcie4", accumulate = 32 })} under stage 2. So the memo names the link and the accumulation, each with its figure.]] },

  say { id = "the-objections", title = "Objections", text = [[
**Ruth.** I read that ZeRO-3 needs one eighth of the memory. You say ${peak(3)}, and an eighth of ${states(0)} is less.

**Omar.** An eighth of the *states*, ${states(3)}. The rest is activations, the layers that are gathered just then, and the reserve. Whoever says one eighth counts states alone.

**Ruth.** The committee will ask why you do not offload.

**Omar.** Because it fits without. Offload would send gradients and weights over the slowest link there is, to solve a problem that we do not have.

**Ruth.** And on the cards with forty gibibytes?

**Omar.** Those give ${gb(small.usable_bytes, 3)}. Stage 3 with full checkpointing: ${peak(3, { checkpoint = "full" })}. Nothing else fits. The card decides, not the model.

**Ruth.** Which of your figures are you least sure of?

**Omar.** The step time. Memory I can count to the byte, if I know the recipe. Time depends on how much of the card's arithmetic a real program reaches. So I write down what I assumed, and the memo says what to measure in the first hour.]] },

  say { id = "the-memo", title = "The memo", text = [[
**Ruth.** What stands in the memo?

**Omar.** First the decision, in one sentence, with the stage, the micro-batch and the checkpointing. Then the memory: states, activations, reserve, and the peak against what the card has. Then the traffic and the step time, with the link. Then each alternative, with the one figure that rejects it. Then what would change the decision. And last what we measure in the first hour.

**Ruth.** Why one figure for each alternative?

**Omar.** Because an adjective can be argued with. "Stage 1 is tight" starts a discussion. "Stage 1 peaks at ${peak(1)} and the card has ${gb(card.usable_bytes, 3)}" ends one.]] },

  recap { id = "in-a-minute", title = "In one minute", text = [[
**Ruth.** In one minute, and then I sign.

**Omar.** Thirteen billion parameters on eight A100s: whole it is ${states(0)}, so data parallelism is out. Stage 2 peaks at ${peak(2)} of ${gb(card.usable_bytes, 3)} and needs no checkpointing. Stage 1 fits only checkpointed, stage 3 fits with much room and talks more. Over NVLink stages 2 and 3 take the same time, so I take stage 2, which does not depend on hiding a gather in every layer. Over PCIe stage 3 would be far behind at this micro-batch. On small cards only stage 3 fits. We measure the peak and the exposed time first.

**Ruth.** Signed. And if the measurement disagrees?

**Omar.** Then one of my inputs is wrong, and the ledger shows which.]] },
}
