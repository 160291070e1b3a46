-- 2: *takes longer than 150 ms and was stopped*
("a"):rep(400):match(".-.-.-.-.-.-.-.-b")
