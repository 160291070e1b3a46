/* Numbers with a unit: alone, as a range, in lists whose last one alone has the unit, in cells whose unit stands in the head. */
#include "memo.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

struct reading {
    struct memo *m;
    size_t block;
    size_t list[16]; /* figures of the open list, by their numbers' tokens */
    size_t listed;
    struct memo_table table; /* the one last looked at */
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
    f->is_sum = memo_is_mark(t, i - 1, '=') || memo_is_mark(t, i - 1, 0x2192) ||
                memo_is_mark(t, i - 1, 0x21D2);
    for (size_t k = 0; k < BASE_COUNT(before); k++)
        for (size_t n = 1; n <= 3 && n <= i; n++)
            if (memo_is_phrase(t, i - n, before[k].phrase) == n) {
                f->hedged |= before[k].hedged;
                if (!f->hedged) f->bound = before[k].bound;
            }
    bool via = f->dimension == MEMO_BYTE_RATE && memo_is_phrase(t, i - 1, "over");
    if (via) f->bound = MEMO_EXACT; /* "over 100 Gb/s Ethernet" */
}

/* "GB/GPU", "GB/step/rank", "tokens/s/GPU" */
static void read_after(const struct memo *m, struct memo_figure *f) {
    static const char *const ranks[] = {"gpu", "rank", "card", "device", NULL}, *const steps[] = {
                                                                                    "step",
                                                                                    "iteration",
                                                                                    "update", NULL};
    const struct memo_text *t = &m->text;
    for (size_t i = f->end; memo_is_mark(t, i, '/'); i += 2) {
        bool rank = false, step = false;
        rank |= memo_is_any(t, i + 1, ranks);
        step |= memo_is_any(t, i + 1, steps);
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

static bool is_between(const struct memo_text *t, size_t i) {
    return i > 0 && memo_is_phrase(t, i - 1, "between");
}

/* "48 750 MB": groups of three, parted by blanks; how many tokens they take more, their value in *out. */
static size_t blank_groups(const struct memo *m, size_t i, size_t end, double *out) {
    const struct memo_token *t = m->text.token;
    size_t n = 0;
    struct memo_unit unit;
    *out = t[i].value;
    bool digits = isdigit((unsigned char)m->text.raw[t[i].start]); /* and not "one 100 Gb/s NIC" */
    if (!digits || t[i].length > 3 || t[i].last != 0 || is_mentioned(m, i)) return 0;
    for (; is_number(m, i + n + 1, end) && t[i + n + 1].length == 3 && t[i + n + 1].last == 0; n++)
        *out = 1000 * *out + t[i + n + 1].value;
    return n && t[i].value >= 1 && memo_unit_at(m, i + n + 1, &unit) ? n : 0;
}

enum sort { ONE, RANGE, CHANGE, AROUND };
struct span { /* of two numbers: "26–27 GB", "26 GB to 27 GB", "67 ± 1 GB"; or of one */
    size_t first, last, end;
    struct memo_unit unit;
    enum sort sort;
};

static size_t around_sign(const struct memo_text *t, size_t i) {
    if (memo_is_mark(t, i, 0xB1)) return 1;
    bool ascii =
        memo_is_mark(t, i, '+') && memo_is_mark(t, i + 1, '/') && memo_is_mark(t, i + 2, '-');
    return ascii ? 3 : memo_is_phrase(t, i, "plus or minus");
}

/* "from 67 to 83 GB" and "300 to 67 GB" say what changes; a dash, and "66 to 68 GB", what it lies between. */
static enum sort sort_of(const struct memo_text *t, size_t first, size_t sign, size_t last) {
    if (!memo_is_phrase(t, sign, "to")) return RANGE;
    bool from = first > 0 && memo_is_phrase(t, first - 1, "from");
    bool ranges = first > 1 && memo_is_phrase(t, first - 2, "range");
    bool falls = t->token[first].value > t->token[last].value;
    return falls || (from && !ranges) ? CHANGE : RANGE;
}

/* "26 GB → 3.25 GB", and neither "208 GB / 8 → 26 GB" nor "67.0 GB → 18.9 GB to spare" */
static bool is_arrow(const struct memo *m, size_t i, size_t at) {
    static const char *const passed[] = {"of", "to", "for", NULL};
    const struct memo_text *t = &m->text;
    struct memo_unit unit;
    if (!memo_is_mark(t, at, 0x2192) || (i > 0 && memo_is_sign(t, i - 1))) return false;
    size_t end = at + 2 + memo_unit_at(m, at + 2, &unit);
    if (memo_is_mark(t, end, 0x2192) || memo_is_sign(t, end)) return false;
    end += memo_is_any(t, end, passed) ? 1 : 0;
    size_t k = memo_mention_from(m, end);
    return k == m->mentions || m->mention[k].first > end || m->mention[k].says != MEMO_ABOUT;
}

/* What stands at number `i`; false where that has no unit. */
static bool read_span(const struct memo *m, size_t i, size_t end, struct span *out) {
    const struct memo_text *t = &m->text;
    struct memo_unit other;
    size_t n = memo_unit_at(m, i + 1, &out->unit), at = i + 1 + n, sign;
    *out = (struct span){i, i, at, out->unit, ONE};
    if ((sign = around_sign(t, at)))
        out->sort = AROUND;
    else if ((sign = range_sign(t, at)))
        out->sort = RANGE;
    else if (is_between(t, i) && memo_is_phrase(t, at, "and"))
        sign = 1, out->sort = RANGE;
    else if (is_arrow(m, i, at))
        sign = 1, out->sort = CHANGE;
    size_t last = at + sign,
           k = sign && is_number(m, last, end) ? memo_unit_at(m, last + 1, &other) : 0;
    bool own = n || !is_mentioned(m, i); /* "ZeRO-1 — 71.5 GB" */
    bool same = k && own &&
                (!n || (other.dimension == out->unit.dimension && other.scale == out->unit.scale));
    if (!same) return out->sort = ONE, n > 0;
    if (out->sort == RANGE) out->sort = sort_of(t, i, at, last);
    out->last = last;
    out->end = last + 1 + k;
    out->unit = other;
    return true;
}

/* Two figures: the first is of what it was before. */
static void put_change(struct reading *r, const struct span *s) {
    const struct {
        size_t first, end;
        enum memo_change change;
    } side[] = {
        {s->first, s->first + 1, MEMO_FROM},
        {s->last,  s->end,       MEMO_TO  }
    };
    for (size_t i = 0; i < BASE_COUNT(side); i++) {
        struct memo_figure *f = put(r, side[i].first, side[i].first, side[i].end, &s->unit);
        if (!f) return;
        f->change = side[i].change;
        f->is_sum = false;
        f->place = i;
        f->of = BASE_COUNT(side);
    }
}

static void put_span(struct reading *r, const struct span *s) {
    if (s->sort == CHANGE) {
        put_change(r, s);
        return;
    }
    struct memo_figure *f = put(r, s->first, s->last, s->end, &s->unit);
    if (!f) return;
    if (s->sort == AROUND) {
        double by = f->high;
        f->high = f->low + by;
        f->low -= by;
        f->range = true;
    }
    if (f->low > f->high) {
        double low = f->high;
        f->high = f->low;
        f->low = low;
    }
    f->place = r->listed;
    f->of = r->listed + 1;
}

/* "see row 1, 3.9 GB too much" */
static bool is_label(const struct memo_text *t, size_t i) {
    static const char *const words[] = {"row",    "column", "line",    "table",
                                        "figure", "fig",    "section", NULL};
    return memo_is_any(t, i, words);
}

/* "four 4090s" are no seconds. */
static bool is_card(const struct memo_text *t, size_t i) {
    char name[40];
    bool plural = memo_is_phrase(t, i + 1, "s") && t->token[i + 1].glued;
    snprintf(name, sizeof name, "rtx-%.0f", t->token[i].value);
    return plural && account_card_find(name);
}

/* At a number: a figure, a place in a list, or nothing. Returns the token after it. */
static size_t read_number(struct reading *r, size_t i, size_t end) {
    const struct memo_text *t = &r->m->text;
    struct span span;
    double grouped;
    if ((i > 0 && is_label(t, i - 1)) || is_card(t, i)) return r->listed = 0, i + 1;
    if (i > 0 && (memo_is_mark(t, i - 1, '$') || memo_is_mark(t, i - 1, 0x20AC)))
        return r->listed = 0, i + 1;                                       /* money */
    if (i > 0 && memo_is_mark(t, i - 1, '^')) return r->listed = 0, i + 1; /* "2^30 bytes" */
    size_t groups = blank_groups(r->m, i, end, &grouped);
    if (groups) {
        struct memo_token *last = &r->m->text.token[i + groups];
        last->value = grouped;
        last->digits += 3 * (int)groups;
        last->length += last->start - t->token[i].start;
        last->start = t->token[i].start;
        return i + groups;
    }
    if (read_span(r->m, i, end, &span)) {
        if (span.sort == ONE || memo_unit_at(r->m, i + 1, &span.unit)) put_list(r, &span.unit);
        put_span(r, &span);
        r->listed = 0;
        return span.end;
    }
    size_t sign = comma_or_and(t, i + 1);
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
    bool known = memo_cell_unit(r->m, r->block, &r->table, &unit);
    if (!known && !memo_cell_wants_unit(r->m, r->block)) return false;
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
    char *end = clean; /* blanks become one */
    for (const char *c = clean; *c; c++)
        if (!isspace((unsigned char)*c))
            *end++ = *c;
        else if (end > clean && end[-1] != ' ')
            *end++ = ' ';
    *end = '\0';
    snprintf(out, size, "%s%s%s", clean, bare && *f->unit ? " " : "", bare ? f->unit : "");
    free(clean);
    return out;
}
