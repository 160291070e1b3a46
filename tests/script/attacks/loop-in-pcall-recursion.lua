-- 2: *takes longer than 150 ms and was stopped*
local function f() pcall(f) while true do end end f()
