-- 2: *global 'collectgarbage'*
collectgarbage("stop")
