-- 2: string.rep: the result would be over 1 MiB*
string.rep("", 1 << 60)
