/* Words that name the machine: how many GPUs, which cards, over which link; and the model by its own name. */
#include "memo_mentions.h"
#include "scenario.h"

#include <math.h>
#include <string.h>

/* "GPUs", "cards", "A100s"; how many tokens that takes, 0 for none; those of a card's own name are left to be read. */
static size_t gpus_at(const struct memo *m, size_t i, bool *card) {
    static const char *const words[] = {"gpu", "card", "device", NULL};
    const struct memo_text *t = &m->text;
    size_t taken;
    *card = i < t->tokens && study_scenario_card(t, i, &taken);
    if (*card || memo_is_phrase(t, i, "gpu memory")) return 0;
    return memo_is_any(t, i, words) ? 1 : 0;
}

static bool is_times(const struct memo_text *t, size_t i) {
    return memo_is_mark(t, i, 0xD7) || memo_is_mark(t, i, 'x') || memo_is_mark(t, i, 'X') ||
           memo_is_phrase(t, i, "x") || memo_is_phrase(t, i, "times");
}

static bool is_count(const struct memo *m, size_t i) {
    enum { MOST = 100000 };
    const struct memo_token *t = &m->text.token[i];
    return memo_mention_number(m, i) && t->last == 0 && t->value >= 1 && t->value <= MOST;
}

/* "16 A100s", "2 nodes × 8 GPUs", "two nodes of 8 GPUs each", "2×8 GPUs", "4 nodes": all of them. */
size_t memo_read_gpus(struct memo *m, size_t i) {
    static const char *const hosts[] = {"node", "machine", "server", NULL};
    static const char *const each[] = {"of", "with", NULL};
    const struct memo_text *t = &m->text;
    const struct account_training *own = &m->report->scenario.training;
    if (!is_count(m, i)) return 0;
    double gpus = t->token[i].value;
    bool node = memo_is_any(t, i + 1, hosts), card = false;
    size_t at = i + 1 + node;
    bool by = is_times(t, at) || (node && memo_is_any(t, at, each));
    bool product = by && is_count(m, at + 1);
    if (product) gpus *= t->token[at + 1].value;
    if (node && !product) gpus *= own->gpus_per_node ? own->gpus_per_node : own->gpus;
    at += product ? 2 : by && !node;
    size_t word = node && !product ? 0 : gpus_at(m, at, &card);
    bool plain = word && !product && memo_is_phrase(t, at, "gpu"); /* read_numbered's */
    bool counted = (node && !product) || word || card;
    if (plain || !counted || gpus < 2) return 0;
    memo_mention_add(m, MEMO_GPUS, gpus, i, at + word - i);
    return at + word - i;
}

/* The card of so many GB: of the scenario's kind where there is one. */
static const struct account_card *card_of(const struct memo *m, double gb) {
    const struct account_card *own = m->report->scenario.training.card;
    size_t count;
    const struct account_card *cards = account_cards(&count), *found = NULL;
    for (size_t i = 0; i < count; i++) {
        bool size = fabs((double)cards[i].label_bytes - gb * 1e9) < 1;
        bool kind = own && strncmp(own->name, cards[i].name, strcspn(own->name, "-")) == 0;
        if (size && (!found || (kind && own != found))) found = &cards[i];
        if (size && kind && !strstr(cards[i].name, "pcie")) return &cards[i];
    }
    return found;
}

/* "40 GB cards", "40 GB A100s": the number stays a figure. */
size_t memo_read_sized_card(struct memo *m, size_t i) {
    const struct memo_text *t = &m->text;
    size_t taken, count, at = i + 2;
    bool size = memo_mention_number(m, i) &&
                (memo_is_phrase(t, i + 1, "gb") || memo_is_phrase(t, i + 1, "g"));
    if (!size) return 0;
    at += memo_is_mark(t, at, '-') ? 1 : 0;
    bool word = memo_is_phrase(t, at, "card") || memo_is_phrase(t, at, "gpu") ||
                (at < t->tokens && study_scenario_card(t, at, &taken)) ||
                memo_is_phrase(t, at, "a100");
    const struct account_card *c = word ? card_of(m, t->token[i].value) : NULL;
    if (c) memo_mention_add(m, MEMO_CARD, (double)(c - account_cards(&count)), i, at + 1 - i);
    return c ? at + 1 - i : 0;
}

/* "The A100" of a scenario with 40 GB ones is such a one. */
static const struct account_card *own_card(const struct memo *m, size_t i, size_t taken,
                                           const struct account_card *named) {
    const struct account_card *own = m->report->scenario.training.card;
    size_t kind = own ? strcspn(own->name, "-") : 0;
    const struct memo_token *one = &m->text.token[i];
    bool bare =
        own && one->length >= kind && strncmp(m->text.lower + one->start, own->name, kind) == 0;
    for (size_t k = i + 1; k < i + taken; k++) bare &= m->text.token[k].kind == MEMO_MARK;
    return bare ? own : named;
}

/* "each 4090" */
static const struct account_card *numbered_card(const struct memo *m, size_t i) {
    enum { DIGITS = 4 };
    const struct memo_token *one = &m->text.token[i];
    char name[40];
    bool plain = one->kind == MEMO_NUMBER && one->digits == DIGITS && one->length == DIGITS;
    if (!plain || memo_is_phrase(&m->text, i + 1, "token")) return NULL;
    snprintf(name, sizeof name, "rtx-%.0f", one->value);
    return account_card_find(name);
}

size_t memo_read_card(struct memo *m, size_t i) {
    size_t taken = 0, count;
    const struct account_card *c = study_scenario_card(&m->text, i, &taken);
    if (!c && (c = numbered_card(m, i))) taken = 1;
    if (!c) return 0;
    memo_mention_add(m, MEMO_CARD, (double)(own_card(m, i, taken, c) - account_cards(&count)), i,
                     taken);
    return taken;
}

/* "Llama 3.2 1B": the count in the model's own name is none that is said of it. */
size_t memo_read_model(struct memo *m, size_t i) {
    size_t taken = 0;
    const struct memo_text *t = &m->text;
    bool may_be = m->model && t->lower[t->token[i].start] == m->model->name[0];
    const struct account_model *named = may_be ? study_scenario_model(t, i, &taken) : NULL;
    return named && named->params == m->model->params ? taken : 0;
}

size_t memo_read_link(struct memo *m, size_t i) {
    size_t taken = 0, count;
    bool net;
    struct account_link link = study_scenario_link(&m->text, i, &taken, &net);
    const struct account_link *found = link.name ? account_link_find(link.name) : NULL;
    if (!found) return 0;
    memo_mention_add(m, MEMO_OVER, (double)(found - account_links(&count)), i, taken);
    return taken;
}

/* The catalogue's with as many parameters, or NULL. */
const struct account_model *memo_model_of(const struct account_training *t) {
    size_t count;
    const struct account_model *models = account_models(&count);
    for (size_t i = 0; i < count; i++)
        if (models[i].params == t->params) return &models[i];
    return NULL;
}
