/* lab_keep: a run as the record keeps it. */
#include "sitting/inside.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS_KEPT = 1 << 18 };

/* Whole lines from the start, as many as there is room for, and the last one, which sums up. The caller's. */
static char *bounded(const char *events) {
    size_t n = strlen(events), room = EVENTS_KEPT;
    if (n <= room) return base_dup(events);
    const char *last = events + n - 1;
    while (last > events && last[-1] != '\n') last--;
    size_t tail = (size_t)(events + n - last);
    size_t head = room > tail ? room - tail : 0;
    while (head > 0 && events[head - 1] != '\n') head--;
    return base_format("%.*s%s", (int)head, events, tail < room ? last : "");
}

void kept_run_open(struct kept_run *k, const struct trial_lab *what, size_t variant,
                   const struct trial *t, double seconds) {
    const struct trial_state *s = trial_state(t);
    k->weighed = lab_weighed(t, &what->variant[variant]);
    k->events = bounded(trial_events(t));
    k->run = (struct study_run){.lab = what->name,
                                .variant = what->variant[variant].label,
                                .command = trial_command(t),
                                .events = k->events,
                                .outcome = s->ended && !s->failed ? "ended" : "failed",
                                .measured = k->weighed,
                                .seconds = seconds};
}

void kept_run_close(struct kept_run *k) {
    json_decref(k->weighed);
    free(k->events);
}

int64_t sitting_keep_run(struct store *s, const struct trial_lab *what, size_t variant,
                         const struct trial *t, double seconds, struct base_message *m) {
    struct kept_run k;
    kept_run_open(&k, what, variant, t, seconds);
    int64_t number = store_keep_run(s, &k.run, m);
    kept_run_close(&k);
    return number;
}
