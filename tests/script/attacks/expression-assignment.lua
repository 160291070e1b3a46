-- 2: say 'a': text: ${gb = 1}: *
return lesson { id = "0.1", title = "t", minutes = 1, say { id = "a", "${gb = 1}" } }
