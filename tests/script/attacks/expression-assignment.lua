-- 2: say 'a': text: ${gb = 1}: *
return lesson { id = "0.1", title = "t", say { id = "a", "${gb = 1}" } }
