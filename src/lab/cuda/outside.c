#include "lab/cuda/outside.h"

#include "lab/cuda/nvml.h"
#include "lab/cuda/probe.h"
#include "lab/engine.h"

#include <pthread.h>

enum { GPUS_MOST = 64 };
static const double gauge_age = 0.2; /* seconds */

/* One for each GPU that this process uses: its context is the process's own. */
static struct place {
    /* context: there is one */
    bool open, context, context_known;
    /* NULL if there is no NVML */
    struct lab_nvml *nvml;
    /* used before we initialised anything; used at the last begin */
    uint64_t before, begun;
    int64_t part[LAB_OUTSIDE_PARTS];
    _Atomic int64_t asked;
    _Atomic uint64_t nccl_says;
    double read_at;
    struct lab_gauge gauge;
} places[GPUS_MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct place *place_of(int gpu) {
    return &places[gpu >= 0 && gpu < GPUS_MOST ? gpu : 0];
}

/* Bytes in use on the GPU by all processes. Without NVML this needs a context. */
static bool used(const struct place *p, uint64_t *out) {
    size_t free = 0, total = 0;
    *out = 0;
    if (p->nvml && lab_nvml_used(p->nvml, out)) return true;
    if (!p->context || cudaMemGetInfo(&free, &total) != cudaSuccess) return false;
    *out = total - free;
    return true;
}

static void open_place(struct place *p, int gpu) {
    char bus[32] = "";
    if (p->open) return;
    p->open = true;
    /* A slice has its GPU's bus id, for which NVML would give the memory in use on the whole GPU.
     */
    if (!lab_cuda_is_slice(gpu) && cudaDeviceGetPCIBusId(bus, sizeof bus, gpu) == cudaSuccess)
        p->nvml = lab_nvml_open(bus);
    p->context_known = used(p, &p->before);
}

void lab_outside_begin(int gpu) {
    struct place *p = place_of(gpu);
    (void)pthread_mutex_lock(&lock);
    open_place(p, gpu);
    p->begun = 0;
    (void)used(p, &p->begun);
}

void lab_outside_mark(int gpu, enum lab_outside_part part) {
    struct place *p = place_of(gpu);
    uint64_t now = 0;
    if (!used(p, &now)) return;
    p->part[part] += (int64_t)now - (int64_t)p->begun;
    p->begun = now;
}

void lab_outside_end(int gpu, enum lab_outside_part part) {
    struct place *p = place_of(gpu);
    uint64_t now = 0;
    bool first = part == LAB_OUTSIDE_CONTEXT && !p->context;
    p->context = p->context || first;
    bool known = used(p, &now);
    if (first && !p->context_known) p->before = p->begun = now;
    if (known) p->part[part] += (int64_t)now - (int64_t)p->begun;
    (void)pthread_mutex_unlock(&lock);
}

void lab_outside_count(int gpu, int64_t bytes) {
    place_of(gpu)->asked += bytes;
}

void lab_outside_nccl_says(int gpu, uint64_t bytes) {
    place_of(gpu)->nccl_says = bytes;
}

cudaError_t lab_outside_malloc(int gpu, void **memory, size_t bytes) {
    lab_outside_begin(gpu);
    cudaError_t e = cudaMalloc(memory, bytes);
    if (e == cudaSuccess) lab_outside_count(gpu, (int64_t)bytes);
    lab_outside_end(gpu, LAB_OUTSIDE_LEDGER);
    return e;
}

cudaError_t lab_outside_free(int gpu, void *memory, size_t bytes) {
    lab_outside_begin(gpu);
    cudaError_t e = cudaFree(memory);
    if (e == cudaSuccess) lab_outside_count(gpu, -(int64_t)bytes);
    lab_outside_end(gpu, LAB_OUTSIDE_LEDGER);
    return e;
}

static void read_gauge(struct place *p) {
    struct lab_nvml_reading r = {0};
    if (p->nvml) lab_nvml_read(p->nvml, &r);
    p->gauge = (struct lab_gauge){.power_w = r.power_w, .sm_mhz = r.sm_mhz};
    (void)used(p, &p->gauge.used);
}

void lab_cuda_gauge(int gpu, struct lab_gauge *out) {
    struct place *p = place_of(gpu);
    double now = lab_seconds();
    (void)pthread_mutex_lock(&lock);
    if (p->read_at == 0 || now - p->read_at > gauge_age) {
        read_gauge(p);
        p->read_at = now;
    }
    *out = p->gauge;
    (void)pthread_mutex_unlock(&lock);
}

bool lab_cuda_outside(int gpu, struct lab_outside *out) {
    struct place *p = place_of(gpu);
    uint64_t now = 0;
    (void)pthread_mutex_lock(&lock);
    bool known = p->context && used(p, &now);
    *out = (struct lab_outside){.context_known = p->context_known,
                                .context = p->part[LAB_OUTSIDE_CONTEXT],
                                .blas = p->part[LAB_OUTSIDE_BLAS],
                                .modules = p->part[LAB_OUTSIDE_MODULES],
                                .nccl = p->part[LAB_OUTSIDE_NCCL],
                                .nccl_says = p->nccl_says,
                                .rounding = p->part[LAB_OUTSIDE_LEDGER] - p->asked};
    out->unexplained = (int64_t)now - (int64_t)p->before - out->context - out->blas - out->modules -
                       out->nccl - p->part[LAB_OUTSIDE_LEDGER];
    (void)pthread_mutex_unlock(&lock);
    return known;
}
