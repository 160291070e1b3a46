-- A ring to step through, a lab with a question, and an end.
return lesson {
  id = "9.1",
  title = "Labs",

  animate { id = "ring", title = "A ring", play = "ring-all-reduce",
    ask = "How many hops until a chunk is finished?", reveal = "Each hop adds one share.",
    notes = { start = "Each rank has its own numbers.", reduce = "What comes is added.", turn = "One chunk of each rank is finished.", gather = "The finished ones go round.", finish = "Everybody has everything." },
    text = "Four ranks, four chunks each." },
  lab { id = "weigh", title = "Weigh it", lab = "first-weighing", text = "One rank weighs itself.",
    ask = "What is largest?", choices = { "the weights", "the moments" }, answer = 2, reveal = "The moments.",
    question = "And in mixed precision?",
    problem = { kind = "bytes", quantity = "model_state", unit = "MB", training = { params = "measured", precision = "mixed-bf16" } } },
  recap { text = "That was it." },
}
