/* scale_figure: the scenario beside the run that stands for it, as a table: both predictions, and
 * what was measured. */
#include "experiment/experiment.h"

#include <stdlib.h>
#include <string.h>

/* Of what is wanted and what there is the difference counts. */
static const char *closely(char out[32], uint64_t n) {
    return account_print(out, 32, (double)n, ACCOUNT_UNIT_MB, 4);
}

static json_t *bytes(uint64_t n) {
    char text[32];
    return json_string(account_print_bytes(text, sizeof text, (double)n));
}

/* Of a run that was refused memory: what it wanted. */
static json_t *peak_measured(const struct experiment *t, const struct experiment_rank *r) {
    char wanted[32];
    if (r && r->ended) return bytes(r->peak_total);
    if (!t || !experiment_state(t)->refused) return json_string("");
    char *text = base_format("%s wanted", closely(wanted, experiment_state(t)->refused));
    json_t *out = json_string(text);
    free(text);
    return out;
}

/* The rank that came to hold most; NULL if nothing was heard of any. */
static const struct experiment_rank *highest(const struct experiment *t) {
    const struct experiment_state *s = t ? experiment_state(t) : NULL;
    const struct experiment_rank *most = NULL;
    for (uint32_t i = 0; s && i < s->seen; i++)
        if (!most || s->rank[i].peak_total > most->peak_total) most = &s->rank[i];
    return most;
}

static uint64_t states_of(const struct experiment_weights *w) {
    uint64_t sum = 0;
    for (int c = ACCOUNT_PARAMS; c <= ACCOUNT_MOMENTS; c++) sum += w->bytes[c];
    return sum;
}

static json_t *measured(bool known, uint64_t n) {
    return known ? bytes(n) : json_string("");
}

static void add(json_t *rows, const char *what, uint64_t there, json_t *here, json_t *weighed) {
    json_array_append_new(rows, json_pack("[s o o o]", what, bytes(there), here, weighed));
}

static json_t *verdict_there(const struct experiment_scale *s) {
    static const char *const words[] = {"fits", "fits, tightly", "does not fit"};
    return json_string(words[s->fits]);
}

static json_t *verdict_measured(const struct experiment *t) {
    const struct experiment_state *s = t ? experiment_state(t) : NULL;
    if (!s || !experiment_is_over(t)) return json_string("");
    if (s->ended && !s->failed) return json_string("fits");
    return json_string(s->refused ? "out of memory" : "did not end");
}

static void add_parts(json_t *rows, const struct experiment_scale *s, const struct experiment *t) {
    const struct experiment_rank *r = highest(t);
    bool ended = r && r->ended;
    char capacity[32];
    add(rows, "model states", s->scenario.states, bytes(s->scaled.states),
        measured(ended, ended ? states_of(&r->persistent) : 0));
    add(rows, "activations, at most", s->scenario.activations, bytes(s->scaled.activations),
        measured(ended, ended ? r->peak.bytes[ACCOUNT_ACTIVATIONS] : 0));
    add(rows, "buffers", s->scenario.buffers, bytes(s->scaled.buffers), json_string(""));
    add(rows, "framework", s->scenario.framework, json_string("taken off"), json_string(""));
    add(rows, "peak", s->scenario.peak, bytes(s->scaled.peak), peak_measured(t, r));
    add(rows, "room", s->budget, json_string(closely(capacity, s->cap)), json_string(""));
}

json_t *experiment_scale_figure(const struct experiment_scale *s, const struct experiment *t) {
    json_t *rows = json_array();
    char there[24], here[24];
    add_parts(rows, s, t);
    json_array_append_new(rows, json_pack("[s o s o]", "verdict", verdict_there(s),
                                          s->runs ? "fits" : "out of memory", verdict_measured(t)));
    account_print_count(there, sizeof there, (double)s->real.params);
    account_print_count(here, sizeof here, (double)s->small.params);
    char *real = base_format("%s × %u", there, s->real.gpus);
    char *small = base_format("%s × %u", here, s->small.gpus);
    json_t *out = json_pack("{ss s[ssss] so ss}", "kind", "table", "head", "each rank", real, small,
                            "measured", "rows", rows, "align", "lrrr");
    free(real);
    free(small);
    return out;
}
