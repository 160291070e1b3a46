/* A experiment from its start to its end: a child's pipe or a tape, read without waiting. */
#include "experiment/inside.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum {
    WORDS_MOST = 128,
    PIECE = 1 << 16,
    PIECES = 16, /* taken in at once: a skin must come to draw */
    TAPE_LINES = 20000
};

/* ── beginning ───────────────────────────────────────────────────────────────────────────────────*/
static struct experiment *new_trial(char *command) {
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

static struct experiment *start(const struct experiment_choice *c, struct base_message *m) {
    char *argv[WORDS_MOST] = {c->path}, *line = base_dup(c->words);
    struct experiment *t = NULL;
    if (!cut_words(line, argv + 1, WORDS_MOST - 1))
        base_fail(m, "the lab takes %d words at most", WORDS_MOST - 2);
    else {
        t = new_trial(base_format("%s%s%s", c->name, *c->words ? " " : "", c->words));
        if (!experiment_child_start(&t->child, argv, m)) {
            experiment_free(t);
            t = NULL;
        }
    }
    free(line);
    return t;
}

struct experiment *experiment_start(const char *arguments, struct base_message *m) {
    struct experiment_choice c;
    struct experiment *t = experiment_choose(arguments, &c, m) ? start(&c, m) : NULL;
    experiment_choice_free(&c);
    return t;
}

struct experiment *experiment_replay(const char *path, double speed, struct base_message *m) {
    struct experiment_tape *tape = experiment_tape_open(path, speed, m);
    if (!tape) return NULL;
    struct experiment *t = new_trial(base_format("zerotutor lab replay %s", path));
    t->tape = tape;
    t->state.recorded = true;
    return t;
}

struct experiment *experiment_again(const struct experiment *t, int ms) {
    struct base_message m = {0};
    if (!t->over || !t->events.length) return NULL;
    struct experiment_tape *tape =
        experiment_tape_of(base_dup(t->events.s), t->events.length, t->command, 1, &m);
    if (!tape) return NULL;
    struct experiment *again = new_trial(base_dup(t->command));
    again->tape = tape;
    experiment_name(again, t->label ? t->label : "");
    experiment_slow_down(again, ms);
    return again;
}

void experiment_name(struct experiment *t, const char *label) {
    free(t->label);
    t->label = base_dup(label);
}

/* ── recording ───────────────────────────────────────────────────────────────────────────────────*/
bool experiment_record(struct experiment *t, const char *path, struct base_message *m) {
    t->record = base_file_begin(path, m);
    if (!t->record) return false;
    t->record_path = base_dup(path);
    return true;
}

static void record(struct experiment *t, const char *s, size_t n) {
    if (t->record && fwrite(s, 1, n, t->record) != n) t->record_failed = true;
}

bool experiment_record_end(struct experiment *t, struct base_message *m) {
    if (!t->record) return true;
    bool written = fclose(t->record) == 0 && !t->record_failed;
    t->record = NULL;
    return written || base_fail_at(m, t->record_path, 0,
                                   "the recording is not whole: see whether the disk is full");
}

/* ── its end ─────────────────────────────────────────────────────────────────────────────────────*/
static void hear_words(void *self, const char *s, size_t n, bool cut) {
    struct experiment *t = self;
    if (n) experiment_log_add(&t->log, "%.*s%s", (int)(n < 280 ? n : 280), s, cut ? "…" : "");
}

/* Why a child that did not say so ended. Its last words on standard error are the best there is. */
static void say_why(struct experiment *t) {
    struct experiment_state *s = &t->state;
    const char *words = t->log.n ? t->log.line[t->log.n - 1] : "";
    int status = t->child.status;
    char how[120] = "";
    if (WIFSIGNALED(status))
        snprintf(how, sizeof how, "zerolab was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(how, sizeof how, "zerolab ended with status %d", WEXITSTATUS(status));
    if (t->child.cancelled)
        snprintf(s->trouble, sizeof s->trouble, "cancelled after %u step%s", t->told,
                 t->told == 1 ? "" : "s");
    else if (!s->started && *words)
        snprintf(s->trouble, sizeof s->trouble, "%s", words);
    else
        snprintf(s->trouble, sizeof s->trouble, "%s before it said how the run went%s%s", how,
                 s->started || !*words ? "" : ": ", s->started ? "" : words);
}

static void finish(struct experiment *t) {
    struct experiment_state *s = &t->state;
    t->over = true;
    if (s->ended) return;
    s->failed = true;
    if (!*s->trouble && t->tape)
        snprintf(s->trouble, sizeof s->trouble, "the recording ends before the run did");
    if (!*s->trouble) say_why(t);
    experiment_log_add(&t->log, "%s", s->trouble);
}

/* ── reading ─────────────────────────────────────────────────────────────────────────────────────*/
/* True if all that was there has been read. */
static bool drain(struct experiment *t) {
    static const int pieces = PIECES;
    char *piece = base_alloc(PIECE);
    size_t n = 0;
    int i = 0;
    for (; i < pieces && (n = experiment_child_read(&t->child.events, piece, PIECE)); i++) {
        record(t, piece, n);
        experiment_lines_add(&t->lines, piece, n, experiment_hear, t);
    }
    size_t words = experiment_child_read(&t->child.words, piece, PIECE);
    if (words) experiment_lines_add(&t->words, piece, words, hear_words, t);
    free(piece);
    return i < pieces;
}

static void read_child(struct experiment *t) {
    bool gone =
        experiment_child_gone(&t->child); /* first: what it wrote before is then in the pipe */
    if (!drain(t) || !gone) return;
    experiment_lines_end(&t->lines, experiment_hear, t);
    experiment_lines_end(&t->words, hear_words, t);
    experiment_child_end(&t->child);
    finish(t);
}

static void read_tape(struct experiment *t) {
    const struct experiment_tape_line *line;
    for (int i = 0; i < TAPE_LINES && (line = experiment_tape_next(t->tape)); i++) {
        bool cut = line->n > EXPERIMENT_LINE_MOST;
        experiment_hear(t, line->s, cut ? EXPERIMENT_LINE_MOST : line->n, cut);
    }
    if (t->tape->next == t->tape->lines) finish(t);
}

bool experiment_read(struct experiment *t) {
    if (t->over) return false;
    size_t before = t->numbers, said = t->log.n;
    if (t->tape)
        read_tape(t);
    else
        read_child(t);
    t->state.log = (const char *const *)t->log.line;
    t->state.logs = t->log.n;
    return t->over || t->numbers != before || t->log.n != said;
}

/* ── asking ──────────────────────────────────────────────────────────────────────────────────────*/
int experiment_fd(const struct experiment *t) {
    return t->child.events;
}

int experiment_due(const struct experiment *t) {
    if (t->over) return -1;
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
    return t->tape && t->tape->speed > 0 ? 1 / t->tape->speed : 1;
}

bool experiment_advance(struct experiment *t) {
    if (t->tape) experiment_tape_advance(t->tape);
    return t->tape;
}

bool experiment_is_over(const struct experiment *t) {
    return t->over;
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
    if (!t->tape || t->over) return;
    t->tape->next = t->tape->lines;
    if (!t->state.ended && !*t->state.trouble)
        snprintf(t->state.trouble, sizeof t->state.trouble, "stopped after %u step%s", t->told,
                 t->told == 1 ? "" : "s");
}

void experiment_free(struct experiment *t) {
    if (!t) return;
    experiment_child_end(&t->child);
    experiment_record_end(t, NULL);
    experiment_tape_free(t->tape);
    experiment_lines_free(&t->lines);
    experiment_lines_free(&t->words);
    experiment_log_free(&t->log);
    base_text_free(&t->events);
    json_decref(t->state.start);
    free(t->coming.span);
    free(t->done.span);
    free(t->step);
    free(t->record_path);
    free(t->command);
    free(t->label);
    free(t);
}
