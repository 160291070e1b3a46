/* job: the training that the learner is here for, kept in the record as the line that a memo would
 * begin with, so that one reader checks it and one writer names it. */
#include "session/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEPT "job"

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
enum { WORDS_MOST = 64 };
struct flags {
    char *name[WORDS_MOST], *value[WORDS_MOST];
    size_t count;
};

/* Cuts "--gpus 8 --gpu=h100-80g" up in place. */
static bool cut_flags(char *text, struct flags *f, struct base_message *m) {
    char *rest = text;
    for (char *word; (word = strsep(&rest, " \t"));) {
        if (!*word) continue;
        if (strncmp(word, "--", 2) != 0 || f->count == WORDS_MOST)
            return base_fail(m,
                             "'%.40s' is not an option: write for example `--model llama-3.1-8b "
                             "--gpus 4 --gpu rtx-4090`",
                             word);
        f->name[f->count] = word + 2;
        char *equals = strchr(word, '=');
        if (equals) *equals = '\0';
        while (!equals && rest && *rest == ' ') rest++;
        f->value[f->count] = equals ? equals + 1 : strsep(&rest, " \t");
        if (!f->value[f->count]) return base_fail(m, "%s needs a value", word);
        for (char *c = f->name[f->count]; *c; c++)
            if (*c == '-') *c = '_';
        f->count++;
    }
    return true;
}

/* The model goes first: it sets the parameters, which may then be set otherwise. */
static bool set_flags(const struct flags *f, struct account_training *t, struct base_message *m) {
    struct account_error e = {0};
    for (int rest = 0; rest < 2; rest++)
        for (size_t i = 0; i < f->count; i++)
            if ((strcmp(f->name[i], "model") != 0) == rest &&
                !account_set(t, f->name[i], f->value[i], &e))
                return base_fail(m, "--%s", e.what);
    return true;
}

static bool read_flags(const char *text, struct memo_scenario *out, struct base_message *m) {
    struct flags f = {0};
    struct base_text line = {0};
    char *words = base_dup(text);
    *out = (struct memo_scenario){.training = account_training_default()};
    out->training.params = out->training.gpus = 0;
    bool read = cut_flags(words, &f, m) && set_flags(&f, &out->training, m);
    free(words);
    if (!read) return false;
    if (out->training.params == 0) return base_fail(m, "name the model: --model or --params");
    if (out->training.gpus == 0) return base_fail(m, "say how many GPUs: --gpus 8");
    memo_scenario_write(out, &line);
    read = memo_scenario_read(line.s, out, m);
    base_text_free(&line);
    return read;
}

/* Words before the flags are passed over: "zerotutor mem --model …". */
static bool read_job(const char *text, struct memo_scenario *out, struct base_message *m) {
    const char *flags = strstr(text, "--");
    text += strspn(text, " \t");
    if (!(flags ? read_flags(flags, out, m) : memo_scenario_read(text, out, m))) return false;
    if (out->training.card || out->card_bytes > 0) return true;
    return base_fail(m, "name the card, too: --gpu a100-80g, or 8 × A100 80 GB");
}

bool session_learner_set_job(struct learner *who, const char *text, struct base_message *m) {
    struct memo_scenario job;
    struct base_text line = {0};
    if (text[strspn(text, " \t")] == '\0')
        return store_set(session_learner_store(who), KEPT, NULL, m);
    if (!read_job(text, &job, m)) return false;
    memo_scenario_write(&job, &line);
    bool set = store_set(session_learner_store(who), KEPT, line.s, m);
    base_text_free(&line);
    return set;
}

char *session_learner_job_line(struct learner *who) {
    char *line = store_setting(session_learner_store(who), KEPT);
    const char *fields = line ? strchr(line, ' ') : NULL;
    char *own = fields ? base_dup(fields + 1) : NULL;
    free(line);
    return own;
}

/* ── what it needs ─────────────────────────────────────────────────────────────────────────────*/
/* "Scenario: Llama 3.1 8B, 4 × RTX 4090, bf16 …": what is trained, and on what. */
void session_job_name(const char *line, char *out, size_t size) {
    const char *name = strchr(line, ':') ? strchr(line, ':') + 2 : line;
    size_t model = strcspn(name, ","), gpus = model;
    if (name[model]) gpus = model + 2 + strcspn(name + model + 2, ",");
    snprintf(out, size, "%.*s on %.*s", (int)model, name,
             (int)(gpus > model ? gpus - model - 2 : 0), name[model] ? name + model + 2 : "");
}

/* What a step of it is counted with: "1 × 8192 tokens, full checkpointing". */
static void name_step(const struct account_training *t, char *out, size_t size) {
    char checkpoint[32];
    if (t->batch > 0 && t->seq > 0)
        snprintf(out, size, "%u × %u tokens, %s checkpointing", t->batch, t->seq,
                 account_get(t, "checkpoint", checkpoint, sizeof checkpoint));
    else
        snprintf(out, size, "model states only");
}

/* Whether this stage is to be named rather than the one before: the lowest that fits, else the one
 * that needs least. */
static bool is_better(const struct learner_job *a, const struct learner_job *b) {
    if (b->need == 0 || a->fit != b->fit) return b->need == 0 || a->fit < b->fit;
    return a->fit == ACCOUNT_TOO_LARGE && a->need < b->need;
}

static void choose_stage(struct learner_job *job) {
    struct learner_job best = *job;
    for (uint8_t stage = 0; stage <= 3; stage++) {
        struct learner_job at = *job;
        struct account_memory memory;
        at.training.stage = stage;
        if (!account_has_stage(&at.training, stage) || !account_memory(&at.training, &memory, NULL))
            continue;
        at.need = memory.phase[memory.peak].ledger.total;
        at.fit = account_fit(at.need, at.budget);
        if (is_better(&at, &best)) best = at;
    }
    *job = best;
}

bool session_learner_job(struct learner *who, struct learner_job *out) {
    struct memo_scenario job;
    char *line = store_setting(session_learner_store(who), KEPT);
    *out = (struct learner_job){0};
    bool known = line && memo_scenario_read(line, &job, NULL);
    if (known) {
        out->training = job.training;
        bool assumed = account_is_default(&job.training, "checkpoint") && job.training.seq > 0;
        if (assumed) account_set(&out->training, "checkpoint", "full", NULL);
        session_job_name(line, out->name, sizeof out->name);
        name_step(&out->training, out->step, sizeof out->step);
        out->budget = job.card_bytes;
        choose_stage(out);
    }
    free(line);
    return known && out->need > 0;
}

char *session_job_words(const struct learner_job *job) {
    char need[32], budget[32], over[32];
    unsigned stage = job->training.stage;
    account_print_bytes(need, sizeof need, (double)job->need);
    account_print_bytes(budget, sizeof budget, (double)job->budget);
    account_print_bytes(over, sizeof over, (double)job->need - (double)job->budget);
    if (job->fit == ACCOUNT_TOO_LARGE)
        return base_format("Even stage %u needs %s per GPU: %s too much.", stage, need, over);
    return base_format("Stage %u %s: it needs %s of the %s of each GPU.", stage,
                       job->fit == ACCOUNT_TIGHT ? "only just fits" : "fits", need, budget);
}

/* ── for sliders ───────────────────────────────────────────────────────────────────────────────*/
static void add_field(json_t *fields, const struct account_training *t, const char *name,
                      const char *called) {
    char value[64];
    account_get(t, name, value, sizeof value);
    json_object_set_new(fields, name,
                        json_pack("{ss so}", "value", value, "name",
                                  json_sprintf("%s (yours)", called ? called : value)));
}

/* What every job says: a model or its size, the GPUs and the card. */
json_t *session_job_fields(struct learner *who) {
    struct learner_job job;
    if (!session_learner_job(who, &job)) return NULL;
    const struct account_training *t = &job.training;
    json_t *fields = json_object();
    char *model = base_format("%.*s", (int)(strstr(job.name, " on ") - job.name), job.name);
    add_field(fields, t, "params", model);
    add_field(fields, t, "gpus", NULL);
    if (t->model) add_field(fields, t, "model", model);
    if (t->card) add_field(fields, t, "gpu", t->card->name);
    free(model);
    return fields;
}

/* ── once a week in a review ───────────────────────────────────────────────────────────────────*/
#define ITEM "states"

static void see_asked(void *to, const struct lesson_answer *a) {
    bool *any = to;
    *any |= strcmp(a->verdict, "unreadable") != 0;
}

/* Whoever had the working shown has seen it, too. What is kept was read when it was kept: a prompt
 * need not wait until it is read again. */
bool session_job_is_due(struct learner *who, int64_t day) {
    struct lesson_journal j = store_journal(session_learner_store(who));
    char *item = session_week_item(day, KEPT, ITEM),
         *job = store_setting(session_learner_store(who), KEPT);
    bool any = false, due = job && j.answers(j.self, item, see_asked, &any, NULL) && !any;
    free(job);
    free(item);
    return due;
}

bool session_job_was_asked(struct learner *who) {
    struct store *s = session_learner_store(who);
    char *item = session_week_item(session_today(who), KEPT, ITEM);
    bool was = store_was_answered(s, item, store_last_answer_before(s, session_today_began(who)));
    free(item);
    return was;
}

json_t *session_job_step(struct learner *who) {
    char *item = session_week_item(session_today(who), KEPT, ITEM);
    json_t *step = json_pack(
        "{ss ss ss ss s[ss]}", "kind", "problem", "id", item, "title", "Your own job", "form",
        "number", "hints", "Which of params, gradients and optimizer does this stage divide?",
        "Multiply each part's bytes per parameter, then divide what is sharded "
        "by the number of GPUs.");
    free(item);
    return step;
}

/* Another stage each week, of those that its recipe has. */
static uint8_t stage_of_week(struct learner *who, const struct account_training *t) {
    for (uint8_t i = 0; i < 3; i++) {
        uint8_t stage = (uint8_t)(1 + (session_week(who) + i) % 3);
        if (account_has_stage(t, stage)) return stage;
    }
    return t->stage;
}

static json_t *training_json(const struct account_training *t) {
    size_t count;
    const struct account_field *field = account_fields(&count);
    json_t *json = json_object();
    char value[64];
    for (size_t i = 0; i < count; i++)
        if (!account_is_default(t, field[i].name))
            json_object_set_new(json, field[i].name,
                                json_string(account_get(t, field[i].name, value, sizeof value)));
    return json;
}

/* The choice as people say it. */
static const char *say_choice(const struct account_training *t, const char *name) {
    size_t count;
    const struct account_field *field = account_fields(&count);
    char value[64];
    account_get(t, name, value, sizeof value);
    for (size_t i = 0; i < count; i++) {
        const struct account_choices *c = field[i].choices;
        if (strcmp(field[i].name, name) != 0 || !c || !c->title) continue;
        for (size_t k = 0; c->name(k); k++)
            if (strcmp(c->name(k), value) == 0) return c->title(k);
    }
    return "";
}

json_t *session_job_problem(struct learner *who, struct base_message *m) {
    struct learner_job job;
    if (!session_learner_job(who, &job)) {
        base_fail(m, "the job was forgotten meanwhile: leave, and open the review again");
        return NULL;
    }
    struct account_training *t = &job.training;
    t->stage = stage_of_week(who, t);
    char *ask =
        base_format("%s, %s, %s. How many GB of model states does each GPU keep at stage "
                    "%u?",
                    job.name, say_choice(t, "precision"), say_choice(t, "optimizer"), t->stage);
    json_t *variant =
        json_pack("{ss s{ss ss ss so}}", "ask", ask, "problem", "kind", "bytes", "quantity",
                  "model_state", "unit", "GB", "training", training_json(t));
    free(ask);
    return variant;
}
