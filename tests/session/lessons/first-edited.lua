-- A small lesson whose numbers never change, so that what comes of an answer can be written down.
local function ddp()
  return {
    ask = "How many ${unit} for ${params} parameters?",
    problem = { kind = "bytes", training = { params = 7e9, gpus = 8 }, quantity = "model_state", unit = "GB" },
  }
end

return lesson {
  id = "1.1", title = "Bytes of a parameter",
  say { id = "two-bytes", title = "Two bytes", sources = { "Micikevicius et al., arXiv:1710.03740, section 3" }, [[A parameter in bf16 takes **two bytes**. A mouse takes less.]] },
  problem { id = "ddp-7b", form = "number", vary = ddp, hints = { "Count the copies.", "There are four." } },
  cards { id = "deck", { id = "card-1", front = "2 B?", back = "bf16" } },
  problem { id = "sheet-7b", form = "sheet", vary = ddp, blank = { "moments", "total" } },
  problem { id = "which", form = "choice", vary = function()
    return { ask = "Which is larger?", choices = {
      { "the moments", right = true, because = "8 bytes a parameter" },
      { "the gradients", because = "2 bytes a parameter" },
    } }
  end },
  explore {
    id = "move", "Move the count.", training = { gpus = 8 },
    sliders = { { field = "params", label = "model", values = { { value = "7e9", name = "7B" }, { value = "13e9", name = "13B" } } } },
    figure = { kind = "ledger", training = "explore" },
  },
  recap { id = "end", [[That was all. Note that in this small lesson nothing is lost when the counter in the corner overflows, as counters do, and that a recap may be longer than a line.]] },
}
