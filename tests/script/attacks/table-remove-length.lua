-- 2: table.remove takes plain tables, not one with __len
table.remove(setmetatable({}, { __len = function() return 1 << 50 end }), 1)
