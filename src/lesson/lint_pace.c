/* lesson_lint_pace.c: lint's time. A source around the lesson's own that calls no more once a step's time, or the lesson's, is spent. */
#include "lesson/lint.h"

/* A vary takes a fraction of a millisecond. Slow ones, and many of them, must not keep an author waiting. */
enum { STEP_MS = 2000, MS_A_SEED = 2, STEPS_A_LESSON = 4 };

static json_t *call(void *self, int fn, uint64_t seed, struct base_message *m) {
    struct lint_pace *p = self;
    p->over = p->over || base_ticks() >= p->step_until;
    if (p->over) {
        base_fail(m, "the time is spent");
        return NULL;
    }
    return p->source.call(p->source.self, fn, seed, m);
}

static void restart(void *self) {
    struct lint_pace *p = self;
    if (p->source.restart != NULL) p->source.restart(p->source.self);
}

struct lesson_source lesson_lint_pace(struct lint_pace *p, struct lesson_source source, int seeds) {
    int64_t wanted = (int64_t)MS_A_SEED * seeds;
    *p = (struct lint_pace){.source = source, .step_ms = wanted > STEP_MS ? wanted : STEP_MS};
    p->lesson_until = base_ticks() + STEPS_A_LESSON * p->step_ms;
    return (struct lesson_source){.self = p, .call = call, .restart = restart};
}

void lesson_lint_pace_step(struct lint_pace *p) {
    p->over = false;
    p->step_from = base_ticks();
    p->step_until = p->step_from + p->step_ms;
    if (p->step_until > p->lesson_until) p->step_until = p->lesson_until;
}

bool lesson_lint_pace_done(const struct lint_pace *p) {
    return base_ticks() >= p->lesson_until;
}

int64_t lesson_lint_pace_spent(const struct lint_pace *p) {
    return base_ticks() - p->step_from;
}
