/* review and due: what comes back today, asked or counted. */
#include "command/internal.h"

#include "session/session.h"

/* ── review ────────────────────────────────────────────────────────────────────────────────────*/
static const struct command_option review_options[] = {
    {"linear", NULL, NULL, "asks line by line, for pipes, screen readers and dumb terminals"},
    {"words", NULL, NULL, "asks line by line, and says figures in sentences"},
    {"ascii", NULL, NULL, "uses plain ASCII characters"},
    {"store", "FILE", NULL, "keeps the record in this file"},
    {"suspended", NULL, NULL, "lists what you suspended, and asks nothing"},
    {"unsuspend", "ITEM", NULL, "takes one of these back, so that reviews ask it again"},
};
static const char *const review_examples[] = {
    "zerotutor review",
    "zerotutor review --linear",
    "zerotutor review --suspended",
    NULL,
};

static int say_nothing_due(const struct learner_due *due) {
    if (due->next == 0)
        printf("Nothing is due. Reviews begin the day after you finish a lesson.\n");
    else if (due->next == 1)
        printf("Nothing is due today. The next review is tomorrow.\n");
    else
        printf("Nothing is due today. The next review is in %lld days.\n", (long long)due->next);
    return COMMAND_WELL;
}

static void print_item(void *nothing, const char *item, const char *title) {
    (void)nothing;
    printf("%s  %s\n", item, title);
}

static int list_suspended(struct learner *who) {
    if (session_learner_suspended(who, print_item, NULL) == 0)
        printf("Nothing is suspended. In a review, `z` suspends a question.\n");
    else
        printf("`zerotutor review --unsuspend ITEM` takes one back.\n");
    return COMMAND_WELL;
}

static int take_back(struct learner *who, const char *item) {
    struct base_message m = {0};
    if (!session_learner_unsuspend(who, item, &m)) return command_say_message(&m);
    printf("%s is asked again when it is due.\n", item);
    return COMMAND_WELL;
}

static int review_run(const struct arguments *a) {
    struct base_message m = {0};
    const char *back = command_arguments_value(a, "unsuspend");
    struct learner *who = session_learner_open(command_arguments_value(a, "store"), &m);
    if (!who) return command_say_message(&m);
    if (back || command_arguments_has(a, "suspended")) {
        int status = back ? take_back(who, back) : list_suspended(who);
        session_learner_close(who);
        return status;
    }
    struct learner_due due = session_learner_due(who);
    session_learner_close(who);
    return due.count > 0 ? command_take(a, LEARNER_REVIEW) : say_nothing_due(&due);
}

const struct command command_review = {
    .name = "review",
    .summary = "asks the questions that are due today",
    .operands = "",
    .about =
        "Asks again what you are about to forget: cards of the lessons that you finished, and "
        "problems with fresh numbers. Each day asks for about five minutes (ten or fifteen if you "
        "set that) and at most ten new questions. A day begins at four in the morning, or at the "
        "hour in your settings.\n\n"
        "An answer decides when its question comes back. The schedule is FSRS-6 with its default "
        "parameters. A right answer after a hint counts for less. Each answer is saved as you "
        "give it, so you can stop at any time. On the full screen `u` undoes the last answer, and "
        "`z` suspends a question, so that it is never asked again.",
    .examples = review_examples,
    .option = review_options,
    .options = BASE_COUNT(review_options),
    .run = review_run,
};

/* ── due ───────────────────────────────────────────────────────────────────────────────────────*/
static const struct command_option due_options[] = {
    {"store", "FILE", NULL, "reads the record in this file"},
    {"json", NULL, NULL, "prints JSON"},
};
static const char *const due_examples[] = {
    "zerotutor due",
    "zerotutor due && zerotutor review",
    "PS1='$(zerotutor due) \\$ '",
    NULL,
};

static void print_due(const struct arguments *a, const struct learner_due *due) {
    if (command_arguments_has(a, "json"))
        command_say_json(json_pack("{sI sI si sI sI}", "due", (json_int_t)due->count, "new",
                                   (json_int_t)due->fresh, "minutes", due->minutes, "next_days",
                                   (json_int_t)due->next, "streak", (json_int_t)due->streak));
    else if (due->count > 0)
        printf("%zu due, %d min\n", due->count, due->minutes);
}

static int due_run(const struct arguments *a) {
    struct base_message m = {0};
    struct learner_due due = {0};
    if (!session_due(command_arguments_value(a, "store"), &due, &m)) return command_say_message(&m);
    print_due(a, &due);
    return due.count > 0 ? COMMAND_WELL : COMMAND_FAILED;
}

const struct command command_due = {
    .name = "due",
    .summary = "counts the questions that are due today, for a shell prompt",
    .operands = "",
    .about =
        "Prints a line such as \"4 due, 2 min\", or nothing if nothing is due. It only reads your "
        "record and takes a few milliseconds, so it fits a shell prompt, a tmux status line or a "
        "message of the day.\n\n"
        "The exit status is 0 if something is due and 1 if nothing is, so you can write "
        "`zerotutor due && zerotutor review`. It is 2 if the record cannot be read.",
    .examples = due_examples,
    .option = due_options,
    .options = BASE_COUNT(due_options),
    .rare = true,
    .run = due_run,
};
