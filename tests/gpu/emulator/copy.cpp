/* Copies, checked: what is said to be on the device must lie in one device allocation, whole. */
#include "state.h"

static bool right_side(const void *at, size_t bytes, bool device, const char *what) {
    bool ok = device ? emulated_on_device(at, bytes) : !emulated_in_device(at);
    if (!ok)
        emulated_fault(cudaErrorIllegalAddress, "%s: %zu bytes at %p are not %s", what, bytes, at,
                       device ? "inside one device allocation" : "host memory");
    return ok;
}
static bool allowed(const void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    if (bytes == 0) return false;
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind == cudaMemcpyDefault) {
        to_device = emulated_in_device(to);
        from_device = emulated_in_device(from);
    }
    return right_side(to, bytes, to_device, "a copy's destination") &&
           right_side(from, bytes, from_device, "a copy's source");
}

extern "C" {
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    if (emulated_sticky() == cudaSuccess && allowed(to, from, bytes, kind))
        emulated_enqueue(stream, [=] { memmove(to, from, bytes); });
    return emulated_sticky();
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    cudaMemcpyAsync(to, from, bytes, kind, nullptr);
    return cudaStreamSynchronize(nullptr);
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
    if (width > to_pitch || width > from_pitch) return emulated_failed(cudaErrorInvalidValue);
    for (size_t row = 0; row < height; row++)
        cudaMemcpyAsync(static_cast<char *>(to) + row * to_pitch,
                        static_cast<const char *>(from) + row * from_pitch, width, kind, stream);
    return emulated_sticky();
}
cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes,
                                cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
    if (bytes && emulated_sticky() == cudaSuccess && right_side(to, bytes, true, "cudaMemset"))
        emulated_enqueue(stream, [=] { memset(to, value, bytes); });
    return emulated_sticky();
}
cudaError_t cudaMemset(void *to, int value, size_t bytes) {
    return cudaMemsetAsync(to, value, bytes, nullptr);
}
}
