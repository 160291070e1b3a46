-- The language lessons are written in. This file says which names a lesson sees, and what becomes of what it returns.
-- Read it first; then steps.lua (what each kind of step holds) and vary.lua (what vary may return).

local order = import "order"
local steps = import "steps"
local lesson = import "lesson"

local names = {
  lesson = lesson.make,
  fill = function() fail("fill was removed: write ${gb(kept.total)} in the text, and set values = { kept = … } in the lesson or in the table that vary returns") end,
  engine = engine,
  pairs = order.pairs,
}
for kind, constructor in order.pairs(steps.constructors) do
  names[kind] = constructor
end

return { names = names, finish = lesson.finish }
