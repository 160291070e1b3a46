/* lab_again: a run of a small model is over before anybody has seen it, so it goes by once more, as slowly as it can be watched, and stands
 * still where it is to. */
#include "screen/lab.h"

#include <stdlib.h>

enum { STEP_MS = 400, LEAST_MS = 4000, MOST_MS = 20000 };

const struct trial *lab_shown(const struct lab *l) {
    return l->again ? l->again : sitting_lab_run(l->runs, l->shown);
}

static int long_enough(const struct trial *t) {
    size_t ms = trial_state(t)->steps * STEP_MS;
    if (ms < LEAST_MS) return LEAST_MS;
    return ms < MOST_MS ? (int)ms : MOST_MS;
}

unsigned lab_again(struct view *v, const struct key *k) {
    struct lab *l = (struct lab *)v;
    (void)k;
    lab_again_end(l);
    const struct trial *t = lab_shown(l);
    l->again = trial_again(t, long_enough(t));
    l->paused = false;
    app_notice(v->app, NULL);
    return VIEW_REDRAW;
}

void lab_again_end(struct lab *l) {
    trial_free(l->again);
    l->again = NULL;
}

void lab_again_read(struct lab *l) {
    l->stale |= trial_read(l->again);
    if (!trial_is_over(l->again)) return;
    lab_again_end(l);
    l->paused = false;
    l->drawn = 0; /* its end is drawn at once */
}

char *lab_again_say(const struct lab *l) {
    char slower[40] = "";
    double times = trial_slowness(l->again);
    if (times >= 1.5) snprintf(slower, sizeof slower, ", %.0f times slower than it ran", times);
    return base_format("%sonce more%s", l->paused ? "paused · " : "", slower);
}
