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
  id = "1.2", title = "Beta",
  say { id = "hello", "Hello." },
  problem { id = "beech", form = "choice", vary = pick("beech") },
  problem { id = "birch", form = "choice", vary = pick("birch") },
  problem { id = "box", form = "choice", vary = pick("box"), review = true },
  problem { id = "bay", form = "choice", vary = pick("bay") },
  problem { id = "briar", form = "choice", vary = pick("briar") },
  problem { id = "balsa", form = "choice", vary = pick("balsa") },
  recap { id = "end", "Goodbye." },
}
