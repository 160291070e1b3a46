-- 2: *global 'import'*
import "steps"
