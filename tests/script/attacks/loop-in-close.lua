-- 4: *takes longer than 150 ms and was stopped*
local meta = {} local t = setmetatable({}, meta)
function meta.__close()
  while true do end end
local x <close> = t error("out")
