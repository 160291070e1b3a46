/* completion: what a shell offers on Tab, made from the table. */
#include "command/internal.h"

#include <stdlib.h>
#include <string.h>

/* A name as the flag is typed. */
static void put_flag(const char *name) {
    for (const char *c = name; *c; c++) putchar(*c == '_' ? '-' : *c);
}

static void put_option_words(const struct command_option *o) {
    char *words = command_option_words(o, " ");
    fputs(words, stdout);
    free(words);
}

static void put_words(const char *choices) {
    for (const char *c = choices; *c; c++) putchar(*c == '|' ? ' ' : *c);
}

/* Text inside single quotes of a shell. */
static void put_quoted(const char *s, const char *quote) {
    for (; *s; s++)
        if (*s == '\'')
            fputs(quote, stdout);
        else
            putchar(*s);
}

static bool takes_files(const char *value) {
    return value && strcmp(value, "FILE") == 0;
}

static bool operand_files(const struct command *c) {
    return takes_files(c->operand_choices);
}

/* ── bash ──────────────────────────────────────────────────────────────────────────────────────*/
static void bash_command(const struct command *c) {
    struct command_option o;
    printf("    %s)\n        case $before in\n", *c->name ? c->name : "''");
    for (size_t i = 0; command_option_at(c, i, &o); i++) {
        if (!o.value) continue;
        fputs("        --", stdout);
        put_flag(o.name);
        fputs(") words='", stdout);
        put_option_words(&o);
        printf("'; files=%d ;;\n", takes_files(o.value));
    }
    fputs("        *) words='", stdout);
    for (size_t i = 0; command_option_at(c, i, &o); i++) {
        fputs("--", stdout);
        put_flag(o.name);
        putchar(' ');
    }
    if (c->operand_choices && !operand_files(c)) put_words(c->operand_choices);
    printf("'; files=%d ;;\n        esac ;;\n", operand_files(c));
}

static void bash(const struct command_set *set) {
    puts(
        "# bash completion for zerotutor; made by `zerotutor completion bash`\n"
        "_zerotutor() {\n"
        "    local now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words files=0\n"
        "    local command=\n"
        "    [ \"$COMP_CWORD\" -gt 1 ] && command=${COMP_WORDS[1]}\n"
        "    case $command in");
    bash_command(set->app);
    for (size_t i = 0; i < set->commands; i++) bash_command(set->command[i]);
    fputs("    esac\n"
          "    [ \"$COMP_CWORD\" -eq 1 ] && words=\"$words ",
          stdout);
    for (size_t i = 0; i < set->commands; i++) printf("%s%s", i ? " " : "", set->command[i]->name);
    puts("\"\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$now\"))\n"
         "    [ \"$files\" = 1 ] && COMPREPLY+=($(compgen -f -- \"$now\"))\n"
         "}\n"
         "complete -o filenames -F _zerotutor zerotutor");
}

/* ── zsh ───────────────────────────────────────────────────────────────────────────────────────*/
/* Brackets and colons mean something in an _arguments spec. */
static void zsh_text(const char *s) {
    for (; *s; s++) {
        if (strchr("[]:", *s)) putchar('\\');
        if (*s == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*s);
    }
}

static void zsh_option(const struct command_option *o) {
    fputs(" \\\n            '--", stdout);
    put_flag(o->name);
    fputs(o->value ? "=[" : "[", stdout);
    zsh_text(o->help);
    putchar(']');
    if (o->value) printf(":%s:", o->value);
    char first[NAME_MOST];
    if (o->value && command_option_word(o, 0, first)) {
        putchar('(');
        put_option_words(o);
        putchar(')');
    } else if (takes_files(o->value))
        fputs("_files", stdout);
    putchar('\'');
}

static void zsh_command(const struct command *c) {
    struct command_option o;
    printf("        %s)\n            _arguments", c->name);
    for (size_t i = 0; command_option_at(c, i, &o); i++) zsh_option(&o);
    if (operand_files(c))
        fputs(" \\\n            '*:file:_files'", stdout);
    else if (c->operand_choices) {
        fputs(" \\\n            '1:what:(", stdout);
        put_words(c->operand_choices);
        fputs(")'", stdout);
    }
    puts(" ;;");
}

static void zsh(const struct command_set *set) {
    puts("#compdef zerotutor\n# made by `zerotutor completion zsh`\n"
         "_zerotutor() {\n    local -a commands\n    commands=(");
    for (size_t i = 0; i < set->commands; i++) {
        printf("        '%s:", set->command[i]->name);
        put_quoted(set->command[i]->summary, "'\\''");
        puts("'");
    }
    puts("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        "
         "return\n    fi\n"
         "    local name=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $name in");
    for (size_t i = 0; i < set->commands; i++) zsh_command(set->command[i]);
    puts("    esac\n}\n_zerotutor \"$@\"");
}

/* ── fish ──────────────────────────────────────────────────────────────────────────────────────*/
static void fish_option(const char *when, const struct command_option *o) {
    printf("complete -c zerotutor -n '%s' -l ", when);
    put_flag(o->name);
    if (o->value) fputs(takes_files(o->value) ? " -r -F" : " -x", stdout);
    char first[NAME_MOST];
    if (command_option_word(o, 0, first)) {
        fputs(" -a '", stdout);
        put_option_words(o);
        putchar('\'');
    }
    fputs(" -d '", stdout);
    put_quoted(o->help, "\\'");
    puts("'");
}

static void fish_command(const struct command *c) {
    char when[80] = "__fish_use_subcommand";
    struct command_option o;
    if (*c->name) {
        printf("complete -c zerotutor -f -n __fish_use_subcommand -a %s -d '", c->name);
        put_quoted(c->summary, "\\'");
        puts("'");
        snprintf(when, sizeof when, "__fish_seen_subcommand_from %s", c->name);
    }
    for (size_t i = 0; command_option_at(c, i, &o); i++) fish_option(when, &o);
    if (c->operand_choices && !operand_files(c)) {
        printf("complete -c zerotutor -f -n '%s' -a '", when);
        put_words(c->operand_choices);
        puts("'");
    }
}

static void fish(const struct command_set *set) {
    puts("# fish completion for zerotutor; made by `zerotutor completion fish`");
    fish_command(set->app);
    for (size_t i = 0; i < set->commands; i++) fish_command(set->command[i]);
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
static const struct {
    const char *name;
    void (*print)(const struct command_set *set);
} shells[] = {
    {"bash", bash},
    {"zsh", zsh},
    {"fish", fish},
};

static int run(const struct arguments *a) {
    for (size_t i = 0; i < BASE_COUNT(shells); i++) {
        if (strcmp(shells[i].name, a->operand[0]) != 0) continue;
        shells[i].print(a->set);
        return COMMAND_WELL;
    }
    return command_say_error("unknown shell '%s': use bash, zsh or fish", a->operand[0]);
}

static const char *const examples[] = {
    "zerotutor completion bash > ~/.local/share/bash-completion/completions/zerotutor",
    "zerotutor completion fish > ~/.config/fish/completions/zerotutor.fish",
    NULL,
};

const struct command command_completion = {
    .name = "completion",
    .summary = "prints completion for a shell",
    .operands = "bash|zsh|fish",
    .operand_choices = "bash|zsh|fish",
    .least = 1,
    .most = 1,
    .about = "Prints a completion script for bash, zsh or fish.",
    .examples = examples,
    .rare = true,
    .run = run,
};
