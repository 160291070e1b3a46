#include "account/outputs_inside.h"

#include <stdio.h>
#include <string.h>

bool output_answered(struct digest *d, const char *what, bool is, const struct account_error *e) {
    digest_count(d, what, is);
    if (is) return true;
    digest_text(d, "refused", e->what);
    digest_count(d, "column", (uint64_t)e->column);
    return false;
}

bool output_is_every(uint64_t number, uint64_t n) {
    return number % n == 0;
}

/* ── training ──────────────────────────────────────────────────────────────────────────────────*/

/* A field that is younger than the first digests: unset, it leaves what was written as it is. */
static bool is_young(const char *field) {
    return strcmp(field, "lora_on") == 0;
}

static void put_fields(struct digest *d, const struct account_training *t) {
    size_t count;
    const struct account_field *fields = account_fields(&count);
    for (size_t i = 0; i < count; i++) {
        char text[80];
        if (is_young(fields[i].name) && account_is_default(t, fields[i].name)) continue;
        digest_name(d, fields[i].name, account_get(t, fields[i].name, text, sizeof text));
        digest_count(d, "is_default", account_is_default(t, fields[i].name));
    }
}

static void put_shape(struct digest *d, const struct account_shape *s) {
    digest_name(d, "family", account_family_name(s));
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
    bool sound = output_answered(d, "check", account_check(t, &e), &e);
    const struct account_node *node = account_assume_node(&placed);
    digest_name(d, "assumed node", node ? node->name : NULL);
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
    digest_name(d, "ledger", name);
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
    if (!output_answered(d, "cluster", cluster_bytes(t, categories, &sum, &e), &e)) return;
    digest_count(d, "upper 64 bits", (uint64_t)(sum >> 64));
    digest_count(d, "lower 64 bits", (uint64_t)sum);
}

static void put_memory(struct digest *d, const struct account_training *t, uint64_t number) {
    struct account_error e = {0};
    struct account_ledger l;
    struct account_memory m;
    if (output_answered(d, "ledger", account_ledger(t, &l, &e), &e)) put_ledger(d, "gpu", &l);
    if (!output_answered(d, "memory", account_memory(t, &m, &e), &e)) return;
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
    put_cluster(d, t, output_is_every(number, 2) ? 15 : (1u << ACCOUNT_CATEGORIES) - 1);
    if (!t->card) return;
    uint64_t budget = account_card_bytes(t->card);
    digest_count(d, "bytes of the card", budget);
    digest_count(d, "fits", account_fit(m.phase[m.peak].ledger.total, budget));
}

/* ── activations ───────────────────────────────────────────────────────────────────────────────*/

static void put_parts(struct digest *d, const struct account_training *t) {
    struct account_error e = {0};
    struct account_activation_parts parts;
    if (!output_answered(d, "parts", account_activation_parts(t, &parts, &e), &e)) return;
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
    if (output_answered(d, "activations", account_activations(t, &a, &e), &e)) {
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
    NAME(d, s->collective[i], group);
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
    if (!output_answered(d, "traffic", account_traffic(t, &s, &e), &e)) return;
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
    digest_name(d, "link", l->name);
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
}

static void put_clock(struct digest *d, const struct account_training *t, uint64_t number) {
    struct account_error e = {0};
    struct account_traffic s;
    struct account_clock k;
    if (!output_answered(d, "clock", account_clock(t, &k, &e), &e)) return;
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
    if (!output_is_every(number, 4)) return;
    if (!output_answered(d, "schedule", account_schedule(t, span, SPANS, &count, &e), &e)) return;
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
    if (!output_is_every(number, 10) || !account_check(t, NULL)) return;
    uint64_t budget = t->card ? account_card_bytes(t->card) : 40000000000u;
    digest_count(d, "largest params", account_largest_params(t, budget));
    digest_count(d, "fewest GPUs", account_fewest_gpus(t, budget));
}

static void put_plan_row(struct digest *d, const struct account_plan *p) {
    digest_text(d, "plan", p->reason);
    put_fields(d, &p->training);
    COUNT(d, p->measured, fits);
    COUNT(d, p->measured, spare);
    COUNT(d, p->measured, peak);
    COUNT(d, p->measured, gathered);
    REAL(d, p->measured, seconds);
    REAL(d, p->measured, tokens_per_s);
}

/* Bits of the fields that are not young, as account_question has them. */
static uint64_t pinned_of(uint64_t drawn) {
    size_t count;
    const struct account_field *fields = account_fields(&count);
    uint64_t pinned = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_young(fields[i].name)) continue;
        pinned |= (drawn & 1) << i;
        drawn >>= 1;
    }
    return pinned;
}

/* A question: what was drawn, with a card where it has none, and most fields free. */
static struct account_question drawn_question(const struct account_training *t, uint64_t number) {
    struct account_question q = {.training = *t};
    uint64_t seed = number;
    for (uint64_t many = 1 + chance(&seed) % 4, i = 0; i < many; i++)
        q.pinned = i ? q.pinned & chance(&seed) : chance(&seed);
    q.pinned = pinned_of(q.pinned);
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
    if (!output_is_every(number, 10)) return;
    struct account_question q = drawn_question(t, number);
    if (!output_answered(d, "plans", account_plan(&q, plan, PLANS, &all, &e), &e)) return;
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

/* ── all of it ─────────────────────────────────────────────────────────────────────────────────*/

static const struct {
    const char *name;
    void (*put)(struct digest *d, const struct account_training *t, uint64_t number);
} subjects[OUTPUT_SUBJECTS] = {
    {"training", put_training}, {"memory", put_memory},  {"activations", put_activations},
    {"traffic", put_traffic},   {"clock", put_clock},    {"schedule", put_schedule},
    {"fits", put_fits},         {"plan", put_plan},      {"problems", output_problem},
    {"whose", output_whose},    {"typed", output_typed},
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
    for (enum account_category c = 0; c < ACCOUNT_CATEGORIES; c++)
        digest_name(d, "category", account_category_name(c));
    for (enum account_unit u = 0; u < ACCOUNT_UNITS; u++) {
        digest_name(d, "unit", account_unit_name(u));
        digest_real(d, "scale", account_unit_scale(u));
    }
    for (enum account_activation s = 0; s < ACCOUNT_ACTIVATION_SORTS; s++)
        digest_name(d, "activation", account_activation_name(s));
    for (enum account_fit f = ACCOUNT_FITS; f <= ACCOUNT_TOO_LARGE; f++)
        digest_text(d, "fit", account_fit_name(f));
}

static void put_scenes(struct digest *d) {
    for (enum account_scene_kind k = 0; k < ACCOUNT_SCENES; k++)
        for (uint32_t ranks = 2; ranks <= ACCOUNT_SCENE_RANKS; ranks++) {
            struct account_scene s;
            digest_count(d, "scene", account_scene(k, ranks, ranks + 2, &s));
            COUNT(d, s, hops);
            COUNT(d, s, moves);
            for (uint32_t i = 0; i < ranks * ranks; i++)
                COUNT(d, s, cell[i / ranks][i % ranks].shares);
        }
}

/* "none|host|nvme"; NULL for a number or a name of a catalogue. */
static void put_choices(struct digest *d, const struct account_choices *c) {
    char all[160] = "";
    const char *name;
    for (size_t i = 0; c && (name = c->name(i)); i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? "|" : "", name);
    digest_name(d, "choices", c ? all : NULL);
}

void output_tables(struct digest *d) {
    size_t count;
    const struct account_mistake *mistakes = account_mistakes(&count);
    for (size_t i = 0; i < count; i++) {
        NAME(d, mistakes[i], id);
        TEXT(d, mistakes[i], name);
        TEXT(d, mistakes[i], explain);
    }
    struct account_row recipe[16];
    count = account_recipes_list(recipe, 16);
    for (size_t i = 0; i < count; i++) {
        NAME(d, recipe[i], name);
        TEXT(d, recipe[i], what);
        TEXT(d, recipe[i], source);
    }
    const struct account_field *fields = account_fields(&count);
    for (size_t i = 0; i < count; i++) {
        TEXT(d, fields[i], label);
        TEXT(d, fields[i], help);
        put_choices(d, fields[i].choices);
    }
    put_names(d);
    put_scenes(d);
}
