/* The BLAS that is loaded: which it is, and what it is told before that. What a program was linked
 * with says little: the system may put another library in its place (Debian's alternatives, for
 * one), so the functions are asked that are there when it runs.
 *
 * BLAS libraries choose threads and kernels while they are loaded, so the launcher chooses for
 * them, before it executes the ranks. In a process that was not executed so they may have started
 * more threads, and are told to use fewer. OpenBLAS picks kernels by the processor's model and
 * falls back to very old ones where it is newer than the library (0.3.21 takes recent Xeons for a
 * "Prescott": a quarter of the speed); by features there is nothing to mistake. What the user has
 * set stays. */
#include "lab/cpu/backend.h"
#include "lab/load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── what it is told ── */

static const char *const variables[] = {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS",
                                        "MKL_NUM_THREADS", "BLIS_NUM_THREADS"};

static const char *core_type(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd");
    if (avx512) return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
    return NULL;
}
void lab_blas_environment(uint32_t threads) {
    char text[16];
    (void)snprintf(text, sizeof text, "%u", threads);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) setenv(variables[i], text, 1);
    if (core_type()) setenv("OPENBLAS_CORETYPE", core_type(), 0);
}

/* ── which it is ── */

/* Each has a function that says its version, with the name before it or without, and functions for
 * its threads. OpenBLAS counts them in int, BLIS in int64_t. */
static const struct {
    const char *name, *version, *get, *set;
    bool wide;
} known[] = {
    /* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …" */
    {"OpenBLAS", "openblas_get_config", "openblas_get_num_threads", "openblas_set_num_threads",
     false},
    /* "0.9.0" */
    {"BLIS", "bli_info_get_version_str", "bli_thread_get_num_threads", "bli_thread_set_num_threads",
     true},
};
static void *found(const char *symbol) {
    return dlsym(RTLD_DEFAULT, symbol);
}
static bool says_version(size_t i, char *out, size_t size) {
    const char *(*ask)(void);
    void *function = found(known[i].version);
    if (!function) return false;
    memcpy(&ask, &function, sizeof ask); /* ISO C has no cast from an object's pointer */
    const char *version = ask();
    size_t name = strlen(known[i].name);
    if (strncmp(version, known[i].name, name) == 0) version += name;
    version += strspn(version, " ");
    (void)snprintf(out, size, "%s %.*s", known[i].name, (int)strcspn(version, " "), version);
    return true;
}
/* Only Netlib's reference implementation has these two (its cblas.h declares them). */
static bool is_reference(void) {
    return found("RowMajorStrg") && found("CBLAS_CallFromC");
}
/* The file in which the products are; "a BLAS without a name" where it is part of the program. */
static void name_file(char *out, size_t size) {
    Dl_info in;
    void *product = found("cblas_sgemm");
    const char *file = product && dladdr(product, &in) ? in.dli_fname : NULL,
               *slash = file ? strrchr(file, '/') : NULL;
    if (slash) file = slash + 1;
    (void)snprintf(out, size, "%s", file ? file : "a BLAS without a name");
}

bool lab_is_openblas(void) {
    return found(known[0].version) != NULL;
}

const char *lab_blas(char *name, size_t size) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (says_version(i, name, size)) return NULL;
    if (!is_reference()) return name_file(name, size), NULL;
    (void)snprintf(name, size, "reference BLAS");
    return "it computes many times slower than OpenBLAS or BLIS, in one thread whatever --threads";
}

/* ── its threads ── */

uint32_t lab_blas_share(const struct lab_options *o) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t share = cores > 0 ? (uint32_t)cores / o->ranks : 1;
    if (lab_space_limited()) return 1;
    return o->threads ? o->threads : share ? share : 1;
}

static const char *thread_function(bool set, bool *wide) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        *wide = known[i].wide;
        if (found(known[i].version)) return set ? known[i].set : known[i].get;
    }
    return NULL;
}

uint32_t lab_blas_threads(const struct lab_options *o) {
    bool wide;
    if (is_reference()) return 1;
    return thread_function(false, &wide) ? lab_blas_share(o) : 0;
}

static uint32_t started(void) {
    bool wide;
    const char *name = thread_function(false, &wide);
    void *function = name ? found(name) : NULL;
    int (*get)(void) = NULL;
    int64_t (*get_wide)(void) = NULL;
    if (!function) return 0;
    memcpy(&get, &function, sizeof get);
    memcpy(&get_wide, &function, sizeof get_wide);
    return (uint32_t)(wide ? get_wide() : get());
}

/* Fewer, never more: a library asks for memory when it starts threads (lab/load.h). BLIS says −1
 * while it was not told. */
void lab_blas_keep_to(uint32_t threads) {
    bool wide;
    const char *name = thread_function(true, &wide);
    void *function = name ? found(name) : NULL;
    void (*set)(int) = NULL;
    void (*set_wide)(int64_t) = NULL;
    if (!function || started() <= threads) return;
    memcpy(&set, &function, sizeof set);
    memcpy(&set_wide, &function, sizeof set_wide);
    if (wide)
        set_wide(threads);
    else
        set((int)threads);
}
