-- A lesson of tests: of its problems the first choice is always the right one, and the ask tells
-- which draw it is.
local function pick(name)
  return function(r)
    return { ask = name .. ", draw " .. r:int(1, 1000) .. "?", choices = {
      { "this", right = true, because = "it is" },
      { "that", because = "it is not" },
    } }
  end
end

return lesson {
  id = "3.1", title = "Delta",
  say { id = "hello", "Hello." },
  problem { id = "date", form = "choice", vary = pick("date"), review = true },
  problem { id = "damson", form = "choice", vary = pick("damson") },
  recap { id = "end", "Goodbye." },
}
