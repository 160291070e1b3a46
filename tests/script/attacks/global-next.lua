-- 2: *global 'next'*
next({})
