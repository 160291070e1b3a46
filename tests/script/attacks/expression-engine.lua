-- 2: say 'a': text: ${engine.gb(1)}: attempt to index a nil value (global 'engine')
return lesson { id = "0.1", title = "t", say { id = "a", "${engine.gb(1)}" } }
