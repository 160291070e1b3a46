return lesson {
  id = "1.1", title = "Bytes of a parameter", minutes = 2,
  say { id = "two-bytes" "a comma is missing" "here" },
