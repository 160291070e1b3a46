-- A pipeline and tiers of memory to play, and an end.
local case = { model = "llama-2-13b", gpus = 1, stage = 2, gpu = "a100-80g", batch = 4, seq = 2048, checkpoint = "full", recipe = "paper" }

return lesson {
  id = "9.2",
  title = "Plays",

  animate { id = "slots", title = "A pipeline", play = "pipeline",
    ask = "How many slots does the last stage wait?", reveal = "One for each stage before it.",
    notes = { start = "Nothing has begun.", fill = "It fills.", turn = "It turns.", steady = "It is full.", drain = "It drains.", finish = "It is over." },
    text = "Micro-batches pass through the stages, and back." },
  animate { id = "bytes", title = "Tiers", play = "tiers", training = case,
    notes = { start = "Nothing has crossed.", forward = "Forward.", backward = "Backward.", update = "The update.", ["return"] = "Weights come back.", finish = "It is over." },
    text = "One GPU, its host, and NVMe." },
  recap { text = "That was it." },
}
