/* NCCL as far as zerolab uses it, between processes without a GPU: collectives run as host
 * functions on the emulator's streams, through shared memory. It refuses what NCCL refuses (two
 * ranks on one GPU of one host), adds in a ring's order, rounding at every step as a ring does, and
 * fails when told to:
 *
 *     FAKE_NCCL_VERSION=23000      what it says it is
 *     FAKE_NCCL_INIT_HANG=1        this rank never gets its communicator ready
 *     FAKE_NCCL_HANG=1:5           rank 1 never comes to its fifth collective
 *     FAKE_NCCL_ERROR=1:5          rank 1's communicator reports an error after its fifth
 *                                  collective
 *     FAKE_NCCL_ABORT_HANG=1       no communicator can be aborted
 *     FAKE_NCCL_NAME=TEXT          a part of the names of its shared memory
 *     FAKE_NCCL_LOG=FILE           one line a rank, at its end: what it did */
#include "lab/arith.h"

#include <cuda_runtime.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    SUCCESS = 0,
    SYSTEM_ERROR = 2,
    INVALID_ARGUMENT = 4,
    INVALID_USAGE = 5,
    REMOTE = 6,
    BUSY = 7
};
enum { F16 = 6, F32 = 7, F64 = 8, BF16 = 9 };
enum { ID = 128, MOST = 64, CHUNK = 1 << 16, HOST = 64, ENROLLED = 512, LAUNCH_NS = 50000 };
enum what { ALL_REDUCE, REDUCE_SCATTER, ALL_GATHER, BROADCAST };

struct id {
    char name[ID];
};
/* in shared memory */
struct meeting {
    _Atomic uint32_t joined, here, turn;
    _Atomic int aborted;
    char host[MOST][HOST];
    _Atomic uint32_t ready[MOST];
    char slot[MOST][CHUNK];
};
struct range {
    const char *at;
    size_t bytes;
};
struct comm {
    struct meeting *meeting;
    char name[ID];
    int ranks, rank;
    /* BUSY until all have joined */
    _Atomic int state;
    _Atomic int aborted;
    /* a collective is being launched, as its communicator does not block */
    _Atomic int64_t busy_until;
    pthread_t joiner;
    /* bare: not both sides of it are registered */
    uint32_t collectives, bare;
    size_t bytes, registered;
    struct range range[ENROLLED];
    char error[160];
    struct comm *next;
};
static struct comm *aborted; /* stay where they are: a collective may still look at them */

/* ── what it was told to do ── */

static bool told(const char *name, const struct comm *c, uint32_t number) {
    const char *text = getenv(name);
    int rank = -1;
    unsigned at = 0;
    return text && sscanf(text, "%d:%u", &rank, &at) == 2 && rank == c->rank && at == number;
}
int ncclGetVersion(int *version) {
    const char *text = getenv("FAKE_NCCL_VERSION");
    *version = text ? atoi(text) : 22809;
    return SUCCESS;
}
const char *ncclGetErrorString(int result) {
    static const char *const text[] = {"no error",
                                       "unhandled cuda error",
                                       "unhandled system error",
                                       "internal error",
                                       "invalid argument",
                                       "invalid usage",
                                       "remote process exited or there was a network error",
                                       "in progress"};
    return result >= 0 && result <= BUSY ? text[result] : "unknown result code";
}
const char *ncclGetLastError(void *comm) {
    return comm ? ((struct comm *)comm)->error : "";
}

/* ── joining ── */

int ncclGetUniqueId(struct id *out) {
    struct timespec t;
    (void)clock_gettime(CLOCK_REALTIME, &t);
    memset(out, 0, sizeof *out);
    const char *name = getenv("FAKE_NCCL_NAME");
    (void)snprintf(out->name, sizeof out->name, "/zerolab-fake-nccl-%.40s-%ld-%ld",
                   name ? name : "", (long)getpid(), t.tv_nsec);
    return SUCCESS;
}
/* Host and GPU: NCCL takes ranks that have both alike for one too many. */
static void describe(char out[HOST]) {
    int gpu = 0;
    const char *id = getenv("NCCL_HOSTID");
    (void)cudaGetDevice(&gpu);
    (void)snprintf(out, HOST, "%.48s gpu %d", id ? id : "this host", gpu);
}
static bool doubled(struct comm *c) {
    int version;
    const char *allowed = getenv("NCCL_MULTI_RANK_GPU_ENABLE");
    (void)ncclGetVersion(&version);
    if (allowed && *allowed == '1' && version >= 23000) return false;
    for (int a = 0; a < c->ranks; a++)
        for (int b = 0; b < a; b++)
            if (strcmp(c->meeting->host[a], c->meeting->host[b]) == 0) {
                (void)snprintf(c->error, sizeof c->error,
                               "Duplicate GPU detected : rank %d and rank %d both on %s", b, a,
                               c->meeting->host[a]);
                return true;
            }
    return false;
}
static void *join(void *self) {
    struct comm *c = self;
    struct meeting *m = c->meeting;
    if (getenv("FAKE_NCCL_INIT_HANG") && atoi(getenv("FAKE_NCCL_INIT_HANG")) == c->rank) {
        while (!atomic_load(&c->aborted)) (void)poll(NULL, 0, 1);
        return NULL;
    }
    (void)atomic_fetch_add(&m->joined, 1);
    while ((int)atomic_load(&m->joined) < c->ranks)
        if (atomic_load(&c->aborted) || atomic_load(&m->aborted) || poll(NULL, 0, 1)) return NULL;
    (void)shm_unlink(c->name);
    atomic_store(&c->state, doubled(c) ? INVALID_USAGE : SUCCESS);
    return NULL;
}
static struct meeting *map(const char *name) {
    int fd = shm_open(name, O_CREAT | O_RDWR, 0600);
    void *at = MAP_FAILED;
    if (fd >= 0 && !ftruncate(fd, sizeof(struct meeting)))
        at = mmap(NULL, sizeof(struct meeting), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0) (void)close(fd);
    return at == MAP_FAILED ? NULL : at;
}
int ncclCommInitRankConfig(void **out, int ranks, struct id id, int rank, const int *config) {
    struct comm *c = calloc(1, sizeof *c);
    (void)config;
    *out = NULL;
    if (!c || ranks > MOST || rank >= ranks || !(c->meeting = map(id.name))) return SYSTEM_ERROR;
    memcpy(c->name, id.name, sizeof c->name);
    c->ranks = ranks;
    c->rank = rank;
    atomic_store(&c->state, BUSY);
    describe(c->meeting->host[rank]);
    if (pthread_create(&c->joiner, NULL, join, c)) return SYSTEM_ERROR;
    *out = c;
    return BUSY;
}
static int64_t now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
int ncclCommGetAsyncError(void *comm, int *error) {
    struct comm *c = comm;
    *error = atomic_load(&c->state);
    if (*error == SUCCESS && now() < atomic_load(&c->busy_until)) *error = BUSY;
    return SUCCESS;
}
static void log_end(const struct comm *c) {
    FILE *f = getenv("FAKE_NCCL_LOG") ? fopen(getenv("FAKE_NCCL_LOG"), "a") : NULL;
    if (!f) return;
    (void)fprintf(f, "rank %d collectives %u bare %u bytes %zu registered %zu host %s\n", c->rank,
                  c->collectives, c->bare, c->bytes, c->registered, c->meeting->host[c->rank]);
    (void)fclose(f);
}
/* Collectives that are under way end with nothing done. */
int ncclCommAbort(void *comm) {
    struct comm *c = comm;
    while (getenv("FAKE_NCCL_ABORT_HANG")) (void)poll(NULL, 0, 100);
    atomic_store(&c->aborted, 1);
    (void)shm_unlink(c->name);
    (void)pthread_join(c->joiner, NULL);
    log_end(c);
    c->next = aborted;
    aborted = c;
    return SUCCESS;
}

/* ── memory ── */

int ncclMemAlloc(void **memory, size_t bytes) {
    return cudaMalloc(memory, bytes) == cudaSuccess ? SUCCESS : SYSTEM_ERROR;
}
int ncclMemFree(void *memory) {
    return cudaFree(memory) == cudaSuccess ? SUCCESS : INVALID_ARGUMENT;
}
int ncclCommMemStats(void *comm, int which, uint64_t *bytes) {
    if (!comm || which != 3) return INVALID_ARGUMENT; /* the total */
    *bytes = 12 << 20;
    return SUCCESS;
}
int ncclCommRegister(void *comm, void *memory, size_t bytes, void **handle) {
    struct comm *c = comm;
    if (c->registered == ENROLLED) return SYSTEM_ERROR;
    c->range[c->registered++] = (struct range){memory, bytes};
    *handle = memory;
    return SUCCESS;
}
int ncclCommDeregister(void *comm, void *handle) {
    (void)comm;
    return handle ? SUCCESS : INVALID_ARGUMENT;
}

/* ── collectives ── */

struct job {
    struct comm *comm;
    enum what what;
    const char *from;
    char *to;
    /* of one rank's piece; all_reduce, broadcast: of the whole */
    size_t count;
    int type, root;
    uint32_t number;
};
static size_t size_of(int type) {
    return type == F64 ? 8 : type == F32 ? 4 : 2;
}
/* All ranks have come; false where one of them has broken off. */
static bool meet(struct comm *c) {
    struct meeting *m = c->meeting;
    uint32_t turn = atomic_load(&m->turn);
    if (atomic_fetch_add(&m->here, 1) + 1 == (uint32_t)c->ranks) {
        atomic_store(&m->here, 0);
        (void)atomic_fetch_add(&m->turn, 1);
        return true;
    }
    for (int i = 0; atomic_load(&m->turn) == turn; i++) {
        if (atomic_load(&c->aborted)) return false;
        if (i > 100) (void)poll(NULL, 0, 1);
    }
    return true;
}
static void add(void *to, const void *from, int type, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (type == F64) ((double *)to)[i] += ((const double *)from)[i];
        if (type == F32) ((float *)to)[i] += ((const float *)from)[i];
        uint16_t *half = (uint16_t *)to + i,
                 other = type < F32 || type == BF16 ? ((const uint16_t *)from)[i] : 0;
        if (type == BF16)
            *half = lab_float_to_bf16(lab_bf16_to_float(*half) + lab_bf16_to_float(other));
        if (type == F16)
            *half = lab_float_to_f16(lab_f16_to_float(*half) + lab_f16_to_float(other));
    }
}
/* A ring that ends at rank `last`. */
static void sum(const struct job *j, char *to, int last, size_t bytes) {
    const struct comm *c = j->comm;
    for (int i = 1; i <= c->ranks; i++) {
        const char *from = c->meeting->slot[(last + i) % c->ranks];
        if (i == 1)
            memcpy(to, from, bytes);
        else
            add(to, from, j->type, bytes / size_of(j->type));
    }
}
/* Everybody shows `bytes` of its own at `from`; then reads what it wants. */
static bool round_of(const struct job *j, const char *from, char *to, int last, size_t bytes) {
    struct comm *c = j->comm;
    char own[CHUNK];
    memcpy(c->meeting->slot[c->rank], from, bytes);
    if (!meet(c)) return false;
    if (j->what == ALL_REDUCE || j->what == REDUCE_SCATTER)
        sum(j, own, last, bytes);
    else
        memcpy(own, c->meeting->slot[last], bytes);
    if (to) memcpy(to, own, bytes);
    return meet(c);
}
/* Pieces one after another; in each, chunks. */
static void carry_out(void *self) {
    struct job *j = self;
    struct comm *c = j->comm;
    size_t bytes = j->count * size_of(j->type);
    bool whole = j->what == ALL_REDUCE || j->what == BROADCAST, going = true;
    while (told("FAKE_NCCL_HANG", c, j->number) && !atomic_load(&c->aborted))
        (void)poll(NULL, 0, 1);
    for (int r = 0; going && r < (whole ? 1 : c->ranks); r++)
        for (size_t at = 0; going && at < bytes; at += CHUNK) {
            size_t n = bytes - at < CHUNK ? bytes - at : CHUNK;
            const char *from = j->from + at + (j->what == REDUCE_SCATTER ? (size_t)r * bytes : 0);
            char *to = j->to + at + (j->what == ALL_GATHER ? (size_t)r * bytes : 0);
            if (j->what == REDUCE_SCATTER && r != c->rank) to = NULL;
            int last = j->what == BROADCAST ? j->root : whole ? (int)(at / CHUNK) % c->ranks : r;
            going = round_of(j, from, to, last, n);
        }
    if (told("FAKE_NCCL_ERROR", c, j->number)) atomic_store(&c->state, REMOTE);
    free(j);
}
static bool enrolled(const struct comm *c, const char *at) {
    bool found = false;
    for (size_t i = 0; i < c->registered; i++)
        found = found || (at >= c->range[i].at && at < c->range[i].at + c->range[i].bytes);
    return found;
}
static int start(struct job job, cudaStream_t stream) {
    int state;
    (void)ncclCommGetAsyncError(job.comm, &state);
    if (state == BUSY)
        (void)snprintf(job.comm->error, sizeof job.comm->error,
                       "Attempt to use communicator before the previous operation returned");
    if (state != SUCCESS) return state == BUSY ? INVALID_ARGUMENT : state;
    struct job *j = malloc(sizeof *j);
    if (!j) return SYSTEM_ERROR;
    *j = job;
    j->number = ++j->comm->collectives;
    j->comm->bytes += j->count * size_of(j->type);
    j->comm->bare += !enrolled(j->comm, j->from) || !enrolled(j->comm, j->to);
    if (cudaLaunchHostFunc(stream, carry_out, j) != cudaSuccess) return SYSTEM_ERROR;
    atomic_store(&job.comm->busy_until, now() + LAUNCH_NS);
    return BUSY;
}
int ncclAllReduce(const void *from, void *to, size_t count, int type, int op, void *comm,
                  cudaStream_t stream) {
    (void)op;
    return start((struct job){comm, ALL_REDUCE, from, to, count, type, 0, 0}, stream);
}
int ncclReduceScatter(const void *from, void *to, size_t count, int type, int op, void *comm,
                      cudaStream_t stream) {
    (void)op;
    return start((struct job){comm, REDUCE_SCATTER, from, to, count, type, 0, 0}, stream);
}
int ncclAllGather(const void *from, void *to, size_t count, int type, void *comm,
                  cudaStream_t stream) {
    return start((struct job){comm, ALL_GATHER, from, to, count, type, 0, 0}, stream);
}
int ncclBroadcast(const void *from, void *to, size_t count, int type, int root, void *comm,
                  cudaStream_t stream) {
    return start((struct job){comm, BROADCAST, from, to, count, type, root, 0}, stream);
}
