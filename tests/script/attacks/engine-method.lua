-- 2: engine.ledger: params must be a number or a text*
engine.ledger { params = setmetatable({}, { __tostring = function() while true do end end }) }
