-- 2: *takes longer than 150 ms and was stopped*
("aaa"):gsub("a", function() while true do end end)
