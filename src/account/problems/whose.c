/* The number whose owner is sought, and the units that it may be in. */
#include "account/numbers/dimension.h"
#include "account/numbers/suffix.h"
#include "account/numbers/text.h"
#include "account/problems/diagnose.h"
#include "account/training/resolved.h"

#include <math.h>
#include <string.h>

#define READINGS 5
struct said {
    /* as typed, and half of its last digit, both in the units below */
    double value, half;
    /* that it may be in, the likeliest first */
    enum account_unit unit[READINGS];
    /* so many of them are what was written; the others are what people mix up with it */
    size_t said;
    size_t units;
};

/* GB is often written where GiB is meant (DeepSpeed's estimators do), and the reverse. */
static void add_twin(struct said *n, enum account_unit u) {
    int step = ACCOUNT_UNIT_KIB - ACCOUNT_UNIT_KB;
    n->unit[n->units++] = u;
    n->said = 1;
    if (account_is_decimal_size(u)) n->unit[n->units++] = (enum account_unit)((int)u + step);
    if (account_is_binary_size(u)) n->unit[n->units++] = (enum account_unit)((int)u - step);
}

static void add_all(struct said *n) {
    static const enum account_unit all[READINGS] = {ACCOUNT_UNIT_GB, ACCOUNT_UNIT_GIB,
                                                    ACCOUNT_UNIT_B_PER_PARAM, ACCOUNT_UNIT_MB,
                                                    ACCOUNT_UNIT_MIB};
    memcpy(n->unit, all, sizeof all);
    n->units = n->said = READINGS;
}

static bool is_time(enum account_unit u) {
    return u == ACCOUNT_UNIT_SECONDS || u == ACCOUNT_UNIT_MS;
}

/* A B alone may be bytes a parameter, and a G is a GB. */
static bool read_unit(const struct account_suffix *s, struct said *n) {
    static const enum account_unit steps[] = {ACCOUNT_UNIT_KB, ACCOUNT_UNIT_MB, ACCOUNT_UNIT_GB,
                                              ACCOUNT_UNIT_TB};
    if (s->kind == ACCOUNT_SUFFIX_COUNT && s->power >= 3 && s->power <= 12)
        add_twin(n, steps[s->power / 3 - 1]);
    else if (s->kind == ACCOUNT_SUFFIX_NONE || s->kind == ACCOUNT_SUFFIX_B)
        add_all(n);
    else if (s->kind == ACCOUNT_SUFFIX_BYTES &&
             (account_is_size(s->unit) || is_time(s->unit) || s->unit == ACCOUNT_UNIT_B_PER_PARAM))
        add_twin(n, s->unit);
    return n->units > 0;
}

static bool read_said(const char *text, struct said *out, struct account_error *e) {
    static const char like[] = "a size like 17.1GB or 15.9 GiB, 18 B/param, or a time like 52 ms";
    const char *s = account_skip(text);
    struct account_decimal d;
    struct account_suffix suffix;
    *out = (struct said){0};
    s += strspn(s, "~");
    const char *at = account_scan_or_words(s, &d);
    if (!at) return account_fail(e, account_column(text, s), "it is not a number; write %s", like);
    if (!(d.value > 0) || !isfinite(d.value))
        return account_fail(e, account_column(text, s), "nothing is as %s as that; write %s",
                            d.value > 0 ? "large" : "small", like);
    at = account_skip(at);
    const char *end = account_suffix(at, &suffix);
    if (end && suffix.kind == ACCOUNT_SUFFIX_BITS)
        return account_fail(e, account_column(text, at),
                            "a small b means bits, and memory is counted in bytes; write %s", like);
    if (!end || *account_skip(end) || !read_unit(&suffix, out))
        return account_fail(e, account_column(text, at), "no such unit here; write %s", like);
    out->value = d.value;
    out->half = pow(10, d.exponent) / 2 * (1 + 1e-9);
    return true;
}

/* ── the search ────────────────────────────────────────────────────────────────────────────────*/

struct search {
    struct said number;
    /* what DeepSpeed's estimator says; 0: nothing */
    double estimate;
    struct account_owner *out;
    size_t capacity, count;
};

/* What may have been meant, the plainest first. */
static const struct question {
    /* as "quantity" reads it; what the owner is told */
    const char *name;
    const char *quantity;
    enum account_kind kind;
    unsigned remote;
    /* a recipe: its stages all give the same */
    bool once;
} questions[] = {
    {"model_state", "model_state", ACCOUNT_ASK_BYTES, 0, false},
    {"model_state", "model_state", ACCOUNT_ASK_BYTES_PER_PARAM, 0, false},
    {"optimizer", "optimizer", ACCOUNT_ASK_BYTES, 20, false},
    {"params", "params", ACCOUNT_ASK_BYTES, 20, false},
    {"grads", "grads", ACCOUNT_ASK_BYTES, 20, false},
    {"master", "master", ACCOUNT_ASK_BYTES, 20, false},
    {"moments", "moments", ACCOUNT_ASK_BYTES, 20, false},
    {"total", "peak", ACCOUNT_ASK_PEAK, 20, false},
    {"total", "traffic", ACCOUNT_ASK_TRAFFIC, 30, false},
    {"total", "activations", ACCOUNT_ASK_ACTIVATIONS, 30, true},
    {"layers", "activations_of_layers", ACCOUNT_ASK_ACTIVATIONS, 35, true},
    {"host", "host", ACCOUNT_ASK_HOST, 30, false},
    {"between", "traffic_between", ACCOUNT_ASK_TRAFFIC, 35, false},
    {"total", "communication", ACCOUNT_ASK_SECONDS, 30, false},
};
#define QUESTIONS (sizeof questions / sizeof *questions)

static unsigned remoteness(const char *quantity) {
    for (size_t i = 0; i < QUESTIONS; i++)
        if (strcmp(questions[i].quantity, quantity) == 0) return questions[i].remote;
    return 20;
}

static size_t row_of(const struct account_mistake *m) {
    size_t count;
    return (size_t)(m - account_mistakes(&count));
}

/* What it takes to arrive at the number; less is plainer. Units mixed up are a commoner reason than
 * a mistake. */
static unsigned cost(const struct search *s, const struct account_owner *o) {
    bool said = false;
    for (size_t i = 0; i < s->number.said; i++) said |= s->number.unit[i] == o->unit;
    unsigned sum = said ? 0 : 40;
    if (o->mistake) sum += 100 + 10u * account_mistake_rows[row_of(o->mistake)].rarity;
    sum += remoteness(o->quantity);
    if (strcmp(o->recipe, account_recipes[0].name) != 0) sum += 5;
    return sum;
}

static void keep(struct search *s, const struct account_owner *o) {
    size_t used = s->count < s->capacity ? s->count : s->capacity, i = used;
    s->count++;
    while (i > 0 && cost(s, &s->out[i - 1]) > cost(s, o)) i--;
    if (i == s->capacity) return;
    size_t moved = used == s->capacity ? used - 1 - i : used - i;
    memmove(&s->out[i + 1], &s->out[i], moved * sizeof *s->out);
    s->out[i] = *o;
}

static bool hits(const struct search *s, double value, enum account_unit u) {
    return fabs(value / account_unit_scale(u) - s->number.value) <= s->number.half;
}

/* "2 B × 7.5e9 + (2 + 4 + 8) B × 7.5e9 ÷ 64 = 16.64 GB" */
static void write_working(const struct account_variant *v, struct account_owner *o) {
    struct account_text t = account_text(o->working, sizeof o->working);
    struct account_match m;
    if (o->mistake && account_mistaken(row_of(o->mistake), v->problem, &v->grounds, &m)) {
        account_add(&t, "%s", m.arithmetic);
        if (o->unit == v->unit) return;
    } else
        account_add_sum(&t, v->problem, &v->grounds);
    account_add(&t, " = ");
    account_add_value(&t, o->value, o->unit, account_digits(o->value, o->unit));
}

static struct account_owner owner_of(const struct account_training *t, enum account_unit u,
                                     const char *quantity, double value) {
    return (struct account_owner){.recipe = account_recipe_of(t)->name,
                                  .stage = t->stage,
                                  .unit = u,
                                  .quantity = quantity,
                                  .value = value};
}

static bool is_answered_in(enum account_kind kind, enum account_unit u) {
    switch (account_kinds[kind].answers) {
    case ACCOUNT_IN_RATES: return u == ACCOUNT_UNIT_B_PER_PARAM;
    case ACCOUNT_IN_SECONDS: return u == ACCOUNT_UNIT_SECONDS || u == ACCOUNT_UNIT_MS;
    default: return account_is_size(u);
    }
}

static void weigh(struct search *s, const struct account_variant *v, const char *quantity,
                  double value, const struct account_mistake *mistake) {
    for (size_t i = 0; i < s->number.units; i++) {
        enum account_unit u = s->number.unit[i];
        if (!is_answered_in(v->problem->kind, u) || !hits(s, value, u)) continue;
        struct account_owner o = owner_of(&v->problem->training, u, quantity, value);
        o.mistake = mistake;
        write_working(v, &o);
        keep(s, &o);
    }
}

/* Model states between steps: a moment that holds nothing else is no number of its own. */
static double resident_states(const struct account_training *t) {
    struct account_sheet s;
    account_sheet(t, &s);
    return (double)account_sheet_bytes(&s, ACCOUNT_MODEL_STATE);
}

/* The truth of a problem and all its mistakes but those of units, which the search has by
 * itself. */
static void ask(struct search *s, const struct account_problem *p, const char *quantity) {
    struct account_variant v;
    size_t count;
    const struct account_mistake *names = account_mistakes(&count);
    if (!account_variant(p, &v)) return;
    if (p->kind == ACCOUNT_ASK_PEAK && v.truth == resident_states(&p->training)) return;
    double states = resident_states(&p->training); /* which are a number of their own */
    weigh(s, &v, quantity, v.truth, NULL);
    for (size_t i = 0; i < v.count; i++)
        if (account_mistake_rows[v.told[i].row].subject != ACCOUNT_ABOUT_UNITS &&
            v.told[i].value != s->estimate && v.told[i].value != states)
            weigh(s, &v, quantity, v.told[i].value, &names[v.told[i].row]);
}

static void add_categories(struct account_text *t, const struct account_ledger *l,
                           enum account_unit u) {
    const char *before = "";
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (l->bytes[c] == 0) continue;
        account_add(t, "%s%s ", before, account_category_words((enum account_category)c));
        account_add_number(t, (double)l->bytes[c] / account_unit_scale(u), 4);
        before = " + ";
    }
    account_add(t, " = ");
    account_add_value(t, (double)l->total, u, account_digits((double)l->total, u));
}

/* The highest moment of each phase, of which the peak is one: "update, fp32 gradients: 15 + 1.17 +
 * …". */
static void ask_phases(struct search *s, const struct account_training *t) {
    struct account_memory m;
    if (!account_memory(t, &m, NULL)) return;
    double resident = resident_states(t);
    for (unsigned p = 0; p < ACCOUNT_PHASES; p++) {
        const struct account_instant *moment = &m.phase[p];
        double value = (double)moment->ledger.total;
        for (size_t i = 0; i < s->number.units; i++) {
            enum account_unit u = s->number.unit[i];
            if (value == resident || !account_is_size(u) || !hits(s, value, u)) continue;
            struct account_owner o =
                owner_of(t, u, account_phase_name((enum account_phase)p), value);
            struct account_text text = account_text(o.working, sizeof o.working);
            account_add(&text, "%s: ", moment->where);
            add_categories(&text, &moment->ledger, u);
            keep(s, &o);
        }
    }
}

/* Stage 2 by DeepSpeed's estimator (deepspeedai/DeepSpeed, runtime/zero/stage_1_and_2.py,
 * estimate_zero2_model_states_mem_needs): model states and the fp32 gradients of the step, 2Ψ +
 * 18Ψ/N bytes. The flattened copy that the step makes as well it leaves out. */
static bool estimator_sheet(const struct account_training *t, struct account_sheet *s) {
    size_t kept = 0;
    bool fp32 = false;
    if (t->stage != 2 || strcmp(account_recipe_of(t)->name, "deepspeed") != 0) return false;
    struct account_resolved is;
    account_resolve_checked(t, &is);
    *s = is.sheet;
    for (size_t i = 0; i < s->terms; i++) {
        const struct account_term *term = &s->term[i];
        bool step = term->when == ACCOUNT_IN_UPDATE && term->bytes == 4;
        bool stays = term->when == ACCOUNT_ALWAYS || term->when == ACCOUNT_IN_BACKWARD;
        if (term->tier != ACCOUNT_GPU) return false;
        if (!(ACCOUNT_MODEL_STATE >> term->category & 1) || !(step || stays)) continue;
        fp32 |= step;
        s->term[kept++] = *term;
    }
    s->terms = kept;
    return fp32;
}

static void ask_estimator(struct search *s, const struct account_training *t) {
    struct account_sheet sheet;
    s->estimate = 0;
    if (!estimator_sheet(t, &sheet)) return;
    s->estimate = (double)account_sheet_bytes(&sheet, ACCOUNT_MODEL_STATE);
    for (size_t i = 0; i < s->number.units; i++) {
        enum account_unit u = s->number.unit[i];
        if (!account_is_size(u) || !hits(s, s->estimate, u)) continue;
        struct account_owner o = owner_of(t, u, "estimator_peak", s->estimate);
        struct account_text text = account_text(o.working, sizeof o.working);
        account_add_sheet(&text, &sheet, ACCOUNT_MODEL_STATE);
        account_add(&text, " = ");
        account_add_value(&text, s->estimate, u, account_digits(s->estimate, u));
        keep(s, &o);
    }
}

static void ask_one(struct search *s, const struct account_training *t, const struct question *q) {
    struct account_problem p = account_problem_default();
    enum account_unit u = s->number.unit[0];
    bool sought = false;
    for (size_t i = 0; i < s->number.units; i++)
        sought |= is_answered_in(q->kind, s->number.unit[i]);
    if (!sought) return;
    p.training = *t;
    p.kind = q->kind;
    if (is_answered_in(q->kind, u)) p.unit = u;
    account_problem_set(&p, "quantity", q->name, NULL);
    ask(s, &p, q->quantity);
}

static void ask_all(struct search *s, const struct account_training *t, bool first) {
    ask_estimator(s, t);
    for (size_t i = 0; i < QUESTIONS; i++)
        if (first || !questions[i].once) ask_one(s, t, &questions[i]);
    ask_phases(s, t);
}

/* Whatever of its stages goes with the training; false if none does. */
static bool ask_recipe(struct search *s, struct account_training *t, size_t recipe) {
    bool any = false;
    t->recipe = (uint8_t)recipe;
    for (t->stage = 0; t->stage <= 3; t->stage++) {
        if (!account_has_stage(t, t->stage) || !account_check(t, NULL)) continue;
        ask_all(s, t, !any);
        any = true;
    }
    return any;
}

size_t account_whose(const struct account_training *t, const char *text, struct account_owner *out,
                     size_t capacity, struct account_error *e) {
    struct search s = {.out = out, .capacity = capacity};
    struct account_training tried = *t;
    bool any = false;
    if (!read_said(text, &s.number, e)) return 0;
    for (size_t r = 0; r < account_recipe_count; r++) any |= ask_recipe(&s, &tried, r);
    if (any) return s.count;
    tried.recipe = 0;
    tried.stage = 3; /* that goes with the most */
    account_check(&tried, e);
    return 0;
}
