-- 2: *global 'rawset'*
rawset(string, "rep", nil)
