-- 2: engine.ledger: a training is a table*
engine.ledger(7e9)
