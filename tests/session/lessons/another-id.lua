return lesson {
  id = "9.9", title = "Another", minutes = 1,
  say { id = "two-bytes", "Hello." },
  say { id = "four-bytes", "And four." },
  recap { id = "end", "Goodbye." },
}
