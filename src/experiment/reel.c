/* reel: the events of a run in order, and when each is to be heard. The stream has no clock; a step
 * says how long it took, and each collective when in its step it was done, or how long it took
 * alone, which is enough to lay out the events between. Until its step has ended an event is as
 * late as the step before. The events of a run that ends before anything said how long it took are
 * spread evenly over an ordinary time. */
#include "experiment/inside.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { UNTIMED_MS = 1000 };

/* When in its step the events from `from` on begin: on the clock of its collectives. */
static double begin_of(const struct experiment_reel *r, size_t from, double ms) {
    double first = INFINITY, last = 0;
    for (size_t i = from; i < r->n; i++) {
        const struct experiment_event *e = &r->frame[i].event;
        if (e->kind != EXPERIMENT_COMM) continue;
        first = fmin(first, e->comm.start_ms);
        last = fmax(last, e->comm.end_ms);
    }
    return isfinite(first) ? experiment_step_begin(first, last, ms) : 0;
}

/* The events from r->from to the last are a step of `ms`: a collective is heard when it is done,
 * the others are spread evenly, none before the one above it. */
static void lay_step(struct experiment_reel *r, double ms) {
    assert(r->from < r->n); /* the step's own event, at least */
    double last = r->end, begin = begin_of(r, r->from, ms);
    for (size_t i = r->from; i < r->n; i++) {
        const struct experiment_event *e = &r->frame[i].event;
        double part = e->kind == EXPERIMENT_COMM
                          ? fmin(fmax(e->comm.end_ms - begin, 0), ms)
                          : ms * (double)(i - r->from + 1) / (double)(r->n - r->from);
        last = r->frame[i].at = fmax(last, r->end + part);
    }
    r->end = r->frame[r->n - 1].at = r->end + ms;
    r->told++;
}

/* A collective that was timed alone is heard when it is done. */
static void lay_timing(struct experiment_reel *r, double ms) {
    if (isfinite(ms)) r->frame[r->n - 1].at = r->end += ms;
    r->told++;
}

/* As a step, although no event says how long it took. */
static void lay_untimed(struct experiment_reel *r) {
    lay_step(r, UNTIMED_MS);
    r->told = 0;
}

void experiment_reel_add(struct experiment_reel *r, const struct experiment_frame *f) {
    enum experiment_kind kind = f->event.kind;
    if (r->n == r->capacity) {
        r->capacity = r->capacity ? r->capacity * 2 : 256;
        r->frame = base_grow(r->frame, r->capacity, sizeof *r->frame);
    }
    r->frame[r->n] = *f;
    r->frame[r->n++].at = r->end;
    if (kind == EXPERIMENT_STEP) lay_step(r, fmax(f->event.step.ms, 0));
    if (kind == EXPERIMENT_TIMED) lay_timing(r, fmax(1e3 * f->event.timed.seconds, 0));
    if (kind == EXPERIMENT_END && !r->told && r->n - r->from > 1) lay_untimed(r);
    if (kind == EXPERIMENT_STEP || kind == EXPERIMENT_START || kind == EXPERIMENT_PREDICT ||
        kind == EXPERIMENT_TIMED)
        r->from = r->n;
}

void experiment_reel_free(struct experiment_reel *r) {
    for (size_t i = 0; i < r->n; i++) experiment_event_free(&r->frame[i].event);
    free(r->frame);
}
