-- 2: xxxxxxxxxxxxxxxxxxxx*
error(("x"):rep(1 << 20))
