-- Its problem never comes back with numbers.
return lesson {
  id = "1.1", title = "Bytes of a parameter",
  say { id = "two-bytes", "Hello." },
  problem { id = "ddp-7b", form = "number", vary = function() while true do end end },
  recap { id = "end", "Goodbye." },
}
