-- A slider of stages, whose shards fly apart, and an end.
return lesson {
  id = "9.3",
  title = "Stages",

  explore { id = "climb", title = "Climb", text = "Move the stage.",
    training = { params = 7.5e9, gpus = 8, stage = 0, precision = "mixed-bf16", optimizer = "adamw", recipe = "paper" },
    sliders = { { field = "stage", label = "stage", start = 1, values = { { value = 0, name = "0" }, { value = 1, name = "1" }, { value = 2, name = "2" }, { value = 3, name = "3" } } } },
    figure = { kind = "ledger", training = "explore", limit = "80GB", unit = "GB" },
    try = { "Which stage fits first?" } },
  recap { text = "That was it." },
}
