/* The figure of a curve: a training's moments as the engine counts them. Those of a run are a panel
 * of the lab (lab_curve.c).
 *
 *   {"kind":"curve","training":{"model":"llama-2-13b","gpus":8,"stage":3,"batch":1,"seq":4096},
 *    "limit":"a100-80g","unit":"GB","rows":12,"legend":true}
 *
 * `rows` is for pages of 80 columns: on wider ones there are as many as the width suggests. */
#include "page/figure.h"

#include <stdlib.h>

enum { MOST_MOMENTS = 100000, MOST_ROWS = 60, USUAL_WIDTH = 80 };

struct curve {
    struct page_curve curve;
    struct account_timepoint *moment;
};

static bool read_training(const json_t *object, struct curve *c, struct base_message *m) {
    struct account_training t;
    struct account_error e;
    if (!page_training_read(object, &t, m)) return false;
    size_t capacity = ACCOUNT_TIMELINE_MOST(t.shape.layers);
    if (capacity > MOST_MOMENTS) capacity = MOST_MOMENTS;
    c->moment = base_alloc(capacity * sizeof *c->moment);
    size_t count = account_timeline(&t, c->moment, capacity, &e);
    if (count == 0) return base_fail(m, "%s", e.what);
    if (count > MOST_MOMENTS)
        return base_fail(m, "a curve has at most %d columns, and this model has %zu", MOST_MOMENTS,
                         count);
    c->curve.count = count;
    return true;
}

/* 0 if it is no number or less than 0. */
static uint64_t bytes_of(const json_t *object, const char *key) {
    int64_t bytes = base_json_int(object, key, 0);
    double rounded = base_json_number(object, key, 0);
    if (bytes > 0) return (uint64_t)bytes;
    return rounded > 0 && rounded < 1e19 ? (uint64_t)rounded : 0;
}

/* Frees nothing where it fails: the caller does. */
static bool read_curve(const json_t *spec, struct curve *c, struct base_message *m) {
    const json_t *training = json_object_get(spec, "training");
    struct page_scale scale;
    int64_t rows = base_json_int(spec, "rows", 0);
    if (rows < 0 || rows > MOST_ROWS) return base_fail(m, "a curve has at most %d rows", MOST_ROWS);
    if (!read_training(training, c, m)) return false;
    c->curve.moment = c->moment;
    c->curve.rows = (int)rows;
    c->curve.legend = base_json_bool(spec, "legend", true);
    c->curve.reach = (double)bytes_of(spec, "reach");
    double peak = (double)c->moment[account_timeline_peak(c->moment, c->curve.count)].ledger.total;
    if (!page_limit_read(spec, &c->curve.limit, m) || !page_scale_read(spec, &peak, 1, &scale, m))
        return false;
    c->curve.unit = scale.unit;
    return true;
}

static void free_curve(struct curve *c) {
    free(c->moment);
}

bool page_figure_curve(struct page *p, struct page_flow f, const json_t *spec,
                       struct base_message *m) {
    struct curve c = {0};
    bool fine = read_curve(spec, &c, m);
    if (f.width > USUAL_WIDTH) c.curve.rows = 0;
    if (fine) page_curve(p, f, &c.curve);
    free_curve(&c);
    return fine;
}

bool page_words_curve(struct page *p, struct page_flow f, const json_t *spec,
                      struct base_message *m) {
    struct curve c = {0};
    bool fine = read_curve(spec, &c, m);
    char *said = fine ? page_curve_say(&c.curve) : NULL;
    if (said) page_text(p, f, said);
    char *parts = fine ? page_curve_parts(&c.curve) : NULL;
    if (parts) page_text(p, f, parts);
    free(parts);
    free(said);
    free_curve(&c);
    return fine;
}
