-- 2: math.randomseed is not here: take random numbers from r*
math.randomseed(1)
