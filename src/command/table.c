/* table: all commands, in the order in which help lists them. */
#include "command/asked.h"

#include <string.h>

static const struct command *const table[] = {
    &command_mem,     &command_traffic,    &command_plan,   &command_whose, &command_learn,
    &command_memo,    &command_export,     &command_lab,    &command_lint,  &command_doctor,
    &command_picture, &command_completion, &command_manual, &command_help,
};

const struct command *const *command_table(size_t *count) {
    *count = BASE_COUNT(table);
    return table;
}

const struct command *command_find(const char *name) {
    for (size_t i = 0; i < BASE_COUNT(table); i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

/* Fields whose values are names of a catalogue. */
static const struct {
    const char *field, *value;
} catalogued[] = {
    {"model", "MODEL"},
    {"gpu",   "CARD" },
    {"link",  "LINK" },
    {"net",   "LINK" },
};

static const char *field_value(const struct account_field *f) {
    for (size_t i = 0; i < BASE_COUNT(catalogued); i++)
        if (strcmp(f->name, catalogued[i].field) == 0) return catalogued[i].value;
    return f->choices ? "NAME" : "VALUE";
}

/* A field of the training as a flag. `stage` takes all four at once besides. */
static struct command_option field_option(const struct account_field *f) {
    bool stage = strcmp(f->name, "stage") == 0;
    return (struct command_option){.name = f->name,
                                   .value = field_value(f),
                                   .choices = stage ? "0|1|2|3|all" : f->choices,
                                   .help = f->help};
}

bool command_option_at(const struct command *c, size_t i, struct command_option *out) {
    size_t fields = 0, shared = 0;
    const struct account_field *field = account_fields(&fields);
    const struct command_option *more = command_asked_options(&shared);
    if (!c->training) fields = shared = 0;
    if (i < fields)
        *out = field_option(&field[i]);
    else if (i < fields + shared)
        *out = more[i - fields];
    else if (i < fields + shared + c->options)
        *out = c->option[i - fields - shared];
    else
        *out = (struct command_option){"help", NULL, NULL, "says what it does and takes"};
    return i <= fields + shared + c->options;
}
