-- The lesson that the screen's tests take: every kind of step and every form of answer, the same
-- numbers on every try.
local seven = { params = 7e9, precision = "mixed-bf16", optimizer = "adamw", gpus = 1 }
local states = { kind = "bytes", quantity = "model_state", unit = "GB", training = seven }

local function always(variant)
  return function() return variant end
end

return lesson {
  id = "1.1",
  title = "A sample of everything",
  revision = 1,
  goal = "count the bytes of a parameter, pile by pile",
  shows = "ledger",

  say { id = "read", title = "Something to read", sources = { "A paper, section 3.1" }, [[
The **model states** of a 7B model take `16 B × 7e9`. This paragraph is long enough to be wrapped, on a narrow
screen into many lines and on a wide one into two; prose is never wider than eighty columns.]] },

  say { id = "ledger", title = "A ledger", text = "Four piles:", figure = { kind = "ledger", training = seven, limit = "a100-80g", unit = "GB" } },

  predict { id = "guess", title = "A guess", ask = "How much is it?", choices = { "14 GB", "28 GB", "112 GB" }, answer = 3,
    reveal = "It is 112 GB: there are more piles than one." },

  explore { id = "turn", title = "Sliders", text = "Move them.", training = seven,
    sliders = {
      { field = "params", label = "parameters", start = 2, values = { { value = "1e9", name = "1B" }, { value = "7e9", name = "7B" }, { value = "13e9", name = "13B" } } },
      { field = "precision", label = "precision", values = { { value = "mixed-bf16", name = "mixed" }, { value = "fp32", name = "fp32" } } },
    },
    figure = { kind = "ledger", training = "explore", unit = "GB" },
    try = { "Which pile vanishes in fp32?" } },

  worked { id = "by-hand", title = "By hand", text = "Line by line:", problem = states },

  problem { id = "number", title = "A number", form = "number", about = { "no-master" },
    vary = always { problem = states, ask = "A 7B model. How many GB of model states?" },
    hints = { "Count the bytes.", "2 + 2 + 4 + 8." } },

  problem { id = "sheet", title = "A worksheet", form = "sheet", blank = { "moments", "total" }, about = { "no-master" },
    vary = always { problem = states, ask = "Finish the ledger of a 7B model." }, hints = { "Two averages.", "4 + 4." } },

  problem { id = "choice", title = "A choice", form = "choice",
    vary = always { ask = "Which is *largest*?", choices = {
      { text = "params", right = false, because = "They are 2 bytes." },
      { text = "moments", right = true, because = "They are 8 bytes." },
      { text = "grads", right = false, because = "They are 2 bytes." } } }, hints = { "Adam keeps two." } },

  problem { id = "order", title = "An order", form = "order",
    vary = always { ask = "Put a step in order.", items = { "forward", "backward", "update" }, because = "Gradients come from backward." },
    hints = { "What needs what?" } },

  problem { id = "sort", title = "Bins", form = "sort",
    vary = always { ask = "Where does each lie?", bins = { "params", "optimizer" }, items = {
      { text = "bf16 weights", bin = 1, because = "Forward reads them." },
      { text = "an fp32 copy", bin = 2, because = "The update reads it." } } }, hints = { "Who needs it?" } },

  myth { id = "half", title = "True or false?", claim = "Mixed precision halves the model states.", truth = false, because = "The master copy puts the bytes back." },

  say_aloud { id = "aloud", title = "Say it aloud", ask = "Why does it not fit?", points = { "four piles", "sixteen bytes", "112 GB" }, model = "Because of the four piles." },

  recap { title = "To take away", text = "**16 B × Ψ**." },
}
