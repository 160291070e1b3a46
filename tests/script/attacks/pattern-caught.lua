-- 2: *takes longer than 150 ms and was stopped*
while true do pcall(string.find, ("a"):rep(400), ".-.-.-.-.-.-.-.-b") end
