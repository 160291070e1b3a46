/* Devices, errors, launches. */
#include "state.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

/* What a block may ask for: 99 KiB on sm_86 and sm_89, the least of all that run sm_80 code (sm_80:
 * 163, sm_90: 227). */
enum { SHARED_OPTIN = 99 * 1024 };
static std::mutex lock;
static cudaError_t sticky = cudaSuccess;
static char fault_text[400];
static bool be_quiet;
static std::atomic<unsigned> flags[64];   /* of each device */
static std::atomic<bool> reaches[64][64]; /* kernels of one read what lies on the other */
static thread_local int current;
static thread_local cudaError_t last;
static std::map<const void *, size_t> &shared_allowed() {
    static auto *all = new std::map<const void *, size_t>;
    return *all;
}

void emulated_fault(cudaError_t error, const char *format, ...) {
    std::lock_guard<std::mutex> guard(lock);
    if (sticky != cudaSuccess) return;
    sticky = error;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault_text, sizeof fault_text, format, arguments);
    va_end(arguments);
    if (!be_quiet) fprintf(stderr, "emulator: %s\n", fault_text);
}
cudaError_t emulated_sticky() {
    return __atomic_load_n(&sticky, __ATOMIC_RELAXED);
}
cudaError_t emulated_failed(cudaError_t error) {
    last = error;
    return error;
}
int emulated_device() {
    return current;
}
static int devices() {
    const char *text = getenv("ZEROLAB_EMULATE_GPUS");
    int n = text ? atoi(text) : 1;
    return n < 0 ? 0 : n > 64 ? 64 : n;
}
/* Taken by another process; or free, and for one process at a time. */
static bool is_busy() {
    const char *text = getenv("ZEROLAB_EMULATE_MODE");
    return text && strcmp(text, "busy") == 0;
}
static int mode() {
    const char *text = getenv("ZEROLAB_EMULATE_MODE");
    return !text                             ? cudaComputeModeDefault
           : strcmp(text, "prohibited") == 0 ? cudaComputeModeProhibited
                                             : cudaComputeModeExclusiveProcess;
}
static int capability() {
    const char *text = getenv("ZEROLAB_EMULATE_CAPABILITY");
    return text ? atoi(text) : 90;
}

/* Where the environment asks for an order. */
static void read_order() {
    static const struct {
        const char *name;
        emulated_order order;
    } orders[] = {{"forward", EMULATED_FORWARD},
                  {"backward", EMULATED_BACKWARD},
                  {"shuffled", EMULATED_SHUFFLED}};
    static const bool once = [] {
        const char *text = getenv("ZEROLAB_EMULATE_ORDER");
        for (auto &o : orders)
            if (text && strcmp(o.name, text) == 0) emulated_set_order(o.order);
        return true;
    }();
    (void)once;
}

static bool can_launch(const emulated_launch_of &l) {
    size_t threads = size_t(l.block.x) * l.block.y * l.block.z;
    if (threads == 0 || threads > 1024 || l.grid.x == 0 || l.grid.y == 0 || l.grid.z == 0 ||
        l.grid.x > 0x7fffffffu || l.grid.y > 65535 || l.grid.z > 65535)
        return false;
    std::lock_guard<std::mutex> guard(lock);
    auto allowed = shared_allowed().find(l.kernel);
    return l.shared <= (allowed == shared_allowed().end() ? 49152 : allowed->second);
}
void emulated_launch(const emulated_launch_of &launch, cudaStream_t stream,
                     std::function<void()> body) {
    if (emulated_sticky() != cudaSuccess) return;
    if (!can_launch(launch)) {
        if (!be_quiet)
            fprintf(stderr, "emulator: kernel %s: a launch no GPU can make\n", launch.name);
        last = cudaErrorInvalidConfiguration;
        return;
    }
    emulated_load(launch.kernel, "ZEROLAB_EMULATE_MODULE");
    if (!emulated_on_current(stream)) {
        last = cudaErrorInvalidResourceHandle; /* a stream of another device */
        return;
    }
    read_order();
    emulated_enqueue(stream, [launch, body = std::move(body)] {
        if (emulated_sticky() != cudaSuccess) return;
        emulated_run_blocks(launch, body);
        if (emulated_sticky() == cudaSuccess) emulated_check_zones(launch.name);
    });
}

bool emulated_reaches(int device, int other) {
    return device == other || reaches[device][other];
}
extern "C" {
const char *emulated_fault_text(void) {
    return emulated_sticky() == cudaSuccess ? nullptr : fault_text;
}
void emulated_clear_fault(void) {
    emulated_drain();
    emulated_mend_zones();
    std::lock_guard<std::mutex> guard(lock);
    sticky = cudaSuccess;
}
void emulated_quiet(bool quiet) {
    be_quiet = quiet;
}

cudaError_t cudaGetDeviceCount(int *count) {
    *count = devices();
    return *count ? cudaSuccess : emulated_failed(cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int *device) {
    *device = current;
    return emulated_sticky();
}
cudaError_t cudaSetDevice(int device) {
    if (devices() == 0) return emulated_failed(cudaErrorNoDevice);
    if (device < 0 || device >= devices()) return emulated_failed(cudaErrorInvalidDevice);
    current = device;
    if (is_busy() || mode() == cudaComputeModeProhibited)
        return emulated_failed(cudaErrorDevicesUnavailable);
    return emulated_sticky();
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return device < 0 || device >= devices() ? emulated_failed(cudaErrorInvalidDevice)
                                             : emulated_sticky();
}
cudaError_t cudaSetDeviceFlags(unsigned asked) {
    flags[current] = asked;
    return emulated_sticky();
}
cudaError_t cudaGetDeviceFlags(unsigned *found) {
    *found = flags[current];
    return emulated_sticky();
}
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device) {
    if (device < 0 || device >= devices()) return emulated_failed(cudaErrorInvalidDevice);
    size_t free, total;
    cudaMemGetInfo(&free, &total);
    *prop = {};
    snprintf(prop->name, sizeof prop->name, "%s%s",
             getenv("ZEROLAB_EMULATE_NAME") ? getenv("ZEROLAB_EMULATE_NAME") : "Emulated GPU",
             getenv("ZEROLAB_EMULATE_MIG") ? " MIG 1g.18gb" : "");
    prop->uuid.bytes[15] = char(device + 1);
    prop->totalGlobalMem = total;
    prop->sharedMemPerBlock = 49152;
    prop->sharedMemPerBlockOptin = SHARED_OPTIN;
    prop->warpSize = 32;
    prop->maxThreadsPerBlock = 1024;
    prop->major = capability() / 10;
    prop->minor = capability() % 10;
    prop->multiProcessorCount = 4;
    prop->pciBusID = device + 1;
    return emulated_sticky();
}
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device) {
    if (device < 0 || device >= devices()) return emulated_failed(cudaErrorInvalidDevice);
    switch (attr) {
    case cudaDevAttrMaxThreadsPerBlock: *value = 1024; break;
    case cudaDevAttrComputeMode: *value = mode(); break;
    case cudaDevAttrWarpSize: *value = 32; break;
    case cudaDevAttrMultiProcessorCount: *value = 4; break;
    case cudaDevAttrComputeCapabilityMajor: *value = 9; break;
    case cudaDevAttrComputeCapabilityMinor: *value = 0; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = SHARED_OPTIN; break;
    case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
    default: return emulated_failed(cudaErrorInvalidValue);
    }
    return emulated_sticky();
}
cudaError_t cudaDeviceGetPCIBusId(char *id, int bytes, int device) {
    if (device < 0 || device >= devices()) return emulated_failed(cudaErrorInvalidDevice);
    snprintf(id, size_t(bytes), "0000:%02x:00.0", unsigned(device + 1));
    return emulated_sticky();
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    *least = 0;
    *greatest = -5;
    return emulated_sticky();
}
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    *can = device != peer && !getenv("ZEROLAB_EMULATE_APART");
    return emulated_sticky();
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
    std::lock_guard<std::mutex> guard(lock);
    if (peer < 0 || peer >= devices() || peer == current)
        return emulated_failed(cudaErrorInvalidDevice);
    return reaches[current][peer].exchange(true)
               ? emulated_failed(cudaErrorPeerAccessAlreadyEnabled)
               : emulated_sticky();
}
cudaError_t cudaDeviceReset(void) {
    emulated_drain();
    return emulated_sticky();
}
cudaError_t cudaDriverGetVersion(int *version) {
    *version = devices() ? CUDART_VERSION : 0;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaPeekAtLastError(void) {
    return emulated_sticky() != cudaSuccess ? emulated_sticky() : last;
}
cudaError_t cudaGetLastError(void) {
    cudaError_t error = cudaPeekAtLastError();
    last = cudaSuccess;
    return error;
}
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value) {
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return emulated_sticky();
    if (value < 0 || value > SHARED_OPTIN) return emulated_failed(cudaErrorInvalidValue);
    std::lock_guard<std::mutex> guard(lock);
    shared_allowed()[kernel] = size_t(value);
    return emulated_sticky();
}

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorDevicesUnavailable, "cudaErrorDevicesUnavailable",
     "CUDA-capable device(s) is/are busy or unavailable"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
};
const char *cudaGetErrorName(cudaError_t error) {
    for (auto &e : errors)
        if (e.error == error) return e.name;
    return "cudaErrorUnknown";
}
const char *cudaGetErrorString(cudaError_t error) {
    for (auto &e : errors)
        if (e.error == error) return e.text;
    return "unknown error";
}
}
