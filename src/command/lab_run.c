/* lab run: one run after the other, heard to its end. ^C ends the run that goes; what it said by
 * then is told. */
#include "command/lab.h"
#include "screen/screen.h"
#include "session/session.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOK = 100 /* milliseconds between two looks for ^C */ };

/* ── hearing a run to its end ──────────────────────────────────────────────────────────────────*/
static sigset_t endings(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

static bool asked_to_end(void) {
    sigset_t set = endings();
    return sigtimedwait(&set, NULL, &(struct timespec){0}) > 0;
}

static void wait_for_more(const struct lab_runs *r, struct experiment *t) {
    struct pollfd more = {.fd = experiment_fd(t), .events = POLLIN};
    int due = experiment_due(t);
    poll(&more, 1, due < 0 || due > LOOK ? LOOK : due);
    if (asked_to_end()) experiment_cancel(t);
    if (!r->turn) return;
    session_turn_look(r->turn);
    if (session_turn_over(r->turn)) experiment_cancel(t);
}

/* To its end, telling it as it goes. */
static void lab_hear(const struct lab_runs *r, struct experiment *t) {
    const struct experiment_state *s = experiment_state(t);
    uint32_t told = 0;
    bool started = false;
    sigset_t set = endings(), before;
    sigprocmask(SIG_BLOCK, &set, &before);
    while (!experiment_is_over(t)) {
        if (!experiment_read(t)) wait_for_more(r, t);
        if (!r->live) continue;
        if (s->started && !started) command_lab_tell_start(r, t);
        started = s->started;
        for (size_t i = 0; i < s->steps; i++)
            if (s->step[i].step > told) command_lab_tell_step(r, &s->step[i]);
        if (s->steps) told = s->step[s->steps - 1].step;
    }
    while (asked_to_end()) { /* a second ^C is the same wish */
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ── the turn ──────────────────────────────────────────────────────────────────────────────────*/
static void say_place(void *to, const char *text) {
    (void)to;
    fprintf(stderr, "%s\n", text);
}

/* In a class labs take turns: gets in line for all runs, and waits. */
static bool wait_for_turn(struct lab_runs *r, const char *words) {
    struct base_message m = {0};
    const char *name = r->lab ? r->lab->name : "own";
    if (!session_turn_begin(name, words, &r->turn, &m))
        return command_say_message(&m) == COMMAND_WELL;
    if (!r->turn) return true;
    sigset_t set = endings(), before;
    sigprocmask(SIG_BLOCK, &set, &before);
    bool come = session_turn_await(r->turn, isatty(STDIN_FILENO), asked_to_end, say_place, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    const char *over = session_turn_over(r->turn);
    r->left = !come;
    if (!come) command_say_error("%s", over ? over : "You left the queue, so the lab did not run.");
    return come;
}

/* ── run ───────────────────────────────────────────────────────────────────────────────────────*/
/* What stands after the name goes to zerolab; the caller owns it. */
static char *flags_after(const struct arguments *a, size_t from, const char *own) {
    struct base_text t = {0};
    const char *device = command_arguments_value(a, "device");
    base_text_puts(&t, own);
    if (device) base_text_printf(&t, "%s--device %s", t.length ? " " : "", device);
    for (size_t i = from; i < a->operands; i++)
        base_text_printf(&t, "%s%s", t.length ? " " : "", a->operand[i]);
    return base_text_take(&t);
}

/* FILE, or of several runs FILE-2: before its ending, where it has one. */
static char *record_path(const char *file, size_t number, size_t of) {
    const char *name = strrchr(file, '/'), *dot = strrchr(name ? name : file, '.');
    if (of == 1) return base_dup(file);
    if (!dot || dot == file) dot = file + strlen(file);
    return base_format("%.*s-%zu%s", (int)(dot - file), file, number, dot);
}

/* what was asked for */
struct wish {
    const struct experiment_lab *lab;
    /* `lab`, where that needs a scenario; else NULL */
    struct experiment_capstone *scaled;
    /* of its variants */
    size_t first, last;
    /* the operand from which zerolab's flags stand */
    size_t flags;
};

static bool read_variant(const struct arguments *a, struct wish *w) {
    const char *text = command_arguments_value(a, "variant");
    size_t count = w->lab ? experiment_variants(w->lab) : 1;
    long number;
    w->first = 0;
    w->last = count - 1;
    if (!text || strcmp(text, "all") == 0) return true;
    if (!w->lab) {
        command_say_error("--variant is for a named lab: name one, or leave it out");
        return false;
    }
    if (!command_arguments_number(a, "variant", 1, (long)count, 1, &number)) return false;
    w->first = w->last = (size_t)number - 1;
    return true;
}

static bool read_device(const struct arguments *a) {
    const char *device = command_arguments_value(a, "device");
    if (!device || strcmp(device, "cpu") == 0 || strcmp(device, "cuda") == 0) return true;
    command_say_error("--device cannot be '%s': it is cpu or cuda (default: GPUs if there are any)",
                      device);
    return false;
}

static bool read_scenario(const struct arguments *a, struct wish *w) {
    if (w->lab && w->lab->scaled) {
        w->scaled = command_lab_capstone(a);
        if (w->scaled) w->lab = experiment_capstone_lab(w->scaled);
        return w->scaled != NULL;
    }
    if (!command_arguments_has(a, "scenario") && !command_arguments_has(a, "stage")) return true;
    command_say_error("--scenario and --stage are for `zerotutor lab run capstone`");
    return false;
}

static bool read_wish(const struct arguments *a, struct wish *w) {
    *w = (struct wish){.flags = 1};
    if (a->operands < 2) {
        command_say_error("`lab run` needs a lab or flags: run `zerotutor lab list` for the labs, "
                          "or try `zerotutor lab run -- --ranks 2 --stage 3`");
        return false;
    }
    if (a->operand[1][0] != '-') {
        struct nearest nearest = {.word = a->operand[1]};
        w->lab = experiment_lab_find(a->operand[1]);
        w->flags = 2;
        for (size_t i = 0; i < experiment_labs(); i++)
            command_nearest_try(&nearest, experiment_lab_at(i)->name);
        if (!w->lab) {
            command_say_unknown("lab", a->operand[1], nearest.best,
                                "run `zerotutor lab list` for a list");
            return false;
        }
    }
    return read_scenario(a, w) && read_variant(a, w) && read_device(a);
}

/* A lab that needs a GPU is not begun without one, unless the flags say otherwise. */
static bool has_its_gpu(const struct arguments *a, const struct wish *w) {
    if (!w->lab || a->operands != w->flags || command_arguments_has(a, "device")) return true;
    if (!session_lab_lacks_gpu(w->lab)) return true;
    char *machine = experiment_recorded_on(w->lab);
    command_say_error("the lab '%s' needs a GPU, and this machine has none that zerolab-cuda can "
                      "use (`zerotutor doctor` says more)%s%s%s%s",
                      w->lab->name, machine ? ": `zerotutor lab replay " : "",
                      machine ? w->lab->name : "", machine ? "` plays its recording, made on " : "",
                      machine ? machine : "");
    free(machine);
    return false;
}

/* Starts, records, hears and tells one run. False where it did not go well. */
static bool run_one(struct lab_runs *r, const struct wish *w, size_t variant) {
    struct base_message m = {0};
    const struct experiment_variant *v = w->lab ? &w->lab->variant[variant] : NULL;
    const char *file = command_arguments_value(r->arguments, "record");
    int64_t since = base_ticks();
    char *flags = flags_after(r->arguments, w->flags, v ? v->arguments : ""), *path = NULL;
    const struct experiment_place where = session_turn_place(r->turn);
    struct experiment *t = experiment_start_in(flags, &where, &m);
    free(flags);
    if (!t) return command_say_message(&m) == COMMAND_WELL;
    if (v) experiment_name(t, v->label);
    r->label[r->runs] = v ? v->label : "run";
    r->run[r->runs++] = t;
    if (file) path = record_path(file, variant + 1, w->last - w->first + 1);
    bool well = !path || experiment_record(t, path, &m);
    if (well) lab_hear(r, t);
    well = experiment_record_end(t, &m) && well;
    free(path);
    if (!well) return command_say_message(&m) == COMMAND_WELL;
    bool ended = command_lab_ended_well(r, r->runs - 1);
    if (r->live) command_lab_tell_end(r, t);
    if (r->live && r->scaled) command_lab_tell_scale(r, r->runs - 1);
    if (r->scaled) command_lab_keep(r, r->runs - 1, (double)(base_ticks() - since) / 1000);
    const char *over = r->turn ? session_turn_over(r->turn) : NULL;
    if (over) command_say_error("%s", over);
    if (!ended && experiment_state(t)->failed)
        command_say_error("%s: %s", r->label[r->runs - 1], experiment_state(t)->trouble);
    return ended;
}

/* Of the run with the most ranks; the caller's. */
static char *largest_flags(const struct lab_runs *r, const struct wish *w) {
    char *most = NULL;
    for (size_t i = w->first; i <= w->last; i++) {
        const char *own = w->lab ? w->lab->variant[i].arguments : "";
        char *flags = flags_after(r->arguments, w->flags, own);
        bool larger = !most || experiment_ranks(flags) > experiment_ranks(most);
        free(larger ? most : flags);
        if (larger) most = flags;
    }
    return most;
}

/* All runs, one after the other, in one turn; false after the first that did not go well. */
static bool run_all(struct lab_runs *r, const struct wish *w) {
    char *flags = largest_flags(r, w);
    bool well = wait_for_turn(r, flags);
    for (size_t i = w->first; well && i <= w->last; i++) well = run_one(r, w, i);
    session_turn_end(r->turn);
    r->turn = NULL;
    free(flags);
    return well;
}

static void free_runs(struct lab_runs *r) {
    for (size_t i = 0; i < r->runs; i++) experiment_free(r->run[i]);
    experiment_capstone_free(r->scaled);
}

/* Whether a person is at a terminal. */
static bool lab_is_watched(void) {
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

/* The screen runs a lab as it is, all of it, and keeps no recording. */
static bool is_for_screen(const struct arguments *a, const struct wish *w) {
    static const char *const tables[] = {"json",  "record", "variant",  "linear",
                                         "words", "device", "scenario", "stage"};
    for (size_t i = 0; i < BASE_COUNT(tables); i++)
        if (command_arguments_has(a, tables[i])) return false;
    return a->operands == w->flags && lab_is_watched() && !command_terminal_dumb();
}

/* Pages were sent one by one: one that could not be written is tried for once more at the end,
 * where the reason is told. */
static int lab_end_output(int status) {
    if (!ferror(stdout)) return status;
    clearerr(stdout);
    putchar('\n');
    return status;
}

/* All runs of a named lab as they are: what it asks is about these. */
static bool is_whole(const struct arguments *a, const struct wish *w) {
    return w->lab && a->operands == w->flags && w->first == 0 &&
           w->last + 1 == experiment_variants(w->lab) && !command_arguments_has(a, "variant");
}

int command_lab_run(const struct arguments *a) {
    struct wish w;
    if (!read_wish(a, &w) || !has_its_gpu(a, &w)) {
        experiment_capstone_free(w.scaled);
        return COMMAND_USAGE;
    }
    struct lab_runs r = {.arguments = a, .lab = w.lab, .scaled = w.scaled};
    r.first = w.first;
    if (w.lab && is_for_screen(a, &w)) {
        const struct screen_options on = {.lab = w.lab->name,
                                          .ascii = command_arguments_has(a, "ascii")};
        free_runs(&r);
        return screen_run(&on);
    }
    r.live = !command_arguments_has(a, "json");
    r.words = command_lab_in_words(a);
    if (r.live && is_whole(a, &w)) r.asking = command_lab_ask_open(&r);
    if (r.live && r.lab && !r.asking) command_lab_tell_about(&r);
    if (r.asking && !command_lab_ask_before(r.asking)) {
        command_lab_ask_close(r.asking);
        free_runs(&r);
        return lab_end_output(COMMAND_WELL);
    }
    bool well = run_all(&r, &w);
    int status = well ? COMMAND_WELL : r.runs || r.left ? COMMAND_FAILED : COMMAND_USAGE;
    if (r.live && r.runs > 1) command_lab_compare(&r);
    if (r.live && well && r.lab && r.runs == experiment_variants(r.lab))
        command_lab_picture(&r, r.lab);
    if (r.live && well && r.lab && !r.asking) command_lab_tell_reveal(&r);
    if (r.asking && well) command_lab_ask_after(r.asking, &r);
    command_lab_ask_close(r.asking);
    if (!r.live && r.runs) command_say_json(command_lab_json(&r));
    free_runs(&r);
    return lab_end_output(status);
}

/* ── recordings ────────────────────────────────────────────────────────────────────────────────*/
/* By itself a recording takes its time if a person watches. */
static bool read_speed(const struct arguments *a, double *speed) {
    const char *text = command_arguments_value(a, "speed");
    struct account_reading read = {0};
    *speed = isatty(STDOUT_FILENO) && !command_arguments_has(a, "json") ? 1 : 0;
    if (!text || strcmp(text, "max") == 0) {
        if (text) *speed = 0;
        return true;
    }
    bool bare = account_read_answer(text, &read, NULL) && !read.explicit_unit;
    *speed = read.value;
    if (bare && *speed >= 0.01 && *speed <= 1e6) return true;
    command_say_error("--speed cannot be '%s': it is a number such as 2 or 0.5, or max", text);
    return false;
}

/* What is to be played: a file, or the recordings that come with a lab. */
struct replayed {
    /* NULL: the file */
    const struct experiment_lab *lab;
    const char *file;
    /* 0: all at once */
    double speed;
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
    static const char *const lines[] = {"json", "linear", "words"};
    for (size_t i = 0; i < BASE_COUNT(lines); i++)
        if (command_arguments_has(a, lines[i])) return false;
    if (r->speed == 0) return false;
    if (!lab_is_watched() || command_terminal_dumb()) return false;
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
        command_say_error("no recording of '%s' in data/runs: `zerotutor lab run %s` runs it", name,
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
    lab_hear(r, t);
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
    struct lab_runs r = {.arguments = a, .words = command_lab_in_words(a)};
    r.live = !command_arguments_has(a, "json");
    bool whole =
        what->lab ? tell_all(&r, what) : tell_one(&r, what->file, "recording", what->speed);
    if (r.live && r.runs > 1) command_lab_compare(&r);
    if (r.live && whole && what->lab) command_lab_picture(&r, what->lab);
    if (!r.live && r.runs) command_say_json(command_lab_json(&r));
    for (size_t i = 0; i < r.runs; i++) experiment_free(r.run[i]);
    return r.runs ? lab_end_output(whole ? COMMAND_WELL : COMMAND_FAILED) : COMMAND_USAGE;
}

int command_lab_replay(const struct arguments *a) {
    struct replayed r;
    if (a->operands != 2)
        return command_say_error("`lab replay` needs one recording: `zerotutor lab replay FILE`");
    if (!read_speed(a, &r.speed) || !find(a->operand[1], &r)) return COMMAND_USAGE;
    return (is_watched(a, &r) ? watch : tell)(a, &r);
}
