-- 2: <table><function>
error(string.format("<%s><%s>", {}, tostring))
