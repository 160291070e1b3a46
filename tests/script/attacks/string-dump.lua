-- 2: *field 'dump'*
string.dump(error)
