-- The language lessons are written in. This file says which names a lesson sees, and what becomes of what it returns.
-- Read it first; then steps.lua (what each kind of step holds) and vary.lua (what vary may return).

local order = import "order"
local steps = import "steps"
local lesson = import "lesson"
local book = import "book"

local names = {
  lesson = lesson.make,
  glossary = book.glossary,
  questions = book.questions,
  fill = function() fail("fill was removed: write ${gb(kept.total)} in the text, and set values = { kept = … } in the lesson or in the table that vary returns") end,
  engine = engine,
  pairs = order.pairs,
}
for kind, constructor in order.pairs(steps.constructors) do
  names[kind] = constructor
end

-- What a file returned, if it is a lesson or a book.
local function finish(value)
  return book.is_book(value) and value or lesson.finish(value)
end

return { names = names, finish = finish }
