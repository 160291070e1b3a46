/* help: what there is, from the table. */
#include "command/inside.h"

#include <stdlib.h>
#include <string.h>

const char command_version[] = "0.1.0";

enum { FLAG_MOST = 48 };

/* "--gpus-per-node VALUE" */
static const char *flag(const struct command_option *o, char *out, size_t size) {
    snprintf(out, size, "--%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
    for (char *c = out; *c && *c != ' '; c++)
        if (*c == '_') *c = '-';
    return out;
}

/* With its choices; the names of a catalogue are too many for this place. */
static char *option_help(const struct command_option *o) {
    char *words = o->choices ? command_option_words(o, ", ") : base_dup("");
    char *help = *words ? base_format("%s (%s)", o->help, words) : base_dup(o->help);
    free(words);
    return help;
}

static void put_options(struct page *p, const struct command *c) {
    struct command_option o;
    for (size_t i = 0; command_option_at(c, i, &o); i++) {
        char name[FLAG_MOST];
        char *help = option_help(&o);
        int row = page_height(p);
        page_text(p, (struct page_flow){.indent = 30}, help);
        page_put(p, row, 4, PAGE_KEY, 0, flag(&o, name, sizeof name));
        free(help);
    }
}

/* What the words MODEL, CARD and LINK may be, each once; options of one catalogue stand beside each other. */
static void put_catalogues(struct page *p, const struct command *c) {
    struct command_option o;
    const char *before = "";
    for (size_t i = 0; command_option_at(c, i, &o); i++) {
        char *names = o.choices ? base_dup("") : command_option_words(&o, ", ");
        if (*names && strcmp(o.value, before) != 0) {
            before = o.value;
            page_blank(p, 1);
            int row = page_height(p);
            page_text(p, (struct page_flow){.indent = 12}, names);
            page_put(p, row, 4, PAGE_STRONG, 0, o.value);
        }
        free(names);
    }
}

static void put_usage(struct page *p, const struct command *c) {
    bool app = !*c->name, operands = *c->operands;
    page_printf(p, page_height(p), 0, PAGE_TITLE, "zerotutor%s%s%s%s [options]", app ? "" : " ",
                c->name, operands ? " " : "", c->operands);
    page_blank(p, 1);
}

static void put_examples(struct page *p, const struct command *c) {
    page_blank(p, 1);
    for (size_t i = 0; c->examples[i]; i++)
        page_put(p, page_height(p), 4, PAGE_CODE, 0, c->examples[i]);
}

int command_help_command(const struct command *c) {
    if (!*c->name) return command_help_overview();
    struct page *p = command_terminal_page(!command_terminal_utf8());
    put_usage(p, c);
    page_markdown(p, (struct page_flow){.indent = 2}, c->about);
    page_blank(p, 1);
    put_options(p, c);
    put_catalogues(p, c);
    if (c->examples) put_examples(p, c);
    command_terminal_print(p);
    return COMMAND_WELL;
}

int command_help_overview(void) {
    struct page *p = command_terminal_page(!command_terminal_utf8());
    size_t count;
    const struct command *const *table = command_table(&count);
    page_put(p, 0, 0, PAGE_TITLE, 0,
             "zerotutor: from \"my GPU ran out of memory\" to a stage you can defend");
    page_blank(p, 1);
    put_usage(p, &command_app);
    put_options(p, &command_app);
    page_blank(p, 1);
    for (size_t i = 0; i < count; i++) {
        int row = page_height(p);
        page_put(p, row, 2, PAGE_KEY, 0, table[i]->name);
        page_put(p, row, 16, PAGE_PLAIN, 0, table[i]->summary);
    }
    page_blank(p, 1);
    page_put(p, page_height(p), 2, PAGE_PLAIN, 0, "`zerotutor COMMAND --help` says more of each.");
    command_terminal_print(p);
    return COMMAND_WELL;
}

static json_t *option_json(const struct command_option *o) {
    char name[FLAG_MOST];
    struct command_option bare = *o;
    bare.value = NULL;
    char *words = command_option_words(o, "|");
    json_t *json = json_pack("{ss ss* ss* ss}", "flag", flag(&bare, name, sizeof name), "value",
                             o->value, "choices", *words ? words : NULL, "help", o->help);
    free(words);
    return json;
}

static json_t *command_json(const struct command *c) {
    json_t *options = json_array();
    struct command_option o;
    for (size_t i = 0; command_option_at(c, i, &o); i++)
        json_array_append_new(options, option_json(&o));
    return json_pack("{ss ss ss so}", "name", c->name, "summary", c->summary, "operands",
                     c->operands, "options", options);
}

static json_t *table_json(void) {
    size_t count;
    const struct command *const *table = command_table(&count);
    json_t *commands = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(commands, command_json(table[i]));
    return json_pack("{ss so}", "version", command_version, "commands", commands);
}

static int run(const struct arguments *a) {
    if (command_arguments_has(a, "json")) return command_say_json(table_json());
    if (!a->operands) return command_help_overview();
    const struct command *c = command_find(a->operand[0]);
    if (c) return command_help_command(c);
    return command_say_error("there is no command '%s': `zerotutor help` lists them",
                             a->operand[0]);
}

static const struct command_option options[] = {
    {"json", NULL, NULL, "all commands and options as JSON"},
};

const struct command command_help = {
    .name = "help",
    .summary = "says what there is",
    .operands = "[COMMAND]",
    .most = 1,
    .about = "Lists the commands, or says what one does and takes.",
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
