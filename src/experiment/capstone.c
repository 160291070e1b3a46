/* capstone: the lab of that name for one scenario. Its stages are run from 3 down, each holding
 * more than the one before, to the first that runs out of memory; what is asked is how far that
 * is. */
#include "experiment/experiment.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL_MOST = 24, OPTION_MOST = 48 };

struct experiment_capstone {
    struct experiment_lab lab;
    struct experiment_scale scale[EXPERIMENT_VARIANTS];
    char label[EXPERIMENT_VARIANTS][LABEL_MOST], option[EXPERIMENT_OPTIONS][OPTION_MOST];
    char *about, *ask, *amount, *problem, *reveal;
};

/* ── its runs ──────────────────────────────────────────────────────────────────────────────────*/
static void add_run(struct experiment_capstone *c, const struct experiment_scale *s) {
    size_t i = experiment_variants(&c->lab);
    c->scale[i] = *s;
    snprintf(c->label[i], LABEL_MOST, "stage %u", s->real.stage);
    c->lab.variant[i] = (struct experiment_variant){c->label[i], c->scale[i].arguments, !s->runs};
}

/* The stages that the recipe has, from 3 down; `chosen` alone unless it is
 * EXPERIMENT_ALL_STAGES. */
static size_t stages_of(const struct account_training *t, int chosen,
                        uint8_t out[EXPERIMENT_VARIANTS]) {
    size_t n = 0;
    for (int stage = 3; stage >= 0; stage--)
        if ((chosen == EXPERIMENT_ALL_STAGES || chosen == stage) &&
            account_has_stage(t, (uint8_t)stage))
            out[n++] = (uint8_t)stage;
    return n;
}

static bool add_runs(struct experiment_capstone *c, const struct account_training *scenario,
                     uint64_t budget, const uint8_t *stage, size_t stages,
                     struct experiment_capacity capacity, struct base_message *m) {
    struct account_training t = *scenario;
    for (size_t i = 0; i < stages; i++) {
        struct experiment_scale s;
        t.stage = stage[i];
        if (!experiment_scale(&t, budget, capacity, &s, m)) return false;
        add_run(c, &s);
        if (!s.runs) break;
    }
    return true;
}

/* ── what is asked ─────────────────────────────────────────────────────────────────────────────*/
/* "stages 3, 2 and 1". */
static void name_stages(char out[OPTION_MOST], const uint8_t *stage, size_t n) {
    int at = snprintf(out, OPTION_MOST, "%s %u", n == 1 ? "only stage" : "stages", stage[0]);
    for (size_t i = 1; i < n; i++)
        at += snprintf(out + at, OPTION_MOST - (size_t)at, "%s %u", i + 1 < n ? "," : " and",
                       stage[i]);
}

static void ask_one(struct experiment_capstone *c) {
    snprintf(c->option[0], OPTION_MOST, "it fits");
    snprintf(c->option[1], OPTION_MOST, "it runs out of memory");
    c->lab.right = c->lab.variant[0].dies;
    c->ask = base_format("Scaled down with its GPU: does %s fit?", c->label[0]);
}

/* Three to choose from, the right one among them. */
static void ask_all(struct experiment_capstone *c, const uint8_t *stage, size_t stages) {
    size_t fit = experiment_variants(&c->lab);
    fit -= c->lab.variant[fit - 1].dies;
    for (size_t i = 0; i < 3 && i < stages; i++) name_stages(c->option[i], stage, i + 1);
    c->lab.right = (uint8_t)(fit - 1);
    if (fit == 0 || fit > 3) {
        c->lab.right = 2;
        snprintf(c->option[2], OPTION_MOST, fit ? "all of them" : "none of them");
    }
    c->ask = base_dup("The cap is the GPU's memory, scaled down. From stage 3 down each stage "
                      "holds more. Which stages fit under the cap?");
}

/* ── the number ────────────────────────────────────────────────────────────────────────────────*/
/* The lowest stage that shards: its states alone may fit where its step does not. */
static struct account_training lowest(const struct experiment_capstone *c, const uint8_t *stage,
                                      size_t stages) {
    struct account_training t = c->scale[0].real;
    for (size_t i = 0; i < stages; i++)
        if (stage[i] > 0 || stages == 1) t.stage = stage[i];
    return t;
}

/* The scenario as fields of a problem. A field without a value that is one word cannot be told. */
static char *say_problem(const struct account_training *t) {
    size_t count;
    char value[64];
    const struct account_field *f = account_fields(&count);
    struct base_text text = {0};
    base_text_puts(&text, "kind=bytes quantity=model_state unit=GB");
    for (size_t i = 0; i < count; i++)
        if (!account_is_default(t, f[i].name) && account_get(t, f[i].name, value, sizeof value) &&
            *value && !strchr(value, ' '))
            base_text_printf(&text, " %s=%s", f[i].name, value);
    return base_text_take(&text);
}

static void ask_amount(struct experiment_capstone *c, const uint8_t *stage, size_t stages) {
    struct account_training t = lowest(c, stage, stages);
    char params[24];
    account_print_count(params, sizeof params, (double)t.params);
    c->amount =
        base_format("The scenario has %s parameters on %u GPUs. How many GB of model states "
                    "does each of them keep under stage %u?",
                    params, t.gpus, t.stage);
    c->problem = say_problem(&t);
    c->lab.amount = (struct experiment_amount){.ask = c->amount, .problem = c->problem};
}

/* ── the question afterwards ───────────────────────────────────────────────────────────────────*/
static uint64_t most(const struct experiment_held *h) {
    uint64_t of_step = h->activations > h->buffers ? h->activations : h->buffers;
    return h->states > of_step ? h->states : of_step;
}

/* The same three to choose from as the listed lab. */
static void ask_after(struct experiment_capstone *c, const struct experiment_lab *named) {
    static const char *const because[] = {
        NULL,
        "No stage makes activations smaller. Checkpointing does, and computes them again.",
        "Smaller buckets and fewer units gathered ahead make buffers smaller.",
    };
    const struct experiment_held *h = &c->scale[experiment_variants(&c->lab) - 1].scaled;
    c->lab.after = named->after;
    c->lab.after.right = most(h) == h->states ? 0 : most(h) == h->activations ? 1 : 2;
    if (because[c->lab.after.right]) c->lab.after.because = because[c->lab.after.right];
}

/* ── what is said ──────────────────────────────────────────────────────────────────────────────*/
static char *say_about(const struct experiment_scale *s) {
    char real[24], small[24], budget[24], cap[24];
    account_print_count(real, sizeof real, (double)s->real.params);
    account_print_count(small, sizeof small, (double)s->small.params);
    account_print_bytes(budget, sizeof budget, (double)s->budget);
    account_print_bytes(cap, sizeof cap, (double)s->cap);
    return base_format(
        "The scenario has %s parameters on %u GPUs of %s. Here it has %s parameters on %u ranks. "
        "Layers, micro-batch, bytes per element, sequence ÷ width and vocabulary ÷ (layers × "
        "width) are the scenario's, so model states and activations shrink alike. Each rank may "
        "hold the GPU's memory without the framework's reserve, scaled down by the same factor. "
        "Under stage %u that is **%s**.%s",
        real, s->real.gpus, budget, small, s->small.gpus, s->real.stage, cap,
        s->small.gpus < s->real.gpus ? " With fewer ranks each holds more, and its cap is larger "
                                       "too."
                                     : "");
}

static void say_verdict(struct base_text *t, const struct experiment_scale *s) {
    char real[24], budget[24], peak[24], cap[24];
    account_print_bytes(real, sizeof real, (double)s->scenario.peak);
    account_print_bytes(budget, sizeof budget, (double)s->budget);
    account_print_bytes(peak, sizeof peak, (double)s->scaled.peak);
    account_print_bytes(cap, sizeof cap, (double)s->cap);
    base_text_printf(t, "%sStage %u: %s of %s there, %s of %s here: %s.", t->length ? " " : "",
                     s->real.stage, real, budget, peak, cap, s->runs ? "it fits" : "out of memory");
    if (s->runs != (s->fits != ACCOUNT_TOO_LARGE))
        base_text_puts(t, " That is too close to call, because in the scenario it is the other "
                          "way round.");
}

static char *say_reveal(const struct experiment_capstone *c) {
    struct base_text t = {0};
    for (size_t i = 0; i < experiment_variants(&c->lab); i++) say_verdict(&t, &c->scale[i]);
    base_text_puts(
        &t, " The engine predicted both before the run. If your memo quotes the run's number, "
            "its check compares the two.");
    return base_text_take(&t);
}

static void fill_lab(struct experiment_capstone *c, const uint8_t *stage, size_t stages) {
    const struct experiment_lab *named = experiment_lab_find("capstone");
    c->lab.name = named->name;
    c->lab.title = named->title;
    c->lab.watch = named->watch;
    c->lab.scaled = true;
    if (stages == 1)
        ask_one(c);
    else
        ask_all(c, stage, stages);
    for (size_t i = 0; i < EXPERIMENT_OPTIONS; i++)
        if (*c->option[i]) c->lab.option[i] = c->option[i];
    c->lab.ask = c->ask;
    c->lab.about = c->about = say_about(&c->scale[0]);
    c->lab.reveal = c->reveal = say_reveal(c);
    ask_amount(c, stage, stages);
    ask_after(c, named);
}

struct experiment_capstone *experiment_capstone_new(const struct account_training *scenario,
                                                    uint64_t budget, int stage,
                                                    struct experiment_capacity capacity,
                                                    struct base_message *m) {
    uint8_t stages[EXPERIMENT_VARIANTS];
    size_t n = stages_of(scenario, stage, stages);
    if (n == 0) {
        base_fail(m, "the scenario's recipe has no stage %d", stage);
        return NULL;
    }
    struct experiment_capstone *c = base_alloc(sizeof *c);
    if (!add_runs(c, scenario, budget, stages, n, capacity, m)) {
        experiment_capstone_free(c);
        return NULL;
    }
    fill_lab(c, stages, n);
    return c;
}

void experiment_capstone_free(struct experiment_capstone *c) {
    if (!c) return;
    free(c->about);
    free(c->ask);
    free(c->amount);
    free(c->problem);
    free(c->reveal);
    free(c);
}

const struct experiment_lab *experiment_capstone_lab(const struct experiment_capstone *c) {
    return &c->lab;
}

const struct experiment_scale *experiment_capstone_scale(const struct experiment_capstone *c,
                                                         size_t variant) {
    return &c->scale[variant];
}
