-- One step of each kind, small, for the handout's golden text.
local case = { params = 7e9, precision = "mixed-bf16", optimizer = "adamw", gpus = 8, stage = 1 }

return lesson {
  id = "9.9", title = "All kinds & <more>", revision = 1,
  glossary = { { term = "shard", means = "An Nth of an array, a | b." } },
  predict {
    id = "first", title = "Before you start", ask = "How much is *it*?", choices = { "little", "much" }, answer = 2,
    reveal = "Much, since there is a lot.", after = { kind = "table", head = { "what", "how much" }, rows = { { "it", "1" } }, align = "lr" },
  },
  say { id = "words", title = "In words", "Say `this < that`, and\n\n- one\n- **two**", briefly = "This, one, **two**.", slowly = "Say this. It is less than that. There is one. There are two.", sources = { "A paper, 2020", "another one" } },
  figure { id = "ladder", title = "A ladder", text = "Look.", figure = { kind = "ledger", training = case, unit = "GB" } },
  animate {
    id = "ring", title = "Round", play = "ring-all-gather", options = { ranks = 2 },
    notes = { start = "Each has its own.", gather = "Copied.", finish = "All have all." }, [[Count.]],
  },
  read {
    id = "code", title = "The same in code", file = "src/lab/partition.c", mark = "shards",
    notes = { { "size_t count", "Rounded up." }, { "out->shards", "Padded, and counted.", span = 2 } },
    "Read.", ask = "What is half of 3?", reveal = "2: it is rounded up.",
  },
  worked {
    id = "shown", title = "By hand", text = "7B on 8 GPUs.",
    problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = case }, notes = { params = "Whole.", total = "Not an eighth." },
  },
  problem {
    id = "lines", title = "Your turn", form = "sheet", blank = { "moments", "total" }, about = { "no-master" },
    vary = function(r)
      return {
        problem = { kind = "bytes", quantity = "model_state", unit = "GB",
                    training = { params = r:pick { 3e9, 13e9, 20e9 }, precision = "mixed-bf16", optimizer = "adamw", gpus = 4, stage = 1 } },
        ask = "${A params} model on ${gpus} GPUs?",
      }
    end,
    hints = { "One.", "Two." },
  },
  problem {
    id = "number", title = "In one go", form = "number", about = { "no-master" },
    vary = function(r)
      return {
        problem = { kind = "bytes", quantity = "model_state", unit = "GB",
                    training = { params = r:pick { 3e9, 13e9, 20e9 }, precision = "mixed-bf16", optimizer = "adamw", gpus = 1 } },
        ask = "${A params} model on one GPU?",
      }
    end,
    hints = { "One.", "Two." },
  },
  problem {
    id = "which", title = "Which?", form = "choice",
    vary = function(r)
      return { ask = "Which of " .. r:pick { "these", "those" } .. "?",
               choices = { { text = "this", because = "no" }, { text = "that", right = true, because = "it is" } } }
    end,
    hints = { "One.", "Two." },
  },
  problem {
    id = "row", title = "In order", form = "order",
    vary = function(r) return { ask = "Order " .. r:int(1, 9) .. ".", items = { "first", "second", "third" }, because = "So it goes." } end,
    hints = { "One.", "Two." },
  },
  problem {
    id = "bins", title = "Into bins", form = "sort", review = true,
    vary = function(r)
      return { ask = "Sort.", bins = { "odd", "even" },
               items = r:shuffle { { text = "1 | 1", bin = 1, because = "it is odd" }, { text = "2", bin = 2, because = "it is even" } } }
    end,
    hints = { "One.", "Two." },
  },
  explore {
    id = "turn", title = "Turn it", text = "What changes?", training = case,
    sliders = { { field = "stage", label = "stage", start = 2, values = { { value = 0, name = "none" }, { value = 1, name = "one" } } } },
    figure = { kind = "ledger", training = "explore", unit = "GB" }, try = { "Stage 0: what grows?" },
  },
  lab {
    id = "weigh", title = "On the scales", lab = "first-weighing", text = "Weigh it.", ask = "Heavy?", choices = { "yes", "no" }, answer = 1,
    reveal = "It is heavy.", question = "How many MB?",
    problem = { kind = "bytes", quantity = "model_state", unit = "MB", training = { params = "measured", precision = "fp32", gpus = 1 } },
  },
  myth { id = "myth", title = "True or false?", claim = "It is light.", truth = false, because = "It is heavy.", sources = { "the scales" } },
  say_aloud { id = "aloud", title = "Say it aloud", ask = "Why?", points = { "one", "two", "three" }, model = "Because." },
  cards { id = "cards", cards = { { id = "a-card", front = "Front?", back = "Back." } } },
  recap { id = "recap", title = "To take away", text = "It was heavy.", further = { "More: https://example.org/more" } },
}
