-- 2: *takes longer than 150 ms and was stopped*
string.find(("a"):rep(400), ".-.-.-.-.-.-.-.-b")
