/* A transfer as NCCL's collectives do it. A sum that is added to what is there, or rounded to another type, is made in place in `whole`, and the shard
 * follows by a kernel of our own. Payload is counted; how many bytes go over wires is NCCL's affair. */
#include "lab/cuda/nccl_comm.h"
#include "lab/cuda/rank_sum.h"
#include "lab/json.h"

#include <poll.h>
#include <stdio.h>

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
bool lab_nccl_move(struct lab_nccl_comm *k, lab_ticket t) {
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

/* Whether the first one of a kind ends: where a link does not work, or a rank hangs, it shows here, and no ticket tells the guard. */
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
size_t lab_nccl_warm_bytes(const struct lab_nccl_comm *k) {
    return k->bucket < WARM_LEAST ? WARM_LEAST : k->bucket > WARM_MOST ? WARM_MOST : k->bucket;
}
/* NCCL connects and allocates when a kind of collective of a size is first used: of few bytes, and of as many as a run sends at once. */
bool lab_nccl_warm_up(struct lab_nccl_comm *k, void *memory, struct lab_message *m) {
    static const enum lab_collective all[] = {LAB_ALL_REDUCE, LAB_REDUCE_SCATTER, LAB_ALL_GATHER};
    const size_t sizes[] = {1024, lab_nccl_warm_bytes(k)};
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
