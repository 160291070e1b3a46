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
  id = "2.1", title = "Gamma",
  say { id = "hello", "Hello." },
  problem { id = "cedar", form = "choice", vary = pick("cedar") },
  problem { id = "cherry", form = "choice", vary = pick("cherry") },
  problem { id = "cypress", form = "choice", vary = pick("cypress") },
  problem { id = "cork", form = "choice", vary = pick("cork") },
  problem { id = "chestnut", form = "choice", vary = pick("chestnut") },
  problem { id = "citron", form = "choice", vary = pick("citron") },
  problem { id = "clove", form = "choice", vary = pick("clove") },
  recap { id = "end", "Goodbye." },
}
