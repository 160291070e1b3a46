-- 2: say 'a': text: ${(function() while true do end end)()}: an expression cannot define functions
return lesson { id = "0.1", title = "t", say { id = "a", "${(function() while true do end end)()}" } }
