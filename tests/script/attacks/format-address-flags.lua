-- 2: string.format: there is no %p here
error(string.format("%-20p", {}))
