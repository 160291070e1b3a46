-- 2: *takes longer than 150 ms and was stopped*
while true do pcall(function() local s = "x" while true do s = s .. s end end) end
