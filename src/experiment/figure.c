/* What skins draw of runs: specs of page's lab figures, made from what was heard. Numbers only;
 * the layout is page's. */
#include "experiment/inside.h"

#include <string.h>

/* ── memory ────────────────────────────────────────────────────────────────────────────────────*/
static json_t *weights(const struct experiment_weights *w) {
    json_t *object = json_object();
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (w->bytes[c])
            json_object_set_new(object, account_category_name((enum account_category)c),
                                json_integer((json_int_t)w->bytes[c]));
    return object;
}

/* Once it has ended, what it kept between steps; until then what it holds now. */
static json_t *rank_memory(const struct experiment_rank *r, uint32_t number) {
    json_t *rank = json_pack("{sI so}", "rank", (json_int_t)number, "bytes",
                             weights(r->ended ? &r->persistent : &r->now));
    if (r->resident) json_object_set_new(rank, "resident", json_integer((json_int_t)r->resident));
    if (r->ended)
        json_object_update_new(rank, json_pack("{sI ss so}", "peak", (json_int_t)r->peak_total,
                                               "peak_where", r->peak_where, "kept",
                                               weights(&r->persistent)));
    if (!r->predicted.known) return rank;
    json_t *predicted =
        json_pack("{sI ss so}", "peak", (json_int_t)r->predicted.peak_total, "peak_where",
                  r->predicted.peak_where, "kept", weights(&r->predicted.persistent));
    json_object_set_new(rank, "predicted", predicted);
    return rank;
}

/* Each GPU as its driver sees it. Ranks that are threads share the first. */
static json_t *gpus_of(const struct experiment_state *s) {
    json_t *gpus = json_array();
    bool one = !strcmp(base_json_text(s->start, "comm", ""), "local");
    for (uint32_t i = 0; i < s->seen && (i == 0 || !one); i++) {
        const struct experiment_rank *r = &s->rank[i];
        if (!r->device_used) continue;
        json_array_append_new(gpus, json_pack("{sI sI sf sI}", "rank", (json_int_t)i, "used",
                                              (json_int_t)r->device_used, "power_w", r->power_w,
                                              "sm_mhz", (json_int_t)r->sm_mhz));
    }
    return gpus;
}

static json_t *run_memory(const struct experiment *t) {
    json_t *ranks = json_array();
    for (uint32_t i = 0; i < t->state.seen; i++)
        json_array_append_new(ranks, rank_memory(&t->state.rank[i], i));
    return json_pack("{sb sb sI so so}", "ended", t->state.ended && !t->state.failed, "over",
                     experiment_is_over(t), "world", (json_int_t)t->state.ranks, "ranks", ranks,
                     "gpus", gpus_of(&t->state));
}

/* ── traffic ───────────────────────────────────────────────────────────────────────────────────*/
static json_t *sent(const uint64_t bytes[EXPERIMENT_SENT], uint64_t total) {
    json_t *object = json_object();
    for (size_t i = 0; i < EXPERIMENT_SENT; i++)
        json_object_set_new(object, experiment_ops[i], json_integer((json_int_t)bytes[i]));
    json_object_set_new(object, "total", json_integer((json_int_t)total));
    return object;
}

static json_t *rank_traffic(const struct experiment_rank *r, uint32_t number) {
    json_t *rank = json_pack("{sI so sI}", "rank", (json_int_t)number, "sent",
                             sent(r->sent, r->sent_total), "control", (json_int_t)r->control);
    if (r->predicted.known)
        json_object_set_new(rank, "predicted", sent(r->predicted.sent, r->predicted.sent_total));
    return rank;
}

/* Bytes that a parameter is sent in. */
static json_int_t wire(const json_t *start) {
    return strcmp(base_json_text(start, "precision", "fp32"), "fp32") == 0 ? 4 : 2;
}

static json_t *run_traffic(const struct experiment *t) {
    const struct experiment_state *s = &t->state;
    json_t *ranks = json_array();
    for (uint32_t i = 0; i < s->seen; i++)
        json_array_append_new(ranks, rank_traffic(&s->rank[i], i));
    const json_t *model = json_object_get(s->start, "model");
    uint32_t ungathered = experiment_gathers_updates(s) ? s->skipped : 0;
    return json_pack("{sb sI sI sI sI so}", "stepped", t->told > 0, "skipped",
                     (json_int_t)ungathered, "world", (json_int_t)s->ranks, "params",
                     (json_int_t)experiment_bytes(model, "params"), "width", wire(s->start),
                     "ranks", ranks);
}

/* ── time ──────────────────────────────────────────────────────────────────────────────────────*/
static json_t *span(const struct experiment_span *s) {
    return json_pack("{sI ss ss sf sf sf}", "rank", (json_int_t)s->rank, "op", s->op, "unit",
                     s->unit, "start", s->start_ms, "end", s->end_ms, "exposed", s->exposed_ms);
}

/* A link may be emulated between ranks that share cores: then both are to be said. */
static const char *times_of(const json_t *start) {
    const char *times = base_json_text(start, "times", "real");
    bool link = strcmp(times, "emulated link") == 0;
    return link && base_json_bool(start, "shared_processor", false)
               ? "emulated link, shared processor"
               : times;
}

static json_t *run_timeline(const struct experiment *t) {
    const struct experiment_state *s = &t->state;
    json_t *spans = json_array();
    struct experiment_step step = s->steps ? s->step[s->steps - 1] : (struct experiment_step){0};
    for (size_t i = 0; i < s->spans; i++) json_array_append_new(spans, span(&s->span[i]));
    return json_pack("{sI sI sf sf sf sf sf ss so}", "world", (json_int_t)s->ranks, "step",
                     s->steps ? (json_int_t)step.step : (json_int_t)-1, "ms", step.ms, "compute",
                     step.compute_ms, "comm", step.comm_ms, "exposed", step.exposed_ms, "skew",
                     step.skew_ms, "times", times_of(s->start), "spans", spans);
}

/* ── loss and log ──────────────────────────────────────────────────────────────────────────────*/
static json_t *run_loss(const struct experiment *t) {
    json_t *steps = json_array(), *losses = json_array();
    for (size_t i = 0; i < t->state.steps; i++) {
        json_array_append_new(steps, json_integer(t->state.step[i].step));
        json_array_append_new(losses, json_real(t->state.step[i].loss));
    }
    return json_pack("{so so ss}", "steps", steps, "losses", losses, "weights_hash",
                     t->state.weights_hash);
}

static json_t *run_log(const struct experiment *t) {
    json_t *lines = json_array();
    for (size_t i = 0; i < t->log.n; i++) {
        json_t *line = json_string(t->log.line[i]);
        json_array_append_new(lines, line ? line : json_string(""));
    }
    return json_pack("{so sI}", "lines", lines, "broken", (json_int_t)t->state.broken);
}

/* ── a panel of one run, or of two ─────────────────────────────────────────────────────────────*/
static const struct {
    const char *name, *kind;
    json_t *(*run)(const struct experiment *t);
} panels[EXPERIMENT_PANELS] = {
    [EXPERIMENT_MEMORY] = {"memory",   "lab-memory",   run_memory  },
    [EXPERIMENT_TRAFFIC] = {"traffic",  "lab-traffic",  run_traffic },
    [EXPERIMENT_TIMELINE] = {"timeline", "lab-timeline", run_timeline},
    [EXPERIMENT_LOSS] = {"loss",     "lab-loss",     run_loss    },
    [EXPERIMENT_LOG] = {"log",      "lab-log",      run_log     },
};

const char *experiment_panel_name(enum experiment_panel panel) {
    return panels[panel].name;
}

static void add_run(json_t *runs, enum experiment_panel panel, const struct experiment *t) {
    if (!t) return;
    json_t *run = panels[panel].run(t);
    json_object_set_new(run, "label", json_string(t->label ? t->label : "run"));
    json_array_append_new(runs, run);
}

json_t *experiment_figure(enum experiment_panel panel, const struct experiment *a,
                          const struct experiment *b) {
    json_t *runs = json_array();
    add_run(runs, panel, a);
    add_run(runs, panel, b);
    return json_pack("{ss so}", "kind", panels[panel].kind, "runs", runs);
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

void experiment_figure_reach(json_t *figure, const struct experiment *t) {
    uint64_t reach = experiment_bytes(figure, "reach");
    for (uint32_t i = 0; t && i < t->state.seen; i++) {
        const struct experiment_rank *r = &t->state.rank[i];
        reach = larger(reach, larger(r->peak_total, r->predicted.peak_total));
    }
    json_object_set_new(figure, "reach", json_integer((json_int_t)reach));
}
