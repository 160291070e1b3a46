/* manual: the man page, made from the table. */
#include "command/asked.h"

#include <stdlib.h>
#include <string.h>

/* One character beyond ASCII, by its number: roff reads no UTF-8. Returns what follows it. */
static const char *put_code(const char *s) {
    printf("\\[u%04X]", (unsigned)base_utf8_next(&s, s + strlen(s)));
    return s;
}

/* roff: a backslash is escaped, a dash is a minus where it may be typed, a line may not begin with
 * a dot or quote. Of Markdown only `code` is known here, and becomes bold. */
static void put_roff(const char *s) {
    bool bold = false, fresh = true;
    for (; *s; s++) {
        if (fresh && strchr(".'", *s)) fputs("\\&", stdout);
        fresh = *s == '\n';
        if (*s == '`')
            fputs((bold = !bold) ? "\\fB" : "\\fR", stdout);
        else if (*s == '\\')
            fputs("\\e", stdout);
        else if (*s == '-')
            fputs("\\-", stdout);
        else if (*s == '\n' && s[1] == '\n')
            fputs("\n.PP", stdout);
        else if (*s & 0x80)
            s = put_code(s) - 1;
        else
            putchar(*s);
    }
}

static void put_option(const struct command_option *o) {
    fputs(".TP\n\\fB\\-\\-", stdout);
    for (const char *c = o->name; *c; c++)
        fputs(*c == '_' || *c == '-' ? "\\-" : (char[]){*c, 0}, stdout);
    fputs("\\fR", stdout);
    if (o->value) printf(" \\fI%s\\fR", o->value);
    putchar('\n');
    char *words = command_option_words(o, o->choices ? "|" : ", "),
         *help = command_option_help(o, words);
    put_roff(help);
    free(help);
    free(words);
    putchar('\n');
}

/* The first options of a command with a training are every such command's: they are told once. */
static size_t training_options(void) {
    size_t fields, shared;
    account_fields(&fields);
    command_training_options(&shared);
    return fields + shared;
}

static void put_training(void) {
    struct command_option o;
    puts(".SH TRAINING\nWhat is trained and how, for mem, traffic, plan and whose.");
    for (size_t i = 0; i < training_options() && command_option_at(&command_mem, i, &o); i++)
        put_option(&o);
}

static void put_command(const struct command *c) {
    struct command_option o;
    printf(".SS zerotutor %s", c->name);
    if (*c->operands) printf(" %s", c->operands);
    fputs("\n", stdout);
    put_roff(c->about);
    putchar('\n');
    for (size_t i = c->training ? training_options() : 0; command_option_at(c, i, &o); i++)
        put_option(&o);
    for (size_t i = 0; c->examples && c->examples[i]; i++) {
        fputs(i ? ".br\n" : ".PP\nExamples:\n.br\n", stdout);
        put_roff(c->examples[i]);
        putchar('\n');
    }
}

static const struct {
    const char *name, *what;
} variables[] = {
    {"ZEROTUTOR_HOME",
     "your folder (default: `$XDG_DATA_HOME/zerotutor`, else `~/.local/share/zerotutor`)"},
    {"ZEROTUTOR_SHARE", "folder of lessons/ and lua/, if they are not next to the program"},
    {"ZEROTUTOR_VOICE",
     "the synthesiser that reads aloud: `espeak-ng`, `espeak`, `say` or `spd-say` (default: the "
     "first that is installed), or `none`"},
    {"NO_COLOR", "any value: no colours"},
    {"NO_MOTION", "any value: nothing moves. A play or a lab advances only when you press a key"},
    {"COLORFGBG",
     "the terminal's colours, such as `0;15`: on a light background the theme is light "
     "until you choose one"},
    {"TERM", "`dumb` switches to --linear automatically"},
};

static void put_variables(void) {
    puts(".SH ENVIRONMENT");
    for (size_t i = 0; i < BASE_COUNT(variables); i++) {
        printf(".TP\n\\fB%s\\fR\n", variables[i].name);
        put_roff(variables[i].what);
        putchar('\n');
    }
}

static int run(const struct arguments *a) {
    const struct command_set *set = a->set;
    struct command_option o;
    printf(".TH ZEROTUTOR 1 \"\" \"zerotutor %s\" \"User Commands\"\n", command_version);
    puts(".SH NAME\nzerotutor \\- a terminal tutor for sharded training\n"
         ".SH SYNOPSIS\n\\fBzerotutor\\fR [\\fIcommand\\fR] [\\fIoptions\\fR]\n.SH DESCRIPTION");
    put_roff(set->app->about);
    puts("\nEvery number it shows is computed by its own accounting engine.\n.SH OPTIONS");
    for (size_t i = 0; command_option_at(set->app, i, &o); i++) put_option(&o);
    puts(".SH COMMANDS");
    for (size_t i = 0; i < set->commands; i++) put_command(set->command[i]);
    put_training();
    put_variables();
    puts(".SH EXIT STATUS\n0 success; 1 a check failed; 2 bad usage, or a file could not be "
         "opened.");
    return COMMAND_WELL;
}

const struct command command_manual = {
    .name = "manual",
    .summary = "prints the man page",
    .operands = "",
    .about = "Prints the man page in roff. To read it, run `zerotutor manual | man -l -`.",
    .rare = true,
    .run = run,
};
