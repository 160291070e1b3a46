-- 2: *global 'loadfile'*
loadfile("/etc/passwd")
