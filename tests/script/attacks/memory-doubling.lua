-- 2: *uses more than 32 MiB of memory*
local s = "x" while true do s = s .. s end
