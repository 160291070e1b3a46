-- 2: table.insert takes plain tables*
table.insert(engine, 1)
