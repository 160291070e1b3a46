-- Asks for a lab that there is not.
return lesson {
  id = "3.2",
  title = "No lab",
  lab { id = "ladder", lab = "snakes-and-ladders", text = "Four stages." },
  recap { text = "Over." },
}
