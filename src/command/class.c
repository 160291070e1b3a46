/* class: a class on a shared machine. */
#include "command/class.h"

static const struct verb verbs[] = {
    {"new", command_class_new, ""},
    {"set", command_class_set, ""},
    {"close", command_class_close, ""},
};

static int run(const struct arguments *a) {
    return command_verb_run(a, verbs, BASE_COUNT(verbs));
}

static const char *const examples[] = {
    "zerotutor class new /srv/sys-26 lessons=1.1:15,1.2:12,1.3:20 ends=+90m gpus=1",
    "zerotutor class set /srv/sys-26 extend=ada+30m",
    "zerotutor class close /srv/sys-26",
    NULL,
};

const struct command command_class = {
    .name = "class",
    .summary = "makes a class on a shared machine",
    .operands = "new FOLDER [NAME=VALUE...] | set FOLDER [NAME=VALUE...] | close FOLDER",
    .operand_choices = "new|set|close",
    .least = 1,
    .most = OPERANDS_MOST,
    .about =
        "A class is a folder that the teacher makes on a machine that everybody uses. There is no "
        "server and no password: the system's accounts and the folder's modes decide who may read "
        "and write what.\n\n"
        "`class new` makes the folder, `class set` changes its settings (without any it lists "
        "them), and `class close` ends the class.",
    .examples = examples,
    .run = run,
};
