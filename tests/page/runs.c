/* Runs of the lab, as a test tells of them in JSON:
 *   {"kind":"lab-memory","runs":[{"label":"2","ended":true,"world":4,"cap":B,"params":P,"width":4,
 *       "ranks":[{"bytes":{"params":…},"peak":B,"peak_where":"…","kept":{…},"resident":B,
 *                 "sent":{"all_reduce":B,…,"total":B},"control":B,
 *                 "moments":[{"where":"backward head","bytes":{"params":…},"predicted":B}…],
 *                 "predicted":{"peak":B,"peaks":{…},"peak_where":"…","kept":{…},
 *                              "all_reduce":B,…,"total":B}}…],
 *       "step":7,"ms":40,"compute":33.5,"comm":14,"exposed":4,"skew":0.4,
 *       "times":"shared processor",
 *       "spans":[{"rank":0,"op":"all_gather","start":3.1,"end":4.5,"exposed":0.2}…],
 *       "steps":[1,2…],"losses":[5.5,5.4…],"lines":["…"],"broken":1}…],
 *    "reach":B,"reach-ms":T,"rows":8,"ranks":4,"table":false,"legend":false,"text":true} */
#include "sheets.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 600, MOMENTS = 100 };
struct run {
    struct experiment_state state;
    /* of the first rank */
    struct account_timepoint moment[MOMENTS];
    uint64_t foreseen[MOMENTS];
    struct experiment_step step[MOST];
    struct experiment_span span[MOST];
    const char *line[MOST];
};

static uint64_t bytes_of(const json_t *object, const char *key) {
    int64_t value = base_json_int(object, key, 0);
    return value > 0 ? (uint64_t)value : 0;
}

static struct experiment_weights weights_of(const json_t *object) {
    struct experiment_weights w = {0};
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) {
        w.bytes[c] = bytes_of(object, account_category_name((enum account_category)c));
        w.total += w.bytes[c];
    }
    return w;
}

static uint64_t read_sent(const json_t *object, uint64_t sent[EXPERIMENT_SENT]) {
    static const char *const keys[EXPERIMENT_SENT] = {"all_reduce", "reduce_scatter", "all_gather",
                                                      "all_to_all"};
    for (int i = 0; i < EXPERIMENT_SENT; i++) sent[i] = bytes_of(object, keys[i]);
    return bytes_of(object, "total");
}

static void read_rank(const json_t *rank, bool ended, struct experiment_rank *r) {
    const json_t *predicted = json_object_get(rank, "predicted");
    r->ended = ended;
    r->now = weights_of(json_object_get(rank, "bytes"));
    r->persistent =
        json_object_get(rank, "kept") ? weights_of(json_object_get(rank, "kept")) : r->now;
    r->peak_total = bytes_of(rank, "peak");
    r->resident = bytes_of(rank, "resident");
    r->control = bytes_of(rank, "control");
    snprintf(r->peak_where, sizeof r->peak_where, "%s", base_json_text(rank, "peak_where", ""));
    r->sent_total = read_sent(json_object_get(rank, "sent"), r->sent);
    r->predicted.known = predicted;
    r->predicted.persistent = weights_of(json_object_get(predicted, "kept"));
    r->predicted.peak = weights_of(json_object_get(predicted, "peaks"));
    r->predicted.peak_total = bytes_of(predicted, "peak");
    r->predicted.sent_total = read_sent(predicted, r->predicted.sent);
}

static void read_moments(const json_t *moments, struct run *r) {
    const json_t *object;
    size_t i;
    json_array_foreach(moments, i, object) {
        struct experiment_weights w = weights_of(json_object_get(object, "bytes"));
        assert_true(i < MOMENTS);
        assert_true(account_timepoint_read(base_json_text(object, "where", ""), &r->moment[i]));
        memcpy(r->moment[i].ledger.bytes, w.bytes, sizeof w.bytes);
        r->moment[i].ledger.total = w.total;
        r->foreseen[i] = bytes_of(object, "predicted");
    }
    r->state.rank[0].moment = r->moment;
    r->state.rank[0].foreseen = r->foreseen;
    r->state.rank[0].moments = json_array_size(moments);
}

static void read_spans(const json_t *spans, struct run *r) {
    const json_t *span;
    size_t i;
    json_array_foreach(spans, i, span) {
        struct experiment_span *s = &r->span[r->state.spans++];
        *s = (struct experiment_span){.rank = (uint32_t)bytes_of(span, "rank"),
                                      .start_ms = base_json_number(span, "start", 0),
                                      .end_ms = base_json_number(span, "end", 0),
                                      .exposed_ms = base_json_number(span, "exposed", 0)};
        snprintf(s->op, sizeof s->op, "%s", base_json_text(span, "op", ""));
    }
}

/* Of a curve all steps have a loss; of a timeline there is one, and its times. */
static void read_steps(const json_t *run, struct run *r) {
    const json_t *steps = json_object_get(run, "steps"), *losses = json_object_get(run, "losses");
    size_t n = json_array_size(steps) < json_array_size(losses) ? json_array_size(steps)
                                                                : json_array_size(losses);
    for (size_t i = 0; i < n; i++)
        r->step[i] =
            (struct experiment_step){.step = (uint32_t)json_integer_value(json_array_get(steps, i)),
                                     .loss = json_number_value(json_array_get(losses, i))};
    if (!n && base_json_int(run, "step", -1) >= 0)
        r->step[n++] = (struct experiment_step){.step = (uint32_t)base_json_int(run, "step", 0),
                                                .ms = base_json_number(run, "ms", 0),
                                                .compute_ms = base_json_number(run, "compute", 0),
                                                .comm_ms = base_json_number(run, "comm", 0),
                                                .exposed_ms = base_json_number(run, "exposed", 0),
                                                .skew_ms = base_json_number(run, "skew", 0)};
    r->state.steps = n;
}

/* "collectives":{"from":B,"to":B,"times":[[op,bytes,seconds,fitted]…],"fits":[[α,β,off]…]} */
static void read_collectives(const json_t *c, struct experiment_state *s) {
    const json_t *row;
    size_t i;
    s->setup.from = bytes_of(c, "from");
    s->setup.to = bytes_of(c, "to");
    json_array_foreach(json_object_get(c, "times"), i, row) s->timing[s->timings++] =
        (struct experiment_timing){.op = (uint8_t)json_integer_value(json_array_get(row, 0)),
                                   .bytes = (uint64_t)json_integer_value(json_array_get(row, 1)),
                                   .seconds = json_number_value(json_array_get(row, 2)),
                                   .fitted = json_is_true(json_array_get(row, 3))};
    json_array_foreach(json_object_get(c, "fits"), i, row) s->line[i] =
        (struct experiment_line){.known = true,
                                 .fit = {json_number_value(json_array_get(row, 0)),
                                         json_number_value(json_array_get(row, 1)),
                                         json_number_value(json_array_get(row, 2))}};
}

static void read_log(const json_t *run, struct run *r) {
    const json_t *line;
    size_t i;
    json_array_foreach(json_object_get(run, "lines"), i, line) r->line[r->state.logs++] =
        json_string_value(line) ? json_string_value(line) : "";
}

static struct run *read_run(const json_t *run) {
    struct run *r = base_alloc(sizeof *r);
    struct experiment_state *s = &r->state;
    const json_t *rank;
    size_t i;
    s->label = base_json_text(run, "label", "");
    s->started = true;
    s->ended = base_json_bool(run, "ended", false);
    s->over = base_json_bool(run, "over", false);
    s->ranks = (uint32_t)bytes_of(run, "world");
    s->told = base_json_bool(run, "stepped", false);
    s->ungathered = (uint32_t)bytes_of(run, "skipped");
    s->broken = bytes_of(run, "broken");
    s->setup.params = bytes_of(run, "params");
    s->setup.cap = bytes_of(run, "cap");
    s->setup.wire = (unsigned)bytes_of(run, "width");
    s->setup.shares_cores = strstr(base_json_text(run, "times", ""), "shared processor");
    s->setup.emulates_link = strstr(base_json_text(run, "times", ""), "emulated link");
    json_array_foreach(json_object_get(run, "ranks"), i, rank) {
        if (i < EXPERIMENT_RANKS) read_rank(rank, s->ended, &s->rank[s->seen++]);
        if (i == 0) read_moments(json_object_get(rank, "moments"), r);
    }
    read_spans(json_object_get(run, "spans"), r);
    read_steps(run, r);
    read_log(run, r);
    read_collectives(json_object_get(run, "collectives"), s);
    s->step = r->step;
    s->span = r->span;
    s->log = r->line;
    return r;
}

static enum experiment_panel panel_of(const char *kind) {
    for (int p = 0; p < EXPERIMENT_PANELS; p++)
        if (!strcmp(kind + strlen("lab-"), experiment_panel_name((enum experiment_panel)p)))
            return (enum experiment_panel)p;
    fail_msg("there is no panel %s", kind);
    return EXPERIMENT_PANELS;
}

void sheet_lab(struct page *p, struct page_flow f, const char *spec) {
    struct base_message m = {0};
    struct run *run[PAGE_LAB_RUNS] = {NULL};
    json_t *json = base_json_read(spec, strlen(spec), "spec", &m);
    if (!json) fail_msg("%s: %s", spec, m.what);
    struct page_lab l = {
        .reach = {.bytes = bytes_of(json, "reach"), .ms = base_json_number(json, "reach-ms", 0)},
        .rows = (int)base_json_int(json, "rows", 0),
        .ranks = (uint32_t)bytes_of(json, "ranks"),
        .no_table = !base_json_bool(json, "table", true),
        .no_legend = !base_json_bool(json, "legend", true),
        .as_table = base_json_bool(json, "text", false)};
    for (size_t i = 0; i < json_array_size(json_object_get(json, "runs")); i++) {
        run[i] = read_run(json_array_get(json_object_get(json, "runs"), i));
        l.run[i] = &run[i]->state;
    }
    page_lab(p, f, panel_of(base_json_text(json, "kind", "")), &l);
    for (size_t i = 0; i < PAGE_LAB_RUNS; i++) free(run[i]);
    json_decref(json);
}

struct page *sheet_run(int width, bool ascii, const char *spec) {
    struct page *p = page_new(width, ascii);
    sheet_lab(
        p, width < 8 ? (struct page_flow){0} : (struct page_flow){.indent = 1, .width = width - 2},
        spec);
    return p;
}
