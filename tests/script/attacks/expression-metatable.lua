-- 2: say 'a': text: ${getmetatable('').__index}: * a nil value (global 'getmetatable')
return lesson { id = "0.1", title = "t", say { id = "a", "${getmetatable('').__index}" } }
