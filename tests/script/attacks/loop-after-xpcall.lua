-- 2: *takes longer than 150 ms and was stopped*
repeat xpcall(function() while true do end end, function(e) return e end) until false
