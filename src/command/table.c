/* table: all commands, in the order in which help lists them. */
#include "command/inside.h"

#include <string.h>

static const struct command *const table[] = {
    &command_learn,   &command_mem,        &command_lint,   &command_doctor,
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

/* A field of the training as a flag. `stage` takes all four at once besides. */
static struct command_option field_option(const struct account_field *f) {
    bool stage = strcmp(f->name, "stage") == 0;
    return (struct command_option){.name = f->name,
                                   .value = f->choices ? "NAME" : "VALUE",
                                   .choices = stage ? "0|1|2|3|all" : f->choices,
                                   .help = f->help};
}

bool command_option_at(const struct command *c, size_t i, struct command_option *out) {
    size_t fields = 0;
    const struct account_field *field = account_fields(&fields);
    if (!c->training) fields = 0;
    if (i < fields)
        *out = field_option(&field[i]);
    else if (i < fields + c->options)
        *out = c->option[i - fields];
    else
        *out = (struct command_option){"help", NULL, NULL, "says what it does and takes"};
    return i <= fields + c->options;
}
