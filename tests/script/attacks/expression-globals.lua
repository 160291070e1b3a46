-- 2: say 'a': text: ${_G}: it is nil*
return lesson { id = "0.1", title = "t", say { id = "a", "${_G}" } }
