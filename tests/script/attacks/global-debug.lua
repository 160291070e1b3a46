-- 2: *global 'debug'*
debug.sethook()
