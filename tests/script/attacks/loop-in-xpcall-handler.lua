-- 2: *takes longer than 150 ms and was stopped*
xpcall(error, function() while true do end end)
