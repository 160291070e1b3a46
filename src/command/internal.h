/* What the files of this module share. A command is one constant struct in one file; command.c
 * lists them, and parsing, help, completion and the manual are all made from that table. */
#ifndef COMMAND_INTERNAL_H
#define COMMAND_INTERNAL_H

#include "account/account.h"
#include "base/base.h"
#include "command/command.h"
#include "page/page.h"
#include "session/session.h"

enum { COMMAND_WELL = 0, COMMAND_FAILED = 1, COMMAND_USAGE = 2 };
enum { OPTIONS_MOST = 64, OPERANDS_MOST = 64 };

/* ── commands as data ──────────────────────────────────────────────────────────────────────────*/
struct command_option {
    /* "no-colour"; _ stands for - */
    const char *name;
    /* what it takes: "FILE"; "MODEL", "CARD", "LINK" for a name of that catalogue; NULL for a
     * switch */
    const char *value;
    /* "bash|zsh|fish"; NULL; "" for a field of the training, whose choices the engine lists */
    const char *choices;
    /* one line */
    const char *help;
};
struct arguments;
struct command {
    /* "" is the app itself, started without a subcommand */
    const char *name;
    /* one line */
    const char *summary;
    /* "[LESSON]", or "" */
    const char *operands;
    /* for completion: "bash|zsh|fish"; "FILE"; NULL */
    const char *operand_choices;
    /* how many operands */
    size_t least, most;
    /* Markdown: what it does and answers, for --help and the manual */
    const char *about;
    /* NULL-terminated, or NULL */
    const char *const *examples;
    const struct command_option *option;
    size_t options;
    /* takes every field of the engine's training as a flag, and command_training_options() */
    bool training;
    /* rarely typed: `--help` has its name alone, `help` its summary too */
    bool rare;
    int (*run)(const struct arguments *a);
};
extern const struct command command_app, command_learn, command_mem, command_traffic, command_plan,
    command_whose, command_memo, command_export, command_lab, command_lint, command_doctor,
    command_picture, command_completion, command_manual, command_help, command_models, command_gpus,
    command_links, command_review, command_due, command_record, command_code, command_aloud,
    command_progress, command_speed, command_myths, command_interview, command_map, command_job,
    command_glossary, command_search, command_notes, command_questions, command_certificate,
    command_class, command_present;

/* All commands, in the order in which help lists them; the app is not among them. */
struct command_set {
    const struct command *app;
    const struct command *const *command;
    size_t commands;
};
/* NULL if there is none of that name. */
const struct command *command_find(const struct command_set *set, const char *name);
/* What every command with a training takes besides the fields. */
const struct command_option *command_training_options(size_t *count);
/* Option `i` of a command: the training's, its own, then those of every command. False past the
 * last. */
bool command_option_at(const struct command *c, size_t i, struct command_option *out);

/* The command that lists the names an option takes: "models"; NULL if they are not of a
 * catalogue. */
const char *command_option_catalogue(const struct command_option *o);
/* Whether every command has it: it fits every verb, too. */
bool command_option_is_common(const struct command_option *o);
/* Another word for an option: "-v", "--no-color"; NULL if there is none. */
const char *command_option_also(const struct command_option *o);

/* The commands as searches tell of them (look.c); the caller's. */
struct session_command *command_told(const struct command_set *set, size_t *count);
/* Takes a lesson as the options say, on the full screen or line by line (learn.c); NULL: home. */
int command_take(const struct arguments *a, const char *lesson);

/* Saves a certificate (certificate_save.c): as a page that carries it if the file's name ends in
 * .txt, .html, .htm, .pdf or .md, else its lines alone. False with the message filled. */
struct session_certified;
bool command_certificate_save(const struct session_certified *c, const char *file, bool ascii,
                              struct base_message *m);
/* Whether a file may be called so, by its ending. */
bool command_certificate_ends(const char *file);
/* Checks the page around a certificate that holds. True if there is none, or if it is the page that
 * the program prints of it. Otherwise the message names the line of the page that was changed. If
 * another version printed the page, or it is a PDF, its SHA-256 decides. */
bool command_certificate_is_its_page(const struct session_certified *c, const char *file,
                                     struct base_message *m);

/* ── words of options (options.c) ──────────────────────────────────────────────────────────────*/
enum { NAME_MOST = 64 };
/* Word `i` of those that may follow an option: one of its choices, or a name of its catalogue. NULL
 * past the last. */
const char *command_option_word(const struct command_option *o, size_t i,
                                char out[static NAME_MOST]);
/* All of them, parted by `between`; the caller owns the text. "" if any word may follow. */
char *command_option_words(const struct command_option *o, const char *between);
/* What it is for, with these words ("" for none) in one bracket with what is in one already: "how
 * long a round lasts (60, 90; default: 60)". The caller owns the text. */
char *command_option_help(const struct command_option *o, const char *words);

/* ── arguments (arguments.c) ───────────────────────────────────────────────────────────────────*/
struct arguments {
    /* for commands that tell of the others */
    const struct command_set *set;
    const struct command *command;
    struct command_option option[OPTIONS_MOST];
    /* as given; "" for a switch; NULL if not given */
    const char *value[OPTIONS_MOST];
    size_t options, operands;
    /* so many options, the first, are the engine's: it judges their values itself */
    size_t fields;
    const char *operand[OPERANDS_MOST];
};
/* Reads the words after the command. False after the message was printed. */
bool command_arguments_read(struct arguments *a, const struct command *c, int argc, char **argv);
const char *command_arguments_value(const struct arguments *a, const char *name);
bool command_arguments_has(const struct arguments *a, const char *name);
/* False after it was said that two of these options were given, which exclude each other. */
bool command_arguments_one_of(const struct arguments *a, const char *const *name, size_t count);
/* The value as a number from `least` to `most`, or `otherwise` if the option is absent. False after
 * the message was printed. */
bool command_arguments_number(const struct arguments *a, const char *name, long least, long most,
                              long otherwise, long *out);

/* ── verbs (arguments.c) ───────────────────────────────────────────────────────────────────────*/
struct verb {
    const char *name;
    int (*run)(const struct arguments *a);
    /* those it takes, each between blanks */
    const char *options;
};
/* Runs the verb that the first operand names, with no option that only others take. */
int command_verb_run(const struct arguments *a, const struct verb *verbs, size_t count);

extern const char command_version[];

/* ── saying (say.c) ────────────────────────────────────────────────────────────────────────────*/
/* Prints "zerotutor: …" on standard error; returns COMMAND_USAGE. */
int command_say_error(const char *format, ...) BASE_PRINTF(1, 2);
int command_say_message(const struct base_message *m);
/* Prints JSON on standard output, and drops it; returns COMMAND_WELL. */
int command_say_json(json_t *json);
/* The words nearest to a wrong one: try them all, then take `best` (NULL if nothing is near). */
struct nearest {
    const char *word, *best;
    size_t distance;
};
/* whether it is the nearest so far */
bool command_nearest_try(struct nearest *n, const char *candidate);
/* Prints an error with "did you mean …" where something was near. */
int command_say_unknown(const char *what, const char *word, const char *best, const char *advice);

/* ── the terminal (terminal.c) ─────────────────────────────────────────────────────────────────*/
int command_terminal_columns(void); /* of standard output; 80 if that is no terminal */
int command_terminal_rows(void);
/* 0 if standard output is no terminal, is dumb, or NO_COLOR is set; else 8 or 256. */
int command_terminal_colours(void);
bool command_terminal_utf8(void);
bool command_terminal_dumb(void);
/* Whether the page must be ASCII: asked for, or the locale is not UTF-8. */
bool command_terminal_ascii(const struct arguments *a);
/* A page as wide as the terminal, in as many colours. The caller owns it. */
struct page *command_terminal_page(bool ascii);
/* Prints the page on standard output as the terminal can show it, and frees it. */
void command_terminal_print(struct page *p);

/* ── help (help.c) ─────────────────────────────────────────────────────────────────────────────*/
/* Says on one screen what a command does and takes; of the app, what commands there are. */
int command_help_brief(const struct command_set *set, const struct command *c);

#endif
