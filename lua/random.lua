-- The random source `r` that vary is given. Its numbers come from the seed of the try, so the same try has the same
-- numbers on every machine and for ever. A lesson has no other source.

local random = {}
random.__index = random

--- A source over draw(n), which gives a whole number from 1 to n.
function random.new(draw)
  return seal(setmetatable({ draw = draw }, random))
end

local function check_list(list, what)
  if type(list) ~= "table" or #list == 0 then fail(what .. " needs a list that is not empty") end
end

--- r:int(a, b): a whole number from a to b.
function random:int(a, b)
  if math.type(a) ~= "integer" or math.type(b) ~= "integer" or a > b then
    fail("r:int needs two whole numbers, the smaller first, as in r:int(1, 6)")
  end
  return a - 1 + self.draw(b - a + 1)
end

--- r:pick { 7e9, 13e9, 70e9 }: one of a list.
function random:pick(list)
  check_list(list, "r:pick")
  return list[self.draw(#list)]
end

--- r:shuffle { "a", "b", "c" }: a new list, the same things in another order.
function random:shuffle(list)
  check_list(list, "r:shuffle")
  local out = table.move(list, 1, #list, 1, {})
  for i = #out, 2, -1 do
    local j = self.draw(i)
    out[i], out[j] = out[j], out[i]
  end
  return out
end

--- r:chance(0.3): true three times in ten.
function random:chance(p)
  if type(p) ~= "number" or p < 0 or p > 1 then fail("r:chance needs a number from 0 to 1") end
  return self.draw(2 ^ 53 // 1 | 0) <= p * 2 ^ 53
end

return random
