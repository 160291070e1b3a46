-- 2: say 'a': text: ${getmetatable('').__index}: attempt to call a nil value (global
-- 'getmetatable')
return lesson { id = "0.1", title = "t", minutes = 1, say { id = "a", "${getmetatable('').__index}" } }
