return lesson {
  id = "1.2",
  title = "Beta",
  say { id = "hello", "Hello." },
  myth { id = "bats", title = "Bats and birds", claim = "Bats are birds.", truth = false, because = "They are not." },
  recap { id = "end", "Goodbye." },
}
