-- 2: say 'a': text: ${1) do local x = (2}: *expected*
return lesson { id = "0.1", title = "t", say { id = "a", "${1) do local x = (2}" } }
