/* A line that was heard becomes state: one function an event. Unknown events and members are none
 * of ours. */
#include "experiment/inside.h"

#include <stdlib.h>
#include <string.h>

enum {
    VERSION = 1,
    STEPS_MOST = 4096,
    EVENTS_MOST = 4 << 20, /* beyond, only what a run cannot be told without is kept */
    EVENTS_UTMOST = 5 << 20,
    SHOWN_MOST = 80
};

static void say_trouble(struct experiment_state *s, const char *text) {
    char *clean = base_clean_dup(text, strlen(text), sizeof s->trouble - 1);
    if (!*s->trouble) snprintf(s->trouble, sizeof s->trouble, "%s", clean);
    free(clean);
}

/* ── the beginning ─────────────────────────────────────────────────────────────────────────────*/
static void hear_start(struct experiment *t, const json_t *event) {
    struct experiment_state *s = &t->state;
    if (s->started) return;
    s->started = true;
    s->start = json_deep_copy(event);
    s->ranks = (uint32_t)base_json_int(event, "ranks", 1);
    s->stage = (uint32_t)base_json_int(event, "stage", 0);
    int64_t steps = base_json_int(event, "steps", 0);
    s->planned = steps > 0 && steps < UINT32_MAX ? (uint32_t)steps : 0;
    if (!t->label) t->label = base_format("stage %u", s->stage);
    const json_t *model = json_object_get(event, "model");
    char count[24];
    experiment_log_add(
        &t->log, "starts: stage %u, %u ranks, %s, %s parameters, on %s", s->stage, s->ranks,
        base_json_text(event, "precision", "?"),
        account_print_count(count, sizeof count, (double)experiment_bytes(model, "params")),
        base_json_text(event, "host", "a machine that has no name"));
    int64_t version = base_json_int(event, "v", 0);
    if (version == VERSION) return;
    char text[200];
    snprintf(text, sizeof text,
             "zerolab writes version %lld of its events, and this tutor reads version %d: build "
             "both from one checkout",
             (long long)version, VERSION);
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
    bool replaces = s->steps && (t->told - 1) % t->stride;
    if (!replaces && s->steps == STEPS_MOST) {
        for (size_t i = 0; 2 * i < s->steps; i++) t->step[i] = t->step[2 * i];
        s->steps = (s->steps + 1) / 2;
        t->stride *= 2;
    }
    t->step[replaces ? s->steps - 1 : s->steps++] = *step;
    t->told++;
    s->step = t->step;
}

static void hear_step(struct experiment *t, const json_t *event) {
    struct experiment_step step = {
        .step = (uint32_t)base_json_int(event, "step", 0),
        .loss = base_json_number(event, "loss", 0),
        .ms = base_json_number(event, "ms", 0),
        .compute_ms = base_json_number(event, "compute_ms", 0),
        .comm_ms = base_json_number(event, "comm_ms", 0),
        .exposed_ms = base_json_number(event, "exposed_ms", 0),
        .skew_ms = base_json_number(event, "skew_ms", 0),
        .tokens_per_s = base_json_number(event, "tokens_per_s", 0),
        .scale = base_json_number(event, "scale", 0),
        .skipped = base_json_bool(event, "skipped", false),
    };
    add_step(t, &step);
    t->state.skipped += step.skipped;
    experiment_foresee(t, step.skipped, 1);
    experiment_spans_end(&t->coming, &t->done, step.step);
    experiment_spans_shift(&t->done, step.ms);
    t->state.span = t->done.span;
    t->state.spans = t->done.n;
    experiment_hear_spans(t);
    experiment_log_add(&t->log, "step %u: loss %#.9g, %.1f ms, %.1f ms exposed", step.step,
                       step.loss, step.ms, step.exposed_ms);
    if (step.skipped)
        experiment_log_add(&t->log,
                           "step %u was skipped: its gradients overflow fp16 at a scale of %g",
                           step.step, step.scale);
}

static uint32_t small(const json_t *event, const char *key) {
    int64_t value = base_json_int(event, key, -1);
    return value >= 0 && value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static void hear_comm(struct experiment *t, const json_t *event) {
    struct experiment_span span = {
        .rank = small(event, "rank"),
        .step = small(event, "step"),
        .start_ms = base_json_number(event, "start_ms", 0),
        .end_ms = base_json_number(event, "end_ms", 0),
        .exposed_ms = base_json_number(event, "exposed_ms", 0),
        .sent = experiment_bytes(event, "sent"),
    };
    if (span.rank >= EXPERIMENT_RANKS) return;
    snprintf(span.op, sizeof span.op, "%s", base_json_text(event, "op", ""));
    snprintf(span.unit, sizeof span.unit, "%s", base_json_text(event, "unit", ""));
    experiment_spans_add(&t->coming, &span);
}

/* ── what is told in words ─────────────────────────────────────────────────────────────────────*/
static void hear_outside(struct experiment *t, const json_t *event) {
    static const char *const part[] = {"context", "blas", "nccl", "unexplained"};
    struct base_text text = {0};
    char bytes[32];
    for (size_t i = 0; i < BASE_COUNT(part); i++)
        if (json_object_get(event, part[i]))
            base_text_printf(
                &text, "%s %s %s", text.length ? "," : "", part[i],
                account_print_bytes(bytes, sizeof bytes, (double)experiment_bytes(event, part[i])));
    experiment_log_add(&t->log, "rank %lld, outside the ledger:%s",
                       (long long)base_json_int(event, "rank", 0), text.s ? text.s : "");
    base_text_free(&text);
}

/* "rank 2, backward block 1: out of memory for activations: 81.2 MB are needed, the cap is 80.0 MB;
 * use stage 3". */
static void hear_error(struct experiment *t, const json_t *event) {
    struct base_text text = {0};
    char need[32], cap[32];
    int64_t rank = base_json_int(event, "rank", -1);
    const char *where = base_json_text(event, "where", ""),
               *advice = base_json_text(event, "advice", ""),
               *category = base_json_text(event, "category", "");
    if (rank >= 0) base_text_printf(&text, "rank %lld", (long long)rank);
    if (*where) base_text_printf(&text, "%s%s", text.length ? ", " : "", where);
    base_text_printf(&text, "%s%s", text.length ? ": " : "",
                     base_json_text(event, "what", "the run failed"));
    if (*category) base_text_printf(&text, " for %s", category);
    if (experiment_bytes(event, "need"))
        base_text_printf(
            &text, ": %s %s needed",
            account_print_bytes(need, sizeof need, (double)experiment_bytes(event, "need")), "are");
    if (experiment_bytes(event, "cap"))
        base_text_printf(
            &text, ", the cap is %s",
            account_print_bytes(cap, sizeof cap, (double)experiment_bytes(event, "cap")));
    if (*advice) base_text_printf(&text, "; %s", advice);
    t->state.failed = true;
    if (*category) t->state.refused = experiment_bytes(event, "need");
    say_trouble(&t->state, text.s);
    experiment_log_add(&t->log, "%s", text.s);
    base_text_free(&text);
}

static void hear_end(struct experiment *t, const json_t *event) {
    struct experiment_state *s = &t->state;
    const json_t *loss = json_object_get(event, "loss");
    bool well = !strcmp(base_json_text(event, "status", ""), "ok");
    s->ended = true;
    s->failed = s->failed || !well;
    if (json_is_number(loss)) snprintf(s->loss, sizeof s->loss, "%#.9g", json_number_value(loss));
    snprintf(s->weights_hash, sizeof s->weights_hash, "%s",
             base_json_text(event, "weights_hash", ""));
    if (well) experiment_hear_ranks(t, event);
    char *states = experiment_say_states(t);
    if (states) experiment_log_add(&t->log, "%s", states);
    free(states);
    if (!well) say_trouble(s, "the run failed and did not say why");
    experiment_log_add(&t->log, well ? "ends well: loss %s, weights %s" : "ends: it failed",
                       s->loss, s->weights_hash);
}

/* ── hearing ───────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *name;
    void (*hear)(struct experiment *t, const json_t *event);
    bool frequent; /* left out of the kept events when there are too many */
} heard[] = {
    {"start",   hear_start,              false},
    {"predict", experiment_hear_predict, false},
    {"memory",  experiment_hear_memory,  true },
    {"comm",    hear_comm,               true },
    {"step",    hear_step,               false},
    {"outside", hear_outside,            false},
    {"error",   hear_error,              false},
    {"end",     hear_end,                false},
};

static void keep(struct experiment *t, const char *s, size_t n, bool frequent) {
    if (t->events.length + n + 1 > (frequent ? EVENTS_MOST : EVENTS_UTMOST)) return;
    base_text_add(&t->events, s, n);
    base_text_puts(&t->events, "\n");
}

static void hear_broken(struct experiment *t, const char *s, size_t n, bool cut) {
    char *shown = base_clean_dup(s, n < SHOWN_MOST ? n : SHOWN_MOST, SHOWN_MOST);
    t->state.broken++;
    experiment_log_add(&t->log, "line %zu is %s: %s", t->numbers,
                       cut ? "longer than any event" : "no event", shown);
    free(shown);
}

/* After the end there is nothing to hear; before the start only what went wrong. */
static bool in_place(const struct experiment_state *s, const char *name) {
    if (s->ended) return false;
    return s->started || !strcmp(name, "start") || !strcmp(name, "error") || !strcmp(name, "end");
}

void experiment_hear(void *self, const char *s, size_t n, bool cut) {
    struct experiment *t = self;
    t->numbers++;
    if (n == 0) return;
    json_t *event = cut ? NULL : json_loadb(s, n, 0, NULL);
    const char *name = base_json_text(event, "event", NULL);
    if (!json_is_object(event) || !name) {
        hear_broken(t, s, n, cut);
        json_decref(event);
        return;
    }
    t->state.lines++;
    for (size_t i = 0; i < BASE_COUNT(heard); i++) {
        if (strcmp(name, heard[i].name) != 0 || !in_place(&t->state, name)) continue;
        keep(t, s, n, heard[i].frequent);
        heard[i].hear(t, event);
    }
    json_decref(event);
}
