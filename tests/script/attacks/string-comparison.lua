-- 2: *takes longer than 150 ms and was stopped*
local parts = {} for i = 1, 4 do parts[i] = ("x"):rep(1 << 20) end local a, b = table.concat(parts), table.concat(parts) .. "y" while true do local less = a < b end
