-- 2: *takes longer than 150 ms and was stopped*
for i = 1, math.huge do end
