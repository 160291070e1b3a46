/* Where zerolab is: $ZEROLAB, else beside the executable. */
#include "trial/inside.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of the running program; where the system does not tell, the one that goes with the lessons. */
static char *own_folder(void) {
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    char *slash = NULL;
    if (n > 0) {
        path[n] = '\0';
        slash = strrchr(path, '/');
    }
    if (slash) return base_format("%.*s", (int)(slash - path), path);
    char *built = base_share_path("build"), *installed = base_share_path("../../bin");
    bool checkout = access(built, X_OK) == 0;
    free(checkout ? installed : built);
    return checkout ? built : installed;
}

static bool can_run(const char *path) {
    return access(path, X_OK) == 0;
}

char *trial_find_lab(struct base_message *m) {
    const char *told = getenv("ZEROLAB");
    if (told && *told) {
        if (can_run(told)) return base_dup(told);
        base_fail(m, "ZEROLAB is '%s', which cannot be run (%s): set it to the path of zerolab",
                  told, strerror(errno));
        return NULL;
    }
    char *folder = own_folder(), *path = base_format("%s/zerolab", folder);
    free(folder);
    if (can_run(path)) return path;
    base_fail(m,
              "the lab is not built: there is no %s. `make` builds it; or set ZEROLAB to where it "
              "is",
              path);
    free(path);
    return NULL;
}
