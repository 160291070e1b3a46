-- 2: *global 'print'*
print("over the screen")
