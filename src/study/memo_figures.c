/* Numbers with a unit: alone, as a range, in lists whose last one alone has the unit, in cells whose unit stands in the head. */
#include "memo.h"

#include <math.h>
#include <string.h>

struct reading {
    struct memo *m;
    size_t block;
    size_t list[16]; /* figures of the open list, by their numbers' tokens */
    size_t listed;
};

static bool is_number(const struct memo *m, size_t i, size_t end) {
    return i < end && m->text.token[i].kind == MEMO_NUMBER;
}

static struct memo_figure *add(struct memo *m) {
    if (m->figures == MEMO_FIGURES) {
        m->figures_left++;
        return NULL;
    }
    if (m->figures == m->figure_room) {
        m->figure_room = m->figure_room ? 2 * m->figure_room : 64;
        m->figure = base_grow(m->figure, m->figure_room, sizeof *m->figure);
    }
    m->figure[m->figures] = (struct memo_figure){0};
    return &m->figure[m->figures++];
}

static size_t range_sign(const struct memo_text *t, size_t i) {
    bool sign = memo_is_mark(t, i, 0x2013) || memo_is_mark(t, i, '-') ||
                memo_is_mark(t, i, 0x2014) || memo_is_phrase(t, i, "to");
    return sign ? 1 : 0;
}

/* ── what stands before ──────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *phrase;
    enum memo_bound bound;
    bool hedged;
} before[] = {
    {"about",         MEMO_EXACT,    true },
    {"roughly",       MEMO_EXACT,    true },
    {"around",        MEMO_EXACT,    true },
    {"approximately", MEMO_EXACT,    true },
    {"approx",        MEMO_EXACT,    true },
    {"circa",         MEMO_EXACT,    true },
    {"some",          MEMO_EXACT,    true },
    {"nearly",        MEMO_EXACT,    true },
    {"almost",        MEMO_EXACT,    true },
    {"just over",     MEMO_EXACT,    true },
    {"just under",    MEMO_EXACT,    true },
    {"less than",     MEMO_AT_MOST,  false},
    {"under",         MEMO_AT_MOST,  false},
    {"below",         MEMO_AT_MOST,  false},
    {"at most",       MEMO_AT_MOST,  false},
    {"no more than",  MEMO_AT_MOST,  false},
    {"more than",     MEMO_AT_LEAST, false},
    {"over",          MEMO_AT_LEAST, false},
    {"above",         MEMO_AT_LEAST, false},
    {"at least",      MEMO_AT_LEAST, false},
};

static void read_before(const struct memo *m, struct memo_figure *f) {
    const struct memo_text *t = &m->text;
    size_t i = f->first;
    if (i == 0) return;
    bool about = memo_is_mark(t, i - 1, '~') || memo_is_mark(t, i - 1, 0x2248);
    if (memo_is_mark(t, i - 1, '<') || memo_is_mark(t, i - 1, 0x2264)) f->bound = MEMO_AT_MOST;
    if (memo_is_mark(t, i - 1, '>') || memo_is_mark(t, i - 1, 0x2265)) f->bound = MEMO_AT_LEAST;
    f->hedged = about;
    f->is_sum = memo_is_mark(t, i - 1, '=');
    for (size_t k = 0; k < BASE_COUNT(before); k++)
        for (size_t n = 1; n <= 3 && n <= i; n++)
            if (memo_is_phrase(t, i - n, before[k].phrase) == n) {
                f->hedged |= before[k].hedged;
                if (!f->hedged) f->bound = before[k].bound;
            }
}

/* "GB/GPU", "GB/step/rank", "tokens/s/GPU" */
static void read_after(const struct memo *m, struct memo_figure *f) {
    static const char *const ranks[] = {"gpu", "rank", "card", "device"}, *const steps[] = {
                                                                              "step", "iteration",
                                                                              "update"};
    const struct memo_text *t = &m->text;
    for (size_t i = f->end; memo_is_mark(t, i, '/'); i += 2) {
        bool rank = false, step = false;
        for (size_t k = 0; k < BASE_COUNT(ranks); k++) rank |= memo_is_phrase(t, i + 1, ranks[k]);
        for (size_t k = 0; k < BASE_COUNT(steps); k++) step |= memo_is_phrase(t, i + 1, steps[k]);
        if (!rank && !step) return;
        f->per_gpu |= rank;
        f->per_step |= step;
    }
}

/* ── figures ─────────────────────────────────────────────────────────────────────────────────────*/
/* The parameter of "bytes per parameter" is no subject of its own. */
static void hush(struct memo *m, const struct memo_figure *f) {
    for (size_t k = memo_mention_from(m, f->first); k < m->mentions && m->mention[k].first < f->end;
         k++)
        if (m->mention[k].says == MEMO_ABOUT) m->mention[k].value = MEMO_NOTHING;
}

static struct memo_figure *put(struct reading *r, size_t first, size_t last, size_t end,
                               const struct memo_unit *unit) {
    struct memo_figure *f = add(r->m);
    const struct memo_token *low = &r->m->text.token[first], *high = &r->m->text.token[last];
    if (!f) return NULL;
    f->first = first;
    f->end = end;
    f->block = r->block;
    f->low = low->value * unit->scale;
    f->high = high->value * unit->scale;
    f->half = pow(10, high->last) / 2 * unit->scale * (1 + 1e-9);
    f->digits = high->digits;
    f->range = first != last;
    f->bits = unit->bits;
    f->coarse = unit->coarse;
    f->dimension = unit->dimension;
    f->scale = unit->scale;
    f->unit = unit->name;
    f->of = 1;
    read_before(r->m, f);
    read_after(r->m, f);
    if (f->dimension == MEMO_BYTES_PER_PARAM) hush(r->m, f);
    if (f->low > f->high) f->range = false, f->low = f->high;
    return f;
}

/* The numbers before, in a list that this unit ends, are figures of it as well. */
static void put_list(struct reading *r, const struct memo_unit *unit) {
    size_t count = r->listed + 1;
    for (size_t i = 0; i < r->listed; i++) {
        struct memo_figure *f = put(r, r->list[i], r->list[i], r->list[i] + 1, unit);
        if (f) f->place = i, f->of = count;
    }
}

/* What may part the numbers of a list. */
static size_t comma_or_and(const struct memo_text *t, size_t i) {
    size_t comma = memo_is_mark(t, i, ',') || memo_is_mark(t, i, '/') ? 1 : 0;
    size_t word = memo_is_phrase(t, i + comma, "and") || memo_is_phrase(t, i + comma, "or") ||
                  memo_is_phrase(t, i + comma, "against");
    return comma + word;
}

static bool is_mentioned(const struct memo *m, size_t i) {
    size_t k = memo_mention_from(m, i);
    return k < m->mentions && m->mention[k].first <= i;
}

/* "from 48.75 GB to 26 GB": two figures, and no range. */
static bool is_change(const struct memo_text *t, size_t low, size_t high) {
    return (low > 0 && memo_is_phrase(t, low - 1, "from")) ||
           t->token[low].value > t->token[high].value;
}

static size_t put_change(struct reading *r, size_t low, size_t high, size_t n,
                         const struct memo_unit *unit) {
    const size_t number[] = {low, high};
    for (size_t i = 0; i < 2; i++) {
        struct memo_figure *f = put(r, number[i], number[i], number[i] + 1 + n, unit);
        if (f) f->place = i, f->of = 2;
    }
    return high + 1 + n;
}

/* At a number: a figure, a place in a list, or nothing. Returns the token after it. */
static size_t read_number(struct reading *r, size_t i, size_t end) {
    const struct memo_text *t = &r->m->text;
    struct memo_unit unit, other;
    bool money = i > 0 && (memo_is_mark(t, i - 1, '$') || memo_is_mark(t, i - 1, 0x20AC));
    size_t n = memo_unit_at(r->m, i + 1, &unit);
    if (money) r->listed = 0;
    if (money) return i + 1;
    if (n) {
        size_t at = i + 1 + n, sign = range_sign(t, at), last = i;
        bool range = sign && is_number(r->m, at + sign, end) &&
                     memo_unit_at(r->m, at + sign + 1, &other) &&
                     other.dimension == unit.dimension && other.scale == unit.scale;
        bool change = range && is_change(t, i, at + sign);
        put_list(r, &unit);
        if (change && r->listed == 0) return put_change(r, i, at + sign, n, &unit);
        if (range) last = at + sign, at = last + 1 + n; /* "26 GB to 27 GB" */
        struct memo_figure *f = put(r, i, last, at, &unit);
        if (f) f->place = r->listed, f->of = r->listed + 1;
        r->listed = 0;
        return at;
    }
    size_t sign = range_sign(t, i + 1), last = i + 1 + sign;
    if (sign && is_number(r->m, last, end) && (n = memo_unit_at(r->m, last + 1, &unit))) {
        put(r, i, last, last + 1 + n, &unit); /* "26–27 GB" */
        r->listed = 0;
        return last + 1 + n;
    }
    sign = comma_or_and(t, i + 1);
    bool more = sign && is_number(r->m, i + 1 + sign, end) && !is_mentioned(r->m, i) &&
                r->listed < BASE_COUNT(r->list);
    if (more) r->list[r->listed++] = i;
    if (!more) r->listed = 0;
    return more ? i + 1 + sign : i + 1;
}

/* "1.5× the traffic", "half of stage 2" */
static size_t read_ratio(struct reading *r, size_t i) {
    struct memo_ratio ratio;
    size_t n = is_mentioned(r->m, i) ? 0 : memo_ratio_at(r->m, i, &ratio);
    struct memo_figure *f = n ? add(r->m) : NULL;
    if (!f) return 0;
    f->first = i;
    f->end = i + n;
    f->block = r->block;
    f->low = f->high = ratio.value;
    f->half = ratio.half * (1 + 1e-9);
    f->digits = ratio.digits;
    f->dimension = MEMO_RATIO;
    f->scale = 1;
    f->unit = "";
    f->of = 1;
    read_before(r->m, f);
    return n;
}

static bool unit_within(const struct memo *m, struct memo_range r, struct memo_unit *out) {
    for (size_t i = r.first; i < r.end; i++) {
        bool after = i > r.first &&
                     (memo_is_mark(&m->text, i - 1, '(') || memo_is_mark(&m->text, i - 1, ',') ||
                      memo_is_mark(&m->text, i - 1, '[') || memo_is_phrase(&m->text, i - 1, "in"));
        if ((after || i == r.first) && memo_unit_at(m, i, out)) return true;
    }
    return false;
}

/* "(all in GB)": a line beside the table. */
static bool unit_beside(const struct memo *m, size_t block, struct memo_unit *out) {
    size_t first = block, last = block;
    while (first > 0 && m->block[first].cell) first--;
    while (last + 1 < m->blocks && m->block[last].cell) last++;
    const size_t beside[] = {first, last};
    for (size_t k = 0; k < BASE_COUNT(beside); k++) {
        const struct memo_range r = m->block[beside[k]].tokens;
        for (size_t i = r.first; i + 1 < r.end && !m->block[beside[k]].cell; i++)
            if (memo_is_phrase(&m->text, i, "in") && memo_unit_at(m, i + 1, out)) return true;
    }
    return false;
}

/* Something that is counted in bytes stands over the cell, and no unit anywhere. */
static bool wants_unit(const struct memo *m, const struct memo_block *b) {
    return memo_says(m, b->row, MEMO_ABOUT) || memo_says(m, b->column, MEMO_ABOUT);
}

/* A cell that is nothing but a number takes its unit from its column, or from its row. */
static bool read_bare_cell(struct reading *r, const struct memo_block *b) {
    struct memo_unit unit;
    size_t i = b->tokens.first;
    while (i < b->tokens.end &&
           (memo_is_mark(&r->m->text, i, '*') || memo_is_mark(&r->m->text, i, '~')))
        i++;
    bool bare = b->cell && is_number(r->m, i, b->tokens.end) && b->row.end > b->row.first &&
                b->row.first != b->tokens.first;
    for (size_t k = i + 1; bare && k < b->tokens.end; k++) bare = memo_is_mark(&r->m->text, k, '*');
    if (!bare) return false;
    static const struct memo_unit none = {.dimension = MEMO_BYTES, .scale = 1, .name = ""};
    bool known = unit_within(r->m, b->column, &unit) || unit_within(r->m, b->row, &unit) ||
                 unit_beside(r->m, r->block, &unit);
    if (!known && !wants_unit(r->m, b)) return false;
    return put(r, i, i, i + 1, known ? &unit : &none) != NULL;
}

static void read_block(struct reading *r, const struct memo_block *b) {
    r->listed = 0;
    if (read_bare_cell(r, b)) return;
    for (size_t i = b->tokens.first, n; i < b->tokens.end;) {
        if ((n = read_ratio(r, i)))
            i += n, r->listed = 0;
        else if (is_number(r->m, i, b->tokens.end))
            i = read_number(r, i, b->tokens.end);
        else
            i++, r->listed = 0;
    }
}

void memo_read_figures(struct memo *m) {
    struct reading r = {.m = m};
    for (r.block = 0; r.block < m->blocks; r.block++) read_block(&r, &m->block[r.block]);
}

char *memo_figure_text(const struct memo *m, const struct memo_figure *f, char *out, size_t size) {
    const struct memo_token *first = &m->text.token[f->first], *last = &m->text.token[f->end - 1];
    size_t n = last->start + last->length - first->start;
    bool bare = f->end == f->first + 1 && m->text.token[f->first].kind == MEMO_NUMBER;
    char *clean = base_clean_dup(m->text.raw + first->start, n, 48);
    for (char *c = clean; *c; c++)
        if (*c == '\n' || *c == '\t') *c = ' ';
    snprintf(out, size, "%s%s%s", clean, bare && *f->unit ? " " : "", bare ? f->unit : "");
    free(clean);
    return out;
}
