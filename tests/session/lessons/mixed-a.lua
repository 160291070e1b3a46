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
  id = "1.1", title = "Alpha",
  say { id = "hello", "Hello." },
  problem { id = "ash", form = "choice", vary = pick("ash") },
  problem { id = "asp", form = "choice", vary = pick("asp") },
  problem { id = "alder", form = "choice", vary = pick("alder") },
  problem { id = "apple", form = "choice", vary = pick("apple") },
  problem { id = "acorn", form = "choice", vary = pick("acorn"), review = true },
  problem { id = "aspen", form = "choice", vary = pick("aspen"), review = true },
  recap { id = "end", "Goodbye." },
}
