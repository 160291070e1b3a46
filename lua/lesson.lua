-- The lesson as a whole: lesson { id = "1.1", title = "…", revision = 1, say { … }, … }

local check = import "check"
local order = import "order"
local steps = import "steps"
local text = import "text"
local vary = import "vary"

local lesson = {}
local made = {}

local glossary = check.record { term = { check.markdown, true }, means = { check.markdown, true } }
local fields = {
  id = { check.number, true },
  title = { check.markdown, true },
  revision = { check.whole(1, 1000000) },
  goal = { check.markdown },
  shows = { check.id },
  stop = { check.id },
  glossary = { check.list(glossary) },
  values = { check.values },
}
local read_head = check.record(fields)

-- The named fields, and the steps in the list part.
local function split(t)
  local head, list = {}, {}
  for key, value in order.pairs(t) do
    if math.type(key) == "integer" then list[#list + 1] = value else head[key] = value end
  end
  return head, list
end

-- Ids are what a learner's record hangs on: each once, cards too.
local function check_ids(list)
  local seen = {}
  local function see(id, line)
    if seen[id] then fail("the id '" .. id .. "' is used twice; it was first used in line " .. seen[id], line) end
    seen[id] = line
  end
  for _, step in ipairs(list) do
    see(step.id, step.line)
    for _, card in ipairs(step.cards or {}) do see(card.id, step.line) end
  end
end

-- The step whose figure stands for the lesson.
local function check_shows(id, list, at)
  for _, step in ipairs(list) do
    if step.id == id and (step.figure or step.play) then return end
  end
  fail("shows: no step '" .. id .. "' with a figure", at)
end

-- The step after which a learner may well leave: neither the first nor the last.
local function check_stop(id, list, at)
  for i, step in ipairs(list) do
    if step.id == id and i > 1 and i < #list then return end
  end
  fail("stop: no step '" .. id .. "' between the first and the last", at)
end

-- Texts are filled when the whole lesson is known. What vary returns is filled at each call, with the step's own ask.
local function fill(out, list, values, at)
  local scope = text.scope(values)
  text.fill_all(out, scope, "the lesson", at)
  for _, step in ipairs(list) do
    text.fill_all(step, scope, step.kind .. " '" .. step.id .. "'", step.line, step.kind == "problem" and { ask = true })
  end
  vary.sees(scope)
end

--- The constructor.
function lesson.make(t)
  local at = line()
  if type(t) ~= "table" then fail("lesson takes a table, as in lesson { id = \"1.1\", … }", at) end
  local head, list = split(t)
  local out = read_head(head, "the lesson", at)
  for i, step in ipairs(list) do
    if not steps.is_step(step) then
      fail("the lesson's step " .. i .. " is a " .. type(step) .. "; steps are made by say, problem, recap …", at)
    end
  end
  if #list == 0 then fail("the lesson has no steps", at) end
  check_ids(list)
  if out.shows then check_shows(out.shows, list, at) end
  if out.stop then check_stop(out.stop, list, at) end
  local values = out.values or {}
  out.values = nil
  fill(out, list, values, at)
  out.v, out.revision, out.steps = 1, out.revision or 1, list
  made[out] = true
  return out
end

--- What a lesson's file returned, if it is a lesson.
function lesson.finish(value)
  if not made[value or false] then fail("the file must end in: return lesson { … }") end
  return value
end

return lesson
