/* memo write, memo edit: a memo beside what the engine says of it, or in the learner's own editor. */
#include "command/memo.h"
#include "screen/screen.h"
#include "session/session.h"

#include <stdlib.h>
#include <unistd.h>

/* The file of the operand, or the memo of the course; the caller's. */
static char *path_of(const struct arguments *a) {
    return a->operands > 1 ? base_dup(a->operand[1]) : session_memo_path("capstone");
}

/* What a memo begins with where there is none; the caller's. NULL after the message was printed. */
static char *begins(const struct arguments *a) {
    struct memo_scenario s;
    struct base_text t = {0};
    long seed;
    if (!command_arguments_number(a, "seed", 0, 1000000000, 0, &seed)) return NULL;
    memo_scenario_vary((uint64_t)seed, &s);
    memo_new(&s, &t);
    return base_text_take(&t);
}

static int with_memo(const struct arguments *a,
                     int (*use)(const struct arguments *a, const char *path, const char *text)) {
    struct base_message m = {0};
    if (a->operands < 2 && !base_home_check(&m)) return command_say_message(&m);
    char *text = begins(a);
    if (!text) return COMMAND_USAGE;
    char *path = path_of(a);
    int status = use(a, path, text);
    free(path);
    free(text);
    return status;
}

static int use_editor(const struct arguments *a, const char *path, const char *text) {
    struct base_message m = {0};
    (void)a;
    bool edited = session_memo_begin(path, text, &m) && session_memo_edit(path, &m);
    return edited ? COMMAND_WELL : command_say_message(&m);
}

static int use_screen(const struct arguments *a, const char *path, const char *text) {
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return command_say_error(
            "this is no terminal: `zerotutor memo edit` opens '%s' in your own editor", path);
    return screen_run(&(struct screen_options){
        .memo = path, .memo_begins = text, .ascii = command_arguments_has(a, "ascii")});
}

int command_memo_edit(const struct arguments *a) {
    return with_memo(a, use_editor);
}

int command_memo_write(const struct arguments *a) {
    return with_memo(a, use_screen);
}
