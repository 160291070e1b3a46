-- 2: *unfinished string*
local x = "
