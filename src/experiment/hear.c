/* An event becomes state: one function a kind. */
#include "experiment/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION = 1,
    STEPS_MOST = 4096,
    /* beyond, only what a run cannot be told without is kept */
    EVENTS_MOST = 4 << 20,
    EVENTS_UTMOST = 5 << 20
};

static void say_trouble(struct experiment_state *s, const char *text) {
    char *clean = base_clean_dup(text, strlen(text), sizeof s->trouble - 1);
    if (!*s->trouble) snprintf(s->trouble, sizeof s->trouble, "%s", clean);
    free(clean);
}

/* ── the beginning ─────────────────────────────────────────────────────────────────────────────*/
static const char *or_else(const char *text, const char *otherwise) {
    return *text ? text : otherwise;
}

static void log_start(struct experiment *t) {
    const struct experiment_setup *s = &t->state.setup;
    char count[24];
    if (s->to) {
        experiment_log_add(&t->log, "starts: collectives among %u ranks, on %s", (uint32_t)s->ranks,
                           or_else(s->host, "an unnamed machine"));
        return;
    }
    experiment_log_add(&t->log, "starts: stage %u, %u ranks, %s, %s parameters, on %s", s->stage,
                       (uint32_t)s->ranks, or_else(s->precision, "?"),
                       account_print_count(count, sizeof count, (double)s->params),
                       or_else(s->host, "an unnamed machine"));
    if (s->planted)
        experiment_log_add(&t->log, "is wrong on purpose: a fault was planted in this run");
}

static void hear_start(struct experiment *t, const struct experiment_event *e) {
    struct experiment_state *s = &t->state;
    if (s->started) return;
    s->started = true;
    s->setup = *e->start;
    json_incref(s->setup.event);
    s->ranks = (uint32_t)s->setup.ranks;
    s->stage = s->setup.stage;
    s->planned = s->setup.planned;
    if (!t->label)
        t->label = s->setup.to ? base_dup("collectives") : base_format("stage %u", s->stage);
    log_start(t);
    if (s->setup.version == VERSION) return;
    char text[200];
    snprintf(text, sizeof text,
             "zerolab writes version %lld of its events, and this tutor reads version %d: build "
             "both from one checkout",
             (long long)s->setup.version, VERSION);
    say_trouble(s, text);
    s->failed = true;
    experiment_cancel(t);
}

/* ── steps ─────────────────────────────────────────────────────────────────────────────────────*/
/* When there are too many, every second goes. The last is always held: it stands after those of the
 * stride. */
static void add_step(struct experiment *t, const struct experiment_step *step) {
    struct experiment_state *s = &t->state;
    if (!t->step) t->step = base_alloc((STEPS_MOST + 1) * sizeof *t->step);
    if (!t->stride) t->stride = 1;
    bool replaces = s->steps && (s->told - 1) % t->stride;
    if (!replaces && s->steps == STEPS_MOST) {
        for (size_t i = 0; 2 * i < s->steps; i++) t->step[i] = t->step[2 * i];
        s->steps = (s->steps + 1) / 2;
        t->stride *= 2;
    }
    t->step[replaces ? s->steps - 1 : s->steps++] = *step;
    s->told++;
    s->step = t->step;
}

/* Stages 1 and 2 gather what an update made. Stage 3 gathers for forward and backward, and stage 0
 * not at all. */
static bool gathers_updates(const struct experiment_state *s) {
    return s->stage == 1 || s->stage == 2;
}

static void hear_step(struct experiment *t, const struct experiment_event *e) {
    const struct experiment_step *step = &e->step;
    bool ungathered = step->skipped && gathers_updates(&t->state);
    add_step(t, step);
    t->state.skipped += step->skipped;
    t->state.ungathered += ungathered;
    if (gathers_updates(&t->state)) experiment_foresee(t, ungathered, 1);
    experiment_spans_end(&t->coming, &t->done, step->step);
    experiment_spans_shift(&t->done, step->ms);
    t->state.span = t->done.span;
    t->state.spans = t->done.n;
    experiment_hear_spans(t);
    experiment_hear_moments(t);
    char exposed[48] = ""; /* one rank waits for no other */
    if (t->state.ranks > 1)
        snprintf(exposed, sizeof exposed, ", %.1f\u00a0ms\u00a0exposed", step->exposed_ms);
    experiment_log_add(&t->log, "step %u: loss %#.9g, %.1f ms%s", step->step, step->loss, step->ms,
                       exposed);
    if (step->skipped)
        experiment_log_add(&t->log,
                           "step %u was skipped: its gradients overflow fp16 at a scale of %g",
                           step->step, step->scale);
}

static void hear_comm(struct experiment *t, const struct experiment_event *e) {
    if (e->comm.rank < EXPERIMENT_RANKS) experiment_spans_add(&t->coming, &e->comm);
}

/* ── collectives that are timed alone ──────────────────────────────────────────────────────────*/
static void hear_timed(struct experiment *t, const struct experiment_event *e) {
    struct experiment_state *s = &t->state;
    const struct experiment_timing *k = &e->timed;
    if (k->op >= EXPERIMENT_SENT_TIMED || !k->bytes || !(k->seconds > 0 && isfinite(k->seconds)))
        return;
    if (s->timings < EXPERIMENT_TIMINGS) s->timing[s->timings++] = *k;
    char bytes[32];
    experiment_log_add(&t->log, "%s of %s: %.4g ms", experiment_ops[k->op],
                       account_print_bytes(bytes, sizeof bytes, (double)k->bytes),
                       1e3 * k->seconds);
}

static void hear_fitted(struct experiment *t, const struct experiment_event *e) {
    const struct account_link_fit *f = &e->fitted.fit;
    bool sound = f->latency >= 0 && f->rate >= 0 && f->residual >= 0 &&
                 isfinite(f->latency + f->rate + f->residual);
    if (e->fitted.op < EXPERIMENT_SENT_TIMED && sound)
        t->state.line[e->fitted.op] = (struct experiment_line){true, *f};
}

double experiment_line_seconds(const struct experiment_state *s, unsigned op, double bytes) {
    static const enum account_collective_kind kinds[EXPERIMENT_SENT_TIMED] = {
        ACCOUNT_ALL_REDUCE, ACCOUNT_REDUCE_SCATTER, ACCOUNT_ALL_GATHER};
    double factor = account_collective_factor(kinds[op], s->ranks);
    if (!s->line[op].known) return 0;
    return account_link_seconds(&s->line[op].fit, factor * s->ranks, factor * bytes);
}

/* ── what is told in words ─────────────────────────────────────────────────────────────────────*/
static void hear_outside(struct experiment *t, const struct experiment_event *e) {
    experiment_log_add(&t->log, "%s", e->words.text);
}

static void hear_error(struct experiment *t, const struct experiment_event *e) {
    t->state.failed = true;
    if (e->words.refused) t->state.refused = e->words.refused;
    say_trouble(&t->state, e->words.text);
    experiment_log_add(&t->log, "%s", e->words.text);
}

static void hear_end(struct experiment *t, const struct experiment_event *e) {
    struct experiment_state *s = &t->state;
    s->ended = true;
    s->failed = s->failed || !e->end->well;
    memcpy(s->loss, e->end->loss, sizeof s->loss);
    memcpy(s->weights_hash, e->end->weights_hash, sizeof s->weights_hash);
    if (e->end->well) {
        experiment_hear_ranks(t, e->end);
        if (s->planned && gathers_updates(s))
            experiment_foresee(t, s->skipped, experiment_own_steps(s));
    }
    char *states = experiment_say_states(t);
    if (states) experiment_log_add(&t->log, "%s", states);
    free(states);
    if (!e->end->well) say_trouble(s, "the run failed and did not say why");
    if (e->end->well && s->setup.to)
        experiment_log_add(&t->log, "ends well: %zu times", s->timings);
    else
        experiment_log_add(&t->log,
                           e->end->well ? "ends well: loss %s, weights %s" : "ends: it failed",
                           s->loss, s->weights_hash);
}

static void hear_weighed(struct experiment *t, const struct experiment_event *e) {
    experiment_hear_memory(t, e);
    experiment_hear_moment(t, e);
}

static void hear_broken(struct experiment *t, const struct experiment_event *e) {
    t->state.broken++;
    experiment_log_add(&t->log, "line %zu is %s", t->numbers, e->words.text);
}

/* ── hearing ───────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    void (*hear)(struct experiment *t, const struct experiment_event *e);
    /* left out of the kept events when there are too many */
    bool frequent;
} heard[EXPERIMENT_KINDS] = {
    [EXPERIMENT_START] = {hear_start, false},
    [EXPERIMENT_PREDICT] = {experiment_hear_predict, false},
    [EXPERIMENT_WEIGHED] = {hear_weighed, true},
    [EXPERIMENT_COMM] = {hear_comm, true},
    [EXPERIMENT_STEP] = {hear_step, false},
    [EXPERIMENT_TIMED] = {hear_timed, false},
    [EXPERIMENT_FITTED] = {hear_fitted, false},
    [EXPERIMENT_OUTSIDE] = {hear_outside, false},
    [EXPERIMENT_ERROR] = {hear_error, false},
    [EXPERIMENT_END] = {hear_end, false},
};

/* Whether there is room for it. */
static bool keep(struct experiment *t, const char *s, size_t n, bool frequent) {
    if (t->events.length + n + 1 > (frequent ? EVENTS_MOST : EVENTS_UTMOST)) return false;
    base_text_add(&t->events, s, n);
    base_text_puts(&t->events, "\n");
    return true;
}

/* After the end there is nothing to hear; before the start only what went wrong. */
static bool in_place(const struct experiment_state *s, enum experiment_kind kind) {
    if (s->ended || !heard[kind].hear) return false;
    return s->started || kind == EXPERIMENT_START || kind == EXPERIMENT_ERROR ||
           kind == EXPERIMENT_END;
}

/* True if its line is among the kept ones. */
static bool hear(struct experiment *t, const struct experiment_event *e, const char *s, size_t n) {
    if (e->kind <= EXPERIMENT_NAMELESS) {
        hear_broken(t, e);
        return false;
    }
    t->state.lines++;
    if (!in_place(&t->state, e->kind)) return false;
    bool kept = s && keep(t, s, n, heard[e->kind].frequent);
    heard[e->kind].hear(t, e);
    return kept;
}

void experiment_hear_frame(struct experiment *t, const struct experiment_frame *f) {
    t->numbers++;
    if (f->n || !f->s) hear(t, &f->event, f->s, f->n);
}

void experiment_hear_line(void *self, const char *s, size_t n, bool cut) {
    struct experiment *t = self;
    t->numbers++;
    if (n == 0) return;
    struct experiment_frame f = {.event = experiment_event_read(s, n, cut)};
    if (hear(t, &f.event, s, n))
        experiment_reel_add(&t->reel, &f);
    else
        experiment_event_free(&f.event);
}
