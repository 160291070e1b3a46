/* What a rank sends in a step, by collective, next to what it keeps: a row a stage, or one row for
 * a training.
 *
 *   {"kind":"traffic","training":{"params":7e9,"gpus":8},"stages":[0,1,2,3]}
 *       stages: the training's own unless given */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STAGES = 4, GAP = 2, LEAST_BAR = 8, MOST_BAR = 40, THICK_BAR = 32 };

struct row {
    uint8_t stage;
    char label[16], volume[24];
    char *kept, *sent;
    /* the last move of a slider, or NULL */
    char *kept_before, *sent_before;
    struct account_traffic traffic;
};
struct sent {
    size_t rows;
    struct row row[MOST_STAGES];
    /* of a still scale; 0: none */
    double reach;
    /* widths */
    int label, kept, sent, volume;
};

static bool read_row(const struct account_training *t, struct account_traffic *traffic, char **kept,
                     char **sent, struct base_message *m) {
    struct account_ledger ledger;
    struct account_error e;
    if (!account_traffic(t, traffic, &e) || !account_ledger(t, &ledger, &e))
        return base_fail(m, "stage %u: %s", t->stage, e.what);
    *kept = page_bytes((double)ledger.total);
    *sent = page_bytes((double)traffic->total);
    return true;
}

/* The training, and the one before the last move of a slider, which may be the first. */
struct trainings {
    struct account_training now, before;
    bool moved;
};

static bool add_row(struct sent *s, struct trainings t, uint8_t stage, struct base_message *m) {
    struct row *r = &s->row[s->rows++];
    struct account_traffic other;
    r->stage = t.now.stage = t.before.stage = stage;
    if (!read_row(&t.now, &r->traffic, &r->kept, &r->sent, m)) return false;
    (void)snprintf(r->label, sizeof r->label, "stage %u", stage);
    (void)snprintf(r->volume, sizeof r->volume, "%gΨ", r->traffic.volume_params);
    return !t.moved || read_row(&t.before, &other, &r->kept_before, &r->sent_before, m);
}

static bool read_trainings(const json_t *spec, struct trainings *t, struct base_message *m) {
    const json_t *before = json_object_get(spec, "before");
    t->moved = before != NULL;
    return page_training_read(json_object_get(spec, "training"), &t->now, m) &&
           (!t->moved || page_training_read(before, &t->before, m));
}

static double most_sent(const struct sent *s, struct account_training t) {
    double most = 0;
    for (size_t i = 0; i < s->rows; i++) {
        struct account_traffic sent;
        t.stage = s->row[i].stage;
        if (account_traffic(&t, &sent, NULL)) most = fmax(most, (double)sent.total);
    }
    return most;
}

static void reach(void *to, const struct account_training *t) {
    struct sent *s = to;
    s->reach = fmax(s->reach, most_sent(s, *t));
}

/* The axis is chosen once: it has room for the bars of every training that one slider alone can
 * reach. */
static void add_reach(struct sent *s, const json_t *spec) {
    struct account_training start;
    if (page_training_read(json_object_get(spec, "still"), &start, NULL))
        s->reach = page_still_reach(&(struct page_limit){0}, most_sent(s, start));
    page_range_each(spec, true, reach, s);
}

static bool add_rows(struct sent *s, struct trainings t, const json_t *stages,
                     struct base_message *m) {
    const json_t *stage;
    size_t i;
    if (!stages) return add_row(s, t, t.now.stage, m);
    if (json_array_size(stages) == 0 || json_array_size(stages) > MOST_STAGES)
        return base_fail(m, "stages are one to four of 0, 1, 2, 3, such as \"stages\":[0,3]");
    json_array_foreach(stages, i, stage) {
        if (!json_is_integer(stage) || json_integer_value(stage) < 0 ||
            json_integer_value(stage) > 3)
            return base_fail(m, "a stage is 0, 1, 2 or 3");
        if (!add_row(s, t, (uint8_t)json_integer_value(stage), m)) return false;
    }
    return true;
}

static bool read_rows(const json_t *spec, struct sent *s, struct base_message *m) {
    struct trainings t = {0};
    if (!read_trainings(spec, &t, m) || !add_rows(s, t, json_object_get(spec, "stages"), m))
        return false;
    if (page_still_given(spec)) add_reach(s, spec);
    return true;
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
static void widen(const struct page *p, int *width, const char *text) {
    int w = page_measure(p, text);
    if (w > *width) *width = w;
}

/* Right edges of the columns; the bars' from where they begin to where they end. */
struct edges {
    int label, kept, sent, volume, from, to;
};

static struct edges lay_out(const struct page *p, struct sent *s, struct page_flow f) {
    widen(p, &s->kept, "keeps");
    widen(p, &s->sent, "sends");
    for (size_t i = 0; i < s->rows; i++) {
        widen(p, &s->label, s->row[i].label);
        widen(p, &s->kept, s->row[i].kept);
        widen(p, &s->sent, s->row[i].sent);
        widen(p, &s->volume, s->row[i].volume);
    }
    if (s->reach > 0) { /* as wide as the numbers of other trainings */
        widen(p, &s->kept, "112.5 GB");
        widen(p, &s->sent, "1.12 TB");
        widen(p, &s->volume, "24.5Ψ");
    }
    struct edges e = {.label = f.indent + s->label};
    e.kept = e.label + GAP + s->kept;
    e.sent = e.kept + GAP + s->sent;
    e.volume = e.sent + GAP + s->volume;
    e.from = e.volume + GAP;
    int capacity = f.indent + f.width - e.from - 1,
        most = p->thick > 1 ? THICK_BAR * p->thick : MOST_BAR;
    e.to = capacity < LEAST_BAR ? e.from : e.from + (capacity > most ? most : capacity);
    return e;
}

/* The unit of a still axis. */
static enum account_unit axis_unit(const struct sent *s) {
    return s->reach >= account_unit_scale(ACCOUNT_UNIT_GB) ? ACCOUNT_UNIT_GB : ACCOUNT_UNIT_MB;
}

static struct page_axis still_axis(const struct sent *s, struct edges e) {
    return page_axis_fit(s->reach / account_unit_scale(axis_unit(s)), e.to - e.from);
}

/* Sliders move over a still axis. */
static void draw_axis(struct page *p, const struct sent *s, struct edges e) {
    if (!(s->reach > 0) || e.to <= e.from) return;
    page_axis_draw(p, e.from, still_axis(s, e), (struct page_scale){.unit = axis_unit(s)}, -1);
}

/* Bytes per cell with which the bars and the marks behind them fit. */
static double bar_scale(const struct page *p, const struct sent *s, struct edges e) {
    double most = 1;
    int columns = e.to > e.from ? e.to - e.from : 1, cells = columns;
    if (s->reach > 0 && e.to > e.from) {
        struct page_axis a = still_axis(s, e);
        return a.end * account_unit_scale(axis_unit(s)) / a.cells;
    }
    for (size_t i = 0; i < s->rows; i++) most = fmax(most, (double)s->row[i].traffic.total);
    for (size_t i = 0; i < s->rows; i++) {
        struct page_part part[PAGE_PARTS];
        int parts = page_wire_parts(p, s->row[i].traffic.sent, part);
        while (cells > 1 && page_bar_parts_width(p, part, parts, most / cells) > columns) cells--;
    }
    return most / cells;
}

/* Returns whether a category is only marked. */
static bool draw_row(struct page *p, const struct row *r, struct page_flow f, struct edges e,
                     double scale) {
    struct page_part part[PAGE_PARTS];
    bool bar = e.to > e.from;
    int parts = page_wire_parts(p, r->traffic.sent, part);
    int top = p->height, row = top + (bar ? (p->thick - 1) / 2 : 0);
    page_put(p, row, f.indent, PAGE_PLAIN, 0, r->label);
    page_right(p, row, e.kept, page_changed(r->kept_before, r->kept, PAGE_DIM), r->kept);
    page_right(p, row, e.sent, page_changed(r->sent_before, r->sent, PAGE_STRONG), r->sent);
    page_right(p, row, e.volume, PAGE_DIM, r->volume);
    return bar && page_bar_within(p, top, p->thick, e.from, e.to - e.from, part, parts, scale, -1);
}

static void draw_legend(struct page *p, const struct sent *s, struct page_flow f, bool marked) {
    int row = p->height + !p->tight, column = f.indent;
    for (unsigned c = 0; c < ACCOUNT_COLLECTIVES; c++) {
        bool present = false;
        for (size_t i = 0; i < s->rows; i++) present = present || s->row[i].traffic.sent[c];
        if (present) column = page_wire_sign(p, f, &row, column, (enum account_collective_kind)c);
    }
    if (marked && !p->tight) page_sign(p, f, &row, column, PAGE_DIM, "+", page_mark_meaning);
}

static void draw(struct page *p, struct sent *s, struct page_flow f) {
    struct edges e = lay_out(p, s, f);
    double scale = bar_scale(p, s, e);
    bool marked = false;
    int row = p->height;
    page_right(p, row, e.kept, PAGE_DIM, "keeps");
    page_right(p, row, e.sent, PAGE_DIM, "sends");
    for (size_t i = 0; i < s->rows; i++) {
        if (i > 0) page_blank(p, p->thick > 1 && !p->tight);
        marked |= draw_row(p, &s->row[i], f, e, scale);
    }
    draw_axis(p, s, e);
    if (e.to > e.from) draw_legend(p, s, f, marked);
}

static void forget(struct sent *s) {
    for (size_t i = 0; i < s->rows; i++) {
        free(s->row[i].kept);
        free(s->row[i].sent);
        free(s->row[i].kept_before);
        free(s->row[i].sent_before);
    }
}

bool page_figure_traffic(struct page *p, struct page_flow f, const json_t *spec,
                         struct base_message *m) {
    struct sent s = {0};
    bool well = read_rows(spec, &s, m);
    if (well) draw(p, &s, f);
    forget(&s);
    return well;
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
/* " Before, it kept 14 GB and sent 27.6 GB.", of what the last move of a slider has changed; the
 * caller's. */
static char *say_change(const struct row *r) {
    bool kept = r->kept_before && strcmp(r->kept, r->kept_before) != 0,
         sent = r->sent_before && strcmp(r->sent, r->sent_before) != 0;
    if (!kept && !sent) return base_dup("");
    return base_format(" Before, it %s%s%s%s%s.", kept ? "kept " : "", kept ? r->kept_before : "",
                       kept && sent ? " and " : "", sent ? "sent " : "",
                       sent ? r->sent_before : "");
}

static void say_row(struct page *p, const struct row *r, struct page_flow f) {
    struct base_text parts = {0};
    size_t count = 0, n = 0;
    for (unsigned c = 0; c < ACCOUNT_COLLECTIVES; c++) count += r->traffic.sent[c] > 0;
    for (unsigned c = 0; c < ACCOUNT_COLLECTIVES; c++) {
        if (!r->traffic.sent[c]) continue;
        char *bytes = page_bytes((double)r->traffic.sent[c]),
             *item = base_format("%s %s", page_wire_name((enum account_collective_kind)c), bytes);
        page_list_add(&parts, n++, count, item);
        free(item);
        free(bytes);
    }
    char *change = say_change(r);
    page_say(p, f, "%s: each rank keeps %s and sends %s per step, a volume of %s%s%s.%s", r->label,
             r->kept, r->sent, r->volume, count ? ": " : "", count ? parts.s : "", change);
    free(change);
    base_text_free(&parts);
}

bool page_words_traffic(struct page *p, struct page_flow f, const json_t *spec,
                        struct base_message *m) {
    struct sent s = {0};
    bool well = read_rows(spec, &s, m);
    for (size_t i = 0; well && i < s.rows; i++) say_row(p, &s.row[i], f);
    forget(&s);
    return well;
}
