/* help: what there is, from the table. */
#include "command/internal.h"

#include <stdlib.h>
#include <string.h>

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
    char *help = command_option_help(o, words);
    free(words);
    return help;
}

static void put_options(struct page *p, const struct command *c, size_t from) {
    struct command_option o;
    for (size_t i = from; command_option_at(c, i, &o); i++) {
        if (command_option_is_common(&o)) continue;
        char name[FLAG_MOST];
        char *help = option_help(&o);
        int row = page_height(p);
        page_text(p, (struct page_flow){.indent = 30}, help);
        page_put(p, row, 4, PAGE_KEY, 0, flag(&o, name, sizeof name));
        free(help);
    }
}

/* Where the names are listed that MODEL, CARD and LINK stand for. */
static void put_catalogues(struct page *p) {
    page_markdown(
        p, (struct page_flow){.indent = 4},
        "Run `zerotutor models`, `gpus` or `links` for the names that MODEL, CARD and LINK take.");
}

static void put_usage(struct page *p, const struct command *c) {
    bool operands = *c->operands;
    page_printf(p, page_height(p), 0, PAGE_TITLE, "zerotutor %s%s%s [options]", c->name,
                operands ? " " : "", c->operands);
    page_blank(p, 1);
}

/* An example is never cut: what does not fit goes on in the next line, as a shell reads it. An
 * option and its value stay together. */
static void put_example(struct page *p, const char *example) {
    enum { LEFT = 4, NEXT = 8, SIGN = 2 };
    int column = LEFT, row = page_height(p);
    for (const char *word = example, *end; *word; word = end + strspn(end, " ")) {
        end = word + strcspn(word, " ");
        if (word[0] == '-' && *end && end[1] != '-') end += 1 + strcspn(end + 1, " ");
        char *text = base_format("%.*s", (int)(end - word), word);
        int last = page_width(p) - (*end ? SIGN : 0);
        if (column > LEFT && column + 1 + page_measure(p, text) > last) {
            page_put(p, row++, column, PAGE_CODE, 0, " \\");
            column = NEXT;
        } else
            column += column > LEFT;
        column = page_put(p, row, column, PAGE_CODE, 0, text);
        free(text);
    }
}

static void put_examples(struct page *p, const struct command *c, size_t most) {
    for (size_t i = 0; c->examples && c->examples[i] && i < most; i++) {
        page_blank(p, i == 0);
        put_example(p, c->examples[i]);
    }
}

/* ── one screen ────────────────────────────────────────────────────────────────────────────────*/
/* The line that was typed and the shell's next prompt take a row each. */
enum { SCREEN_ROWS = 22, EXAMPLES = 3 };

/* How much of it is said: less where it would not fit. */
struct brief {
    /* the first paragraph; else the summary */
    bool about;
    size_t examples;
};

static size_t shared_options(const struct command *c) {
    size_t fields = 0, shared = 0;
    if (!c->training) return 0;
    account_fields(&fields);
    command_training_options(&shared);
    return fields + shared;
}

/* "-v --version": its letter comes with it; another spelling, the shorter one, alone. */
static char *names_of(const struct command_option *o) {
    char name[FLAG_MOST];
    const char *also = command_option_also(o);
    flag(o, name, sizeof name);
    if (!also) return base_dup(name);
    return also[1] == '-' ? base_dup(also) : base_format("%s %s", also, name);
}

/* Options by name alone: "--model MODEL  --params  --gpus …". Of a training's, what they take is
 * said only where it is a name of a catalogue or a file. */
static void put_names(struct page *p, const struct command *c, int left, size_t from, size_t to) {
    struct command_option o;
    int row = page_height(p), column = left;
    for (size_t i = from; i < to && command_option_at(c, i, &o); i++) {
        bool plain = o.value && (!strcmp(o.value, "VALUE") || !strcmp(o.value, "NAME"));
        if (plain) o.value = NULL;
        char *names = names_of(&o);
        if (column > left && column + base_width(names) > page_width(p)) {
            row++;
            column = left;
        }
        column = page_put(p, row, column, PAGE_PLAIN, 0, names) + 2;
        free(names);
    }
}

/* Those of every command are known well: a line. */
static void put_common(struct page *p, const struct command *c) {
    struct command_option o;
    size_t i = 0;
    while (command_option_at(c, i, &o) && !command_option_is_common(&o)) i++;
    put_names(p, c, 4, i, OPTIONS_MOST);
}

static void put_about(struct page *p, const struct command *c, bool whole) {
    size_t n = strcspn(c->about, "\n");
    char *text = whole ? base_format("%.*s", (int)n, c->about) : base_format("%s.", c->summary);
    if (*text >= 'a' && *text <= 'z') *text = (char)(*text - 'a' + 'A');
    page_markdown(p, (struct page_flow){.indent = 2}, text);
    free(text);
}

static struct page *lay_brief(const struct command *c, struct brief b) {
    struct page *p = command_terminal_page(!command_terminal_utf8());
    size_t shared = shared_options(c);
    put_usage(p, c);
    put_about(p, c, b.about);
    page_blank(p, 1);
    if (shared) put_names(p, c, 4, 0, shared);
    put_options(p, c, shared);
    put_common(p, c);
    put_examples(p, c, b.examples);
    page_blank(p, 1);
    page_printf(p, page_height(p), 2, PAGE_DIM, "For more: zerotutor help %s%s", c->name,
                shared ? ". Names: zerotutor models, gpus, links." : ".");
    return p;
}

static void put_commands(struct page *p, const struct command_set *set, bool rare) {
    for (size_t i = 0; i < set->commands; i++) {
        const struct command *c = set->command[i];
        if (c->rare && !rare) continue;
        int row = page_height(p);
        page_put(p, row, 2, PAGE_KEY, 0, c->name);
        page_put(p, row, 16, PAGE_PLAIN, 0, c->summary);
    }
}

static void put_rare(struct page *p, const struct command_set *set) {
    int row = page_height(p), first = page_put(p, row, 2, PAGE_DIM, 0, "and") + 2, column = first;
    for (size_t i = 0; i < set->commands; i++) {
        const struct command *c = set->command[i];
        if (!c->rare) continue;
        if (column + base_width(c->name) > page_width(p)) {
            row++;
            column = first;
        }
        column = page_put(p, row, column, PAGE_KEY, 0, c->name) + 2;
    }
}

/* `rare`: with the summaries of commands that are rarely typed. */
static int overview(const struct command_set *set, bool rare) {
    struct page *p = command_terminal_page(!command_terminal_utf8());
    page_put(p, 0, 0, PAGE_TITLE, 0,
             "zerotutor: from \"my GPU ran out of memory\" to a stage you can defend");
    int end = page_put(p, 1, 0, PAGE_TITLE, 0, "zerotutor [COMMAND] [options]");
    page_put(p, 1, end + 3, PAGE_DIM, 0, "More about each: zerotutor COMMAND --help");
    put_names(p, set->app, 2, 0, OPTIONS_MOST);
    page_blank(p, 1);
    put_commands(p, set, rare);
    if (!rare) put_rare(p, set);
    command_terminal_print(p);
    return COMMAND_WELL;
}

int command_help_brief(const struct command_set *set, const struct command *c) {
    if (!*c->name) return overview(set, false);
    struct brief b = {true, EXAMPLES};
    struct page *p = lay_brief(c, b);
    while (page_height(p) > SCREEN_ROWS && (b.about || b.examples)) {
        if (b.examples > 1 || !b.about)
            b.examples--;
        else
            b = (struct brief){false, EXAMPLES};
        page_free(p);
        p = lay_brief(c, b);
    }
    command_terminal_print(p);
    return COMMAND_WELL;
}

/* ── all of it ─────────────────────────────────────────────────────────────────────────────────*/
static int tell(const struct command *c) {
    struct page *p = command_terminal_page(!command_terminal_utf8());
    put_usage(p, c);
    page_markdown(p, (struct page_flow){.indent = 2}, c->about);
    page_blank(p, 1);
    put_options(p, c, 0);
    put_common(p, c);
    page_blank(p, c->training);
    if (c->training) put_catalogues(p);
    put_examples(p, c, SIZE_MAX);
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

static json_t *set_json(const struct command_set *set) {
    json_t *commands = json_array();
    for (size_t i = 0; i < set->commands; i++)
        json_array_append_new(commands, command_json(set->command[i]));
    return json_pack("{ss so}", "version", command_version, "commands", commands);
}

static int run(const struct arguments *a) {
    if (command_arguments_has(a, "json")) return command_say_json(set_json(a->set));
    if (!a->operands) return overview(a->set, true);
    const struct command *c = command_find(a->set, a->operand[0]);
    if (c) return tell(c);
    return command_say_error("unknown command '%s': run `zerotutor help` for a list",
                             a->operand[0]);
}

static const struct command_option options[] = {
    {"json", NULL, NULL, "all commands and options as JSON"},
};

const struct command command_help = {
    .name = "help",
    .summary = "lists the commands",
    .operands = "[COMMAND]",
    .most = 1,
    .about = "Lists the commands, or describes one.",
    .option = options,
    .options = BASE_COUNT(options),
    .rare = true,
    .run = run,
};
