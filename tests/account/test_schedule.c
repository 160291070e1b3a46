/* Schedules: their spans add up to what the clock says, leg by leg; nothing overlaps on a lane; and
 * gathers run ahead only where asked to. */
#include "account/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plan {
    struct account_span *span;
    size_t count;
    struct account_clock clock;
    struct account_traffic traffic;
};

static struct plan plan_of(const struct account_training *t) {
    struct plan p = {0};
    struct account_error e = {0};
    size_t again;
    if (!account_schedule(t, NULL, 0, &p.count, &e)) fail_msg("%s", e.what);
    p.span = malloc(p.count * sizeof *p.span);
    assert_true(account_schedule(t, p.span, p.count, &again, &e));
    assert_int_equal(again, p.count);
    assert_true(account_clock(t, &p.clock, &e));
    assert_true(account_traffic(t, &p.traffic, &e));
    return p;
}

static void assert_near(double got, double wanted, double whole, const char *what,
                        const char *pairs) {
    if (!(fabs(got - wanted) <= 1e-9 * whole))
        fail_msg("%s: %s is %.17g, and not %.17g", pairs, what, got, wanted);
}

static double sum(const struct plan *p, enum account_span_kind kind, enum account_phase phase) {
    double seconds = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->span[i].kind == kind && p->span[i].phase == phase)
            seconds += p->span[i].end - p->span[i].start;
    return seconds;
}

static void assert_legs(const struct plan *p, const char *pairs) {
    for (size_t leg = 0; leg < p->traffic.collectives; leg++) {
        double seconds = 0;
        for (size_t i = 0; i < p->count; i++)
            if (p->span[i].kind == ACCOUNT_SPAN_COMM && p->span[i].collective == leg)
                seconds += p->span[i].end - p->span[i].start;
        assert_near(seconds, p->clock.collective[leg], p->clock.step,
                    p->traffic.collective[leg].what, pairs);
    }
}

static void assert_sums(const struct plan *p, const char *pairs) {
    const struct account_clock *c = &p->clock;
    double exposed = 0;
    for (size_t i = 0; i < p->count; i++) exposed += p->span[i].exposed;
    assert_near(sum(p, ACCOUNT_SPAN_BLOCK, ACCOUNT_FORWARD) +
                    sum(p, ACCOUNT_SPAN_HEAD, ACCOUNT_FORWARD),
                c->forward, c->step, "forward", pairs);
    assert_near(sum(p, ACCOUNT_SPAN_BLOCK, ACCOUNT_BACKWARD) +
                    sum(p, ACCOUNT_SPAN_HEAD, ACCOUNT_BACKWARD),
                c->backward, c->step, "backward", pairs);
    assert_near(sum(p, ACCOUNT_SPAN_UPDATE, ACCOUNT_UPDATE), c->update, c->step, "update", pairs);
    assert_near(sum(p, ACCOUNT_SPAN_BUBBLE, ACCOUNT_UPDATE), c->bubble, c->step, "bubble", pairs);
    assert_near(sum(p, ACCOUNT_SPAN_OFFLOAD, ACCOUNT_UPDATE), c->offload, c->step, "offload",
                pairs);
    assert_near(exposed, c->comm_exposed, c->step, "exposed", pairs);
}

/* Spans of a lane follow each other, and the last ends with the step. */
static void assert_lanes(const struct plan *p, const char *pairs) {
    double end[2] = {0};
    for (size_t i = 0; i < p->count; i++) {
        const struct account_span *s = &p->span[i];
        double *lane = &end[s->kind == ACCOUNT_SPAN_COMM];
        if (s->start < *lane - 1e-12 || s->end < s->start)
            fail_msg("%s: span %zu runs from %.17g to %.17g; its lane is taken until %.17g", pairs,
                     i, s->start, s->end, *lane);
        *lane = s->end;
    }
    assert_near(end[0] > end[1] ? end[0] : end[1], p->clock.step, p->clock.step, "the end", pairs);
}

static void agrees_with_the_clock(void **state) {
    static const char *const models[] = {"llama-2-13b", "gpt2", "mixtral-8x7b"};
    static const char *const others[] = {
        "",
        "accumulate=4",
        "prefetch=0",
        "prefetch=0 accumulate=3",
        "tp=2",
        "tp=2 sp=on checkpoint=full accumulate=2",
        "pp=4 accumulate=8",
        "cp=2",
        "ep=4",
        "offload_optimizer=host",
        "shard_group=8 link=20GB/s net=3GB/s",
        "hpz=8 qwz=on qgz=on net=2GB/s",
    };
    static const char *const recipes[] = {"paper", "deepspeed", "fsdp2", "megatron"};
    size_t counted = 0;
    (void)state;
    for (int i = 0; i < 3 * 12 * 4 * 4; i++) {
        char pairs[256];
        snprintf(pairs, sizeof pairs,
                 "model=%s gpu=a100-80g gpus=32 gpus_per_node=8 batch=1 seq=2048 recipe=%s "
                 "stage=%d %s",
                 models[i % 3], recipes[i / 3 % 4], i / 12 % 4, others[i / 48]);
        struct account_training t = training_of(pairs);
        if (!account_check(&t, NULL)) continue;
        struct plan plan = plan_of(&t);
        assert_legs(&plan, pairs);
        assert_sums(&plan, pairs);
        assert_lanes(&plan, pairs);
        free(plan.span);
        counted++;
    }
    assert_true(counted > 300);
}

/* Stage 3 with a prefetch: each block's window holds a gather that began with it. Without: the
 * block waits for its own. */
static void gathers_run_ahead(void **state) {
    struct account_training t =
        training_of("model=llama-2-7b gpu=a100-80g gpus=8 stage=3 batch=1 seq=2048 prefetch=1");
    (void)state;
    for (uint32_t ahead = 0; ahead < 2; ahead++) {
        t.prefetch = ahead;
        struct plan p = plan_of(&t);
        double block = 0, gather = 0;
        for (size_t i = 0; i < p.count; i++) {
            const struct account_span *s = &p.span[i];
            if (s->phase != ACCOUNT_FORWARD || s->block != 5) continue;
            if (s->kind == ACCOUNT_SPAN_BLOCK) block = s->start;
            if (s->kind == ACCOUNT_SPAN_COMM) gather = s->start;
        }
        assert_true(block > 0 && gather > 0);
        assert_true(ahead ? gather == block : gather < block);
        free(p.span);
    }
}

static void says_what_is_missing(void **state) {
    static const struct {
        const char *pairs, *says;
    } rows[] = {
        {"params=7e9 gpus=8", "a model, a card"},
        {"model=gpt2 gpus=8 batch=1 seq=1024", "a card"},
        {"model=gpt2 gpu=a100-80g gpus=8 batch=1 seq=1024 accumulate=1000000",
         "accumulate: 1000000 micro-batches of 12 blocks"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct account_training t = training_of(rows[i].pairs);
        struct account_error e = {0};
        size_t count = 7;
        assert_false(account_schedule(&t, NULL, 0, &count, &e));
        if (!strstr(e.what, rows[i].says)) print_error("%s\n", e.what);
        assert_non_null(strstr(e.what, rows[i].says));
        assert_int_equal(count, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_clock),
        cmocka_unit_test(gathers_run_ahead),
        cmocka_unit_test(says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
