/* lab_keep: a run as the record keeps it. */
#include "session/inside.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS_KEPT = 1 << 18 };

/* What a run tells by the thousand, block by block: where not all of it fits, some is
 * left out. */
static bool is_detail(const char *line) {
    static const char *const begins[] = {"{\"event\":\"memory\"", "{\"event\":\"comm\""};
    for (size_t i = 0; i < BASE_COUNT(begins); i++)
        if (strncmp(line, begins[i], strlen(begins[i])) == 0) return true;
    return false;
}

static size_t line_length(const char *s) {
    size_t n = strcspn(s, "\n");
    return n + (s[n] == '\n');
}

/* Bytes of the lines that are no detail: what a run predicted, each step's time. */
static size_t told_apart(const char *s, const char *end) {
    size_t sum = 0;
    for (size_t n; s < end; s += n) {
        n = line_length(s);
        if (!is_detail(s)) sum += n;
    }
    return sum;
}

static const char *last_line(const char *s) {
    const char *last = s;
    for (size_t n; (n = line_length(s)) > 0; s += n) last = s;
    return last;
}

/* Whole lines: the last, which sums up; what is no detail; details from the start as far as there
 * is room. The caller's. */
static char *bounded(const char *events) {
    const char *last = last_line(events);
    size_t capacity = EVENTS_KEPT, end = strlen(last), told = told_apart(events, last);
    capacity = end < capacity ? capacity - end : 0;
    size_t details = told < capacity ? capacity - told : 0,
           rest = told < capacity ? told : capacity;
    struct base_text kept = {0};
    for (size_t n; events < last; events += n) {
        n = line_length(events);
        size_t *left = is_detail(events) ? &details : &rest;
        *left = n <= *left ? *left : 0;
        if (!*left) continue;
        base_text_add(&kept, events, n);
        *left -= n;
    }
    base_text_puts(&kept, end < EVENTS_KEPT ? last : "");
    return base_text_take(&kept);
}

void session_kept_run_open(struct kept_run *k, const struct experiment_lab *what, size_t variant,
                           const struct experiment *t, double seconds) {
    const struct experiment_state *s = experiment_state(t);
    k->weighed = session_lab_weighed(t, &what->variant[variant]);
    k->events = bounded(experiment_events(t));
    k->run = (struct lesson_run){.lab = what->name,
                                 .variant = what->variant[variant].label,
                                 .command = experiment_command(t),
                                 .events = k->events,
                                 .outcome = s->ended && !s->failed ? "ended" : "failed",
                                 .measured = k->weighed,
                                 .seconds = seconds};
}

void session_kept_run_close(struct kept_run *k) {
    json_decref(k->weighed);
    free(k->events);
}

int64_t session_keep_run(struct store *s, const struct experiment_lab *what, size_t variant,
                         const struct experiment *t, double seconds, struct base_message *m) {
    struct kept_run k;
    session_kept_run_open(&k, what, variant, t, seconds);
    int64_t number = store_keep_run(s, &k.run, m);
    session_kept_run_close(&k);
    return number;
}
