#include "account/outputs.h"
#include "account/draws.h"

#include <stdio.h>
#include <string.h>

#define COUNT(d, s, member) digest_count(d, #member, (uint64_t)(s).member)
#define REAL(d, s, member)  digest_real(d, #member, (s).member)
#define TEXT(d, s, member)  digest_text(d, #member, (s).member)

/* Digests whether it was answered, and why not. */
static bool answered(struct digest *d, const char *what, bool is, const struct account_error *e) {
    digest_count(d, what, is);
    if (is) return true;
    digest_text(d, "refused", e->what);
    digest_count(d, "column", (uint64_t)e->column);
    return false;
}

static bool is_every(uint64_t number, uint64_t n) {
    return number % n == 0;
}

/* ── training ──────────────────────────────────────────────────────────────────────────────────*/

static void put_fields(struct digest *d, const struct account_training *t) {
    size_t count;
    const struct account_field *fields = account_fields(&count);
    for (size_t i = 0; i < count; i++) {
        char text[80];
        digest_text(d, fields[i].name, account_get(t, fields[i].name, text, sizeof text));
        digest_count(d, "is_default", account_is_default(t, fields[i].name));
    }
}

static void put_shape(struct digest *d, const struct account_shape *s) {
    digest_text(d, "family", account_family_name(s));
    COUNT(d, *s, tied);
    COUNT(d, *s, layers);
    COUNT(d, *s, hidden);
    COUNT(d, *s, heads);
    COUNT(d, *s, kv_heads);
    COUNT(d, *s, head_size);
    COUNT(d, *s, ffn);
    COUNT(d, *s, vocab);
    COUNT(d, *s, context);
    COUNT(d, *s, experts);
    COUNT(d, *s, experts_active);
    COUNT(d, *s, expert_ffn);
    digest_count(d, "params of the shape", account_count_params(s));
}

static void put_training(struct digest *d, const struct account_training *t, uint64_t number) {
    struct account_error e = {0};
    struct account_training placed = *t;
    (void)number;
    put_fields(d, t);
    put_shape(d, &t->shape);
    bool sound = answered(d, "check", account_check(t, &e), &e);
    const struct account_node *node = account_assume_node(&placed);
    digest_text(d, "assumed node", node ? node->name : NULL);
    digest_count(d, "GPUs of it", placed.gpus_per_node);
    if (!sound) return;
    for (uint8_t s = 0; s < 4; s++) digest_count(d, "has stage", account_has_stage(t, s));
    digest_count(d, "data parallel", account_data_parallel(t));
    digest_count(d, "shard ranks", account_shard_ranks(t));
    for (enum account_category c = 0; c < ACCOUNT_CATEGORIES; c++) {
        digest_real(d, "bytes per param", account_bytes_per_param(t, c));
        digest_count(d, "is sharded", account_is_sharded(t, c));
    }
}

/* ── memory ────────────────────────────────────────────────────────────────────────────────────*/

static void put_ledger(struct digest *d, const char *name, const struct account_ledger *l) {
    digest_text(d, "ledger", name);
    for (enum account_category c = 0; c < ACCOUNT_CATEGORIES; c++)
        digest_count(d, account_category_name(c), l->bytes[c]);
    COUNT(d, *l, total);
    COUNT(d, *l, padding);
}

static void put_beside(struct digest *d, const struct account_training *t, const char *where) {
    struct account_memory_part part[ACCOUNT_MEMORY_PARTS];
    size_t count = account_memory_parts(t, where, part);
    digest_count(d, "parts beside the states", count);
    for (size_t i = 0; i < count; i++) {
        COUNT(d, part[i], category);
        TEXT(d, part[i], what);
        TEXT(d, part[i], source);
        COUNT(d, part[i], bytes);
    }
}

static void put_cluster(struct digest *d, const struct account_training *t, uint32_t categories) {
    struct account_error e = {0};
    account_sum sum;
    if (!answered(d, "cluster", account_cluster(t, categories, &sum, &e), &e)) return;
    digest_count(d, "upper 64 bits", (uint64_t)(sum >> 64));
    digest_count(d, "lower 64 bits", (uint64_t)sum);
}

static void put_memory(struct digest *d, const struct account_training *t, uint64_t number) {
    struct account_error e = {0};
    struct account_ledger l;
    struct account_memory m;
    if (answered(d, "ledger", account_ledger(t, &l, &e), &e)) put_ledger(d, "gpu", &l);
    if (!answered(d, "memory", account_memory(t, &m, &e), &e)) return;
    put_ledger(d, "gpu", &m.gpu);
    put_ledger(d, "host", &m.host);
    put_ledger(d, "nvme", &m.nvme);
    put_ledger(d, "persistent", &m.persistent);
    for (enum account_phase p = 0; p < ACCOUNT_PHASES; p++) {
        put_ledger(d, account_phase_name(p), &m.phase[p].ledger);
        TEXT(d, m.phase[p], where);
    }
    COUNT(d, m, peak);
    for (int c = 0; c < ACCOUNT_CATEGORIES; c++) COUNT(d, m, highest[c]);
    put_beside(d, t, NULL);
    put_beside(d, t, m.phase[m.peak].where);
    put_cluster(d, t, is_every(number, 2) ? 15 : (1u << ACCOUNT_CATEGORIES) - 1);
    if (!t->card) return;
    uint64_t budget = account_card_bytes(t->card);
    digest_count(d, "bytes of the card", budget);
    digest_count(d, "fits", account_fit(m.phase[m.peak].ledger.total, budget));
}

/* ── activations ───────────────────────────────────────────────────────────────────────────────*/

static void put_parts(struct digest *d, const struct account_training *t) {
    struct account_error e = {0};
    struct account_activation_parts parts;
    if (!answered(d, "parts", account_activation_parts(t, &parts, &e), &e)) return;
    digest_count(d, "parts", parts.count);
    for (size_t i = 0; i < parts.count; i++) {
        COUNT(d, parts.part[i], sort);
        TEXT(d, parts.part[i], what);
        COUNT(d, parts.part[i], layer);
        COUNT(d, parts.part[i], kept);
        COUNT(d, parts.part[i], highest);
    }
}

static void put_activations(struct digest *d, const struct account_training *t, uint64_t number) {
    struct account_error e = {0};
    struct account_activations a;
    (void)number;
    if (!account_check(t, NULL)) return;
    if (answered(d, "activations", account_activations(t, &a, &e), &e)) {
        COUNT(d, a, layer);
        COUNT(d, a, kept);
        COUNT(d, a, layers);
        COUNT(d, a, working);
        COUNT(d, a, embedding);
        COUNT(d, a, head);
        COUNT(d, a, logits);
        COUNT(d, a, logits_forward);
        COUNT(d, a, logits_fp32);
        COUNT(d, a, logits_output);
        COUNT(d, a, logits_loss);
        COUNT(d, a, highest);
        COUNT(d, a, fixed);
        REAL(d, a, in_flight);
    }
    put_parts(d, t);
    struct account_lab_work work = account_lab_work(t);
    COUNT(d, work, workspace);
    COUNT(d, work, scratch);
    COUNT(d, work, columns);
    digest_real(d, "model flops", account_model_flops(t));
    digest_real(d, "hardware flops", account_hardware_flops(t));
}

/* ── traffic and seconds ───────────────────────────────────────────────────────────────────────*/

static void put_leg(struct digest *d, const struct account_traffic *s, size_t i) {
    COUNT(d, s->collective[i], op);
    TEXT(d, s->collective[i], what);
    TEXT(d, s->collective[i], group);
    COUNT(d, s->collective[i], ranks);
    COUNT(d, s->collective[i], per_node);
    REAL(d, s->collective[i], calls);
    REAL(d, s->collective[i], payload);
    COUNT(d, s->collective[i], sent);
    COUNT(d, s->collective[i], between);
    COUNT(d, s->collective[i], network);
    COUNT(d, s->collective[i], window);
    COUNT(d, s->collective[i], windows);
    REAL(d, s->collective[i], forward);
    COUNT(d, s->collective[i], after);
    REAL(d, s->collective[i], head);
}

static void put_traffic(struct digest *d, const struct account_training *t, uint64_t number) {
    struct account_error e = {0};
    struct account_traffic s;
    (void)number;
    if (!answered(d, "traffic", account_traffic(t, &s, &e), &e)) return;
    for (enum account_collective_kind c = 0; c < ACCOUNT_COLLECTIVES; c++)
        digest_count(d, account_collective_name(c), s.sent[c]);
    COUNT(d, s, total);
    COUNT(d, s, inside);
    COUNT(d, s, between);
    COUNT(d, s, network);
    COUNT(d, s, offload_down);
    COUNT(d, s, offload_up);
    REAL(d, s, volume_params);
    COUNT(d, s, collectives);
    for (size_t i = 0; i < s.collectives; i++) put_leg(d, &s, i);
}

static void put_link(struct digest *d, const struct account_link *l) {
    digest_text(d, "link", l->name);
    REAL(d, *l, rate);
    REAL(d, *l, wire);
    REAL(d, *l, latency);
}

static void put_pace(struct digest *d, const struct account_training *t,
                     const struct account_traffic *s, size_t i) {
    struct account_pace p;
    bool has = account_pace(t, &s->collective[i], &p);
    digest_count(d, "pace", has);
    if (!has) return;
    REAL(d, p, once);
    REAL(d, p, hops_inside);
    REAL(d, p, hops_between);
    REAL(d, p, start);
    REAL(d, p, factor);
    REAL(d, p, bytes);
    REAL(d, p, rate);
    put_link(d, &p.link);
    put_link(d, &p.net);
    REAL(d, p, nics);
}

static void put_collectives(struct digest *d, const struct account_training *t, uint64_t seed) {
    for (enum account_collective_kind c = 0; c < ACCOUNT_COLLECTIVES; c++) {
        uint32_t ranks = 1u + (uint32_t)(chance(&seed) % 64);
        uint32_t per_node = 1u + (uint32_t)(chance(&seed) % ranks);
        double bytes = (double)(chance(&seed) % 1000000000);
        digest_real(d, "factor", account_collective_factor(c, ranks));
        digest_real(d, "seconds alone", account_collective_seconds(t, c, ranks, per_node, bytes));
    }
    struct account_link host = account_host_link(t);
    put_link(d, &host);
    digest_real(d, "efficiency", account_efficiency(t->seq, host.rate, 1e14));
}

static void put_clock(struct digest *d, const struct account_training *t, uint64_t number) {
    struct account_error e = {0};
    struct account_traffic s;
    struct account_clock k;
    if (!answered(d, "clock", account_clock(t, &k, &e), &e)) return;
    if (!account_traffic(t, &s, &e)) return;
    COUNT(d, k, has_comm);
    COUNT(d, k, has_compute);
    for (size_t i = 0; i < s.collectives; i++) {
        digest_text(d, "collective", s.collective[i].what);
        REAL(d, k, collective[i]);
        REAL(d, k, exposed[i]);
        put_pace(d, t, &s, i);
    }
    REAL(d, k, comm);
    REAL(d, k, comm_exposed);
    REAL(d, k, forward);
    REAL(d, k, backward);
    REAL(d, k, update);
    REAL(d, k, offload);
    REAL(d, k, bubble);
    REAL(d, k, step);
    REAL(d, k, tokens_per_s);
    put_collectives(d, t, number);
}

#define SPANS 64
static void put_schedule(struct digest *d, const struct account_training *t, uint64_t number) {
    struct account_error e = {0};
    struct account_span span[SPANS];
    size_t count = 0;
    if (!is_every(number, 4)) return;
    if (!answered(d, "schedule", account_schedule(t, span, SPANS, &count, &e), &e)) return;
    digest_count(d, "spans", count);
    for (size_t i = 0; i < count && i < SPANS; i++) {
        COUNT(d, span[i], kind);
        COUNT(d, span[i], phase);
        COUNT(d, span[i], micro);
        COUNT(d, span[i], block);
        if (span[i].kind == ACCOUNT_SPAN_COMM) COUNT(d, span[i], collective);
        REAL(d, span[i], start);
        REAL(d, span[i], end);
        REAL(d, span[i], exposed);
    }
}

/* ── what fits, plans ──────────────────────────────────────────────────────────────────────────*/

static void put_fits(struct digest *d, const struct account_training *t, uint64_t number) {
    if (!is_every(number, 10) || !account_check(t, NULL)) return;
    uint64_t budget = t->card ? account_card_bytes(t->card) : 40000000000u;
    digest_count(d, "largest params", account_largest_params(t, budget));
    digest_count(d, "fewest GPUs", account_fewest_gpus(t, budget));
}

static void put_plan_row(struct digest *d, const struct account_plan *p) {
    digest_text(d, "plan", p->reason);
    put_fields(d, &p->training);
    COUNT(d, *p, fits);
    COUNT(d, *p, spare);
    COUNT(d, *p, peak);
    COUNT(d, *p, gathered);
    REAL(d, *p, seconds);
    REAL(d, *p, tokens_per_s);
}

/* A question: what was drawn, with a card where it has none, and most fields free. */
static struct account_question drawn_question(const struct account_training *t, uint64_t number) {
    struct account_question q = {.training = *t};
    uint64_t seed = number;
    for (uint64_t many = 1 + chance(&seed) % 4, i = 0; i < many; i++)
        q.pinned = i ? q.pinned & chance(&seed) : chance(&seed);
    if (chance(&seed) % 2) q.global_batch = 1u << chance(&seed) % 10;
    if (chance(&seed) % 4 == 0) q.host_bytes = (1 + chance(&seed) % 2000) * 1000000000;
    if (chance(&seed) % 4 == 0) q.nvme_bytes = (1 + chance(&seed) % 30) * 1000000000000;
    if (!t->card) q.training.card = account_card_find("a100-80g");
    return q;
}

#define PLANS 8
static void put_plan(struct digest *d, const struct account_training *t, uint64_t number) {
    struct account_error e = {0};
    struct account_plan plan[PLANS];
    struct account_plans all;
    if (!is_every(number, 10)) return;
    struct account_question q = drawn_question(t, number);
    if (!answered(d, "plans", account_plan(&q, plan, PLANS, &all, &e), &e)) return;
    COUNT(d, all, count);
    COUNT(d, all, tried);
    COUNT(d, all, found);
    COUNT(d, all, timed);
    put_fields(d, &all.base);
    COUNT(d, all, global_batch);
    COUNT(d, all, host_bytes);
    COUNT(d, all, nvme_bytes);
    COUNT(d, all, forks);
    for (size_t i = 0; i < all.forks; i++) {
        TEXT(d, all.fork[i], question);
        TEXT(d, all.fork[i], answer);
        TEXT(d, all.fork[i], because);
    }
    for (size_t i = 0; i < all.count; i++) put_plan_row(d, &plan[i]);
}

/* ── problems ──────────────────────────────────────────────────────────────────────────────────*/

static void put_match(struct digest *d, const struct account_match *m) {
    digest_text(d, "mistake", m->mistake->id);
    digest_text(d, "also", m->also ? m->also->id : NULL);
    REAL(d, *m, value);
    TEXT(d, *m, arithmetic);
    TEXT(d, *m, wrong);
}

static void put_diagnosis(struct digest *d, const struct account_diagnosis *found) {
    digest_count(d, "diagnoses", found->count);
    for (size_t i = 0; i < found->count; i++) put_match(d, &found->match[i]);
}

static void put_judgement(struct digest *d, const struct account_judgement *j) {
    digest_text(d, "verdict", account_verdict_name(j->verdict));
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
        TEXT(d, s->line[i], id);
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
        digest_text(d, names[i], account_problem_get(p, names[i], text, sizeof text));
    }
}

static void put_separation(struct digest *d, const struct account_problem *p,
                           const char *const *about, size_t count) {
    struct account_separation s = {0};
    account_separate(p, about, count, &s);
    digest_count(d, "legal", s.legal);
    REAL(d, s, tolerance);
    REAL(d, s, distance);
    TEXT(d, s, a);
    TEXT(d, s, b);
    if (!s.legal) TEXT(d, s, missing);
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

static void put_problem(struct digest *d, const struct account_training *t, uint64_t number) {
    uint64_t seed = number;
    struct account_error e = {0};
    struct account_solution s;
    if (!is_every(number, 5)) return;
    struct account_problem p = drawn_problem(t, &seed);
    put_problem_fields(d, &p);
    if (!answered(d, "solved", account_solve(&p, &s, &e), &e)) return;
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
static void put_whose(struct digest *d, const struct account_training *t, uint64_t number) {
    struct account_error e = {0};
    struct account_owner o[OWNERS];
    struct account_ledger l;
    char text[80];
    if (!is_every(number, 50) || !account_ledger(t, &l, NULL)) return;
    account_print(text, sizeof text, (double)l.total, ACCOUNT_UNIT_GB, number % 100 ? 3 : 2);
    size_t count = account_whose(t, text, o, OWNERS, &e);
    digest_text(d, "whose", text);
    digest_count(d, "owners", count);
    if (count == 0) digest_text(d, "error", e.what);
    for (size_t i = 0; i < count && i < OWNERS; i++) {
        TEXT(d, o[i], recipe);
        COUNT(d, o[i], stage);
        COUNT(d, o[i], unit);
        digest_text(d, "mistake", o[i].mistake ? o[i].mistake->id : NULL);
        TEXT(d, o[i], quantity);
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
    TEXT(d, f, unit);
}

static void put_readings(struct digest *d, const char *text) {
    struct account_error e = {0};
    struct account_reading r = {0};
    struct account_words w = {0};
    uint64_t count;
    double value;
    digest_text(d, "typed", text);
    if (answered(d, "answer", account_read_answer(text, &r, &e), &e)) {
        REAL(d, r, value);
        COUNT(d, r, explicit_unit);
        COUNT(d, r, count_suffix);
        COUNT(d, r, unit);
    }
    if (answered(d, "count", account_read_count(text, &count, &e), &e))
        digest_count(d, "count", count);
    if (answered(d, "bytes", account_read_bytes(text, &value, &e), &e))
        digest_real(d, "bytes", value);
    if (answered(d, "rate", account_read_rate(text, &value, &e), &e)) digest_real(d, "rate", value);
    const char *end = account_read_words(text, &w);
    digest_real(d, "words", end ? w.value : -1);
}

static void put_typed(struct digest *d, const struct account_training *t, uint64_t number) {
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

/* ── all of it ─────────────────────────────────────────────────────────────────────────────────*/

static const struct {
    const char *name;
    void (*put)(struct digest *d, const struct account_training *t, uint64_t number);
} subjects[OUTPUT_SUBJECTS] = {
    {"training",    put_training   },
    {"memory",      put_memory     },
    {"activations", put_activations},
    {"traffic",     put_traffic    },
    {"clock",       put_clock      },
    {"schedule",    put_schedule   },
    {"fits",        put_fits       },
    {"plan",        put_plan       },
    {"problems",    put_problem    },
    {"whose",       put_whose      },
    {"typed",       put_typed      },
};

const char *output_subject(size_t subject) {
    return subjects[subject].name;
}

void outputs_of(const struct account_training *t, uint64_t number, bool says,
                struct digest out[OUTPUT_SUBJECTS]) {
    for (size_t i = 0; i < OUTPUT_SUBJECTS; i++) {
        out[i] = (struct digest){.says = says};
        if (says) printf("# %s\n", subjects[i].name);
        subjects[i].put(&out[i], t, number);
    }
}

static void put_names(struct digest *d) {
    for (enum account_category c = 0; c < ACCOUNT_CATEGORIES; c++) {
        digest_text(d, "category", account_category_name(c));
        digest_text(d, "what", account_category_what(c));
    }
    for (enum account_unit u = 0; u < ACCOUNT_UNITS; u++) {
        digest_text(d, "unit", account_unit_name(u));
        digest_real(d, "scale", account_unit_scale(u));
    }
    for (enum account_activation s = 0; s < ACCOUNT_ACTIVATION_SORTS; s++)
        digest_text(d, "activation", account_activation_name(s));
    for (enum account_fit f = ACCOUNT_FITS; f <= ACCOUNT_TOO_LARGE; f++)
        digest_text(d, "fit", account_fit_name(f));
}

static void put_scenes(struct digest *d) {
    for (enum account_play p = 0; p < ACCOUNT_PLAYS; p++)
        for (uint32_t ranks = 2; ranks <= ACCOUNT_SCENE_RANKS; ranks++) {
            struct account_scene s;
            digest_text(d, "play", account_play_name(p));
            digest_count(d, "scene", account_scene(p, ranks, ranks / 2 + 1, &s));
            COUNT(d, s, steps);
            COUNT(d, s, moves);
            for (uint32_t i = 0; i < ranks * ranks; i++)
                COUNT(d, s, cell[i / ranks][i % ranks].value);
        }
}

void output_tables(struct digest *d) {
    size_t count;
    const struct account_mistake *mistakes = account_mistakes(&count);
    for (size_t i = 0; i < count; i++) {
        TEXT(d, mistakes[i], id);
        TEXT(d, mistakes[i], name);
        TEXT(d, mistakes[i], explain);
    }
    struct account_row recipe[16];
    count = account_recipes_list(recipe, 16);
    for (size_t i = 0; i < count; i++) {
        TEXT(d, recipe[i], name);
        TEXT(d, recipe[i], what);
        TEXT(d, recipe[i], source);
    }
    const struct account_field *fields = account_fields(&count);
    for (size_t i = 0; i < count; i++) {
        TEXT(d, fields[i], label);
        TEXT(d, fields[i], help);
        TEXT(d, fields[i], choices);
    }
    put_names(d);
    put_scenes(d);
}
