-- A lesson with a memo, for looking at it and pressing its keys.
return lesson {
  id = "memo",
  title = "A memo",
  say { id = "before", title = "Before", [[It is written once the numbers are known.]] },
  memo { id = "capstone", title = "The memo", [[Write what your lead would sign.]] },
  recap { [[It was written.]] },
}
