-- 2: *global 'warn'*
warn("@on")
