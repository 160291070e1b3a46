/* Collectives of the step that goes on, and of the one that ended. Ranks run ahead of each other,
 * so some of the next step may have come before a step is told to have ended. */
#include "experiment/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPANS_MOST = 1 << 17 };

void experiment_spans_add(struct experiment_spans *s, const struct experiment_span *span) {
    if (s->n == SPANS_MOST) return;
    if (s->n == s->capacity) {
        s->capacity = s->capacity ? s->capacity * 2 : 64;
        s->span = base_grow(s->span, s->capacity, sizeof *s->span);
    }
    s->span[s->n++] = *span;
}

static int by_rank_and_time(const void *a, const void *b) {
    const struct experiment_span *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return (x->start_ms > y->start_ms) - (x->start_ms < y->start_ms);
}

void experiment_spans_end(struct experiment_spans *coming, struct experiment_spans *done,
                          uint32_t step) {
    size_t kept = 0;
    done->n = 0;
    for (size_t i = 0; i < coming->n; i++)
        if (coming->span[i].step == step)
            experiment_spans_add(done, &coming->span[i]);
        else if (coming->span[i].step > step)
            coming->span[kept++] = coming->span[i];
    coming->n = kept;
    if (done->n) qsort(done->span, done->n, sizeof *done->span, by_rank_and_time);
}

double experiment_step_begin(double first, double last, double ms) {
    if (!(last > 1.25 * ms + 1)) return 0;
    return fmin(last - ms, first);
}

void experiment_spans_shift(struct experiment_spans *done, double ms) {
    double first = INFINITY, last = 0;
    for (size_t i = 0; i < done->n; i++) {
        first = fmin(first, done->span[i].start_ms);
        last = fmax(last, done->span[i].end_ms);
    }
    if (!done->n) return;
    double begin = experiment_step_begin(first, last, ms);
    for (size_t i = 0; i < done->n; i++) {
        done->span[i].start_ms -= begin;
        done->span[i].end_ms -= begin;
    }
}
