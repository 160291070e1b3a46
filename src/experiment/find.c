/* Where zerolab is: $ZEROLAB, else next to the executable; and so zerolab-cuda, $ZEROLAB_CUDA. */
#include "experiment/inside.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of the running program; where the system does not tell, the one that goes with the
 * lessons. */
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

/* What the environment says of it; NULL with the message filled where that cannot be run. */
static char *told_path(const char *variable, const char *name, struct base_message *m) {
    const char *told = getenv(variable);
    if (can_run(told)) return base_dup(told);
    base_fail(m, "%s is '%s', which cannot be run (%s): set it to the path of %s", variable, told,
              strerror(errno), name);
    return NULL;
}

static bool is_told(const char *variable) {
    return getenv(variable) && *getenv(variable);
}

static char *next_to_program(const char *name) {
    char *folder = own_folder(), *path = base_format("%s/%s", folder, name);
    free(folder);
    return path;
}

char *experiment_find_lab(struct base_message *m) {
    if (is_told("ZEROLAB")) return told_path("ZEROLAB", "zerolab", m);
    char *path = next_to_program("zerolab");
    if (can_run(path)) return path;
    base_fail(
        m,
        "the lab is not built: cannot find %s. Run `make` to build it, or set ZEROLAB to its path",
        path);
    free(path);
    return NULL;
}

/* Who names a lab means that one: none of another build is put in its place. */
char *experiment_find_cuda(struct base_message *m) {
    if (is_told("ZEROLAB_CUDA")) return told_path("ZEROLAB_CUDA", "zerolab-cuda", m);
    char *path = is_told("ZEROLAB") ? NULL : next_to_program("zerolab-cuda");
    if (path && can_run(path)) return path;
    base_fail(m, "the lab for GPUs is not here: `make` builds zerolab-cuda if it finds nvcc, or "
                 "set ZEROLAB_CUDA to its path");
    free(path);
    return NULL;
}
