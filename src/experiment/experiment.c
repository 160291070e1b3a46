/* experiment: one is begun, asked about, stopped and freed. How it is read stands in reading.c. */
#include "experiment/inside.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_MOST = 128 };

/* ── beginning ─────────────────────────────────────────────────────────────────────────────────*/
static struct experiment *new_experiment(char *command) {
    struct experiment *t = base_alloc(sizeof *t);
    t->command = command;
    t->child = (struct experiment_child){.events = -1, .words = -1};
    return t;
}

/* Cuts a line into words in place. False if there are too many. */
static bool cut_words(char *line, char **word, size_t most) {
    size_t n = 0;
    for (char *s = strtok(line, " \t\r\n"); s; s = strtok(NULL, " \t\r\n")) {
        if (n + 1 == most) return false;
        word[n++] = s;
    }
    word[n] = NULL;
    return true;
}

/* `words`: what it starts with; the command says the same with the folder's plain name. */
static struct experiment *start(const struct experiment_choice *c, const char *words,
                                const struct experiment_place *where, struct base_message *m) {
    char *argv[WORDS_MOST];
    char *line = base_dup(where->under ? where->under : "");
    char *own = base_dup(words);
    struct experiment *t = NULL;
    size_t before = 0;
    if (cut_words(line, argv, WORDS_MOST / 2))
        while (argv[before]) before++;
    argv[before] = c->path;
    if (!cut_words(own, argv + before + 1, WORDS_MOST - 1 - before))
        base_fail(m, "the lab takes %zu words at most", WORDS_MOST - 2 - before);
    else {
        char *named = experiment_states_name(c->words);
        t = new_experiment(base_format("%s%s%s", c->name, *named ? " " : "", named));
        free(named);
        if (!experiment_child_start(&t->child, argv, where->gpus, m)) {
            experiment_free(t);
            t = NULL;
        }
    }
    free(line);
    free(own);
    return t;
}

struct experiment *experiment_start_in(const char *arguments, const struct experiment_place *where,
                                       struct base_message *m) {
    struct experiment_choice c = {0};
    struct experiment *t = NULL;
    bool uses = false;
    char *words = NULL;
    if (experiment_choose(arguments, where, &c, m))
        words = experiment_states_use(c.words, &uses, m);
    if (words) t = start(&c, words, where, m);
    if (t) t->uses_states = uses;
    if (!t && uses) experiment_states_leave();
    experiment_choice_free(&c);
    free(words);
    return t;
}

struct experiment *experiment_start(const char *arguments, struct base_message *m) {
    return experiment_start_in(arguments, &(struct experiment_place){0}, m);
}

struct experiment *experiment_replay(const char *path, double speed, struct base_message *m) {
    struct experiment_tape *tape = experiment_tape_open(path, speed, m);
    if (!tape) return NULL;
    struct experiment *t = new_experiment(base_format("zerotutor lab replay %s", path));
    t->tape = tape;
    t->state.recorded = true;
    return t;
}

struct experiment *experiment_watch(const struct experiment *t, int ms) {
    const struct experiment_reel *reel = t->tape ? t->tape->reel : &t->reel;
    if (t->state.over && !reel->n) return NULL;
    struct experiment *watch = new_experiment(base_dup(t->command));
    watch->tape = experiment_tape_of(reel, &t->state);
    if (t->label) experiment_name(watch, t->label);
    experiment_slow_down(watch, ms);
    return watch;
}

bool experiment_is_live(const struct experiment *t) {
    const struct experiment_tape *tape = t->tape;
    if (!tape) return !t->state.over;
    return tape->source && !tape->source->over && tape->caught && !tape->paused;
}

void experiment_name(struct experiment *t, const char *label) {
    free(t->label);
    t->state.label = t->label = base_dup(label);
}

/* ── recording ─────────────────────────────────────────────────────────────────────────────────*/
bool experiment_record(struct experiment *t, const char *path, struct base_message *m) {
    t->record = base_file_begin(path, m);
    if (!t->record) return false;
    t->record_path = base_dup(path);
    return true;
}

bool experiment_record_end(struct experiment *t, struct base_message *m) {
    if (!t->record) return true;
    bool written = fclose(t->record) == 0 && !t->record_failed;
    t->record = NULL;
    return written || base_fail_at(m, t->record_path, 0,
                                   "the recording is not whole: see whether the disk is full");
}

/* ── asking ────────────────────────────────────────────────────────────────────────────────────*/
int experiment_fd(const struct experiment *t) {
    return t->child.events;
}

int experiment_due(const struct experiment *t) {
    if (t->state.over) return -1;
    return t->tape ? experiment_tape_due(t->tape) : experiment_child_due(&t->child);
}

bool experiment_pause(struct experiment *t, bool paused) {
    if (t->tape) experiment_tape_pause(t->tape, paused);
    return t->tape;
}

void experiment_slow_down(struct experiment *t, int ms) {
    if (t->tape) experiment_tape_slow_down(t->tape, ms);
}

double experiment_slowness(const struct experiment *t) {
    double speed = t->tape && t->tape->reel->told ? experiment_tape_speed(t->tape) : 1;
    return speed > 0 ? 1 / speed : 1;
}

bool experiment_advance(struct experiment *t) {
    if (t->tape) experiment_tape_advance(t->tape);
    return t->tape;
}

bool experiment_finish(struct experiment *t) {
    if (t->tape) experiment_tape_finish(t->tape);
    return t->tape;
}

bool experiment_pace(struct experiment *t, bool faster) {
    if (t->tape) experiment_tape_pace(t->tape, faster);
    return t->tape;
}

void experiment_keep_pace(struct experiment *t, const struct experiment *before) {
    if (t->tape && before->tape) t->tape->pace = before->tape->pace;
}

static void forget(struct experiment *t) {
    experiment_log_free(&t->log);
    base_text_free(&t->events);
    json_decref(t->state.setup.event);
    t->log = (struct experiment_log){0};
    t->events = (struct base_text){0};
    t->state = (struct experiment_state){.recorded = t->state.recorded, .label = t->label};
    t->coming.n = t->done.n = t->numbers = 0;
    for (size_t i = 0; i < EXPERIMENT_RANKS; i++) t->rising[i].n = t->risen[i].n = t->told[i].n = 0;
    t->stride = 0;
    memset(t->foreseen, 0, sizeof t->foreseen);
}

bool experiment_back(struct experiment *t) {
    size_t told = t->state.told + t->state.timings;
    if (!t->tape || t->state.over) return false;
    forget(t);
    experiment_tape_rewind(t->tape, told ? told - 1 : 0);
    return true;
}

bool experiment_is_over(const struct experiment *t) {
    return t->state.over;
}

const struct experiment_state *experiment_state(const struct experiment *t) {
    return &t->state;
}

const char *experiment_command(const struct experiment *t) {
    return t->command;
}

const char *experiment_events(const struct experiment *t) {
    return t->events.s ? t->events.s : "";
}

/* A recording is not run: it stops where it is. */
void experiment_cancel(struct experiment *t) {
    experiment_child_cancel(&t->child);
    if (!t->tape || t->state.over) return;
    t->tape->next = t->tape->reel->n;
    if (!t->state.ended && !*t->state.trouble)
        snprintf(t->state.trouble, sizeof t->state.trouble, "stopped after %u step%s",
                 t->state.told, t->state.told == 1 ? "" : "s");
}

const char *experiment_panel_name(enum experiment_panel panel) {
    static const char *const names[EXPERIMENT_PANELS] = {
        "memory", "curve", "traffic", "timeline", "loss", "log", "ledger", "collectives"};
    return names[panel];
}

bool experiment_panel_tells(const struct experiment_state *s, enum experiment_panel panel) {
    bool times = s->setup.to > 0;
    return panel == EXPERIMENT_LOG || times == (panel == EXPERIMENT_COLLECTIVES);
}

const char *experiment_say_work(const struct experiment_state *s, const char *params,
                                char out[static EXPERIMENT_WORK]) {
    char from[16], to[16];
    account_print_count(from, sizeof from, (double)s->setup.params);
    snprintf(out, EXPERIMENT_WORK, "%s %s", from, params);
    if (!s->setup.to) return out;
    account_print_bytes(from, sizeof from, (double)s->setup.from);
    account_print_bytes(to, sizeof to, (double)s->setup.to);
    snprintf(out, EXPERIMENT_WORK, "%s to %s", from, to);
    return out;
}

void experiment_extend(struct experiment_reach *r, const struct experiment *t) {
    for (uint32_t i = 0; t && i < t->state.seen; i++) {
        const struct experiment_rank *k = &t->state.rank[i];
        uint64_t peak =
            k->peak_total > k->predicted.peak_total ? k->peak_total : k->predicted.peak_total;
        r->bytes = peak > r->bytes ? peak : r->bytes;
    }
    for (size_t i = 0; t && i < t->state.steps; i++)
        r->ms = t->state.step[i].ms > r->ms ? t->state.step[i].ms : r->ms;
}

void experiment_free(struct experiment *t) {
    if (!t) return;
    experiment_child_end(&t->child);
    if (t->uses_states) experiment_states_leave();
    experiment_record_end(t, NULL);
    experiment_tape_free(t->tape);
    experiment_lines_free(&t->lines);
    experiment_lines_free(&t->words);
    experiment_log_free(&t->log);
    base_text_free(&t->events);
    experiment_reel_free(&t->reel);
    json_decref(t->state.setup.event);
    free(t->coming.span);
    free(t->done.span);
    experiment_moments_free(t);
    free(t->step);
    free(t->record_path);
    free(t->command);
    free(t->label);
    free(t);
}
