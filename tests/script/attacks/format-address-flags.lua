-- 2: string.format: %p is not available
error(string.format("%-20p", {}))
