-- 2: setmetatable: a lesson's metatable may not have __metatable
setmetatable({}, { __metatable = 1 })
