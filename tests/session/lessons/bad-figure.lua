-- Loads well and looks well; the figure that shows after the guess cannot be drawn.
return lesson {
  id = "1.1", title = "Bytes of a parameter",
  predict {
    id = "guess", "How much?", choices = { "little", "much" }, answer = 2, reveal = "Much.",
    after = { kind = "table", head = { "a", "b" }, rows = { { "one cell" } } },
  },
  recap { id = "end", "Goodbye." },
}
