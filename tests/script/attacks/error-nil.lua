-- 2: the lesson raised a nil*
error(nil)
