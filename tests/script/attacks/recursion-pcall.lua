-- 2: *global 'nothing'*
local function f() return pcall(f) end f() nothing()
