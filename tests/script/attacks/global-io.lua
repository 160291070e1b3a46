-- 2: *global 'io'*
io.open("/etc/passwd")
