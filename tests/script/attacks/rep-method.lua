-- 2: string.rep: the result would be over 1 MiB*
local s = ("x"):rep(1000000000)
