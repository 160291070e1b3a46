-- A lesson of two steps, for the end of a lesson and for a second line on the home screen.
return lesson {
  id = "1.2",
  title = "Two steps and an end, with a title that is too long for a narrow screen",
  revision = 1,
  say { id = "only", title = "The only step", text = "Nothing is asked here." },
  recap { text = "That was all." },
}
