-- 2: table
error(tostring({}))
