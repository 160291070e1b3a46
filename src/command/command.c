/* command: the table of commands. It finds the command that was meant and runs it. The table knows
 * every command, and no command calls this file: what one must know of the others, as help does, it
 * finds in its arguments. */
#include "command/internal.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* In the order in which help lists them. */
static const struct command *const table[] = {
    &command_mem,         &command_traffic,   &command_plan,      &command_whose,
    &command_models,      &command_gpus,      &command_links,     &command_learn,
    &command_review,      &command_due,       &command_job,       &command_progress,
    &command_speed,       &command_myths,     &command_interview, &command_glossary,
    &command_search,      &command_questions, &command_notes,     &command_record,
    &command_certificate, &command_memo,      &command_export,    &command_code,
    &command_map,         &command_aloud,     &command_lab,       &command_class,
    &command_present,     &command_lint,      &command_doctor,    &command_picture,
    &command_completion,  &command_manual,    &command_help,
};
static const struct command_set set = {&command_app, table, BASE_COUNT(table)};

static int unknown_command(const char *word) {
    struct nearest nearest = {.word = word};
    for (size_t i = 0; i < set.commands; i++) command_nearest_try(&nearest, table[i]->name);
    return command_say_unknown("command", word, nearest.best, "run `zerotutor help` for a list");
}

static int run(const struct command *c, int argc, char **argv) {
    struct arguments a;
    if (!command_arguments_read(&a, c, argc, argv)) return COMMAND_USAGE;
    a.set = &set;
    if (command_arguments_has(&a, "no-colour")) setenv("NO_COLOR", "1", 1);
    return command_arguments_has(&a, "help") ? command_help_brief(&set, c) : c->run(&a);
}

/* Why the output broke off. Where that was while the command ran, the reason is forgotten by now,
 * and another try tells it. */
static int broken_by(void) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    if (errno != 0) return errno;
    clearerr(stdout);
    return putchar('\n') == EOF || fflush(stdout) != 0 ? errno : EIO;
}

/* A reader that closed early is no error; a full disk is. */
static int finish(int status) {
    int why = broken_by();
    if (why == 0 || why == EPIPE) return status;
    return command_say_error("the output could not be written (%s): see whether the disk is full",
                             strerror(why));
}

/* A reader that went away and a limit on files' sizes are errors of writing, told in words, and no
 * deaths: on the full screen too. */
static void survive_failed_writes(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int command_main(int argc, char **argv) {
    setlocale(LC_CTYPE, "");
    survive_failed_writes();
    if (argc < 2 || argv[1][0] == '-') return finish(run(&command_app, argc - 1, argv + 1));
    const struct command *c = command_find(&set, argv[1]);
    return finish(c ? run(c, argc - 2, argv + 2) : unknown_command(argv[1]));
}
