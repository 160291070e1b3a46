-- 2: this table cannot be changed (ledger)
engine.ledger = function() return {} end
