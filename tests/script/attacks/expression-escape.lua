-- 2: say 'a': text: ${'?27?2J*
return lesson { id = "0.1", title = "t", say { id = "a", "${'\\27[2J' .. nil}" } }
