/* myths and interview: drills over the lessons that were met, on the full screen or line by line.
 */
#include "command/internal.h"

#include "session/session.h"

#include <string.h>

/* ── myths ─────────────────────────────────────────────────────────────────────────────────────*/
static const struct command_option myths_options[] = {
    {"linear", NULL, NULL, "asks line by line, for pipes, screen readers and dumb terminals"},
    {"words", NULL, NULL, "asks line by line, and says figures in sentences"},
    {"ascii", NULL, NULL, "uses plain ASCII characters"},
    {"store", "FILE", NULL, "keeps the record in this file"},
};
static const char *const myths_examples[] = {
    "zerotutor myths",
    "zerotutor myths --linear",
    NULL,
};

static int myths_run(const struct arguments *a) {
    return command_take(a, LEARNER_MYTHS);
}

const struct command command_myths = {
    .name = "myths",
    .summary = "asks whether claims from your lessons are true or false",
    .operands = "",
    .about = "Asks about claims that people make about sharded training, mixed from the lessons "
             "that you finished. You say whether a claim is true, then you read why and can open "
             "its lesson. Each claim is asked once. At the end you see those that you missed. "
             "Each answer is saved at once, and counts in the lesson that it is from.",
    .examples = myths_examples,
    .option = myths_options,
    .options = BASE_COUNT(myths_options),
    .rare = true,
    .run = myths_run,
};

/* ── interview ─────────────────────────────────────────────────────────────────────────────────*/
static const struct command_option interview_options[] = {
    {"seconds", "TIME", "60|90|120|180|none", "time for each explanation; it is saved"},
    {"linear", NULL, NULL, "asks line by line, for pipes, screen readers and dumb terminals"},
    {"words", NULL, NULL, "asks line by line, and says figures in sentences"},
    {"ascii", NULL, NULL, "uses plain ASCII characters"},
    {"store", "FILE", NULL, "keeps the record in this file"},
};
static const char *const interview_examples[] = {
    "zerotutor interview",
    "zerotutor interview --seconds 90",
    "zerotutor interview --seconds none --linear",
    NULL,
};

static int interview_run(const struct arguments *a) {
    const char *text = command_arguments_value(a, "seconds");
    bool none = text && strcmp(text, "none") == 0;
    struct base_message m = {0};
    long seconds = 0;
    if (text && !none && !command_arguments_number(a, "seconds", 10, 600, 0, &seconds))
        return COMMAND_USAGE;
    struct learner *who =
        text ? session_learner_open(command_arguments_value(a, "store"), &m) : NULL;
    bool set = !text || (who && session_learner_set_interview(who, (int)seconds, &m));
    if (who) session_learner_close(who);
    return set ? command_take(a, LEARNER_INTERVIEW) : command_say_message(&m);
}

const struct command command_interview = {
    .name = "interview",
    .summary = "asks you to explain aloud, against a checklist",
    .operands = "",
    .about =
        "Asks five questions from the lessons that you finished, first those that you explained "
        "least often. You explain aloud, or type. Then you tick the points that you covered, and "
        "read one way to say it. Nothing is graded. The last page lists the points that you left "
        "out.\n\n"
        "A clock counts down while you explain if you want one. It never cuts you off. Your "
        "choice is saved, and you can change it in the settings.",
    .examples = interview_examples,
    .option = interview_options,
    .options = BASE_COUNT(interview_options),
    .rare = true,
    .run = interview_run,
};
