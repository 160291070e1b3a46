-- 2: *takes longer than 150 ms and was stopped*
for x in string.gmatch(("a"):rep(400), ".-.-.-.-.-.-.-.-b") do end
