/* The memory of one GPU over a step: a column for each moment, or one for several, categories
 * stacked from what stays, at the bottom, to what comes and goes. In colours the boundaries lie on
 * eighths of a cell, on other pages between cells, and the legend names those that have none. A
 * column is as high as its total, so the highest column is the highest moment's.
 *
 *      4 GB▔│              ▾ 3.86 GB within backward block 3
 *           │          ▁▂▃▄▄▄▃▂▁
 *      2 GB▔│    ▂▃▄▅▆▇█████████▇▆▅▄▃
 *           │████████████████████████████
 *         0▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔▔
 *            ├── forward ──┤├─ backward ─┤
 */
#include "page/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    EIGHTHS = 8,
    LEAST_ROWS = 4,
    MOST_ROWS = 60,
    LEAST_CELLS = 8,
    FEW_ROWS = 6,
    USUAL_ROWS = 24
};
/* A limit is on the axis if it is at most so many times the peak; a higher one is only told. */
static const double furthest_limit = 2;

static const char *const heights[EIGHTHS + 1] = {"", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char limit_line[] = "┄", predicted_line[] = "▁";
/* A tick, and the line at 0: at the upper edge of their row, where its columns end or stand. */
static const char edge_line[] = "▔";

struct plot {
    const struct page_curve *curve;
    /* those that are shown */
    const struct account_timepoint *moment;
    const uint64_t *predicted;
    size_t count, peak;
    struct page_scale scale;
    /* between ticks, in the unit */
    double step;
    double row_bytes;
    /* rows of the axis; rows from tick to tick */
    int rows, tick;
    /* units in a row: eighths, or whole cells */
    int unit;
    /* columns */
    int left, cells;
    /* rows of the page: the top; the peak's name, from the foot; all */
    int top, name, canvas;
    unsigned order[ACCOUNT_CATEGORIES];
    /* categories there are; of them the first, which never change */
    size_t parts, staying;
    /* their units */
    int stays[PAGE_PARTS];
    /* the sum of those */
    int base;
    bool drawn[ACCOUNT_CATEGORIES];
};

static uint64_t bytes_of(const struct plot *t, size_t moment, size_t part) {
    return t->moment[moment].ledger.bytes[t->order[part]];
}

/* ── what is shown ─────────────────────────────────────────────────────────────────────────────*/
/* What comes before the first step is shown only if it is higher than the step. */
static void choose_moments(struct plot *t) {
    const struct page_curve *c = t->curve;
    size_t peak = account_timeline_peak(c->moment, c->count), first = 0;
    while (first < peak && c->moment[first].phase == ACCOUNT_INIT) first++;
    t->moment = c->moment + first;
    t->predicted = c->predicted ? c->predicted + first : NULL;
    t->count = c->count - first;
    t->peak = peak - first;
}

/* How much of a category's highest is always there: 1 of one that stays as it is. Of those that
 * come and go as much, the one that is there for longer stays more. */
static double staying(const struct plot *t, unsigned c) {
    uint64_t least = UINT64_MAX, most = 0;
    double sum = 0;
    for (size_t i = 0; i < t->count; i++) {
        uint64_t bytes = t->moment[i].ledger.bytes[c];
        if (bytes < least) least = bytes;
        if (bytes > most) most = bytes;
        sum += (double)bytes;
    }
    if (most == 0) return 0;
    double longer = sum / (double)most / (double)t->count;
    return least == most ? 1 : 0.99 * (double)least / (double)most + 0.009 * longer;
}

static void choose_order(struct plot *t) {
    double stays[ACCOUNT_CATEGORIES];
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        stays[c] = staying(t, c);
        if (!(stays[c] > 0)) continue;
        size_t at = t->parts++;
        for (; at > 0 && stays[t->order[at - 1]] < stays[c]; at--) t->order[at] = t->order[at - 1];
        t->order[at] = c;
        t->staying += stays[c] >= 1;
    }
}

/* ── the axis ──────────────────────────────────────────────────────────────────────────────────*/
/* The round step that lets the rows reach `most` and leaves least above it; of those that are
 * nearly as good, the one with most ticks. */
static void fit_axis(struct plot *t, double most) {
    static const double steps[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
    const double nearly = 0.95;
    double best = INFINITY;
    for (int tick = t->rows < FEW_ROWS ? 2 : 3; tick <= (t->rows + 1) / 2 && tick <= 6; tick++) {
        double least = most * tick / t->rows, power = pow(10, floor(log10(least)));
        size_t i = 0;
        while (i + 1 < BASE_COUNT(steps) && steps[i] * power < least * (1 - 1e-9)) i++;
        if (steps[i] * power / tick >= best * nearly) continue;
        best = steps[i] * power / tick;
        t->tick = tick;
        t->step = steps[i] * power;
    }
    t->row_bytes = best * account_unit_scale(t->scale.unit);
}

static double highest(const struct plot *t) {
    double most = (double)t->moment[t->peak].ledger.total;
    for (size_t i = 0; t->predicted && i < t->count; i++)
        most = fmax(most, (double)t->predicted[i]);
    return most;
}

static bool limit_is_drawn(const struct plot *t) {
    const struct page_limit *limit = &t->curve->limit;
    return limit->given && limit->bytes <= furthest_limit * fmax(highest(t), t->curve->reach);
}

/* The limit's line has a row of the page for itself, between two rows of the axis: it hides nothing
 * of a column that goes on above it. The rows of the axis that are below it: */
static int limit_row(const struct plot *t) {
    return (int)fmax(1, round(t->curve->limit.bytes / t->row_bytes));
}

/* A row of the axis as a row of the page, both from the foot. */
static int level_of(const struct plot *t, int row) {
    return row + (limit_is_drawn(t) && row >= limit_row(t));
}

/* A row whose upper edge is on a tick says its value. */
static bool has_label(const struct plot *t, int row) {
    return (row + 1) % t->tick == 0;
}

static char *label_of(const struct plot *t, int row) {
    return base_format("%.10g %s", t->step * ((row + 1) / t->tick),
                       account_unit_name(t->scale.unit));
}

/* The columns of the widest label. */
static int label_width(const struct page *p, const struct plot *t) {
    char *limit = limit_is_drawn(t) ? page_bytes(t->curve->limit.bytes) : base_dup("");
    int width = page_measure(p, limit);
    free(limit);
    for (int row = 0; row < t->rows; row++) {
        if (!has_label(t, row)) continue;
        char *label = label_of(t, row);
        width = (int)fmax(width, page_measure(p, label));
        free(label);
    }
    return width;
}

/* ── heights ───────────────────────────────────────────────────────────────────────────────────*/
/* Units up to the limit; a total that keeps it ends below it, one that breaks it above. */
static int height_of(const struct plot *t, double total) {
    int units = (int)lround(total / t->row_bytes * t->unit);
    if (limit_is_drawn(t)) {
        double limit = t->curve->limit.bytes;
        int line = limit_row(t) * t->unit;
        if (total > limit && units <= line) units = line + 1;
        if (total <= limit && units > line) units = line;
    }
    return units < t->base ? t->base : units;
}

/* The part, of those that stay, with the largest excess over its due (sign 1) or shortage (-1). */
static size_t furthest_off(const struct plot *t, const double *due, int sign) {
    size_t furthest = 0;
    for (size_t i = 1; i < t->staying; i++)
        if (sign * (t->stays[i] - due[i]) >= sign * (t->stays[furthest] - due[furthest]))
            furthest = i;
    return furthest;
}

/* The categories that stay are divided once, so that they are level from end to end, and then kept
 * to the height of the whole. */
static void divide_staying(struct plot *t) {
    double due[PAGE_PARTS], sum = 0;
    int given = 0;
    for (size_t i = 0; i < t->staying; i++) {
        sum += (double)bytes_of(t, 0, i);
        due[i] = (double)bytes_of(t, 0, i) / t->row_bytes * t->unit;
    }
    t->base = height_of(t, sum);
    page_divide(due, (int)t->staying, t->unit, t->stays);
    for (size_t i = 0; i < t->staying; i++) given += t->stays[i];
    for (; t->staying && given > t->base; given--) t->stays[furthest_off(t, due, 1)]--;
    for (; t->staying && given < t->base; given++) t->stays[furthest_off(t, due, -1)]++;
}

/* The part that a row of whole cells shows. Rows of parts that stay are divided once. Each row
 * above them shows the part that has most of it, or the lower of two that have as much. */
static size_t owner_of(const struct plot *t, size_t moment, int row) {
    size_t most = 0;
    double from = 0, widest = 0;
    if (row < t->base) {
        for (int end = t->stays[0]; end <= row; end += t->stays[++most])
            ;
        return most;
    }
    for (size_t i = 0; i < t->parts; i++) {
        double to = from + (double)bytes_of(t, moment, i) / t->row_bytes,
               has = fmin(to, row + 1) - fmax(from, row);
        if (i >= t->staying && (widest > 0 ? has > widest + 1e-9 : to > from)) most = i;
        if (i >= t->staying) widest = fmax(widest, has);
        from = to;
    }
    return most;
}

/* Where each part of a moment's column ends, in units: where its bytes do, so that a category that
 * is level for a while is drawn so. */
static void divide_column(const struct plot *t, size_t moment, int ends[PAGE_PARTS]) {
    int total = height_of(t, (double)t->moment[moment].ledger.total), end = 0;
    double sum = 0;
    for (size_t i = 0; i < t->parts; i++) {
        bool last = i + 1 == t->parts;
        sum += (double)bytes_of(t, moment, i);
        end = i < t->staying ? end + t->stays[i] : (int)lround(sum / t->row_bytes * t->unit);
        if (i < t->staying)
            ends[i] = end;
        else
            ends[i] = last || end > total ? total : end < t->base ? t->base : end;
    }
}

/* Whether a moment is drawn at another height than was predicted. Of one that is not, the top of
 * its column is what was predicted. */
static bool is_missed(const struct plot *t, size_t moment) {
    if (!t->predicted || !t->predicted[moment]) return false;
    return height_of(t, (double)t->predicted[moment]) !=
           height_of(t, (double)t->moment[moment].ledger.total);
}

static bool any_missed(const struct plot *t) {
    for (size_t i = 0; i < t->count; i++)
        if (is_missed(t, i)) return true;
    return false;
}

/* ── columns ───────────────────────────────────────────────────────────────────────────────────*/
/* All moments are as wide as each other if that fills most of the columns. */
static int use_cells(int capacity, size_t count) {
    int n = (int)count, even = n <= capacity ? capacity / n * n : 0;
    return 8 * even >= 7 * capacity ? even : capacity;
}

/* The first moment at a column; t->count behind the last. */
static size_t moment_from(const struct plot *t, int column) {
    return (size_t)column * t->count / (size_t)t->cells;
}

/* The moment that a column shows: the highest of its own, of which it has at least one. */
static size_t moment_at(const struct plot *t, int column) {
    size_t best = moment_from(t, column), end = moment_from(t, column + 1);
    for (size_t i = best + 1; i < end; i++)
        if (i == t->peak ||
            (best != t->peak && t->moment[i].ledger.total > t->moment[best].ledger.total))
            best = i;
    return best;
}

/* The columns [*from, *to) that show a moment of [first, end). False if there are none. */
static bool columns_of(const struct plot *t, size_t first, size_t end, int *from, int *to) {
    *from = *to = -1;
    for (int column = 0; column < t->cells; column++) {
        size_t i = moment_at(t, column);
        if (i < first || i >= end) continue;
        if (*from < 0) *from = column;
        *to = column + 1;
    }
    return *from >= 0;
}

/* ── cells ─────────────────────────────────────────────────────────────────────────────────────*/
static void put_at(struct page *p, const struct plot *t, int level, int column, unsigned role,
                   const char *text) {
    page_put(p, t->top + t->canvas - 1 - level, t->left + column, role, 0, text);
}

static void put_cell(struct page *p, const struct plot *t, int row, int column, unsigned role,
                     const char *text) {
    put_at(p, t, level_of(t, row), column, role, text);
}

/* The two parts that have most of a row, the lower first, and what they have. */
struct tones {
    size_t part[2];
    int units[2], count, filled;
};

static void add_tone(struct tones *o, size_t part, int units) {
    if (o->count < 2) {
        o->part[o->count] = part;
        o->units[o->count++] = units;
        return;
    }
    int least = o->units[0] <= o->units[1] ? 0 : 1;
    if (units <= o->units[least]) return;
    if (least == 0) o->part[0] = o->part[1], o->units[0] = o->units[1];
    o->part[1] = part;
    o->units[1] = units;
}

static struct tones tones_of(const struct plot *t, const int *ends, int row) {
    struct tones o = {0};
    int from = row * t->unit, to = from + t->unit;
    for (size_t i = 0; i < t->parts; i++) {
        int low = i && ends[i - 1] > from ? ends[i - 1] : from, high = ends[i] < to ? ends[i] : to;
        if (high <= low) continue;
        add_tone(&o, i, high - low);
        o.filled += high - low;
    }
    return o;
}

/* A cell has one tone, one and the blank above it, or two. */
static void draw_cell(struct page *p, struct plot *t, int row, int column, struct tones o) {
    size_t most = o.count > 1 && o.units[1] > o.units[0] ? 1 : 0;
    unsigned c = t->order[o.part[most]], above = t->order[o.part[1]];
    if (o.filled == t->unit && o.count == 2 && t->unit > 1) {
        int low = (int)lround((double)t->unit * o.units[0] / (o.units[0] + o.units[1]));
        c = t->order[o.part[0]];
        t->drawn[c] = t->drawn[above] = true;
        low = low < 1 ? 1 : low >= t->unit ? t->unit - 1 : low;
        put_cell(p, t, row, column, PAGE_EDGE + c * ACCOUNT_CATEGORIES + above, heights[low]);
        return;
    }
    t->drawn[c] = true;
    if (o.filled < t->unit)
        put_cell(p, t, row, column, PAGE_END(c), heights[o.filled]);
    else
        put_cell(p, t, row, column, PAGE_CATEGORY + c, page_fill(p, (enum account_category)c));
}

static void draw_columns(struct page *p, struct plot *t) {
    int ends[PAGE_PARTS] = {0};
    size_t shown = SIZE_MAX;
    for (int column = 0; column < t->cells; column++) {
        size_t moment = moment_at(t, column);
        if (moment != shown) divide_column(t, moment, ends);
        shown = moment;
        for (int row = 0; t->parts && row * t->unit < ends[t->parts - 1]; row++)
            draw_cell(p, t, row, column,
                      t->unit == 1 ? (struct tones){{owner_of(t, moment, row)}, {1}, 1, 1}
                                   : tones_of(t, ends, row));
    }
}

/* ── lines over the columns ────────────────────────────────────────────────────────────────────*/
/* The first row that is above so many bytes. */
static int row_above(const struct plot *t, double bytes) {
    return (height_of(t, bytes) + t->unit - 1) / t->unit;
}

static void draw_lines(struct page *p, const struct plot *t) {
    for (int column = 0; column < t->cells; column++) {
        size_t i = moment_at(t, column);
        if (is_missed(t, i))
            put_cell(p, t, row_above(t, (double)t->predicted[i]), column, PAGE_STRONG,
                     predicted_line);
        if (limit_is_drawn(t)) put_at(p, t, limit_row(t), column, PAGE_LIMIT, limit_line);
    }
}

/* Where the peak's name goes: on the side of its pointer that has columns for it; else across it,
 * in a row of its own; else (-1) it does not fit. */
struct place {
    int pointer, row, column;
};

static struct place place_name(const struct page *p, struct page_flow f, const struct plot *t) {
    int from, to, end = f.indent + f.width - t->left;
    char *name = page_curve_name(t->curve);
    int width = page_measure(p, name);
    columns_of(t, t->peak, t->peak + 1, &from, &to);
    struct place at = {.pointer = (from + to - 1) / 2, .row = t->name};
    at.column = at.pointer + 2 + width <= end ? at.pointer + 2 : at.pointer - 1 - width;
    if (at.column < 0) {
        at.row += limit_is_drawn(t) && t->name + 1 == limit_row(t) ? 2 : 1;
        at.column = at.pointer - width / 2;
        if (at.column + width > end) at.column = end - width;
        if (at.column < 0) at.column = width <= end ? 0 : -1;
    }
    free(name);
    return at;
}

/* A pointer down to the peak, and its name. */
static void draw_name(struct page *p, struct page_flow f, const struct plot *t) {
    struct place at = place_name(p, f, t);
    char *name = page_curve_name(t->curve);
    put_at(p, t, t->name, at.pointer, PAGE_STRONG, "▾");
    if (at.column >= 0) put_at(p, t, at.row, at.column, PAGE_STRONG, name);
    free(name);
}

/* ── around the columns ────────────────────────────────────────────────────────────────────────*/
static void draw_axis(struct page *p, const struct plot *t) {
    int foot = t->top + t->canvas;
    for (int row = 0; row < t->rows; row++) {
        put_cell(p, t, row, -1, PAGE_DIM, "│");
        if (!has_label(t, row)) continue;
        put_cell(p, t, row, -2, PAGE_DIM, edge_line);
        char *label = label_of(t, row);
        page_right(p, foot - 1 - level_of(t, row), t->left - 2, PAGE_DIM, label);
        free(label);
    }
    if (limit_is_drawn(t)) {
        char *label = page_bytes(t->curve->limit.bytes);
        put_at(p, t, limit_row(t), -1, PAGE_LIMIT, limit_line);
        page_right(p, foot - 1 - limit_row(t), t->left - 2, PAGE_LIMIT, label);
        free(label);
    }
    page_right(p, foot, t->left - 2, PAGE_DIM, "0");
    for (int i = -2; i < t->cells; i++) page_put(p, foot, t->left + i, PAGE_DIM, 0, edge_line);
}

/* "emb", "b3", "head": what a moment is called below its column. */
static char *short_name(const struct account_timepoint *m) {
    static const char *const stops[] = {[ACCOUNT_AT_EMBEDDINGS] = "emb",
                                        [ACCOUNT_AT_NORM] = "norm",
                                        [ACCOUNT_AT_HEAD] = "head",
                                        [ACCOUNT_AT_REST] = "end"};
    if (m->stop == ACCOUNT_AT_BLOCK) return base_format("b%u", m->block);
    if (m->stop != ACCOUNT_AT_ALL) return base_dup(stops[m->stop]);
    return base_dup(m->phase == ACCOUNT_UPDATE ? "step" : m->phase == ACCOUNT_INIT ? "init" : "");
}

/* A name is left out if it would touch one that is there. */
static void put_short_name(struct page *p, const struct plot *t, int row, size_t moment) {
    int from, to;
    char *name = short_name(&t->moment[moment]);
    bool is_free = columns_of(t, moment, moment + 1, &from, &to);
    for (int i = -1; is_free && i <= page_measure(p, name); i++)
        is_free = from + i < 0 || !strcmp(page_cell(p, row, t->left + from + i)->text, " ");
    if (is_free && t->left + from + page_measure(p, name) <= t->left + t->cells)
        page_put(p, row, t->left + from, PAGE_DIM, 0, name);
    free(name);
}

/* The names of single moments go before those of blocks. */
static void draw_short_names(struct page *p, const struct plot *t) {
    int row = p->height;
    page_blank(p, 1);
    put_short_name(p, t, row, t->peak);
    for (int blocks = 0; blocks < 2; blocks++)
        for (size_t i = 0; i < t->count; i++)
            if ((t->moment[i].stop == ACCOUNT_AT_BLOCK) == blocks) put_short_name(p, t, row, i);
}

static void draw_phases(struct page *p, const struct plot *t) {
    int row = p->height, from, to;
    for (size_t i = 0, end; i < t->count; i = end) {
        enum account_phase phase = t->moment[i].phase;
        for (end = i; end < t->count && t->moment[end].phase == phase;) end++;
        if (phase != ACCOUNT_FORWARD && phase != ACCOUNT_BACKWARD) continue;
        if (columns_of(t, i, end, &from, &to))
            page_bracket_phase(p, row, t->left + from, t->left + to, phase);
    }
}

/* The categories that are nowhere as high as a unit: "too thin to draw: workspace". The caller's;
 * NULL if there are none. */
static char *too_thin(const struct plot *t) {
    struct base_text names = {0};
    for (size_t i = 0; i < t->parts; i++) {
        enum account_category c = t->order[i];
        if (!t->drawn[c])
            base_text_printf(&names, "%s%s",
                             names.s ? ", " : "too thin to draw: ", account_category_words(c));
    }
    return names.s ? base_text_take(&names) : NULL;
}

/* In the order in which they are stacked; last those that no row shows, on rows of their own if
 * they are many. */
static void draw_legend(struct page *p, const struct plot *t, struct page_flow f) {
    int row = p->height, column = f.indent;
    char amount[32], *thin = too_thin(t);
    for (size_t i = 0; i < t->parts; i++) {
        enum account_category c = t->order[i];
        if (t->drawn[c])
            column = page_sign(p, f, &row, column, PAGE_CATEGORY + (unsigned)c, page_fill(p, c),
                               account_category_words(c));
    }
    if (any_missed(t))
        column = page_sign(p, f, &row, column, PAGE_STRONG, predicted_line,
                           "predicted, where it differs");
    if (limit_is_drawn(t)) {
        account_print_bytes(amount, sizeof amount, t->curve->limit.bytes);
        char *words = page_limit_words(&t->curve->limit, amount);
        column = page_sign(p, f, &row, column, PAGE_LIMIT, limit_line, words);
        free(words);
    }
    f.role = PAGE_DIM;
    if (thin && 2 + page_measure(p, thin) <= f.width)
        page_sign(p, f, &row, column, PAGE_DIM, "+", thin);
    else if (thin)
        page_say(p, f, "+ %s", thin);
    free(thin);
}

/* ── the whole ─────────────────────────────────────────────────────────────────────────────────*/
static int usual_rows(int width) {
    int rows = width / EIGHTHS;
    return rows < FEW_ROWS ? FEW_ROWS : rows > USUAL_ROWS ? USUAL_ROWS : rows;
}

static void lay_out(const struct page *p, struct page_flow f, struct plot *t) {
    const struct page_curve *c = t->curve;
    double most = fmax(highest(t), c->reach);
    if (limit_is_drawn(t)) most = fmax(most, c->limit.bytes);
    t->scale = (struct page_scale){.unit = c->unit};
    t->unit = page_has_colours(p) ? EIGHTHS : 1;
    t->rows = c->rows > 0 ? c->rows : usual_rows(f.width);
    /* on a page of thick bars it is as many times as high as they are thick */
    t->rows *= p->thick;
    t->rows = t->rows < LEAST_ROWS ? LEAST_ROWS : t->rows > MOST_ROWS ? MOST_ROWS : t->rows;
    t->rows -= limit_is_drawn(t);
    fit_axis(t, fmax(most, 1) / account_unit_scale(c->unit));
    t->left = f.indent + label_width(p, t) + 2;
    int capacity = f.indent + f.width - t->left;
    t->cells = use_cells(capacity < LEAST_CELLS ? LEAST_CELLS : capacity, t->count);
    divide_staying(t);
    t->name = level_of(t, row_above(t, highest(t)) + any_missed(t));
    struct place at = place_name(p, f, t);
    int rows = at.column >= 0 ? at.row + 1 : t->name + 1, axis = t->rows + limit_is_drawn(t);
    t->canvas = rows < axis ? axis : rows;
}

static void draw_plot(struct page *p, struct page_flow f, struct plot *t) {
    if (place_name(p, f, t).column < 0) {
        char *name = page_curve_name(t->curve);
        page_text(p, (struct page_flow){.indent = f.indent, .width = f.width, .role = PAGE_STRONG},
                  name);
        free(name);
    }
    t->top = p->height;
    page_blank(p, t->canvas);
    draw_columns(p, t);
    draw_lines(p, t);
    draw_name(p, f, t);
    draw_axis(p, t);
    draw_short_names(p, t);
    draw_phases(p, t);
}

void page_curve(struct page *p, struct page_flow f, const struct page_curve *curve) {
    struct plot t = {.curve = curve};
    f = page_flow_fit(p, f);
    if (curve->count == 0) return;
    if (!p->spoken) {
        choose_moments(&t);
        choose_order(&t);
        lay_out(p, f, &t);
        draw_plot(p, f, &t);
        if (curve->legend) draw_legend(p, &t, f);
    }
    char *sentence = p->tight ? NULL : page_curve_say(curve);
    if (sentence) page_text(p, f, sentence);
    free(sentence);
}
