/* reading: what a run has written so far is taken in without waiting, from a child's pipe or from a
 * tape, until it is over. */
#include "experiment/inside.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum {
    PIECE = 1 << 16,
    /* So much is read in one call, because the front end must be able to draw. */
    PIECES = 16,
    TAPE_LINES = 20000
};

/* ── its end ───────────────────────────────────────────────────────────────────────────────────*/
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
        snprintf(s->trouble, sizeof s->trouble, "cancelled after %u step%s", s->told,
                 s->told == 1 ? "" : "s");
    else if (!s->started && *words)
        snprintf(s->trouble, sizeof s->trouble, "%s", words);
    else
        snprintf(s->trouble, sizeof s->trouble, "%s before it said how the run went%s%s", how,
                 s->started || !*words ? "" : ": ", s->started ? "" : words);
}

static void finish(struct experiment *t) {
    struct experiment_state *s = &t->state;
    s->over = true;
    if (s->ended) return;
    s->failed = true;
    if (!*s->trouble && t->tape && t->tape->source)
        memcpy(s->trouble, t->tape->source->trouble, sizeof s->trouble);
    if (!*s->trouble && t->tape)
        snprintf(s->trouble, sizeof s->trouble, "the recording ends before the run did");
    if (!*s->trouble) say_why(t);
    experiment_log_add(&t->log, "%s", s->trouble);
}

/* ── reading ───────────────────────────────────────────────────────────────────────────────────*/
static void record(struct experiment *t, const char *s, size_t n) {
    if (t->record && fwrite(s, 1, n, t->record) != n) t->record_failed = true;
}

/* True if all that was there has been read. */
static bool drain(struct experiment *t) {
    static const int pieces = PIECES;
    char *piece = base_alloc(PIECE);
    size_t n = 0;
    int i = 0;
    for (; i < pieces && (n = experiment_child_read(&t->child.events, piece, PIECE)); i++) {
        record(t, piece, n);
        experiment_lines_add(&t->lines, piece, n, experiment_hear_line, t);
    }
    size_t words = experiment_child_read(&t->child.words, piece, PIECE);
    if (words) experiment_lines_add(&t->words, piece, words, hear_words, t);
    free(piece);
    return i < pieces;
}

static void read_child(struct experiment *t) {
    /* first: what it wrote before is then in the pipe */
    bool gone = experiment_child_gone(&t->child);
    if (!drain(t) || !gone) return;
    experiment_lines_end(&t->lines, experiment_hear_line, t);
    experiment_lines_end(&t->words, hear_words, t);
    experiment_child_end(&t->child);
    finish(t);
}

static void read_tape(struct experiment *t) {
    const struct experiment_frame *f;
    experiment_tape_follow(t->tape);
    for (int i = 0; i < TAPE_LINES && (f = experiment_tape_next(t->tape)); i++)
        experiment_hear_frame(t, f);
    experiment_tape_rest(t->tape);
    if (experiment_tape_ended(t->tape)) finish(t);
}

bool experiment_read(struct experiment *t) {
    if (t->state.over) return false;
    size_t before = t->numbers, said = t->log.n;
    if (t->tape)
        read_tape(t);
    else
        read_child(t);
    t->state.log = (const char *const *)t->log.line;
    t->state.logs = t->log.n;
    t->state.label = t->label;
    return t->state.over || t->numbers != before || t->log.n != said;
}
