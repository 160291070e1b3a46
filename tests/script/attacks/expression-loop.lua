-- 2: this takes longer*
local function round() while true do end end
return lesson { id = "0.1", title = "t", values = { round = round }, say { id = "a", "${round()}" } }
