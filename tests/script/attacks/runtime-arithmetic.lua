-- 2: attempt to perform arithmetic on a table value*
return {} + 1
