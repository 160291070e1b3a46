/* A memo's head: the lines that declare its configurations. */
#include "memo/inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum label { SCENARIO, RECIPE, DECISION, ALTERNATIVE, ACTIVATIONS, NO_LABEL };
static const char *const labels[] = {"scenario", "recipe", "decision", "alternative",
                                     "activations"};

struct line {
    enum label label;
    /* of an alternative; what stands behind the colon */
    struct memo_span name, text;
};

static struct line label_at(const struct memo_line *l) {
    struct memo_span s = memo_trim(l->text);
    struct line out = {.label = NO_LABEL};
    const char *colon = memchr(s.at, ':', (size_t)(s.end - s.at));
    if (l->kind != MEMO_PROSE && l->kind != MEMO_HEADING) return out;
    if (!colon) return out;
    struct memo_span before = memo_trim((struct memo_span){s.at, colon});
    for (size_t i = 0; i < BASE_COUNT(labels); i++) {
        size_t n = strlen(labels[i]);
        bool named = i == ALTERNATIVE && (size_t)(before.end - before.at) > n &&
                     before.at[n] == ' ' && strncasecmp(before.at, labels[i], n) == 0;
        if (!memo_same(before, labels[i]) && !named) continue;
        out.label = (enum label)i;
        if (named) out.name = memo_trim((struct memo_span){before.at + n, before.end});
        out.text = memo_trim((struct memo_span){colon + 1, s.end});
    }
    return out;
}

static void refuse(struct memo *m, struct memo_span where, const char *why) {
    memo_write_finding(memo_find(m, MEMO_UNREADABLE, where), "%s", why);
    m->report->refused = true;
}

/* ── configurations ────────────────────────────────────────────────────────────────────────────*/
static void take(struct memo *m, struct memo_config *c) {
    struct account_activations mine, of_decision;
    const struct memo_report *r = m->report;
    /* activations that were measured hold wherever the engine says the same of them as of the
     * decision */
    bool same =
        m->activations > 0 && account_activations(&c->is.training, &mine, NULL) &&
        account_activations(&r->config[MEMO_THE_DECISION].is.training, &of_decision, NULL) &&
        mine.highest == of_decision.highest;
    c->activations = same || (m->activations > 0 && !c->is.training.seq) ? m->activations : 0;
    memo_recall(m->context->cache, c);
}

/* Micro-batches that are named outright stay; otherwise they follow from the global batch. */
static bool change(const struct memo_scenario *of, const char *text, const char *line,
                   struct memo_scenario *out, struct base_message *why) {
    *out = *of;
    if (!memo_fields_read(text, line, out, why)) return false;
    const struct account_training *t = &out->training;
    if (t->accumulate != of->training.accumulate && out->global_batch == of->global_batch)
        out->global_batch = 0;
    if (t->gpus != of->training.gpus && of->training.gpus_per_node >= t->gpus)
        out->training.gpus_per_node = 0;
    if (t->card != of->training.card) out->card_bytes = 0;
    return memo_scenario_settle(out, why);
}

bool memo_change(struct memo *m, const struct memo_config *of, const char *text,
                 struct memo_config *out, struct base_message *why) {
    *out = (struct memo_config){0};
    if (!change(&of->is, text, "the configuration", &out->is, why)) return false;
    snprintf(out->name, sizeof out->name, "%s", text);
    take(m, out);
    return true;
}

static struct memo_config *add_config(struct memo_report *r, const char *name,
                                      const struct memo_scenario *s, int line) {
    assert(r->configs < MEMO_CONFIGS);
    struct memo_config *c = &r->config[r->configs++];
    *c = (struct memo_config){.is = *s, .line = line};
    snprintf(c->name, sizeof c->name, "%s", name);
    return c;
}

/* ── lines ─────────────────────────────────────────────────────────────────────────────────────*/
struct head {
    size_t at[16 + MEMO_ALTERNATIVES];
    struct line line[16 + MEMO_ALTERNATIVES];
    size_t lines;
};

static const struct line *find(const struct head *h, enum label label, size_t *at) {
    for (size_t i = 0; i < h->lines; i++)
        if (h->line[i].label == label) return *at = h->at[i], &h->line[i];
    return NULL;
}

/* From the scenario's line on, until something else stands there. Behind a blank line "Decision: …"
 * may be text; right under the head it is declared twice. */
static void gather(struct memo *m, struct head *h) {
    size_t i = 0, ignore;
    while (i < m->lines && label_at(&m->line[i]).label != SCENARIO) i++;
    for (size_t first = i; i < m->lines && h->lines < BASE_COUNT(h->at); i++) {
        if (m->line[i].kind == MEMO_BLANK || m->line[i].kind == MEMO_SILENT) continue;
        struct line l = label_at(&m->line[i]);
        bool again = l.label != ALTERNATIVE && l.label != NO_LABEL && find(h, l.label, &ignore);
        if (again && l.label != SCENARIO && m->line[i - 1].kind == MEMO_HEAD)
            refuse(m, memo_trim(m->line[i].text),
                   "the head says this already: keep one of the two lines");
        if (l.label == NO_LABEL || again || (l.label == ALTERNATIVE && l.name.at == l.name.end))
            break;
        m->line[i].kind = MEMO_HEAD;
        h->at[h->lines] = i;
        h->line[h->lines++] = l;
        if (i == first) m->report->scenario_line = (int)i + 1;
    }
    for (; i < m->lines; i++)
        if (label_at(&m->line[i]).label == SCENARIO) {
            refuse(m, memo_trim(m->line[i].text),
                   "a second scenario: a memo has only one. Write a Decision or an Alternative to "
                   "change it");
            m->line[i].kind = MEMO_HEAD;
        }
}

/* Reads a line into `out`, as a change of `of` or, without it, as fields that are settled later.
 * What cannot be read is refused at its place. */
static bool read_line(struct memo *m, struct memo_span line, const struct memo_scenario *of,
                      const char *what, struct memo_scenario *out) {
    struct base_message why = {0};
    char *text = memo_copy(line);
    bool read = of ? change(of, text, what, out, &why) : memo_fields_read(text, what, out, &why);
    if (!read) refuse(m, line, why.what);
    free(text);
    return read;
}

static bool read_recipe(struct memo *m, const struct line *recipe, struct memo_scenario *s) {
    struct base_message why = {0};
    struct account_error e = {0};
    struct account_training tried = s->training;
    char *name = memo_copy(recipe->text), *word = base_format("recipe %s", name);
    bool read = memo_fields_read(word, "the recipe", s, &why);
    /* by its place in the line, not in `word` */
    if (!read && !account_set(&tried, "recipe", name, &e))
        base_fail(&why, "the recipe says \"%s\" at column 1: %s", name, e.what);
    if (!read) refuse(m, recipe->text, why.what);
    free(word);
    free(name);
    return read;
}

/* What is given may need the stage that only the decision names. */
static bool settle_given(struct memo_scenario *s, struct base_message *why) {
    struct memo_scenario given = *s;
    if (memo_scenario_settle(s, why)) return true;
    for (uint8_t stage = 1; stage <= 3; stage++) {
        *s = given;
        s->training.stage = stage;
        bool settled = memo_scenario_settle(s, &(struct base_message){0});
        s->training.stage = given.training.stage;
        if (settled) return true;
    }
    return false;
}

static bool read_scenario(struct memo *m, const struct head *h, struct memo_scenario *s) {
    size_t at;
    struct base_message why = {0};
    const struct line *l = find(h, SCENARIO, &at), *recipe = find(h, RECIPE, &at);
    *s = memo_scenario_blank();
    if (!l || !read_line(m, l->text, NULL, "the scenario", s)) return false;
    if (recipe && !read_recipe(m, recipe, s)) return false;
    if (settle_given(s, &why)) return true;
    refuse(m, l->text, why.what);
    return false;
}

static bool read_decision(struct memo *m, const struct head *h, const struct memo_scenario *s,
                          struct memo_scenario *out) {
    size_t at = 0;
    struct account_error e = {0};
    const struct line *l = find(h, DECISION, &at);
    *out = *s;
    if (!l || l->text.at == l->text.end) return false;
    m->report->decision_line = (int)at + 1;
    bool read = read_line(m, l->text, s, "the decision", out);
    if (read && account_has_stage(&out->training, out->training.stage) &&
        account_check(&out->training, &e))
        return true;
    if (read) refuse(m, l->text, *e.what ? e.what : "the recipe does not have this stage");
    *out = *s;
    return false;
}

static void read_activations(struct memo *m, const struct head *h) {
    size_t at;
    struct account_figure f;
    const struct line *l = find(h, ACTIVATIONS, &at);
    if (!l || l->text.at == l->text.end) return;
    const char *end = account_read_figure(l->text.at, &f);
    if (end && f.measure == ACCOUNT_FIGURE_BYTES && f.low > 0 && f.high < 1e16)
        m->activations = (f.low + f.high) / 2;
    else
        refuse(m, l->text,
               "write activations in bytes on one GPU, as in \"Activations: 23 GB [measured: one "
               "layer on our own card]\"");
}

static bool is_taken(const struct memo_report *r, const char *name) {
    for (size_t i = 0; i < r->configs; i++)
        if (strcasecmp(r->config[i].name, name) == 0) return true;
    return false;
}

static void read_alternatives(struct memo *m, const struct head *h,
                              const struct memo_scenario *decision) {
    const struct line *end = h->line + h->lines;
    for (const struct line *l = h->line;
         l < end && m->report->configs < MEMO_FIRST_ALTERNATIVE + MEMO_ALTERNATIVES; l++) {
        struct memo_scenario s;
        if (l->label != ALTERNATIVE) continue;
        char *name = memo_copy(l->name);
        if (is_taken(m->report, name)) {
            char *why = base_format(
                "the name \"%.32s\" is taken: choose another name for this alternative", name);
            refuse(m, l->name, why);
            free(why);
        } else if (strlen(name) >= MEMO_NAME_MOST)
            refuse(m, l->name, "the name is too long: use at most 31 letters");
        else if (read_line(m, l->text, decision, "the alternative", &s))
            take(m, add_config(m->report, name, &s, (int)h->at[l - h->line] + 1));
        free(name);
    }
}

static void add_stages(struct memo *m, const struct memo_scenario *of) {
    for (uint8_t stage = 0; stage <= 3; stage++) {
        char name[16];
        struct memo_scenario s = *of;
        s.training.stage = stage;
        snprintf(name, sizeof name, "stage %u", stage);
        take(m, add_config(m->report, name, &s, 0));
    }
}

void memo_read_head(struct memo *m) {
    struct memo_report *r = m->report;
    struct memo_scenario given, decision;
    struct head h = {0};
    gather(m, &h);
    r->has_scenario = read_scenario(m, &h, &given);
    if (!r->has_scenario) return;
    read_activations(m, &h);
    r->decided = read_decision(m, &h, &given, &decision);
    struct memo_config *c = add_config(r, "decision", &decision, r->decision_line);
    take(m, c);
    take(m, add_config(r, "scenario", &given, r->scenario_line));
    add_stages(m, &decision);
    /* The places that MEMO_THE_DECISION, MEMO_STAGE_0 and the like name are filled. */
    assert(r->configs == MEMO_FIRST_ALTERNATIVE);
    read_alternatives(m, &h, &decision);
    struct memo_scenario plain = given; /* as given, in its own precision, at every stage */
    if (r->decided) add_stages(m, &plain);
}
