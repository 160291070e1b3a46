/* What the engine makes of problems, answers and typed numbers. */
#include "account/outputs_inside.h"

/* ── problems ──────────────────────────────────────────────────────────────────────────────────*/

static void put_match(struct digest *d, const struct account_match *m) {
    digest_name(d, "mistake", m->mistake->id);
    digest_name(d, "also", m->also ? m->also->id : NULL);
    REAL(d, *m, value);
    TEXT(d, *m, arithmetic);
    TEXT(d, *m, wrong);
}

static void put_diagnosis(struct digest *d, const struct account_diagnosis *found) {
    digest_count(d, "diagnoses", found->count);
    for (size_t i = 0; i < found->count; i++) put_match(d, &found->match[i]);
}

static void put_judgement(struct digest *d, const struct account_judgement *j) {
    digest_name(d, "verdict", account_verdict_name(j->verdict));
    TEXT(d, *j, read_as);
    TEXT(d, *j, note);
    COUNT(d, *j, column);
    if (j->verdict != ACCOUNT_UNREADABLE) REAL(d, *j, value);
    if (j->verdict == ACCOUNT_MISTAKE || j->verdict == ACCOUNT_WRONG_UNIT)
        put_diagnosis(d, &j->diagnosis);
}

static void put_solution(struct digest *d, const struct account_solution *s) {
    digest_real(d, "solution", s->value);
    COUNT(d, *s, unit);
    COUNT(d, *s, lines);
    for (size_t i = 0; i < s->lines; i++) {
        NAME(d, s->line[i], id);
        TEXT(d, s->line[i], label);
        TEXT(d, s->line[i], formula);
        REAL(d, s->line[i], value);
        COUNT(d, s->line[i], unit);
        COUNT(d, s->line[i], rule);
        if (s->line[i].rule == ACCOUNT_STANDS) continue;
        COUNT(d, s->line[i], a);
        COUNT(d, s->line[i], b);
        REAL(d, s->line[i], times);
    }
}

static void put_problem_fields(struct digest *d, const struct account_problem *p) {
    static const char *const names[] = {"kind",   "quantity", "per",      "unit",
                                        "budget", "rank",     "tolerance"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[160];
        digest_name(d, names[i], account_problem_get(p, names[i], text, sizeof text));
    }
}

static void put_separation(struct digest *d, const struct account_problem *p,
                           const char *const *about, size_t count) {
    struct account_separation s = {0};
    account_separate(p, about, count, &s);
    digest_count(d, "legal", s.legal);
    REAL(d, s, tolerance);
    REAL(d, s, distance);
    NAME(d, s, a);
    NAME(d, s, b);
    if (!s.legal) NAME(d, s, missing);
}

/* What the verdict is on anything that people type. */
static void put_any_answers(struct digest *d, const struct account_problem *p, uint64_t *seed) {
    for (int i = 0; i < 4; i++) {
        struct account_judgement j = {0};
        char text[80];
        drawn_answer(seed, text, sizeof text);
        account_judge(p, text, &j);
        put_judgement(d, &j);
    }
}

/* Each mistake's number, and what the verdict is on it. */
static void put_mistakes(struct digest *d, const struct account_problem *p, enum account_unit u) {
    size_t count, kept = 0;
    const char *about[4] = {0};
    const struct account_mistake *mistakes = account_mistakes(&count);
    for (size_t i = 0; i < count; i++) {
        struct account_match m = {0};
        struct account_judgement j = {0};
        char text[80];
        if (!account_mistake_value(p, mistakes[i].id, &m)) continue;
        put_match(d, &m);
        if (kept < 4) about[kept++] = mistakes[i].id;
        account_judge(p, account_print(text, sizeof text, m.value, u, 4), &j);
        put_judgement(d, &j);
    }
    digest_count(d, "mistakes that apply", kept);
    put_separation(d, p, about, kept);
}

static void put_lines(struct digest *d, const struct account_problem *p,
                      const struct account_solution *s, uint64_t *seed) {
    double given[ACCOUNT_LINES];
    for (size_t i = 0; i < s->lines; i++) {
        struct account_judgement j = {0};
        char text[80];
        digest_real(d, "carried", account_carry(p, s, i, given));
        given[i] = s->line[i].value * (chance(seed) % 4 ? 1 : 1.25);
        account_judge_line(p, s, i, given,
                           account_print(text, sizeof text, given[i], s->line[i].unit, 3), &j);
        put_judgement(d, &j);
    }
}

void output_problem(struct digest *d, const struct account_training *t, uint64_t number) {
    uint64_t seed = number;
    struct account_error e = {0};
    struct account_solution s;
    if (!output_is_every(number, 5)) return;
    struct account_problem p = drawn_problem(t, &seed);
    put_problem_fields(d, &p);
    if (!output_answered(d, "solved", account_solve(&p, &s, &e), &e)) return;
    put_solution(d, &s);
    for (int i = 0; i < 3; i++) {
        static const double off[] = {1, 1.0737, 0.97};
        struct account_judgement j = {0};
        struct account_diagnosis found = {0};
        char text[80];
        account_judge(&p, account_print(text, sizeof text, s.value * off[i], s.unit, 4), &j);
        put_judgement(d, &j);
        account_diagnose(&p, s.value * off[i] * 2, &found);
        put_diagnosis(d, &found);
    }
    put_any_answers(d, &p, &seed);
    put_lines(d, &p, &s, &seed);
    put_mistakes(d, &p, s.unit);
}

/* ── whose number, what was typed ──────────────────────────────────────────────────────────────*/

#define OWNERS 12
void output_whose(struct digest *d, const struct account_training *t, uint64_t number) {
    struct account_error e = {0};
    struct account_owner o[OWNERS];
    struct account_ledger l;
    char text[80];
    if (!output_is_every(number, 50) || !account_ledger(t, &l, NULL)) return;
    account_print(text, sizeof text, (double)l.total, ACCOUNT_UNIT_GB, number % 100 ? 3 : 2);
    size_t count = account_whose(t, text, o, OWNERS, &e);
    digest_name(d, "whose", text);
    digest_count(d, "owners", count);
    if (count == 0) digest_text(d, "error", e.what);
    for (size_t i = 0; i < count && i < OWNERS; i++) {
        NAME(d, o[i], recipe);
        COUNT(d, o[i], stage);
        COUNT(d, o[i], unit);
        digest_name(d, "mistake", o[i].mistake ? o[i].mistake->id : NULL);
        NAME(d, o[i], quantity);
        REAL(d, o[i], value);
        TEXT(d, o[i], working);
    }
}

static void put_figure(struct digest *d, const char *text) {
    struct account_figure f = {0};
    const char *end = account_read_figure(text, &f);
    digest_count(d, "figure ends", end ? (uint64_t)(end - text) : UINT64_MAX);
    if (!end) return;
    REAL(d, f, low);
    REAL(d, f, high);
    REAL(d, f, half);
    REAL(d, f, loose);
    REAL(d, f, other);
    COUNT(d, f, digits);
    COUNT(d, f, hedged);
    COUNT(d, f, range);
    COUNT(d, f, bits);
    COUNT(d, f, measure);
    REAL(d, f, scale);
    NAME(d, f, unit);
}

static void put_readings(struct digest *d, const char *text) {
    struct account_error e = {0};
    struct account_reading r = {0};
    struct account_words w = {0};
    uint64_t count;
    double value;
    digest_name(d, "typed", text);
    if (output_answered(d, "answer", account_read_answer(text, &r, &e), &e)) {
        REAL(d, r, value);
        COUNT(d, r, explicit_unit);
        COUNT(d, r, count_suffix);
        COUNT(d, r, unit);
    }
    if (output_answered(d, "count", account_read_count(text, &count, &e), &e))
        digest_count(d, "count", count);
    if (output_answered(d, "bytes", account_read_bytes(text, &value, &e), &e))
        digest_real(d, "bytes", value);
    if (output_answered(d, "rate", account_read_rate(text, &value, &e), &e))
        digest_real(d, "rate", value);
    const char *end = account_read_words(text, &w);
    digest_real(d, "words", end ? w.value : -1);
}

void output_typed(struct digest *d, const struct account_training *t, uint64_t number) {
    uint64_t seed = ~number;
    char text[80];
    drawn_answer(&seed, text, sizeof text);
    put_readings(d, text);
    put_figure(d, text);
    digest_text(d, "count", account_print_count(text, sizeof text, (double)t->params));
    for (enum account_unit u = ACCOUNT_UNIT_NONE; u < ACCOUNT_UNITS; u++)
        digest_text(d, "value",
                    account_print(text, sizeof text, (double)t->params, u, (int)(number % 5) + 1));
    digest_text(d, "fixed",
                account_print_fixed(text, sizeof text, (double)t->params * 18, ACCOUNT_UNIT_GB,
                                    (int)(number % 4)));
    digest_text(d, "bytes", account_print_bytes(text, sizeof text, (double)t->params * 16));
}
