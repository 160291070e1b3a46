-- Every play that the engine has, a step each.
local steps = {
  id = "9.3",
  title = "Every play",
}
for _, play in ipairs {
  "ring-reduce-scatter", "ring-all-gather", "ring-all-reduce", "tree-all-reduce", "flat-buffer",
  "buckets", "gather-use-free", "pipeline", "tiers", "tensor-layer", "experts",
} do
  steps[#steps + 1] = animate { id = play, title = play, play = play, text = "Played." }
end
steps[#steps + 1] = recap { text = "That was it." }
return lesson(steps)
