-- "0.0": `zerotutor lint --new` wrote this lesson. Rewrite every sentence and keep the shape; lessons/README.md explains each part.
local case = { params = 7e9, precision = "mixed-bf16", optimizer = "adamw", gpus = 1 }

-- A problem with fresh numbers for each try. Give each problem of your own lesson another question.
local function asked(step)
  step.hints = { "What does training keep for each parameter?", "Multiply these bytes by the number of parameters." }
  step.vary = function(r)
    local training = { params = r:pick { 3e9, 7e9, 13e9, 34e9, 70e9 }, precision = "mixed-bf16", gpus = 1 }
    return { problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = training } }
  end
  return problem(step)
end

return lesson {
  id = "0.0", title = "A title that makes a claim", stop = "turn-it",
  values = { kept = engine.ledger(case), each = engine.bytes_per_param(case) }, -- what ${…} sees in the texts below
  predict { id = "first-guess", "How much memory do the model states of a 7B model take?", answer = 2,
    choices = { "${gb(kept.params)}, for the weights", "${gb(kept.total)}, for the weights and more" },
    reveal = "Training keeps ${each.total} bytes for each parameter, so it keeps ${gb(kept.total)}." },
  say { id = "the-idea", "The weights take ${gb(kept.params)}, and the optimizer keeps ${gb(kept.master + kept.moments)} more.",
    figure = { kind = "ledger", training = case } },
  worked { id = "by-hand", "A 7B model on one GPU, line by line.", problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = case } },
  asked { id = "last-line", form = "sheet", blank = { "total" }, about = { "no-master" }, ask = "${A params} model in ${precision}. Add up the last line." },
  explore { id = "turn-it", "Change the size of the model.", training = case, try = { "Which category grows fastest?" },
    sliders = { { field = "params", values = { { 3e9, name = "3B" }, { 7e9, name = "7B" }, { 13e9, name = "13B" } } } },
    figure = { kind = "ledger", training = "explore" } },
  asked { id = "total", form = "number", about = { "no-grads", "weights-only" }, ask = "How many ${unit} of model states does ${a params} model keep in ${precision}?" },
  asked { id = "each-line", form = "sheet", about = { "no-master" }, ask = "${A params} model in ${precision}. Write down every line." },
  asked { id = "later-1", form = "number", review = true, ask = "${A params} model in ${precision}. How many ${unit} of model states?" },
  asked { id = "later-2", form = "number", review = true, ask = "One GPU trains ${a params} model in ${precision}. How many ${unit} does it keep?" },
  asked { id = "later-3", form = "sheet", review = true, ask = "What does one GPU keep of ${a params} model in ${precision}?" },
  myth { id = "a-myth", title = "Only the weights", "Training keeps only the weights.", truth = false, because = "The weights are ${each.params} of ${each.total} bytes." },
  say_aloud { id = "explain-it", title = "Aloud: what training keeps", "Explain to a colleague what training keeps.", points = { "weights", "gradients", "optimizer states" } },
  cards { id = "cards", { id = "card-1", front = "Bytes of a weight?", back = "${each.params}" }, { id = "card-2", front = "Of a gradient?", back = "${each.grads}" },
    { id = "card-3", front = "Of a master weight?", back = "${each.master}" }, { id = "card-4", front = "Of Adam's moments?", back = "${each.moments}" },
    { id = "card-5", front = "In total?", back = "${each.total}" } },
  recap { "A 7B model keeps ${gb(kept.total)} of model states.", further = { "The ZeRO paper: https://arxiv.org/abs/1910.02054" } },
}
