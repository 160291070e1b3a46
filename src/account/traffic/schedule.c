/* A step as intervals: what computes and what communicates when, laid out just as clock.c counts.
 *
 *     compute    . . [head][block 1]   [block 2]   …  [head]
 *     comm       [first   ][share     ][share     ]
 *
 * A window holds a block's computation and an even share of the pass's communication. They begin
 * together, and the longer of the two ends the window. Communication that no computation can hide
 * comes before its pass, or before each block if it is divided among the blocks. The last bucket of
 * a reduction comes after the pass. What a layer waits for comes after its block. */
#include "account/traffic/flows.h"
#include "account/numbers/text.h"

#include <assert.h>
#include <math.h>

struct timeline {
    const struct account_traffic *traffic;
    const struct account_clock *clock;
    struct account_span *out;
    size_t capacity, count;
    double now;
};
/* of one micro-batch */
struct pass {
    enum account_phase phase;
    enum account_window window;
    uint32_t micro, blocks;
    /* what runs once a step runs with this micro-batch */
    bool last;
    /* seconds of computation: of each block, of the head */
    double block, head;
};

static void put(struct timeline *t, struct account_span span) {
    if (t->count < t->capacity) t->out[t->count] = span;
    t->count++;
}

/* ── computation, or waiting for what is no communication ──────────────────────────────────────*/

static void put_work(struct timeline *t, enum account_span_kind kind, const struct pass *p,
                     uint32_t block, double seconds) {
    if (!(seconds > 0)) return;
    put(t, (struct account_span){.kind = kind,
                                 .phase = p->phase,
                                 .micro = p->micro,
                                 .block = block,
                                 .start = t->now,
                                 .end = t->now + seconds});
}

static void run_alone(struct timeline *t, enum account_span_kind kind, const struct pass *p,
                      double seconds) {
    put_work(t, kind, p, 0, seconds);
    t->now += seconds;
}

/* ── communication ─────────────────────────────────────────────────────────────────────────────*/

/* From `start`; `busy` is when the computation beside it ends. Returns when it is over. */
static double put_comm(struct timeline *t, const struct pass *p, size_t collective, uint32_t block,
                       double start, double seconds, double busy) {
    double end = start + seconds, free = busy > start ? busy : start;
    if (!(seconds > 0)) return start;
    put(t, (struct account_span){.kind = ACCOUNT_SPAN_COMM,
                                 .phase = p->phase,
                                 .micro = p->micro,
                                 .block = block,
                                 .collective = collective,
                                 .start = start,
                                 .end = end,
                                 .exposed = end > free ? end - free : 0});
    return end;
}

/* Seconds of a collective in one pass: by the windows it runs in, or by the share of it that is
 * this phase's. */
static double seconds_in(const struct timeline *t, const struct pass *p, size_t i) {
    const struct account_collective *collective = &t->traffic->collective[i];
    double each = t->clock->collective[i] / account_degree(collective->windows);
    if (collective->after || (collective->windows == 1 && !p->last)) return 0;
    return each * (p->phase == ACCOUNT_FORWARD ? collective->forward : 1 - collective->forward);
}

static bool is_beside(const struct account_collective *collective, const struct pass *p) {
    return collective->window == p->window;
}

/* Parts of the collectives that stand bare at an end of the pass. */
static void put_heads(struct timeline *t, const struct pass *p, bool behind) {
    for (size_t i = 0; i < t->traffic->collectives; i++) {
        const struct account_collective *collective = &t->traffic->collective[i];
        bool beside = is_beside(collective, p);
        bool comes_behind = beside && p->phase == ACCOUNT_BACKWARD;
        if ((!beside && collective->window != ACCOUNT_BARE) || comes_behind != behind) continue;
        t->now = put_comm(t, p, i, 0, t->now, seconds_in(t, p, i) * collective->head, t->now);
    }
}

/* Each block's share of the collectives with this window, one after the other from now on. */
static double put_shares(struct timeline *t, const struct pass *p, enum account_window window,
                         uint32_t block, double busy) {
    double at = t->now;
    for (size_t i = 0; i < t->traffic->collectives; i++) {
        const struct account_collective *collective = &t->traffic->collective[i];
        double spread = window == ACCOUNT_INSIDE_LAYER ? 1 : 1 - collective->head;
        if (collective->window != window) continue;
        at = put_comm(t, p, i, block, at, seconds_in(t, p, i) * spread / p->blocks, busy);
    }
    return at;
}

/* ── passes ────────────────────────────────────────────────────────────────────────────────────*/

static void run_block(struct timeline *t, const struct pass *p, uint32_t block) {
    t->now = put_shares(t, p, ACCOUNT_BARE, block, t->now);
    double busy = t->now + p->block;
    put_work(t, ACCOUNT_SPAN_BLOCK, p, block, p->block);
    double over = put_shares(t, p, p->window, block, busy);
    t->now = over > busy ? over : busy;
    t->now = put_shares(t, p, ACCOUNT_INSIDE_LAYER, block, t->now);
}

static void run_pass(struct timeline *t, const struct pass *p) {
    bool forward = p->phase == ACCOUNT_FORWARD;
    put_heads(t, p, false);
    if (!forward) run_alone(t, ACCOUNT_SPAN_HEAD, p, p->head);
    for (uint32_t i = 0; i < p->blocks; i++) run_block(t, p, forward ? i + 1 : p->blocks - i);
    if (forward) run_alone(t, ACCOUNT_SPAN_HEAD, p, p->head);
    put_heads(t, p, true);
}

/* Gradients that only the end of backward completes, before the update; parameters, after it. */
static void put_once(struct timeline *t, const struct pass *p, bool gathers) {
    for (size_t i = 0; i < t->traffic->collectives; i++) {
        const struct account_collective *collective = &t->traffic->collective[i];
        if (!collective->after || (collective->op == ACCOUNT_ALL_GATHER) != gathers) continue;
        t->now = put_comm(t, p, i, 0, t->now, t->clock->collective[i], t->now);
    }
}

static void run_step(struct timeline *t, const struct account_work *work, uint32_t micro,
                     uint32_t blocks) {
    double share = work->blocks / micro;
    struct pass forward = {.phase = ACCOUNT_FORWARD,
                           .window = ACCOUNT_BEHIND_FORWARD,
                           .blocks = blocks,
                           .block = work->forward * share / blocks,
                           .head = work->forward * (1 - work->blocks) / micro};
    struct pass backward = {.phase = ACCOUNT_BACKWARD,
                            .window = ACCOUNT_BEHIND_BACKWARD,
                            .blocks = blocks,
                            .block = work->backward * share / blocks,
                            .head = work->backward * (1 - work->blocks) / micro};
    struct pass update = {.phase = ACCOUNT_UPDATE, .micro = micro - 1};
    for (uint32_t i = 0; i < micro; i++) {
        forward.micro = backward.micro = i;
        forward.last = backward.last = i + 1 == micro;
        run_pass(t, &forward);
        run_pass(t, &backward);
    }
    run_alone(t, ACCOUNT_SPAN_BUBBLE, &update, t->clock->bubble);
    put_once(t, &update, false);
    run_alone(t, ACCOUNT_SPAN_UPDATE, &update, t->clock->update);
    run_alone(t, ACCOUNT_SPAN_OFFLOAD, &update, t->clock->offload);
    put_once(t, &update, true);
}

/* ── the schedule ──────────────────────────────────────────────────────────────────────────────*/

static bool check(const struct account_clock *c, uint32_t micro, uint32_t blocks,
                  struct account_error *e) {
    if (!c->has_compute || blocks == 0)
        return account_fail(e, 0,
                            "model: how long a step computes follows from a model, a card, batch "
                            "and seq: set all four");
    if (!c->has_comm)
        return account_fail(e, 0,
                            "link: how fast is the link? Name one, like nvlink3 or 25GB/s, in link "
                            "(inside a node) and net (between nodes)");
    return (uint64_t)micro * blocks <= ACCOUNT_SCHEDULE_BLOCKS ||
           account_fail(e, 0,
                        "accumulate: %u micro-batches of %u blocks are too many to lay out one by "
                        "one: take at most %u",
                        micro, blocks, ACCOUNT_SCHEDULE_BLOCKS / blocks);
}

bool account_schedule(const struct account_training *t, struct account_span *out, size_t capacity,
                      size_t *count, struct account_error *e) {
    struct account_resolved is;
    struct account_traffic traffic;
    struct account_clock clock;
    *count = 0;
    if (!account_resolve(t, &is, e) || !account_clock_of(&is, &traffic, &clock, e)) return false;
    uint32_t blocks = account_blocks_here(&is);
    if (!check(&clock, is.micro, blocks, e)) return false;
    struct account_work work = account_work(&is);
    struct timeline timeline = {&traffic, &clock, out, capacity, 0, 0};
    run_step(&timeline, &work, is.micro, blocks);
    assert(fabs(timeline.now - clock.step) <= 1e-9 * clock.step);
    *count = timeline.count;
    return true;
}
