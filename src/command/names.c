/* names: the words that may follow an option, from its choices or from a catalogue of the engine. */
#include "command/inside.h"

#include <stdlib.h>
#include <string.h>

static const char *model_name(size_t i) {
    size_t count;
    const struct account_model *model = account_models(&count);
    return i < count ? model[i].name : NULL;
}

static const char *card_name(size_t i) {
    size_t count;
    const struct account_card *card = account_cards(&count);
    return i < count ? card[i].name : NULL;
}

static const char *link_name(size_t i) {
    size_t count;
    const struct account_link *link = account_links(&count);
    return i < count ? link[i].name : NULL;
}

/* The catalogues, by what stands for a name of theirs in help. */
static const struct {
    const char *value;
    const char *(*name)(size_t i);
} catalogues[] = {
    {"MODEL", model_name},
    {"CARD",  card_name },
    {"LINK",  link_name },
};

/* Choice `i` of "a|b|c". */
static const char *choice(const char *choices, size_t i, char out[static NAME_MOST]) {
    for (; i && *choices; i--) {
        choices += strcspn(choices, "|");
        choices += *choices == '|';
    }
    if (!*choices) return NULL;
    snprintf(out, NAME_MOST, "%.*s", (int)strcspn(choices, "|"), choices);
    return out;
}

const char *command_option_word(const struct command_option *o, size_t i,
                                char out[static NAME_MOST]) {
    if (o->choices) return choice(o->choices, i, out);
    for (size_t k = 0; o->value && k < BASE_COUNT(catalogues); k++)
        if (strcmp(o->value, catalogues[k].value) == 0) return catalogues[k].name(i);
    return NULL;
}

char *command_option_words(const struct command_option *o, const char *between) {
    char buffer[NAME_MOST];
    struct base_text words = {0};
    const char *word;
    for (size_t i = 0; (word = command_option_word(o, i, buffer)); i++) {
        if (i) base_text_puts(&words, between);
        base_text_puts(&words, word);
    }
    return base_text_take(&words);
}
