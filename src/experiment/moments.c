/* The moments of a step, as memory events tell them: each with the highest sum within it, by
 * category. A step is whole with its update; what is held as that ends is the rest until the next
 * step. Evaluations go forward once more, and are passed over. */
#include "experiment/inside.h"

#include <stdlib.h>
#include <string.h>

enum { MOMENTS_MOST = 4096 };

/* ── hearing ───────────────────────────────────────────────────────────────────────────────────*/
static struct account_ledger ledger_of(const struct experiment_weights *w) {
    struct account_ledger l = {0};
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        l.bytes[c] = w->bytes[c];
        l.total += l.bytes[c];
    }
    return l;
}

static void add(struct experiment_moments *m, const struct account_moment *moment) {
    if (m->n == MOMENTS_MOST) return;
    if (m->n == m->capacity) {
        m->capacity = m->capacity ? 2 * m->capacity : 32;
        m->moment = base_grow(m->moment, m->capacity, sizeof *m->moment);
    }
    m->moment[m->n++] = *moment;
}

/* The step is over: it takes the place of the one before. */
static void end_step(struct experiment_moments *rising, struct experiment_moments *risen,
                     const struct experiment_weights *now) {
    struct experiment_moments before = *risen;
    struct account_moment rest = {
        .phase = ACCOUNT_UPDATE, .stop = ACCOUNT_AT_REST, .ledger = ledger_of(now)};
    add(rising, &rest);
    *risen = *rising;
    *rising = before;
    rising->n = 0;
}

void experiment_hear_moment(struct experiment *t, const struct experiment_event *e) {
    int64_t rank = e->rank;
    struct account_moment moment;
    if (rank < 0 || rank >= EXPERIMENT_RANKS || !e->weighed.tells_highest ||
        !account_moment_read(e->weighed.where, &moment))
        return;
    struct experiment_moments *m = &t->rising[rank];
    bool begins = moment.phase == ACCOUNT_FORWARD && moment.stop == ACCOUNT_AT_EMBEDDINGS;
    if (begins) m->n = 0;
    if (moment.phase == ACCOUNT_INIT || (m->n == 0 && !begins)) return;
    moment.ledger = ledger_of(&e->weighed.highest);
    add(m, &moment);
    if (moment.phase == ACCOUNT_UPDATE) end_step(m, &t->risen[rank], &e->weighed.now);
}

void experiment_moments_free(struct experiment *t) {
    for (size_t i = 0; i < EXPERIMENT_RANKS; i++) {
        free(t->rising[i].moment);
        free(t->risen[i].moment);
    }
}

/* ── what the engine says of the run ───────────────────────────────────────────────────────────*/
static uint32_t number(const json_t *object, const char *key, uint32_t otherwise) {
    int64_t n = base_json_int(object, key, -1);
    return n >= 0 && n < UINT32_MAX ? (uint32_t)n : otherwise;
}

/* As src/lab/predict.c has it: GPT-2's architecture, the head tied. */
static bool set_shape(const json_t *model, struct account_shape *s) {
    uint32_t width = number(model, "width", 0), heads = number(model, "heads", 0);
    if (!width || !heads) return false;
    *s = (struct account_shape){.tied = true,
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
        {"fp32", "fp32"      },
        {"bf16", "mixed-bf16"},
        {"fp16", "mixed-fp16"}
    };
    const char *given = base_json_text(start, "precision", "");
    for (size_t i = 0; i < BASE_COUNT(precisions); i++)
        if (!strcmp(given, precisions[i][0]))
            return account_set(t, "precision", precisions[i][1], NULL) &&
                   account_set(t, "recipe", "zerolab", NULL) &&
                   account_set(t, "checkpoint", base_json_text(start, "checkpoint", "none"), NULL);
    return false;
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
    t->bucket = experiment_bytes(start, "bucket");
    t->flash = !strcmp(base_json_text(start, "device", "cpu"), "cuda");
    return account_check(t, NULL);
}

/* The engine's moments of a run, the caller's; NULL if its start does not say what runs. */
static struct account_moment *foresee(const json_t *start, size_t *count) {
    struct account_training t;
    *count = 0;
    if (!training_of(start, &t)) return NULL;
    *count = account_timeline(&t, NULL, 0, NULL);
    if (*count == 0 || *count > MOMENTS_MOST) return NULL;
    struct account_moment *m = base_alloc(*count * sizeof *m);
    account_timeline(&t, m, *count, NULL);
    return m;
}

static uint64_t foreseen(const struct account_moment *m, size_t count,
                         const struct account_moment *of) {
    for (size_t i = 0; m && i < count; i++)
        if (m[i].phase == of->phase && m[i].stop == of->stop && m[i].block == of->block)
            return m[i].ledger.total;
    return 0;
}

/* ── the figure ────────────────────────────────────────────────────────────────────────────────*/
static json_t *moment_json(const struct account_moment *m, uint64_t predicted) {
    char where[48];
    json_t *bytes = json_object();
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++)
        if (m->ledger.bytes[c])
            json_object_set_new(bytes, account_category_name((enum account_category)c),
                                json_integer((json_int_t)m->ledger.bytes[c]));
    return json_pack("{ss so sI}", "where", account_moment_name(m, where, sizeof where), "bytes",
                     bytes, "predicted", (json_int_t)predicted);
}

json_t *experiment_curve(const struct experiment *t, uint32_t rank) {
    if (rank >= EXPERIMENT_RANKS || t->risen[rank].n == 0) return NULL;
    const struct experiment_moments *m = &t->risen[rank];
    size_t count;
    struct account_moment *engine = foresee(t->state.setup.event, &count);
    json_t *moments = json_array(),
           *figure = json_pack("{ss so}", "kind", "curve", "moments", moments);
    for (size_t i = 0; i < m->n; i++)
        json_array_append_new(moments,
                              moment_json(&m->moment[i], foreseen(engine, count, &m->moment[i])));
    uint64_t cap = experiment_bytes(t->state.setup.event, "cap");
    if (cap) json_object_set_new(figure, "limit", json_integer((json_int_t)cap));
    free(engine);
    return figure;
}
