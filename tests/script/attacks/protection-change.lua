-- 2: this table cannot be changed (rep)
string.rep = nil
