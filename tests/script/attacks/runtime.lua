-- 2: attempt to index a nil value (local 'x')
local x = nil return x.y
