/* What is said of ranks: what they hold, what was predicted of them, what they sent, and their last
 * words. */
#include "experiment/inside.h"

#include <string.h>

static struct experiment_rank *rank_of(struct experiment *t, int64_t rank) {
    if (rank < 0 || rank >= EXPERIMENT_RANKS) return NULL;
    if (t->state.seen <= rank) t->state.seen = (uint32_t)rank + 1;
    return &t->state.rank[rank];
}

/* Predictions and last words are of the whole run, as long as its start says how many steps that
 * is; here they are of one. */
static uint64_t in_a_step(const struct experiment *t, uint64_t bytes) {
    uint32_t steps = experiment_own_steps(&t->state);
    return steps > 1 ? bytes / steps : bytes;
}

static uint64_t take_sent(const struct experiment *t, const struct experiment_report *said,
                          uint64_t sent[EXPERIMENT_SENT]) {
    for (size_t i = 0; i < EXPERIMENT_SENT; i++) sent[i] = in_a_step(t, said->sent[i]);
    return in_a_step(t, said->sent_total);
}

static struct experiment_elsewhere take_elsewhere(const struct experiment *t,
                                                  const struct experiment_elsewhere *said) {
    struct experiment_elsewhere e = *said;
    e.host_moved = in_a_step(t, said->host_moved);
    e.file_moved = in_a_step(t, said->file_moved);
    e.inside = in_a_step(t, said->inside);
    e.between = in_a_step(t, said->between);
    return e;
}

void experiment_hear_predict(struct experiment *t, const struct experiment_event *e) {
    const struct experiment_report *said = e->predict;
    struct experiment_rank *r = rank_of(t, said->rank);
    if (!r) return;
    r->predicted.known = true;
    r->predicted.persistent = said->persistent;
    r->predicted.peak = said->peak;
    r->predicted.peak_total = said->peak_total;
    memcpy(r->predicted.peak_where, said->peak_where, sizeof r->predicted.peak_where);
    r->predicted.sent_total = take_sent(t, said, r->predicted.sent);
    r->predicted.elsewhere = take_elsewhere(t, &said->elsewhere);
    if (!said->skipped)
        memcpy(t->foreseen[r - t->state.rank], r->predicted.sent, sizeof r->predicted.sent);
}

void experiment_foresee(struct experiment *t, uint64_t skipped, uint64_t steps) {
    if (skipped > steps) return;
    for (uint32_t i = 0; i < t->state.seen; i++) {
        uint64_t *sent = t->state.rank[i].predicted.sent,
                 usual = t->foreseen[i][EXPERIMENT_SENT_AG];
        t->state.rank[i].predicted.sent_total -= sent[EXPERIMENT_SENT_AG];
        sent[EXPERIMENT_SENT_AG] = usual * (steps - skipped) / steps;
        t->state.rank[i].predicted.sent_total += sent[EXPERIMENT_SENT_AG];
    }
}

void experiment_hear_memory(struct experiment *t, const struct experiment_event *e) {
    struct experiment_rank *r = rank_of(t, e->rank);
    if (!r) return;
    r->now = e->weighed.now;
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (r->now.bytes[c] > r->peak.bytes[c]) r->peak.bytes[c] = r->now.bytes[c];
    memcpy(r->where, e->weighed.where, sizeof r->where);
    if (r->now.total > r->peak_total) {
        r->peak_total = r->now.total;
        memcpy(r->peak_where, r->where, sizeof r->peak_where);
    }
    if (e->weighed.resident > r->resident) r->resident = e->weighed.resident;
    r->device_used = e->weighed.device_used;
    r->power_w = e->weighed.power_w;
    r->sm_mhz = e->weighed.sm_mhz;
}

static void hear_last_words(struct experiment *t, const struct experiment_report *said) {
    struct experiment_rank *r = rank_of(t, said->rank);
    if (!r) return;
    r->ended = true;
    r->persistent = said->persistent;
    r->peak = said->peak;
    r->at_peak = said->at_peak;
    r->peak_total = said->peak_total;
    memcpy(r->peak_where, said->peak_where, sizeof r->peak_where);
    r->sent_total = take_sent(t, said, r->sent);
    r->elsewhere = take_elsewhere(t, &said->elsewhere);
    r->control = in_a_step(t, said->control);
    memcpy(r->state_hash, said->state_hash, sizeof r->state_hash);
}

/* Whether no rank before this one ended with the same optimizer state. */
static bool is_first_of_its_state(const struct experiment_state *s, uint32_t rank) {
    for (uint32_t i = 0; i < rank; i++)
        if (!strcmp(s->rank[i].state_hash, s->rank[rank].state_hash)) return false;
    return *s->rank[rank].state_hash;
}

void experiment_hear_ranks(struct experiment *t, const struct experiment_end *end) {
    for (size_t i = 0; i < end->ranks; i++) hear_last_words(t, &end->rank[i]);
    for (uint32_t r = 0; r < t->state.seen; r++)
        t->state.states += is_first_of_its_state(&t->state, r);
}

/* Under stage 0 every rank has the whole state, under the others a shard of its own. */
char *experiment_say_states(const struct experiment *t) {
    const struct experiment_state *s = &t->state;
    if (s->ranks < 2 || !s->states) return NULL;
    if (s->stage == 0 && s->states == 1)
        return base_format("The %u ranks ended with one and the same state of the optimizer.",
                           s->ranks);
    if (s->stage == 0)
        return base_format("The %u ranks ended with %u different states of the optimizer.",
                           s->ranks, s->states);
    return base_format("Each of the %u ranks ended with its own shard of the optimizer's state, so "
                       "their hashes differ, as they should.",
                       s->ranks);
}

/* What each rank sent in the step that ended. */
void experiment_hear_spans(struct experiment *t) {
    for (size_t i = 0; i < t->done.n; i++) {
        struct experiment_rank *r = &t->state.rank[t->done.span[i].rank];
        memset(r->sent, 0, sizeof r->sent);
        r->sent_total = 0;
    }
    for (size_t i = 0; i < t->done.n; i++) {
        const struct experiment_span *span = &t->done.span[i];
        struct experiment_rank *r = &t->state.rank[span->rank];
        r->sent_total += span->sent;
        for (size_t k = 0; k < EXPERIMENT_SENT; k++)
            if (!strcmp(span->op, experiment_ops[k])) r->sent[k] += span->sent;
    }
}
