/* picture: a screen saved without a terminal, for the README and for reports. */
#include "command/internal.h"
#include "screen/screen.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_COLUMNS = 40, LEAST_ROWS = 12, MOST = 400 };

static bool read_size(const char *text, struct screen_shot *s) {
    char extra;
    if (!text) return true;
    bool read = sscanf(text, "%4dx%4d%c", &s->columns, &s->rows, &extra) == 2;
    if (read && s->columns >= LEAST_COLUMNS && s->columns <= MOST && s->rows >= LEAST_ROWS &&
        s->rows <= MOST)
        return true;
    command_say_error(
        "--size cannot be '%s': it is columns x rows from 40x12 to 400x400, such as 80x24", text);
    return false;
}

static int put(const char *picture, const char *file) {
    struct base_message m = {0};
    if (!file) return fputs(picture, stdout) < 0;
    return base_file_write(file, picture, strlen(picture), &m) ? COMMAND_WELL
                                                               : command_say_message(&m);
}

static int run(const struct arguments *a) {
    struct screen_shot s = {.lesson = a->operands ? a->operand[0] : NULL,
                            .store = command_arguments_value(a, "store"),
                            .keys = command_arguments_value(a, "keys"),
                            .film = command_arguments_value(a, "film"),
                            .columns = 80,
                            .rows = 24,
                            .ascii = command_arguments_has(a, "ascii"),
                            .no_colour = command_arguments_has(a, "no-colour"),
                            .svg = !command_arguments_has(a, "text")};
    struct base_message m = {0};
    if (!read_size(command_arguments_value(a, "size"), &s)) return COMMAND_USAGE;
    char *picture = screen_picture(&s, &m);
    if (!picture) return command_say_message(&m);
    int status = put(picture, command_arguments_value(a, "output"));
    free(picture);
    return status;
}

static const struct command_option options[] = {
    {"keys", "KEYS", NULL, "keys to press before the picture is taken"},
    {"film", "KEYS", NULL, "presses these and films the rest: an SVG that plays"},
    {"size", "COLUMNSxROWS", NULL, "80x24 by default"},
    {"text", NULL, NULL, "saves text (default: SVG)"},
    {"output", "FILE", NULL, "file to write (default: standard output)"},
    {"ascii", NULL, NULL, "plain ASCII characters"},
    {"store", "FILE", NULL, "the record to show"},
};
static const char *const examples[] = {
    "zerotutor picture --output home.svg",
    "zerotutor picture 1.1 --keys '<Enter>' --text",
    "zerotutor picture 1.4 --keys ']<Home>' --film '<Space>3' --output ring.svg",
    NULL,
};

const struct command command_picture = {
    .name = "picture",
    .summary = "saves a screen as SVG or text",
    .operands = "[LESSON]",
    .operand_choices = "FILE",
    .most = 1,
    .about =
        "Opens the home screen or a lesson without a terminal, presses keys, and saves the screen.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .rare = true,
    .run = run,
};
