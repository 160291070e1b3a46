-- 2: this table cannot be changed (table)
engine[{}] = 1
