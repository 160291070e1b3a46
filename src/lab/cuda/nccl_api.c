#include "lab/cuda/nccl_api.h"

#include <dlfcn.h>
#include <glob.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── where it is ── */

/* Where pip installs them: nvidia/nccl/lib of a virtual environment, of the user, or of the system.
 */
static const struct {
    /* root: of a variable; NULL: of the system */
    const char *root, *folder;
} wheels[] = {
    {"VIRTUAL_ENV", "/lib"},  {"CONDA_PREFIX", "/lib"}, {"HOME", "/.local/lib"},
    {NULL, "/usr/local/lib"}, {NULL, "/usr/lib"},       {NULL, "/opt/conda/lib"},
};
static const char *const places[] = {"libnccl.so.2", "libnccl.so",
                                     "/usr/local/cuda/lib64/libnccl.so.2",
                                     "/usr/local/cuda/lib/libnccl.so.2"};

static void *open_library(const char *path, struct lab_nccl *n) {
    n->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (n->library) (void)snprintf(n->path, sizeof n->path, "%s", path);
    return n->library;
}
static void *open_wheel(const char *root, int length, const char *folder, struct lab_nccl *n) {
    char pattern[512];
    glob_t found;
    (void)snprintf(pattern, sizeof pattern,
                   "%.*s%s/python3*/*-packages/nvidia/nccl/lib/libnccl.so.2", length, root, folder);
    if (glob(pattern, 0, NULL, &found)) return NULL;
    for (size_t k = 0; k < found.gl_pathc && !n->library; k++)
        (void)open_library(found.gl_pathv[k], n);
    globfree(&found);
    return n->library;
}
/* Next to each folder of $PATH, so that it finds the library of the python3 that is installed
 * there. */
static void *open_near_programs(struct lab_nccl *n) {
    const char *path = getenv("PATH");
    for (const char *at = path; at && *at && !n->library;) {
        size_t length = strcspn(at, ":");
        if (length) (void)open_wheel(at, (int)length, "/../lib", n);
        at += length + (at[length] == ':');
    }
    return n->library;
}
static void *open_any_wheel(struct lab_nccl *n) {
    for (size_t i = 0; i < sizeof wheels / sizeof *wheels && !n->library; i++) {
        const char *root = wheels[i].root ? getenv(wheels[i].root) : "";
        if (root) (void)open_wheel(root, (int)strlen(root), wheels[i].folder, n);
    }
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
    if (open_near_programs(n) || open_any_wheel(n)) return true;
    (void)snprintf(m->text, sizeof m->text,
                   "cannot find libnccl.so.2 in the system or among Python's packages: "
                   "set ZEROLAB_NCCL to its path, or use --comm local");
    return false;
}

/* ── what is in it ── */

#define FUNCTION(member, symbol, least)                                                            \
    { symbol, offsetof(struct lab_nccl, member), least }
static const struct {
    const char *symbol;
    size_t at;
    /* the others came after 2.18 */
    bool needed;
} functions[] = {
    FUNCTION(get_version, "ncclGetVersion", true),
    FUNCTION(get_unique_id, "ncclGetUniqueId", true),
    FUNCTION(init, "ncclCommInitRankConfig", true),
    FUNCTION(async_error, "ncclCommGetAsyncError", true),
    FUNCTION(abort, "ncclCommAbort", true),
    FUNCTION(error_text, "ncclGetErrorString", true),
    FUNCTION(last_error, "ncclGetLastError", true),
    FUNCTION(all_reduce, "ncclAllReduce", true),
    FUNCTION(reduce_scatter, "ncclReduceScatter", true),
    FUNCTION(all_gather, "ncclAllGather", true),
    FUNCTION(broadcast, "ncclBroadcast", true),
    FUNCTION(memory, "ncclMemAlloc", false),
    FUNCTION(free, "ncclMemFree", false),
    FUNCTION(enroll, "ncclCommRegister", false),
    FUNCTION(dismiss, "ncclCommDeregister", false),
    FUNCTION(held, "ncclCommMemStats", false),
};
/* Stores a function's address as an object's, which POSIX allows for dlsym() but C cannot express.
 */
static bool take_all(struct lab_nccl *n) {
    bool whole = true;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(n->library, functions[i].symbol);
        memcpy((char *)n + functions[i].at, &found, sizeof found);
        whole = whole && (found || !functions[i].needed);
    }
    return whole;
}
bool lab_nccl_load(struct lab_nccl *n, struct lab_message *m) {
    *n = (struct lab_nccl){.library = NULL};
    if (!find(n, m)) return false;
    bool whole = take_all(n);
    if (n->get_version) (void)n->get_version(&n->version);
    if (whole && n->version >= LAB_NCCL_LEAST) return true;
    (void)snprintf(m->text, sizeof m->text,
                   "NCCL %d.%d.%d at %.150s is too old: install 2.18 or later", n->version / 10000,
                   n->version / 100 % 100, n->version % 100, n->path);
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

/* ── the environment for --share-gpu: real NCCL, several ranks on one GPU ──
 *
 * NCCL refuses two ranks with the same host and GPU. Since 2.30 a variable allows it; before, each
 * rank says that it is a host of its own, and the data goes over the network, which is the loopback
 * device. Ring and Simple: other algorithms and protocols spin on the GPU, which the ranks have in
 * turn; few blocks, so that all fit next to each other. */

struct setting {
    const char *name, *value;
    /* versions */
    int from, before;
};
static const struct setting settings[] = {
    {"NCCL_MULTI_RANK_GPU_ENABLE", "1", LAB_NCCL_MULTI_RANK, 1 << 30},
    /* "": the rank's own */
    {"NCCL_HOSTID", "", 0, LAB_NCCL_MULTI_RANK},
    {"NCCL_NET", "Socket", 0, LAB_NCCL_MULTI_RANK},
    {"NCCL_SOCKET_IFNAME", "lo", 0, LAB_NCCL_MULTI_RANK},
    {"NCCL_P2P_DISABLE", "1", 0, LAB_NCCL_MULTI_RANK},
    {"NCCL_SHM_DISABLE", "1", 0, LAB_NCCL_MULTI_RANK},
    {"NCCL_MNNVL_ENABLE", "0", 0, LAB_NCCL_MULTI_RANK},
    {"NCCL_CUMEM_ENABLE", "0", 0, LAB_NCCL_MULTI_RANK},
    {"NCCL_NVLS_ENABLE", "0", 0, 1 << 30},
    {"NCCL_ALGO", "Ring", 0, 1 << 30},
    {"NCCL_PROTO", "Simple", 0, 1 << 30},
    {"NCCL_MAX_CTAS", "2", 0, 1 << 30},
};
static bool holds(const struct lab_options *o, const struct setting *s, int version) {
    return o->share_gpu && version >= s->from && version < s->before;
}
/* Does not change a variable that the user has set. */
void lab_nccl_environment_set(const struct lab_options *o, uint32_t rank, int version) {
    char own[64];
    (void)snprintf(own, sizeof own, "zerolab-%ld-%u", (long)getppid(), rank);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (holds(o, &settings[i], version))
            (void)setenv(settings[i].name, *settings[i].value ? settings[i].value : own, 0);
}
void lab_nccl_environment_text(const struct lab_options *o, int version, char *out, size_t size) {
    out[0] = '\0';
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        size_t used = strlen(out);
        const char *there = getenv(settings[i].name), *value = settings[i].value;
        if (!holds(o, &settings[i], version)) continue;
        (void)snprintf(out + used, size - used, "%s%s=%s", used ? " " : "", settings[i].name,
                       there    ? there
                       : *value ? value
                                : "of each rank");
    }
}
