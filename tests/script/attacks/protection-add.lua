-- 2: this table cannot be changed (mine)
table.mine = 1
