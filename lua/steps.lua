-- The steps a lesson is made of: what each kind holds. A constructor takes a table and gives the step, checked; the field
-- that stands without a name is the kind's `first`:  say { id = "two-bytes", [[ Markdown ]] }

local check = import "check"
local order = import "order"
local vary = import "vary"

local md, id, figure = check.markdown, check.id, check.figure

-- What every step may have.
local common = {
  id = { id, true },
  title = { md },
  sources = { check.list(md) },
  given = { check.list(md) }, -- numbers of its text that are assumed, and no results: for lint, which reads the file
  figure = { figure },
  wall = { md }, -- what is said of it at the front, in a sentence
}

local card = check.record({ id = { id, true }, front = { md, true }, back = { md, true }, of = { id } })
local value = check.record({ value = { check.setting, true }, name = { md } }, "value")
local slider = check.record {
  field = { check.field, true },
  label = { md },
  values = { check.list(value, 2), true },
  start = { check.whole(1) },
}

-- Bytes of an array, as the engine gives them.
local function amount(value, what, line)
  if type(value) ~= "number" or value < 1 then fail(what .. " must be a number of bytes", line) end
  return value
end

-- A note of a read step: { "words of its first line", "what to say" }, or with the numbers of its lines.
local noted = check.record { lines = { check.lines }, has = { md }, span = { check.whole(1, 40) }, text = { md, true } }
local function note(value, what, line)
  if type(value) ~= "table" then fail(what .. " must be a table, as in { \"words of the line\", \"what to say\" }", line) end
  local named = {}
  for key, item in next, value do
    local name = key == 1 and (value[2] and "has" or "text") or key == 2 and "text" or key
    named[name] = item
  end
  local out = noted(named, what, line)
  if not out.lines and not out.has then fail(what .. " must say which lines: words of the first one, or lines = \"4-7\"", line) end
  return out
end

-- kind = { first = the nameless field, fields = { name = { check, required } } }
local kinds = {
  say = { first = "text", fields = {
    text = { md, true },
    briefly = { md }, -- the same in half as many words
    slowly = { md },  -- the same in more and shorter sentences
  } },
  recap = { first = "text", fields = { text = { md, true }, further = { check.list(md, 1) } } },
  figure = { first = "text", fields = { text = { md }, figure = { figure, true } } },
  predict = { first = "ask", fields = {
    ask = { md, true },
    choices = { check.list(md, 2) },
    answer = { check.whole(1) },
    problem = { check.problem },
    notes = { check.named(md) },
    limit = { md },
    reveal = { md, true },
    after = { figure },
    needs = { check.number }, -- of a case of the week: the lesson after which it can be settled
  } },
  explore = { first = "text", fields = {
    text = { md, true },
    training = { check.overrides, true },
    sliders = { check.list(slider, 1), true },
    figure = { figure, true },
    try = { check.list(md) },
  } },
  worked = { first = "text", fields = {
    text = { md, true },
    problem = { check.problem, true },
    notes = { check.named(md) },
  } },
  problem = { first = "ask", fields = {
    ask = { md },
    form = { check.one_of(vary.forms), true },
    vary = { vary.check, true },
    hints = { check.list(md, 1) },
    about = { check.list(check.mistake) },
    blank = { check.list(check.line_id, 1) },
    skill = { md },
    review = { check.boolean },
  } },
  myth = { first = "claim", fields = {
    claim = { md, true },
    truth = { check.boolean, true },
    because = { md, true },
    says = { check.list(md, 1) },
  } },
  say_aloud = { first = "ask", fields = {
    ask = { md, true },
    points = { check.list(md, 3), true },
    model = { md },
  } },
  animate = { first = "text", fields = {
    text = { md, true },
    play = { id, true },
    options = { check.overrides },
    training = { check.training },
    bytes = { amount },
    notes = { check.named(md) },
    ask = { md },
    reveal = { md },
  } },
  lab = { first = "text", fields = {
    text = { md, true },
    lab = { id, true },
    ask = { md },
    choices = { check.list(md, 2) },
    answer = { check.whole(1) },
    reveal = { md },
    question = { md },
    problem = { check.measured },
  } },
  memo = { first = "text", fields = { text = { md, true } } },
  read = { first = "text", fields = {
    text = { md, true },
    file = { check.path, true },
    mark = { id },
    notes = { check.list(note, 1), true },
    ask = { md },
    choices = { check.list(md, 2) },
    answer = { check.whole(1) },
    reveal = { md },
  } },
  cards = { first = "cards", fields = { cards = { check.list(card, 1), true } } },
}

for _, kind in next, kinds do
  for name, field in next, common do kind.fields[name] = kind.fields[name] or field end
end

-- ── what one kind asks beyond its fields ────────────────────────────────────────────────────────

local further = {}

--- Notes and limit are for the picture of the guess, which only bytes of categories have.
local function check_piles(step, what, line)
  if step.problem.kind ~= "bytes" and (step.notes or step.limit) then
    fail(what .. ": notes and limit belong to a problem of kind \"bytes\"", line)
  end
  check.line_ids(order.keys(step.notes or {}), step.problem, what .. ": notes", line)
end

function further.predict(step, what, line)
  if step.problem then
    if step.choices or step.answer then fail(what .. " asks for a number or for a choice, not for both", line) end
    check_piles(step, what, line)
  elseif step.kind == "predict" and (step.notes or step.limit) then
    fail(what .. ": notes and limit belong to a problem", line)
  elseif not step.choices or not step.answer then
    fail(what .. " needs choices and answer, or a problem", line)
  elseif step.answer > #step.choices then
    fail(what .. ": answer is " .. step.answer .. ", but there are " .. #step.choices .. " choices", line)
  end
end

-- A figure of its own training stands where nothing moves.
local function check_stays(step, what, line)
  for _, name in ipairs { "figure", "after" } do
    if step[name] and step.kind ~= "explore" and check.explores(step[name]) then
      fail(what .. ": training = \"explore\" belongs into an explore step", line)
    end
  end
end

-- Every position of every slider, the others at their starts, must be a training that the engine takes.
function further.explore(step, what, line)
  local training = {}
  for field, value in next, step.training do training[field] = value end
  for i, s in ipairs(step.sliders) do
    s.start = s.start or 1
    if s.start > #s.values then fail(what .. ": sliders[" .. i .. "] starts behind its last value", line) end
    training[s.field] = s.values[s.start].value
  end
  for _, s in ipairs(step.sliders) do
    local start = training[s.field]
    for _, v in ipairs(s.values) do
      training[s.field] = v.value
      engine.ledger(training)
    end
    training[s.field] = start
  end
end

-- Notes and blanks name lines of the solution.
function further.worked(step, what, line)
  check.line_ids(order.keys(step.notes or {}), step.problem, what .. ": notes", line)
end

-- A guess is asked whole or not at all; without one the lab asks its own.
function further.lab(step, what, line)
  local given = (step.ask and 1 or 0) + (step.choices and 1 or 0) + (step.answer and 1 or 0)
  if given ~= 0 and given ~= 3 then fail(what .. ": ask, choices and answer go together", line) end
  if step.answer and step.answer > #step.choices then
    fail(what .. ": answer is " .. step.answer .. ", but there are " .. #step.choices .. " choices", line)
  end
  if (step.question == nil) ~= (step.problem == nil) then
    fail(what .. ": question and problem go together", line)
  end
end

function further.read(step, what, line)
  if not (step.ask or step.choices or step.answer or step.reveal) then return end
  if not step.ask or not step.reveal then fail(what .. ": ask and reveal go together", line) end
  if step.choices or step.answer then further.predict(step, what, line) end
end

function further.animate(step, what, line)
  if (step.ask == nil) ~= (step.reveal == nil) then fail(what .. ": ask and reveal go together", line) end
end

function further.problem(step, what, line)
  if step.blank and step.form ~= "sheet" then fail(what .. ": blank belongs to form = \"sheet\"", line) end
  step.vary = vary.wrap(step, what)
end

-- ── constructors ────────────────────────────────────────────────────────────────────────────────

local steps = { constructors = {} }
local made = {}

-- cards { {…}, {…} }: the list itself may stand without a name.
local function unwrap_cards(t)
  if t.cards or type(t[1]) ~= "table" then return t end
  local out = { cards = {} }
  for key, item in next, t do
    if math.type(key) == "integer" then out.cards[key] = item else out[key] = item end
  end
  return out
end

local function constructor(kind, form)
  local read = check.record(form.fields, form.first)
  return function(t)
    local at = line()
    if type(t) ~= "table" then fail(kind .. " takes a table, as in " .. kind .. " { id = \"…\", … }", at) end
    if kind == "recap" and t.id == nil then t.id = "recap" end
    if kind == "cards" then t = unwrap_cards(t) end
    local what = kind .. (type(t.id) == "string" and " '" .. t.id .. "'" or "")
    local step = read(t, what, at)
    step.kind, step.line = kind, at
    check_stays(step, what, at)
    if further[kind] then further[kind](step, what, at) end
    made[step] = true
    return step
  end
end

for kind, form in next, kinds do steps.constructors[kind] = constructor(kind, form) end

--- Whether a constructor made it.
function steps.is_step(value)
  return made[value] == true
end

return steps
