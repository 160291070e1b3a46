/* record: all that the learner has, carried to another machine or deleted. */
#include "command/internal.h"

#include "session/session.h"
#include "store/store.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct learner *open_record(const struct arguments *a) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(command_arguments_value(a, "store"), &m);
    if (!who) command_say_message(&m);
    return who;
}

/* Memos lie in the learner's folder, and belong to the record that lies there. */
static bool has_memos(const struct arguments *a) {
    return !command_arguments_has(a, "store");
}

/* ── export ────────────────────────────────────────────────────────────────────────────────────*/
static bool write_out(const char *path, const char *text, size_t n, struct base_message *m) {
    if (strcmp(path, "-") != 0) return base_file_write(path, text, n, m);
    fwrite(text, 1, n, stdout); /* whether it was written is asked once, at the end */
    return true;
}

static int export(const struct arguments *a) {
    struct base_message m = {0};
    const char *path = a->operands == 2 ? a->operand[1] : "-";
    if (a->operands > 2)
        return command_say_error("'%s' is unexpected: `zerotutor record export FILE`",
                                 a->operand[2]);
    struct learner *who = open_record(a);
    if (!who) return COMMAND_USAGE;
    size_t n;
    char *text = session_learner_export(who, has_memos(a), &n, &m);
    bool written = text && write_out(path, text, n, &m);
    free(text);
    session_learner_close(who);
    return written ? COMMAND_WELL : command_say_message(&m);
}

/* ── import ────────────────────────────────────────────────────────────────────────────────────*/
static int import(const struct arguments *a) {
    struct base_message m = {0};
    if (a->operands != 2)
        return command_say_error("import reads one file: `zerotutor record import FILE`");
    struct learner *who = open_record(a);
    if (!who) return COMMAND_USAGE;
    bool taken = session_learner_import(who, a->operand[1], &m);
    session_learner_close(who);
    return taken ? COMMAND_WELL : command_say_message(&m);
}

/* ── reset ───────────────────────────────────────────────────────────────────────────────────*/
static int reset_lesson(struct learner *who, const char *lesson) {
    struct base_message m = {0};
    const struct lesson_course *c = session_learner_course(who);
    size_t i = session_learner_find(who, lesson);
    if (i == c->lessons)
        return command_say_error("unknown lesson '%s': `zerotutor learn --list` lists them",
                                 lesson);
    if (!store_reset(session_learner_store(who), c->lesson[i].id, &m))
        return command_say_message(&m);
    printf("%s begins again. Your earlier answers are kept, and reviews continue.\n",
           c->lesson[i].id);
    return COMMAND_WELL;
}

static int reset(const struct arguments *a) {
    if (a->operands != 2)
        return command_say_error("reset names one lesson: `zerotutor record reset 1.1`");
    struct learner *who = open_record(a);
    if (!who) return COMMAND_USAGE;
    int status = reset_lesson(who, a->operand[1]);
    session_learner_close(who);
    return status;
}

/* ── delete ────────────────────────────────────────────────────────────────────────────────────*/
static bool is_sure(const struct arguments *a) {
    char said[16] = "";
    if (command_arguments_has(a, "yes")) return true;
    if (!isatty(STDIN_FILENO)) {
        command_say_error("delete asks before it deletes: run it in a terminal, or add --yes");
        return false;
    }
    printf("This deletes every answer, note, setting%s. It cannot be undone.\n"
           "`zerotutor record export FILE` makes a copy first. Type delete to go on: ",
           has_memos(a) ? ", memo and report" : "");
    fflush(stdout);
    bool sure = fgets(said, sizeof said, stdin) && strcmp(said, "delete\n") == 0;
    if (!sure) command_say_error("nothing was deleted");
    return sure;
}

/* ── what is left: nothing that zerotutor made unless it was told to ───────────────────────────*/
static int is_seen(const struct dirent *e) {
    return e->d_name[0] != '.';
}

static void print_left(void) {
    struct dirent **left;
    int count = scandir(base_home(), &left, is_seen, alphasort);
    if (count < 0) return;
    for (int i = 0; i < count; i++) {
        printf("%s%s", i ? ", " : "These stay in your folder: ", left[i]->d_name);
        free(left[i]);
    }
    free(left);
    if (count > 0) printf("\nYou can delete them yourself: %s\n", base_home());
}

static int delete (const struct arguments *a) {
    struct base_message m = {0};
    if (a->operands > 1)
        return command_say_error("'%s' is unexpected: `zerotutor record delete`", a->operand[1]);
    if (!is_sure(a)) return COMMAND_USAGE;
    struct learner *who = open_record(a);
    if (!who) return COMMAND_USAGE;
    bool gone = session_learner_delete(who, has_memos(a), &m);
    session_learner_close(who);
    if (!gone) return command_say_message(&m);
    if (has_memos(a)) print_left();
    return COMMAND_WELL;
}

/* ── the command ───────────────────────────────────────────────────────────────────────────────*/
static const struct verb verbs[] = {
    {"export", export, " store "},
    {"import", import, " store "},
    {"reset", reset, " store "},
    {"delete", delete, " store yes "},
};

static int run(const struct arguments *a) {
    return command_verb_run(a, verbs, BASE_COUNT(verbs));
}

static const struct command_option options[] = {
    {"store", "FILE", NULL, "uses the record in this file, without memos"},
    {"yes", NULL, NULL, "delete: does not ask"},
};
static const char *const examples[] = {
    "zerotutor record export my-record.jsonl",
    "zerotutor record import my-record.jsonl",
    "zerotutor record reset 1.1",
    "zerotutor record delete",
    NULL,
};

const struct command command_record = {
    .name = "record",
    .summary = "moves all that you did to another machine, or deletes it",
    .operands = "export [FILE] | import FILE | reset LESSON | delete",
    .operand_choices = "export|import|reset|delete",
    .least = 1,
    .most = OPERANDS_MOST,
    .about =
        "`record export` writes everything that zerotutor keeps about you into one file: all "
        "answers, places, lab runs, settings, and the memos in your folder. Without FILE it "
        "prints the record. The file is text, with one line for each row and a SHA-256 of all "
        "lines at the end.\n\n"
        "`record import` reads such a file on a machine where you have not begun yet. It never "
        "mixes two records. It refuses a file that was cut off or changed, or that a newer "
        "zerotutor wrote, and then imports nothing. It judges every answer again, and if the "
        "lessons are still the same, each question must be one that they ask you. Afterwards you "
        "continue where you were, with the same numbers.\n\n"
        "`record reset` lets you begin a lesson again. Its questions are open again, with fresh "
        "numbers. Your earlier answers to it are kept, and reviews still count them.\n\n"
        "`record delete` deletes the record, and the memos and reports in your folder. It lists "
        "what it keeps there: pictures and certificates that you saved, and records of classes.",
    .examples = examples,
    .option = options,
    .options = BASE_COUNT(options),
    .run = run,
};
