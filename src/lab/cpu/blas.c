/* The BLAS that is loaded: which it is, and what it is told before that. What a program was linked
 * with says little: the system may put another library in its place (Debian's alternatives, for
 * one), so the functions are asked that are there when it runs.
 *
 * BLAS libraries choose threads and kernels while they are loaded, so the launcher chooses for
 * them, before it executes the ranks. OpenBLAS picks kernels by the processor's model and falls
 * back to very old ones where it is newer than the library (0.3.21 takes recent Xeons for a
 * "Prescott": a quarter of the speed); by features there is nothing to mistake. What the user has
 * set stays. */
#include "lab/cpu/backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const one_thread[] = {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS",
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
void lab_blas_environment(void) {
    for (size_t i = 0; i < sizeof one_thread / sizeof *one_thread; i++)
        setenv(one_thread[i], "1", 1);
    if (core_type()) setenv("OPENBLAS_CORETYPE", core_type(), 0);
}

/* ── which it is ── */

/* A function of its own says its version, with the name before it or without. */
static const struct {
    const char *name, *function;
} known[] = {
    {"OpenBLAS", "openblas_get_config"},  /* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …" */
    {"BLIS", "bli_info_get_version_str"}, /* "0.9.0" */
};
static void *found(const char *symbol) {
    return dlsym(RTLD_DEFAULT, symbol);
}
static bool says_version(size_t i, char *out, size_t size) {
    const char *(*ask)(void);
    void *function = found(known[i].function);
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
    return found(known[0].function) != NULL;
}

const char *lab_blas(char *name, size_t size) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (says_version(i, name, size)) return NULL;
    if (!is_reference()) return name_file(name, size), NULL;
    (void)snprintf(name, size, "reference BLAS");
    return "it computes many times slower than OpenBLAS or BLIS";
}
