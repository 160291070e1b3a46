/* lab replay: a recording, told as its run was, or watched. */
#include "command/lab.h"
#include "screen/screen.h"
#include "session/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* By itself a recording takes its time where somebody looks on. */
static bool read_speed(const struct arguments *a, double *speed) {
    const char *text = command_arguments_value(a, "speed");
    char *end;
    *speed = isatty(STDOUT_FILENO) && !command_arguments_has(a, "json") ? 1 : 0;
    if (!text || strcmp(text, "max") == 0) {
        if (text) *speed = 0;
        return true;
    }
    *speed = strtod(text, &end);
    if (*text && !*end && *speed >= 0.01 && *speed <= 1e6) return true;
    command_say_error("--speed cannot be '%s': it is a number such as 2 or 0.5, or max", text);
    return false;
}

/* What is to be played: a file, or the recordings that come with a lab. */
struct replayed {
    const struct experiment_lab *lab; /* NULL: the file */
    const char *file;
    double speed; /* 0: all at once */
};

/* Whether its start says what ran, so that the live view can be headed by it. */
static bool is_named(const char *path) {
    struct session_lab *l = session_lab_play(path, 1, 0, NULL);
    bool named = l != NULL;
    session_lab_close(l);
    return named;
}

/* The screen plays the runs of a lab at their own pace. */
static bool is_watched(const struct arguments *a, const struct replayed *r) {
    if (r->speed == 0 || command_arguments_has(a, "json") || command_arguments_has(a, "linear"))
        return false;
    if (!command_lab_is_watched() || command_terminal_dumb()) return false;
    return r->lab ? !command_arguments_has(a, "speed") : is_named(r->file);
}

/* A file, or a lab of this name; false if it was told that there is no recording of it. */
static bool find(const char *name, struct replayed *r) {
    r->file = name;
    r->lab = access(name, F_OK) == 0 ? NULL : experiment_lab_find(name);
    char *machine = r->lab ? experiment_recorded_on(r->lab) : NULL;
    bool found = !r->lab || machine;
    free(machine);
    if (!found)
        command_say_error(
            "there is no recording of '%s' in data/runs: `zerotutor lab run %s` runs it", name,
            name);
    return found;
}

static int watch(const struct arguments *a, const struct replayed *r) {
    const struct screen_options on = {.recording = r->lab ? NULL : r->file,
                                      .recordings = r->lab ? r->lab->name : NULL,
                                      .speed = command_arguments_has(a, "speed") ? r->speed : 0,
                                      .ascii = command_arguments_has(a, "ascii")};
    return screen_run(&on);
}

/* One recording, to its end. Returns whether it is whole. */
static bool tell_one(struct lab_runs *r, const char *path, const char *label, double speed) {
    struct base_message m = {0};
    struct experiment *t = experiment_replay(path, speed, &m);
    if (!t) return command_say_message(&m) == COMMAND_WELL;
    experiment_name(t, label);
    r->label[r->runs] = label;
    r->run[r->runs++] = t;
    command_lab_hear(r, t);
    if (r->live) command_lab_tell_end(r, t);
    if (*experiment_state(t)->trouble)
        command_say_error("%s: %s", path, experiment_state(t)->trouble);
    return experiment_state(t)->ended;
}

static bool tell_all(struct lab_runs *r, const struct replayed *what) {
    bool whole = true;
    for (size_t i = 0; i < experiment_variants(what->lab); i++) {
        char *path = experiment_recording(what->lab, i);
        whole &= path && tell_one(r, path, what->lab->variant[i].label, what->speed);
        free(path);
    }
    return whole;
}

static int tell(const struct arguments *a, const struct replayed *what) {
    struct lab_runs r = {.arguments = a, .guess = LAB_NO_GUESS};
    r.live = !command_arguments_has(a, "json");
    bool whole =
        what->lab ? tell_all(&r, what) : tell_one(&r, what->file, "recording", what->speed);
    if (r.live && r.runs > 1) command_lab_compare(&r);
    if (!r.live && r.runs) command_say_json(command_lab_json(&r));
    for (size_t i = 0; i < r.runs; i++) experiment_free(r.run[i]);
    return r.runs ? command_lab_end_output(whole ? COMMAND_WELL : COMMAND_FAILED) : COMMAND_USAGE;
}

int command_lab_replay(const struct arguments *a) {
    struct replayed r;
    if (a->operands != 2)
        return command_say_error("`lab replay` wants one recording: `zerotutor lab replay FILE`");
    if (!read_speed(a, &r.speed) || !find(a->operand[1], &r)) return COMMAND_USAGE;
    return (is_watched(a, &r) ? watch : tell)(a, &r);
}
