-- 2: say 'a': text: *
return lesson { id = "0.1", title = "t", say { id = "a", "${1\0 + load}" } }
