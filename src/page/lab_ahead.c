/* lab_ahead: the state that a run is likely to reach. Panels are drawn of it on a page that is not
 * shown, to count the rows that they will need. Then no panel moves when the first step, or the
 * end, adds rows to one. */
#include "page/lab.h"

#include <stdlib.h>
#include <string.h>

enum { MOMENTS_MOST = 4096, STEPS = 2, LINES = 8, MANY = 99 };
/* the longest that is likely, in milliseconds; a loss */
static const double longest = 9999.9, loss = 9.99999999;

struct page_lab_ahead {
    struct experiment_state state;
    struct experiment_step step[STEPS];
    struct account_timepoint *moment;
    uint64_t *foreseen;
    const char *line[LINES];
};

const struct experiment_state *page_lab_ahead_state(const struct page_lab_ahead *a) {
    return &a->state;
}

static bool is_on_gpu(const struct experiment_state *s) {
    return strcmp(s->setup.device, "cuda") == 0;
}

/* On the CPU the system reports a rank's memory, and on a GPU the driver does. Ranks next
 * to each other have different amounts. */
static void add_rank(struct page_lab_ahead *a, uint32_t number, bool ended) {
    struct experiment_rank *r = &a->state.rank[number];
    if (is_on_gpu(&a->state)) {
        r->device_used = UINT64_C(999900000000);
        r->power_w = r->sm_mhz = 9999;
    } else {
        r->resident = UINT64_C(88800000) + number * UINT64_C(1100000);
    }
    r->control = MANY;
    if (!r->predicted.known) return;
    r->now = r->peak = r->at_peak = r->predicted.peak;
    r->persistent = r->predicted.persistent;
    r->peak_total = r->predicted.peak_total;
    r->ended = ended;
    r->sent_total = r->predicted.sent_total;
    memcpy(r->sent, r->predicted.sent, sizeof r->sent);
    memcpy(r->peak_where, r->predicted.peak_where, sizeof r->peak_where);
}

/* The engine's moments of the run, one of them far from its prediction; none if its start does not
 * say what runs. */
static void add_curve(struct page_lab_ahead *a) {
    const struct experiment_setup *setup = &a->state.setup;
    struct experiment_rank *r = &a->state.rank[0];
    size_t capacity = ACCOUNT_TIMELINE_MOST(setup->training.shape.layers);
    if (!setup->names_training || capacity > MOMENTS_MOST) return;
    a->moment = base_alloc(capacity * sizeof *a->moment);
    a->foreseen = base_alloc(capacity * sizeof *a->foreseen);
    r->moment = a->moment;
    r->foreseen = a->foreseen;
    r->moments = account_timeline(&setup->training, a->moment, capacity, NULL);
    if (r->moments) a->foreseen[0] = a->moment[0].ledger.total + UINT64_C(888800);
}

static void add_steps(struct page_lab_ahead *a) {
    struct experiment_state *s = &a->state;
    bool tiers = s->rank[0].predicted.elsewhere.host_moved > 0;
    for (uint32_t i = 0; i < STEPS; i++)
        a->step[i] = (struct experiment_step){.step = i == 0       ? 1
                                                      : s->planned ? s->planned
                                                                   : MANY,
                                              .loss = loss,
                                              .ms = longest,
                                              .compute_ms = longest,
                                              .comm_ms = longest,
                                              .exposed_ms = longest,
                                              .skew_ms = longest,
                                              .offload_ms = tiers ? longest : 0};
    s->step = a->step;
    s->steps = s->told = STEPS;
    if (strcmp(s->setup.precision, "fp16") == 0) s->ungathered = MANY;
}

/* Of a run that times collectives: the smallest and the largest array by each, and lines that miss
 * the last. */
static void add_timings(struct page_lab_ahead *a) {
    struct experiment_state *s = &a->state;
    static const struct account_link_fit fit = {
        .latency = 8.888e-3, .rate = 8.888e8, .residual = 0.88};
    s->timings = 0;
    for (uint8_t op = 0; op < EXPERIMENT_SENT_TIMED; op++) {
        s->timing[s->timings++] = (struct experiment_timing){op, true, s->setup.from, 8.888e-3};
        s->timing[s->timings++] = (struct experiment_timing){op, false, s->setup.to, 8.888e-1};
        s->line[op] = (struct experiment_line){true, fit};
    }
}

struct page_lab_ahead *page_lab_ahead(const struct experiment_state *s, bool ended) {
    struct page_lab_ahead *a = base_alloc(sizeof *a);
    a->state = *s;
    a->state.ended = ended;
    for (size_t i = 0; i < LINES; i++) a->line[i] = "step";
    a->state.log = a->line;
    a->state.logs = LINES;
    a->state.broken = 0;
    if (s->setup.to) {
        add_timings(a);
        return a;
    }
    for (uint32_t i = 0; i < s->seen; i++) add_rank(a, i, ended);
    add_curve(a);
    add_steps(a);
    return a;
}

void page_lab_ahead_free(struct page_lab_ahead *a) {
    if (!a) return;
    free(a->moment);
    free(a->foreseen);
    free(a);
}
