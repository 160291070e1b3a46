-- 2: *global 'package'*
package.loadlib("libc.so.6", "*")
