-- Its problem goes by how often it was asked, so a try that is left half done comes back with other
-- numbers.
local asked = 0

return lesson {
  id = "0.1", title = "Counting",
  say { id = "hello", "Hello." },
  problem { id = "count", form = "order", vary = function()
    asked = asked + 1
    return { ask = "Asked " .. asked .. " times.", items = { "a", "b" }, because = "so" }
  end },
  recap { id = "end", "Goodbye." },
}
