-- 2: *bad argument*table expected*
setmetatable("", {})
