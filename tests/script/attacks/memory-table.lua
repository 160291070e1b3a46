-- 2: *uses more than 32 MiB of memory*
local t = {} for i = 1, 1000000000 do t[i] = { i } end
