-- 2: *31mred*
error("\27[31mred\7\0\r\155")
