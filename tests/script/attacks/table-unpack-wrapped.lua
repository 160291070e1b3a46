-- 2: *over 1048576 elements*
table.unpack({}, math.mininteger, math.maxinteger)
