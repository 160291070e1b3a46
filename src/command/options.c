/* options: those of every command, and the words that may follow one. */
#include "command/internal.h"

#include <stdlib.h>
#include <string.h>

/* ── words ─────────────────────────────────────────────────────────────────────────────────────*/
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
    const char *value, *command;
    const char *(*name)(size_t i);
} catalogues[] = {
    {"MODEL", "models", model_name},
    {"CARD", "gpus", card_name},
    {"LINK", "links", link_name},
};

const char *command_option_catalogue(const struct command_option *o) {
    for (size_t k = 0; o->value && !o->choices && k < BASE_COUNT(catalogues); k++)
        if (strcmp(o->value, catalogues[k].value) == 0) return catalogues[k].command;
    return NULL;
}

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

/* Choice `i` of a field of the training. */
static const char *field_choice(const char *name, size_t i) {
    size_t fields;
    const struct account_field *field = account_fields(&fields);
    for (size_t k = 0; k < fields; k++)
        if (strcmp(field[k].name, name) == 0) return field[k].choices->name(i);
    return NULL;
}

const char *command_option_word(const struct command_option *o, size_t i,
                                char out[static NAME_MOST]) {
    if (o->choices && !*o->choices) return field_choice(o->name, i);
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

char *command_option_help(const struct command_option *o, const char *words) {
    size_t n = strlen(o->help);
    const char *in = n > 0 && o->help[n - 1] == ')' ? strrchr(o->help, '(') : NULL;
    if (!*words) return base_dup(o->help);
    if (!in) return base_format("%s (%s)", o->help, words);
    return base_format("%.*s(%s; %s", (int)(in - o->help), o->help, words, in + 1);
}

/* ── options ───────────────────────────────────────────────────────────────────────────────────*/
/* What every command with a training takes besides the fields. */
static const struct command_option shared[] = {
    {"config", "FILE", NULL, "a model's config.json, for its shape and exact count"},
    {"explain", NULL, NULL, "the working, line by line, with sources"},
    {"ascii", NULL, NULL, "plain ASCII characters"},
    {"words", NULL, NULL, "tables and figures in sentences"},
    {"json", NULL, NULL, "exact numbers as JSON"},
    {"csv", NULL, NULL, "exact numbers as CSV"},
};

const struct command_option *command_training_options(size_t *count) {
    *count = BASE_COUNT(shared);
    return shared;
}

/* Fields whose values are names of a catalogue. */
static const struct {
    const char *field, *value;
} catalogued[] = {
    {"model", "MODEL"},
    {"gpu", "CARD"},
    {"link", "LINK"},
    {"net", "LINK"},
};

static const char *field_value(const struct account_field *f) {
    for (size_t i = 0; i < BASE_COUNT(catalogued); i++)
        if (strcmp(f->name, catalogued[i].field) == 0) return catalogued[i].value;
    return f->choices ? "NAME" : "VALUE";
}

/* A field of the training as a flag. `stage` takes all four at once besides. */
static struct command_option field_option(const struct account_field *f) {
    bool stage = strcmp(f->name, "stage") == 0;
    const char *choices = f->choices ? "" : NULL;
    return (struct command_option){.name = f->name,
                                   .value = field_value(f),
                                   .choices = stage ? "0|1|2|3|all" : choices,
                                   .help = f->help};
}

static const struct command_option common[] = {
    {"no-colour", NULL, NULL, "no colours (like NO_COLOR)"},
    {"help", NULL, NULL, "prints this help"},
};

bool command_option_is_common(const struct command_option *o) {
    for (size_t i = 0; i < BASE_COUNT(common); i++)
        if (strcmp(common[i].name, o->name) == 0) return true;
    return false;
}

bool command_option_at(const struct command *c, size_t i, struct command_option *out) {
    size_t fields = 0, shared = 0;
    const struct account_field *field = account_fields(&fields);
    const struct command_option *more = command_training_options(&shared);
    if (!c->training) fields = shared = 0;
    size_t own = fields + shared, all = own + c->options;
    if (i >= all + BASE_COUNT(common)) return false;
    if (i < fields)
        *out = field_option(&field[i]);
    else if (i < own)
        *out = more[i - fields];
    else
        *out = i < all ? c->option[i - own] : common[i - all];
    return true;
}

const struct command *command_find(const struct command_set *set, const char *name) {
    for (size_t i = 0; i < set->commands; i++)
        if (strcmp(set->command[i]->name, name) == 0) return set->command[i];
    return NULL;
}
