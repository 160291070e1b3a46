-- Prose: how a lesson's Markdown is tidied, and how its ${…} become numbers and words.

local order = import "order"

local text = {}

local function lines_of(s)
  local lines = {}
  for line in (s .. "\n"):gmatch("([^\n]*)\n") do lines[#lines + 1] = line end
  return lines
end

-- The indentation that all lines have in common; blank ones do not count.
local function common_indent(lines)
  local least
  for _, line in ipairs(lines) do
    local indent = line:match("^( *)[^ ]")
    if indent and (not least or #indent < least) then least = #indent end
  end
  return least or 0
end

-- Up to the last letter: a search for blanks at the end would begin at each of them.
local function without_end(s)
  return s:match("^.*%S") or ""
end

--- Markdown written inside an indented [[ … ]] as if it stood at the margin, without blank lines around it.
function text.tidy(s)
  if not s:find("\n", 1, true) then return without_end((s:gsub("^ +", ""))) end
  local lines = lines_of(s)
  local indent = common_indent(lines)
  for i, line in ipairs(lines) do lines[i] = line:sub(indent + 1) end
  return without_end((table.concat(lines, "\n"):gsub("^%s*\n", "")))
end

--- A number or a text as text; a whole number without a point, however it was written.
function text.from(value)
  return tostring(math.type(value) == "float" and math.tointeger(value) or value)
end

-- ── a problem's fields as people say them ───────────────────────────────────────────────────────

local checkpoints = {
  ["none"] = "no checkpointing",
  ["selective"] = "selective checkpointing",
  ["full"] = "full checkpointing",
}

local function titled(field) return function(name) return engine.title(field, name) end end
local function flag(what) return function(value) return value == "on" and what or "no " .. what end end
local function card_title(name) return engine.card(name).title end
local function model_title(name) return engine.model(name).title end
local function memory(size) return size:find(" B$") and engine.gb(size, 4) or size end
local function share(value) return engine.percent(tonumber(value)) end

-- A link of the catalogue, or the rate that was given.
local function link(name)
  local rate, giga = name:match("^([%d.e+-]+)(G?)B/s$")
  return rate and engine.rate(tonumber(rate) * (giga == "G" and 1e9 or 1)) or engine.link(name).title
end

-- A bucket counts bytes ("25000000B") or elements.
local function bucket(size)
  return size:find("B$") and engine.bytes(size) or engine.count(size) .. " elements"
end

-- A field is said as the problem has it; these are said in other words for people.
local said = {
  params = engine.count,
  model = model_title,
  precision = titled "precision",
  optimizer = titled "optimizer",
  recipe = titled "recipe",
  checkpoint = function(name) return checkpoints[name] or name end,
  flash = flag("flash attention"),
  dropout = flag("dropout"),
  sp = flag("sequence parallel"),
  budget = memory,
  gpu = card_title,
  link = link,
  net = link,
  bucket = bucket,
  efficiency = share,
}

-- These are the engine's words, and not for people.
local unspoken = { kind = true, quantity = true, tolerance = true, per = true }

-- What a field holds while nobody said anything.
local unsaid = {
  params = "0", budget = "0 B", gpu = "none", model = "none", gpus_per_node = "0", batch = "0", seq = "0",
  lora = "0", qlora = "0", lora_on = "query-value", shard_group = "0", hpz = "0", bucket = "0", link = "auto", net = "auto",
  offload_optimizer = "none", offload_params = "none",
}

-- ── a or an: by the sound a word begins with ────────────────────────────────────────────────────

-- Read aloud, 8, 80 and 800 begin with a vowel, and so do 11 and 18, alone or before thousands: "eleven thousand".
local function number_begins_with_vowel(digits)
  local leads = digits:sub(1, 2)
  return digits:find("^8") or ((leads == "11" or leads == "18") and #digits % 3 == 2)
end

-- Letters that are read one by one ("NVIDIA", "SGD", "H100", "fp32") go by the letter's name, other words by their first letter.
local function begins_with_vowel(words)
  local digits = words:match("^%d+")
  if digits then return number_begins_with_vowel(digits) end
  if words:find("^%u[%u%d]") or words:find("^fp%d") then return words:find("^[AEFHILMNORSXf]") end
  return words:find("^[AEIOUaeiou]")
end

local function with_article(article, words)
  return article .. (begins_with_vowel(words) and "n " or " ") .. words
end

-- ── ${…}: a Lua expression in a text ────────────────────────────────────────────────────────────

local functions = {
  gb = engine.gb, gib = engine.gib, bytes = engine.bytes, count = engine.count, seconds = engine.seconds,
  rate = engine.rate, percent = engine.percent, show = engine.show,
}

--- Whether it is a function that texts print with.
function text.prints(name)
  return functions[name] ~= nil
end

-- Names that expressions see and cannot change.
local function names_of(look_up)
  return seal(setmetatable({}, { __index = function(_, name) return look_up(name) end }))
end

--- The names that the texts of a lesson see: its values, and behind them the functions that print.
function text.scope(values)
  return names_of(function(name)
    local value = values[name]
    if value == nil then return functions[name] end
    return value
  end)
end

-- A problem's field in words; nil if it has no such field.
local function field_of(problem, name)
  local value = not unspoken[name] and engine.fields(problem, { name })[name]
  if not value then return nil end
  if value == unsaid[name] then error("the problem does not say its " .. name, 0) end
  return tostring(said[name] and said[name](value) or value)
end

--- The names that the texts of a variant see: its own values, the fields of its problem, and those of the lesson behind them.
function text.variant_scope(values, problem, lesson)
  return names_of(function(name)
    local value = values[name]
    if value == nil and problem and type(name) == "string" then value = field_of(problem, name) end
    if value == nil then return lesson[name] end
    return value
  end)
end

-- The value of an expression as text. Raises what is wrong with it.
local function evaluate(words, scope)
  if words:find("function", 1, true) and words:find("%f[%w_]function%f[^%w_]") then error("an expression cannot define functions", 0) end
  local run, trouble = expression(words, scope)
  if not run then error(trouble, 0) end
  local value = run()
  local kind = type(value)
  if kind == "number" and (value ~= value or value == math.huge or value == -math.huge) then kind = "number without end" end
  if kind ~= "number" and kind ~= "string" then error("it is " .. (kind == "nil" and "nil" or "a " .. kind) .. ", not a number or a text", 0) end
  return text.from(value)
end

-- "a params" is not an expression. It stands for the value of params with its article: "an 8B".
local function say(words, scope)
  local article, rest = words:match("^ ?([Aa]) (.+)$")
  if article and not expression(words, {}) then return with_article(article, evaluate(rest, scope)) end
  return evaluate(words, scope)
end

-- Lua's own messages begin with the place in the chunk.
local function without_place(message)
  return (tostring(message):gsub("^[^:]-:%d+: ", ""))
end

--- "It keeps ${gb(kept.total)}." with what the expression gives. `what` and `line` name the text in messages.
function text.fill(md, scope, what, line)
  local at = md:find("${", 1, true)
  if not at then return md end
  local parts = { md:sub(1, at - 1) }
  while at do
    local braced = md:match("^%b{}", at + 1)
    if not braced then fail(what .. ": a ${ is never closed", line) end
    local words = braced:sub(2, -2):gsub("%s+", " ")
    local well, said_as = pcall(say, words, scope)
    if not well then fail(what .. ": ${" .. words .. "}: " .. without_place(said_as), line) end
    local from = at + 1 + #braced
    at = md:find("${", from, true)
    parts[#parts + 1], parts[#parts + 2] = said_as, md:sub(from, at and at - 1)
  end
  return table.concat(parts)
end

--- Fills every text of a step or of a variant, at any depth, except in the fields named in `but`.
function text.fill_all(t, scope, what, line, but)
  for key, item in order.pairs(t) do
    local inner = math.type(key) and what .. "[" .. key .. "]" or what .. ": " .. key
    if but and but[key] then -- it is filled later, or is no text
    elseif type(item) == "string" then
      t[key] = text.fill(item, scope, inner, line)
    elseif type(item) == "table" then
      text.fill_all(item, scope, inner, line)
    end
  end
end

--- Refuses {params} and {a params}, which is how a problem's fields were written before ${params}.
function text.refuse_braces(md, problem, what, line)
  for before, braced, name in (" " .. md):gmatch("(.)({[Aa]? ?([%l_]+)})") do
    if before ~= "$" and not unspoken[name] and engine.fields(problem, { name })[name] then
      fail(what .. ": " .. braced .. " is written $" .. braced .. " now", line)
    end
  end
end

return text
