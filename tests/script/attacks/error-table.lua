-- 2: the lesson raised a table*
error({ "text" })
