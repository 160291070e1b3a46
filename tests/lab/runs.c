#include "runs.h"

#include "lab/predict.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct lab_options run_options(uint32_t ranks, uint32_t stage) {
    struct lab_options o;
    lab_options_default(&o);
    o.comm = LAB_LOCAL;
    o.shape = (struct lab_shape){.layers = 3, .width = 20, .heads = 2, .seq = 16, .vocab = 257};
    o.ranks = ranks;
    o.stage = stage;
    o.steps = 3;
    o.batch = 2;
    o.bucket = 16000;
    (void)snprintf(o.tokens, sizeof o.tokens, "random");
    return o;
}

struct lab_options run_words(const char *words) {
    struct lab_options o = run_options(1, 0);
    struct lab_message m = {""};
    char text[400], *argv[40] = {"zerolab"};
    int argc = 1;
    (void)snprintf(text, sizeof text, "%s", words);
    for (char *rest = text, *w; (w = strtok_r(rest, " ", &rest)) && argc < 40;) argv[argc++] = w;
    if (!lab_options_read(argc, argv, &o, &m) || !lab_options_check(&o, &m))
        fail_msg("%s: %s", words, m.text);
    return o;
}

struct heard {
    struct run run;
    /* rank */
    uint32_t last;
    pthread_mutex_t lock;
};

static void hear_memory(struct run *run, const struct lab_report *r, bool last) {
    run->memories++;
    if (r->as.memory.highest_total > run->highest[r->rank]) {
        run->highest[r->rank] = r->as.memory.highest_total;
        run->highest_where[r->rank] = r->where;
    }
    if (!last) return;
    if (run->moments && run->moment[0].where.step != r->where.step) run->moments = 0;
    assert_true(run->moments < RUN_MOMENTS);
    run->moment[run->moments++] = *r;
}

static void hear_step(struct run *run, const struct lab_report *r) {
    double *offload = &run->offload[r->where.step % (RUN_STEPS + 1)];
    if (r->where.step > RUN_STEPS) return;
    run->loss[r->where.step] = r->as.step.loss;
    run->skipped += r->rank == 0 && r->as.step.skipped;
    if (r->rank == 0) run->passes = r->as.step.passes;
    if (r->as.step.offload > *offload) *offload = r->as.step.offload;
}

static void hear_time(struct run *run, const struct lab_report *r) {
    const struct lab_says_comm *c = &r->as.comm;
    (c->among == LAB_ACROSS ? run->across : run->inside)[r->rank] += c->end - c->start - c->skew;
}

static void hear(void *self, const struct lab_report *r) {
    struct heard *h = self;
    pthread_mutex_lock(&h->lock);
    switch (r->says) {
    case LAB_SAYS_STEP: hear_step(&h->run, r); break;
    case LAB_SAYS_COMM:
        hear_time(&h->run, r);
        h->run.transfers++;
        h->run.told[r->rank][r->as.comm.op] += r->as.comm.sent;
        break;
    case LAB_SAYS_MEMORY: hear_memory(&h->run, r, r->rank == h->last); break;
    case LAB_SAYS_OUTSIDE:
    case LAB_SAYS_EVALUATION:
    case LAB_SAYS_SAVED: break;
    case LAB_SAYS_ERROR:
        h->run.failed[r->rank] = true;
        h->run.error[r->rank] = r->as.error;
        break;
    case LAB_SAYS_END: h->run.end[r->rank] = r->as.end; break;
    }
    pthread_mutex_unlock(&h->lock);
}

struct thread {
    const struct lab_options *options;
    struct lab_local *shared;
    struct lab_sink sink;
    uint32_t rank;
    bool well;
};

static void *run_rank(void *self) {
    struct thread *t = self;
    struct lab_message m = {""};
    struct lab_comm *comm = lab_local_open(t->shared, t->rank, &m);
    struct lab_device *device = lab_cpu_open(&m);
    t->well = comm && device && lab_rank_run(t->options, comm, device, &t->sink);
    if (m.text[0]) (void)fprintf(stderr, "# rank %u: %s\n", t->rank, m.text);
    if (device) device->row->close(device);
    if (comm) comm->row->close(comm);
    return NULL;
}

struct run run_local(const struct lab_options *o) {
    struct heard h = {.last = o->ranks - 1, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct lab_message m = {""};
    struct lab_local *shared = lab_local_new(o, &m);
    struct thread t[RUN_RANKS];
    pthread_t id[RUN_RANKS];
    if (!shared) fail_msg("%s", m.text);
    for (uint32_t r = 0; r < o->ranks; r++) {
        t[r] = (struct thread){o, shared, {hear, &h}, r, false};
        assert_int_equal(pthread_create(&id[r], NULL, run_rank, &t[r]), 0);
    }
    h.run.well = true;
    for (uint32_t r = 0; r < o->ranks; r++) {
        pthread_join(id[r], NULL);
        h.run.well = h.run.well && t[r].well;
    }
    lab_local_free(shared);
    return h.run;
}

struct run run_well(const struct lab_options *o) {
    struct run r = run_local(o);
    for (uint32_t k = 0; k < o->ranks; k++)
        if (r.failed[k]) fail_msg("rank %u: %s", k, r.error[k].text);
    assert_true(r.well);
    return r;
}

void run_assert_same(const char *what, const struct run *a, const struct run *b, uint32_t steps) {
    for (uint32_t s = 1; s <= steps; s++)
        if (a->loss[s] != b->loss[s])
            fail_msg("%s: loss of step %u is %.17g, not %.17g", what, s, b->loss[s], a->loss[s]);
    if (a->end[0].weights_hash != b->end[0].weights_hash) fail_msg("%s: weights differ", what);
}

struct run run_dry(const struct lab_options *o, uint32_t rank) {
    struct heard h = {.last = rank, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct lab_sink sink = {hear, &h};
    h.run.well = lab_dry_run(o, rank, &sink);
    return h.run;
}

struct account_training run_training(const struct lab_options *o) {
    struct account_training t;
    struct account_error e = {.what = ""};
    if (!lab_training(o, &t, &e)) fail_msg("%s", e.what);
    return t;
}
