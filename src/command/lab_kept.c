/* What programs are told of labs, and the runs that the record keeps. */
#include "command/lab.h"
#include "command/report.h"
#include "session/session.h"

#include <stdlib.h>

/* ── as JSON ───────────────────────────────────────────────────────────────────────────────────*/
static json_t *weights(const struct experiment_weights *w) {
    json_t *object = json_object();
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        json_object_set_new(object, account_category_name((enum account_category)c),
                            json_integer((json_int_t)w->bytes[c]));
    json_object_set_new(object, "total", json_integer((json_int_t)w->total));
    return object;
}

static json_t *sent(const uint64_t bytes[EXPERIMENT_SENT], uint64_t total) {
    json_t *object = json_pack("{sI sI sI}", "all_reduce", (json_int_t)bytes[EXPERIMENT_SENT_AR],
                               "reduce_scatter", (json_int_t)bytes[EXPERIMENT_SENT_RS],
                               "all_gather", (json_int_t)bytes[EXPERIMENT_SENT_AG]);
    uint64_t exchanged = bytes[EXPERIMENT_SENT_AA];
    if (exchanged) json_object_set_new(object, "all_to_all", json_integer((json_int_t)exchanged));
    json_object_set_new(object, "total", json_integer((json_int_t)total));
    return object;
}

static json_t *predicted(const struct experiment_rank *r) {
    if (!r->predicted.known) return json_null();
    return json_pack("{so so sI ss so}", "persistent", weights(&r->predicted.persistent), "peak",
                     weights(&r->predicted.peak), "peak_total", (json_int_t)r->predicted.peak_total,
                     "peak_where", r->predicted.peak_where, "sent",
                     sent(r->predicted.sent, r->predicted.sent_total));
}

/* What only a rank's last words tell: null where it did not come to its end. */
static json_t *last_words(const struct experiment_rank *r) {
    static const char *const keys[] = {"persistent", "peak", "peak_total", "peak_where",
                                       "state_hash"};
    if (r->ended)
        return json_pack("{so so sI ss ss}", keys[0], weights(&r->persistent), keys[1],
                         weights(&r->peak), keys[2], (json_int_t)r->peak_total, keys[3],
                         r->peak_where, keys[4], r->state_hash);
    json_t *words = json_object();
    for (size_t i = 0; i < BASE_COUNT(keys); i++) json_object_set_new(words, keys[i], json_null());
    return words;
}

static json_t *ranks(const struct experiment_state *s) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < s->seen; i++) {
        const struct experiment_rank *r = &s->rank[i];
        json_t *rank = json_pack("{sI}", "rank", (json_int_t)i);
        json_object_update_new(rank, last_words(r));
        json_object_update_new(rank, json_pack("{sb so so sI so}", "ended", r->ended, "now",
                                               weights(&r->now), "sent",
                                               sent(r->sent, r->sent_total), "control",
                                               (json_int_t)r->control, "predicted", predicted(r)));
        json_array_append_new(array, rank);
    }
    return array;
}

static json_t *steps(const struct experiment_state *s) {
    json_t *array = json_array();
    for (size_t i = 0; i < s->steps; i++) {
        const struct experiment_step *x = &s->step[i];
        json_array_append_new(array, json_pack("{sI sf sf sf sf sf sf sf sf sb}", "step",
                                               (json_int_t)x->step, "loss", x->loss, "ms", x->ms,
                                               "compute_ms", x->compute_ms, "comm_ms", x->comm_ms,
                                               "exposed_ms", x->exposed_ms, "skew_ms", x->skew_ms,
                                               "offload_ms", x->offload_ms, "tokens_per_s",
                                               x->tokens_per_s, "skipped", x->skipped));
    }
    return array;
}

static json_t *held(const struct experiment_held *h) {
    return json_pack("{sI sI sI sI sI}", "states", (json_int_t)h->states, "activations",
                     (json_int_t)h->activations, "buffers", (json_int_t)h->buffers, "framework",
                     (json_int_t)h->framework, "peak", (json_int_t)h->peak);
}

/* What the run stands for. */
static json_t *scale(const struct lab_runs *r, size_t i) {
    if (!r->scaled) return NULL;
    const struct experiment_scale *s = experiment_capstone_scale(r->scaled, r->first + i);
    return json_pack("{sI sI ss so so so sf sf sI sb}", "params", (json_int_t)s->real.params,
                     "budget", (json_int_t)s->budget, "fits", account_fit_name(s->fits), "scenario",
                     held(&s->scenario), "at_size", held(&s->at_size), "scaled", held(&s->scaled),
                     "ratio", s->ratio, "share", s->share, "cap", (json_int_t)s->cap, "runs",
                     s->runs);
}

static json_t *run(const struct lab_runs *r, size_t i) {
    const struct experiment_state *s = experiment_state(r->run[i]);
    return json_pack("{ss ss sb sb ss? so so so ss ss sI so*}", "label", r->label[i], "command",
                     experiment_command(r->run[i]), "recorded", s->recorded, "well", !s->failed,
                     "trouble", *s->trouble ? s->trouble : NULL, "start",
                     s->setup.event ? json_incref(s->setup.event) : json_null(), "steps", steps(s),
                     "ranks", ranks(s), "loss", s->loss, "weights_hash", s->weights_hash, "broken",
                     (json_int_t)s->broken, "scale", scale(r, i));
}

json_t *command_lab_json(const struct lab_runs *r) {
    json_t *runs = json_array();
    for (size_t i = 0; i < r->runs; i++) json_array_append_new(runs, run(r, i));
    return json_pack("{ss? so}", "lab", r->lab ? r->lab->name : NULL, "runs", runs);
}

static json_t *lab(const struct experiment_lab *l) {
    json_t *options = json_array(), *variants = json_array();
    for (int i = 0; i < EXPERIMENT_OPTIONS && l->option[i]; i++)
        json_array_append_new(options, json_string(l->option[i]));
    for (size_t i = 0; i < experiment_variants(l); i++)
        json_array_append_new(variants, json_pack("{ss ss}", "label", l->variant[i].label,
                                                  "arguments", l->variant[i].arguments));
    return json_pack("{ss ss ss sI ss ss so so}", "name", l->name, "title", l->title, "lesson",
                     l->lesson, "minutes", (json_int_t)l->minutes, "about", l->about, "ask", l->ask,
                     "options", options, "variants", variants);
}

json_t *command_lab_list_json(void) {
    json_t *array = json_array();
    for (size_t i = 0; i < experiment_labs(); i++)
        json_array_append_new(array, lab(experiment_lab_at(i)));
    return json_pack("{so}", "labs", array);
}

/* ── kept runs ─────────────────────────────────────────────────────────────────────────────────*/
enum { LISTED = 100 };

void command_lab_keep(const struct lab_runs *r, size_t i, double seconds) {
    struct base_message m = {0};
    struct store *s = session_record_open(&m);
    int64_t number = s ? session_keep_run(s, r->lab, r->first + i, r->run[i], seconds, &m) : 0;
    char *quote = number ? session_quote(s, number, NULL) : NULL;
    if (!number) command_say_message(&m);
    if (number && r->live)
        printf(" Kept as run %lld%s%s.\n\n", (long long)number,
               quote ? ". Your memo may quote it: " : "", quote ? quote : "");
    free(quote);
    store_close(s);
}

/* ── list ──────────────────────────────────────────────────────────────────────────────────────*/
struct listing {
    struct store *store;
    struct grid grid;
    json_t *json;
};

static void list_one(void *to, const struct store_run *r) {
    struct listing *l = to;
    char *quote = session_quote(l->store, r->number, NULL);
    command_grid_put(&l->grid, "%lld", (long long)r->number);
    command_grid_put(&l->grid, "%s", r->lab);
    command_grid_put(&l->grid, "%s", r->variant);
    command_grid_put(&l->grid, "%s", r->outcome);
    command_grid_put(&l->grid, "%s", quote ? quote : "");
    json_array_append_new(l->json,
                          json_pack("{sI sI ss ss ss ss ss? sO*}", "run", (json_int_t)r->number,
                                    "when", (json_int_t)r->when, "lab", r->lab, "variant",
                                    r->variant, "command", r->command, "outcome", r->outcome,
                                    "quote", quote, "measured", r->measured));
    free(quote);
}

static int show(const struct arguments *a, struct listing *l) {
    if (command_arguments_has(a, "json"))
        return command_say_json(json_pack("{sO}", "runs", l->json));
    if (json_array_size(l->json) == 0) {
        printf("No lab run is kept yet: `zerotutor lab run capstone` and lessons keep theirs.\n");
        return COMMAND_WELL;
    }
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    command_grid_draw(&l->grid, p);
    command_terminal_print(p);
    return COMMAND_WELL;
}

int command_lab_list_kept(const struct arguments *a) {
    struct base_message m = {0};
    if (a->operands > 1)
        return command_say_error("'%s' is unexpected: `zerotutor lab runs`", a->operand[1]);
    struct listing l = {.store = session_record_open(&m), .json = json_array()};
    command_grid_head(&l.grid, "run", 'r');
    command_grid_head(&l.grid, "lab", 'l');
    command_grid_head(&l.grid, "variant", 'l');
    command_grid_head(&l.grid, "came to", 'l');
    command_grid_head(&l.grid, "a memo quotes it as", 'l');
    bool read = l.store && store_runs(l.store, NULL, LISTED, list_one, &l, &m);
    int status = read ? show(a, &l) : command_say_message(&m);
    command_grid_free(&l.grid); /* where it was not drawn */
    store_close(l.store);
    json_decref(l.json);
    return status;
}
