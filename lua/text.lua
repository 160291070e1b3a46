-- Prose: how a lesson's Markdown is tidied and filled.

local text = {}

local function lines_of(s)
  local lines = {}
  for line in (s .. "\n"):gmatch("(.-)\n") do lines[#lines + 1] = line end
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

--- Markdown written inside an indented [[ … ]] as if it stood at the margin, without blank lines around it.
function text.tidy(s)
  local lines = lines_of(s)
  local indent = common_indent(lines)
  for i, line in ipairs(lines) do lines[i] = line:sub(indent + 1) end
  return (table.concat(lines, "\n"):gsub("^%s*\n", ""):gsub("%s+$", ""))
end

--- A number or a text as text; a whole number without a point, however it was written.
function text.from(value)
  return tostring(math.type(value) == "float" and math.tointeger(value) or value)
end

--- fill("${gpus} GPUs", { gpus = 8 }) gives "8 GPUs". Every ${name} must be in the table, as a number or a text.
function text.fill(md, values)
  if type(md) ~= "string" or type(values) ~= "table" then
    fail("fill needs a text and a table, as in fill(\"${gpus} GPUs\", { gpus = 8 })")
  end
  return (md:gsub("%${([%w_]+)}", function(name)
    local value = values[name]
    if type(value) ~= "string" and type(value) ~= "number" then
      fail("fill: ${" .. name .. "} is " .. (value == nil and "not in the table" or "a " .. type(value)))
    end
    return text.from(value)
  end))
end

-- ── placeholders: {params}, {a gpu} … in the ask of a problem ────────────────────────────────────

local precisions = {
  ["mixed-bf16"] = "mixed precision (bf16)",
  ["mixed-fp16"] = "mixed precision (fp16)",
  ["bf16"] = "pure bf16",
  ["fp32"] = "fp32",
}
local optimizers = {
  ["adamw"] = "AdamW",
  ["adam8bit"] = "8-bit Adam",
  ["adafactor"] = "Adafactor",
  ["sgd-momentum"] = "SGD with momentum",
  ["lion"] = "Lion",
  ["muon"] = "Muon",
}

local recipes = {
  ["paper"] = "the ZeRO paper",
  ["ddp"] = "DDP",
  ["deepspeed"] = "DeepSpeed",
  ["fsdp1"] = "FSDP1",
  ["fsdp2"] = "FSDP2",
  ["megatron"] = "Megatron-LM",
}
local checkpoints = {
  ["none"] = "no checkpointing",
  ["selective"] = "selective checkpointing",
  ["full"] = "full checkpointing",
}

local function named(names) return function(name) return names[name] or name end end
local function flag(what) return function(value) return value == "on" and what or "no " .. what end end
local function card_title(name) return engine.card(name).title end
local function model_title(name) return engine.model(name).title end
local function memory(size) return size:find(" B$") and engine.gb(size, 4) or size end
local function share(value) return engine.percent(tonumber(value)) end

-- A link of the catalogue, or the rate that was given.
local function link(name)
  local rate = name:match("^([%d.e+]+)B/s$")
  return rate and engine.rate(tonumber(rate)) or engine.link(name).title
end

-- A bucket counts bytes ("25000000B") or elements.
local function bucket(size)
  return size:find("B$") and engine.bytes(size) or engine.count(size) .. " elements"
end

-- Each placeholder is the field of the problem with its name; these are said in other words for people.
local said = {
  params = engine.count,
  model = model_title,
  precision = named(precisions),
  optimizer = named(optimizers),
  recipe = named(recipes),
  checkpoint = named(checkpoints),
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

-- These are the engine's words, and not for people: braces around them stay.
local unspoken = { kind = true, quantity = true, tolerance = true, per = true }

-- What a field holds while nobody said anything.
local unsaid = {
  params = "0", budget = "0 B", gpu = "none", model = "none", gpus_per_node = "0", batch = "0", seq = "0",
  lora = "0", qlora = "0", shard_group = "0", hpz = "0", bucket = "0", link = "auto", net = "auto",
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

--- "{params} on {gpus} GPUs" with what the problem says: "7B on 8 GPUs". "{a params} model" gives "a 7B model" or "an 8B model", and
--- {A params} the same at the start of a sentence. Braces around other words stay as they are.
function text.place(md, problem)
  local names = {}
  for name in md:gmatch("{([%l_]+)}") do names[#names + 1] = name end
  for name in md:gmatch("{[Aa] ([%l_]+)}") do names[#names + 1] = name end
  if #names == 0 then return md end
  local fields = engine.fields(problem, names)
  local function value_of(name)
    local value = fields[name]
    if value == nil or unspoken[name] then return nil end
    if value == unsaid[name] then
      fail("{" .. name .. "} is asked for, but the problem does not say it")
    end
    return tostring(said[name] and said[name](value) or value)
  end
  local filled = md:gsub("{([Aa]) ([%l_]+)}", function(article, name)
    local words = value_of(name)
    return words and with_article(article, words)
  end)
  return (filled:gsub("{([%l_]+)}", value_of))
end

return text
