-- The terms of the school's course.
return glossary {
  values = { two = engine.gb(2e9) },
  { term = "master weights", lesson = "1.1", means = "the fp32 copy that the optimizer updates", formula = "2Ψ",
    example = "1B weights take ${two}.", see = { "bucket" } },
  { term = "bucket", also = { "box of gradients" }, lesson = "2.1", means = "gradients that travel together" },
}
