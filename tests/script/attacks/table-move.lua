-- 2: table.move: over 1048576 elements*
table.move({}, 1, 1 << 53, 1)
