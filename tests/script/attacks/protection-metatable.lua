-- 2: *boolean value*
getmetatable(engine).__newindex = nil
