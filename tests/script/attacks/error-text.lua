-- 2: of its own
error("of its own")
