/* weigh: what a run weighed, as lesson keeps it: pairs of measured and predicted bytes, of the rank
 * where the two lie furthest apart. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

struct pair {
    uint64_t measured, predicted;
    /* it was predicted */
    bool known;
};
typedef struct pair read_pair(const struct experiment_rank *r, int which);

static struct pair kept_of(const struct experiment_rank *r, int category) {
    return (struct pair){r->persistent.bytes[category], r->predicted.persistent.bytes[category],
                         r->predicted.known};
}
static struct pair state_of(const struct experiment_rank *r, int which) {
    (void)which;
    return (struct pair){r->persistent.total, r->predicted.persistent.total, r->predicted.known};
}
static struct pair peak_of(const struct experiment_rank *r, int which) {
    (void)which;
    return (struct pair){r->peak_total, r->predicted.peak_total, r->predicted.known};
}
static struct pair sent_of(const struct experiment_rank *r, int which) {
    (void)which;
    return (struct pair){r->sent_total, r->predicted.sent_total, r->predicted.known};
}

static uint64_t apart(struct pair p) {
    if (!p.known) return 0;
    return p.measured > p.predicted ? p.measured - p.predicted : p.predicted - p.measured;
}

static struct pair furthest(const struct experiment_state *s, read_pair *read, int which) {
    struct pair worst = read(&s->rank[0], which);
    for (uint32_t i = 1; i < s->seen; i++) {
        struct pair p = read(&s->rank[i], which);
        if (apart(p) > apart(worst)) worst = p;
    }
    return worst;
}

/* Only last words tell what a rank kept, and all of its peaks. */
static bool all_ended(const struct experiment_state *s) {
    for (uint32_t i = 0; i < s->seen; i++)
        if (!s->rank[i].ended) return false;
    return s->ended && !s->failed && s->seen > 0;
}

static json_t *pair_json(struct pair p) {
    json_t *pair = json_pack("[I]", (json_int_t)p.measured);
    if (p.known) json_array_append_new(pair, json_integer((json_int_t)p.predicted));
    return pair;
}

static json_t *kept_json(const struct experiment_state *s) {
    json_t *kept = json_object();
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        struct pair p = furthest(s, kept_of, c);
        if (p.measured || p.predicted)
            json_object_set_new(kept, account_category_name((enum account_category)c),
                                pair_json(p));
    }
    return kept;
}

/* What must be said of its times; the caller's. */
static char *note_of(const struct experiment *t) {
    const struct experiment_setup *setup = &experiment_state(t)->setup;
    char *machine = experiment_machine(t), *recorded = NULL;
    if (experiment_state(t)->recorded)
        recorded = base_format("This is a recording made on %s. Nothing was run here.", machine);
    free(machine);
    if (recorded) return recorded;
    if (setup->emulates_link)
        return base_dup("The link was emulated. Bytes are true, and times are those of the "
                        "emulated link.");
    if (setup->shares_cores)
        return base_dup("The ranks shared this machine's cores. Memory and bytes are true, but "
                        "times are not those of a cluster.");
    return NULL;
}

/* What it wanted when it was refused. */
static json_t *refused_json(const struct experiment_state *s, const char *variant) {
    return json_pack("{ss s[I] ss}", "variant", variant, "needed", (json_int_t)s->refused, "loss",
                     "out of memory");
}

json_t *session_lab_weighed(const struct experiment *t, const struct experiment_variant *v) {
    const struct experiment_state *s = experiment_state(t);
    if (v->dies && s->refused) return refused_json(s, v->label);
    if (!all_ended(s)) return NULL;
    json_t *out = json_pack(
        "{ss sI sI so so so so ss ss}", "variant", v->label, "params", (json_int_t)s->setup.params,
        "ranks", (json_int_t)s->ranks, "kept", kept_json(s), "state",
        pair_json(furthest(s, state_of, 0)), "peak", pair_json(furthest(s, peak_of, 0)), "sent",
        pair_json(furthest(s, sent_of, 0)), "loss", s->loss, "weights", s->weights_hash);
    char *note = note_of(t);
    if (note) json_object_set_new(out, "note", json_string(note));
    free(note);
    return out;
}
