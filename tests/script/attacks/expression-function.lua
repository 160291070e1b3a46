-- 2: say 'a': text: ${(function() while true do end end)()}: an expression has no functions of its own
return lesson { id = "0.1", title = "t", minutes = 1, say { id = "a", "${(function() while true do end end)()}" } }
