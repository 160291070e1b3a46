-- 2: *global 'load'*
load("while true do end")()
