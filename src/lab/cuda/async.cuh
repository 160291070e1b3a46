/* Copies from global to shared memory that a thread need not wait for (cp.async, sm_80 and
 * later). */
#ifndef LAB_ASYNC_CUH
#define LAB_ASYNC_CUH

#include "lab/cuda/kernel.cuh"

#ifdef LAB_EMULATED

static inline void lab_copy16(void *shared, const void *global, bool there) {
    emulated_copy_later(shared, global, 16, there ? 16 : 0);
}
static inline void lab_copy_commit() {
    emulated_copy_commit();
}
template <int LEFT> static inline void lab_copy_wait() {
    emulated_copy_wait(LEFT);
}

#else

__device__ __forceinline__ uint32_t lab_shared_address(const void *shared) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}
/* Copies 16 bytes past the first-level cache, or zeros if there is nothing to copy. `global` must
 * be a valid address even then. */
__device__ __forceinline__ void lab_copy16(void *shared, const void *global, bool there) {
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(lab_shared_address(shared)),
        "l"(__cvta_generic_to_global(global)), "r"(there ? 16 : 0)
        : "memory");
}
/* Makes a group of the copies that were begun since the last commit. */
__device__ __forceinline__ void lab_copy_commit() {
    asm volatile("cp.async.commit_group;\n" ::: "memory");
}
/* Waits until all groups but the newest LEFT have arrived; other threads see it after a barrier. */
template <int LEFT> __device__ __forceinline__ void lab_copy_wait() {
    asm volatile("cp.async.wait_group %0;\n" ::"n"(LEFT) : "memory");
}

#endif

#endif
