/* Linux tells by a link in /proc. Elsewhere shells leave the path they started in `_`, which POSIX
 * allows and most do. */
#include "executable.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
static bool from_system(char *out, size_t size) {
    ssize_t n = readlink("/proc/self/exe", out, size);
    if (n <= 0 || (size_t)n >= size) return false;
    out[n] = '\0';
    return true;
}
#else
static bool from_system(char *out, size_t size) {
    (void)out, (void)size;
    return false;
}
#endif

static bool from_shell(char *out, size_t size) {
    const char *started = getenv("_");
    char *path = started && strchr(started, '/') ? realpath(started, NULL) : NULL;
    bool fits = path && strlen(path) < size;
    if (fits) memcpy(out, path, strlen(path) + 1);
    free(path);
    return fits;
}

bool base_executable_path(char *out, size_t size) {
    return from_system(out, size) || from_shell(out, size);
}
