-- Its problem draws once and then remembers, so the numbers go by what was asked first.
local drawn

return lesson {
  id = "0.2", title = "Remembering",
  say { id = "hello", "Hello." },
  problem { id = "memory", form = "order", vary = function(r)
    drawn = drawn or r:int(1, 1000000)
    return { ask = "Drawn: " .. drawn, items = { "a", "b" }, because = "so" }
  end },
  recap { id = "end", "Goodbye." },
}
