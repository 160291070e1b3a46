-- 2: say 'a': text: ${('').dump(gb)}: attempt to call a nil value (field 'dump')
return lesson { id = "0.1", title = "t", say { id = "a", "${('').dump(gb)}" } }
