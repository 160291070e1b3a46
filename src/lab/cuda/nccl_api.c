#include "lab/cuda/nccl_api.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ── where it is ── */

/* As pip lays them: nvidia/nccl/lib of a virtual environment, of the person, of the system. */
static const struct {
    const char *root, *folder; /* root: of a variable; NULL: of the system */
} wheels[] = {
    {"VIRTUAL_ENV",  "/lib"          },
    {"CONDA_PREFIX", "/lib"          },
    {"HOME",         "/.local/lib"   },
    {NULL,           "/usr/local/lib"},
    {NULL,           "/usr/lib"      },
    {NULL,           "/opt/conda/lib"},
};
static const char *const places[] = {"libnccl.so.2", "libnccl.so",
                                     "/usr/local/cuda/lib64/libnccl.so.2",
                                     "/usr/local/cuda/lib/libnccl.so.2"};

static void *open_library(const char *path, struct lab_nccl *n) {
    n->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (n->library) (void)snprintf(n->path, sizeof n->path, "%s", path);
    return n->library;
}
static void *open_wheel(size_t i, struct lab_nccl *n) {
    char pattern[512];
    glob_t found;
    const char *root = wheels[i].root ? getenv(wheels[i].root) : "";
    if (!root) return NULL;
    (void)snprintf(pattern, sizeof pattern, "%s%s/python3*/*-packages/nvidia/nccl/lib/libnccl.so.2",
                   root, wheels[i].folder);
    if (glob(pattern, 0, NULL, &found)) return NULL;
    for (size_t k = 0; k < found.gl_pathc && !n->library; k++)
        (void)open_library(found.gl_pathv[k], n);
    globfree(&found);
    return n->library;
}
static bool find(struct lab_nccl *n, struct lab_message *m) {
    const char *own = getenv("ZEROLAB_NCCL");
    if (own && *own) {
        if (!open_library(own, n))
            (void)snprintf(m->text, sizeof m->text, "ZEROLAB_NCCL: %.200s", dlerror());
        return n->library;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (open_library(places[i], n)) return true;
    for (size_t i = 0; i < sizeof wheels / sizeof *wheels; i++)
        if (open_wheel(i, n)) return true;
    (void)snprintf(m->text, sizeof m->text,
                   "libnccl.so.2 is not found, neither in the system nor among Python's packages: "
                   "say where it is in ZEROLAB_NCCL, or use --comm local");
    return false;
}

/* ── what is in it ── */

/* A function's address is stored as an object's: POSIX lets it (dlsym), C does not spell it. */
#define TAKE(member, name)                                                                         \
    do {                                                                                           \
        void *at = dlsym(n->library, name);                                                        \
        memcpy(&n->member, &at, sizeof at);                                                        \
    } while (0)
static bool take_all(struct lab_nccl *n) {
    TAKE(get_version, "ncclGetVersion");
    TAKE(get_unique_id, "ncclGetUniqueId");
    TAKE(init, "ncclCommInitRankConfig");
    TAKE(async_error, "ncclCommGetAsyncError");
    TAKE(abort, "ncclCommAbort");
    TAKE(error_text, "ncclGetErrorString");
    TAKE(last_error, "ncclGetLastError");
    TAKE(all_reduce, "ncclAllReduce");
    TAKE(reduce_scatter, "ncclReduceScatter");
    TAKE(all_gather, "ncclAllGather");
    TAKE(broadcast, "ncclBroadcast");
    TAKE(memory, "ncclMemAlloc");
    TAKE(free, "ncclMemFree");
    TAKE(enroll, "ncclCommRegister");
    TAKE(dismiss, "ncclCommDeregister");
    return n->get_version && n->get_unique_id && n->init && n->async_error && n->abort &&
           n->error_text && n->last_error && n->all_reduce && n->reduce_scatter && n->all_gather &&
           n->broadcast;
}
bool lab_nccl_load(struct lab_nccl *n, struct lab_message *m) {
    *n = (struct lab_nccl){.library = NULL};
    if (!find(n, m)) return false;
    bool whole = take_all(n);
    if (n->get_version) (void)n->get_version(&n->version);
    if (whole && n->version >= LAB_NCCL_LEAST) return true;
    (void)snprintf(m->text, sizeof m->text,
                   "NCCL %d.%d.%d at %.150s is too old: 2.18 or later is needed",
                   n->version / 10000, n->version / 100 % 100, n->version % 100, n->path);
    lab_nccl_unload(n);
    return false;
}
void lab_nccl_unload(struct lab_nccl *n) {
    if (n->library) (void)dlclose(n->library);
    n->library = NULL;
}
bool lab_nccl_found(char *path, size_t size, int *version) {
    struct lab_nccl n;
    struct lab_message m = {""};
    if (!lab_nccl_load(&n, &m)) return false;
    (void)snprintf(path, size, "%s", n.path);
    *version = n.version;
    lab_nccl_unload(&n);
    return true;
}
