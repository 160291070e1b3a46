/* measure: what a run is compared by. A row says how a quantity is called and printed, and where
 * it is found in what was heard of the run. */
#include "experiment/experiment.h"

#include <stdlib.h>

/* Times of two runs differ if one is at least so many times the other, and so many ms longer.
 * Smaller differences are those of a busy machine. */
static const double times_apart = 2, ms_apart = 0.5;

typedef bool take(const struct experiment_state *s, uint32_t rank, int which, double *out);

/* ── bytes ─────────────────────────────────────────────────────────────────────────────────────*/
static bool take_kept(const struct experiment_state *s, uint32_t rank, int which, double *out) {
    (void)which;
    *out = (double)s->rank[rank].persistent.total;
    return s->rank[rank].ended;
}

static bool take_peak(const struct experiment_state *s, uint32_t rank, int which, double *out) {
    (void)which;
    const struct experiment_rank *r = &s->rank[rank];
    *out = (double)(r->ended ? r->peak_total : r->now.total);
    return r->ended || !s->refused;
}

static bool take_highest(const struct experiment_state *s, uint32_t rank, int which, double *out) {
    *out = (double)s->rank[rank].peak.bytes[which];
    return s->rank[rank].ended;
}

static bool take_sent(const struct experiment_state *s, uint32_t rank, int which, double *out) {
    const struct experiment_rank *r = &s->rank[rank];
    *out = (double)(which == EXPERIMENT_SENT ? r->sent_total : r->sent[which]);
    return s->told > 0;
}

/* Losses and norms, which ranks exchange apart from collectives. */
static bool take_control(const struct experiment_state *s, uint32_t rank, int which, double *out) {
    (void)which;
    *out = (double)s->rank[rank].control;
    return s->rank[rank].ended;
}

/* A run that keeps and sends nothing elsewhere has 0 bytes there. */
static bool take_elsewhere(const struct experiment_state *s, uint32_t rank, int which,
                           double *out) {
    const char *all = (const char *)&s->rank[rank].elsewhere;
    *out = (double)*(const uint64_t *)(const void *)(all + which);
    return s->rank[rank].ended;
}

/* ── counts ────────────────────────────────────────────────────────────────────────────────────*/
static bool take_messages(const struct experiment_state *s, uint32_t rank, int which, double *out) {
    size_t n = 0;
    (void)which;
    for (size_t i = 0; i < s->spans; i++) n += s->span[i].rank == rank;
    *out = (double)n;
    return s->told > 0;
}

static bool take_skipped(const struct experiment_state *s, uint32_t rank, int which, double *out) {
    (void)rank;
    (void)which;
    *out = s->skipped;
    return s->told > 0;
}

/* ── times: medians over the steps ─────────────────────────────────────────────────────────────*/
static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool take_time(const struct experiment_state *s, uint32_t rank, int which, double *out) {
    (void)rank;
    if (!s->steps) return false;
    double *all = base_alloc(s->steps * sizeof *all);
    for (size_t i = 0; i < s->steps; i++)
        all[i] = *(const double *)((const char *)&s->step[i] + which);
    qsort(all, s->steps, sizeof *all, by_size);
    *out = (all[(s->steps - 1) / 2] + all[s->steps / 2]) / 2;
    free(all);
    return true;
}

/* ── the table ─────────────────────────────────────────────────────────────────────────────────*/
static const struct row {
    const char *name;
    enum account_unit unit;
    take *take;
    /* a category, a collective, or where the bytes are in struct experiment_elsewhere, the time in
     * a step */
    int which;
} rows[EXPERIMENT_MEASURES] = {
    [EXPERIMENT_KEPT] = {"kept", ACCOUNT_UNIT_B, take_kept, 0},
    [EXPERIMENT_PEAK] = {"peak", ACCOUNT_UNIT_B, take_peak, 0},
    [EXPERIMENT_ACTIVATIONS] = {"activations", ACCOUNT_UNIT_B, take_highest, ACCOUNT_ACTIVATIONS},
    [EXPERIMENT_GATHER] = {"gather buffer", ACCOUNT_UNIT_B, take_highest, ACCOUNT_GATHER},
    [EXPERIMENT_REDUCE] = {"reduce buffer", ACCOUNT_UNIT_B, take_highest, ACCOUNT_REDUCE},
    [EXPERIMENT_ON_HOST] = {"on the host", ACCOUNT_UNIT_B, take_elsewhere,
                            offsetof(struct experiment_elsewhere, host)},
    [EXPERIMENT_IN_FILE] = {"in the file", ACCOUNT_UNIT_B, take_elsewhere,
                            offsetof(struct experiment_elsewhere, file)},
    [EXPERIMENT_HOST_MOVED] = {"host traffic", ACCOUNT_UNIT_B, take_elsewhere,
                               offsetof(struct experiment_elsewhere, host_moved)},
    [EXPERIMENT_FILE_MOVED] = {"file traffic", ACCOUNT_UNIT_B, take_elsewhere,
                               offsetof(struct experiment_elsewhere, file_moved)},
    [EXPERIMENT_ALL_REDUCED] = {"all-reduce", ACCOUNT_UNIT_B, take_sent, EXPERIMENT_SENT_AR},
    [EXPERIMENT_SCATTERED] = {"reduce-scatter", ACCOUNT_UNIT_B, take_sent, EXPERIMENT_SENT_RS},
    [EXPERIMENT_GATHERED] = {"all-gather", ACCOUNT_UNIT_B, take_sent, EXPERIMENT_SENT_AG},
    [EXPERIMENT_EXCHANGED] = {"all-to-all", ACCOUNT_UNIT_B, take_sent, EXPERIMENT_SENT_AA},
    [EXPERIMENT_SENT_STEP] = {"sent per step", ACCOUNT_UNIT_B, take_sent, EXPERIMENT_SENT},
    [EXPERIMENT_CONTROL] = {"single numbers", ACCOUNT_UNIT_B, take_control, 0},
    [EXPERIMENT_INSIDE] = {"inside nodes", ACCOUNT_UNIT_B, take_elsewhere,
                           offsetof(struct experiment_elsewhere, inside)},
    [EXPERIMENT_BETWEEN] = {"between nodes", ACCOUNT_UNIT_B, take_elsewhere,
                            offsetof(struct experiment_elsewhere, between)},
    [EXPERIMENT_MESSAGES] = {"messages", ACCOUNT_UNIT_NONE, take_messages, 0},
    [EXPERIMENT_PASSES] = {"passes", ACCOUNT_UNIT_NONE, take_time,
                           offsetof(struct experiment_step, passes)},
    [EXPERIMENT_STEP_TIME] = {"step", ACCOUNT_UNIT_MS, take_time,
                              offsetof(struct experiment_step, ms)},
    [EXPERIMENT_EXPOSED] = {"exposed", ACCOUNT_UNIT_MS, take_time,
                            offsetof(struct experiment_step, exposed_ms)},
    [EXPERIMENT_UPDATE] = {"update", ACCOUNT_UNIT_MS, take_time,
                           offsetof(struct experiment_step, update_ms)},
    [EXPERIMENT_TIER_WAIT] = {"waits for tiers", ACCOUNT_UNIT_MS, take_time,
                              offsetof(struct experiment_step, offload_ms)},
    [EXPERIMENT_SKEW] = {"skew", ACCOUNT_UNIT_MS, take_time,
                         offsetof(struct experiment_step, skew_ms)},
    [EXPERIMENT_SKIPPED] = {"skipped", ACCOUNT_UNIT_NONE, take_skipped, 0},
};

const char *experiment_measure_name(enum experiment_measure m) {
    return rows[m].name;
}

bool experiment_measured(const struct experiment_state *s, uint32_t rank, enum experiment_measure m,
                         double *value) {
    return rank < s->seen && rows[m].take(s, rank, rows[m].which, value);
}

char *experiment_measure_print(enum experiment_measure m, double value) {
    char text[32];
    switch (rows[m].unit) {
    case ACCOUNT_UNIT_B: return base_dup(account_print_bytes(text, sizeof text, value));
    case ACCOUNT_UNIT_MS: return base_format(value < 10 ? "%.2f ms" : "%.1f ms", value);
    default: return base_format("%.6g", value);
    }
}

bool experiment_differ(const struct experiment_state *const *s, size_t n,
                       enum experiment_measure m) {
    double least = 0, most = 0, value;
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        if (!experiment_measured(s[i], 0, m, &value)) continue;
        least = known == 0 || value < least ? value : least;
        most = known == 0 || value > most ? value : most;
        known++;
    }
    if (rows[m].unit == ACCOUNT_UNIT_MS)
        return most > times_apart * least && most > least + ms_apart;
    return most > least;
}
