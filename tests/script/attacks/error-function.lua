-- 2: the lesson raised a function*
error(error)
