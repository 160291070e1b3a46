-- 2: *
return lesson { id = "0.1", title = "t", say { id = "a", "${" .. ('('):rep(20000) .. (')'):rep(20000) .. "}" } }
