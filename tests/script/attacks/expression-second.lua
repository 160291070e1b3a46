-- 2: say 'a': text: ${1); gb = (nil}: *expected*
return lesson { id = "0.1", title = "t", say { id = "a", "${1); gb = (nil}" } }
