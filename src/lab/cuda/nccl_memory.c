/* Memory that is registered with NCCL, so that NCCL need not copy through its own buffers. It is
 * cut from chunks of NCCL's allocator, each of which is registered. If the library is older, or
 * refuses, it is the GPU's ordinary memory. Nothing is freed before the end. */
#include "lab/cuda/nccl_comm.h"
#include "lab/cuda/outside.h"

#include <stdio.h>

enum { CHUNK = 16 << 20, ALIGN = 4096 };

static size_t rounded(size_t bytes, size_t to) {
    return (bytes + to - 1) / to * to;
}
static bool fill(struct lab_nccl_comm *k, struct lab_chunk *c, size_t bytes) {
    void *memory = NULL;
    int gpu = k->flow.cuda->gpu;
    *c = (struct lab_chunk){.bytes = bytes};
    lab_outside_begin(gpu);
    c->own = k->nccl.memory && k->nccl.free && k->nccl.memory(&memory, bytes) == LAB_NCCL_SUCCESS;
    bool well = c->own || cudaMalloc(&memory, bytes) == cudaSuccess;
    lab_outside_end(gpu, LAB_OUTSIDE_LEDGER);
    (void)cudaGetLastError(); /* clears the error; the caller reports the failed allocation */
    c->at = memory;
    return well && cudaMemsetAsync(memory, 0, bytes, k->flow.cuda->compute) == cudaSuccess;
}
/* A registration that is refused costs speed and nothing else. */
static void enroll(struct lab_nccl_comm *k, struct lab_chunk *c) {
    char why[sizeof k->why];
    if (!c->own || k->fenced || !k->nccl.enroll || !k->nccl.dismiss) return;
    (void)pthread_mutex_lock(&k->mutex);
    int result = k->comm ? k->nccl.enroll(k->comm, c->at, c->bytes, &c->handle) : -1;
    if (result == LAB_NCCL_IN_PROGRESS && !lab_nccl_poll(k, result, k->stall, why, sizeof why))
        lab_nccl_break(k, why);
    if (result != LAB_NCCL_SUCCESS && result != LAB_NCCL_IN_PROGRESS) c->handle = NULL;
    (void)cudaGetLastError(); /* if the driver refuses, we do without */
    (void)pthread_mutex_unlock(&k->mutex);
}
void *lab_nccl_alloc(struct lab_comm *comm, size_t bytes) {
    struct lab_nccl_comm *k = lab_nccl_of(comm);
    size_t need = rounded(bytes ? bytes : 1, ALIGN);
    struct lab_chunk *c = k->chunks ? &k->chunk[k->chunks - 1] : NULL;
    if (!c || c->bytes - c->used < need) {
        c = &k->chunk[k->chunks];
        if (k->chunks == LAB_CHUNKS || !fill(k, c, need < CHUNK ? CHUNK : need)) {
            (void)snprintf(
                comm->trouble, sizeof comm->trouble,
                "GPU %d has too little memory for %zu more bytes of buffers that ranks share",
                k->flow.cuda->gpu, bytes);
            return NULL;
        }
        k->chunks++;
        enroll(k, c);
    }
    char *memory = c->at + c->used;
    c->used += need;
    lab_outside_count(k->flow.cuda->gpu, (int64_t)bytes);
    return memory;
}
void lab_nccl_free(struct lab_comm *comm, void *memory, size_t bytes) {
    if (memory) lab_outside_count(lab_nccl_of(comm)->flow.cuda->gpu, -(int64_t)bytes);
}
bool lab_nccl_reuse(struct lab_nccl_comm *k) {
    bool well = true;
    for (size_t i = 0; i < k->chunks; i++) {
        struct lab_chunk *c = &k->chunk[i];
        well = well && cudaMemsetAsync(c->at, 0, c->used, k->flow.cuda->compute) == cudaSuccess;
        c->used = 0;
    }
    return well && cudaStreamSynchronize(k->flow.cuda->compute) == cudaSuccess;
}
void lab_nccl_free_all(struct lab_nccl_comm *k) {
    for (size_t i = 0; i < k->chunks; i++) {
        struct lab_chunk *c = &k->chunk[i];
        if (c->handle && k->comm) (void)k->nccl.dismiss(k->comm, c->handle);
        c->handle = NULL;
    }
    for (size_t i = 0; i < k->chunks; i++)
        (void)(k->chunk[i].own ? k->nccl.free(k->chunk[i].at) : (int)cudaFree(k->chunk[i].at));
    k->chunks = 0;
}
