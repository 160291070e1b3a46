-- Asks for a lab that there is not.
return lesson {
  id = "3.2",
  title = "No lab",
  minutes = 1,
  lab { id = "ladder", lab = "snakes-and-ladders", text = "Four stages." },
  recap { text = "Over." },
}
