-- 2: ???bytes
error("\xff\xfe\x80bytes")
