/* Streams and events. In order and at once, or, with ZEROLAB_EMULATE_ASYNC, each stream by a thread
 * of its own that takes its time. */
#include "state.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

using std::function;
using std::unique_lock;
typedef std::chrono::steady_clock::time_point moment;

/* Never destroyed: a stream's thread may still wait when the program ends. */
static std::mutex &lock = *new std::mutex; /* over all that follows */
static std::condition_variable &changed = *new std::condition_variable;
static int async_chosen = -1;

struct CUstream_st {
    std::deque<function<void()>> work;
    std::thread thread;
    bool busy = false, ending = false, plain = true; /* plain: waits for the legacy stream */
    unsigned chance = 1;
    int device = emulated_device();
};
struct CUevent_st {
    unsigned long recorded = 0, done = 0; /* how often */
    moment at;
    int device = emulated_device();
};
static std::set<CUstream_st *> &streams() {
    static auto *all = new std::set<CUstream_st *>;
    return *all;
}

static bool is_async() {
    if (async_chosen < 0) {
        const char *text = getenv("ZEROLAB_EMULATE_ASYNC");
        async_chosen = text && *text && *text != '0';
    }
    return async_chosen > 0;
}
/* Each GPU has a clock of its own, and no two run alike. */
static moment clock_of(int device) {
    static const moment begun = std::chrono::steady_clock::now();
    static const double drift =
        getenv("ZEROLAB_EMULATE_DRIFT") ? strtod(getenv("ZEROLAB_EMULATE_DRIFT"), nullptr) : 0;
    auto since = std::chrono::steady_clock::now() - begun;
    return begun + std::chrono::duration_cast<moment::duration>(since * (1 + drift * device));
}
static bool idle(const CUstream_st *s) {
    return s->work.empty() && !s->busy;
}
static void take_time(CUstream_st *s) {
    s->chance = s->chance * 1664525u + 1013904223u;
    if (s->chance >> 30) return; /* one in four is late */
    std::this_thread::sleep_for(std::chrono::microseconds(s->chance >> 10 & 511u));
}
static void serve(CUstream_st *s) {
    unique_lock<std::mutex> hold(lock);
    for (;;) {
        changed.wait(hold, [s] { return !s->work.empty() || s->ending; });
        if (s->work.empty()) return;
        function<void()> work = std::move(s->work.front());
        s->work.pop_front();
        s->busy = true;
        hold.unlock();
        take_time(s);
        work();
        work = nullptr;
        hold.lock();
        s->busy = false;
        changed.notify_all();
    }
}

void emulated_drain() {
    unique_lock<std::mutex> hold(lock);
    changed.wait(hold, [] {
        for (CUstream_st *s : streams())
            if (!idle(s)) return false;
        return true;
    });
}
static void drain_plain() {
    unique_lock<std::mutex> hold(lock);
    changed.wait(hold, [] {
        for (CUstream_st *s : streams())
            if (s->plain && !idle(s)) return false;
        return true;
    });
}
void emulated_enqueue(cudaStream_t stream, function<void()> work) {
    if (stream && is_async()) {
        unique_lock<std::mutex> hold(lock);
        stream->work.push_back(std::move(work));
        changed.notify_all();
        return;
    }
    if (!stream && is_async()) drain_plain(); /* the legacy stream meets all others */
    work();
}
bool emulated_on_current(cudaStream_t stream) {
    return !stream || stream->device == emulated_device();
}
extern "C" {
void emulated_set_async(bool async) {
    async_chosen = async;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    if (cudaError_t sticky = emulated_sticky()) return sticky;
    auto s = new CUstream_st;
    s->plain = !(flags & cudaStreamNonBlocking);
    unique_lock<std::mutex> hold(lock);
    s->chance = unsigned(streams().size()) * 977u + 1u;
    streams().insert(s);
    if (is_async()) s->thread = std::thread(serve, s);
    *stream = s;
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int) {
    return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    if (!stream) return emulated_failed(cudaErrorInvalidResourceHandle);
    {
        unique_lock<std::mutex> hold(lock);
        stream->ending = true;
        changed.notify_all();
    }
    if (stream->thread.joinable()) stream->thread.join();
    unique_lock<std::mutex> hold(lock);
    streams().erase(stream);
    delete stream;
    return emulated_sticky();
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (!stream) {
        drain_plain();
        return emulated_sticky();
    }
    unique_lock<std::mutex> hold(lock);
    changed.wait(hold, [stream] { return idle(stream); });
    hold.unlock();
    return emulated_sticky();
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    if (cudaError_t sticky = emulated_sticky()) return sticky;
    unique_lock<std::mutex> hold(lock);
    return !stream || idle(stream) ? cudaSuccess : emulated_failed(cudaErrorNotReady);
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t f, void *data) {
    if (cudaError_t sticky = emulated_sticky()) return sticky;
    emulated_enqueue(stream, [=] { f(data); });
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) {
    emulated_drain();
    return emulated_sticky();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    if (cudaError_t sticky = emulated_sticky()) return sticky;
    *event = new CUevent_st;
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (!event) return emulated_failed(cudaErrorInvalidResourceHandle);
    unique_lock<std::mutex> hold(lock);
    changed.wait(hold, [event] { return event->done == event->recorded; });
    delete event;
    return emulated_sticky();
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (cudaError_t sticky = emulated_sticky()) return sticky;
    if (!event || event->device != (stream ? stream->device : emulated_device()))
        return emulated_failed(cudaErrorInvalidResourceHandle);
    unsigned long which;
    {
        unique_lock<std::mutex> hold(lock);
        which = ++event->recorded;
    }
    emulated_enqueue(stream, [event, which] {
        unique_lock<std::mutex> hold(lock);
        event->at = clock_of(event->device);
        if (event->done < which) event->done = which;
        changed.notify_all();
    });
    return cudaSuccess;
}
static void wait_for(cudaEvent_t event, unsigned long which) {
    unique_lock<std::mutex> hold(lock);
    changed.wait(hold, [=] { return event->done >= which; });
}
static unsigned long times_recorded(cudaEvent_t event) {
    unique_lock<std::mutex> hold(lock);
    return event->recorded;
}
/* Waits for the record that is the latest now, as CUDA does. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    if (cudaError_t sticky = emulated_sticky()) return sticky;
    if (!event) return emulated_failed(cudaErrorInvalidResourceHandle);
    unsigned long which = times_recorded(event);
    emulated_enqueue(stream, [event, which] { wait_for(event, which); });
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (!event) return emulated_failed(cudaErrorInvalidResourceHandle);
    wait_for(event, times_recorded(event));
    return emulated_sticky();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    if (cudaError_t sticky = emulated_sticky()) return sticky;
    if (!event) return emulated_failed(cudaErrorInvalidResourceHandle);
    unique_lock<std::mutex> hold(lock);
    return event->done == event->recorded ? cudaSuccess : emulated_failed(cudaErrorNotReady);
}
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
    if (!from || !to) return emulated_failed(cudaErrorInvalidResourceHandle);
    unique_lock<std::mutex> hold(lock);
    if (!from->recorded || !to->recorded || from->device != to->device)
        return emulated_failed(cudaErrorInvalidResourceHandle);
    if (from->done != from->recorded || to->done != to->recorded)
        return emulated_failed(cudaErrorNotReady);
    *ms = std::chrono::duration<float, std::milli>(to->at - from->at).count();
    return emulated_sticky();
}
}
