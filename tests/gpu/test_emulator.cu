/* The emulator must catch, or at least show, what a GPU would punish: each mistake is made here on
 * purpose, beside the same without it. */
#include "gpu/check.h"

#include "lab/cuda/async.cuh"

#ifndef LAB_EMULATED
int main() {
    printf("ok 1 # SKIP this is a GPU, not the emulator\n1..1\n");
}
#else

#include "emulator.h"

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

enum { N = 128 };
static const emulated_order orders[] = {EMULATED_FORWARD, EMULATED_BACKWARD, EMULATED_SHUFFLED};

/* ── kernels with a mistake and without ── */
static __global__ void turn_round(float *out,
                                  bool barrier) { /* every thread reads what another warp wrote */
    LAB_SHARED(float, shared, N);
    shared[threadIdx.x] = static_cast<float>(threadIdx.x);
    if (barrier) __syncthreads();
    out[threadIdx.x] = shared[(threadIdx.x + 48) % N];
}
static __global__ void fill(float *out, int from, int count) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < count) out[from + i] = 1;
}
static __global__ void fill_shared(int count) {
    LAB_SHARED_MEMORY(float, shared);
    if (static_cast<int>(threadIdx.x) < count) shared[threadIdx.x] = 1;
}
static __global__ void divided_barrier(bool divided) {
    if (!divided || threadIdx.x < 40) __syncthreads();
}
static __global__ void divided_shuffle(float *out, bool divided) {
    if (divided && threadIdx.x == 3) return;
    out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, static_cast<float>(threadIdx.x), 1);
}
static __global__ void copy_async(float *out, const float *in, bool wait) {
    LAB_SHARED_MEMORY(float, shared);
    lab_copy16(shared + 4 * threadIdx.x, in + 4 * threadIdx.x, true);
    lab_copy_commit();
    if (wait) lab_copy_wait<0>();
    for (unsigned i = 0; i < 4; i++) out[4 * threadIdx.x + i] = shared[4 * threadIdx.x + i];
}
static __global__ void copy_four(float *out, const float *in) {
    *reinterpret_cast<float4 *>(out) = *reinterpret_cast<const float4 *>(in);
}
static __global__ void set(float *out, float value) {
    out[threadIdx.x] = value;
}

/* ── helpers ── */
struct floats { /* on the device */
    float *at = nullptr;
    floats() {
        (void)cudaMalloc(reinterpret_cast<void **>(&at), N * sizeof(float));
    }
    floats(const floats &) = delete;
    ~floats() {
        (void)cudaFree(at);
    }
    std::vector<float> take() const {
        std::vector<float> to(N);
        (void)cudaMemcpy(to.data(), at, N * sizeof(float), cudaMemcpyDeviceToHost);
        return to;
    }
};
static bool faulted(const char *word) { /* and forgets it */
    const char *text = emulated_fault_text();
    const bool there = text && strstr(text, word) && cudaGetLastError() != cudaSuccess;
    emulated_clear_fault();
    return there;
}
static bool turned(bool barrier) {
    floats out;
    bool right = true;
    for (emulated_order order : orders) {
        emulated_set_order(order);
        LAB_LAUNCH(turn_round, 1, N, 0, nullptr, out.at, barrier);
        const std::vector<float> got = out.take();
        for (unsigned i = 0; i < N; i++) right &= got[i] == static_cast<float>((i + 48) % N);
    }
    return right;
}

/* ── checks ── */
static void barriers(struct check *c) {
    floats out;
    check(c, turned(true), "with its barrier a kernel is right in every order");
    check(c, !turned(false), "without, it is wrong in one of them");
    LAB_LAUNCH(divided_barrier, 1, 64, 0, nullptr, false);
    check(c, !emulated_fault_text(), "a barrier that all threads reach");
    LAB_LAUNCH(divided_barrier, 1, 64, 0, nullptr, true);
    check(c, faulted("__syncthreads"), "one that not all reach is a fault");
    LAB_LAUNCH(divided_shuffle, 1, 32, 0, nullptr, out.at, false);
    check(c, !emulated_fault_text() && out.take()[3] == 2, "a shuffle of a whole warp");
    LAB_LAUNCH(divided_shuffle, 1, 32, 0, nullptr, out.at, true);
    check(c, faulted("__shfl_xor_sync"), "one that waits for a lane that has left is a fault");
}
static void bounds(struct check *c) {
    static const struct {
        int from, count;
        const char *fault, *name;
    } cases[] = {{0, N, nullptr, "inside"},
                 {1, N, "behind", "one behind the end"},
                 {-1, N, "before", "one before the beginning"}};
    floats out;
    for (auto &x : cases) {
        LAB_LAUNCH(fill, 1, N, 0, nullptr, out.at, x.from, x.count);
        const bool well = x.fault ? faulted(x.fault) : !emulated_fault_text();
        check(c, well, "a write %s", x.name);
    }
    LAB_LAUNCH(fill_shared, 1, N, 64 * sizeof(float), nullptr, 64);
    check(c, !emulated_fault_text(), "a write inside shared memory");
    LAB_LAUNCH(fill_shared, 1, N, 64 * sizeof(float), nullptr, 65);
    check(c, faulted("shared"), "a write behind shared memory");
    check(c, std::isnan(floats().take()[0]), "new memory is not a number");
}
static void refusals(struct check *c) {
    float host = 0;
    floats out;
    LAB_LAUNCH(set, 1, 2048, 0, nullptr, out.at, 1.0f);
    check(c, cudaGetLastError() == cudaErrorInvalidConfiguration, "2048 threads are refused");
    LAB_LAUNCH(set, 1, 32, 64 * 1024, nullptr, out.at, 1.0f);
    check(c, cudaGetLastError() != cudaSuccess, "64 KiB of shared memory are, where not asked for");
    (void)cudaFuncSetAttribute(set, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
    LAB_LAUNCH(set, 1, 32, 64 * 1024, nullptr, out.at, 1.0f);
    check(c, cudaGetLastError() == cudaSuccess, "and given where they are");
    (void)cudaMemcpy(&host, out.at, (N + 1) * sizeof host, cudaMemcpyDeviceToHost);
    check(c, faulted("copy"), "a copy of more than there is");
    (void)cudaMemcpy(&host, &host, sizeof host, cudaMemcpyHostToDevice);
    check(c, faulted("copy"), "a copy to host memory that is said to be the device's");
    void *memory = nullptr;
    check(c, cudaMalloc(&memory, size_t(1) << 50) == cudaErrorMemoryAllocation && !memory,
          "more memory than there is");
    (void)cudaGetLastError();
}
/* In a process of its own, which a GPU's fault ends. */
static bool dies(size_t off) {
    (void)fflush(stdout);
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        floats from, to;
        (void)freopen("/dev/null", "w", stderr);
        LAB_LAUNCH(copy_four, 1, 1, 0, nullptr, to.at, from.at + off);
        _exit(cudaGetLastError() != cudaSuccess);
    }
    return waitpid(child, &status, 0) == child && status != 0;
}
static void boundaries(struct check *c) {
    floats out;
    check(c, !dies(0) && !dies(4), "four floats at a 16-byte boundary");
    check(c, dies(1) && dies(2), "off it they are a fault");
    check(c,
          cudaFuncSetAttribute(set, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024) !=
              cudaSuccess,
          "100 KiB of shared memory are more than every GPU has");
    (void)cudaGetLastError();
}
static void rest(void *) {
    (void)usleep(20000);
}
static void answers(struct check *c) {
    cudaStream_t stream;
    cudaEvent_t event;
    (void)cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    (void)cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    (void)cudaLaunchHostFunc(stream, rest, nullptr);
    (void)cudaEventRecord(event, stream);
    check(c,
          cudaEventQuery(event) == cudaErrorNotReady && cudaGetLastError() == cudaErrorNotReady &&
              cudaGetLastError() == cudaSuccess,
          "\"not ready\" is the last error until it is taken");
    (void)cudaStreamDestroy(stream);
    (void)cudaEventDestroy(event);
}
static void asynchronous_copies(struct check *c) {
    floats in, out;
    LAB_LAUNCH(set, 1, N, 0, nullptr, in.at, 5.0f);
    LAB_LAUNCH(copy_async, 1, N / 4, N * sizeof(float), nullptr, out.at, in.at, true);
    check(c, out.take()[N - 1] == 5, "an asynchronous copy, waited for");
    LAB_LAUNCH(copy_async, 1, N / 4, N * sizeof(float), nullptr, out.at, in.at, false);
    check(c, out.take()[N - 1] != 5, "not waited for, it has not come");
}
/* How often of fifty times a stream reads what another has not yet written. */
static int stale(bool with_event) {
    floats from, to;
    cudaStream_t writer, reader;
    cudaEvent_t written;
    int count = 0;
    (void)cudaStreamCreateWithFlags(&writer, cudaStreamNonBlocking);
    (void)cudaStreamCreateWithFlags(&reader, cudaStreamNonBlocking);
    (void)cudaEventCreateWithFlags(&written, cudaEventDisableTiming);
    for (int i = 0; i < 50; i++) {
        LAB_LAUNCH(set, 1, N, 0, writer, from.at, static_cast<float>(i));
        (void)cudaEventRecord(written, writer);
        if (with_event) (void)cudaStreamWaitEvent(reader, written, 0);
        (void)cudaMemcpyAsync(to.at, from.at, N * sizeof(float), cudaMemcpyDeviceToDevice, reader);
        (void)cudaStreamSynchronize(reader);
        (void)cudaStreamSynchronize(writer);
        count += to.take()[0] != static_cast<float>(i);
    }
    (void)cudaEventDestroy(written);
    (void)cudaStreamDestroy(reader);
    (void)cudaStreamDestroy(writer);
    return count;
}

int main() {
    struct check c = {};
    emulated_quiet(true);
    emulated_set_async(true);
    const int with = stale(true), without = stale(false);
    check(&c, with == 0, "streams that meet by an event: stale %d of 50 times", with);
    check(&c, without > 0, "streams that should and do not: stale %d of 50 times", without);
    answers(&c);
    emulated_set_async(false);
    boundaries(&c);
    barriers(&c);
    bounds(&c);
    refusals(&c);
    asynchronous_copies(&c);
    return check_done(&c);
}
#endif
