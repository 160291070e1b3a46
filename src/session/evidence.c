/* evidence: what a memo may quote of a run of the lab, read from the record. */
#include "session/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ── the figures of a run ──────────────────────────────────────────────────────────────────────*/
static double first_of(const json_t *pair) {
    const json_t *measured = json_array_get(pair, 0);
    return json_is_number(measured) ? json_number_value(measured) : (double)NAN;
}

/* As memos call them, and where they stand in what was weighed. */
static const struct {
    const char *said, *member;
} figures[] = {
    {"peak", "peak"},  {"states", "state"}, {"state", "state"},   {"model states", "state"},
    {"kept", "state"}, {"sent", "sent"},    {"needed", "needed"}, {"wanted", "needed"},
};

/* by a run's events */
struct told {
    double step_ms;
    int steps;
    /* NULL until it is told */
    json_t *end;
};

static struct told read_events(const char *events) {
    struct told t = {0};
    for (const char *s = events; *s; s += *s == '\n') {
        size_t n = strcspn(s, "\n");
        json_t *event = json_loadb(s, n, 0, NULL);
        const char *name = base_json_text(event, "event", "");
        bool step = strcmp(name, "step") == 0;
        if (step) t.step_ms += base_json_number(event, "ms", 0);
        t.steps += step;
        if (strcmp(name, "end") == 0 && !t.end) t.end = json_incref(event);
        json_decref(event);
        s += n;
    }
    return t;
}

/* The highest of the ranks, by their last words; NaN if that is no category. */
static double category_peak(const json_t *end, const char *name) {
    const json_t *rank;
    size_t i;
    double most = (double)NAN;
    json_array_foreach(json_object_get(end, "ranks"), i, rank) {
        const json_t *bytes = json_object_get(json_object_get(rank, "peak"), name);
        if (json_is_number(bytes)) most = fmax(most, json_number_value(bytes));
    }
    return most;
}

static double figure_of(const struct store_run *r, const char *what) {
    for (size_t i = 0; i < BASE_COUNT(figures); i++)
        if (strcmp(figures[i].said, what) == 0)
            return first_of(json_object_get(r->measured, figures[i].member));
    struct told t = read_events(r->events);
    bool step = strcmp(what, "step") == 0 || strcmp(what, "step time") == 0;
    double value = category_peak(t.end, what);
    if (step && t.steps) value = t.step_ms / 1000 / t.steps;
    json_decref(t.end);
    return value;
}

/* ── quoting ───────────────────────────────────────────────────────────────────────────────────*/
struct quoted {
    const char *what;
    enum memo_quoted says;
    double value;
    char why[300];
};

static bool is_refusal(const struct store_run *r) {
    return json_object_get(r->measured, "needed") != NULL;
}

/* Of a run that measured, a figure it does not have may be one it is not called by here. */
static void explain(struct quoted *q, const struct store_run *r) {
    long long n = (long long)r->number;
    q->says = MEMO_REFUTED;
    if (is_refusal(r)) {
        snprintf(q->why, sizeof q->why,
                 "run %lld ran out of memory, so it has no %.40s: quote what it needed, as in "
                 "[run %lld: needed …]",
                 n, q->what, n);
    } else if (strcmp(r->outcome, "ended") != 0) {
        snprintf(q->why, sizeof q->why,
                 "run %lld %s, so it measured nothing to quote: quote a run that finished", n,
                 strcmp(r->outcome, "failed") == 0 ? "failed" : "was stopped");
    } else {
        q->says = MEMO_UNKNOWN;
        snprintf(q->why, sizeof q->why,
                 "run %lld has no figure '%.40s': quote its peak, states, sent%s, or the peak "
                 "of a category, such as activations",
                 n, q->what, isnan(figure_of(r, "step")) ? "" : ", step");
    }
}

static void look(void *to, const struct store_run *r) {
    struct quoted *q = to;
    bool ended = strcmp(r->outcome, "ended") == 0 || is_refusal(r);
    q->value = ended ? figure_of(r, q->what) : (double)NAN;
    if (isnan(q->value))
        explain(q, r);
    else
        q->says = MEMO_MEASURED;
}

/* Without a single run this is somebody else's memo, or somebody else's machine: nobody is
 * accused. */
static enum memo_quoted quoted(void *self, long run, const char *what, double *value,
                               struct base_message *m) {
    struct quoted q = {.what = what, .says = MEMO_UNKNOWN};
    if (!store_last_run(self, NULL)) {
        base_fail(m, "your record has no run of the lab, so this cannot be verified here");
    } else if (store_run(self, run, look, &q, m)) {
        if (q.says == MEMO_MEASURED)
            *value = q.value;
        else
            base_fail(m, "%s", q.why);
    } else {
        base_fail(m, "run %ld is not in your record: `zerotutor lab runs` lists yours", run);
        q.says = MEMO_REFUTED;
    }
    return q.says;
}

struct memo_evidence session_evidence(struct store *s) {
    return (struct memo_evidence){s, quoted};
}

/* ── what to write ─────────────────────────────────────────────────────────────────────────────*/
char *session_quote(struct store *s, int64_t run, struct base_message *m) {
    static const char *const whats[] = {"peak", "needed"};
    double value;
    char text[32];
    for (size_t i = 0; i < BASE_COUNT(whats); i++) {
        if (quoted(s, (long)run, whats[i], &value, m) != MEMO_MEASURED) continue;
        account_print_bytes(text, sizeof text, value);
        return base_format("[run %lld: %s %s]", (long long)run, whats[i], text);
    }
    return NULL;
}
