return lesson {
  id = "1.1",
  title = "Alpha",
  say { id = "hello", "Good day to you.", briefly = "Hi!", slowly = "Good day. It is to you." },
  myth { id = "ants", title = "Ants in the air", claim = "Ants can fly.", truth = true, because = "Some can." },
  myth { id = "apes", title = "Apes and their eggs", claim = "Apes lay eggs, and they sit on them for all of a long and rainy winter.", truth = false, because = "They do not." },
  say_aloud { id = "explain", title = "Say it aloud", ask = "What is an ant?", points = { "six legs", "a queen", "no wings" }, model = "An insect." },
  recap { id = "end", "Goodbye." },
}
