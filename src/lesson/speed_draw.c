/* speed_draw.c: which problems the speed challenge asks: families of lessons and lines of their
 * worksheets, drawn until the numbers keep every known mistake away from an estimate. */
#include "lesson/speed_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ── subjects and levels ───────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *name, *title, *advice;
} SUBJECTS[LESSON_SPEED_SUBJECTS] = {
    [LESSON_SPEED_ALL] = {"all", "All subjects", ""},
    [LESSON_SPEED_STATES] = {"states", "Model states",
                             "Find the bytes per parameter first, then multiply once."},
    [LESSON_SPEED_SHARDS] = {"shards", "Shards",
                             "Divide the whole by the ranks first: a shard is one N-th of it."},
    [LESSON_SPEED_TRAFFIC] = {"traffic", "Traffic",
                              "Count how many times the whole array leaves this rank, then "
                              "multiply by its bytes."},
    [LESSON_SPEED_MEMORY] = {"memory", "Activations and peaks",
                             "Write the dimensions as powers of two and add the exponents."},
    [LESSON_SPEED_SECONDS] = {"seconds", "Seconds",
                              "Bring the bytes and the link to the same unit, then divide once."},
    [LESSON_SPEED_FITS] = {"fits", "Does it fit",
                           "Divide what the GPUs hold together by the bytes per parameter."},
};

const char *lesson_speed_subject_name(enum lesson_speed_subject s) {
    return (unsigned)s < LESSON_SPEED_SUBJECTS ? SUBJECTS[s].name : "";
}

const char *lesson_speed_subject_title(enum lesson_speed_subject s) {
    return (unsigned)s < LESSON_SPEED_SUBJECTS ? SUBJECTS[s].title : "";
}

const char *lesson_speed_subject_advice(enum lesson_speed_subject s) {
    return (unsigned)s < LESSON_SPEED_SUBJECTS ? SUBJECTS[s].advice : "";
}

enum lesson_speed_subject lesson_speed_subject_find(const char *name) {
    unsigned i = 0;
    while (i < LESSON_SPEED_SUBJECTS && strcmp(SUBJECTS[i].name, name) != 0) i++;
    return (enum lesson_speed_subject)i;
}

/* The levels follow the order in which the course teaches. */
static const struct {
    enum lesson_speed_subject subject;
    int level;
} KINDS[ACCOUNT_KINDS] = {
    [ACCOUNT_ASK_BYTES] = {LESSON_SPEED_STATES, 1},
    [ACCOUNT_ASK_BYTES_PER_PARAM] = {LESSON_SPEED_STATES, 1},
    [ACCOUNT_ASK_CONVERT] = {LESSON_SPEED_STATES, 1},
    [ACCOUNT_ASK_SHARD] = {LESSON_SPEED_SHARDS, 2},
    [ACCOUNT_ASK_TRAFFIC] = {LESSON_SPEED_TRAFFIC, 3},
    [ACCOUNT_ASK_VOLUME] = {LESSON_SPEED_TRAFFIC, 3},
    [ACCOUNT_ASK_ACTIVATIONS] = {LESSON_SPEED_MEMORY, 3},
    [ACCOUNT_ASK_PEAK] = {LESSON_SPEED_MEMORY, 3},
    [ACCOUNT_ASK_HOST] = {LESSON_SPEED_MEMORY, 3},
    [ACCOUNT_ASK_SECONDS] = {LESSON_SPEED_SECONDS, 4},
    [ACCOUNT_ASK_LARGEST_PARAMS] = {LESSON_SPEED_FITS, 5},
    [ACCOUNT_ASK_FEWEST_GPUS] = {LESSON_SPEED_FITS, 5},
};

/* Whether the answer is one N-th of what the GPU would keep without the stage. */
static bool is_shard(const struct account_problem *p) {
    struct account_problem whole = *p;
    struct account_solution part, all;
    whole.training.stage = 0;
    return p->kind == ACCOUNT_ASK_BYTES && !p->cluster && p->training.stage > 0 &&
           account_solve(p, &part, NULL) && account_solve(&whole, &all, NULL) &&
           fabs(part.value * p->training.gpus - all.value) < 1e-6 * all.value;
}

enum lesson_speed_subject lesson_speed_subject_of(const struct account_problem *p) {
    return is_shard(p) ? LESSON_SPEED_SHARDS : KINDS[p->kind].subject;
}

int lesson_speed_level_of(const struct account_problem *p) {
    bool sharded = KINDS[p->kind].subject == LESSON_SPEED_STATES && p->training.stage > 0;
    return KINDS[p->kind].level + sharded;
}

bool lesson_speed_suits(const struct account_problem *p) {
    return account_clearance(p) >= LESSON_SPEED_CLEARANCE - 1e-9;
}

/* ── the pool ──────────────────────────────────────────────────────────────────────────────────*/
/* A worksheet is a family too: each draw asks one of its lines. */
static bool is_sheet(const struct lesson *l, size_t i) {
    return strcmp(lesson_form(l, i), "sheet") == 0;
}

static void add_family(struct lesson *pool, const struct lesson *l, size_t i, size_t nth) {
    char *item = base_dup(l->step[i].item);
    lesson_mix_add(pool, LESSON_PROBLEM, lesson_mix_step(l, i, nth, item), item);
}

struct lesson *lesson_speed_pool(const struct lesson *const *lesson, size_t count,
                                 struct base_message *m) {
    size_t steps = 1;
    for (size_t n = 0; n < count; n++) steps += lesson[n]->count;
    struct lesson *pool = lesson_mix_new(LESSON_REVIEW, "speed", "Speed challenge", steps);
    for (size_t n = 0; n < count; n++)
        for (size_t i = 0; i < lesson[n]->count; i++)
            if (strcmp(lesson_form(lesson[n], i), "number") == 0 || is_sheet(lesson[n], i))
                add_family(pool, lesson[n], i, n);
    if (pool->count > 0) return pool;
    base_fail(m, "these lessons have no problems that ask for a number");
    lesson_free(pool);
    return NULL;
}

/* ── options ───────────────────────────────────────────────────────────────────────────────────*/
/* Neighbours of a choice differ by about so much at least: it is one between sizes. */
#define APART 1.9
enum { MISTAKES_OFFERED = 2 };

struct options {
    enum account_unit unit;
    double value[LESSON_SPEED_OPTIONS];
    size_t count;
    /* how many more may lie below the truth, which comes first, and above it */
    size_t below, above;
};

static bool is_counted(enum account_unit u) {
    return u == ACCOUNT_UNIT_GPUS || u == ACCOUNT_UNIT_PARAMS;
}

static void add_option(struct options *o, double value) {
    size_t *room = value < o->value[0] ? &o->below : &o->above;
    if (*room == 0 || !isfinite(value) || !(value > 0)) return;
    if (is_counted(o->unit) && value != floor(value)) return;
    for (size_t i = 0; i < o->count; i++)
        if (fmax(value / o->value[i], o->value[i] / value) < APART) return;
    o->value[o->count++] = value;
    --*room;
}

/* Numbers that mistakes give, from a place in their table on. */
static void add_mistakes(struct options *o, const struct account_problem *p, uint64_t from) {
    size_t count;
    const struct account_mistake *all = account_mistakes(&count);
    struct account_match match;
    for (size_t k = 0; k < count && o->count <= MISTAKES_OFFERED; k++)
        if (account_mistake_value(p, all[(from + k) % count].id, &match))
            add_option(o, match.value);
}

/* There is always something larger, and of counts not always something smaller. */
static void add_powers(struct options *o) {
    double truth = o->value[0], power = 10;
    for (int i = 0; i < 6 && o->below > 0; i++, power *= 10) add_option(o, truth / power);
    o->above += o->below;
    o->below = 0;
    for (power = 10; o->above > 0; power *= 10) add_option(o, truth * power);
}

/* Sizes in the unit in which each reads best: they differ by powers of ten. */
static void write_option(char *out, size_t size, double value, enum account_unit unit) {
    if (unit >= ACCOUNT_UNIT_B && unit <= ACCOUNT_UNIT_TIB)
        account_print_bytes(out, size, value);
    else
        account_print(out, size, value, unit, 3);
}

static int by_value(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The truth is equally often each of the four, so that no place among them tells it. */
static void offer(struct lesson_speed_drawn *d, uint64_t *random) {
    size_t below = base_random(random) % LESSON_SPEED_OPTIONS;
    struct options o = {.unit = d->solution.unit,
                        .value = {d->solution.value},
                        .count = 1,
                        .below = below,
                        .above = LESSON_SPEED_OPTIONS - 1 - below};
    add_mistakes(&o, &d->problem, base_random(random));
    add_powers(&o);
    qsort(o.value, o.count, sizeof *o.value, by_value);
    for (size_t i = 0; i < o.count; i++) {
        d->option[i] = o.value[i];
        write_option(d->question.option[i], sizeof d->question.option[i], o.value[i], o.unit);
    }
}

/* ── drawing ───────────────────────────────────────────────────────────────────────────────────*/
/* Most families suit in a tenth of their draws or more, or never. */
enum { DRAWS = 48, PROBES = 12 };

/* Takes the problem of one line of the worksheet, chosen by the seed. False if the line cannot be
 * asked separately. */
static bool take_line(struct lesson_speed_drawn *d) {
    struct account_solution line;
    size_t lines = d->solution.lines > 0 ? d->solution.lines - 1 : 0;
    if (lines == 0) return false;
    const struct account_line *one = &d->solution.line[base_hash(d->seed, "line") % lines];
    json_t *variant = json_deep_copy(d->variant), *problem = json_object_get(variant, "problem");
    json_object_set_new(problem, "quantity", json_string(one->id));
    json_decref(d->variant);
    d->variant = variant;
    bool is = account_problem_set(&d->problem, "quantity", one->id, NULL) &&
              account_solve(&d->problem, &line, NULL) &&
              fabs(line.value - one->value) <= 1e-9 * fabs(one->value);
    if (is) d->solution = line;
    return is;
}

static bool is_about(const struct account_problem *p, enum lesson_speed_subject subject) {
    return subject == LESSON_SPEED_ALL || subject == lesson_speed_subject_of(p);
}

static bool read_variant(const struct lesson *pool, struct lesson_speed_drawn *d) {
    return lesson_problem_read(json_object_get(d->variant, "problem"), &d->problem, NULL) &&
           account_solve(&d->problem, &d->solution, NULL) &&
           (!is_sheet(pool, d->family) || take_line(d));
}

bool lesson_speed_probe(const struct lesson *pool, size_t family, struct lesson_source source,
                        uint64_t *random, enum lesson_speed_subject subject,
                        struct account_problem *out) {
    struct lesson_speed_drawn d = {.family = family, .seed = base_random(random)};
    bool read = false;
    for (int k = 0; k < PROBES && !read; k++, d.seed = base_random(random)) {
        d.variant = lesson_variant(pool, family, source, d.seed, NULL);
        if (d.variant == NULL) return false;
        read = read_variant(pool, &d) && is_about(&d.problem, subject);
        if (read) *out = d.problem;
        json_decref(d.variant);
    }
    return read;
}

/* ── in few words ──────────────────────────────────────────────────────────────────────────────*/
/* The fields that a brief question says. */
static bool is_said(const char *field) {
    static const char *const said[] = {"params", "precision", "optimizer",
                                       "gpus",   "stage",     "accumulate"};
    for (size_t i = 0; i < BASE_COUNT(said); i++)
        if (strcmp(field, said[i]) == 0) return true;
    return false;
}

/* Only of plain trainings by the paper's count: of others the lesson's own words say more. */
static bool is_plain(const struct account_problem *p) {
    size_t count;
    const struct account_field *field = account_fields(&count);
    for (size_t i = 0; i < count; i++)
        if (!is_said(field[i].name) && !account_is_default(&p->training, field[i].name))
            return false;
    return p->kind == ACCOUNT_ASK_BYTES || p->kind == ACCOUNT_ASK_TRAFFIC ||
           p->kind == ACCOUNT_ASK_LARGEST_PARAMS || p->kind == ACCOUNT_ASK_FEWEST_GPUS;
}

/* What is known: "34B on 64 GPUs, 80 GB each, mixed-bf16, 4 micro-batches". */
static void add_known(struct base_text *t, const struct account_problem *p) {
    const struct account_training *training = &p->training;
    char text[32];
    if (p->kind != ACCOUNT_ASK_LARGEST_PARAMS)
        base_text_printf(t, "%s on ",
                         account_print_count(text, sizeof text, (double)training->params));
    if (p->kind == ACCOUNT_ASK_FEWEST_GPUS)
        base_text_puts(t, "GPUs");
    else
        base_text_printf(t, "%u GPU%s", training->gpus, training->gpus == 1 ? "" : "s");
    if (p->budget > 0)
        base_text_printf(t, " of %s", account_print_bytes(text, sizeof text, p->budget));
    base_text_printf(t, ", %s", account_get(training, "precision", text, sizeof text));
    if (!account_is_default(training, "optimizer"))
        base_text_printf(t, ", %s", account_get(training, "optimizer", text, sizeof text));
    if (training->accumulate > 1) base_text_printf(t, ", %u micro-batches", training->accumulate);
}

/* "34B on 64 GPUs, mixed-bf16: gradients at stage 2, per GPU"; NULL if that would not say all. */
static char *brief_of(const struct account_problem *p) {
    struct account_skill skill;
    char words[ACCOUNT_SKILL_MOST];
    if (!is_plain(p) || !account_skill_of(p, &skill)) return NULL;
    struct base_text text = {0};
    bool alone = p->training.gpus == 1 && p->kind != ACCOUNT_ASK_FEWEST_GPUS;
    skill.unit = ACCOUNT_UNIT_NONE;
    skill.stage = alone ? -1 : p->training.stage;
    add_known(&text, p);
    base_text_printf(&text, ": %s", account_skill_words(&skill, words));
    if (p->kind == ACCOUNT_ASK_TRAFFIC)
        base_text_puts(&text, ", sent per GPU");
    else if (p->kind == ACCOUNT_ASK_BYTES && !alone && !p->cluster)
        base_text_puts(&text, ", per GPU");
    return base_text_take(&text);
}

/* Which questions are of one kind: those that differ in their numbers only. */
static void name_kind(struct lesson_speed_drawn *d) {
    struct account_skill skill;
    d->kind[0] = '\0';
    if (!account_skill_of(&d->problem, &skill)) return;
    skill.unit = ACCOUNT_UNIT_NONE;
    account_skill_key(&skill, d->kind);
}

/* False if it is a line of a worksheet that no few words ask. */
static bool fill(const struct lesson *pool, struct lesson_speed_drawn *d) {
    bool sheet = is_sheet(pool, d->family);
    d->brief = brief_of(&d->problem);
    name_kind(d);
    d->question = (struct lesson_speed_question){
        .ask = sheet && d->brief ? d->brief : base_json_text(d->variant, "ask", ""),
        .brief = d->brief ? d->brief : base_json_text(d->variant, "ask", ""),
        .item = pool->step[d->family].item,
        .lesson = base_json_text(lesson_origin(pool, d->family), "id", ""),
        .unit = d->solution.unit,
        .subject = lesson_speed_subject_of(&d->problem),
        .level = lesson_speed_level_of(&d->problem),
    };
    return !sheet || d->brief;
}

bool lesson_speed_draw(const struct lesson *pool, size_t family, struct lesson_source source,
                       uint64_t *random, enum lesson_speed_subject subject, bool choose,
                       struct lesson_speed_drawn *out) {
    for (int k = 0; k < DRAWS; k++) {
        *out = (struct lesson_speed_drawn){.family = family, .seed = base_random(random)};
        out->variant = lesson_variant(pool, family, source, out->seed, NULL);
        if (out->variant == NULL) return false;
        if (read_variant(pool, out) && is_about(&out->problem, subject) &&
            lesson_speed_suits(&out->problem) && fill(pool, out)) {
            if (choose) offer(out, random);
            return true;
        }
        lesson_speed_drawn_free(out);
    }
    return false;
}

void lesson_speed_drawn_free(struct lesson_speed_drawn *d) {
    json_decref(d->variant);
    free(d->brief);
    *d = (struct lesson_speed_drawn){0};
}
