-- 3: *this table cannot be changed (gb)*
local function take(names) names.gb = nil end
return lesson { id = "0.1", title = "t", values = { take = take }, say { id = "a", "${take(_ENV)}" } }
