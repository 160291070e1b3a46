-- 2: *global '_G'*
_G.say = nil
