-- 2: setmetatable: a lesson's metatable may not have __gc
setmetatable({}, { __gc = function() while true do end end })
