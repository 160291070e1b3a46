-- 2: setmetatable: a lesson's metatable may not have __close
local x <close> = setmetatable({}, { __close = function() while true do end end })
