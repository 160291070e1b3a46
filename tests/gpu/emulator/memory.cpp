/* Device memory: host memory between red zones, filled with NaN when new. */
#include "state.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <set>

namespace {

enum { ZONE = 512 };
struct allocation {
    unsigned char *base;
    size_t bytes, spread; /* spread: bytes rounded up, where the zone behind begins */
    int device;
    bool pinned;
};
std::recursive_mutex lock;
std::map<const unsigned char *, allocation> &allocations() {
    static auto *all = new std::map<const unsigned char *, allocation>;
    return *all;
}
size_t used[64];

size_t memory_of_a_device() {
    static const size_t bytes = [] {
        const char *text = getenv("ZEROLAB_EMULATE_MEMORY");
        return text ? size_t(strtoull(text, nullptr, 10)) : size_t(8) << 30;
    }();
    return bytes;
}
const allocation *find(const void *at) {
    auto p = static_cast<const unsigned char *>(at);
    auto next = allocations().upper_bound(p);
    if (next == allocations().begin()) return nullptr;
    const allocation *a = &std::prev(next)->second;
    return p < a->base + ZONE + a->spread ? a : nullptr;
}
bool whole(const unsigned char *zone, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (zone[i] != 0xff) return false;
    return true;
}
cudaError_t make(void **memory, size_t bytes, bool pinned) {
    if (cudaError_t sticky = emulated_sticky()) return sticky;
    *memory = nullptr;
    if (bytes == 0) return cudaSuccess;
    std::lock_guard<std::recursive_mutex> guard(lock);
    int device = emulated_device();
    if (!pinned && (bytes > memory_of_a_device() || used[device] + bytes > memory_of_a_device()))
        return emulated_failed(cudaErrorMemoryAllocation);
    size_t spread = (bytes + 511) / 512 * 512;
    auto base = static_cast<unsigned char *>(aligned_alloc(512, spread + 2 * ZONE));
    if (!base) return emulated_failed(cudaErrorMemoryAllocation);
    memset(base, 0xff, spread + 2 * ZONE);
    allocations()[base + ZONE] = {base, bytes, spread, device, pinned};
    if (!pinned) used[device] += bytes;
    *memory = base + ZONE;
    return cudaSuccess;
}
cudaError_t release(void *memory, bool pinned) {
    if (!memory) return cudaSuccess;
    emulated_drain();
    if (emulated_sticky() == cudaSuccess) emulated_check_zones("cudaFree");
    std::lock_guard<std::recursive_mutex> guard(lock);
    auto found = allocations().find(static_cast<unsigned char *>(memory));
    if (found == allocations().end() || found->second.pinned != pinned) {
        fprintf(stderr, "emulator: free of %p, which is no %s memory\n", memory,
                pinned ? "pinned" : "device");
        return emulated_failed(cudaErrorInvalidValue);
    }
    if (!pinned) used[found->second.device] -= found->second.bytes;
    free(found->second.base);
    allocations().erase(found);
    return cudaSuccess;
}

} // namespace

bool emulated_check_zones(const char *after) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    for (auto &entry : allocations()) {
        const allocation &a = entry.second;
        const unsigned char *end = a.base + ZONE + a.bytes;
        bool before = whole(a.base, ZONE);
        if (before && whole(end, a.spread - a.bytes + ZONE)) continue;
        emulated_fault(cudaErrorIllegalAddress, "%s wrote %s %zu bytes of %s memory", after,
                       before ? "behind" : "before", a.bytes, a.pinned ? "pinned" : "device");
        return false;
    }
    return true;
}
void emulated_mend_zones() {
    std::lock_guard<std::recursive_mutex> guard(lock);
    for (auto &entry : allocations()) {
        allocation &a = entry.second;
        memset(a.base, 0xff, ZONE);
        memset(a.base + ZONE + a.bytes, 0xff, a.spread - a.bytes + ZONE);
    }
}
bool emulated_on_device(const void *at, size_t bytes) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    const allocation *a = find(at);
    auto p = static_cast<const unsigned char *>(at);
    return a && !a->pinned && p + bytes <= a->base + ZONE + a->bytes;
}
bool emulated_in_device(const void *at) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    const allocation *a = find(at);
    return a && !a->pinned;
}
void emulated_check_reach(const char *name, const void *arguments, size_t bytes) {
    auto word = static_cast<const unsigned char *>(arguments);
    std::lock_guard<std::recursive_mutex> guard(lock);
    for (size_t at = 0; at + sizeof(void *) <= bytes; at += sizeof(void *)) {
        void *address;
        memcpy(&address, word + at, sizeof address);
        const allocation *a = find(address);
        if (a && !a->pinned && !emulated_reaches(emulated_device(), a->device))
            emulated_fault(cudaErrorIllegalAddress,
                           "kernel %s on GPU %d is given memory of GPU %d, which it cannot read",
                           name, emulated_device(), a->device);
    }
}
void emulated_load(const void *what, const char *variable) {
    static auto *loaded = new std::set<std::pair<int, const void *>>;
    const char *text = getenv(variable);
    std::lock_guard<std::recursive_mutex> guard(lock);
    if (text && loaded->insert({emulated_device(), what}).second)
        used[emulated_device()] += size_t(strtoull(text, nullptr, 10));
}
extern "C" {
size_t emulated_device_used(int device) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    return used[device];
}
cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
    *total = memory_of_a_device();
    *free = *total - emulated_device_used(emulated_device());
    return emulated_sticky();
}
cudaError_t cudaMalloc(void **memory, size_t bytes) {
    return make(memory, bytes, false);
}
cudaError_t cudaFree(void *memory) {
    return release(memory, false);
}
cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t) {
    return make(memory, bytes, false);
}
cudaError_t cudaFreeAsync(void *memory, cudaStream_t) {
    return release(memory, false);
}
cudaError_t cudaMallocHost(void **memory, size_t bytes) {
    return make(memory, bytes, true);
}
cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned) {
    return make(memory, bytes, true);
}
cudaError_t cudaFreeHost(void *memory) {
    return release(memory, true);
}
cudaError_t cudaHostRegister(void *, size_t, unsigned) {
    return emulated_sticky();
}
cudaError_t cudaHostUnregister(void *) {
    return emulated_sticky();
}
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned) {
    *device = host;
    return emulated_sticky();
}
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *pointer) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    const allocation *a = find(pointer);
    *attributes = {};
    attributes->type = !a          ? cudaMemoryTypeUnregistered
                       : a->pinned ? cudaMemoryTypeHost
                                   : cudaMemoryTypeDevice;
    attributes->device = a ? a->device : -2;
    attributes->devicePointer = a ? const_cast<void *>(pointer) : nullptr;
    attributes->hostPointer = a && !a->pinned ? nullptr : const_cast<void *>(pointer);
    return cudaSuccess;
}
}
