-- 2: *global 'coroutine'*
local co = coroutine.create(function() end) coroutine.close(co)
