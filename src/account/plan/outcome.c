/* Measures one configuration: its peak compared with the card, what it puts on the host and on
 * NVMe, and the seconds of a step. */
#include "account/memory/step.h"
#include "account/plan/compare.h"
#include "account/traffic/flows.h"

#include <assert.h>
#include <math.h>

/* ── memory ────────────────────────────────────────────────────────────────────────────────────*/

static uint64_t states_of(const struct account_ledger *l) {
    uint64_t sum = 0;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (ACCOUNT_MODEL_STATE >> c & 1) sum += l->bytes[c];
    return sum;
}

static void compare(struct account_outcome *m, enum account_limit limit, uint64_t needs,
                    uint64_t has) {
    enum account_fit fits = account_fit(needs, has);
    bool worse = fits > m->fits || (fits == ACCOUNT_TOO_LARGE && needs - has > m->needs - m->has);
    if (m->has && !worse) return;
    m->fits = fits;
    m->limit = limit;
    m->needs = needs;
    m->has = has;
}

static bool measure_memory(const struct account_resolved *is, const struct account_given *given,
                           struct account_outcome *out) {
    struct account_memory m;
    if (!account_memory_of(is, &m, NULL)) return false;
    const struct account_ledger *peak = &m.phase[m.peak].ledger;
    out->peak = peak->total;
    out->gathered = account_counts_step(is) ? 0 : m.implied;
    out->states = states_of(peak);
    out->activations = peak->bytes[ACCOUNT_ACTIVATIONS];
    out->reserve = peak->bytes[ACCOUNT_FRAMEWORK];
    compare(out, ACCOUNT_LIMIT_CARD, out->peak + out->gathered, given->card_bytes);
    if (m.host.total) compare(out, ACCOUNT_LIMIT_HOST, m.host.total, given->host_bytes);
    if (m.nvme.total) compare(out, ACCOUNT_LIMIT_NVME, m.nvme.total, given->nvme_bytes);
    assert((out->fits == ACCOUNT_TOO_LARGE) == (out->needs > out->has));
    assert(out->peak >= out->states + out->activations + out->reserve);
    out->spare = (int64_t)out->has - (int64_t)out->needs;
    if (out->fits != ACCOUNT_TOO_LARGE && out->limit != ACCOUNT_LIMIT_CARD)
        out->spare = (int64_t)given->card_bytes - (int64_t)(out->peak + out->gathered);
    return true;
}

/* ── time ──────────────────────────────────────────────────────────────────────────────────────*/

/* Where a link's rate is not known, what is sent counts as if over PCIe 4.0: an order, not a time.
 * Recomputing counts too then, or the plan with the fewest activations would be as good as any. */
static double stand_in(const struct account_outcome *m) {
    static const double slow = 24e9;
    return m->computes + m->bubble + m->sent / slow;
}

static void measure_time(const struct account_resolved *is, const struct account_given *given,
                         struct account_outcome *out) {
    struct account_traffic t;
    struct account_clock c;
    if (!account_clock_of(is, &t, &c, NULL)) return;
    bool known = c.has_compute && c.has_comm;
    out->sent = (double)t.total + (double)t.offload_down + (double)t.offload_up;
    out->computes = c.forward + c.backward + c.update;
    out->exposed = c.comm_exposed;
    out->offload = c.offload;
    out->bubble = c.bubble;
    out->seconds = given->by_bytes ? stand_in(out) : known ? c.step : (double)INFINITY;
    out->tokens_per_s = known ? c.tokens_per_s : 0;
}

/* ── what has to be set up ─────────────────────────────────────────────────────────────────────*/

static uint32_t doublings(uint64_t n) {
    uint32_t k = 0;
    while (n > 1) n = (n + 1) / 2, k++;
    return k;
}

/* Offload counts most, because it needs the node's memory and processors, and its times are the
 * least certain. Then model parallelism, which needs another model; then the stage; then
 * recomputation. */
static uint32_t burden(const struct account_resolved *is) {
    uint32_t tiers = is->offload_optimizer + is->offload_params;
    uint32_t halvings = doublings((uint64_t)is->tp * is->pp * is->cp);
    uint32_t stage = 10u * is->stage + (is->shard_group > 0 ? 5u : 0u) + is->checkpoint;
    return 100000 * tiers + 100 * halvings + stage;
}

bool account_outcome_of(const struct account_resolved *is, const struct account_given *given,
                        struct account_outcome *out) {
    *out = (struct account_outcome){.ranks = is->mesh.shard.ranks, .burden = burden(is)};
    if (!measure_memory(is, given, out)) return false;
    if (out->fits != ACCOUNT_TOO_LARGE) measure_time(is, given, out);
    return true;
}
