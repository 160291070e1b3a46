-- 2: string.find: the pattern is over 256 characters
string.find("a", ("a?"):rep(1000))
