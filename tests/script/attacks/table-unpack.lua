-- 2: *over 1048576 elements*
table.unpack({}, 1, 100000000)
