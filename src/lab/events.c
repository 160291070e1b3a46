/* Events, version 1. */
#include "lab/events.h"

#include "lab/collectives.h"
#include "lab/json.h"
#include "lab/model.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static struct lab_json begin(const struct lab_events *e, const char *event) {
    struct lab_json j = {.file = e->json};
    lab_json_open(&j, NULL, '{');
    lab_json_text(&j, "event", event);
    return j;
}

static void finish(struct lab_json *j) {
    lab_json_close(j, '}');
    lab_json_end(j);
}

static void put_where(const struct lab_events *e, struct lab_json *j, const char *key,
                      const struct lab_where *w) {
    char text[48];
    lab_json_text(j, key, lab_where_text(text, sizeof text, w, e->options->shape.layers));
}

/* ── tiers ─────────────────────────────────────────────────────────────────────────────────────*/

/* What moved has a name in each direction. */
static const struct {
    const char *name, *in, *out;
} tiers[LAB_TIERS] = {{"none", "", ""}, {"host", "down", "up"}, {"nvme", "written", "read"}};

/* Only the tiers that hold something. */
static void put_tiers(struct lab_json *j, const struct lab_held *tier) {
    for (int t = LAB_TIER_HOST; t < LAB_TIERS; t++) {
        if (tier[t].total == 0) continue;
        lab_json_open(j, tiers[t].name, '{');
        lab_json_categories(j, "held", tier[t].bytes);
        lab_json_count(j, "total", tier[t].total);
        lab_json_count(j, tiers[t].in, tier[t].in);
        lab_json_count(j, tiers[t].out, tier[t].out);
        lab_json_close(j, '}');
    }
}

static void put_tier_totals(struct lab_json *j, const uint64_t *total) {
    for (int t = LAB_TIER_HOST; t < LAB_TIERS; t++) {
        if (total[t] == 0) continue;
        lab_json_open(j, tiers[t].name, '{');
        lab_json_count(j, "total", total[t]);
        lab_json_close(j, '}');
    }
}

static bool is_offloaded(const struct lab_options *o) {
    return o->offload_optimizer != LAB_TIER_DEVICE;
}

/* ── start ─────────────────────────────────────────────────────────────────────────────────────*/

/* Only of runs that use them, as `inside` and `between` below. */
static void put_groups(const struct lab_options *o, struct lab_json *j) {
    if (o->shard_group) lab_json_count(j, "shard_group", o->shard_group);
    if (o->hpz) lab_json_count(j, "hpz", o->hpz);
    if (o->qwz) lab_json_flag(j, "qwz", true);
    if (o->qgz) lab_json_flag(j, "qgz", true);
    if (lab_has_nodes(o)) lab_json_count(j, "gpus_per_node", lab_node_ranks(o));
}

static void put_model(const struct lab_options *o, struct lab_json *j) {
    const struct lab_shape *s = &o->shape;
    struct lab_model *m = lab_model_new(s);
    lab_json_open(j, "model", '{');
    lab_json_text(j, "name", o->model);
    lab_json_count(j, "layers", s->layers);
    lab_json_count(j, "width", s->width);
    lab_json_count(j, "heads", s->heads);
    lab_json_count(j, "seq", s->seq);
    lab_json_count(j, "vocab", s->vocab);
    if (s->untied) lab_json_flag(j, "untied", true);
    lab_json_count(j, "params", m ? m->params : 0);
    lab_json_close(j, '}');
    lab_model_free(m);
}

static void put_step(const struct lab_options *o, struct lab_json *j) {
    static const char *const checkpoints[] = {"none", "selective", "full"};
    lab_json_text(j, "precision", lab_dtype_name(o->compute));
    if (o->grad_dtype) lab_json_text(j, "grad_dtype", "fp32");
    if (o->sparse_gradients) lab_json_flag(j, "sparse_gradients", true);
    if (o->optimizer) lab_json_text(j, "optimizer", "adam8bit");
    lab_json_count(j, "batch", o->batch);
    lab_json_count(j, "steps", o->steps);
    if (o->done) lab_json_count(j, "resumed_after", o->done);
    lab_json_count(j, "accumulate", o->accumulate);
    lab_json_text(j, "checkpoint", checkpoints[o->checkpoint]);
    lab_json_count(j, "bucket", o->bucket);
    lab_json_count(j, "prefetch", o->prefetch);
    lab_json_count(j, "seed", o->seed);
    /* Only if it is not the bundled text, and never where a file is. */
    if (strcmp(o->tokens, "text") != 0)
        lab_json_text(j, "tokens", strcmp(o->tokens, "random") == 0 ? "random" : "file");
    lab_json_real(j, "clip", o->clip, 9);
    if (o->update == LAB_BY_TENSOR) lab_json_text(j, "update", "tensor");
    if (o->launch > 0) lab_json_real(j, "emulated_launch_us", o->launch, 6);
    if (o->slow_times > 0) lab_json_count(j, "slow_rank", o->slow_rank);
    if (o->slow_times > 0) lab_json_real(j, "slow_times", o->slow_times, 6);
    if (o->bug) lab_json_text(j, "planted_bug", lab_bug_asked(o));
    if (o->cap)
        lab_json_count(j, "cap", o->cap);
    else
        lab_json_null(j, "cap");
}

static void put_link(struct lab_json *j, const char *name, double rate, double latency) {
    if (rate <= 0) {
        lab_json_null(j, name);
        return;
    }
    lab_json_open(j, name, '{');
    lab_json_real(j, "bytes_per_s", rate, 9);
    lab_json_real(j, "latency_s", latency, 9);
    lab_json_close(j, '}');
}

/* The sizes of collectives that are timed, if that is what is run. */
static void put_collectives(const struct lab_options *o, struct lab_json *j) {
    uint64_t size[LAB_SIZES_MOST];
    size_t n = lab_sizes(o, size);
    if (n == 0) return;
    lab_json_open(j, "collectives", '{');
    lab_json_count(j, "from", size[0]);
    lab_json_count(j, "to", size[n - 1]);
    lab_json_close(j, '}');
}

/* direct: the file is used past the page cache. Unknown where none is made. */
static void put_offload(const struct lab_options *o, struct lab_json *j) {
    if (!is_offloaded(o)) return;
    lab_json_open(j, "offload", '{');
    lab_json_text(j, "optimizer", tiers[o->offload_optimizer].name);
    lab_json_text(j, "params", tiers[o->offload_params].name);
    put_link(j, "host_link", o->host_rate, o->host_latency);
    if (o->offload_dir[0]) {
        lab_json_text(j, "dir", o->offload_dir);
        if (lab_computes(o)) lab_json_flag(j, "direct", o->offload_direct);
        put_link(j, "nvme_link", o->nvme_rate, o->nvme_latency);
    }
    lab_json_close(j, '}');
}

static void put_machine(const struct lab_options *o, struct lab_json *j) {
    char host[128] = "", hardware[200];
    (void)gethostname(host, sizeof host - 1);
    lab_machine(o, hardware, sizeof hardware);
    lab_json_text(j, "host", host);
    lab_json_text(j, "hardware", hardware);
    lab_json_open(j, "versions", '{');
    lab_versions(o, j);
    lab_json_close(j, '}');
    lab_json_text(j, "times", lab_times(o));
    if (lab_is_emulated(o) && lab_crowded(o)) lab_json_flag(j, "shared_processor", true);
}

void lab_events_start(struct lab_events *e) {
    static const char *const devices[] = {"cpu", "cuda"}, *const comms[] = {"shm", "local", "nccl"};
    const struct lab_options *o = e->options;
    e->gflops = lab_machine_gflops(o);
    e->peak = e->gflops > 0 ? 1e9 * e->gflops * o->ranks : lab_peak(o);
    e->operations = e->peak > 0 ? lab_model_operations(o) : 0;
    if (e->table) lab_table_start(e);
    if (!e->json) return;
    struct lab_json j = begin(e, "start");
    lab_json_count(&j, "v", 1);
    lab_json_text(&j, "device", devices[o->device]);
    lab_json_text(&j, "comm", comms[o->comm]);
    lab_json_count(&j, "ranks", o->ranks);
    lab_json_count(&j, "stage", o->stage);
    put_groups(o, &j);
    put_model(o, &j);
    put_step(o, &j);
    put_link(&j, "link", o->link_rate, o->link_latency);
    put_offload(o, &j);
    if (o->net_rate > 0) put_link(&j, "net", o->net_rate, o->net_latency);
    put_collectives(o, &j);
    put_machine(o, &j);
    lab_json_count(&j, "updaters", lab_updaters(o));
    if (e->gflops > 0) lab_json_real(&j, "blas_gflops", e->gflops, 4);
    finish(&j);
}

/* What was sent, by collective; with nodes, how much of it stayed inside them. */
static void put_sent(const struct lab_options *o, struct lab_json *j, const uint64_t *sent,
                     uint64_t between) {
    uint64_t total = 0;
    lab_json_sent(j, sent);
    if (!lab_has_nodes(o)) return;
    for (int i = 0; i < LAB_SENT; i++) total += sent[i];
    lab_json_count(j, "inside", total - between);
    lab_json_count(j, "between", between);
}

void lab_events_predict(struct lab_events *e) {
    const struct lab_prediction *p = &e->prediction;
    if (!e->predicted) return;
    for (uint32_t r = 0; e->json && r < e->options->ranks; r++) {
        struct lab_json j = begin(e, "predict");
        lab_json_count(&j, "rank", r);
        lab_json_categories(&j, "persistent", p->persistent);
        lab_json_categories(&j, "peak", p->peak);
        lab_json_count(&j, "peak_total", p->peak_total);
        lab_json_text(&j, "peak_where", p->peak_where);
        put_sent(e->options, &j, p->sent, p->between);
        lab_json_count(&j, "control", p->control);
        put_tiers(&j, p->tier);
        if (e->skipped) lab_json_count(&j, "skipped", e->skipped);
        finish(&j);
    }
}

/* ── what ranks say ────────────────────────────────────────────────────────────────────────────*/

static void put_gauge(struct lab_json *j, const struct lab_gauge *g) {
    if (g->used) lab_json_count(j, "device_used", g->used);
    if (g->power_w > 0) lab_json_real(j, "power_w", g->power_w, 6);
    if (g->sm_mhz) lab_json_count(j, "sm_mhz", g->sm_mhz);
}

static void hear_memory(struct lab_events *e, const struct lab_report *r) {
    if (r->rank == 0 && r->as.memory.resident > e->resident) e->resident = r->as.memory.resident;
    if (!e->json) return;
    struct lab_json j = begin(e, "memory");
    lab_json_count(&j, "rank", r->rank);
    lab_json_count(&j, "step", r->where.step);
    put_where(e, &j, "where", &r->where);
    lab_json_categories(&j, "now", r->as.memory.now);
    lab_json_count(&j, "total", r->as.memory.total);
    lab_json_categories(&j, "highest", r->as.memory.highest);
    lab_json_count(&j, "highest_total", r->as.memory.highest_total);
    put_tier_totals(&j, r->as.memory.tier_total);
    if (r->as.memory.resident) lab_json_count(&j, "resident", r->as.memory.resident);
    put_gauge(&j, &r->as.memory.gauge);
    finish(&j);
}

static void hear_outside(struct lab_events *e, const struct lab_report *r) {
    const struct lab_outside *o = &r->as.outside;
    struct lab_json j = begin(e, "outside");
    lab_json_count(&j, "rank", r->rank);
    if (o->context_known)
        lab_json_integer(&j, "context", o->context);
    else
        lab_json_null(&j, "context");
    lab_json_integer(&j, "blas", o->blas);
    lab_json_integer(&j, "modules", o->modules);
    lab_json_integer(&j, "nccl", o->nccl);
    if (o->nccl_says) lab_json_count(&j, "nccl_says", o->nccl_says);
    lab_json_integer(&j, "rounding", o->rounding);
    lab_json_integer(&j, "unexplained", o->unexplained);
    finish(&j);
}

static void put_among(const struct lab_options *o, struct lab_json *j, enum lab_among among) {
    static const char *const names[LAB_AMONG] = {"all",    "inside", "across",
                                                 "second", "near",   "far"};
    if (!o->shard_group && among == LAB_INSIDE) among = LAB_WORLD;
    if (o->shard_group || o->hpz || o->qgz) lab_json_text(j, "among", names[among]);
}

/* Each rank counts from the same moment, by its own clock. What is not skew is the time that moving
 * took. */
static void hear_comm(struct lab_events *e, const struct lab_report *r) {
    const struct lab_says_comm *c = &r->as.comm;
    struct lab_where unit = {0, LAB_AT_INIT, r->where.unit};
    char text[48];
    struct lab_json j = begin(e, "comm");
    lab_json_count(&j, "rank", r->rank);
    lab_json_count(&j, "step", r->where.step);
    lab_json_text(&j, "op", lab_collective_name(c->op));
    put_among(e->options, &j, c->among);
    (void)lab_where_text(text, sizeof text, &unit, e->options->shape.layers);
    lab_json_text(&j, "unit", r->where.unit < 0 ? "" : text + strlen("init "));
    lab_json_count(&j, "sent", c->sent);
    lab_json_real(&j, "start_ms", 1e3 * c->start, 9);
    lab_json_real(&j, "end_ms", 1e3 * c->end, 9);
    lab_json_real(&j, "exposed_ms", 1e3 * c->exposed, 6);
    lab_json_real(&j, "skew_ms", 1e3 * c->skew, 9);
    finish(&j);
}

/* Tokens that all ranks together trained on. */
static double tokens_of(const struct lab_options *o) {
    return (double)o->ranks * o->batch * o->accumulate * o->shape.seq;
}

static bool scales(const struct lab_events *e) {
    return e->options->compute == LAB_F16;
}

/* Said once, where a person reads. */
static void note_divergence(struct lab_events *e, uint32_t step, double loss) {
    static const char said[] = "the loss is not finite: the training has diverged, but continues";
    if (isfinite(loss) || e->diverged) return;
    e->diverged = true;
    if (e->table)
        lab_table_note(e, step, said);
    else
        lab_out_say("step %u: %s", step, said);
}

static void note_skip(struct lab_events *e, uint32_t step, const struct lab_says_step *s) {
    char text[80];
    e->skipped += s->skipped;
    if (!s->skipped || !e->table) return;
    (void)snprintf(text, sizeof text, "skipped: gradients overflow fp16 at a loss scale of %g",
                   s->scale);
    lab_table_note(e, step, text);
}

static void say_step(struct lab_events *e, const struct lab_gathered_step *g) {
    double n = g->ranks, tokens = tokens_of(e->options) / g->slowest.seconds;
    double mfu = e->peak > 0 ? e->operations / g->slowest.seconds / e->peak : 0;
    struct lab_says_step mean = g->slowest;
    mean.compute = g->sum.compute / n;
    mean.comm = g->sum.comm / n;
    mean.exposed = g->sum.exposed / n;
    mean.skew = g->sum.skew / n;
    mean.offload = g->sum.offload / n;
    mean.update = g->sum.update / n;
    e->loss = mean.loss;
    if (e->table) lab_table_step(e, g->step, &mean, tokens, mfu);
    note_skip(e, g->step, &mean);
    note_divergence(e, g->step, mean.loss);
    if (!e->json) return;
    struct lab_json j = begin(e, "step");
    lab_json_count(&j, "step", g->step);
    lab_json_real(&j, "loss", mean.loss, 9);
    lab_json_real(&j, "ms", 1e3 * mean.seconds, 6);
    lab_json_real(&j, "compute_ms", 1e3 * mean.compute, 6);
    lab_json_real(&j, "comm_ms", 1e3 * mean.comm, 6);
    lab_json_real(&j, "exposed_ms", 1e3 * mean.exposed, 6);
    lab_json_real(&j, "skew_ms", 1e3 * mean.skew, 6);
    if (is_offloaded(e->options)) lab_json_real(&j, "offload_ms", 1e3 * mean.offload, 6);
    lab_json_real(&j, "update_ms", 1e3 * mean.update, 6);
    lab_json_real(&j, "passes", g->sum.passes / n, 6);
    lab_json_real(&j, "tokens_per_s", tokens, 6);
    if (mfu > 0) lab_json_real(&j, "mfu", mfu, 4);
    if (scales(e)) lab_json_real(&j, "scale", mean.scale, 9);
    if (scales(e) && mean.skipped) lab_json_flag(&j, "skipped", true);
    finish(&j);
}

/* A step is told when all ranks have spoken of it: the slowest rank's time, the others' means. */
static void hear_step(struct lab_events *e, const struct lab_report *r) {
    const struct lab_says_step *s = &r->as.step;
    struct lab_gathered_step *g = &e->step[r->where.step % LAB_STEPS_AHEAD];
    if (g->step != r->where.step) *g = (struct lab_gathered_step){.step = r->where.step};
    if (g->ranks++ == 0 || s->seconds > g->slowest.seconds) g->slowest = *s;
    g->sum.compute += s->compute;
    g->sum.comm += s->comm;
    g->sum.exposed += s->exposed;
    g->sum.skew += s->skew;
    g->sum.offload += s->offload;
    g->sum.update += s->update;
    g->sum.passes += s->passes;
    if (g->ranks == (e->options->dry ? 1 : e->options->ranks)) say_step(e, g);
}

static void hear_evaluation(struct lab_events *e, const struct lab_report *r) {
    char text[80];
    (void)snprintf(text, sizeof text, "%10.6f on the held-out text", r->as.evaluation.loss);
    if (e->table) lab_table_note(e, r->where.step, text);
    if (!e->json) return;
    struct lab_json j = begin(e, "evaluation");
    lab_json_count(&j, "step", r->where.step);
    lab_json_real(&j, "loss", r->as.evaluation.loss, 9);
    finish(&j);
}

static void hear_saved(struct lab_events *e, const struct lab_report *r) {
    const struct lab_says_saved *s = &r->as.saved;
    char text[80], size[32];
    account_print_bytes(size, sizeof size, (double)s->bytes);
    (void)snprintf(text, sizeof text, "saved: %s in %.3g s", size, s->seconds);
    if (e->table) lab_table_note(e, r->where.step, text);
    if (!e->json) return;
    struct lab_json j = begin(e, "saved");
    lab_json_count(&j, "step", r->where.step);
    lab_json_count(&j, "bytes", s->bytes);
    lab_json_real(&j, "ms", 1e3 * s->seconds, 6);
    finish(&j);
}

/* "out of memory for gather buffer: 5.27 MB are needed, the cap is 5.00 MB", for a person. */
static void say_refusal(const struct lab_refusal *f, char *out, size_t size) {
    char need[32], cap[32];
    const char *category = account_category_words(f->category);
    account_print_bytes(need, sizeof need, (double)f->need);
    account_print_bytes(cap, sizeof cap, (double)f->cap);
    if (f->cap)
        (void)snprintf(out, size, "out of memory for %s: %s are needed, the cap is %s", category,
                       need, cap);
    else
        (void)snprintf(out, size, "out of memory for %s: %s are needed", category, need);
}

static void hear_error(struct lab_events *e, const struct lab_report *r) {
    const struct lab_refusal *f = &r->as.error.refusal;
    char advice[LAB_ADVICE] = "", where[48], refusal[120] = "";
    if (e->failed) return; /* the first is the cause */
    e->failed = true;
    bool memory = r->as.error.memory;
    const char *what = memory ? "out of memory" : r->as.error.text;
    if (memory && f->cap) lab_advice(e->options, f, advice, sizeof advice);
    if (memory && !f->cap) (void)snprintf(advice, sizeof advice, "%s", r->as.error.text);
    (void)lab_where_text(where, sizeof where, memory ? &f->where : &r->where,
                         e->options->shape.layers);
    if (memory) say_refusal(f, refusal, sizeof refusal);
    if (e->table) lab_table_error(e, (int)r->rank, memory ? refusal : what, where, advice);
    if (!e->json) return;
    struct lab_json j = begin(e, "error");
    lab_json_count(&j, "rank", r->rank);
    lab_json_text(&j, "what", what);
    lab_json_text(&j, "where", where);
    lab_json_count(&j, "step", r->where.step);
    if (memory) lab_json_text(&j, "category", account_category_words(f->category));
    if (memory) lab_json_count(&j, "need", f->need);
    if (memory && f->cap) lab_json_count(&j, "cap", f->cap);
    if (advice[0]) lab_json_text(&j, "advice", advice);
    finish(&j);
}

void lab_events_hear(struct lab_events *e, const struct lab_report *r) {
    if (r->rank >= LAB_RANKS_MAX) return;
    switch (r->says) {
    case LAB_SAYS_MEMORY: hear_memory(e, r); break;
    case LAB_SAYS_COMM:
        if (e->sweep)
            lab_sweep_hear(e->sweep, r);
        else if (e->json)
            hear_comm(e, r);
        break;
    case LAB_SAYS_STEP: hear_step(e, r); break;
    case LAB_SAYS_ERROR: hear_error(e, r); break;
    case LAB_SAYS_EVALUATION: hear_evaluation(e, r); break;
    case LAB_SAYS_SAVED: hear_saved(e, r); break;
    case LAB_SAYS_END:
        e->end[r->rank] = r->as.end;
        e->ended[r->rank] = true;
        break;
    case LAB_SAYS_OUTSIDE:
        if (e->json) hear_outside(e, r);
        break;
    }
}

void lab_events_error(struct lab_events *e, int rank, const char *what,
                      const struct lab_where *where) {
    char text[48];
    if (e->failed) return;
    e->failed = true;
    (void)lab_where_text(text, sizeof text, where, e->options->shape.layers);
    if (e->table) lab_table_error(e, rank, what, text, "");
    if (!e->json) return;
    struct lab_json j = begin(e, "error");
    if (rank >= 0) lab_json_count(&j, "rank", (uint64_t)rank);
    lab_json_text(&j, "what", what);
    lab_json_text(&j, "where", text);
    lab_json_count(&j, "step", where->step);
    finish(&j);
}

/* ── end ───────────────────────────────────────────────────────────────────────────────────────*/

static bool is_hashed(const struct lab_events *e) {
    return !e->options->no_hash && !e->options->links;
}

static void put_last_words(const struct lab_events *e, struct lab_json *j, uint32_t rank) {
    const struct lab_says_end *w = &e->end[rank];
    lab_json_open(j, NULL, '{');
    lab_json_count(j, "rank", rank);
    lab_json_categories(j, "persistent", w->persistent);
    lab_json_categories(j, "peak", w->peak);
    lab_json_categories(j, "at_peak", w->at_peak);
    lab_json_count(j, "peak_total", w->peak_total);
    put_where(e, j, "peak_where", &w->peak_where);
    put_sent(e->options, j, w->sent, w->between);
    lab_json_count(j, "control", w->control);
    put_tiers(j, w->tier);
    if (is_hashed(e)) lab_json_hash(j, "state_hash", w->state_hash);
    lab_json_close(j, '}');
}

void lab_events_end(struct lab_events *e, bool well) {
    if (well && e->sweep) lab_sweep_say(e);
    if (e->skipped && e->predicted) {
        lab_predict_skipped(e->options, e->skipped, &e->prediction);
        lab_events_predict(e);
    }
    if (e->table) lab_table_end(e, well);
    if (!e->json) return;
    struct lab_json j = begin(e, "end");
    lab_json_text(&j, "status", well ? "ok" : "failed");
    if (e->options->bug) lab_json_text(&j, "planted_bug", lab_bug_asked(e->options));
    lab_json_open(&j, "ranks", '[');
    for (uint32_t r = 0; r < e->options->ranks; r++)
        if (e->ended[r]) put_last_words(e, &j, r);
    lab_json_close(&j, ']');
    lab_json_real(&j, "loss", e->loss, 9);
    if (scales(e)) lab_json_count(&j, "skipped", e->skipped);
    if (e->ended[0] && !e->options->no_hash)
        lab_json_hash(&j, "weights_hash", e->end[0].weights_hash);
    finish(&j);
}
