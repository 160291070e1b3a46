-- 2: *takes longer than 150 ms and was stopped*
tostring(setmetatable({}, { __tostring = function() while true do end end }))
