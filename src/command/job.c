/* job: the learner's own training, kept for home, reviews and lessons. */
#include "command/internal.h"

#include "session/session.h"

#include <stdlib.h>

/* The first FIELDS are the engine's, as in `mem`; a scenario says the rest. */
enum { FIELDS = 8 };
static const struct command_option options[] = {
    {"model", "MODEL", NULL, "the model, as in `mem`"},
    {"params", "COUNT", NULL, "its parameters, or those of a model that is not listed"},
    {"gpus", "COUNT", NULL, "the GPUs, in total"},
    {"gpu", "CARD", NULL, "the card"},
    {"precision", "NAME", NULL, "the precision, as in `mem`"},
    {"optimizer", "NAME", NULL, "the optimizer, as in `mem`"},
    {"batch", "COUNT", NULL, "sequences per micro-batch"},
    {"seq", "COUNT", NULL, "tokens per sequence"},
    {"clear", NULL, NULL, "forgets it"},
    {"json", NULL, NULL, "prints JSON"},
    {"store", "FILE", NULL, "keeps the record in this file"},
};
static const char *const examples[] = {
    "zerotutor job 'Llama 3.1 8B, 4 × RTX 4090'",
    "zerotutor job --model llama-3.1-8b --gpus 4 --gpu rtx-4090",
    "zerotutor job",
    NULL,
};

static int print(struct learner *who, bool json) {
    struct learner_job job;
    bool known = session_learner_job(who, &job);
    if (json)
        return command_say_json(known ? json_pack("{ss si sI sI ss}", "job", job.name, "stage",
                                                  job.training.stage, "need", (json_int_t)job.need,
                                                  "room", (json_int_t)job.budget, "fits",
                                                  account_fit_name(job.fit))
                                      : json_null());
    char *words = known ? session_job_words(&job) : NULL;
    if (known)
        printf("%s, %s\n%s\n", job.name, job.step, words);
    else
        printf("No job is kept. Name a model, GPUs and a card: `zerotutor job 'Llama 3.1 8B, 4 × "
               "RTX 4090'`.\n");
    free(words);
    return COMMAND_WELL;
}

/* The job as it was asked for: in words, or the options as they stand; the caller's, "" if neither
 * was given. */
static char *asked_job(const struct arguments *a) {
    struct base_text t = {0};
    base_text_puts(&t, a->operands > 0 ? a->operand[0] : "");
    for (size_t i = 0; i < FIELDS; i++) {
        const char *value = command_arguments_value(a, options[i].name);
        if (value) base_text_printf(&t, " --%s=%s", options[i].name, value);
    }
    return base_text_take(&t);
}

static int run(const struct arguments *a) {
    struct base_message m = {0};
    char *job = asked_job(a);
    bool clear = command_arguments_has(a, "clear"), set = *job;
    struct learner *who = session_learner_open(command_arguments_value(a, "store"), &m);
    bool kept = who && (!(clear || set) || session_learner_set_job(who, clear ? "" : job, &m));
    int status = kept ? print(who, command_arguments_has(a, "json")) : command_say_message(&m);
    if (who) session_learner_close(who);
    free(job);
    return status;
}

const struct command command_job = {
    .name = "job",
    .summary = "keeps your own training, which reviews and sliders then use",
    .operands = "[JOB]",
    .most = 1,
    .about =
        "JOB names a model, GPUs and a card in one argument, as the scenario of a memo does. The "
        "options say the same. The job is checked and kept with your record. The home screen "
        "shows what it needs per GPU at the lowest stage that fits, lessons offer it where "
        "sliders move, and one review a week asks about it. Without JOB the command prints "
        "what is kept.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
