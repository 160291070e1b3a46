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

static void put_named(const struct account_training *t, const char *field, struct base_text *out) {
    static const struct {
        const char *name, *words;
    } said[] = {
        {"mixed-bf16",   "bf16 with fp32 master weights"},
        {"mixed-fp16",   "fp16 with fp32 master weights"},
        {"bf16",         "pure bf16"                    },
        {"adamw",        "AdamW"                        },
        {"adam8bit",     "8-bit Adam"                   },
        {"sgd-momentum", "SGD with momentum"            },
    };
    char name[64];
    account_get(t, field, name, sizeof name);
    for (size_t i = 0; i < BASE_COUNT(said); i++)
        if (strcmp(said[i].name, name) == 0) {
            base_text_printf(out, ", %s", said[i].words);
            return;
        }
    base_text_printf(out, ", %s", name);
}

/* "eth-100g" is 100 Gb/s Ethernet, "nvlink3" NVLink 3. */
static void put_link(const struct account_link *link, struct base_text *out) {
    static const struct {
        const char *prefix, *words;
    } said[] = {
        {"nvlink", "NVLink "    },
        {"pcie",   "PCIe "      },
        {"ib-",    "InfiniBand "},
    };
    if (link->rate <= 0) return;
    base_text_puts(out, ", ");
    for (size_t i = 0; link->name && i < BASE_COUNT(said); i++) {
        size_t n = strlen(said[i].prefix);
        if (strncmp(link->name, said[i].prefix, n) != 0 || strchr(link->name + n, '-')) continue;
        base_text_puts(out, said[i].words);
        for (const char *c = link->name + n; *c; c++)
            base_text_printf(out, "%c", toupper((unsigned char)*c));
        return;
    }
    if (link->name && strncmp(link->name, "eth-", 4) != 0)
        base_text_puts(out, link->name);
    else
        base_text_printf(out, "%.17g Gb/s Ethernet", link->rate * 8 / 1e9);
}

static void put_degree(const char *name, uint32_t n, uint32_t usual, struct base_text *out) {
    if (n != usual) base_text_printf(out, ", %s %u", name, n);
}

static void put_step(const struct memo_scenario *s, struct base_text *out) {
    const struct account_training *t = &s->training;
    put_degree("sequence", t->seq, 0, out);
    put_degree("micro-batch", t->batch, 0, out);
    if (s->global_batch)
        base_text_printf(out, ", global batch %" PRIu64, s->global_batch);
    else
        put_degree("accumulation", t->accumulate, 1, out);
    put_degree("tensor parallel", t->tp, 1, out);
    put_degree("pipeline parallel", t->pp, 1, out);
    put_degree("shard group", t->shard_group, 0, out);
    if (t->efficiency < 0.5 || t->efficiency > 0.5)
        base_text_printf(out, ", %.15g %% of peak arithmetic", 100 * t->efficiency);
}

static void put_limits(const struct memo_scenario *s, struct base_text *out) {
    if (s->tokens) base_text_printf(out, ", %.17ge9 tokens", (double)s->tokens / 1e9);
    if (s->days > 0) base_text_printf(out, " in %.15g days", s->days);
    if (s->host_bytes) base_text_printf(out, ", host memory %.15g GB", (double)s->host_bytes / 1e9);
    if (s->no_host)
        base_text_puts(out, ", no offload");
    else if (s->no_nvme)
        base_text_puts(out, ", no NVMe");
    if (strcmp(s->recipe, "paper") != 0) base_text_printf(out, ", recipe %s", s->recipe);
}

void memo_scenario_write(const struct memo_scenario *s, struct base_text *out) {
    base_text_puts(out, "Scenario: ");
    put_params(&s->training, out);
    put_gpus(s, out);
    put_named(&s->training, "precision", out);
    put_named(&s->training, "optimizer", out);
    if (s->training.grad_dtype == ACCOUNT_32_BIT) base_text_puts(out, ", fp32 gradients");
    if (!s->training.flash) base_text_puts(out, ", no flash attention");
    put_step(s, out);
    put_link(&s->training.link, out);
    put_link(&s->training.net, out);
    if (s->training.net.rate > 0) base_text_puts(out, " a GPU");
    put_limits(s, out);
}
