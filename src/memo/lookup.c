/* A figure of the text is looked up among the quantities that have a name, cautiously: it is
 * something of the engine's, it follows from figures next to it, or it is not the engine's, which
 * is no accusation. */
#include "memo/inside.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct named {
    /* MEMO_Q_S: none, or several */
    enum memo_quantity quantity;
    /* the only one of its sentence, with one figure of its measure */
    bool alone;
    /* and the sentence says no more than that */
    bool stated;
    /* the configurations that are named, or meant */
    bool has[MEMO_CONFIGS];
    /* the only one; −1: several */
    int config;
    /* outright */
    bool said;
};

/* ── what is named ─────────────────────────────────────────────────────────────────────────────*/
/* The part of a sentence that a place stands in: up to a comma, a semicolon, a bracket or an
 * "and". */
static struct memo_span clause_of(const struct memo_said *s, const struct memo_seen *f) {
    struct memo_span c = {f->at, f->end};
    while (c.at > s->span.at && !strchr(",;:()|", c.at[-1]) &&
           strncasecmp(c.at - 1, " and ", 5) != 0)
        c.at--;
    while (c.end < s->span.end && !strchr(",;()|", *c.end) && strncasecmp(c.end, " and ", 5) != 0 &&
           strncasecmp(c.end, " but ", 5) != 0)
        c.end++;
    return c;
}

static bool is_in(const char *at, struct memo_span s) {
    return at >= s.at && at < s.end;
}

/* "The all-gather sends", "communication that is exposed": the first word says what kind, the
 * second which. */
static bool is_kind_of(enum memo_quantity q, enum memo_quantity kind) {
    return (kind == MEMO_Q_COMM && q == MEMO_Q_EXPOSED) ||
           (kind == MEMO_Q_SENT && q >= MEMO_Q_ALL_GATHER && q <= MEMO_Q_NIC);
}

/* The quantities of a figure's measure that are named within a span, or anywhere: the only one,
 * MEMO_Q_S for none or several. */
static enum memo_quantity only_quantity(const struct memo_said *s, enum account_measure measure,
                                        const struct memo_span *within, bool *is_one_of_kind) {
    enum memo_quantity found = MEMO_Q_S;
    size_t n = 0;
    for (size_t i = 0; i < s->words; i++) {
        enum memo_quantity q = (enum memo_quantity)s->word[i].is;
        if (within && is_in(s->word[i].at, s->span) && !is_in(s->word[i].at, *within)) continue;
        if (memo_quantity_measure(q) != measure || q == found) continue;
        bool closer = n == 1 && is_kind_of(q, found);
        if (closer || (n == 1 && is_kind_of(found, q))) *is_one_of_kind = true;
        if (n == 1 && is_kind_of(found, q)) continue;
        found = q;
        n += !closer;
    }
    return n == 1 ? found : MEMO_Q_S;
}

/* A unit that only one quantity has names it. */
static enum memo_quantity by_unit(enum account_measure m) {
    return m == ACCOUNT_FIGURE_TOKENS_PER_S      ? MEMO_Q_THROUGHPUT
           : m == ACCOUNT_FIGURE_GPU_HOURS       ? MEMO_Q_GPU_HOURS
           : m == ACCOUNT_FIGURE_BYTES_PER_PARAM ? MEMO_Q_PER_PARAM
                                                 : MEMO_Q_S;
}

/* Whatever is at that stage too: the decision, an alternative, the scenario as given. */
static void add_config(const struct memo_report *r, struct named *n, int config) {
    assert(config >= 0 && (size_t)config < r->configs);
    uint8_t stage = r->config[config].is.training.stage;
    n->has[config] = true;
    bool by_stage = config >= MEMO_STAGE_0 && config < MEMO_FIRST_ALTERNATIVE;
    for (size_t i = 0; by_stage && i < r->configs; i++)
        if (i != MEMO_THE_SCENARIO && r->config[i].is.training.stage == stage &&
            (i != MEMO_THE_DECISION || r->decided))
            n->has[i] = true;
}

static int only_config(const struct memo_said *s, const struct memo_span *within) {
    int found = -1;
    for (size_t i = 0; i < s->configs; i++) {
        if (within && is_in(s->config[i].at, s->span) && !is_in(s->config[i].at, *within)) continue;
        if (found >= 0 && s->config[i].is != found) return -1;
        found = s->config[i].is;
    }
    return found;
}

/* No other figure of the sentence is measured so, or compares: what is named may be that one's. */
static bool is_only(const struct memo_said *s, const struct memo_seen *self) {
    for (size_t i = 0; i < s->figures; i++)
        if (&s->figure[i] != self && is_in(s->figure[i].at, s->span) &&
            (s->figure[i].f.measure == self->f.measure ||
             s->figure[i].f.measure == ACCOUNT_FIGURE_TIMES))
            return false;
    return true;
}

static struct named read_names(struct memo *m, const struct memo_said *s,
                               const struct memo_seen *f) {
    const struct memo_report *r = m->report;
    struct named n = {.quantity = MEMO_Q_S, .config = -1};
    struct memo_span clause = clause_of(s, f);
    bool is_one_of_kind = false, ignore = false;
    enum account_measure measure = f->f.measure;
    n.quantity = only_quantity(s, measure, NULL, &is_one_of_kind);
    if (n.quantity == MEMO_Q_S) n.quantity = by_unit(measure);
    n.alone = n.quantity != MEMO_Q_S && is_only(s, f);
    n.stated = n.alone && !is_one_of_kind && !s->more;
    if (n.quantity == MEMO_Q_S) n.quantity = only_quantity(s, measure, &clause, &ignore);
    n.config = only_config(s, NULL);
    n.said = n.config >= 0;
    if (n.config < 0 && s->configs) n.config = only_config(s, &clause), n.stated = false;
    for (size_t i = 0; i < s->configs; i++) add_config(r, &n, s->config[i].is);
    if (s->configs) return n;
    n.config = MEMO_THE_DECISION;
    n.has[MEMO_THE_DECISION] = true;
    if (!r->decided)
        for (int i = MEMO_STAGE_0; i < MEMO_FIRST_ALTERNATIVE; i++) n.has[i] = true;
    return n;
}

/* ── what it is ────────────────────────────────────────────────────────────────────────────────*/
struct match {
    enum memo_quantity quantity;
    /* −1: none */
    int config;
};

static struct match find(const struct memo_report *r, const struct account_figure *f,
                         enum memo_quantity only, const bool *has) {
    for (size_t c = 0; c < r->configs; c++)
        for (int q = 0; q < MEMO_Q_S && (!has || has[c]); q++)
            if ((only == MEMO_Q_S || q == (int)only) &&
                memo_holds(&r->config[c], (enum memo_quantity)q, f))
                return (struct match){(enum memo_quantity)q, (int)c};
    return (struct match){MEMO_Q_S, -1};
}

/* The named quantity of a named configuration, in its own words or in those of another word of the
 * sentence. */
static struct match find_said(const struct memo_report *r, const struct memo_said *s,
                              const struct account_figure *f, const struct named *n) {
    struct match found = {MEMO_Q_S, -1};
    if (n->quantity != MEMO_Q_S) found = find(r, f, n->quantity, n->has);
    for (size_t i = 0; i < s->words && found.config < 0; i++)
        found = find(r, f, (enum memo_quantity)s->word[i].is, n->has);
    return found;
}

static void say_match(const struct memo_report *r, struct match m, struct memo_finding *f) {
    memo_write_finding(f, "%s, %s", r->config[m.config].name, memo_quantity_name(m.quantity));
}

/* ── what follows from figures next to it ──────────────────────────────────────────────────────*/
static bool is_usable(const struct memo_seen *f, const struct memo_seen *self) {
    return f != self && f->f.low > 0 && f->f.measure != ACCOUNT_FIGURE_TIMES;
}

static bool holds(const struct account_figure *f, double value) {
    struct account_figure own = *f;
    own.other = 0;
    own.half *= 1.5; /* what it follows from was rounded as well */
    return value > 0 && account_figure_is(&own, value);
}

static bool follows_from_two(const struct account_figure *f, const struct account_figure *a,
                             const struct account_figure *b) {
    bool ratio = f->measure == ACCOUNT_FIGURE_SHARES || f->measure == ACCOUNT_FIGURE_TIMES ||
                 f->measure == ACCOUNT_FIGURE_NOTHING;
    if (a->measure == b->measure && ratio)
        return holds(f, a->low / b->low) || holds(f, fabs(a->low - b->low) / b->low);
    if (a->measure == f->measure && b->measure == f->measure)
        return holds(f, fabs(a->low - b->low)) || holds(f, a->low + b->low);
    bool count = b->measure == ACCOUNT_FIGURE_NOTHING || b->measure == ACCOUNT_FIGURE_SHARES ||
                 b->measure == ACCOUNT_FIGURE_PARAMS;
    return a->measure == f->measure && count &&
           (holds(f, a->low * b->low) || holds(f, a->low / b->low));
}

static bool follows(const struct memo_said *s, const struct memo_seen *self) {
    double sum = 0;
    for (size_t i = 0; i < s->figures; i++) {
        const struct memo_seen *a = &s->figure[i];
        if (!is_usable(a, self)) continue;
        for (size_t k = 0; k < s->figures; k++)
            if (k != i && is_usable(&s->figure[k], self) &&
                follows_from_two(&self->f, &a->f, &s->figure[k].f))
                return true;
        if (a->f.measure == self->f.measure) sum += a->f.low;
        if (a->f.measure == self->f.measure && holds(&self->f, sum)) return true;
    }
    return false;
}

/* ── look again ────────────────────────────────────────────────────────────────────────────────*/
/* The same digits in another unit: GiB for GB, bits for bytes, ms for s. */
const char *memo_unit_mistake(const struct memo_config *c, enum memo_quantity q,
                              const struct account_figure *f) {
    static const struct {
        double by;
        enum {
            ALWAYS,
            IN_BITS,
            OF_RATES
        } when; /* eight times is also what eight ranks divide by */
        const char *says;
    } mistakes[] = {
        {1.073741824, ALWAYS, "the number is right in GiB"},
        {1 / 1.073741824, ALWAYS, "the number is right in GB"},
        {8, IN_BITS, "the number is right in bytes; this says bits"},
        {1. / 8, OF_RATES, "the number is right in bits"},
        {1000, ALWAYS, "the number is right in a unit a thousand times as large"},
        {1e-3, ALWAYS, "the number is right in a unit a thousandth as large"},
    };
    for (size_t i = 0; i < BASE_COUNT(mistakes); i++) {
        struct account_figure g = *f;
        if (mistakes[i].when == IN_BITS && !f->bits) continue;
        if (mistakes[i].when == OF_RATES && f->measure != ACCOUNT_FIGURE_BYTES_PER_S) continue;
        g.low *= mistakes[i].by, g.high *= mistakes[i].by, g.half *= mistakes[i].by,
            g.loose *= mistakes[i].by;
        g.other = 0;
        g.loose = g.half;
        if (memo_holds(c, q, &g)) return mistakes[i].says;
    }
    return NULL;
}

bool memo_explain(const struct memo_report *r, const struct memo_config *c, enum memo_quantity q,
                  const struct account_figure *f, struct memo_finding *out) {
    assert(q < MEMO_Q_S);
    struct account_figure strict = *f;
    strict.loose = strict.half;
    strict.other = 0;
    const char *mistake = memo_unit_mistake(c, q, f);
    if (mistake) return memo_write_finding(out, "%s", mistake), true;
    for (size_t i = 0; i < r->configs; i++)
        if (&r->config[i] != c && memo_holds(&r->config[i], q, &strict) &&
            strcmp(r->config[i].name, c->name) != 0) {
            memo_write_finding(out, "that is the %s of %s", memo_quantity_name(q),
                               r->config[i].name);
            return true;
        }
    struct account_problem p;
    struct account_diagnosis d;
    if (!memo_problem(q, c, &p)) return false;
    account_diagnose(&p, f->low, &d);
    if (!d.count || d.match[0].also) return false;
    char names[512];
    memo_write_finding(out, "%s: %s", account_diagnosis_names(&d, names, sizeof names),
                       d.match[0].arithmetic);
    return true;
}

static void say_truth(const struct memo *m, const struct named *n, struct memo_finding *f) {
    const struct memo_report *r = m->report;
    char truth[40];
    if (m->context->course && !r->claimed[n->config][n->quantity]) {
        memo_write_finding(
            f, "%sthe engine has another figure for %s, %s: add a claim of it to see it",
            *f->what ? "; " : "", r->config[n->config].name, memo_quantity_name(n->quantity));
        return;
    }
    double value = r->config[n->config].value[n->quantity][0];
    memo_write_finding(f, "%sthe engine says %s here (%s, %s)", *f->what ? "; " : "",
                       memo_print(truth, sizeof truth, value, memo_quantity_measure(n->quantity)),
                       r->config[n->config].name, memo_quantity_name(n->quantity));
}

/* Whether another figure of the sentence is what the pair is: this one is then something else. */
static bool is_taken(const struct memo_report *r, const struct memo_said *s,
                     const struct memo_seen *self, const struct named *n) {
    for (size_t i = 0; i < s->figures; i++)
        if (&s->figure[i] != self && find(r, &s->figure[i].f, n->quantity, n->has).config >= 0)
            return true;
    return false;
}

static bool looks_wrong(struct memo *m, const struct memo_seen *f, const struct named *n,
                        struct memo_finding *out) {
    bool sure = n->stated && n->said && f->f.digits >= 3 && !f->shown && !(f->sum > 0) &&
                !f->f.range && !f->f.hedged;
    return sure && (!f->marked || f->checked) &&
           memo_explain(m->report, &m->report->config[n->config], n->quantity, &f->f, out);
}

/* ── one figure ────────────────────────────────────────────────────────────────────────────────*/
static bool is_figure(const struct account_figure *f) {
    return f->measure != ACCOUNT_FIGURE_NOTHING && f->measure != ACCOUNT_FIGURE_TIMES &&
           f->low > 0 && isfinite(f->high);
}

static struct memo_finding *find_figure(struct memo *m, enum memo_kind kind,
                                        const struct memo_seen *f) {
    return memo_find(m, kind, (struct memo_span){f->f.number, f->end});
}

static void look_up(struct memo *m, const struct memo_said *s, const struct memo_seen *f) {
    const struct memo_report *r = m->report;
    struct named n = read_names(m, s, f);
    struct match is = find_said(r, s, &f->f, &n);
    bool pair =
        n.quantity != MEMO_Q_S && n.config >= 0 && r->config[n.config].value[n.quantity][0] > 0;
    struct memo_finding why = {0};
    bool differs = pair && find(r, &f->f, n.quantity, n.has).config < 0 && !is_taken(r, s, f, &n);
    bool sums = f->sum > 0 && holds(&f->f, f->sum), derived = follows(s, f);
    if (is.config < 0 && !sums && !derived && differs && looks_wrong(m, f, &n, &why)) {
        struct memo_finding *again = find_figure(m, f->checked ? MEMO_CHECKED : MEMO_AGAIN, f);
        if (!m->context->course) snprintf(again->what, sizeof again->what, "%.200s", why.what);
        say_truth(m, &n, again);
        if (!f->checked)
            memo_write_finding(again, ". If it is right, say why after it: [checked: …]");
        return;
    }
    if (f->marked) {
        memo_write_finding(find_figure(m, f->checked ? MEMO_CHECKED : MEMO_MARKED, f), "%s",
                           f->mark);
        return;
    }
    if (is.config < 0 && f->f.digits > 1) is = find(r, &f->f, MEMO_Q_S, n.has);
    bool near = is.config >= 0;
    if (is.config < 0 && !derived && !sums && f->f.digits > 1 && n.quantity != MEMO_Q_S)
        is = find(r, &f->f, n.quantity, NULL);
    if (is.config < 0 && !derived && !sums && f->f.digits > 1) is = find(r, &f->f, MEMO_Q_S, NULL);
    enum memo_kind kind = near || (is.config >= 0 && !derived && !sums) ? MEMO_KNOWN
                          : derived || sums                             ? MEMO_DERIVED
                                                                        : MEMO_FOREIGN;
    struct memo_finding *out = find_figure(m, kind, f);
    char value[40];
    if (kind == MEMO_KNOWN) say_match(r, is, out);
    if (kind == MEMO_DERIVED)
        memo_write_finding(out, sums ? "the arithmetic before it gives this"
                                     : "it follows from the figures next to it");
    if (kind == MEMO_FOREIGN) memo_write_finding(out, "not the engine's");
    if (f->sum > 0 && !sums)
        memo_write_finding(out, "; the arithmetic before it gives %s",
                           memo_print(value, sizeof value, f->sum, f->f.measure));
    /* of a figure that is something else, only if the sentence names nothing else for it */
    if (differs &&
        (kind == MEMO_FOREIGN || (kind == MEMO_KNOWN && n.alone && (n.said || n.stated))))
        say_truth(m, &n, out), out->differs = true;
}

void memo_look_up(struct memo *m, struct memo_said *s) {
    for (size_t i = 0; i < s->figures; i++)
        if (is_figure(&s->figure[i].f) && is_in(s->figure[i].at, s->span))
            look_up(m, s, &s->figure[i]);
}
