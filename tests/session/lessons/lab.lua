-- A lab with nothing of its own but a text: it asks what the table of labs asks. And a ring.
return lesson {
  id = "3.1",
  title = "A lab",
  animate { id = "ring", play = "ring-all-reduce", options = { ranks = 3 }, text = "Watch." },
  lab { id = "ladder", lab = "stage-ladder", text = "Four stages." },
  recap { text = "Over." },
}
