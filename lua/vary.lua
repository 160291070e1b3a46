-- Fresh numbers. `vary` of a problem is a function of r, called once for every try; what it returns, the variant, is checked
-- and its texts are filled before the tutor sees it.

local check = import "check"
local random = import "random"
local text = import "text"

local vary = { forms = { "number", "sheet", "choice", "order", "sort" } }

local md = check.markdown

local choice = check.record({ text = { md, true }, right = { check.boolean }, because = { md, true } }, "text")
local sorted = check.record({ text = { md, true }, bin = { check.whole(1), true }, because = { md, true } }, "text")

local common = { ask = { md, true }, hints = { check.list(md, 1) }, figure = { check.figure }, values = { check.values } }

-- What the variant of each form has besides the common fields.
local forms = {
  number = { problem = { check.problem, true } },
  sheet = { problem = { check.problem, true } },
  choice = { choices = { check.list(choice, 2), true }, problem = { check.problem } },
  order = { items = { check.list(md, 2), true }, because = { md } },
  sort = { bins = { check.list(md, 2), true }, items = { check.list(sorted, 2), true } },
}
local readers = {}
for name, fields in next, forms do
  for field, spec in next, common do fields[field] = spec end
  readers[name] = check.record(fields)
end

-- ── what a form asks beyond its fields ──────────────────────────────────────────────────────────

local further = {}

function further.choice(variant, what, line)
  local right = 0
  for _, c in ipairs(variant.choices) do
    c.right = c.right or false
    right = right + (c.right and 1 or 0)
  end
  if right ~= 1 then fail(what .. ": " .. right .. " choices are right; it must be one", line) end
end

function further.sort(variant, what, line)
  for i, item in ipairs(variant.items) do
    if item.bin > #variant.bins then
      fail(what .. ": items[" .. i .. "] goes into bin " .. item.bin .. ", but there are " .. #variant.bins, line)
    end
  end
end

-- ── vary itself ─────────────────────────────────────────────────────────────────────────────────

--- The check of the field `vary`.
function vary.check(value, what, line)
  if type(value) ~= "function" then fail(what .. " must be a function, as in function(r) … end", line) end
  return value
end

local lesson_scope

--- The names that the lesson's texts see; variants see them too.
function vary.sees(scope)
  lesson_scope = scope
end

local function fill(variant, what, line)
  local values, problem = variant.values or {}, variant.problem
  variant.values = nil
  if problem then
    text.refuse_braces(variant.ask, problem, what .. ": ask", line)
    for _, hint in ipairs(variant.hints or {}) do text.refuse_braces(hint, problem, what .. ": hints", line) end
  end
  text.fill_all(variant, text.variant_scope(values, problem, lesson_scope), what, line, { problem = true })
end

local function read(step, what, returned)
  if type(returned) ~= "table" then
    fail(what .. " must return a table, not a " .. type(returned), step.line)
  end
  if returned.ask == nil then returned.ask = step.ask end
  local variant = readers[step.form](returned, what, step.line)
  if further[step.form] then further[step.form](variant, what, step.line) end
  if step.blank then check.line_ids(step.blank, variant.problem, what .. ": blank", step.line) end
  fill(variant, what, step.line)
  return variant
end

--- What the lesson holds in place of the function: its number, by which the tutor calls it.
function vary.wrap(step, what)
  local author = step.vary
  return { fn = register(function(draw)
    return read(step, what .. ": vary", author(random.new(draw)))
  end, step.line) }
end

return vary
