-- A lesson of every kind of step, as short as they get.
local function ask(r)
  local params = r:pick { 7e9, 13e9, 70e9 }
  return { problem = { kind = "bytes", training = { params = params, gpus = r:int(1, 8) }, quantity = "model_state", unit = "GB" } }
end

return lesson {
  id = "0.1", title = "Small",
  glossary = { { term = "Ψ", means = "how many parameters a model has" } },

  predict { id = "guess", "How much?", choices = { "little", "much" }, answer = 2, reveal = "Much." },
  say { id = "two-bytes", title = "Two bytes", sources = { "ZeRO, arXiv:1910.02054, section 3.1" }, [[
    A parameter in bf16 takes **two bytes**.

        2 B × Ψ

    That is not all.
  ]] },
  explore {
    id = "move", "Move it.", training = {},
    sliders = { { field = "params", label = "model", values = { { 7e9, name = "7B" }, { value = "13e9", name = "13B" } } } },
    figure = { kind = "ledger", training = "explore" }, try = { "Double it." },
  },
  problem { id = "ddp-7b", form = "number", ask = "${params} on ${gpus} GPUs, in ${unit}?", vary = ask, hints = { "Count." } },
  problem { id = "which", form = "choice", vary = function(r)
    return { ask = "Which?", choices = r:shuffle { { "this", right = true, because = "it is" }, { "that", because = "it is not" } } }
  end },
  problem { id = "in-order", form = "order", vary = function()
    return { ask = "Order them.", items = { "first", "second" }, because = "so it is" }
  end },
  problem { id = "bins", form = "sort", vary = function()
    return { ask = "Sort them.", bins = { "a", "b" }, items = { { "x", bin = 1, because = "x" }, { "y", bin = 2, because = "y" } } }
  end },
  animate { id = "ring", play = "ring-all-reduce", options = { ranks = 8 }, notes = { turn = "Now copies." }, [[ Watch it. ]] },
  lab { id = "ladder", lab = "stage-ladder", "Four stages." },
  lab { id = "weigh", lab = "first-weighing", "Weigh it.", ask = "Which?", choices = { "this", "that" }, answer = 2,
    question = "And mixed?", problem = { kind = "bytes", quantity = "model_state", unit = "MB", training = { params = "measured" } } },
  myth { id = "all-gone", "It all goes away.", truth = false, because = "It does not." },
  say_aloud { id = "aloud", "Say why.", points = { "one", "two", "three" } },
  cards { id = "deck", { id = "card-1", front = "2 B?", back = "bf16" } },
  recap { "That was it." },
}
