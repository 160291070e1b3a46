-- 2: *takes longer than 150 ms and was stopped*
while true do pcall(function() while true do end end) end
