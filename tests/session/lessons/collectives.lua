-- The lab that times collectives, as lesson 2.5 has it.
return lesson {
  id = "3.2",
  title = "Collectives",
  lab {
    id = "here", lab = "measure-collectives", text = "Four ranks time each collective alone.",
    question = "How many ms does an all-reduce of **32 MB** take on these four ranks, over 200 MB/s?",
    problem = { kind = "seconds", quantity = "all_reduce", budget = "32MB", unit = "ms", training = { gpus = 4, link = "200MB/s" } },
    given = { "200 MB/s" },
  },
  recap { text = "Over." },
}
