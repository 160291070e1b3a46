/* Arithmetic that stands before a figure, "2 bytes × 13e9 / 8 = 3.25 GB": whether it comes to it. */
#include "memo.h"

#include <math.h>
#include <string.h>

bool memo_is_sign(const struct memo_text *t, size_t i) {
    static const uint32_t signs[] = {'+', '/', '*', 0xD7, 0xF7, 0xB7, 0x2212};
    for (size_t k = 0; k < BASE_COUNT(signs); k++)
        if (memo_is_mark(t, i, signs[k])) return true;
    return memo_is_phrase(t, i, "times") || memo_is_phrase(t, i, "minus");
}

bool memo_is_operand(const struct memo *m, const struct memo_figure *f) {
    const struct memo_text *t = &m->text;
    size_t i = f->first;
    bool after = memo_is_sign(t, f->end) && f->end + 1 < t->tokens &&
                 t->token[f->end + 1].kind == MEMO_NUMBER;
    bool alone = i > 0 && t->token[i].glued && !t->token[i - 1].glued; /* "+3.25 GB" */
    bool told = i > 1 && (t->token[i - 2].kind == MEMO_NUMBER || t->token[i - 2].kind == MEMO_WORD);
    return after || (told && !alone && memo_is_sign(t, i - 1));
}

bool memo_begins_sum(const struct memo *m, const struct memo_figure *f) {
    const struct memo_text *t = &m->text;
    bool sign = memo_is_mark(t, f->end, '+') || memo_is_mark(t, f->end, 0x2212);
    return sign && f->end + 1 < t->tokens && t->token[f->end + 1].kind == MEMO_NUMBER;
}

/* One side of an equation, read from its end to its beginning: products, and their sum. */
struct sum {
    const struct memo *m;
    size_t first; /* the first token that belongs to it */
    double product,
        total; /* of the open product, its last factor not yet in it; of those that are closed */
    bool scaled, plain; /* a term with a unit; one without */
    bool added;         /* more than one product */
    size_t numbers;
};

/* The sign before a term. */
static uint32_t sign_at(const struct memo_text *t, size_t i) {
    if (memo_is_phrase(t, i, "times")) return 0xD7;
    if (memo_is_phrase(t, i, "minus")) return 0x2212;
    if (t->token[i].kind != MEMO_MARK) return 0;
    switch (t->token[i].mark) {
    case '*':
    case 0xB7: return 0xD7;
    case '/': return 0xF7;
    case '-': return 0x2212;
    default: return t->token[i].mark;
    }
}

/* The number that ends before token `end`: with its unit, with the word that names it, or alone. Its first token, or `end` for none. */
static size_t number_before(const struct sum *s, size_t end, double *value, bool *scaled) {
    const struct memo *m = s->m;
    enum { UNIT_MOST = 4 };
    size_t k = end ? memo_mention_from(m, end - 1) : m->mentions;
    if (k < m->mentions && m->mention[k].says == MEMO_COUNT_SAID && m->mention[k].end == end) {
        *value = 1e9 * m->mention[k].value; /* "13B parameters" */
        *scaled = false;
        return m->mention[k].first;
    }
    for (size_t n = 1; n <= UNIT_MOST && n <= end; n++) {
        size_t i = end - n;
        if (m->text.token[i].kind == MEMO_BLOCK || m->text.token[i].kind == MEMO_STOP) return end;
        if (m->text.token[i].kind != MEMO_NUMBER) continue;
        struct memo_unit unit;
        size_t taken = memo_unit_at(m, i + 1, &unit);
        bool bytes =
            taken && (unit.dimension == MEMO_BYTES || unit.dimension == MEMO_BYTES_PER_PARAM);
        if (taken && !bytes) return end;
        bool label = i + 1 + taken + 1 == end && m->text.token[end - 1].kind == MEMO_WORD &&
                     !m->text.token[end - 1].glued;
        if (i + 1 + taken != end && !(label && taken)) return end;
        *value = m->text.token[i].value * (taken ? unit.scale : 1);
        *scaled = taken > 0;
        return i;
    }
    return end;
}

/* Reads the side that ends before `end`; false where anything in it is not plainly a sum of products. */
static bool read_side(struct sum *s, size_t end, size_t stop) {
    const struct memo_text *t = &s->m->text;
    double factor = 1; /* of what is divided by later factors */
    while (true) {
        double value = 0;
        bool scaled = false;
        size_t i = number_before(s, end, &value, &scaled);
        if (i == end) return false;
        s->numbers++;
        s->scaled |= scaled;
        uint32_t sign = i > stop ? sign_at(t, i - 1) : 0;
        bool times = sign == 0xD7, over = sign == 0xF7;
        if (over && value == 0) return false;
        s->plain |= !scaled && !times && !over && fabs(factor - 1) < 1e-12;
        factor *= over ? 1 / value : value;
        s->first = i;
        if (!times && !over) {
            s->total += sign == 0x2212 ? -factor : factor;
            factor = 1;
            s->added |= sign == '+' || sign == 0x2212;
            if (sign != '+' && sign != 0x2212) return true;
        }
        end = i - 1;
    }
}

/* What may stand before it: words, a comma, a colon; a bracket or a percent sign may change what it says. */
static bool begins_plainly(const struct memo_text *t, size_t first, size_t stop) {
    if (first == stop) return true;
    const struct memo_token *before = &t->token[first - 1];
    bool mark = before->kind == MEMO_MARK &&
                (before->mark == ':' || before->mark == ',' || before->mark == '=');
    bool word = before->kind == MEMO_WORD && !t->token[first].glued;
    static const char *const goes_on[] = {"by",    "over",    "of",   "plus",
                                          "minus", "divided", "than", NULL};
    if (memo_is_any(t, first - 1, goes_on)) return false;
    return mark || word || before->kind == MEMO_STOP;
}

bool memo_sum_fails(const struct memo *m, const struct memo_figure *f, double *comes_to) {
    static const double off = 0.02;
    struct memo_range sentence = memo_sentence(m, &m->block[f->block], f->first);
    struct sum s = {.m = m};
    if (!f->is_sum || f->dimension != MEMO_BYTES || f->range || f->bound != MEMO_EXACT)
        return false;
    if (f > m->figure && memo_is_term(m, f - 1)) return false; /* memo_sums.c's */
    if (f->first < sentence.first + 3 || memo_is_sign(&m->text, f->end)) return false;
    if (!read_side(&s, f->first - 1, sentence.first) || s.numbers < 2) return false;
    if (!begins_plainly(&m->text, s.first, sentence.first)) return false;
    if (s.scaled && s.plain) return false;
    *comes_to = s.scaled ? s.total : s.total * f->scale;
    bool holds = *comes_to <= 0 || (!s.scaled && fabs(s.total - f->low) <= off * f->low);
    double gap = fabs(*comes_to - f->low);
    return !holds && gap > off * *comes_to && gap > f->half;
}
