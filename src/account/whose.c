/* Whose number is this? Every recipe, stage, quantity and mistake is reckoned, and what comes out as the number that was typed is
 * kept, the plainest first. */
#include "account/dimension.h"
#include "account/suffix.h"
#include "account/verdict.h"

#include <math.h>
#include <string.h>

/* ── the number ──────────────────────────────────────────────────────────────────────────────────*/

#define READINGS 5
struct number {
    double value, half; /* as typed, and half of its last digit, both in the units below */
    enum account_unit unit[READINGS]; /* that it may be in, the likeliest first */
    size_t
        said; /* so many of them are what was written; the others are what people mix up with it */
    size_t units;
};

/* GB is often written where GiB is meant (DeepSpeed's estimators do), and the reverse. */
static void add_twin(struct number *n, enum account_unit u) {
    int step = ACCOUNT_UNIT_KIB - ACCOUNT_UNIT_KB;
    n->unit[n->units++] = u;
    n->said = 1;
    if (account_is_decimal_size(u)) n->unit[n->units++] = (enum account_unit)((int)u + step);
    if (account_is_binary_size(u)) n->unit[n->units++] = (enum account_unit)((int)u - step);
}

static void add_all(struct number *n) {
    static const enum account_unit all[READINGS] = {ACCOUNT_UNIT_GB, ACCOUNT_UNIT_GIB,
                                                    ACCOUNT_UNIT_B_PER_PARAM, ACCOUNT_UNIT_MB,
                                                    ACCOUNT_UNIT_MIB};
    memcpy(n->unit, all, sizeof all);
    n->units = n->said = READINGS;
}

/* A B alone may be bytes a parameter, and a G is a GB. */
static bool read_unit(const struct account_suffix *s, struct number *n) {
    static const enum account_unit steps[] = {ACCOUNT_UNIT_KB, ACCOUNT_UNIT_MB, ACCOUNT_UNIT_GB,
                                              ACCOUNT_UNIT_TB};
    if (s->kind == ACCOUNT_SUFFIX_COUNT && s->power >= 3 && s->power <= 12)
        add_twin(n, steps[s->power / 3 - 1]);
    else if (s->kind == ACCOUNT_SUFFIX_NONE || s->kind == ACCOUNT_SUFFIX_B)
        add_all(n);
    else if (s->kind == ACCOUNT_SUFFIX_BYTES &&
             (account_is_size(s->unit) || s->unit == ACCOUNT_UNIT_B_PER_PARAM))
        add_twin(n, s->unit);
    return n->units > 0;
}

static bool read_number(const char *text, struct number *out, struct account_error *e) {
    static const char like[] = "a size like 17.1GB or 15.9 GiB, or 18 B/param";
    const char *s = account_skip(text);
    struct account_decimal d;
    struct account_suffix suffix;
    *out = (struct number){0};
    s += strspn(s, "~");
    const char *at = account_scan(s, &d);
    if (!at) return account_fail(e, account_column(text, s), "a number is missing: write %s", like);
    at = account_skip(at);
    const char *end = account_suffix(at, &suffix);
    if (!end || *account_skip(end) || !read_unit(&suffix, out))
        return account_fail(e, account_column(text, at), "no such unit of memory: write %s", like);
    out->value = d.value;
    out->half = pow(10, d.exponent) / 2 * (1 + 1e-9);
    return true;
}

/* ── the search ──────────────────────────────────────────────────────────────────────────────────*/

struct search {
    struct number number;
    struct account_owner *out;
    size_t room, count;
};

static size_t row_of(const struct account_mistake *m) {
    size_t count;
    return (size_t)(m - account_mistakes(&count));
}

/* What it takes to arrive at the number; less is plainer. Units mixed up are a commoner reason than a mistake. */
static unsigned cost(const struct search *s, const struct account_owner *o) {
    bool said = false;
    for (size_t i = 0; i < s->number.said; i++) said |= s->number.unit[i] == o->unit;
    unsigned sum = said ? 0 : 40;
    if (o->mistake) sum += 100 + 10u * account_slips[row_of(o->mistake)].rarity;
    if (strcmp(o->quantity, "model_state") != 0) sum += 20;
    if (strcmp(o->recipe, account_recipes[0].name) != 0) sum += 5;
    return sum;
}

static void keep(struct search *s, const struct account_owner *o) {
    size_t used = s->count < s->room ? s->count : s->room, i = used;
    s->count++;
    while (i > 0 && cost(s, &s->out[i - 1]) > cost(s, o)) i--;
    if (i == s->room) return;
    size_t moved = used == s->room ? used - 1 - i : used - i;
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
    if (o->mistake && account_slip_apply(row_of(o->mistake), v->problem, &v->grounds, &m)) {
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

static void weigh(struct search *s, const struct account_variant *v, const char *quantity,
                  double value, const struct account_mistake *mistake) {
    bool rate = v->problem->kind == ACCOUNT_ASK_BYTES_PER_PARAM;
    for (size_t i = 0; i < s->number.units; i++) {
        enum account_unit u = s->number.unit[i];
        if ((u == ACCOUNT_UNIT_B_PER_PARAM) != rate || !hits(s, value, u)) continue;
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

/* The truth of a problem and all its mistakes but those of units, which the search has by itself. */
static void ask(struct search *s, const struct account_problem *p, const char *quantity) {
    struct account_variant v;
    size_t count;
    const struct account_mistake *names = account_mistakes(&count);
    if (!account_variant(p, &v)) return;
    if (p->kind == ACCOUNT_ASK_PEAK && v.truth == resident_states(&p->training)) return;
    weigh(s, &v, quantity, v.truth, NULL);
    for (size_t i = 0; i < v.count; i++)
        if (account_slips[v.told[i].row].subject != ACCOUNT_ABOUT_UNITS)
            weigh(s, &v, quantity, v.told[i].value, &names[v.told[i].row]);
}

static void add_categories(struct account_text *t, const struct account_ledger *l,
                           enum account_unit u) {
    const char *before = "";
    for (unsigned c = 0; c < ACCOUNT_CATEGORIES; c++) {
        if (l->bytes[c] == 0) continue;
        account_add(t, "%s%s ", before, account_category_name((enum account_category)c));
        account_add_number(t, (double)l->bytes[c] / account_unit_scale(u), 4);
        before = " + ";
    }
    account_add(t, " = ");
    account_add_value(t, (double)l->total, u, account_digits((double)l->total, u));
}

/* The highest moment of each phase, of which the peak is one: "update, fp32 gradients: 15 + 1.17 + …". */
static void ask_phases(struct search *s, const struct account_training *t) {
    struct account_memory m;
    if (!account_memory(t, &m, NULL)) return;
    double resident = resident_states(t);
    for (unsigned p = 0; p < ACCOUNT_PHASES; p++) {
        const struct account_moment *moment = &m.phase[p];
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

static const struct {
    const char *name; /* as "quantity" reads it; what the owner is told */
    const char *quantity;
    enum account_kind kind;
} questions[] = {
    {"model_state", "model_state", ACCOUNT_ASK_BYTES          },
    {"model_state", "model_state", ACCOUNT_ASK_BYTES_PER_PARAM},
    {"optimizer",   "optimizer",   ACCOUNT_ASK_BYTES          },
    {"params",      "params",      ACCOUNT_ASK_BYTES          },
    {"grads",       "grads",       ACCOUNT_ASK_BYTES          },
    {"master",      "master",      ACCOUNT_ASK_BYTES          },
    {"moments",     "moments",     ACCOUNT_ASK_BYTES          },
    {"total",       "peak",        ACCOUNT_ASK_PEAK           },
};

static void ask_all(struct search *s, const struct account_training *t) {
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        struct account_problem p = account_problem_default();
        p.training = *t;
        p.kind = questions[i].kind;
        bool rate = p.kind == ACCOUNT_ASK_BYTES_PER_PARAM;
        if (!rate && account_is_size(s->number.unit[0])) p.unit = s->number.unit[0];
        account_problem_set(&p, "quantity", questions[i].name, NULL);
        ask(s, &p, questions[i].quantity);
    }
    ask_phases(s, t);
}

size_t account_whose(const struct account_training *t, const char *text, struct account_owner *out,
                     size_t room, struct account_error *e) {
    struct search s = {.out = out, .room = room};
    struct account_training tried = *t;
    if (!read_number(text, &s.number, e)) return 0;
    tried.recipe = tried.stage = 0;
    if (!account_check(&tried, e)) return 0;
    for (size_t r = 0; r < account_recipe_count; r++)
        for (uint8_t stage = 0; stage <= 3; stage++) {
            tried.recipe = (uint8_t)r;
            tried.stage = stage;
            if (account_has_stage(&tried, stage) && account_check(&tried, NULL))
                ask_all(&s, &tried);
        }
    return s.count;
}
