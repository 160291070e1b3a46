/* The moments of a step, as memory events tell them: each with the highest sum within it, by
 * category. A step is whole with its update; what is held as that ends is the rest until the next
 * step. It is shown once the step is told to have ended, so that all that is said of the last step
 * is said of the same one. Evaluations go forward once more, and are passed over. */
#include "experiment/inside.h"

#include <stdlib.h>
#include <string.h>

enum { MOMENTS_MOST = 4096 };

/* ── hearing ───────────────────────────────────────────────────────────────────────────────────*/
/* Whatever an event says, the bytes of all categories can be added up. */
static const uint64_t most_bytes = UINT64_MAX / 64;

static struct account_ledger ledger_of(const struct experiment_weights *w) {
    struct account_ledger l = {0};
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        l.bytes[c] = w->bytes[c] < most_bytes ? w->bytes[c] : most_bytes;
        l.total += l.bytes[c];
    }
    return l;
}

static void add(struct experiment_moments *m, const struct account_timepoint *moment) {
    if (m->n == MOMENTS_MOST) return;
    if (m->n == m->capacity) {
        m->capacity = m->capacity ? 2 * m->capacity : 32;
        m->moment = base_grow(m->moment, m->capacity, sizeof *m->moment);
        m->foreseen = base_grow(m->foreseen, m->capacity, sizeof *m->foreseen);
    }
    m->foreseen[m->n] = 0;
    m->moment[m->n++] = *moment;
}

/* ── what the engine says of the run ───────────────────────────────────────────────────────────*/
/* The engine's moments of the run, computed once; none if its start does not say what runs. */
static const struct experiment_moments *engine_of(struct experiment *t) {
    struct experiment_moments *m = &t->engine;
    const struct experiment_setup *setup = &t->state.setup;
    if (t->engine_asked || !t->state.started) return m;
    t->engine_asked = true;
    if (!setup->names_training) return m;
    size_t capacity = ACCOUNT_TIMELINE_MOST(setup->training.shape.layers);
    if (capacity > MOMENTS_MOST) capacity = MOMENTS_MOST;
    m->moment = base_alloc(capacity * sizeof *m->moment);
    size_t count = account_timeline(&setup->training, m->moment, capacity, NULL);
    if (count <= capacity) m->n = count;
    return m;
}

static bool is_same(const struct account_timepoint *a, const struct account_timepoint *b) {
    return a->phase == b->phase && a->stop == b->stop && a->block == b->block;
}

/* Both are in the order of the step: each search begins where the last one ended. */
static void foresee(const struct experiment_moments *engine, struct experiment_moments *m) {
    for (size_t i = 0, at = 0; i < m->n; i++)
        for (size_t k = 0; k < engine->n; k++) {
            size_t here = (at + k) % engine->n;
            if (!is_same(&engine->moment[here], &m->moment[i])) continue;
            m->foreseen[i] = engine->moment[here].ledger.total;
            at = here + 1;
            break;
        }
}

/* ── steps ─────────────────────────────────────────────────────────────────────────────────────*/
/* The second takes the place of the first, whose memory it gets. */
static void take_over(struct experiment_moments *m, struct experiment_moments *by) {
    struct experiment_moments before = *m;
    *m = *by;
    *by = before;
    by->n = 0;
}

/* The rank is through with its step. */
static void end_step(struct experiment *t, uint32_t rank, const struct experiment_weights *now) {
    struct experiment_moments *rising = &t->rising[rank];
    struct account_timepoint rest = {
        .phase = ACCOUNT_UPDATE, .stop = ACCOUNT_AT_REST, .ledger = ledger_of(now)};
    add(rising, &rest);
    foresee(engine_of(t), rising);
    take_over(&t->risen[rank], rising);
}

void experiment_hear_moments(struct experiment *t) {
    for (uint32_t i = 0; i < t->state.seen; i++) {
        struct experiment_rank *r = &t->state.rank[i];
        if (!t->risen[i].n) continue;
        take_over(&t->told[i], &t->risen[i]);
        r->moment = t->told[i].moment;
        r->foreseen = t->told[i].foreseen;
        r->moments = t->told[i].n;
    }
}

void experiment_hear_moment(struct experiment *t, const struct experiment_event *e) {
    int64_t rank = e->rank;
    struct account_timepoint moment;
    if (rank < 0 || rank >= EXPERIMENT_RANKS || !e->weighed.tells_highest ||
        !account_timepoint_read(e->weighed.where, &moment))
        return;
    struct experiment_moments *m = &t->rising[rank];
    bool begins = moment.phase == ACCOUNT_FORWARD && moment.stop == ACCOUNT_AT_EMBEDDINGS;
    if (begins) m->n = 0;
    if (moment.phase == ACCOUNT_INIT || (m->n == 0 && !begins)) return;
    moment.ledger = ledger_of(&e->weighed.highest);
    add(m, &moment);
    if (moment.phase == ACCOUNT_UPDATE) end_step(t, (uint32_t)rank, &e->weighed.now);
}

void experiment_moments_free(struct experiment *t) {
    for (size_t i = 0; i < EXPERIMENT_RANKS; i++) {
        free(t->rising[i].moment);
        free(t->rising[i].foreseen);
        free(t->risen[i].moment);
        free(t->risen[i].foreseen);
        free(t->told[i].moment);
        free(t->told[i].foreseen);
    }
    free(t->engine.moment);
}
