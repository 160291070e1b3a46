-- 2: table.concat: over 1048576 elements
table.concat({}, "", 1, 1 << 50)
