/* comm nccl: one communicator, one process per GPU. Collectives are enqueued on the communication
 * stream and run in the order in which they were started. */
#include "lab/cuda/comms.h"

#include "lab/cpu/arena.h"
#include "lab/cuda/nccl_comm.h"
#include "lab/cuda/outside.h"
#include "lab/cuda/rank_sum.h"
#include "lab/launch.h"

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool lab_nccl_prepare(const struct lab_options *o, uint32_t rank, uint32_t *version,
                      struct lab_message *m) {
    struct lab_nccl n;
    if (!lab_nccl_load(&n, m)) return false;
    *version = (uint32_t)n.version;
    /* it is read when the first communicator is made */
    lab_nccl_environment_set(o, rank, n.version);
    lab_nccl_unload(&n);
    return true;
}

/* ── a transfer as NCCL's collectives do it ──
 *
 * A sum that is added to what is there, or rounded to another type, is made in place in `whole`,
 * and the shard follows by a kernel of our own. Payload is counted; how many bytes go over wires is
 * NCCL's affair. */

enum { WARM_LEAST = 4 << 20, WARM_MOST = 64 << 20 };

static int type_of(enum lab_dtype t) {
    static const int types[LAB_DTYPES] = {[LAB_F32] = LAB_NCCL_F32,
                                          [LAB_BF16] = LAB_NCCL_BF16,
                                          [LAB_F16] = LAB_NCCL_F16,
                                          [LAB_F64] = LAB_NCCL_F64};
    return types[t];
}
static bool lands_directly(const struct lab_transfer *x) {
    return !x->add && x->into == x->type;
}
static char *own_piece(const struct lab_nccl_comm *k, const struct lab_transfer *x) {
    return (char *)x->whole + k->flow.comm.rank * x->count * lab_dtype_bytes(x->type);
}
static int enqueue(struct lab_nccl_comm *k, const struct lab_transfer *x) {
    const struct lab_nccl *n = &k->nccl;
    cudaStream_t s = k->flow.cuda->comm;
    int type = type_of(x->type);
    size_t all = x->count * k->flow.comm.ranks;
    switch (x->op) {
    case LAB_ALL_REDUCE:
        return n->all_reduce(x->whole, x->whole, all, type, LAB_NCCL_SUM, k->comm, s);
    case LAB_REDUCE_SCATTER:
        return n->reduce_scatter(x->whole, lands_directly(x) ? x->shard : own_piece(k, x), x->count,
                                 type, LAB_NCCL_SUM, k->comm, s);
    case LAB_ALL_GATHER: return n->all_gather(x->shard, x->whole, x->count, type, k->comm, s);
    default: return n->broadcast(x->whole, x->whole, all, type, 0, k->comm, s);
    }
}
static cudaError_t land(struct lab_nccl_comm *k, const struct lab_transfer *x) {
    if (x->op != LAB_REDUCE_SCATTER || lands_directly(x)) return cudaSuccess;
    struct lab_rank_sum sum = {.to = x->shard,
                               .from = {own_piece(k, x)},
                               .n = x->count,
                               .ranks = 1,
                               .type = x->type,
                               .into = x->into,
                               .add = x->add};
    return lab_cuda_rank_sum(&sum, k->flow.cuda->comm);
}
/* With the mutex held: enqueues the collective of ticket t. False if NCCL refused it: then the comm
 * is broken. */
static bool move(struct lab_nccl_comm *k, lab_ticket t) {
    struct lab_flow *f = &k->flow;
    struct lab_job *job = lab_tickets_at(&f->tickets, t);
    char why[sizeof k->why];
    if (!k->comm) return false;
    (void)lab_cuda_check(f->cuda,
                         cudaStreamWaitEvent(f->cuda->comm, lab_flow_marks(f, t)->at[LAB_READY], 0),
                         "a transfer");
    lab_flow_record(f, t, LAB_BEGUN, f->cuda->comm);
    if (!lab_nccl_poll(k, enqueue(k, &job->transfer), k->stall, why, sizeof why)) {
        lab_nccl_break(k, why);
        return false;
    }
    (void)lab_cuda_check(f->cuda, land(k, &job->transfer), "a sum behind a transfer");
    lab_flow_record(f, t, LAB_ENDED, f->cuda->comm);
    lab_flow_record(f, t, LAB_DONE, f->cuda->comm);
    job->sent = lab_transfer_sent(&job->transfer, f->comm.rank, f->comm.ranks);
    k->moved = t;
    return true;
}

/* ── warming up ── */

/* Whether the first collective of a kind ends. A link that does not work, or a rank that hangs,
 * shows here. The guard has no ticket to watch yet. */
static bool has_ended(struct lab_nccl_comm *k, enum lab_collective op) {
    int64_t until = lab_now() + (int64_t)(k->stall * 1e9);
    cudaError_t e;
    char why[sizeof k->why];
    while ((e = cudaStreamQuery(k->flow.cuda->comm)) == cudaErrorNotReady && lab_now() < until)
        (void)poll(NULL, 0, 1);
    (void)cudaGetLastError(); /* "not ready" is no failure */
    if (e == cudaSuccess) return true;
    (void)snprintf(why, sizeof why, "rank %u: NCCL's first %s %s%s", k->flow.comm.rank,
                   lab_collective_name(op),
                   e == cudaErrorNotReady ? "does not end: a rank hangs, or a link between ranks "
                                            "does not work (NCCL_DEBUG=INFO says which it uses)"
                                          : "failed: ",
                   e == cudaErrorNotReady ? "" : cudaGetErrorString(e));
    (void)pthread_mutex_lock(&k->mutex);
    lab_nccl_break(k, why);
    (void)pthread_mutex_unlock(&k->mutex);
    return false;
}
static bool warm(struct lab_nccl_comm *k, void *memory, enum lab_collective op, size_t bytes) {
    char why[sizeof k->why];
    size_t count = bytes / sizeof(float) / k->flow.comm.ranks;
    struct lab_transfer x = {.op = op, .whole = memory, .count = count ? count : 1};
    x.shard = own_piece(k, &x);
    (void)pthread_mutex_lock(&k->mutex);
    bool well = k->comm && lab_nccl_poll(k, enqueue(k, &x), k->stall, why, sizeof why);
    if (!well && k->comm) lab_nccl_break(k, why);
    (void)pthread_mutex_unlock(&k->mutex);
    return well && has_ended(k, op);
}
/* Bytes that the warm-up collectives use. */
static size_t warm_bytes(const struct lab_nccl_comm *k) {
    return k->bucket < WARM_LEAST ? WARM_LEAST : k->bucket > WARM_MOST ? WARM_MOST : k->bucket;
}
/* NCCL connects and allocates when it first runs a kind of collective of a size. So each kind runs
 * with few bytes, and with as many as a run sends in one transfer. */
/* Runs each collective that a run uses once, in memory that is registered with NCCL, so that NCCL
 * allocates now what it needs for such memory. */
static bool warm_all(struct lab_nccl_comm *k, void *memory, struct lab_message *m) {
    static const enum lab_collective all[] = {LAB_ALL_REDUCE, LAB_REDUCE_SCATTER, LAB_ALL_GATHER};
    const size_t sizes[] = {1024, warm_bytes(k)};
    size_t first = k->stage == 0 ? 0 : 1, last = k->stage == 0 ? 1 : 3;
    bool well = true;
    for (size_t i = first; well && i < last; i++)
        for (size_t s = 0; well && s < 2; s++) well = warm(k, memory, all[i], sizes[s]);
    (void)pthread_mutex_lock(&k->mutex);
    well = well && !k->broken;
    if (k->broken) (void)snprintf(m->text, sizeof m->text, "%s", k->why);
    (void)pthread_mutex_unlock(&k->mutex);
    return well;
}

/* ── starting and waiting ── */

/* If several ranks share a GPU, a kernel that spins takes time from the kernel that it waits for.
 * So nothing else runs on the GPU meanwhile. */
static void fence_before(struct lab_nccl_comm *k) {
    if (k->fenced)
        (void)lab_cuda_check(k->flow.cuda, cudaStreamSynchronize(k->flow.cuda->compute),
                             "what comes before a transfer");
}
static bool is_broken(struct lab_nccl_comm *k) {
    (void)pthread_mutex_lock(&k->mutex);
    bool broken = k->broken;
    (void)pthread_mutex_unlock(&k->mutex);
    return broken;
}
static void fence_after(struct lab_nccl_comm *k, lab_ticket t) {
    if (!k->fenced) return;
    cudaEvent_t ended = lab_flow_marks(&k->flow, t)->at[LAB_ENDED];
    while (!is_broken(k) && cudaEventQuery(ended) == cudaErrorNotReady) (void)poll(NULL, 0, 1);
    /* Clears "not ready", which the next launch would otherwise report as its failure. */
    (void)cudaGetLastError();
}
static lab_ticket nccl_start(struct lab_comm *c, const struct lab_transfer *x) {
    struct lab_nccl_comm *k = lab_nccl_of(c);
    k->parted = false;
    fence_before(k);
    (void)pthread_mutex_lock(&k->mutex);
    lab_ticket t = lab_flow_add(&k->flow, x);
    bool moves = t && !k->broken && move(k, t);
    (void)pthread_mutex_unlock(&k->mutex);
    if (moves) fence_after(k, t);
    return t;
}
/* Called with the mutex held; releases it. */
static bool leave(struct lab_nccl_comm *k, struct lab_message *m) {
    bool well = !k->broken;
    if (!well) (void)snprintf(m->text, sizeof m->text, "%s", k->why);
    (void)pthread_mutex_unlock(&k->mutex);
    return well;
}
static bool nccl_wait(struct lab_comm *c, lab_ticket t, struct lab_message *m) {
    struct lab_nccl_comm *k = lab_nccl_of(c);
    (void)pthread_mutex_lock(&k->mutex);
    if (!k->broken) lab_flow_wait(&k->flow, t);
    return leave(k, m);
}

/* ── times ── */

/* A rank that comes early waits inside the collective for the others: how long it took on the rank
 * that came last is how long moving took, and what the others took more is skew. Ranks tell each
 * other after a step how long each transfer took, by each GPU's own clock: clocks of several GPUs
 * are not compared. These numbers are the measuring's own: they are not counted. */
static void split(struct lab_nccl_comm *k, lab_ticket t, const double *first, size_t apart) {
    struct lab_comm_times *times = &lab_tickets_at(&k->flow.tickets, t)->times;
    double own = times->ended - times->started, wire = own;
    for (uint32_t r = 0; r < k->flow.comm.ranks; r++)
        if (first[r * apart] < wire) wire = first[r * apart];
    times->arrived = times->started + (own - wire);
}
static bool tell_skew(struct lab_nccl_comm *k, struct lab_message *m) {
    struct lab_flow *f = &k->flow;
    for (lab_ticket from = f->tickets.told; from < f->waited;) {
        size_t n = f->waited - from < LAB_MEET_NUMBERS ? f->waited - from : LAB_MEET_NUMBERS;
        for (size_t i = 0; i < n; i++) {
            const struct lab_comm_times *times = &lab_tickets_at(&f->tickets, from + 1 + i)->times;
            k->took[i] = times->ended - times->started;
        }
        if (!lab_meet_exchange(k->meet, k->took, k->others, n, m)) return false;
        for (size_t i = 0; i < n; i++) split(k, from + 1 + i, k->others + i, n);
        from += n;
    }
    return true;
}
static bool nccl_settle(struct lab_comm *c, struct lab_message *m) {
    struct lab_nccl_comm *k = lab_nccl_of(c);
    struct lab_device *d = &k->flow.cuda->device;
    bool finished = d->row->finish(d, m); /* blocks until it ends, or the guard ends it */
    (void)pthread_mutex_lock(&k->mutex);
    bool settled = finished && !k->broken && lab_flow_settle(&k->flow, m);
    if (!leave(k, m) || !settled) return false;
    if (!tell_skew(k, m)) return false;
    (void)pthread_mutex_lock(&k->mutex);
    lab_flow_tell(&k->flow);
    return leave(k, m);
}

/* ── the host's own meetings ── */

static void set_waiting(struct lab_nccl_comm *k, bool waits) {
    if (!k->control) return;
    struct lab_rank_slot *slot = &k->control->slot[k->flow.comm.rank];
    atomic_store(&slot->waiting, waits);
    atomic_fetch_add(&slot->beats, 1);
}
static bool exchange(struct lab_nccl_comm *k, const double *mine, double *all, size_t n,
                     struct lab_message *m) {
    set_waiting(k, true);
    bool well = lab_meet_exchange(k->meet, mine, all, n, m);
    set_waiting(k, false);
    return well;
}
static bool nccl_exchange(struct lab_comm *c, double mine, double *all, struct lab_message *m) {
    struct lab_nccl_comm *k = lab_nccl_of(c);
    k->parted = false;
    c->control += (c->ranks - 1) * sizeof mine;
    return exchange(k, &mine, all, 1, m);
}
static bool nccl_barrier(struct lab_comm *c, struct lab_message *m) {
    struct lab_nccl_comm *k = lab_nccl_of(c);
    struct lab_device *d = &k->flow.cuda->device;
    k->parted = d->row->finish(d, m) && exchange(k, NULL, NULL, 0, m);
    return k->parted;
}
static bool nccl_share(struct lab_comm *c, void *bytes, size_t size, struct lab_message *m) {
    struct lab_nccl_comm *k = lab_nccl_of(c);
    set_waiting(k, true);
    bool well = lab_meet_share(k->meet, bytes, size, m);
    set_waiting(k, false);
    return well;
}
static void nccl_progress(struct lab_comm *c, uint32_t step, int phase, int unit) {
    struct lab_nccl_comm *k = lab_nccl_of(c);
    struct lab_where w = {.step = step, .phase = (enum lab_phase)phase, .unit = unit};
    if (k->control) lab_control_progress(k->control, c->rank, w);
}
static uint64_t nccl_resident(struct lab_comm *c) {
    (void)c;
    return 0;
}

/* ── closing and opening ── */

/* Abort, not destroy: after a barrier there is nothing left to be finished, and abort never waits
 * for other ranks. */
static void end_comm(struct lab_nccl_comm *k) {
    char why[64];
    (void)snprintf(why, sizeof why, "rank %u left the run", k->flow.comm.rank);
    (void)pthread_mutex_lock(&k->mutex);
    if (!k->parted) lab_meet_abort(k->meet, (int)k->flow.comm.rank, why);
    if (k->parted) lab_nccl_free_all(k);
    lab_nccl_let_go(k);
    (void)pthread_mutex_unlock(&k->mutex);
}
static void nccl_close(struct lab_comm *c) {
    struct lab_nccl_comm *k = lab_nccl_of(c);
    lab_nccl_unguard(k);
    end_comm(k);
    lab_nccl_free_all(k);
    lab_flow_close(&k->flow);
    if (k->control) {
        lab_control_leave(k->control, c->rank);
        (void)munmap(k->control, sizeof *k->control);
    }
    (void)pthread_mutex_destroy(&k->mutex);
    free(k->took);
    free(k->others);
    free(k);
}

static const struct lab_comm_row nccl_row = {
    .name = "nccl",
    .alloc = lab_nccl_alloc,
    .free = lab_nccl_free,
    .start = nccl_start,
    .wait = nccl_wait,
    .settle = nccl_settle,
    .exchange = nccl_exchange,
    .barrier = nccl_barrier,
    .share = nccl_share,
    .progress = nccl_progress,
    .resident = nccl_resident,
    .lands = true,
    .close = nccl_close,
};

static bool no_id(const struct lab_nccl_comm *k, int result, struct lab_message *m) {
    (void)snprintf(m->text, sizeof m->text, "NCCL cannot make a communicator: %s",
                   k->nccl.error_text(result));
    return false;
}
static bool make_comm(struct lab_nccl_comm *k, const struct lab_options *o, struct lab_message *m) {
    struct lab_nccl_config config = LAB_NCCL_CONFIG;
    struct lab_nccl_id id = {{0}};
    const struct lab_comm *c = &k->flow.comm;
    char why[sizeof k->why];
    int result = c->rank == 0 ? k->nccl.get_unique_id(&id) : LAB_NCCL_SUCCESS;
    if (result != LAB_NCCL_SUCCESS) return no_id(k, result, m);
    if (!lab_meet_share(k->meet, &id, sizeof id, m)) return false;
    (void)pthread_mutex_lock(&k->mutex);
    result = k->nccl.init(&k->comm, (int)c->ranks, id, (int)c->rank, &config);
    bool well = lab_nccl_poll(k, result, o->patience, why, sizeof why);
    if (!well) lab_nccl_break(k, why);
    return leave(k, m) && well;
}
/* The memory that NCCL itself reports, if this version can. */
static void ask_held(struct lab_nccl_comm *k) {
    uint64_t bytes = 0;
    (void)pthread_mutex_lock(&k->mutex);
    bool said = k->comm && k->nccl.held &&
                k->nccl.held(k->comm, LAB_NCCL_HELD_TOTAL, &bytes) == LAB_NCCL_SUCCESS;
    (void)pthread_mutex_unlock(&k->mutex);
    if (said) lab_outside_nccl_says(k->flow.cuda->gpu, bytes);
}
/* Memory that the run will have afterwards. */
static bool warm_up(struct lab_nccl_comm *k, struct lab_message *m) {
    int gpu = k->flow.cuda->gpu;
    size_t bytes = warm_bytes(k);
    void *memory = lab_nccl_alloc(&k->flow.comm, bytes + LAB_RANKS_MAX * sizeof(float));
    (void)snprintf(m->text, sizeof m->text, "GPU %d has no memory left for NCCL", gpu);
    if (!memory) return false;
    lab_outside_begin(gpu);
    bool well = warm_all(k, memory, m);
    (void)cudaGetLastError();
    lab_outside_end(gpu, LAB_OUTSIDE_NCCL);
    lab_nccl_free(&k->flow.comm, memory, bytes + LAB_RANKS_MAX * sizeof(float));
    return lab_nccl_reuse(k) && well;
}
/* Starts the guard before the first collective, which never ends if a rank has died. */
static bool start_comm(struct lab_nccl_comm *k, const struct lab_options *o,
                       struct lab_message *m) {
    int gpu = k->flow.cuda->gpu;
    lab_outside_begin(gpu);
    bool well = make_comm(k, o, m) && lab_nccl_guard(k, m);
    (void)cudaGetLastError(); /* of NCCL's own attempts */
    lab_outside_end(gpu, LAB_OUTSIDE_NCCL);
    well = well && warm_up(k, m);
    if (well) ask_held(k);
    return well;
}
static bool open_all(struct lab_nccl_comm *k, const struct lab_options *o, struct lab_device *d,
                     struct lab_message *m) {
    const struct lab_meet_place *p = lab_meet_place_of(k->meet);
    int control = lab_inherited(LAB_ENV_MEMORY, 0);
    size_t bytes;
    if (control >= 0 && !(k->control = lab_arena_map(control, &bytes, m))) return false;
    k->took = calloc(LAB_MEET_NUMBERS, sizeof *k->took);
    k->others = calloc((size_t)p->ranks * LAB_MEET_NUMBERS, sizeof *k->others);
    (void)snprintf(m->text, sizeof m->text, "comm nccl: memory is short");
    if (!k->took || !k->others) return false;
    if (!lab_flow_open(&k->flow, d, &nccl_row, p->rank, p->ranks, m)) return false;
    if (!lab_nccl_load(&k->nccl, m) || !start_comm(k, o, m)) return false;
    if (!exchange(k, NULL, NULL, 0, m)) return false;
    lab_flow_set_clock(&k->flow, 0); /* all ranks have just passed a barrier */
    return true;
}
struct lab_comm *lab_nccl_open(const struct lab_options *o, struct lab_device *d,
                               struct lab_meet *meet, struct lab_message *m) {
    struct lab_nccl_comm *k = calloc(1, sizeof *k);
    (void)snprintf(m->text, sizeof m->text, "comm nccl: memory is short");
    if (!k) return NULL;
    k->meet = meet;
    k->fenced = o->share_gpu;
    k->stall = o->stall;
    k->stage = o->stage;
    k->bucket = o->bucket;
    (void)pthread_mutex_init(&k->mutex, NULL);
    if (open_all(k, o, d, m)) {
        m->text[0] = '\0';
        return &k->flow.comm;
    }
    k->flow.comm.rank = lab_meet_place_of(meet)->rank;
    struct lab_message why = *m;
    lab_meet_abort(meet, (int)k->flow.comm.rank, why.text);
    nccl_close(&k->flow.comm);
    *m = why;
    return NULL;
}
