-- 2: '__tostring' must return a string
tostring(setmetatable({}, { __tostring = function() return {} end }))
