-- pairs() with an order. Lua's own visits keys in an order that differs from run to run; a lesson must give the same
-- numbers for the same seed on every machine, so here numbers come first, then names, each ascending.

local order = {}

-- The keys of each kind, in whatever order they are.
local function kinds_of(t)
  local numbers, names = {}, {}
  for key in next, t do
    local kind = type(key)
    if kind == "string" then
      names[#names + 1] = key
    elseif kind == "number" then
      numbers[#numbers + 1] = key
    else
      fail("pairs: a key is a " .. kind .. "; only numbers and texts have an order")
    end
  end
  return numbers, names
end

--- The keys of a table, sorted. Keys must be numbers or texts.
function order.keys(t)
  local keys, names = kinds_of(t)
  table.sort(keys)
  table.sort(names)
  return #keys > 0 and table.move(names, 1, #names, #keys + 1, keys) or names
end

--- for key, value in pairs(t): in the order of the keys.
function order.pairs(t)
  if type(t) ~= "table" then fail("pairs needs a table, not a " .. type(t)) end
  local keys, i = order.keys(t), 0
  return function()
    i = i + 1
    local key = keys[i]
    if key ~= nil then return key, t[key] end
  end
end

return order
