/* verb: commands whose first operand says which of several things is done, `lab run`, `memo check`. */
#include "command/inside.h"

#include <stdlib.h>
#include <string.h>

/* "it is list, run, runs or replay" */
static char *list_verbs(const struct verb *verbs, size_t count) {
    struct base_text t = {0};
    base_text_puts(&t, "it is ");
    for (size_t i = 0; i < count; i++)
        base_text_printf(&t, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", verbs[i].name);
    return base_text_take(&t);
}

static int refuse(const struct arguments *a, const struct verb *verbs, size_t count) {
    struct nearest nearest = {.word = a->operand[0]};
    for (size_t i = 0; i < count; i++) command_nearest_try(&nearest, verbs[i].name);
    char *what = base_format("%s command", a->command->name), *advice = list_verbs(verbs, count);
    int status = command_say_unknown(what, a->operand[0], nearest.best, advice);
    free(what);
    free(advice);
    return status;
}

/* The first option given that this verb does not take, or NULL. */
static const char *stray_option(const struct arguments *a, const struct verb *v) {
    for (size_t o = 0; o < a->options; o++) {
        char *name = base_format(" %s ", a->option[o].name);
        bool fits = !a->value[o] || strstr(v->options, name);
        free(name);
        if (!fits) return a->option[o].name;
    }
    return NULL;
}

int command_verb_run(const struct arguments *a, const struct verb *verbs, size_t count) {
    size_t i = 0;
    while (i < count && strcmp(a->operand[0], verbs[i].name) != 0) i++;
    if (i == count) return refuse(a, verbs, count);
    const char *stray = stray_option(a, &verbs[i]), *command = a->command->name;
    if (!stray) return verbs[i].run(a);
    return command_say_error("`%s %s` takes no --%s: `zerotutor %s --help` lists who takes what",
                             command, verbs[i].name, stray, command);
}
