-- 77: forged
error("attack.lua:77: forged", 0)
