/* What one configuration needs and takes: its peak compared with the card, what it puts on the
 * host, and the seconds of a step. */
#include "account/memory/step.h"
#include "account/plan/search.h"
#include "account/traffic/flows.h"

#include <math.h>

static uint64_t states_of(const struct account_ledger *l) {
    uint64_t sum = 0;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (ACCOUNT_MODEL_STATE >> c & 1) sum += l->bytes[c];
    return sum;
}

static void compare(struct account_needs *w, enum account_limit limit, uint64_t needs,
                    uint64_t has) {
    enum account_fit fits = account_fit(needs, has);
    bool worse = fits > w->fits || (fits == ACCOUNT_TOO_LARGE && needs - has > w->needs - w->has);
    if (w->has && !worse) return;
    w->fits = fits;
    w->limit = limit;
    w->needs = needs;
    w->has = has;
}

static bool needs_of(const struct account_search *s, const struct account_resolved *is,
                     struct account_needs *out) {
    struct account_memory m;
    if (!account_memory_of(is, &m, NULL)) return false;
    const struct account_ledger *peak = &m.phase[m.peak].ledger;
    *out = (struct account_needs){.peak = peak->total,
                                  .gathered = account_counts_step(is) ? 0 : account_implied_of(is),
                                  .states = states_of(peak),
                                  .activations = peak->bytes[ACCOUNT_ACTIVATIONS],
                                  .reserve = peak->bytes[ACCOUNT_FRAMEWORK],
                                  .host = m.host.total};
    compare(out, ACCOUNT_LIMIT_CARD, out->peak + out->gathered, s->card_bytes);
    if (m.host.total) compare(out, ACCOUNT_LIMIT_HOST, m.host.total, s->host_bytes);
    if (m.nvme.total) compare(out, ACCOUNT_LIMIT_NVME, m.nvme.total, s->nvme_bytes);
    return true;
}

bool account_plan_needs(const struct account_search *s, const struct account_training *t,
                        struct account_needs *out) {
    struct account_resolved is;
    return account_resolve(t, &is, NULL) && needs_of(s, &is, out);
}

double account_plan_bytes(const struct account_training *t) {
    struct account_traffic traffic;
    if (!account_traffic(t, &traffic, NULL)) return 0;
    return (double)traffic.total + (double)traffic.offload_down + (double)traffic.offload_up;
}

/* Where a link's rate is not known, what is sent counts as if over PCIe 4.0: an order, not a time.
 * Recomputing counts too then, or the plan with the fewest activations would be as good as any. */
static double stand_in(const struct account_training *t, const struct account_clock *c) {
    static const double slow = 24e9;
    return c->forward + c->backward + c->update + c->bubble + account_plan_bytes(t) / slow;
}

static void time_step(const struct account_search *s, const struct account_resolved *is,
                      struct account_plan *p) {
    struct account_clock clock;
    if (!account_clock_of(is, &clock, NULL)) return;
    bool known = clock.has_compute && clock.has_comm;
    p->seconds = known ? clock.step : (double)INFINITY;
    if (s->by_bytes) p->seconds = stand_in(&p->training, &clock);
    if (known) p->tokens_per_s = clock.tokens_per_s;
}

bool account_plan_measure(const struct account_search *s, const struct account_training *t,
                          struct account_plan *out) {
    struct account_resolved is;
    struct account_needs w;
    if (!account_resolve(t, &is, NULL) || !needs_of(s, &is, &w)) return false;
    out->training = *t;
    out->fits = w.fits;
    out->peak = w.peak;
    out->gathered = w.gathered;
    out->spare = (int64_t)w.has - (int64_t)w.needs;
    if (w.fits != ACCOUNT_TOO_LARGE && w.limit != ACCOUNT_LIMIT_CARD)
        out->spare = (int64_t)s->card_bytes - (int64_t)(w.peak + w.gathered);
    out->seconds = out->tokens_per_s = 0;
    out->reason[0] = '\0';
    if (w.fits != ACCOUNT_TOO_LARGE) time_step(s, &is, out);
    return true;
}

static uint32_t doublings(uint64_t n) {
    uint32_t k = 0;
    while (n > 1) n = (n + 1) / 2, k++;
    return k;
}

/* Offload counts most, because it needs the node's memory and processors, and its times are the
 * least certain. Then model parallelism, which needs another model; then the stage; then
 * recomputation. */
uint32_t account_burden(const struct account_training *t) {
    uint32_t tiers = t->offload_optimizer + t->offload_params;
    uint32_t halvings = doublings((uint64_t)t->tp * t->pp * t->cp);
    uint32_t stage = 10u * t->stage + (t->shard_group > 0 ? 5u : 0u) + t->checkpoint;
    return 100000 * tiers + 100 * halvings + stage;
}
