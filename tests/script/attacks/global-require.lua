-- 2: *global 'require'*
require "os"
