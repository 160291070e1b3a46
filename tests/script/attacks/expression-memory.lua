-- 2: say 'a': text: ${('x'):rep(1e12)}: *
return lesson { id = "0.1", title = "t", say { id = "a", "${('x'):rep(1e12)}" } }
