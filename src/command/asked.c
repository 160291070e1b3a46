/* asked: reads the training that a command is asked about. A model or a config is set first, since
 * it brings a count and a shape that other flags override. */
#include "command/asked.h"
#include "command/config.h"

#include <stdlib.h>
#include <string.h>

bool command_asked_form(const struct arguments *a) {
    bool csv = command_arguments_has(a, "csv");
    if (csv && command_arguments_has(a, "json"))
        command_say_error("--json and --csv exclude each other: use one of them");
    else if (csv && command_arguments_has(a, "explain"))
        command_say_error("--csv has only numbers: use --explain with --json or without either");
    else if (command_arguments_has(a, "words") && (csv || command_arguments_has(a, "json")))
        command_say_error(
            "--words is for a page that people read: use it without --json and --csv");
    else
        return true;
    return false;
}

struct page *command_asked_page(const struct arguments *a) {
    struct page *p = command_terminal_page(command_terminal_ascii(a));
    page_set_spoken(p, command_arguments_has(a, "words"));
    return p;
}

/* ── what is refused ───────────────────────────────────────────────────────────────────────────*/
enum { NEAR = 3 };

static bool is_listed(const char *word, char list[][NAME_MOST], size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], word) == 0) return true;
    return false;
}

/* The words of an option nearest to a wrong one, the best first. */
static size_t near_words(const struct command_option *o, const char *wrong,
                         char list[NEAR][NAME_MOST]) {
    for (size_t n = 0; n < NEAR; n++) {
        char buffer[NAME_MOST];
        const char *word;
        struct nearest nearest = {.word = wrong};
        for (size_t i = 0; (word = command_option_word(o, i, buffer)); i++)
            if (!is_listed(word, list, n) && command_nearest_try(&nearest, word))
                snprintf(list[n], NAME_MOST, "%s", word);
        if (!nearest.best) return n;
    }
    return NEAR;
}

/* "did you mean 'a', 'b' or 'c'?"; "" if nothing is near. The caller owns it. */
static char *did_you_mean(const struct command_option *o, const char *wrong) {
    char list[NEAR][NAME_MOST];
    uint64_t count;
    if (strcmp(o->name, "model") == 0 && account_read_count(wrong, &count, NULL))
        return base_format("did you mean --params %s?", wrong);
    struct base_text t = {0};
    size_t n = near_words(o, wrong, list);
    for (size_t i = 0; i < n; i++)
        base_text_printf(&t, "%s'%s'", !i ? "did you mean " : i + 1 < n ? ", " : " or ", list[i]);
    base_text_puts(&t, n ? "?" : "");
    return base_text_take(&t);
}

/* A field's name as its flag: with - for _. */
static const char *flag(const char *field, char out[static NAME_MOST]) {
    snprintf(out, NAME_MOST, "%s", field);
    for (char *c = out; *c; c++)
        if (*c == '_') *c = '-';
    return out;
}

/* What the engine said of a field, without the name that it begins with. */
static const char *without_name(const struct account_error *e, const char *field) {
    size_t n = strlen(field);
    bool named = strncmp(e->what, field, n) == 0 && e->what[n] == ':' && e->what[n + 1] == ' ';
    return named ? e->what + n + 2 : e->what;
}

/* The same without a value that it quotes after the name: "is not in the catalogue: …". */
static const char *without_value(const struct account_error *e, const char *field) {
    const char *what = without_name(e, field), *end = *what == '"' ? strchr(what + 1, '"') : NULL;
    return end && end[1] == ' ' ? end + 2 : what;
}

static bool refuse(const struct command_option *o, const char *value,
                   const struct account_error *e) {
    char name[NAME_MOST];
    char *near = did_you_mean(o, value), *all = command_option_words(o, ", ");
    const char *list = command_option_catalogue(o);
    flag(o->name, name);
    if (o->choices)
        command_say_error("--%s cannot be '%s': choose one of %s", name, value, all);
    else if (*near)
        command_say_error("--%s cannot be '%s': %s", name, value, near);
    else if (list)
        command_say_error("--%s cannot be '%s': it %s; `zerotutor %s` lists the names", name, value,
                          without_value(e, o->name), list);
    else
        command_say_error("--%s cannot be '%s': %s", name, value, without_value(e, o->name));
    free(all);
    free(near);
    return false;
}

/* The option that an error begins with: a field, or plan's own. NULL if it names none. */
static const char *blamed(const struct account_error *e) {
    size_t fields;
    const struct account_field *field = account_fields(&fields);
    for (size_t i = 0; i < fields; i++)
        if (without_name(e, field[i].name) != e->what) return field[i].name;
    return without_name(e, "global_batch") != e->what ? "global_batch" : NULL;
}

int command_asked_error(const struct account_error *e) {
    char name[NAME_MOST];
    const char *option = blamed(e);
    if (!option) return command_say_error("%s", e->what);
    return command_say_error("--%s: %s", flag(option, name), without_name(e, option));
}

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
/* Field `i`, if its flag was given. */
static bool read_field(const struct arguments *a, size_t i, struct asked *out) {
    struct account_error e = {0};
    const char *text = a->value[i];
    bool stage = strcmp(a->option[i].name, "stage") == 0;
    if (!text || (stage && strcmp(text, "all") == 0)) return true;
    if (!account_set(&out->training, a->option[i].name, text, &e))
        return refuse(&a->option[i], text, &e);
    if (!*text) { /* to a field it means none; in a command it is a variable that was never set */
        char name[NAME_MOST];
        command_say_error("--%s cannot be '': name one, or leave it out",
                          flag(a->option[i].name, name));
        return false;
    }
    out->given |= 1ull << i;
    out->stage_given = out->stage_given || stage;
    return true;
}

/* The fields named `model`, or all the others. */
static bool read_fields(const struct arguments *a, bool model, struct asked *out) {
    for (size_t i = 0; i < a->fields; i++)
        if (model == (strcmp(a->option[i].name, "model") == 0) && !read_field(a, i, out))
            return false;
    return true;
}

static bool read_config(const struct arguments *a, struct asked *out) {
    const char *path = command_arguments_value(a, "config");
    struct base_message m = {0};
    if (!path) return true;
    if (!command_arguments_has(a, "model")) {
        if (command_config_read(path, &out->training, &m)) return true;
        char text[sizeof m.what + sizeof m.file + NAME_MOST];
        command_say_error("--config: %s", base_message_text(&m, text, sizeof text));
    } else
        command_say_error("--model and --config both name a model: use one of them");
    return false;
}

static const char *recipe_of(const struct account_training *t, char out[static NAME_MOST]) {
    return account_get(t, "recipe", out, NAME_MOST);
}

/* The stages asked for. Of one that the recipe does not have the message says which it has. */
static bool read_stages(struct asked *out) {
    char recipe[NAME_MOST], has[NAME_MOST] = "";
    for (unsigned i = 0; i < ASKED_STAGES; i++) {
        uint8_t stage = (uint8_t)i;
        if (!account_has_stage(&out->training, stage)) continue;
        size_t n = strlen(has);
        snprintf(has + n, sizeof has - n, "%s%u", n ? ", " : "", stage);
        if (!out->stage_given || stage == out->training.stage) out->stage[out->stages++] = stage;
    }
    if (!out->stages)
        command_say_error("--stage cannot be '%u' with --recipe %s: it has the stages %s",
                          out->training.stage, recipe_of(&out->training, recipe), has);
    return out->stages > 0;
}

static bool goes_together(struct account_training *t) {
    for (t->stage = 0; t->stage < ASKED_STAGES; t->stage++)
        if (account_has_stage(t, t->stage) && account_check(t, NULL)) return true;
    return false;
}

/* `whose` asks every recipe: where none was said, the flags may be such as only some of them
 * read. */
static void choose_recipe(const struct arguments *a, struct asked *out) {
    struct account_row row[ASKED_RECIPES];
    size_t count = account_recipes_list(row, ASKED_RECIPES);
    if (strcmp(a->command->name, "whose") != 0 || command_arguments_has(a, "recipe")) return;
    for (size_t i = 0; i < count && i < ASKED_RECIPES; i++) {
        struct account_training t = out->training;
        if (!account_set(&t, "recipe", row[i].name, NULL) || !goes_together(&t)) continue;
        t.stage = out->training.stage;
        out->training = t;
        return;
    }
}

/* Of all stages those remain that go with the other flags (pipelines refuse some); the first
 * refusal is told if none does. */
static bool check_stages(struct asked *out) {
    struct account_error first = {0}, e = {0};
    size_t kept = 0;
    for (size_t i = 0; i < out->stages; i++) {
        struct account_training t = out->training;
        t.stage = out->stage[i];
        if (account_check(&t, &e))
            out->stage[kept++] = t.stage;
        else if (!*first.what)
            first = e;
    }
    out->stages = kept;
    if (!kept) return command_asked_error(&first), false;
    out->training.stage = out->stage[0];
    return true;
}

bool command_asked_read(const struct arguments *a, struct asked *out) {
    *out = (struct asked){.training = account_training_default()};
    bool read = command_asked_agrees(a) && read_config(a, out) && read_fields(a, true, out) &&
                read_fields(a, false, out);
    uint8_t said = out->training.recipe;
    if (read) choose_recipe(a, out);
    read = read && read_stages(out) && check_stages(out);
    out->training.recipe = said;
    if (read) command_asked_find_notes(a, out);
    return read;
}

struct account_training command_asked_stage(const struct asked *asked, size_t i) {
    struct account_training t = asked->training;
    t.stage = asked->stage[i];
    return t;
}
