-- A lesson that asks for a memo and nothing else, in the place of the second.
return lesson {
  id = "2.1", title = "A memo",
  say { id = "hello", "It is written once the numbers are known." },
  memo { id = "capstone", title = "The memo", "Write what your lead would sign." },
  recap { id = "end", "Goodbye." },
}
