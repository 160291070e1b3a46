/* Ranks that are threads on one GPU: what each collective brings, how many bytes it counts, that
 * transfers stand in order with compute, and what is said when ranks disagree or leave. */
#include "check.h"

#include "lab/cuda/cuda.h"
#include "lab/cuda/comms.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANKS = 4, COUNT = 1000, TURNS = 6 };

/* of a rank */
struct place {
    struct lab_shared_gpu *shared;
    uint32_t rank;
    void (*job)(struct place *p);
    struct lab_device *device;
    struct lab_comm *comm;
    /* [RANKS][COUNT] */
    float *host;
    uint64_t told;
    bool well;
    char said[300];
    pthread_t thread;
};
static void expect(struct place *p, bool well, const char *what) {
    if (!well && !p->said[0]) (void)snprintf(p->said, sizeof p->said, "%s", what);
    p->well = p->well && well;
}
static void watch(void *self, const struct lab_transfer *x, uint64_t sent,
                  const struct lab_comm_times *t) {
    struct place *p = self;
    p->told++;
    expect(p, sent == lab_transfer_sent(x, p->rank, RANKS), "bytes were counted wrongly");
    expect(p, t->started >= 0 && t->arrived >= t->started && t->ended >= t->started,
           "times run backwards");
    expect(p, t->exposed >= 0, "compute stood still for less than nothing");
}

/* ── numbers: rank r's element i of piece q in turn t, small whole ones, so that sums are exact
 * ── */

static float number(uint32_t r, uint32_t q, size_t i, int turn) {
    return (float)((r + 1) * 100 + q * 10 + i % 10 + (size_t)turn);
}
static float sum_of(uint32_t q, size_t i, int turn) {
    float sum = 0;
    for (uint32_t r = 0; r < RANKS; r++) sum += number(r, q, i, turn);
    return sum;
}
static void put(struct place *p, void *to, uint32_t pieces, int turn) {
    for (uint32_t q = 0; q < pieces; q++)
        for (size_t i = 0; i < COUNT; i++) p->host[q * COUNT + i] = number(p->rank, q, i, turn);
    p->device->row->upload(p->device, to, p->host, pieces * COUNT * sizeof(float));
}
static void get(struct place *p, const void *from, uint32_t pieces) {
    p->device->row->download(p->device, p->host, from, pieces * COUNT * sizeof(float));
}
static lab_ticket start(struct place *p, enum lab_collective op, void *whole, void *shard,
                        bool add) {
    struct lab_transfer x = {
        .op = op, .whole = whole, .shard = shard, .count = COUNT, .add = add, .unit = -1};
    return p->comm->row->start(p->comm, &x);
}
static bool wait_for(struct place *p, lab_ticket t) {
    struct lab_message m = {""};
    bool well = p->comm->row->wait(p->comm, t, &m);
    expect(p, well, m.text);
    return well;
}
static bool is(const struct place *p, uint32_t q, float (*want)(uint32_t, size_t, int), int turn,
               uint32_t piece) {
    for (size_t i = 0; i < COUNT; i++)
        if (p->host[q * COUNT + i] != want(piece, i, turn)) return false;
    return true;
}

/* ── jobs ── */

static void *shared_memory(struct place *p, uint32_t pieces) {
    return p->comm->row->alloc(p->comm, pieces * COUNT * sizeof(float));
}
static float twice(uint32_t q, size_t i, int turn) {
    return sum_of(q, i, turn) + sum_of(q, i, turn);
}
static void collectives(struct place *p) {
    float *whole = shared_memory(p, RANKS), *shard = shared_memory(p, 1),
          *all = shared_memory(p, RANKS);
    struct lab_message m = {""};
    expect(p, whole && shard && all && p->comm->row->barrier(p->comm, &m), "no memory");
    for (int turn = 0; p->well && turn < TURNS; turn++) {
        put(p, whole, RANKS, turn);
        (void)start(p, LAB_REDUCE_SCATTER, whole, shard, false);
        /* behind it, of the same numbers: two in flight, and the second adds to what the first
         * wrote */
        lab_ticket second = start(p, LAB_REDUCE_SCATTER, whole, shard, true);
        lab_ticket third = start(p, LAB_ALL_GATHER, all, shard, false);
        if (!wait_for(p, second)) return;
        /* what peers read changes only behind their reading */
        p->device->row->zero(p->device, whole, RANKS * COUNT * sizeof(float));
        get(p, shard, 1);
        expect(p, is(p, 0, twice, turn, p->rank), "reduce_scatter: wrong sums");
        if (!wait_for(p, third)) return;
        get(p, all, RANKS);
        for (uint32_t q = 0; q < RANKS; q++)
            expect(p, is(p, q, twice, turn, q), "all_gather: wrong pieces");
        put(p, whole, RANKS, turn);
        if (!wait_for(p, start(p, LAB_ALL_REDUCE, whole, NULL, false))) return;
        get(p, whole, RANKS);
        for (uint32_t q = 0; q < RANKS; q++)
            expect(p, is(p, q, sum_of, turn, q), "all_reduce: wrong sums");
        put(p, whole, RANKS, turn);
        if (!wait_for(p, start(p, LAB_BROADCAST, whole, NULL, false))) return;
        get(p, whole, RANKS);
        for (uint32_t q = 0; q < RANKS; q++)
            for (size_t i = 0; i < COUNT; i++)
                expect(p, p->host[q * COUNT + i] == number(0, q, i, turn),
                       "broadcast: not rank 0's");
        expect(p, p->comm->row->settle(p->comm, &m), m.text);
        expect(p, p->told == 5 * (uint64_t)(turn + 1), "not all transfers were told of");
        double every[RANKS];
        expect(p, p->comm->row->exchange(p->comm, p->rank * 10 + (double)turn, every, &m), m.text);
        for (uint32_t r = 0; r < RANKS; r++)
            expect(p, every[r] == r * 10 + (double)turn, "exchange: wrong number");
    }
    expect(p, p->comm->control == TURNS * (RANKS - 1) * sizeof(double), "control was not counted");
    expect(p, p->comm->row->barrier(p->comm, &m), m.text);
    p->comm->row->free(p->comm, whole, RANKS * COUNT * sizeof(float));
    p->comm->row->free(p->comm, shard, COUNT * sizeof(float));
    p->comm->row->free(p->comm, all, RANKS * COUNT * sizeof(float));
}
static void fails_with(struct place *p, lab_ticket t, const char *what) {
    struct lab_message m = {""};
    expect(p, !p->comm->row->wait(p->comm, t, &m), "a transfer that cannot be ended well");
    if (!strstr(m.text, what)) expect(p, false, m.text[0] ? m.text : "nothing was said");
}
static void disagree(struct place *p) {
    float *whole = shared_memory(p, RANKS), *shard = shared_memory(p, 1);
    fails_with(p, start(p, p->rank == 2 ? LAB_ALL_GATHER : LAB_REDUCE_SCATTER, whole, shard, false),
               "rank 0 is at reduce_scatter of 1000 × fp32, rank 2 at all_gather");
}
static void one_leaves(struct place *p) {
    float *whole = shared_memory(p, RANKS), *shard = shared_memory(p, 1);
    if (p->rank != 1)
        fails_with(p, start(p, LAB_ALL_GATHER, whole, shard, false), "rank 1 left the run");
}
static void too_much(struct place *p) {
    void *memory = p->comm->row->alloc(p->comm, (size_t)1 << 50);
    expect(p, !memory && strstr(p->comm->trouble, "GPU 0 has no 1125899906842624 bytes more"),
           p->comm->trouble);
}

/* ── running them ── */

static void *run(void *self) {
    struct place *p = self;
    struct lab_message m = {""};
    p->device = lab_cuda_open(0, &m);
    p->comm = p->device ? lab_shared_gpu_open(p->shared, p->device, p->rank, &m) : NULL;
    expect(p, p->comm != NULL, m.text);
    if (p->comm) {
        p->comm->watch = watch;
        p->comm->watch_self = p;
        p->job(p);
        p->comm->row->close(p->comm);
    }
    if (p->device) p->device->row->close(p->device);
    return NULL;
}
static void try_job(struct check *c, const char *name, void (*job)(struct place *p)) {
    struct lab_options o = {.device = LAB_CUDA, .comm = LAB_LOCAL, .ranks = RANKS};
    struct lab_message m = {""};
    struct place place[RANKS];
    static float host[RANKS][RANKS * COUNT];
    struct lab_shared_gpu *shared = lab_shared_gpu_new(&o, &m);
    if (!check(c, shared != NULL, "%s: what ranks share %s", name, m.text)) return;
    for (uint32_t r = 0; r < RANKS; r++) {
        place[r] =
            (struct place){.shared = shared, .rank = r, .job = job, .host = host[r], .well = true};
        if (pthread_create(&place[r].thread, NULL, run, &place[r])) exit(1);
    }
    for (uint32_t r = 0; r < RANKS; r++) {
        (void)pthread_join(place[r].thread, NULL);
        (void)check(c, place[r].well, "%s: rank %u %s", name, r, place[r].said);
    }
    lab_shared_gpu_free(shared);
}

int main(void) {
    struct check c = {0};
    alarm(300);
    try_job(&c, "collectives", collectives);
    try_job(&c, "ranks that disagree", disagree);
    try_job(&c, "a rank that leaves", one_leaves);
    try_job(&c, "more memory than there is", too_much);
    return check_done(&c);
}
