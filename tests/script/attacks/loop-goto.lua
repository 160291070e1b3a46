-- 2: *takes longer than 150 ms and was stopped*
::again:: goto again
