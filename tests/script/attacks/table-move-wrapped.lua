-- 2: table.move: over 1048576 elements*
table.move({}, math.mininteger, math.maxinteger - 1, 1)
