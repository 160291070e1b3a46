/* A scenario as its line. */
#include "memo/inside.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* "a100-80g" as people write it: "A100 80 GB". */
static void put_card(const char *name, struct base_text *out) {
    for (const char *s = name; *s;) {
        size_t n = strcspn(s, "-");
        bool size = isdigit((unsigned char)*s) && s[n - 1] == 'g';
        if (s > name) base_text_puts(out, " ");
        if (size)
            base_text_printf(out, "%.*s GB", (int)n - 1, s);
        else if (n == 4 && memcmp(s, "pcie", n) == 0)
            base_text_puts(out, "PCIe");
        else
            for (size_t i = 0; i < n; i++)
                base_text_printf(out, "%c", toupper((unsigned char)s[i]));
        s += n + (s[n] == '-');
    }
}

/* The title, where it is a name as well: "Llama 2 13B", but gpt2-xl. */
static const char *model_words(const struct account_model *m) {
    char name[64];
    snprintf(name, sizeof name, "%s", m->title);
    for (char *c = name; *c; c++)
        if (*c == ' ') *c = '-';
    return account_model_find(name) == m ? m->title : m->name;
}

static void put_params(const struct account_training *t, struct base_text *out) {
    if (t->model && t->params == t->model->params) {
        base_text_puts(out, model_words(t->model));
        return;
    }
    base_text_printf(out, "%.17ge9 parameters", (double)t->params / 1e9);
    if (t->model && t->model != memo_scenario_shape(t->params))
        base_text_printf(out, " in the shape of %s", model_words(t->model));
}

static void put_gpus(const struct memo_scenario *s, struct base_text *out) {
    const struct account_training *t = &s->training;
    base_text_printf(out, ", %u × ", t->gpus);
    if (t->card)
        put_card(t->card->name, out);
    else if (s->card_bytes)
        base_text_printf(out, "%.17g GB GPUs", (double)s->card_bytes / 1e9);
    else
        base_text_puts(out, "GPUs");
    if (t->gpus_per_node && t->gpus_per_node < t->gpus)
        base_text_printf(out, ", %u GPUs per node", t->gpus_per_node);
}

/* A choice as people call it: its field need not be told then. */
static const char *choice_words(const char *field, const char *value) {
    static const struct {
        const char *name, *words;
    } said[] = {
        {"mixed-bf16", "bf16 with fp32 master weights"},
        {"mixed-fp16", "fp16 with fp32 master weights"},
        {"bf16", "pure bf16"},
        {"adamw", "AdamW"},
        {"adam8bit", "8-bit Adam"},
        {"sgd-momentum", "SGD with momentum"},
    };
    if (strcmp(field, "precision") != 0 && strcmp(field, "optimizer") != 0) return NULL;
    for (size_t i = 0; i < BASE_COUNT(said); i++)
        if (strcmp(said[i].name, value) == 0) return said[i].words;
    return value;
}

static void put_field(const struct account_training *t, const char *name, const char *label,
                      struct base_text *out) {
    char value[64];
    const char *words = choice_words(name, account_get(t, name, value, sizeof value));
    if (words)
        base_text_printf(out, ", %s", words);
    else if (strcmp(name, "net") == 0 && !t->net.name)
        base_text_printf(out, ", %s %.17g Gb/s per GPU", label, t->net.rate * 8 / 1e9);
    else
        base_text_printf(out, ", %s %s", label, value);
}

/* Some have a place of their own in the line. */
static bool is_put(const struct memo_scenario *s, const char *name) {
    static const char *const put[] = {"model",     "params",    "gpus", "gpus_per_node", "gpu",
                                      "precision", "optimizer", "seq",  "batch"};
    for (size_t i = 0; i < BASE_COUNT(put); i++)
        if (strcmp(put[i], name) == 0) return true;
    return s->global_batch && strcmp(name, "accumulate") == 0;
}

/* All that is not as without a word, by the engine's own names. */
static void put_fields(const struct memo_scenario *s, struct base_text *out) {
    const struct account_training *t = &s->training;
    size_t count;
    const struct account_field *field = account_fields(&count);
    put_field(t, "precision", "", out);
    put_field(t, "optimizer", "", out);
    if (t->seq) put_field(t, "seq", "sequence", out);
    if (t->batch) put_field(t, "batch", "micro-batch", out);
    if (s->global_batch) base_text_printf(out, ", global batch %" PRIu64, s->global_batch);
    for (size_t i = 0; i < count; i++)
        if (!is_put(s, field[i].name) && !account_is_default(t, field[i].name))
            put_field(t, field[i].name, field[i].label, out);
}

static void put_limits(const struct memo_scenario *s, struct base_text *out) {
    if (s->tokens) base_text_printf(out, ", %.17ge9 tokens", (double)s->tokens / 1e9);
    if (s->days > 0) base_text_printf(out, " in %.15g days", s->days);
    if (s->host_bytes) base_text_printf(out, ", host memory %.15g GB", (double)s->host_bytes / 1e9);
    if (s->no_host)
        base_text_puts(out, ", no offload");
    else if (s->no_nvme)
        base_text_puts(out, ", no NVMe");
}

void memo_scenario_write(const struct memo_scenario *s, struct base_text *out) {
    base_text_puts(out, "Scenario: ");
    put_params(&s->training, out);
    put_gpus(s, out);
    put_fields(s, out);
    put_limits(s, out);
}
