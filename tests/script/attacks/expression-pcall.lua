-- 2: say 'a': text: ${pcall(gb)}: attempt to call a nil value (global 'pcall')
return lesson { id = "0.1", title = "t", say { id = "a", "${pcall(gb)}" } }
