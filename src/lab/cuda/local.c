/* Ranks that are threads on one GPU, or on several that read each other's memory. Each rank has its
 * own streams and ledger. Sums are bit for bit those of the CPU's comms. */
#include "lab/cuda/comms.h"

#include "lab/cpu/arena.h"
#include "lab/cpu/control.h"
#include "lab/cuda/flow.h"
#include "lab/cuda/outside.h"
#include "lab/cuda/rank_sum.h"
#include "lab/launch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct lab_gpu_rank {
    /* First: a lab_comm is one of these. */
    struct lab_flow flow;
    struct lab_shared_gpu *shared;
    /* How many there were so far. Their parity selects which of a rank's two values is used. */
    uint64_t exchanges;
};
/* What the ranks share of the host. */
struct lab_shared_gpu {
    uint32_t ranks;
    /* How many GPUs the ranks are on. */
    int gpus;
    /* The launcher's, if there is one. */
    struct lab_control *control;
    /* Guards all below, and every flow's tickets and marks. */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct lab_gpu_rank *rank[LAB_RANKS_MAX];
    /* Up to here transfers are enqueued: all ranks have started them. */
    lab_ticket moved;
    /* 1 + the first rank that left. 0: none. */
    uint32_t left;
    /* Why no more transfers are carried out; "" while they are. */
    char why[200];
};

static struct lab_gpu_rank *rank_of(struct lab_comm *c) {
    return (struct lab_gpu_rank *)c;
}
static struct lab_rank_slot *slot_of(struct lab_gpu_rank *k) {
    return &k->shared->control->slot[k->flow.comm.rank];
}

/* ── memory ── */

static void *local_alloc(struct lab_comm *c, size_t bytes) {
    struct lab_cuda *d = rank_of(c)->flow.cuda;
    void *memory = NULL;
    cudaError_t e = lab_outside_malloc(d->gpu, &memory, bytes ? bytes : 1);
    if (e == cudaSuccess) e = cudaMemsetAsync(memory, 0, bytes, d->compute);
    if (e == cudaSuccess) return memory;
    (void)snprintf(c->trouble, sizeof c->trouble, "GPU %d has no %zu bytes more: %s", d->gpu, bytes,
                   cudaGetErrorString(e));
    (void)cudaGetLastError(); /* said once */
    return NULL;
}
static void local_free(struct lab_comm *c, void *memory, size_t bytes) {
    if (memory) (void)lab_outside_free(rank_of(c)->flow.cuda->gpu, memory, bytes ? bytes : 1);
}

/* ── a transfer ──
 *
 * Copies from device to device, and sums in rank order, each on the reader's own stream. No kernel
 * waits for another one, so it cannot deadlock. The thread that comes last enqueues it for all:
 *
 *     reader's stream  begun │ wait for all ranks' ready │ arrived │ read │ ended
 *                            │ wait for all ranks' ended │ done
 *
 * After `done` no rank reads this rank's memory any more. all_reduce: a sum, `half`, all ranks'
 * halves, then copies. Who reads counts: the bytes go to the owner's ticket. */

static struct lab_job *job_of(const struct lab_shared_gpu *s, uint32_t r, lab_ticket t) {
    return lab_tickets_at(&s->rank[r]->flow.tickets, t);
}
static size_t piece(const struct lab_transfer *x) {
    return x->count * lab_dtype_bytes(x->type);
}
static cudaStream_t stream_of(const struct lab_shared_gpu *s, uint32_t r) {
    return s->rank[r]->flow.cuda->comm;
}
static bool check(struct lab_shared_gpu *s, uint32_t r, cudaError_t e) {
    return lab_cuda_check(s->rank[r]->flow.cuda, e, "a transfer between ranks");
}
/* Makes rank r's stream wait for this event of every rank. */
static void await(struct lab_shared_gpu *s, uint32_t r, lab_ticket t, enum lab_mark mark) {
    for (uint32_t p = 0; p < s->ranks; p++)
        (void)check(s, r,
                    cudaStreamWaitEvent(stream_of(s, r),
                                        lab_flow_marks(&s->rank[p]->flow, t)->at[mark], 0));
}
static void record(struct lab_shared_gpu *s, uint32_t r, lab_ticket t, enum lab_mark mark) {
    lab_flow_record(&s->rank[r]->flow, t, mark, stream_of(s, r));
}

static void credit(struct lab_shared_gpu *s, lab_ticket t, uint32_t reader, uint32_t owner,
                   size_t bytes) {
    if (reader != owner) job_of(s, owner, t)->sent += bytes;
}
/* Rank r sums its piece of all ranks' whole. */
static void sum_piece(struct lab_shared_gpu *s, uint32_t r, lab_ticket t) {
    const struct lab_transfer *x = &job_of(s, r, t)->transfer;
    bool scatter = x->op == LAB_REDUCE_SCATTER;
    size_t at = r * piece(x);
    struct lab_rank_sum sum = {.to = scatter ? x->shard : (char *)x->whole + at,
                               .n = x->count,
                               .ranks = s->ranks,
                               .type = x->type,
                               .into = scatter ? x->into : x->type,
                               .add = scatter && x->add};
    for (uint32_t p = 0; p < s->ranks; p++) {
        sum.from[p] = (const char *)job_of(s, p, t)->transfer.whole + at;
        credit(s, t, r, p, piece(x));
    }
    (void)check(s, r, lab_cuda_rank_sum(&sum, stream_of(s, r)));
}
static void copy_from(struct lab_shared_gpu *s, uint32_t r, lab_ticket t, uint32_t owner, char *to,
                      const char *from, size_t bytes) {
    if (to != from && bytes)
        (void)check(s, r,
                    cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_of(s, r)));
    credit(s, t, r, owner, bytes);
}
static void gather(struct lab_shared_gpu *s, uint32_t r, lab_ticket t) {
    const struct lab_transfer *x = &job_of(s, r, t)->transfer;
    size_t n = piece(x);
    for (uint32_t i = 0; i < s->ranks; i++) {
        uint32_t p = (r + i) % s->ranks;
        const struct lab_transfer *theirs = &job_of(s, p, t)->transfer;
        const char *from =
            x->op == LAB_ALL_GATHER ? theirs->shard : (const char *)theirs->whole + p * n;
        copy_from(s, r, t, p, (char *)x->whole + p * n, from, n);
    }
}
static void broadcast(struct lab_shared_gpu *s, uint32_t r, lab_ticket t) {
    const struct lab_transfer *x = &job_of(s, r, t)->transfer;
    copy_from(s, r, t, 0, x->whole, job_of(s, 0, t)->transfer.whole, piece(x) * s->ranks);
}

static bool agree(const struct lab_shared_gpu *s, lab_ticket t, char *why, size_t capacity) {
    const struct lab_transfer *a = &job_of(s, 0, t)->transfer;
    for (uint32_t r = 1; r < s->ranks; r++) {
        const struct lab_transfer *b = &job_of(s, r, t)->transfer;
        bool into = a->op != LAB_REDUCE_SCATTER || a->into == b->into;
        if (a->op == b->op && a->type == b->type && a->count == b->count && into) continue;
        (void)snprintf(why, capacity,
                       "rank 0 is at %s of %llu × %s, rank %u at %s of %llu × %s: ranks must start "
                       "the same transfers",
                       lab_collective_name(a->op), (unsigned long long)a->count,
                       lab_dtype_name(a->type), r, lab_collective_name(b->op),
                       (unsigned long long)b->count, lab_dtype_name(b->type));
        return false;
    }
    return true;
}
/* Whose GPU it is, that one's stream and events are used. */
static void for_all(struct lab_shared_gpu *s, lab_ticket t,
                    void (*what)(struct lab_shared_gpu *, uint32_t, lab_ticket)) {
    for (uint32_t r = 0; r < s->ranks; r++) {
        if (s->gpus > 1) (void)check(s, r, cudaSetDevice(s->rank[r]->flow.cuda->gpu));
        what(s, r, t);
    }
}
static void arrive(struct lab_shared_gpu *s, uint32_t r, lab_ticket t) {
    cudaEvent_t ready = lab_flow_marks(&s->rank[r]->flow, t)->at[LAB_READY];
    (void)check(s, r, cudaStreamWaitEvent(stream_of(s, r), ready, 0));
    record(s, r, t, LAB_BEGUN);
    await(s, r, t, LAB_READY);
    record(s, r, t, LAB_ARRIVED);
}
static void half(struct lab_shared_gpu *s, uint32_t r, lab_ticket t) {
    record(s, r, t, LAB_HALF);
}
static void rest(struct lab_shared_gpu *s, uint32_t r, lab_ticket t) {
    await(s, r, t, LAB_HALF);
    gather(s, r, t);
}
static void mark_end(struct lab_shared_gpu *s, uint32_t r, lab_ticket t) {
    record(s, r, t, LAB_ENDED);
}
static void be_done(struct lab_shared_gpu *s, uint32_t r, lab_ticket t) {
    await(s, r, t, LAB_ENDED);
    record(s, r, t, LAB_DONE);
}
/* With the mutex held, all ranks having started ticket t: enqueues it on all of their streams.
 * False with `why`. */
static bool enqueue(struct lab_shared_gpu *s, lab_ticket t, char *why, size_t capacity) {
    enum lab_collective op = job_of(s, 0, t)->transfer.op;
    int own = 0;
    if (!agree(s, t, why, capacity)) return false;
    (void)cudaGetDevice(&own);
    for_all(s, t, arrive);
    if (op == LAB_ALL_GATHER) for_all(s, t, gather);
    if (op == LAB_BROADCAST) for_all(s, t, broadcast);
    if (op == LAB_REDUCE_SCATTER || op == LAB_ALL_REDUCE) for_all(s, t, sum_piece);
    if (op == LAB_ALL_REDUCE) {
        for_all(s, t, half);
        for_all(s, t, rest);
    }
    for_all(s, t, mark_end);
    for_all(s, t, be_done);
    (void)cudaSetDevice(own);
    return true;
}

/* ── starting and waiting, on the compute thread ── */

/* With the mutex held: nothing more will be carried out. */
static void break_off(struct lab_shared_gpu *s, uint32_t rank, const char *why) {
    if (!s->why[0]) (void)snprintf(s->why, sizeof s->why, "%s", why);
    if (!s->left) s->left = rank + 1;
    lab_control_leave(s->control, rank);
    (void)pthread_cond_broadcast(&s->changed);
}
static void leave(struct lab_shared_gpu *s, uint32_t rank) {
    char why[64];
    (void)snprintf(why, sizeof why, "rank %u left the run", rank);
    break_off(s, rank, why);
}
static bool all_started(const struct lab_shared_gpu *s, lab_ticket t) {
    for (uint32_t r = 0; r < s->ranks; r++)
        if (!s->rank[r] || s->rank[r]->flow.tickets.started < t) return false;
    return true;
}
static lab_ticket local_start(struct lab_comm *c, const struct lab_transfer *x) {
    struct lab_gpu_rank *k = rank_of(c);
    struct lab_shared_gpu *s = k->shared;
    (void)pthread_mutex_lock(&s->mutex);
    lab_ticket t = lab_flow_add(&k->flow, x);
    while (t && !s->why[0] && all_started(s, s->moved + 1)) {
        char why[sizeof s->why];
        if (!enqueue(s, s->moved + 1, why, sizeof why)) break_off(s, c->rank, why);
        s->moved++;
        (void)pthread_cond_broadcast(&s->changed);
    }
    (void)pthread_mutex_unlock(&s->mutex);
    return t;
}
/* With the mutex held: until all ranks have started ticket t. */
static bool stand_still(struct lab_gpu_rank *k, lab_ticket t) {
    struct lab_shared_gpu *s = k->shared;
    if (s->moved >= t) return true;
    atomic_store(&slot_of(k)->waiting, 1);
    while (s->moved < t && !s->why[0]) (void)pthread_cond_wait(&s->changed, &s->mutex);
    atomic_store(&slot_of(k)->waiting, 0);
    atomic_fetch_add(&slot_of(k)->beats, 1);
    return s->moved >= t;
}
static bool local_wait(struct lab_comm *c, lab_ticket t, struct lab_message *m) {
    struct lab_gpu_rank *k = rank_of(c);
    struct lab_shared_gpu *s = k->shared;
    (void)pthread_mutex_lock(&s->mutex);
    bool well = stand_still(k, t) && !s->why[0];
    if (well)
        lab_flow_wait(&k->flow, t);
    else
        (void)snprintf(m->text, sizeof m->text, "%s", s->why);
    (void)pthread_mutex_unlock(&s->mutex);
    return well;
}
/* Here a rank does know when the last one had come: its stream waited for all. */
static void read_arrivals(struct lab_flow *f) {
    for (lab_ticket t = f->tickets.told + 1; t <= f->waited; t++) {
        const cudaEvent_t *at = lab_flow_marks(f, t)->at;
        struct lab_comm_times *times = &lab_tickets_at(&f->tickets, t)->times;
        float ms = 0;
        (void)lab_cuda_check(f->cuda, cudaEventElapsedTime(&ms, at[LAB_BEGUN], at[LAB_ARRIVED]),
                             "the time between two events");
        times->arrived = times->started + (ms > 0 ? ms / 1e3 : 0);
    }
}
static bool local_settle(struct lab_comm *c, struct lab_message *m) {
    struct lab_gpu_rank *k = rank_of(c);
    struct lab_shared_gpu *s = k->shared;
    if (!k->flow.cuda->device.row->finish(&k->flow.cuda->device, m)) return false;
    (void)pthread_mutex_lock(&s->mutex);
    bool well = lab_flow_settle(&k->flow, m);
    if (well) read_arrivals(&k->flow);
    (void)pthread_mutex_unlock(&s->mutex);
    if (well) lab_flow_tell(&k->flow);
    return well;
}

/* ── the host's own meetings ── */

static bool meet(struct lab_gpu_rank *k, struct lab_message *m) {
    struct lab_control *control = k->shared->control;
    atomic_store(&slot_of(k)->waiting, 1);
    bool met = lab_control_meet(control, LAB_COMPUTE, control->ranks);
    atomic_store(&slot_of(k)->waiting, 0);
    atomic_fetch_add(&slot_of(k)->beats, 1);
    if (!met)
        (void)snprintf(m->text, sizeof m->text, "rank %u left the run",
                       atomic_load(&control->left) - 1);
    return met;
}
/* Two values per rank, used in turn: see cpu/exchange.c. */
static bool local_exchange(struct lab_comm *c, double mine, double *all, struct lab_message *m) {
    struct lab_gpu_rank *k = rank_of(c);
    uint64_t turn = k->exchanges++ % 2;
    slot_of(k)->value[turn] = mine;
    if (!meet(k, m)) return false;
    for (uint32_t r = 0; r < c->ranks; r++) all[r] = k->shared->control->slot[r].value[turn];
    c->control += (c->ranks - 1) * sizeof mine;
    return true;
}
/* What was enqueued before it is done as well: memory that a kernel still clears must not be
 * written by a peer. */
static bool local_barrier(struct lab_comm *c, struct lab_message *m) {
    struct lab_gpu_rank *k = rank_of(c);
    struct lab_device *d = &k->flow.cuda->device;
    return d->row->finish(d, m) && meet(k, m);
}
static void local_progress(struct lab_comm *c, uint32_t step, int phase, int unit) {
    lab_control_progress(
        rank_of(c)->shared->control, c->rank,
        (struct lab_where){.step = step, .phase = (enum lab_phase)phase, .unit = unit});
}
static uint64_t local_resident(struct lab_comm *c) {
    (void)c;
    return 0;
}
/* The last one's streams may still read this one's memory, which is freed before: the run ends with
 * a barrier. */
static void local_close(struct lab_comm *c) {
    struct lab_gpu_rank *k = rank_of(c);
    struct lab_shared_gpu *s = k->shared;
    (void)pthread_mutex_lock(&s->mutex);
    leave(s, c->rank);
    s->rank[c->rank] = NULL;
    lab_flow_close(&k->flow);
    (void)pthread_mutex_unlock(&s->mutex);
    free(k);
}

static const struct lab_comm_row local_row = {
    .name = "local",
    .alloc = local_alloc,
    .free = local_free,
    .start = local_start,
    .wait = local_wait,
    .settle = local_settle,
    .exchange = local_exchange,
    .barrier = local_barrier,
    .progress = local_progress,
    .resident = local_resident,
    .close = local_close,
};

/* ── opening ── */

/* Kernels of this GPU read what lies on the others: memory that is taken afterwards and before. */
static bool reach_peers(const struct lab_shared_gpu *s, int gpu, struct lab_message *m) {
    for (int peer = 0; peer < s->gpus; peer++) {
        int can = 0;
        cudaError_t e = cudaSuccess;
        if (peer == gpu) continue;
        if (cudaDeviceCanAccessPeer(&can, gpu, peer) == cudaSuccess && can)
            e = cudaDeviceEnablePeerAccess(peer, 0);
        (void)cudaGetLastError(); /* enabled by another rank on this GPU: no failure */
        if (can && (e == cudaSuccess || e == cudaErrorPeerAccessAlreadyEnabled)) continue;
        (void)snprintf(m->text, sizeof m->text,
                       "GPU %d cannot read GPU %d's memory%s%s: choose GPUs that can with "
                       "CUDA_VISIBLE_DEVICES, or use --comm nccl",
                       gpu, peer, can ? ": " : "", can ? cudaGetErrorString(e) : "");
        return false;
    }
    return true;
}

struct lab_comm *lab_shared_gpu_open(struct lab_shared_gpu *s, struct lab_device *d, uint32_t rank,
                                     struct lab_message *m) {
    struct lab_gpu_rank *k = calloc(1, sizeof *k);
    (void)snprintf(m->text, sizeof m->text, "comm local: memory is short");
    if (!k) return NULL;
    k->shared = s;
    if (!reach_peers(s, lab_cuda_of(d)->gpu, m) ||
        !lab_flow_open(&k->flow, d, &local_row, rank, s->ranks, m)) {
        lab_flow_close(&k->flow);
        free(k);
        return NULL;
    }
    lab_flow_set_clock(&k->flow, (double)(lab_now() - s->control->zero) / 1e9);
    (void)pthread_mutex_lock(&s->mutex);
    s->rank[rank] = k;
    (void)pthread_mutex_unlock(&s->mutex);
    m->text[0] = '\0';
    return &k->flow.comm;
}

struct lab_shared_gpu *lab_shared_gpu_new(const struct lab_options *o, struct lab_message *m) {
    struct lab_shared_gpu *s = calloc(1, sizeof *s);
    (void)snprintf(m->text, sizeof m->text, "comm local: memory is short");
    if (!s) return NULL;
    s->ranks = o->ranks;
    s->gpus = (int)o->gpus;
    (void)pthread_mutex_init(&s->mutex, NULL);
    (void)pthread_cond_init(&s->changed, NULL);
    if ((s->control = lab_control_open(o->ranks, m))) {
        m->text[0] = '\0';
        return s;
    }
    lab_shared_gpu_free(s);
    return NULL;
}
void lab_shared_gpu_free(struct lab_shared_gpu *s) {
    if (s->control) (void)munmap(s->control, sizeof *s->control);
    (void)pthread_mutex_destroy(&s->mutex);
    (void)pthread_cond_destroy(&s->changed);
    free(s);
}
