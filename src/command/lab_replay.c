/* lab replay: a recording, told as its run was, or watched. */
#include "command/lab.h"
#include "screen/screen.h"
#include "sitting/sitting.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* By itself a recording takes its time where somebody looks on. */
static bool read_speed(const struct arguments *a, double *speed) {
    const char *text = arguments_value(a, "speed");
    char *end;
    *speed = isatty(STDOUT_FILENO) && !arguments_has(a, "json") ? 1 : 0;
    if (!text || strcmp(text, "max") == 0) {
        if (text) *speed = 0;
        return true;
    }
    *speed = strtod(text, &end);
    if (*text && !*end && *speed >= 0.01 && *speed <= 1e6) return true;
    say_error("--speed cannot be '%s': it is a number such as 2 or 0.5, or max", text);
    return false;
}

/* Whether its start says what ran, so that the live view can be headed by it. */
static bool is_named(const char *path) {
    struct sitting_lab *l = sitting_lab_play(path, 1, 0, NULL);
    bool named = l != NULL;
    sitting_lab_close(l);
    return named;
}

static bool is_watched(const struct arguments *a, const char *path, double speed) {
    if (speed == 0 || arguments_has(a, "json") || arguments_has(a, "linear")) return false;
    return lab_is_watched() && !terminal_dumb() && is_named(path);
}

/* A file, or the recording that comes with a lab of this name; the caller's. NULL if it was told that there is none. */
static char *find_recording(const char *name) {
    const struct trial_lab *lab = access(name, F_OK) == 0 ? NULL : trial_lab_find(name);
    char *path = lab ? trial_recording(lab, 0) : base_dup(name);
    if (!path)
        say_error("there is no recording of '%s' in data/runs: `zerotutor lab run %s` runs it",
                  name, name);
    return path;
}

static int watch(const struct arguments *a, const char *path, double speed) {
    const struct screen_options on = {.recording = path,
                                      .speed = arguments_has(a, "speed") ? speed : 0,
                                      .ascii = arguments_has(a, "ascii")};
    return screen_run(&on);
}

static int tell(const struct arguments *a, const char *path, double speed) {
    struct base_message m = {0};
    struct trial *t = trial_replay(path, speed, &m);
    if (!t) return say_message(&m);
    struct lab_runs r = {
        .arguments = a, .run = {t}, .label = {"recording"}, .runs = 1, .guess = LAB_NO_GUESS};
    r.live = !arguments_has(a, "json");
    lab_hear(&r, t);
    if (r.live)
        lab_tell_end(&r, t);
    else
        say_json(lab_json(&r));
    bool whole = trial_state(t)->ended;
    if (*trial_state(t)->trouble) say_error("%s: %s", path, trial_state(t)->trouble);
    trial_free(t);
    return lab_end_output(whole ? COMMAND_WELL : COMMAND_FAILED);
}

int lab_replay(const struct arguments *a) {
    double speed;
    if (a->operands != 2)
        return say_error("`lab replay` wants one recording: `zerotutor lab replay FILE`");
    if (!read_speed(a, &speed)) return COMMAND_USAGE;
    char *path = find_recording(a->operand[1]);
    if (!path) return COMMAND_USAGE;
    int status = (is_watched(a, path, speed) ? watch : tell)(a, path, speed);
    free(path);
    return status;
}
