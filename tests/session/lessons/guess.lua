-- A guess among options, and the end.
return lesson {
  id = "3.2",
  title = "A guess",
  predict { id = "guess", ask = "How much is it?", choices = { "14 GB", "28 GB", "112 GB" }, answer = 3, reveal = "There are more piles than one." },
  recap { text = "Over." },
}
