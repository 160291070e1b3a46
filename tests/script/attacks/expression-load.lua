-- 2: say 'a': text: ${load('return 1')()}: attempt to call a nil value (global 'load')
return lesson { id = "0.1", title = "t", say { id = "a", "${load('return 1')()}" } }
