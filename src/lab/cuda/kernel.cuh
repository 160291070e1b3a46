/* Every .cu file of zerolab includes this first. nvcc compiles the source, and for tests a C++
 * compiler does, with the emulator in tests/gpu/emulator, whose headers have CUDA's names. So
 * launches and shared memory go through these macros. */
#ifndef LAB_CUDA_KERNEL_CUH
#define LAB_CUDA_KERNEL_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <stddef.h>
#include <stdint.h>

/* LAB_LAUNCH(kernel, grid, block, shared_bytes, stream, args…): launches; put a kernel with
 * template arguments in parentheses. LAB_SHARED(type, name, count): a fixed array shared by the
 * block. LAB_SHARED_MEMORY(type, name): the launch's own shared bytes. */
#ifdef LAB_EMULATED
#define LAB_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)                                 \
    emulated_launch_with(#kernel, grid, block, shared_bytes, stream, kernel, __VA_ARGS__)
#define LAB_SHARED(type, name, count)                                                              \
    static char name##_key;                                                                        \
    type *const name =                                                                             \
        static_cast<type *>(emulated_static_shared(&name##_key, sizeof(type) * size_t(count)))
#define LAB_SHARED_MEMORY(type, name)                                                              \
    type *const name = static_cast<type *>(emulated_dynamic_shared())
#else
#define LAB_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)                                 \
    (kernel)<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__)
#define LAB_SHARED(type, name, count) __shared__ type name[count]
#define LAB_SHARED_MEMORY(type, name)                                                              \
    extern __shared__ __align__(128) unsigned char lab_shared_memory[];                            \
    type *const name = reinterpret_cast<type *>(lab_shared_memory)
#endif

#endif
