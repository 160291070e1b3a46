/* Activations stacked by what they are, to one scale: of one layer, or of all that is there at the
 * highest moment. The table under the bars gives the same in numbers, and says what each fill is.
 *
 *   {"kind":"tower","bars":[{"label":"none","training":{"model":"llama-2-13b","batch":1,
 *    "seq":4096}}…],
 *    "layer":false,"limit":"a100-80g"}
 *
 * All are activations, so all have the category's colour; fills tell them apart, and every other
 * one is on the category's ground, so that two can share a cell. */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BARS = 8, GAP = 2 };

/* Neighbours are unlike: full, then hatched, and so on; the letters stand in ASCII. */
static const struct {
    const char *fill, *letter;
} fills[ACCOUNT_ACTIVATION_SORTS] = {
    [ACCOUNT_SAVED_NORMS] = {"█", "N"},     [ACCOUNT_SAVED_QKV] = {"╱", "Q"},
    [ACCOUNT_SAVED_SCORES] = {"▓", "S"},    [ACCOUNT_SAVED_OUTPUT] = {"╲", "O"},
    [ACCOUNT_SAVED_MLP] = {"▒", "M"},       [ACCOUNT_SAVED_EXPERTS] = {"╳", "X"},
    [ACCOUNT_SAVED_EMBEDDING] = {"◇", "E"}, [ACCOUNT_SAVED_AGAIN] = {"░", "A"},
    [ACCOUNT_SAVED_HEAD] = {"◆", "H"},      [ACCOUNT_SAVED_LOGITS] = {"·", "L"},
};

struct bar {
    const char *label;
    double bytes[ACCOUNT_ACTIVATION_SORTS], sum;
    /* before the last move of a slider */
    double was[ACCOUNT_ACTIVATION_SORTS];
    bool moved;
    /* at their highest, wherever the bar's own highest moment is */
    uint64_t logits;
};
struct tower {
    size_t bars;
    struct bar bar[MOST_BARS];
    /* of one layer; numbers in the unit that the spec names */
    bool layer, in_unit;
    /* a sort was too small to draw */
    bool marked;
    /* of a still axis; 0: none */
    double reach;
    struct page_limit limit;
    struct page_scale scale;
};

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
/* What the training of an object keeps, by what it is; returns the sum in *sum. */
static bool read_parts(const json_t *training, bool layer, double bytes[ACCOUNT_ACTIVATION_SORTS],
                       double *sum, uint64_t *logits, struct base_message *m) {
    struct account_training t;
    struct account_activations a;
    struct account_activation_parts parts;
    struct account_error e;
    if (!page_training_read(training, &t, m)) return false;
    if (t.batch == 0 || t.seq == 0)
        return base_fail(m, "activations follow from batch and seq: set both");
    if (!account_activation_parts(&t, &parts, &e) || !account_activations(&t, &a, &e))
        return base_fail(m, "%s", e.what);
    *logits = a.logits;
    *sum = 0;
    for (size_t i = 0; i < parts.count; i++) {
        double kept = (double)(layer ? parts.part[i].kept : parts.part[i].highest);
        bytes[parts.part[i].sort] += kept;
        *sum += kept;
    }
    return true;
}

/* In *start what the bar had when sliders began, or 0. */
static bool read_bar(const json_t *spec, bool layer, struct bar *b, double *start,
                     struct base_message *m) {
    const json_t *before = json_object_get(spec, "before"), *still = json_object_get(spec, "still");
    double first[ACCOUNT_ACTIVATION_SORTS] = {0}, sum;
    uint64_t logits;
    struct base_message why = {0};
    b->label = base_json_text(spec, "label", "");
    b->moved = before != NULL;
    *start = 0;
    return (read_parts(json_object_get(spec, "training"), layer, b->bytes, &b->sum, &b->logits,
                       &why) &&
            (!before || read_parts(before, layer, b->was, &sum, &logits, &why)) &&
            (!still || read_parts(still, layer, first, start, &logits, &why))) ||
           base_fail(m, "bar \"%s\": %s", b->label, why.what);
}

static bool read_tower(const json_t *spec, struct tower *t, struct base_message *m) {
    const json_t *bars = json_object_get(spec, "bars");
    double sums[MOST_BARS], start, most = 0;
    t->bars = json_array_size(bars);
    t->layer = base_json_bool(spec, "layer", false);
    t->in_unit = base_json_text(spec, "unit", NULL) != NULL;
    if (t->bars == 0 || t->bars > MOST_BARS)
        return base_fail(m, "a tower has 1 to %d bars, each {\"label\":…,\"training\":{…}}",
                         MOST_BARS);
    for (size_t i = 0; i < t->bars; i++) {
        if (!read_bar(json_array_get(bars, i), t->layer, &t->bar[i], &start, m)) return false;
        sums[i] = t->bar[i].sum;
        most = fmax(most, start);
    }
    if (!page_limit_read(spec, &t->limit, m)) return false;
    if (most > 0) t->reach = page_still_reach(&t->limit, most);
    if (!page_scale_read(spec, most > 0 ? &t->reach : sums, most > 0 ? 1 : t->bars, &t->scale, m))
        return false;
    t->scale.digits = account_decimals(sums, t->bars, t->scale.unit);
    return true;
}

/* ── bars ──────────────────────────────────────────────────────────────────────────────────────*/
static const char *fill_of(const struct page *p, unsigned sort) {
    return p->ascii ? fills[sort].letter : fills[sort].fill;
}

static bool is_bright(unsigned sort) {
    return sort % 2 == 0;
}

static void put_fill(struct page *p, int row, int column, unsigned sort) {
    unsigned role = is_bright(sort) ? PAGE_INK : PAGE_CATEGORY;
    page_put(p, row, column, role + ACCOUNT_ACTIVATIONS, 0, fill_of(p, sort));
}

static struct page_stacks_bar parts_of(const struct page *p, const struct bar *b) {
    double was = 0;
    for (unsigned s = 0; s < ACCOUNT_ACTIVATION_SORTS; s++) was += b->was[s];
    struct page_stacks_bar out = {
        .label = b->label, .total = b->sum, .changed = b->moved && was != b->sum};
    for (unsigned s = 0; s < ACCOUNT_ACTIVATION_SORTS; s++)
        if (b->bytes[s] > 0)
            out.part[out.parts++] = (struct page_part){.bytes = b->bytes[s],
                                                       .category = ACCOUNT_ACTIVATIONS,
                                                       .bright = is_bright(s),
                                                       .fill = fill_of(p, s)};
    return out;
}

static void draw_bars(struct page *p, struct tower *t, struct page_flow f) {
    struct page_stacks_bar bar[MOST_BARS];
    for (size_t i = 0; i < t->bars; i++) bar[i] = parts_of(p, &t->bar[i]);
    struct page_stacks s = {
        .count = t->bars, .bar = bar, .scale = t->scale, .limit = t->limit, .reach = t->reach};
    page_stacks_draw(p, f, &s, &t->marked);
}

/* ── numbers ───────────────────────────────────────────────────────────────────────────────────*/
static bool is_present(const struct tower *t, unsigned sort) {
    for (size_t i = 0; i < t->bars; i++)
        if (t->bar[i].bytes[sort] > 0) return true;
    return false;
}

/* In the unit that was asked for, else in the one that reads best. */
static char *amount(const struct tower *t, const struct bar *b, unsigned sort) {
    char text[32];
    if (!(b->bytes[sort] > 0)) return base_dup("–");
    if (!t->in_unit) return page_bytes(b->bytes[sort]);
    return base_dup(account_print(text, sizeof text, b->bytes[sort], t->scale.unit, 3));
}

static unsigned role_of(const struct bar *b, unsigned sort) {
    return b->moved && b->was[sort] != b->bytes[sort] ? PAGE_ACCENT : PAGE_PLAIN;
}

static int names_width(const struct page *p, const struct tower *t) {
    int width = 0;
    for (unsigned s = 0; s < ACCOUNT_ACTIVATION_SORTS; s++)
        if (is_present(t, s)) width = (int)fmax(width, page_measure(p, account_activation_name(s)));
    return width;
}

static int column_width(const struct page *p, const struct tower *t, const struct bar *b) {
    int width = t->bars > 1 ? page_measure(p, b->label) : 0;
    for (unsigned s = 0; s < ACCOUNT_ACTIVATION_SORTS; s++) {
        char *text = amount(t, b, s);
        width = (int)fmax(width, page_measure(p, text));
        free(text);
    }
    return width;
}

/* Of a bar that stands alone, two sorts in a row; false if it does not fit. */
static bool draw_pairs(struct page *p, const struct tower *t, struct page_flow f) {
    int wide = 2 + names_width(p, t) + GAP + column_width(p, t, &t->bar[0]), half = wide + 2 * GAP;
    int row = p->height, column = f.indent;
    if (t->bars > 1 || half + wide > f.width) return false;
    for (unsigned s = 0; s < ACCOUNT_ACTIVATION_SORTS; s++) {
        if (!is_present(t, s)) continue;
        char *text = amount(t, &t->bar[0], s);
        put_fill(p, row, column, s);
        page_put(p, row, column + 2, PAGE_PLAIN, 0, account_activation_name(s));
        page_right(p, row, column + wide, role_of(&t->bar[0], s), text);
        free(text);
        row += column > f.indent;
        column = column > f.indent ? f.indent : f.indent + half;
    }
    return true;
}

/* A row a sort, a column a bar; false if it does not fit. */
static bool draw_numbers(struct page *p, const struct tower *t, struct page_flow f) {
    int right[MOST_BARS], end = f.indent + 2 + names_width(p, t);
    for (size_t i = 0; i < t->bars; i++) right[i] = end += GAP + column_width(p, t, &t->bar[i]);
    if (end > f.indent + f.width) return false;
    int row = p->height;
    for (size_t i = 0; i < t->bars && t->bars > 1; i++)
        page_right(p, row, right[i], PAGE_DIM, t->bar[i].label);
    row += t->bars > 1;
    for (unsigned s = 0; s < ACCOUNT_ACTIVATION_SORTS; s++) {
        if (!is_present(t, s)) continue;
        put_fill(p, row, f.indent, s);
        page_put(p, row, f.indent + 2, PAGE_PLAIN, 0, account_activation_name(s));
        for (size_t i = 0; i < t->bars; i++) {
            char *text = amount(t, &t->bar[i], s);
            page_right(p, row, right[i], role_of(&t->bar[i], s), text);
            free(text);
        }
        row++;
    }
    return true;
}

static void draw_names(struct page *p, const struct tower *t, struct page_flow f) {
    int row = p->height, column = f.indent;
    for (unsigned s = 0; s < ACCOUNT_ACTIVATION_SORTS; s++) {
        if (!is_present(t, s)) continue;
        int sign = column, before = row;
        column = page_sign(p, f, &row, column, PAGE_PLAIN, " ", account_activation_name(s));
        put_fill(p, row, row == before ? sign : f.indent, s);
    }
}

static bool has_lost_logits(const struct bar *b) {
    return b->logits > 0 && b->bytes[ACCOUNT_SAVED_LOGITS] == 0;
}

/* Bars at whose highest moment the logits are not there any more: "selective and full". */
static char *without_logits(const struct tower *t) {
    struct base_text out = {0};
    size_t left = 0;
    for (size_t i = 0; i < t->bars; i++) left += has_lost_logits(&t->bar[i]);
    for (size_t i = 0, n = 0; i < t->bars; i++) {
        if (!has_lost_logits(&t->bar[i])) continue;
        base_text_puts(&out, n == 0 ? "" : n + 1 == left ? " and " : ", ");
        base_text_puts(&out, *t->bar[i].label ? t->bar[i].label : "it");
        n++;
    }
    return base_text_take(&out);
}

static void draw_notes(struct page *p, const struct tower *t, struct page_flow f) {
    char *without = without_logits(t);
    int row = p->height;
    if (t->marked) page_sign(p, f, &row, f.indent, PAGE_DIM, "+", page_mark_meaning);
    if (t->layer)
        page_note(p, f, "What one layer keeps for backward.");
    else if (*without)
        page_note(p, f, "At the peak of the step. In %s the logits are gone by then.", without);
    else
        page_note(p, f, "All memory in use at the peak of the step.");
    free(without);
}

bool page_figure_tower(struct page *p, struct page_flow f, const json_t *spec,
                       struct base_message *m) {
    struct tower t = {0};
    if (!read_tower(spec, &t, m)) return false;
    draw_bars(p, &t, f);
    page_blank(p, !t.limit.given);
    if (!draw_pairs(p, &t, f) && !draw_numbers(p, &t, f)) draw_names(p, &t, f);
    draw_notes(p, &t, f);
    return true;
}

/* ── in words ──────────────────────────────────────────────────────────────────────────────────*/
static void say_bar(struct page *p, const struct tower *t, const struct bar *b,
                    struct page_flow f) {
    struct base_text parts = {0};
    size_t count = 0, n = 0;
    char *total = page_scale_print(t->scale, b->sum);
    for (unsigned s = 0; s < ACCOUNT_ACTIVATION_SORTS; s++) count += b->bytes[s] > 0;
    for (unsigned s = 0; s < ACCOUNT_ACTIVATION_SORTS; s++) {
        if (!(b->bytes[s] > 0)) continue;
        char *bytes = amount(t, b, s),
             *item = base_format("%s %s", account_activation_name(s), bytes);
        page_list_add(&parts, n++, count, item);
        free(item);
        free(bytes);
    }
    page_say(p, f, "%s%s%s, of which %s.", b->label, *b->label ? ": " : "", total,
             parts.length ? parts.s : "nothing");
    base_text_free(&parts);
    free(total);
}

bool page_words_tower(struct page *p, struct page_flow f, const json_t *spec,
                      struct base_message *m) {
    struct tower t = {0};
    if (!read_tower(spec, &t, m)) return false;
    for (size_t i = 0; i < t.bars; i++) say_bar(p, &t, &t.bar[i], f);
    page_limit_say(p, f, t.scale, &t.limit);
    draw_notes(p, &t, f);
    return true;
}
