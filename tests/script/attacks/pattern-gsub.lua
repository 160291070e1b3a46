-- 2: *takes longer than 150 ms and was stopped*
string.gsub(("a"):rep(400), ".-.-.-.-.-.-.-.-b", "")
