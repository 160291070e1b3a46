-- The books next to the lessons: glossary { … } and questions { … }. Each is a file that returns a list of entries, whose texts
-- are filled by the engine as those of a lesson are.

local check = import "check"
local order = import "order"
local text = import "text"

local book = {}
local made = {}
local md = check.markdown

local term = check.record {
  term = { md, true },
  also = { check.list(md, 1) },    -- other words for it in texts: "DDP"
  short = { check.list(md, 1) },   -- what texts call it once they have named it in full: "stage"
  lesson = { check.number, true }, -- which teaches it
  step = { check.id },             -- of that lesson, which defines it; its first step without
  means = { md, true },
  formula = { md },
  example = { md },                -- the formula with numbers of the engine
  see = { check.list(md, 1) },     -- other terms
}
local question = check.record {
  id = { check.id, true },
  ask = { md, true },
  answer = { md, true },
  figure = { check.figure, true },
  lesson = { check.number, true },
  step = { check.id, true },       -- of that lesson, where it is taught
  given = { check.list(md) },      -- numbers of its text that are assumed, as in a lesson
}

-- A related term must be one of the file.
local function check_related(list, at)
  local known = {}
  for _, t in ipairs(list) do known[t.term] = true end
  for _, t in ipairs(list) do
    for _, other in ipairs(t.see or {}) do
      if not known[other] then fail("the term '" .. t.term .. "' refers to '" .. other .. "', which is no term", at) end
    end
  end
end

-- Each name once.
local function check_once(list, name, at)
  local seen = {}
  for _, entry in ipairs(list) do
    if seen[entry[name]] then fail("'" .. entry[name] .. "' is there twice", at) end
    seen[entry[name]] = true
  end
end

local function constructor(kind, field, read, name, also)
  return function(t)
    local at = line()
    if type(t) ~= "table" then fail(kind .. " takes a table, as in " .. kind .. " { values = { … }, { … } }", at) end
    local list, values = {}, t.values and check.values(t.values, "values", at) or {}
    for key, entry in order.pairs(t) do
      if key ~= "values" then list[#list + 1] = read(entry, kind .. "[" .. tostring(key) .. "]", at) end
    end
    if #list == 0 then fail(kind .. " has no entries", at) end
    check_once(list, name, at)
    if also then also(list, at) end
    local scope = text.scope(values)
    for _, entry in ipairs(list) do text.fill_all(entry, scope, "'" .. entry[name] .. "'", at, { id = true }) end
    local out = object { v = 1, [field] = list }
    made[out] = true
    return out
  end
end

book.glossary = constructor("glossary", "terms", term, "term", check_related)
book.questions = constructor("questions", "questions", question, "id")

--- Whether one of these made it.
function book.is_book(value)
  return made[value or false] == true
end

return book
