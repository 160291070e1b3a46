return lesson {
  id = "9.1", title = "Read",
  read { id = "code", file = "src/x.c", mark = "part", notes = { { "int b", "The second." } }, "Look." },
  recap { id = "end", "Goodbye." },
}
