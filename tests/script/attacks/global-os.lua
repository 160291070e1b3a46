-- 2: *global 'os'*
os.execute("true")
