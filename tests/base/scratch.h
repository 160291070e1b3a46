/* scratch.h: a folder of a test's own, gone when the test ends; and a child without root's
 * rights. */
#ifndef TESTS_BASE_SCRATCH_H
#define TESTS_BASE_SCRATCH_H

#include "base/base.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Setup: *state is the folder's path. Everybody may enter, so that a child without rights finds its
 * files. */
static inline int scratch_make(void **state) {
    char *folder = base_dup("/tmp/zerotutor-test-XXXXXX");
    if (!mkdtemp(folder) || chmod(folder, 0755) != 0) return -1;
    *state = folder;
    return 0;
}

static inline int scratch_forget(const char *path, const struct stat *s, int kind, struct FTW *at) {
    (void)s, (void)kind, (void)at;
    return remove(path);
}

static inline int scratch_remove(void **state) {
    int status = nftw(*state, scratch_forget, 16, FTW_DEPTH | FTW_PHYS);
    free(*state);
    return status;
}

/* A path in the folder; the caller's. */
static inline char *scratch_path(void **state, const char *name) {
    return base_format("%s/%s", (const char *)*state, name);
}

/* What `body` returns when a child runs it, as nobody where this is root (whom no permission
 * stops); -1 if it died. */
static inline int scratch_unprivileged(int (*body)(const char *path), const char *path) {
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(111);
        _exit(body(path));
    }
    int status;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

#endif
