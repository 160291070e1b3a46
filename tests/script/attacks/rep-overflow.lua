-- 2: string.rep: the result would be over 1 MiB*
local s = ("xx"):rep(1 << 63 - 1)
