/* What kernels see: where they are, barriers, shuffles, votes, atomics, arithmetic. */
#ifndef EMULATED_KERNEL_SIDE_H
#define EMULATED_KERNEL_SIDE_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <tuple>
#include <utility>

#define __global__ __attribute__((noinline))
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__

/* ── where a thread is ── */
struct emulated_place {
    uint3 thread, block;
    dim3 block_size, grid_size;
};
extern __thread emulated_place *emulated_here;
#define threadIdx (emulated_here->thread)
#define blockIdx  (emulated_here->block)
#define blockDim  (emulated_here->block_size)
#define gridDim   (emulated_here->grid_size)
static constexpr int warpSize = 32;

/* ── launching and shared memory ── */
struct emulated_launch_of {
    const char *name;
    const void *kernel;
    dim3 grid, block;
    size_t shared;
};
void emulated_launch(const emulated_launch_of &launch, cudaStream_t stream,
                     std::function<void()> body);
/* Of what looks like an address among a launch's arguments: a fault where it lies on a GPU whose
 * memory this one cannot read. */
void emulated_check_reach(const char *name, const void *arguments, size_t bytes);
template <class... Parameters, class... Arguments>
static inline void emulated_launch_with(const char *name, dim3 grid, dim3 block, size_t shared,
                                        cudaStream_t stream, void (*kernel)(Parameters...),
                                        Arguments &&...arguments) {
    std::tuple<Parameters...> values(std::forward<Arguments>(arguments)...);
    emulated_check_reach(name, &values, sizeof values);
    emulated_launch({name, reinterpret_cast<const void *>(kernel), grid, block, shared}, stream,
                    [kernel, values] { std::apply(kernel, values); });
}
void *emulated_dynamic_shared();
void *emulated_static_shared(const void *key, size_t bytes);

/* ── meeting ── */
/* what a lane brings to a meeting of its warp, and what it takes away */
struct emulated_slot {
    alignas(16) unsigned char bytes[64];
};
using emulated_meeting = void (*)(emulated_slot *slots, unsigned mask);
/* Blocks until all lanes of `mask` are in the same meeting; the last one runs `meet` over all
 * slots. The caller's own slot comes back. */
emulated_slot *emulated_meet(const char *what, unsigned mask, emulated_meeting meet,
                             const void *brought, size_t bytes);
unsigned emulated_lane();
int emulated_barrier(int value); /* sum of `value` over the block */
void emulated_copy_later(void *to, const void *from, size_t bytes, size_t valid);
void emulated_copy_commit();
void emulated_copy_wait(int left);

static inline void __syncthreads() {
    emulated_barrier(0);
}
static inline int __syncthreads_count(int predicate) {
    return emulated_barrier(predicate != 0);
}
static inline int __syncthreads_or(int predicate) {
    return emulated_barrier(predicate != 0) != 0;
}
static inline void __syncwarp(unsigned mask = 0xffffffffu) {
    emulated_meet("__syncwarp", mask, nullptr, nullptr, 0);
}
static inline void __threadfence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
static inline void __threadfence_block() {}
static inline void __threadfence_system() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

struct emulated_shuffle {
    unsigned char value[16];
    /* lane */
    int from;
};
void emulated_shuffle_meet(emulated_slot *slots, unsigned mask);
template <class T>
static inline T emulated_shuffle_from(const char *what, unsigned mask, T value, int from) {
    static_assert(sizeof(T) <= 16, "a shuffle moves at most 16 bytes");
    emulated_shuffle brought = {};
    std::memcpy(brought.value, &value, sizeof value);
    brought.from = from;
    emulated_slot *slot =
        emulated_meet(what, mask, emulated_shuffle_meet, &brought, sizeof brought);
    std::memcpy(&value, slot->bytes, sizeof value);
    return value;
}
static inline int emulated_segment(int width) {
    return int(emulated_lane()) & ~(width - 1);
}
template <class T> static inline T __shfl_sync(unsigned mask, T value, int from, int width = 32) {
    return emulated_shuffle_from("__shfl_sync", mask, value,
                                 emulated_segment(width) + (from & (width - 1)));
}
template <class T>
static inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
    int lane = int(emulated_lane()), from = lane ^ bits;
    if (from >= emulated_segment(width) + width) from = lane;
    return emulated_shuffle_from("__shfl_xor_sync", mask, value, from);
}
template <class T>
static inline T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32) {
    int lane = int(emulated_lane()), from = lane + int(by);
    if (from >= emulated_segment(width) + width) from = lane;
    return emulated_shuffle_from("__shfl_down_sync", mask, value, from);
}
template <class T>
static inline T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32) {
    int lane = int(emulated_lane()), from = lane - int(by);
    if (from < emulated_segment(width)) from = lane;
    return emulated_shuffle_from("__shfl_up_sync", mask, value, from);
}
void emulated_vote_meet(emulated_slot *slots, unsigned mask);
static inline unsigned __ballot_sync(unsigned mask, int predicate) {
    unsigned brought = predicate != 0, votes = 0;
    emulated_slot *slot =
        emulated_meet("__ballot_sync", mask, emulated_vote_meet, &brought, sizeof brought);
    std::memcpy(&votes, slot->bytes, sizeof votes);
    return votes;
}
static inline int __any_sync(unsigned mask, int predicate) {
    return __ballot_sync(mask, predicate) != 0;
}
static inline int __all_sync(unsigned mask, int predicate) {
    return __ballot_sync(mask, predicate) == mask;
}

/* ── atomics: blocks of several streams may run side by side ── */
template <class T> static inline T atomicAdd(T *at, T value) {
    T old, sum;
    __atomic_load(at, &old, __ATOMIC_RELAXED);
    do sum = old + value;
    while (!__atomic_compare_exchange(at, &old, &sum, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    return old;
}
template <class T> static inline T atomicMax(T *at, T value) {
    T old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (old < value && !__atomic_compare_exchange_n(at, &old, value, true, __ATOMIC_SEQ_CST,
                                                       __ATOMIC_RELAXED)) {
    }
    return old;
}
template <class T> static inline T atomicMin(T *at, T value) {
    T old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (old > value && !__atomic_compare_exchange_n(at, &old, value, true, __ATOMIC_SEQ_CST,
                                                       __ATOMIC_RELAXED)) {
    }
    return old;
}
template <class T> static inline T atomicExch(T *at, T value) {
    T old;
    __atomic_exchange(at, &value, &old, __ATOMIC_SEQ_CST);
    return old;
}
template <class T> static inline T atomicOr(T *at, T value) {
    return __atomic_fetch_or(at, value, __ATOMIC_SEQ_CST);
}
template <class T> static inline T atomicCAS(T *at, T expected, T value) {
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}
static inline unsigned atomicInc(unsigned *at, unsigned limit) {
    unsigned old = __atomic_load_n(at, __ATOMIC_RELAXED), next;
    do next = old >= limit ? 0 : old + 1;
    while (!__atomic_compare_exchange_n(at, &old, next, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    return old;
}

/* ── arithmetic and bits ── */
template <class To, class From> static inline To emulated_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "same size");
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
static inline unsigned __float_as_uint(float x) {
    return emulated_bits<unsigned>(x);
}
static inline float __uint_as_float(unsigned x) {
    return emulated_bits<float>(x);
}
static inline int __float_as_int(float x) {
    return emulated_bits<int>(x);
}
static inline float __int_as_float(int x) {
    return emulated_bits<float>(x);
}
static inline int __popc(unsigned x) {
    return __builtin_popcount(x);
}
static inline int __clz(int x) {
    return x ? __builtin_clz(unsigned(x)) : 32;
}
static inline int __ffs(int x) {
    return __builtin_ffs(x);
}
/* macros: the C library has such names of its own */
#define __expf(x)    expf(x)
#define __exp2f(x)   exp2f(x)
#define __logf(x)    logf(x)
#define __log2f(x)   log2f(x)
#define __powf(x, y) powf(x, y)
#define __tanhf(x)   tanhf(x)
static inline float rsqrtf(float x) {
    return 1 / sqrtf(x);
}
static inline double rsqrt(double x) {
    return 1 / sqrt(x);
}
static inline float __fdividef(float a, float b) {
    return a / b;
}
static inline float __fdiv_rn(float a, float b) {
    return a / b;
}
static inline float __frcp_rn(float a) {
    return 1 / a;
}
static inline float __frsqrt_rn(float a) {
    return 1 / sqrtf(a);
}
static inline float __fsqrt_rn(float a) {
    return sqrtf(a);
}
static inline float __fmul_rn(float a, float b) {
    return a * b;
}
static inline float __fadd_rn(float a, float b) {
    return a + b;
}
static inline float __fsub_rn(float a, float b) {
    return a - b;
}
static inline float __fmaf_rn(float a, float b, float c) {
    return fmaf(a, b, c);
}
static inline double __dmul_rn(double a, double b) {
    return a * b;
}
static inline double __dadd_rn(double a, double b) {
    return a + b;
}
template <class A, class B>
static inline constexpr typename std::common_type<A, B>::type min(A a, B b) {
    using C = typename std::common_type<A, B>::type;
    return C(b) < C(a) ? C(b) : C(a);
}
template <class A, class B>
static inline constexpr typename std::common_type<A, B>::type max(A a, B b) {
    using C = typename std::common_type<A, B>::type;
    return C(a) < C(b) ? C(b) : C(a);
}
template <class T> static inline T __ldg(const T *at) {
    return *at;
}
template <class T> static inline T __ldcs(const T *at) {
    return *at;
}
template <class T> static inline T __ldcg(const T *at) {
    return *at;
}
template <class T> static inline void __stcs(T *at, T value) {
    *at = value;
}
template <class T> static inline void __stcg(T *at, T value) {
    *at = value;
}
static inline long long clock64() {
    return 0;
}
static inline void __nanosleep(unsigned) {}
[[noreturn]] void emulated_trap();
static inline void __trap() {
    emulated_trap();
}

#endif
