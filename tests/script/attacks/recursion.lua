-- 2: a function calls itself without end*
local function f() return 1 + f() end f()
