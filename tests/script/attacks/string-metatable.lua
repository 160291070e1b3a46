-- 2: *boolean value*
getmetatable("").__index = nil
