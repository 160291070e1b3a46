/* account_plan(): the rows that the search finds, in order, and the one to do.
 *
 * What fits comes first, by time; then what is tight, by time; then the rest, by how little is
 * missing. The first row is the fastest that fits, unless a simpler one is as fast within 2%: the
 * clock is not better than that, and a person has to set it up. A global batch that was not given
 * is 8 sequences a GPU; a sequence, the model's context up to 8192 tokens. */
#include "account/plan/search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ── the rows ──────────────────────────────────────────────────────────────────────────────────*/

struct rows {
    struct account_plan *plan;
    size_t count, capacity;
    struct account_front fits, tight;
};

static bool goes_before(const struct account_outcome *a, const struct account_outcome *b) {
    if (a->fits != b->fits) return a->fits < b->fits;
    if (a->fits == ACCOUNT_TOO_LARGE && a->spare != b->spare) return a->spare > b->spare;
    if (a->seconds < b->seconds || a->seconds > b->seconds) return a->seconds < b->seconds;
    return a->burden < b->burden;
}

static void insert(struct rows *r, size_t at, const struct account_plan *p) {
    if (at >= r->capacity) return;
    if (r->count < r->capacity) r->count++;
    memmove(&r->plan[at + 1], &r->plan[at], (r->count - 1 - at) * sizeof *p);
    r->plan[at] = *p;
}

static void add_row(void *to, const struct account_plan *p) {
    struct rows *r = to;
    enum account_fit fits = p->measured.fits;
    if (fits != ACCOUNT_TOO_LARGE)
        account_front_add(fits == ACCOUNT_FITS ? &r->fits : &r->tight, p);
    size_t low = 0, high = r->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (goes_before(&p->measured, &r->plan[middle].measured))
            high = middle;
        else
            low = middle + 1;
    }
    assert(low == 0 || !goes_before(&p->measured, &r->plan[low - 1].measured));
    insert(r, low, p);
}

static bool is_same(const struct account_training *a, const struct account_training *b) {
    return a->stage == b->stage && a->shard_group == b->shard_group &&
           a->checkpoint == b->checkpoint && a->offload_optimizer == b->offload_optimizer &&
           a->offload_params == b->offload_params && a->tp == b->tp && a->pp == b->pp &&
           a->cp == b->cp;
}

static void put_first(struct rows *r, const struct account_plan *chosen) {
    size_t at = 0;
    while (at < r->count && !is_same(&r->plan[at].training, &chosen->training)) at++;
    if (at < r->count) {
        memmove(&r->plan[at], &r->plan[at + 1], (r->count - at - 1) * sizeof *r->plan);
        r->count--;
    }
    insert(r, 0, chosen);
}

/* ── the answer ────────────────────────────────────────────────────────────────────────────────*/

/* `fastest` is NULL if nothing fits; else the first row is the one to do. */
static void give_reasons(const struct account_search *s, struct rows *r,
                         const struct account_plan *fastest) {
    for (size_t i = 0; i < r->count; i++) {
        struct account_plan *p = &r->plan[i];
        struct account_text out = account_text(p->reason, sizeof p->reason);
        if (i == 0 && fastest)
            account_reason_chosen(&out, &s->given, &p->measured, &fastest->measured);
        else
            account_reason_other(&out, &s->given, &p->measured, &r->plan[0].measured);
    }
}

/* What stood in for seconds while rows were put in order. */
static void clear_stand_ins(const struct account_search *s, struct rows *r) {
    for (size_t i = 0; i < r->count; i++)
        if (s->given.by_bytes || isinf(r->plan[i].measured.seconds))
            r->plan[i].measured.seconds = 0;
}

/* Whether the micro-batches that were given make up the global batch. */
static bool divides_batch(const struct account_search *s, uint64_t dp, struct account_error *e) {
    const struct account_training *t = &s->base;
    bool batch = account_is_pinned(s, ACCOUNT_KNOB_BATCH),
         accumulate = account_is_pinned(s, ACCOUNT_KNOB_ACCUMULATE);
    uint64_t own = s->global_batch / dp;
    uint64_t said = (batch ? t->batch : 1ull) * (accumulate ? t->accumulate : 1ull);
    const char *name = batch ? "batch" : "accumulate";
    if (!s->given.has_shape || said == 1 || (batch && accumulate ? own == said : own % said == 0))
        return true;
    if (batch && accumulate)
        return account_fail(e, 0,
                            "batch: %u × %u accumulated × %llu data-parallel ranks are %llu "
                            "sequences, not %llu: leave one of them open",
                            t->batch, t->accumulate, (unsigned long long)dp,
                            (unsigned long long)said * dp, (unsigned long long)s->global_batch);
    return account_fail(e, 0,
                        "%s: %llu × %llu data-parallel ranks = %llu does not divide %llu "
                        "sequences: it must divide %llu",
                        name, (unsigned long long)said, (unsigned long long)dp,
                        (unsigned long long)said * dp, (unsigned long long)s->global_batch,
                        (unsigned long long)own);
}

/* ── a global batch that the ranks cannot share ────────────────────────────────────────────────*/

/* Degrees that may have been given, the one that is easiest to change first. */
static const struct {
    const char *name;
    enum account_knob knob;
    size_t offset;
} degrees[] = {
    {"pp", ACCOUNT_KNOB_PP, offsetof(struct account_training, pp)},
    {"tp", ACCOUNT_KNOB_TP, offsetof(struct account_training, tp)},
    {"cp", ACCOUNT_KNOB_CP, offsetof(struct account_training, cp)},
};

static uint32_t *degree_in(struct account_training *t, size_t i) {
    return (uint32_t *)(void *)((char *)t + degrees[i].offset);
}

/* The least other degree at which the ranks can share the batch; 0 if there is none. */
static uint32_t degree_that_shares(const struct account_search *s, size_t i) {
    struct account_training t = s->base;
    t.batch = 1;
    for (uint32_t n = 1; n <= t.gpus && n <= t.shape.layers; n++) {
        *degree_in(&t, i) = n;
        if (account_check(&t, NULL) && s->global_batch % account_data_parallel(&t) == 0) return n;
    }
    return 0;
}

/* The degree that was given, where another would do; else the batch. */
static bool cannot_share(const struct account_search *s, uint64_t dp, struct account_error *e) {
    struct account_training t = s->base;
    unsigned long long batch = s->global_batch, ranks = dp;
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
        uint32_t other = account_is_pinned(s, degrees[i].knob) ? degree_that_shares(s, i) : 0;
        if (other == 0) continue;
        return account_fail(e, 0,
                            "%s: %u leaves %llu data-parallel ranks, which cannot share %llu "
                            "sequences: take %u, or make the global batch a multiple of %llu",
                            degrees[i].name, *degree_in(&t, i), ranks, batch, other, ranks);
    }
    return account_fail(e, 0,
                        "global_batch: %llu sequences cannot be shared by %llu data-parallel "
                        "ranks: make it a multiple of %llu",
                        batch, ranks, ranks);
}

static bool none_tried(const struct account_search *s, struct account_error *e) {
    uint64_t dp = account_data_parallel(&s->base);
    if (s->given.has_shape && s->global_batch % dp) return cannot_share(s, dp, e);
    if (!divides_batch(s, dp, e)) return false;
    return account_fail(e, 0,
                        "stage: no configuration agrees with all these options: leave out the "
                        "stage, the offload or the degrees");
}

bool account_plan(const struct account_question *q, struct account_plan *plan, size_t capacity,
                  struct account_plans *out, struct account_error *e) {
    struct account_search s;
    *out = (struct account_plans){0};
    if (!account_search_open(q, &s, e)) return false;
    struct rows r = {.plan = plan, .capacity = capacity};
    out->tried = account_search_all(&s, add_row, &r);
    if (out->tried == 0) return none_tried(&s, e);
    const struct account_front *front = r.fits.count ? &r.fits : &r.tight;
    const struct account_plan *chosen = account_front_simplest(front);
    assert(!chosen || chosen->measured.fits != ACCOUNT_TOO_LARGE);
    if (chosen) put_first(&r, chosen);
    out->found = chosen != NULL;
    out->count = r.count;
    give_reasons(&s, &r, chosen ? &front->plan[front->count - 1] : NULL);
    account_plan_tree(&s, chosen, r.count > 1 ? &plan[1] : NULL, out);
    clear_stand_ins(&s, &r);
    out->timed = !s.given.by_bytes;
    out->base = s.base;
    out->global_batch = s.given.has_shape ? s.global_batch : 0;
    out->host_bytes = s.given.host_bytes;
    out->nvme_bytes = s.given.nvme_bytes;
    return true;
}
