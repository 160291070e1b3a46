-- 2: *
return lesson { id = "0.1", title = "t", minutes = 1, say { id = "a", "${" .. ('('):rep(20000) .. (')'):rep(20000) .. "}" } }
