-- 2: table.insert takes plain tables, not one with __len
table.insert(setmetatable({}, { __len = function() return 1 << 50 end }), 1, 1)
