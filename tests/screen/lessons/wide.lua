-- What stands beside a lesson on a wide terminal: a figure of several trainings, terms, and a
-- question with one number.
local function training(stage)
  return { params = 7.5e9, precision = "mixed-bf16", optimizer = "adamw", gpus = 64, stage = stage, recipe = "paper" }
end

local bars = {}
for stage = 0, 3 do bars[stage + 1] = { label = "stage " .. stage, training = training(stage) } end

return lesson {
  id = "9.9",
  title = "What stands beside a lesson",
  revision = 1,

  glossary = {
    { term = "ZeRO", means = "Zero Redundancy Optimizer: ranks divide the states." },
    { term = "rank", means = "One process of a distributed training." },
    { term = "model states", means = "Weights, gradients, master weights and moments." },
    { term = "GiB", means = "2^30 bytes." },
    { term = "paper's count", means = "Bytes as the paper counts them: 31.4 GB of this case." },
  },

  figure { id = "ladder", title = "The ladder", text = "7.5B on 64 ranks, which set nothing to zero. What shrinks at each rung?",
    figure = { kind = "stack", unit = "GB", limit = "80GB", legend = true, bars = bars } },

  figure { id = "who", title = "Who keeps what", text = "Here are the **model\nstates** of ZeRO.",
    figure = { kind = "owners", training = { params = 7.5e9, gpus = 4 }, stages = { 0, 1, 2, 3 } } },

  problem { id = "number", title = "A number", form = "number", about = { "all-sharded" },
    vary = function()
      return { problem = { kind = "bytes", quantity = "model_state", unit = "GB", training = training(1) },
        ask = "By the paper's count, how many GB of model states does a rank keep under stage 1 of ZeRO?" }
    end,
    hints = { "What is divided?", "4 + 12/64." } },

  myth { id = "half", title = "True or false?", claim = "A GiB is less than a GB.", truth = false, because = "It is 2^30 bytes." },

  recap { text = "That was all." },
}
