/* screen_lab_again: a run of a small model is over before anybody has seen it, so it goes by once more, as slowly as it can be watched, and stands
 * still where it is to. */
#include "screen/lab.h"

#include <stdlib.h>

enum { STEP_MS = 400, LEAST_MS = 4000, MOST_MS = 20000 };

const struct experiment *screen_lab_shown(const struct lab *l) {
    return l->again ? l->again : session_lab_run(l->runs, l->shown);
}

static int long_enough(const struct experiment *t) {
    size_t ms = experiment_state(t)->steps * STEP_MS;
    if (ms < LEAST_MS) return LEAST_MS;
    return ms < MOST_MS ? (int)ms : MOST_MS;
}

unsigned screen_lab_again(struct view *v, const struct key *k) {
    struct lab *l = (struct lab *)v;
    (void)k;
    screen_lab_again_end(l);
    const struct experiment *t = screen_lab_shown(l);
    l->again = experiment_again(t, long_enough(t));
    l->paused = false;
    screen_app_notice(v->app, NULL);
    return VIEW_REDRAW;
}

void screen_lab_again_end(struct lab *l) {
    experiment_free(l->again);
    l->again = NULL;
}

void screen_lab_again_read(struct lab *l) {
    l->stale |= experiment_read(l->again);
    if (!experiment_is_over(l->again)) return;
    screen_lab_again_end(l);
    l->paused = false;
    l->drawn = 0; /* its end is drawn at once */
}

char *screen_lab_again_say(const struct lab *l) {
    char slower[40] = "";
    double times = experiment_slowness(l->again);
    if (times >= 1.5) snprintf(slower, sizeof slower, ", %.0f times slower than it ran", times);
    return base_format("%sonce more%s", l->paused ? "paused · " : "", slower);
}
