-- 2: string.find: the text is over 64 KB
string.find(("a"):rep(1 << 17), "b")
