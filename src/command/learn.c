/* learn: takes a lesson, on the full screen or line by line. The app itself is the same without a
 * lesson. */
#include "command/internal.h"

#include "linear/linear.h"
#include "screen/screen.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ── taking a lesson ───────────────────────────────────────────────────────────────────────────*/
static int take_plain(const struct arguments *a, const char *lesson) {
    bool colours = !command_arguments_has(a, "no-colour");
    size_t commands;
    struct session_command *told = command_told(a->set, &commands);
    struct linear_options o = {.lesson = lesson,
                               .store = command_arguments_value(a, "store"),
                               .ascii = command_terminal_ascii(a),
                               .width = command_terminal_columns(),
                               .colours = colours ? command_terminal_colours() : 0,
                               .words = command_arguments_has(a, "words"),
                               .command = told,
                               .commands = commands};
    int status = linear_run(&o, stdin, stdout);
    free(told);
    return status;
}

/* Neither an id of the course nor a file. */
static bool is_unknown(const struct screen_options *o) {
    struct base_message m = {0};
    struct learner *who =
        o->lesson && access(o->lesson, F_OK) != 0 ? session_learner_open(o->store, &m) : NULL;
    bool unknown = who && strcmp(o->lesson, LEARNER_PLACE) != 0 &&
                   strcmp(o->lesson, LEARNER_REVIEW) != 0 && strcmp(o->lesson, LEARNER_CASE) != 0 &&
                   strcmp(o->lesson, LEARNER_FEEDBACK) != 0 && !session_is_drill_word(o->lesson) &&
                   !lesson_course_extra(session_learner_course(who), o->lesson) &&
                   session_learner_find(who, o->lesson) >= session_learner_course(who)->lessons;
    if (who) session_learner_close(who);
    return unknown;
}

static int refuse_screen(const struct screen_options *o) {
    if (is_unknown(o))
        return command_say_error("unknown lesson '%s': run `zerotutor learn --list` for a list",
                                 o->lesson);
    return command_say_error("this is not a terminal: `--linear` reads lines and prints lines");
}

static int take_screen(const struct arguments *a, const char *lesson) {
    struct screen_options o = {.lesson = lesson,
                               .store = command_arguments_value(a, "store"),
                               .save_certificate = command_certificate_save,
                               .ascii = command_arguments_has(a, "ascii"),
                               .no_colour = command_arguments_has(a, "no-colour")};
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return refuse_screen(&o);
    struct session_command *told = command_told(a->set, &o.commands);
    o.command = told;
    int status = screen_run(&o);
    free(told);
    return status;
}

int command_take(const struct arguments *a, const char *lesson) {
    bool linear = command_arguments_has(a, "linear") || command_arguments_has(a, "words") ||
                  command_terminal_dumb();
    if (!command_arguments_has(a, "store")) session_class_hand_in(NULL); /* what waited */
    if (!command_arguments_has(a, "store")) session_class_take_home(NULL);
    return linear ? take_plain(a, lesson) : take_screen(a, lesson);
}

/* ── the course as a list ──────────────────────────────────────────────────────────────────────*/
static json_t *list_json(struct learner *who) {
    const struct lesson_course *c = session_learner_course(who);
    json_t *lessons = json_array();
    for (size_t i = 0; i < c->lessons; i++) {
        struct learner_progress p = session_learner_progress(who, i);
        const struct lesson_entry *l = &c->lesson[i];
        json_array_append_new(
            lessons,
            json_pack("{ss ss ss si si sb sb sb sb ss sI sI sI sI}", "id", l->id, "kind",
                      lesson_kind_name(l->kind), "title", l->title, "phase", l->phase + 1,
                      "minutes", l->minutes, "exists", p.exists, "opened", p.opened, "through",
                      p.through, "finished", p.standing == LEARNER_DONE, "step", p.step, "graded",
                      (json_int_t)p.graded, "right", (json_int_t)p.right, "right_first",
                      (json_int_t)p.right_first, "skipped", (json_int_t)p.skipped));
    }
    size_t next = session_learner_next(who);
    json_t *id = next < c->lessons ? json_string(c->lesson[next].id) : json_null();
    return json_pack("{so so}", "next", id, "lessons", lessons);
}

static void state(enum lesson_kind kind, const struct learner_progress *p, char *out, size_t size) {
    static const char *const words[] = {
        [LEARNER_UNTOUCHED] = "",      [LEARNER_ASKED] = "placement",   [LEARNER_BEGUN] = "begun",
        [LEARNER_SKIPPED] = "skipped", [LEARNER_FAILED] = "not passed", [LEARNER_DONE] = "done",
    };
    bool passed = kind == LESSON_CHECK && p->standing == LEARNER_DONE;
    if (p->standing == LEARNER_SKIPPED)
        snprintf(out, size, "%zu skipped", p->skipped);
    else
        snprintf(out, size, "%s", passed ? "passed" : words[p->standing]);
}

static void list_page(struct learner *who, bool ascii) {
    const struct lesson_course *c = session_learner_course(who);
    const char *cell[(BASE_COUNT(c->lesson) + BASE_COUNT(c->extra)) * 3];
    char words[BASE_COUNT(c->lesson)][32];
    size_t rows = 0;
    for (size_t i = 0; i < c->lessons; i++) {
        struct learner_progress p = session_learner_progress(who, i);
        if (!p.exists) continue;
        state(c->lesson[i].kind, &p, words[rows], sizeof words[rows]);
        cell[rows * 3] = c->lesson[i].id;
        cell[rows * 3 + 1] = c->lesson[i].title;
        cell[rows * 3 + 2] = words[rows];
        rows++;
    }
    for (size_t i = 0; i < c->extras; i++, rows++) {
        cell[rows * 3] = c->extra[i].id;
        cell[rows * 3 + 1] = c->extra[i].title;
        cell[rows * 3 + 2] = "to read";
    }
    struct page *p = command_terminal_page(ascii);
    page_table(p, (struct page_flow){.indent = 1}, cell, rows, 3, "lll", false);
    command_terminal_print(p);
}

static int list(const struct arguments *a) {
    struct base_message m = {0};
    struct learner *who = session_learner_open(command_arguments_value(a, "store"), &m);
    if (!who) return command_say_message(&m);
    if (command_arguments_has(a, "json"))
        command_say_json(list_json(who));
    else
        list_page(who, command_terminal_ascii(a));
    session_learner_close(who);
    return COMMAND_WELL;
}

/* ── the commands ──────────────────────────────────────────────────────────────────────────────*/
/* The app takes the first rows, learn all but the first. */
static const struct command_option options[] = {
    {"version", NULL, NULL, "prints the version"},
    {"linear", NULL, NULL, "line by line, for pipes, screen readers and dumb terminals"},
    {"words", NULL, NULL, "line by line, and figures in sentences"},
    {"ascii", NULL, NULL, "plain ASCII characters"},
    {"store", "FILE", NULL, "keeps your record in this file"},
    {"list", NULL, NULL, "lists the lessons and your progress"},
    {"json", NULL, NULL, "with --list: prints JSON"},
};
enum { APP_OPTIONS = 5 };
static const char *const learn_examples[] = {
    "zerotutor learn 1.1",
    "zerotutor learn 1.1 --linear",
    "zerotutor learn placement",
    "zerotutor learn my-lesson.lua",
    NULL,
};

static int learn_run(const struct arguments *a) {
    if (command_arguments_has(a, "list")) return list(a);
    if (command_arguments_has(a, "json"))
        return command_say_error("a lesson cannot be taken as JSON: `--list --json` lists them");
    return command_take(a, a->operands ? a->operand[0] : NULL);
}

const struct command command_learn = {
    .name = "learn",
    .summary = "takes a lesson",
    .operands = "[LESSON]",
    .operand_choices = "FILE",
    .most = 1,
    .about = "Opens a lesson at the step where you left it. LESSON is a lesson's id or a lesson "
             "file. Without LESSON it opens the home screen (with `--linear` it asks which "
             "lesson).\n\nEach phase ends with a review of its problems, mixed (`1r`), and a check "
             "that opens the next phase (`1c`). `placement` gives you one check after the other "
             "until you fail one, to find where to start. Nothing is locked.\n\nIf the variable "
             "NO_MOTION is set, nothing moves: a play advances only when you press a key.\n\nWith "
             "`--linear` the exit status is 0 if you finished the lesson or left it with `:quit`, "
             "1 if the input ended before, 2 if it could not be opened.",
    .examples = learn_examples,
    .option = options + 1,
    .options = BASE_COUNT(options) - 1,
    .run = learn_run,
};

static int app_run(const struct arguments *a) {
    if (command_arguments_has(a, "version")) return printf("zerotutor %s\n", command_version) < 0;
    return command_take(a, NULL);
}

const struct command command_app = {
    .name = "",
    .summary = "opens the tutor",
    .operands = "",
    .about = "Without a command the tutor opens on its home screen.",
    .option = options,
    .options = APP_OPTIONS,
    .run = app_run,
};
