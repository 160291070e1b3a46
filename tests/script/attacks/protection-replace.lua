-- 2: *cannot change a protected metatable*
setmetatable(string, {})
