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
            return base_fail(m, "'%.40s' is not an option: write for example `--model llama-3.1-8b "
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
                return base_fail(m, "--%s: %s", f->name[i], e.what);
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

/* ── what it needs ─────────────────────────────────────────────────────────────────────────────*/
/* "Scenario: Llama 3.1 8B, 4 × RTX 4090, bf16 …": what is trained, and on what. */
static void name_job(const char *line, char *out, size_t size) {
    const char *name = strchr(line, ':') ? strchr(line, ':') + 2 : line;
    size_t model = strcspn(name, ","), gpus = model;
    if (name[model]) gpus = model + 2 + strcspn(name + model + 2, ",");
    snprintf(out, size, "%.*s on %.*s", (int)model, name, (int)(gpus > model ? gpus - model - 2 : 0),
             name[model] ? name + model + 2 : "");
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
        if (!account_has_stage(&at.training, stage) ||
            !account_memory(&at.training, &memory, NULL))
            continue;
        at.need = memory.phase[memory.peak].ledger.total;
        at.fit = account_fit(at.need, at.room);
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
        name_job(line, out->name, sizeof out->name);
        out->training = job.training;
        out->room = job.card_bytes;
        choose_stage(out);
    }
    free(line);
    return known && out->need > 0;
}

char *session_job_words(const struct learner_job *job) {
    char need[32], room[32], over[32];
    account_print_bytes(need, sizeof need, (double)job->need);
    account_print_bytes(room, sizeof room, (double)job->room);
    account_print_bytes(over, sizeof over, fabs((double)job->need - (double)job->room));
    const char *which = job->fit == ACCOUNT_TOO_LARGE ? "Even stage" : "Stage";
    char *words = base_format("%s %u needs %s per GPU, and the card gives %s: ", which,
                              job->training.stage, need, room);
    char *all = job->fit == ACCOUNT_FITS    ? base_format("%sit fits, with %s to spare.", words, over)
                : job->fit == ACCOUNT_TIGHT ? base_format("%sit fits, but only just.", words)
                                            : base_format("%s%s too much.", words, over);
    free(words);
    return all;
}
