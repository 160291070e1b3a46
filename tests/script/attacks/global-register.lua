-- 2: *global 'register'*
register(error, 1)
