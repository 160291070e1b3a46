-- 2: table.concat takes plain tables, not one with __index
local t = setmetatable({}, { __index = table.concat }) table.concat(t, "", 1, 1 << 50)
