-- 2: *boolean value*
getmetatable(_ENV).__index = nil
