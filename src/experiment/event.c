/* event: a line of the lab is read from JSON, once. Members that are unknown are none of ours, and
 * those that are missing read as 0 or "". */
#include "experiment/inside.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_MOST = 80, TEXT_MOST = 400, REPORTS_MOST = 1 << 16 };

const char *const experiment_ops[EXPERIMENT_SENT] = {"all_reduce", "reduce_scatter", "all_gather",
                                                     "all_to_all"};

/* ── members ───────────────────────────────────────────────────────────────────────────────────*/
/* Bytes of a member; 0 if it is no number or less than 0. */
static uint64_t bytes_of(const json_t *object, const char *key) {
    double value = base_json_number(object, key, 0);
    int64_t whole = base_json_int(object, key, 0);
    if (whole > 0) return (uint64_t)whole;
    return value > 0 && value < 1e18 ? (uint64_t)value : 0;
}

/* A count; `otherwise` if it is missing, below 0 or too large. */
static uint32_t number(const json_t *object, const char *key, uint32_t otherwise) {
    int64_t n = base_json_int(object, key, -1);
    return n >= 0 && n < UINT32_MAX ? (uint32_t)n : otherwise;
}

/* No more of it than fits, without a part of a character at the end. Most are a word, and there are
 * thousands of them. */
static void read_text(const json_t *object, const char *key, char *out, size_t size) {
    const char *text = base_json_text(object, key, "");
    size_t n = 0;
    while (n < size - 1 && text[n] >= ' ' && text[n] <= '~') n++;
    if (!text[n]) {
        memcpy(out, text, n + 1);
        return;
    }
    char *clean = base_clean_dup(text, strlen(text), size - 1);
    snprintf(out, size, "%s", clean);
    free(clean);
}

static void read_weights(const json_t *object, struct experiment_weights *out) {
    *out = (struct experiment_weights){0};
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        out->bytes[c] = bytes_of(object, account_category_name((enum account_category)c));
        out->total += out->bytes[c];
    }
}

/* ── the beginning ─────────────────────────────────────────────────────────────────────────────*/
/* As src/lab/predict.c has it: GPT-2's architecture, the head tied unless it says otherwise. */
static bool set_shape(const json_t *model, struct account_shape *s) {
    uint32_t width = number(model, "width", 0), heads = number(model, "heads", 0);
    if (!width || !heads) return false;
    *s = (struct account_shape){.tied = !base_json_bool(model, "untied", false),
                                .layers = number(model, "layers", 0),
                                .hidden = width,
                                .heads = heads,
                                .kv_heads = heads,
                                .head_size = width / heads,
                                .ffn = 4 * width,
                                .vocab = number(model, "vocab", 0),
                                .context = number(model, "seq", 0)};
    return account_family_find("gpt", &s->family);
}

static bool set_texts(const json_t *start, struct account_training *t) {
    static const char *const precisions[][2] = {
        {"fp32", "fp32"}, {"bf16", "mixed-bf16"}, {"fp16", "mixed-fp16"}};
    const char *given = base_json_text(start, "precision", "");
    for (size_t i = 0; i < BASE_COUNT(precisions); i++)
        if (!strcmp(given, precisions[i][0]))
            return account_set(t, "precision", precisions[i][1], NULL) &&
                   account_set(t, "recipe", "zerolab", NULL) &&
                   account_set(t, "optimizer", base_json_text(start, "optimizer", "adamw"), NULL) &&
                   account_set(t, "grad_dtype", base_json_text(start, "grad_dtype", "auto"),
                               NULL) &&
                   account_set(t, "checkpoint", base_json_text(start, "checkpoint", "none"), NULL);
    return false;
}

/* As src/lab/predict.c has it: a group of one rank shards nothing. */
static void set_nodes(const json_t *start, struct account_training *t) {
    uint32_t group = number(start, "shard_group", 0);
    if (group == 1) t->stage = 0;
    t->shard_group = group > 1 ? group : 0;
    t->hpz = number(start, "hpz", 0);
    t->qwz = base_json_bool(start, "qwz", false);
    t->qgz = base_json_bool(start, "qgz", false);
    t->sparse_gradients = base_json_bool(start, "sparse_gradients", false);
    t->gpus_per_node = number(start, "gpus_per_node", t->gpus_per_node);
}

static bool set_tiers(const json_t *offload, struct account_training *t) {
    return !offload ||
           (account_set(t, "offload_optimizer", base_json_text(offload, "optimizer", ""), NULL) &&
            account_set(t, "offload_params", base_json_text(offload, "params", ""), NULL));
}

/* The training of a start event; false if it does not say enough. */
static bool training_of(const json_t *start, struct account_training *t) {
    const json_t *model = json_object_get(start, "model");
    *t = account_training_default();
    if (!set_texts(start, t) || !set_shape(model, &t->shape)) return false;
    t->params = account_count_params(&t->shape);
    t->gpus = number(start, "ranks", 1);
    t->stage = (uint8_t)number(start, "stage", 0);
    t->batch = number(start, "batch", 1);
    t->seq = number(model, "seq", 0);
    t->accumulate = number(start, "accumulate", 1);
    t->prefetch = number(start, "prefetch", 1);
    t->bucket = bytes_of(start, "bucket");
    set_nodes(start, t);
    if (!set_tiers(json_object_get(start, "offload"), t)) return false;
    t->flash = !strcmp(base_json_text(start, "device", "cpu"), "cuda");
    return account_check(t, NULL);
}

static void read_start(struct experiment_event *e, const json_t *event) {
    struct experiment_setup *s = base_alloc(sizeof *s);
    int64_t steps = base_json_int(event, "steps", 0);
    const char *times = base_json_text(event, "times", "real"),
               *precision = base_json_text(event, "precision", "fp32");
    *s = (struct experiment_setup){
        .names_stage = json_is_integer(json_object_get(event, "stage")),
        .event = json_incref((json_t *)event),
        .version = base_json_int(event, "v", 0),
        .ranks = base_json_int(event, "ranks", 1),
        .stage = (uint32_t)base_json_int(event, "stage", 0),
        .planned = steps > 0 && steps < UINT32_MAX ? (uint32_t)steps : 0,
        .params = bytes_of(json_object_get(event, "model"), "params"),
        .cap = bytes_of(event, "cap"),
        .wire = strcmp(precision, "fp32") == 0 ? 4 : 2,
        .emulates_link = strcmp(times, "emulated link") == 0,
    };
    s->shares_cores = strcmp(times, "shared processor") == 0 ||
                      (s->emulates_link && base_json_bool(event, "shared_processor", false));
    s->planted = json_is_string(json_object_get(event, "planted_bug"));
    s->names_training = training_of(event, &s->training);
    s->from = bytes_of(json_object_get(event, "collectives"), "from");
    s->to = s->from ? bytes_of(json_object_get(event, "collectives"), "to") : 0;
    if (s->to) s->planned = 0;
    int64_t done = base_json_int(event, "resumed_after", 0);
    s->done = done > 0 && done < s->planned ? (uint32_t)done : 0;
    read_text(event, "precision", s->precision, sizeof s->precision);
    read_text(event, "device", s->device, sizeof s->device);
    read_text(event, "comm", s->comm, sizeof s->comm);
    read_text(event, "host", s->host, sizeof s->host);
    read_text(event, "hardware", s->hardware, sizeof s->hardware);
    e->start = s;
}

/* ── what ranks say ────────────────────────────────────────────────────────────────────────────*/
static void read_elsewhere(const json_t *event, struct experiment_elsewhere *out) {
    const json_t *host = json_object_get(event, "host"), *file = json_object_get(event, "nvme");
    *out = (struct experiment_elsewhere){
        .host = bytes_of(host, "total"),
        .file = bytes_of(file, "total"),
        .host_moved = bytes_of(host, "down") + bytes_of(host, "up"),
        .file_moved = bytes_of(file, "written") + bytes_of(file, "read"),
        .inside = bytes_of(event, "inside"),
        .between = bytes_of(event, "between"),
    };
}

static void read_report(const json_t *event, struct experiment_report *r) {
    const json_t *sent = json_object_get(event, "sent");
    *r = (struct experiment_report){.rank = base_json_int(event, "rank", EXPERIMENT_NO_RANK),
                                    .peak_total = bytes_of(event, "peak_total"),
                                    .sent_total = bytes_of(sent, "total"),
                                    .control = bytes_of(event, "control"),
                                    .skipped = bytes_of(event, "skipped")};
    read_weights(json_object_get(event, "persistent"), &r->persistent);
    read_weights(json_object_get(event, "peak"), &r->peak);
    read_weights(json_object_get(event, "at_peak"), &r->at_peak);
    for (size_t i = 0; i < EXPERIMENT_SENT; i++) r->sent[i] = bytes_of(sent, experiment_ops[i]);
    read_elsewhere(event, &r->elsewhere);
    read_text(event, "peak_where", r->peak_where, sizeof r->peak_where);
    read_text(event, "state_hash", r->state_hash, sizeof r->state_hash);
}

static void read_predict(struct experiment_event *e, const json_t *event) {
    e->predict = base_alloc(sizeof *e->predict);
    read_report(event, e->predict);
}

static void read_memory(struct experiment_event *e, const json_t *event) {
    read_weights(json_object_get(event, "now"), &e->weighed.now);
    if (json_object_get(event, "total")) e->weighed.now.total = bytes_of(event, "total");
    const json_t *highest = json_object_get(event, "highest");
    e->weighed.tells_highest = highest;
    read_weights(highest, &e->weighed.highest);
    e->weighed.resident = bytes_of(event, "resident");
    e->weighed.device_used = bytes_of(event, "device_used");
    e->weighed.power_w = base_json_number(event, "power_w", 0);
    e->weighed.sm_mhz = (uint32_t)bytes_of(event, "sm_mhz");
    read_text(event, "where", e->weighed.where, sizeof e->weighed.where);
}

static void read_comm(struct experiment_event *e, const json_t *event) {
    e->comm = (struct experiment_span){
        .rank = number(event, "rank", UINT32_MAX),
        .step = number(event, "step", UINT32_MAX),
        .start_ms = base_json_number(event, "start_ms", 0),
        .end_ms = base_json_number(event, "end_ms", 0),
        .exposed_ms = base_json_number(event, "exposed_ms", 0),
        .sent = bytes_of(event, "sent"),
    };
    read_text(event, "op", e->comm.op, sizeof e->comm.op);
    read_text(event, "unit", e->comm.unit, sizeof e->comm.unit);
}

static void read_step(struct experiment_event *e, const json_t *event) {
    e->step = (struct experiment_step){
        .step = (uint32_t)base_json_int(event, "step", 0),
        .loss = base_json_number(event, "loss", 0),
        .ms = base_json_number(event, "ms", 0),
        .compute_ms = base_json_number(event, "compute_ms", 0),
        .comm_ms = base_json_number(event, "comm_ms", 0),
        .exposed_ms = base_json_number(event, "exposed_ms", 0),
        .skew_ms = base_json_number(event, "skew_ms", 0),
        .offload_ms = base_json_number(event, "offload_ms", 0),
        .update_ms = base_json_number(event, "update_ms", 0),
        .passes = base_json_number(event, "passes", 0),
        .tokens_per_s = base_json_number(event, "tokens_per_s", 0),
        .scale = base_json_number(event, "scale", 0),
        .skipped = base_json_bool(event, "skipped", false),
    };
}

/* The number of a collective; EXPERIMENT_SENT_TIMED if it is none that is timed. */
static uint8_t op_of(const json_t *event) {
    const char *name = base_json_text(event, "op", "");
    uint8_t op = 0;
    while (op < EXPERIMENT_SENT_TIMED && strcmp(name, experiment_ops[op]) != 0) op++;
    return op;
}

static void read_timed(struct experiment_event *e, const json_t *event) {
    e->timed = (struct experiment_timing){.op = op_of(event),
                                          .fitted = base_json_bool(event, "fitted", true),
                                          .bytes = bytes_of(event, "bytes"),
                                          .seconds = 1e-6 * base_json_number(event, "us", 0)};
}

static void read_fitted(struct experiment_event *e, const json_t *event) {
    e->fitted.op = op_of(event);
    e->fitted.fit =
        (struct account_link_fit){.latency = 1e-6 * base_json_number(event, "latency_us", 0),
                                  .rate = base_json_number(event, "bytes_per_s", 0),
                                  .residual = base_json_number(event, "residual", 0)};
}

/* ── what is told in words ─────────────────────────────────────────────────────────────────────*/
static void read_outside(struct experiment_event *e, const json_t *event) {
    static const char *const part[] = {"context", "blas", "nccl", "unexplained"};
    struct base_text text = {0};
    char bytes[32];
    base_text_printf(&text,
                     "rank %lld, outside the ledger:", (long long)base_json_int(event, "rank", 0));
    for (size_t i = 0, said = 0; i < BASE_COUNT(part); i++)
        if (json_object_get(event, part[i]))
            base_text_printf(
                &text, "%s %s %s", said++ ? "," : "", part[i],
                account_print_bytes(bytes, sizeof bytes, (double)bytes_of(event, part[i])));
    e->words.text = base_text_take(&text);
}

/* "rank 2, backward block 1: out of memory for activations: 81.2 MB are needed, the cap is 80.0 MB;
 * use stage 3". */
static void read_error(struct experiment_event *e, const json_t *event) {
    struct base_text text = {0};
    char bytes[32];
    int64_t rank = base_json_int(event, "rank", -1);
    uint64_t need = bytes_of(event, "need"), cap = bytes_of(event, "cap");
    const char *where = base_json_text(event, "where", ""),
               *advice = base_json_text(event, "advice", ""),
               *category = base_json_text(event, "category", "");
    if (rank >= 0) base_text_printf(&text, "rank %lld", (long long)rank);
    if (*where) base_text_printf(&text, "%s%s", text.length ? ", " : "", where);
    base_text_printf(&text, "%s%s", text.length ? ": " : "",
                     base_json_text(event, "what", "the run failed"));
    if (*category) base_text_printf(&text, " for %s", category);
    if (need)
        base_text_printf(&text, ": %s are needed",
                         account_print_bytes(bytes, sizeof bytes, (double)need));
    if (cap)
        base_text_printf(&text, ", the cap is %s",
                         account_print_bytes(bytes, sizeof bytes, (double)cap));
    if (*advice) base_text_printf(&text, "; %s", advice);
    e->words.refused = *category ? need : 0;
    e->words.text = base_text_take(&text);
}

static void read_end(struct experiment_event *e, const json_t *event) {
    const json_t *ranks = json_object_get(event, "ranks"), *loss = json_object_get(event, "loss"),
                 *words;
    size_t i, n = json_array_size(ranks);
    if (n > REPORTS_MOST) n = REPORTS_MOST;
    e->end = base_alloc(sizeof *e->end + n * sizeof *e->end->rank);
    e->end->well = !strcmp(base_json_text(event, "status", ""), "ok");
    e->end->ranks = n;
    json_array_foreach(ranks, i, words) {
        if (i < n) read_report(words, &e->end->rank[i]);
    }
    if (json_is_number(loss))
        snprintf(e->end->loss, sizeof e->end->loss, "%#.9g", json_number_value(loss));
    read_text(event, "weights_hash", e->end->weights_hash, sizeof e->end->weights_hash);
}

/* ── a line ────────────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *name;
    void (*read)(struct experiment_event *e, const json_t *event);
} kinds[EXPERIMENT_KINDS] = {
    [EXPERIMENT_START] = {"start", read_start},
    [EXPERIMENT_PREDICT] = {"predict", read_predict},
    [EXPERIMENT_WEIGHED] = {"memory", read_memory},
    [EXPERIMENT_COMM] = {"comm", read_comm},
    [EXPERIMENT_STEP] = {"step", read_step},
    [EXPERIMENT_TIMED] = {"collective", read_timed},
    [EXPERIMENT_FITTED] = {"link", read_fitted},
    [EXPERIMENT_OUTSIDE] = {"outside", read_outside},
    [EXPERIMENT_ERROR] = {"error", read_error},
    [EXPERIMENT_END] = {"end", read_end},
};

static enum experiment_kind kind_of(const char *name) {
    for (int k = EXPERIMENT_START; k < EXPERIMENT_KINDS; k++)
        if (strcmp(name, kinds[k].name) == 0) return (enum experiment_kind)k;
    return EXPERIMENT_OTHER;
}

static char *shown(const char *s, size_t n) {
    return base_clean_dup(s, n < SHOWN_MOST ? n : SHOWN_MOST, SHOWN_MOST);
}

/* What is said of a line that is no event: "no event: hello". */
static struct experiment_event broken(enum experiment_kind kind, const char *s, size_t n,
                                      bool cut) {
    char *text = shown(s, n);
    struct experiment_event e = {.kind = kind, .rank = EXPERIMENT_NO_RANK};
    e.words.text = base_format("%s: %s", cut ? "longer than any event" : "no event", text);
    free(text);
    return e;
}

struct experiment_event experiment_event_read(const char *s, size_t n, bool cut) {
    json_t *event = cut ? NULL : base_json_parse(s, n);
    const char *name = base_json_text(event, "event", NULL);
    struct experiment_event e;
    if (json_is_object(event) && name) {
        e = (struct experiment_event){.kind = kind_of(name),
                                      .rank = base_json_int(event, "rank", EXPERIMENT_NO_RANK)};
        if (kinds[e.kind].read)
            kinds[e.kind].read(&e, event);
        else
            e.words.text = shown(name, strlen(name));
    } else {
        e = broken(json_is_object(event) ? EXPERIMENT_NAMELESS : EXPERIMENT_BROKEN, s, n, cut);
    }
    json_decref(event);
    return e;
}

const char *experiment_event_name(const struct experiment_event *e) {
    if (e->kind == EXPERIMENT_OTHER) return e->words.text;
    return kinds[e->kind].name;
}

void experiment_event_free(struct experiment_event *e) {
    switch (e->kind) {
    case EXPERIMENT_START:
        json_decref(e->start->event);
        free(e->start);
        break;
    case EXPERIMENT_PREDICT: free(e->predict); break;
    case EXPERIMENT_END: free(e->end); break;
    case EXPERIMENT_WEIGHED:
    case EXPERIMENT_COMM:
    case EXPERIMENT_STEP:
    case EXPERIMENT_TIMED:
    case EXPERIMENT_FITTED: break;
    default: free(e->words.text); break;
    }
}
