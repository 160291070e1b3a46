-- 2: *uses more than 32 MiB of memory*
local s = ("x"):rep(65536) return (s:gsub("x", s))
