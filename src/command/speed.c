/* speed: the speed challenge, on the full screen or line by line. */
#include "command/internal.h"

#include "linear/linear.h"
#include "screen/screen.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

static const struct command_option options[] = {
    {"seconds", "TIME", "60|90|180|none", "how long a round lasts (default: 60)"},
    {"about", "SUBJECT", "all|states|shards|traffic|memory|seconds|fits",
     "what to ask about (default: all)"},
    {"choose", NULL, NULL, "picks one of four sizes instead of typing a number"},
    {"seed", "N", NULL, "draws the same questions each time"},
    {"linear", NULL, NULL, "asks line by line, for pipes, screen readers and dumb terminals"},
    {"words", NULL, NULL, "asks line by line, and says figures in sentences"},
    {"ascii", NULL, NULL, "uses plain ASCII characters"},
    {"store", "FILE", NULL, "keeps the record in this file"},
};
static const char *const examples[] = {
    "zerotutor speed",
    "zerotutor speed --seconds 180 --about traffic",
    "zerotutor speed --seconds none --choose --linear",
    NULL,
};

static bool read_seconds(const struct arguments *a, int64_t *ms) {
    const char *text = command_arguments_value(a, "seconds");
    long seconds = 0;
    if (text && strcmp(text, "none") == 0) return *ms = 0, true;
    if (!command_arguments_number(a, "seconds", 60, 180, 60, &seconds)) return false;
    *ms = seconds * 1000;
    return true;
}

/* False after the message was printed. */
static bool read_round(const struct arguments *a, struct lesson_speed_options *o) {
    const char *about = command_arguments_value(a, "about");
    long seed;
    *o = (struct lesson_speed_options){.choose = command_arguments_has(a, "choose")};
    o->subject = about ? lesson_speed_subject_find(about) : LESSON_SPEED_ALL;
    if (!read_seconds(a, &o->ms) || !command_arguments_number(a, "seed", 1, LONG_MAX, 0, &seed))
        return false;
    o->seed = (uint64_t)seed;
    return true;
}

static int run_linear(const struct arguments *a, const struct lesson_speed_options *round) {
    bool colours = !command_arguments_has(a, "no-colour");
    const struct linear_options o = {.store = command_arguments_value(a, "store"),
                                     .ascii = command_terminal_ascii(a),
                                     .width = command_terminal_columns(),
                                     .colours = colours ? command_terminal_colours() : 0,
                                     .words = command_arguments_has(a, "words")};
    return linear_speed(&o, round, stdin, stdout);
}

static int speed_run(const struct arguments *a) {
    struct lesson_speed_options round;
    if (!read_round(a, &round)) return COMMAND_USAGE;
    if (command_arguments_has(a, "linear") || command_arguments_has(a, "words") ||
        command_terminal_dumb())
        return run_linear(a, &round);
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return command_say_error("this is not a terminal: `--linear` reads lines and prints lines");
    const struct screen_options o = {.round = &round,
                                     .store = command_arguments_value(a, "store"),
                                     .ascii = command_arguments_has(a, "ascii"),
                                     .no_colour = command_arguments_has(a, "no-colour")};
    return screen_run(&o);
}

const struct command command_speed = {
    .name = "speed",
    .summary = "estimates against the clock, with numbers you learned",
    .operands = "",
    .about =
        "Asks a round of napkin arithmetic from the lessons that you finished, or from the first "
        "phase if you finished none. Questions get harder while you answer right.\n\n"
        "An answer counts if it is within 10%. Each question has numbers for which every mistake "
        "that the engine knows is at least 25% away. Units are an exception: an answer in GB for "
        "GiB counts as right if it is within 10%.\n\n"
        "A wrong answer costs only time, and it comes back after the round without a clock. Your "
        "record keeps each round and shows your best. Rounds do not count in reviews or mastery, "
        "because an estimate shows less than a whole answer.\n\n"
        "With `--linear` the exit status is 0 if you finished the round or left it with `:quit`, "
        "1 if the input ended before, 2 if it could not be begun.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = speed_run,
};
