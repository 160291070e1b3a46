return lesson {
  id = "9.9", title = "Another",
  say { id = "two-bytes", "Hello." },
  say { id = "four-bytes", "And four." },
  recap { id = "end", "Goodbye." },
}
