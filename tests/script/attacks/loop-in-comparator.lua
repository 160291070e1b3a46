-- 2: *takes longer than 150 ms and was stopped*
table.sort({ 3, 2, 1 }, function() while true do end end)
