-- 2: *takes longer than 150 ms and was stopped*
while true do end
