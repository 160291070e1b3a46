/* A transfer between ranks on one GPU, or on several that read each other's memory: copies from device to device, and sums in rank order, each on the reader's own stream. No kernel waits for another
 * one, so it cannot deadlock. The thread that comes last enqueues it for all:
 *
 *     reader's stream  begun │ wait for all ranks' ready │ arrived │ read │ ended │ wait for all ranks' ended │ done
 *
 * After `done` nobody reads this rank's memory any more. all_reduce: a sum, `half`, all ranks' halves, then copies. Who reads counts: the
 * bytes go to the owner's ticket. */
#include "lab/cuda/local_gpu.h"
#include "lab/cuda/rank_sum.h"

#include <stdio.h>

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
/* Rank r's stream goes on only behind every rank's mark. */
static void await(struct lab_shared_gpu *s, uint32_t r, lab_ticket t, enum lab_mark mark) {
    for (uint32_t p = 0; p < s->ranks; p++)
        (void)check(s, r,
                    cudaStreamWaitEvent(stream_of(s, r),
                                        lab_flow_marks(&s->rank[p]->flow, t)->at[mark], 0));
}
static void record(struct lab_shared_gpu *s, uint32_t r, lab_ticket t, enum lab_mark mark) {
    lab_flow_record(&s->rank[r]->flow, t, mark, stream_of(s, r));
}

/* ── reading ── */

static void credit(struct lab_shared_gpu *s, lab_ticket t, uint32_t reader, uint32_t owner,
                   size_t bytes) {
    if (reader != owner) job_of(s, owner, t)->sent += bytes;
}
/* Rank r sums its piece of all ranks' whole. */
static void sum(struct lab_shared_gpu *s, uint32_t r, lab_ticket t) {
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
static void copy(struct lab_shared_gpu *s, uint32_t r, lab_ticket t, uint32_t owner, char *to,
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
        copy(s, r, t, p, (char *)x->whole + p * n, from, n);
    }
}
static void broadcast(struct lab_shared_gpu *s, uint32_t r, lab_ticket t) {
    const struct lab_transfer *x = &job_of(s, r, t)->transfer;
    copy(s, r, t, 0, x->whole, job_of(s, 0, t)->transfer.whole, piece(x) * s->ranks);
}

/* ── the whole of it ── */

static bool agree(const struct lab_shared_gpu *s, lab_ticket t, char *why, size_t capacity) {
    static const char *const names[LAB_COLLECTIVES] = {"all_reduce", "reduce_scatter", "all_gather",
                                                       "broadcast"};
    const struct lab_transfer *a = &job_of(s, 0, t)->transfer;
    for (uint32_t r = 1; r < s->ranks; r++) {
        const struct lab_transfer *b = &job_of(s, r, t)->transfer;
        bool into = a->op != LAB_REDUCE_SCATTER || a->into == b->into;
        if (a->op == b->op && a->type == b->type && a->count == b->count && into) continue;
        (void)snprintf(why, capacity,
                       "rank 0 is at %s of %llu × %s, rank %u at %s of %llu × %s: ranks must start "
                       "the same transfers",
                       names[a->op], (unsigned long long)a->count, lab_dtype_name(a->type), r,
                       names[b->op], (unsigned long long)b->count, lab_dtype_name(b->type));
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
static void end(struct lab_shared_gpu *s, uint32_t r, lab_ticket t) {
    record(s, r, t, LAB_ENDED);
}
static void be_done(struct lab_shared_gpu *s, uint32_t r, lab_ticket t) {
    await(s, r, t, LAB_ENDED);
    record(s, r, t, LAB_DONE);
}
bool lab_local_move(struct lab_shared_gpu *s, lab_ticket t, char *why, size_t capacity) {
    enum lab_collective op = job_of(s, 0, t)->transfer.op;
    int own = 0;
    if (!agree(s, t, why, capacity)) return false;
    (void)cudaGetDevice(&own);
    for_all(s, t, arrive);
    if (op == LAB_ALL_GATHER) for_all(s, t, gather);
    if (op == LAB_BROADCAST) for_all(s, t, broadcast);
    if (op == LAB_REDUCE_SCATTER || op == LAB_ALL_REDUCE) for_all(s, t, sum);
    if (op == LAB_ALL_REDUCE) {
        for_all(s, t, half);
        for_all(s, t, rest);
    }
    for_all(s, t, end);
    for_all(s, t, be_done);
    (void)cudaSetDevice(own);
    return true;
}
