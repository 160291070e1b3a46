return lesson {
  id = "2.1",
  title = "Gamma",
  say { id = "hello", "Hello." },
  myth { id = "cats", title = "What cats do", claim = "Cats purr.", truth = true, because = "They do." },
  say_aloud { id = "explain", title = "Say it aloud", ask = "What is a cat?", points = { "four legs", "fur", "purrs" } },
  recap { id = "end", "Goodbye." },
}
