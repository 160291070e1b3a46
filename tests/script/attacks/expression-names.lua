-- 2: say 'a': text: ${_ENV}: it is a table*
return lesson { id = "0.1", title = "t", say { id = "a", "${_ENV}" } }
