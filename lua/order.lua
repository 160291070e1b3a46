-- pairs() with an order. Lua's own visits keys in an order that differs from run to run; a lesson must give the same
-- numbers for the same seed on every machine, so here numbers come first, then names, each ascending.

local order = {}

local function before(a, b)
  if type(a) == type(b) then return a < b end
  return type(a) == "number"
end

--- The keys of a table, sorted. Keys must be numbers or texts.
function order.keys(t)
  local keys = {}
  for key in next, t do
    if type(key) ~= "number" and type(key) ~= "string" then
      fail("pairs: a key is a " .. type(key) .. "; only numbers and texts have an order")
    end
    keys[#keys + 1] = key
  end
  table.sort(keys, before)
  return keys
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
