-- 2: math.random is not here: take random numbers from r*
return math.random(6)
