return lesson {
  id = "9.9", title = "Another", minutes = 1,
  say { id = "two-bytes", "Hello." },
  recap { id = "end", "Goodbye." },
}
