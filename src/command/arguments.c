/* arguments: the words after a command, read by its table of options. `--name value`,
 * `--name=value`, `--` before operands that begin with a dash. The last of two wins. */
#include "command/internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Names are the same with _ for -, so that a field of the engine is its own flag. `n` is the length
 * of `given`. */
static bool is_name(const char *name, const char *given, size_t n) {
    if (strlen(name) != n) return false;
    for (size_t i = 0; i < n; i++)
        if (name[i] != given[i] && !(name[i] == '_' && given[i] == '-')) return false;
    return true;
}

/* Other words for an option: a letter, where there is that option, and American spelling. */
static const struct {
    const char *word, *name;
} ALSO[] = {
    {"-h", "help"},
    {"-v", "version"},
    {"-o", "output"},
    {"--no-color", "no-colour"},
};

const char *command_option_also(const struct command_option *o) {
    for (size_t i = 0; i < BASE_COUNT(ALSO); i++)
        if (strcmp(ALSO[i].name, o->name) == 0) return ALSO[i].word;
    return NULL;
}

static size_t find_option(const struct arguments *a, const char *given, size_t n) {
    size_t i = 0;
    while (i < a->options && !is_name(a->option[i].name, given, n)) i++;
    return i;
}

/* `n`: the length of the word up to its value. */
static bool unknown_option(const struct arguments *a, const char *word, size_t n) {
    size_t dashes = strspn(word, "-");
    char *name = base_format("%.*s", (int)(n - dashes), word + dashes);
    struct nearest nearest = {.word = name};
    for (size_t i = 0; i < a->options; i++) command_nearest_try(&nearest, a->option[i].name);
    char *whole = base_format("--%s", name);
    char *advice = base_format("run `zerotutor %s%s--help` for a list", a->command->name,
                               *a->command->name ? " " : "");
    command_say_unknown("option", *word == '-' && word[1] != '-' ? word : whole, nearest.best,
                        advice);
    free(advice);
    free(whole);
    free(name);
    return false;
}

/* A number is that choice however it is written. */
static bool is_choice(const struct command_option *o, const char *value) {
    char buffer[NAME_MOST];
    const char *word;
    uint64_t given = 0, number;
    bool counts = account_read_count(value, &given, NULL);
    for (size_t i = 0; (word = command_option_word(o, i, buffer)); i++)
        if (strcmp(word, value) == 0 ||
            (counts && account_read_count(word, &number, NULL) && number == given))
            return true;
    return false;
}

static bool check_choice(const struct arguments *a, size_t i, const char *value) {
    const struct command_option *o = &a->option[i];
    if (!o->choices || i < a->fields || is_choice(o, value)) return true;
    char *all = command_option_words(o, ", ");
    command_say_error("--%s cannot be '%s': choose one of %s", o->name, value, all);
    free(all);
    return false;
}

/* How many characters at `given` are one of those words, and then the name of its option. */
static size_t also(const char *given, const char **name) {
    size_t n = strcspn(given, "=");
    for (size_t i = 0; i < BASE_COUNT(ALSO); i++) {
        *name = ALSO[i].name;
        if (ALSO[i].word[1] == '-' ? n > 2 && is_name(ALSO[i].word + 2, given + 2, n - 2)
                                   : strcmp(ALSO[i].word, given) == 0)
            return n;
    }
    return 0;
}

/* One option at argv[*i]; moves *i over its value. */
static bool read_option(struct arguments *a, int argc, char **argv, int *i) {
    const char *word = argv[*i], *name, *end = word + strcspn(word, "=");
    size_t o = a->options;
    if (also(word, &name))
        o = find_option(a, name, strlen(name));
    else if (word[1] == '-')
        o = find_option(a, name = word + 2, (size_t)(end - word - 2));
    if (o == a->options) return unknown_option(a, word, (size_t)(end - word));
    const struct command_option *option = &a->option[o];
    const char *value = *end ? end + 1 : NULL;
    if (!option->value) {
        a->value[o] = "";
        if (value) command_say_error("--%s takes no value: write it without one", option->name);
        return !value;
    }
    if (!value && *i + 1 < argc) value = argv[++*i];
    a->value[o] = value;
    if (value) return check_choice(a, o, value);
    command_say_error("%.*s needs a value: %.*s %s", (int)(end - word), word, (int)(end - word),
                      word, option->value);
    return false;
}

static bool add_operand(struct arguments *a, const char *word) {
    const char *name = a->command->name;
    size_t most = a->command->most < OPERANDS_MOST ? a->command->most : OPERANDS_MOST;
    if (a->operands == most && !*name)
        command_say_error("'%s' is unexpected: write the command first, as in `zerotutor learn 1.1 "
                          "--linear`",
                          word);
    else if (a->operands == most && most == 0)
        command_say_error("'%s' is unexpected: `zerotutor %s` takes options only", word, name);
    else if (a->operands == most)
        command_say_error("'%s' is unexpected: `zerotutor %s %s`", word, name,
                          a->command->operands);
    else
        a->operand[a->operands++] = word;
    return a->operands && a->operand[a->operands - 1] == word;
}

static bool enough_operands(const struct arguments *a) {
    if (a->operands >= a->command->least || command_arguments_has(a, "help")) return true;
    command_say_error("more is needed: `zerotutor %s %s`", a->command->name, a->command->operands);
    return false;
}

bool command_arguments_read(struct arguments *a, const struct command *c, int argc, char **argv) {
    *a = (struct arguments){.command = c};
    if (c->training) account_fields(&a->fields);
    while (a->options < OPTIONS_MOST && command_option_at(c, a->options, &a->option[a->options]))
        a->options++;
    bool only_operands = false;
    for (int i = 0; i < argc; i++) {
        bool dashed = !only_operands && argv[i][0] == '-' && argv[i][1];
        if (dashed && strcmp(argv[i], "--") == 0)
            only_operands = true;
        else if (dashed ? !read_option(a, argc, argv, &i) : !add_operand(a, argv[i]))
            return false;
    }
    return enough_operands(a);
}

const char *command_arguments_value(const struct arguments *a, const char *name) {
    size_t i = find_option(a, name, strlen(name));
    return i < a->options ? a->value[i] : NULL;
}

bool command_arguments_has(const struct arguments *a, const char *name) {
    return command_arguments_value(a, name) != NULL;
}

bool command_arguments_one_of(const struct arguments *a, const char *const *name, size_t count) {
    const char *first = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!command_arguments_has(a, name[i])) continue;
        if (first) {
            command_say_error("--%s and --%s exclude each other: use one of them", first, name[i]);
            return false;
        }
        first = name[i];
    }
    return true;
}

bool command_arguments_number(const struct arguments *a, const char *name, long lowest, long most,
                              long otherwise, long *out) {
    const char *text = command_arguments_value(a, name);
    uint64_t n = 0;
    *out = otherwise;
    if (!text) return true;
    bool read = account_read_count(text, &n, NULL) && n <= LONG_MAX;
    *out = read ? (long)n : 0;
    if (read && *out >= lowest && *out <= most) return true;
    command_say_error("--%s cannot be '%s': it is a number from %ld to %ld", name, text, lowest,
                      most);
    return false;
}

/* ── verbs ─────────────────────────────────────────────────────────────────────────────────────*/
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
        bool fits =
            !a->value[o] || command_option_is_common(&a->option[o]) || strstr(v->options, name);
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
    return command_say_error(
        "`%s %s` does not take --%s: run `zerotutor %s --help` for its options", command,
        verbs[i].name, stray, command);
}
