/* BLAS libraries choose threads and kernels while they are loaded, so the launcher chooses for them, before it executes the ranks.
 * OpenBLAS picks kernels by the processor's model and falls back to very old ones where it is newer than the library (0.3.21 takes recent
 * Xeons for a "Prescott": a quarter of the speed); by features there is nothing to mistake. What the user has set stays. */
#include "lab/launch_run.h"

#include <stdlib.h>

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
