return lesson {
  id = "1.1", title = "Bytes of a parameter",
  say { id = "two-bytes" "a comma is missing" "here" },
