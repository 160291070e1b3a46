/* What is said of ranks: what they hold, what was predicted of them, what they sent, and their last
 * words. */
#include "experiment/inside.h"

#include <string.h>

const char *const experiment_ops[EXPERIMENT_SENT] = {"all_reduce", "reduce_scatter", "all_gather"};

uint64_t experiment_bytes(const json_t *object, const char *key) {
    double value = base_json_number(object, key, 0);
    int64_t whole = base_json_int(object, key, 0);
    if (whole > 0) return (uint64_t)whole;
    return value > 0 && value < 1e18 ? (uint64_t)value : 0;
}

static struct experiment_rank *rank_of(struct experiment *t, const json_t *event) {
    int64_t rank = base_json_int(event, "rank", -1);
    if (rank < 0 || rank >= EXPERIMENT_RANKS) return NULL;
    if (t->state.seen <= rank) t->state.seen = (uint32_t)rank + 1;
    return &t->state.rank[rank];
}

static void read_weights(const json_t *object, struct experiment_weights *out) {
    *out = (struct experiment_weights){0};
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        out->bytes[c] = experiment_bytes(object, account_category_name((enum account_category)c));
        out->total += out->bytes[c];
    }
}

/* Predictions and last words are of the whole run, as long as its start says how many steps that
 * is; here they are of one. */
static uint64_t in_a_step(const struct experiment *t, uint64_t bytes) {
    return t->state.planned > 1 ? bytes / t->state.planned : bytes;
}

static uint64_t read_sent(const struct experiment *t, const json_t *event,
                          uint64_t sent[EXPERIMENT_SENT]) {
    const json_t *object = json_object_get(event, "sent");
    for (size_t i = 0; i < EXPERIMENT_SENT; i++)
        sent[i] = in_a_step(t, experiment_bytes(object, experiment_ops[i]));
    return in_a_step(t, experiment_bytes(object, "total"));
}

static void read_place(const json_t *event, const char *key, char *out, size_t size) {
    snprintf(out, size, "%s", base_json_text(event, key, ""));
}

void experiment_hear_predict(struct experiment *t, const json_t *event) {
    struct experiment_rank *r = rank_of(t, event);
    if (!r) return;
    r->predicted.known = true;
    read_weights(json_object_get(event, "persistent"), &r->predicted.persistent);
    read_weights(json_object_get(event, "peak"), &r->predicted.peak);
    r->predicted.peak_total = experiment_bytes(event, "peak_total");
    read_place(event, "peak_where", r->predicted.peak_where, sizeof r->predicted.peak_where);
    r->predicted.sent_total = read_sent(t, event, r->predicted.sent);
    memcpy(t->foreseen[r - t->state.rank], r->predicted.sent, sizeof r->predicted.sent);
}

bool experiment_gathers_updates(const struct experiment_state *s) {
    return s->stage == 1 || s->stage == 2;
}

void experiment_foresee(struct experiment *t, uint64_t skipped, uint64_t steps) {
    if (!experiment_gathers_updates(&t->state) || skipped > steps) return;
    for (uint32_t i = 0; i < t->state.seen; i++) {
        uint64_t *sent = t->state.rank[i].predicted.sent,
                 usual = t->foreseen[i][EXPERIMENT_SENT_AG];
        t->state.rank[i].predicted.sent_total -= sent[EXPERIMENT_SENT_AG];
        sent[EXPERIMENT_SENT_AG] = usual * (steps - skipped) / steps;
        t->state.rank[i].predicted.sent_total += sent[EXPERIMENT_SENT_AG];
    }
}

void experiment_hear_memory(struct experiment *t, const json_t *event) {
    struct experiment_rank *r = rank_of(t, event);
    if (!r) return;
    read_weights(json_object_get(event, "now"), &r->now);
    if (json_object_get(event, "total")) r->now.total = experiment_bytes(event, "total");
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (r->now.bytes[c] > r->peak.bytes[c]) r->peak.bytes[c] = r->now.bytes[c];
    read_place(event, "where", r->where, sizeof r->where);
    if (r->now.total > r->peak_total) {
        r->peak_total = r->now.total;
        memcpy(r->peak_where, r->where, sizeof r->peak_where);
    }
    uint64_t resident = experiment_bytes(event, "resident");
    if (resident > r->resident) r->resident = resident;
    r->device_used = experiment_bytes(event, "device_used");
    r->power_w = base_json_number(event, "power_w", 0);
    r->sm_mhz = (uint32_t)experiment_bytes(event, "sm_mhz");
}

static void hear_last_words(struct experiment *t, const json_t *words) {
    struct experiment_rank *r = rank_of(t, words);
    if (!r) return;
    r->ended = true;
    read_weights(json_object_get(words, "persistent"), &r->persistent);
    read_weights(json_object_get(words, "peak"), &r->peak);
    r->peak_total = experiment_bytes(words, "peak_total");
    read_place(words, "peak_where", r->peak_where, sizeof r->peak_where);
    r->sent_total = read_sent(t, words, r->sent);
    r->control = in_a_step(t, experiment_bytes(words, "control"));
    read_place(words, "state_hash", r->state_hash, sizeof r->state_hash);
}

/* Whether no rank before this one ended with the same optimizer state. */
static bool is_first_of_its_state(const struct experiment_state *s, uint32_t rank) {
    for (uint32_t i = 0; i < rank; i++)
        if (!strcmp(s->rank[i].state_hash, s->rank[rank].state_hash)) return false;
    return *s->rank[rank].state_hash;
}

void experiment_hear_ranks(struct experiment *t, const json_t *event) {
    const json_t *words;
    size_t i;
    json_array_foreach(json_object_get(event, "ranks"), i, words) hear_last_words(t, words);
    if (t->state.planned) experiment_foresee(t, t->state.skipped, t->state.planned);
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
    return base_format("The %u ranks ended with %u different %s.", s->ranks, s->states,
                       s->stage > 0 ? "shards of the optimizer's state"
                                    : "states of the optimizer");
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
