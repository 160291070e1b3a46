-- What a field of a step must be. A check gets the value, what to call it in a message, and the line to blame; it returns
-- the value as it goes into the lesson.

local order = import "order"
local text = import "text"

local check = {}

--- Text in Markdown.
function check.markdown(value, what, line)
  if type(value) ~= "string" then fail(what .. " must be a text, not a " .. type(value), line) end
  if #value > 65536 then fail(what .. " is over 64 KB", line) end
  if not value:find("%S") then fail(what .. " is empty", line) end
  return text.tidy(value)
end

--- A name that people never see, and that never changes: small letters, digits and dashes.
function check.id(value, what, line)
  if type(value) ~= "string" or not value:find("^[a-z0-9-]+$") then
    fail(what .. " must be made of a-z, 0-9 and -, as in \"ddp-7b\"", line)
  end
  return value
end

--- The id of a line of a solution: "moments", "all_gather".
function check.line_id(value, what, line)
  if type(value) ~= "string" or not value:find("^[%w_+-]+$") then
    fail(what .. " must be the id of a line, as in \"moments\"", line)
  end
  return value
end

--- Lines of a source: "4" or "4-7".
function check.lines(value, what, line)
  local from, to = tostring(value):match("^(%d+)%-?(%d*)$")
  if not from or tonumber(from) < 1 or (to ~= "" and tonumber(to) < tonumber(from)) then
    fail(what .. " must be lines, as in \"4\" or \"4-7\"", line)
  end
  return tostring(value)
end

--- A file of the tutor's own: "src/lab/partition.c".
function check.path(value, what, line)
  if type(value) ~= "string" or not value:find("^[%w_./-]+$") or value:find("^/") or value:find("..", 1, true) then
    fail(what .. " must be a path like \"src/lab/partition.c\"", line)
  end
  return value
end

--- A lesson's number in the course: "1.1".
function check.number(value, what, line)
  if type(value) ~= "string" or not value:find("^[%w.-]+$") then
    fail(what .. " must be made of letters, digits, . and -, as in \"1.1\"", line)
  end
  return value
end

--- A whole number from `least` up, to `most` if that is given.
function check.whole(least, most)
  local range = " must be a whole number from " .. least .. (most and " to " .. most or " up")
  return function(value, what, line)
    if math.type(value) ~= "integer" or value < least or value > (most or value) then fail(what .. range, line) end
    return value
  end
end

function check.boolean(value, what, line)
  if type(value) ~= "boolean" then fail(what .. " must be true or false", line) end
  return value
end

--- One of a few words.
function check.one_of(words)
  return function(value, what, line)
    for _, word in ipairs(words) do
      if value == word then return value end
    end
    fail(what .. " must be one of " .. table.concat(words, ", "), line)
  end
end

--- A list of things that each pass `each`, `least` of them at least.
function check.list(each, least)
  return function(value, what, line)
    if type(value) ~= "table" or #value < (least or 0) then
      fail(what .. " must be a list" .. (least and " of " .. least .. " or more" or ""), line)
    end
    local out = {}
    for i, item in ipairs(value) do out[i] = each(item, what .. "[" .. i .. "]", line) end
    if #out ~= #order.keys(value) then fail(what .. " must be a list and nothing else", line) end
    return out
  end
end

--- A table of texts by name, each passing `each`.
function check.named(each)
  return function(value, what, line)
    if type(value) ~= "table" then fail(what .. " must be a table, not a " .. type(value), line) end
    local out = object {}
    for name, item in order.pairs(value) do
      if type(name) ~= "string" then fail(what .. " has names, as in { params = \"…\" }", line) end
      out[name] = each(item, what .. "." .. name, line)
    end
    return out
  end
end

--- A table with just these fields: { name = { check, required } }. `first` names the field that may stand without a name.
function check.record(fields, first)
  local required = {}
  for name, field in order.pairs(fields) do
    if field[2] then required[#required + 1] = name end
  end
  return function(value, what, line)
    if type(value) ~= "table" then fail(what .. " must be a table, not a " .. type(value), line) end
    local out = object {}
    for name, item in order.pairs(value) do
      local field = name == 1 and first or name
      if not fields[field] then
        fail(what .. " has no field '" .. tostring(name) .. "'; it may have " .. table.concat(order.keys(fields), ", "), line)
      end
      out[field] = fields[field][1](item, what .. ": " .. field, line)
    end
    for _, name in ipairs(required) do
      if out[name] == nil then fail(what .. " has no " .. name, line) end
    end
    return out
  end
end

--- What a field of a training is set to: a number or a text; it goes on as text.
function check.setting(value, what, line)
  if type(value) ~= "number" and type(value) ~= "string" then
    fail(what .. " must be a number or a text, not a " .. type(value), line)
  end
  return text.from(value)
end

--- What the ${…} of texts see by name: { kept = engine.ledger(…) }. Anything but the names of the functions that print.
function check.values(value, what, line)
  if type(value) ~= "table" then fail(what .. " must be a table, not a " .. type(value), line) end
  local out = {}
  for name, item in order.pairs(value) do
    if type(name) ~= "string" then fail(what .. " has names, as in { kept = engine.ledger(…) }", line) end
    if text.prints(name) then fail(what .. ": " .. name .. " is the name of a function that prints; choose another", line) end
    out[name] = item
  end
  return out
end

local fields = engine.field_names()

--- The name of a field of a training: "gpus", "batch", "link" …
check.field = check.one_of(fields)

local scalars = check.named(function(value, what, line)
  if type(value) == "table" or type(value) == "function" then
    fail(what .. " must be a number, a text, or true or false", line)
  end
  return value
end)

--- A training: { params = 7e9, gpus = 8 }. The engine reads it at once, so that a mistake is found where it was made.
function check.training(value, what, line)
  local training = scalars(value, what, line)
  engine.ledger(training)
  return training
end

--- A part of a training, which becomes whole elsewhere.
function check.overrides(value, what, line)
  return scalars(value, what, line)
end

--- A problem: { kind = "bytes", training = { … }, quantity = "model_state", unit = "GB" }. The engine solves it at once.
function check.problem(value, what, line)
  if type(value) ~= "table" then fail(what .. " must be a table, not a " .. type(value), line) end
  engine.solve(value)
  local out = object { v = 1 }
  for name, item in order.pairs(value) do
    out[name] = name == "training" and scalars(item, what .. ".training", line) or item
  end
  return out
end

--- A problem about what a lab measured: where its training says "measured" the number comes from the run. It is solved with another one here.
function check.measured(value, what, line)
  if type(value) ~= "table" or type(value.training) ~= "table" then
    fail(what .. " must be a problem with a training, as in { kind = \"bytes\", training = { params = \"measured\" } }", line)
  end
  local trial, training = {}, {}
  for name, item in next, value.training do training[name] = item == "measured" and 1000000 or item end
  for name, item in next, value do trial[name] = name == "training" and training or item end
  local out = check.problem(trial, what, line)
  out.training = scalars(value.training, what .. ".training", line)
  return out
end

--- Whether each id is a line of the problem's solution.
function check.line_ids(ids, problem, what, line)
  local known, list = {}, {}
  for i, l in ipairs(engine.solve(problem).lines) do
    known[l.id], list[i] = true, l.id
  end
  for _, wanted in ipairs(ids) do
    if not known[wanted] then
      fail(what .. ": the solution has no line '" .. tostring(wanted) .. "', only " .. table.concat(list, ", "), line)
    end
  end
end

-- The training of a figure, or "explore" for the one that the sliders set. What a tree asks is the planner's.
local function figure_training(value, kind, what, line)
  if value == "explore" then return value end
  if kind ~= "tree" then return check.training(value, what, line) end
  local question = scalars(value, what, line)
  engine.plan(question)
  return question
end

--- A figure: { kind = "stack", bars = { … } }. What each kind holds is checked where it is drawn; the trainings in it are checked here:
--- those called `training`, wherever they stand, and those in a list called `compare`.
function check.figure(value, what, line)
  if type(value) ~= "table" or type(value.kind) ~= "string" then
    fail(what .. " must be a table with a kind, as in { kind = \"stack\", bars = { … } }", line)
  end
  local function walk(t, compared, depth)
    if depth > 30 then fail(what .. " is nested too deeply; does a table contain itself?", line) end
    local out = #t > 0 and {} or object {}
    for name, item in order.pairs(t) do
      if name == "training" or compared then
        out[name] = figure_training(item, value.kind, what .. ": training", line)
      else
        out[name] = type(item) == "table" and walk(item, name == "compare", depth + 1) or item
      end
    end
    return out
  end
  return walk(value, false, 1)
end

--- Whether a figure follows the sliders of an explore.
function check.explores(figure)
  for name, item in next, figure do
    if item == "explore" and name ~= "kind" then return true end
    if type(item) == "table" and check.explores(item) then return true end
  end
  return false
end

--- A mistake that the engine knows by name.
function check.mistake(value, what, line)
  if type(value) ~= "string" then fail(what .. " must be the id of a mistake", line) end
  engine.check_mistake(value, line)
  return value
end

return check
