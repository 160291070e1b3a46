-- 2: *global 'coroutine'*
local function tree() local co = coroutine.wrap(tree) co() co() end tree()
