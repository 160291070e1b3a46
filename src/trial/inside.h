/* What the files of this room share: a trial's parts. Bytes come from a child's pipe or from a tape; lines.c cuts them into lines,
 * hear.c turns a line into state. */
#ifndef TRIAL_INSIDE_H
#define TRIAL_INSIDE_H

#include "trial/trial.h"

#include <sys/types.h>

/* ── a child: zerolab at work (child.c) ──────────────────────────────────────────────────────────*/
struct trial_child {
    pid_t pid;         /* 0: reaped, or never started. Also its group */
    int events, words; /* its standard output and error; −1 when closed */
    int64_t cancelled; /* ticks; 0: not asked to end */
    int status;        /* as waitpid() gave it, once pid is 0 */
};
/* argv[0] is the path. */
bool trial_child_start(struct trial_child *c, char *const *argv, struct base_message *m);
/* What the child wrote, up to `size` bytes: 0 if there is nothing now; closes a pipe that is at its end. */
size_t trial_child_read(int *fd, char *out, size_t size);
/* Looks after it: the end of a grace, the death of the child. True once it is gone. */
bool trial_child_gone(struct trial_child *c);
void trial_child_cancel(struct trial_child *c);
/* Milliseconds until trial_child_gone() should be called again. */
int trial_child_due(const struct trial_child *c);
/* Ends it, whatever it does. */
void trial_child_end(struct trial_child *c);
/* The path of zerolab; the caller owns it. NULL with the message filled if it is not built. */
char *trial_find_lab(struct base_message *m);
char *trial_find_cuda(struct base_message *m);
/* What `path --probe` writes; NULL with the message filled if it writes no such thing. */
json_t *trial_probe(const char *path, struct base_message *m);

/* ── which program a run starts with, and with which words (choose.c) ────────────────────────────*/
struct trial_choice {
    char *path, *words;
    const char *name;
};
bool trial_choose(const char *words, struct trial_choice *out, struct base_message *m);
void trial_choice_free(struct trial_choice *c);

/* ── a tape: a recording, and when each of its lines is to be heard (tape.c) ─────────────────────*/
struct trial_tape_line {
    const char *s;
    size_t n;
    double at; /* milliseconds since the start */
    bool step; /* the end of a step */
};
struct trial_tape {
    char *text;
    struct trial_tape_line *line;
    size_t lines, next;
    double speed, clock; /* clock: milliseconds of the recording that have passed */
    int64_t since;       /* ticks when the clock was last right */
    bool paused;
};
struct trial_tape *trial_tape_open(const char *path, double speed, struct base_message *m);
/* Of a text, which it takes; `path` is what messages call it. */
struct trial_tape *trial_tape_of(char *text, size_t length, const char *path, double speed,
                                 struct base_message *m);
/* The next line that is due; NULL if none is. */
const struct trial_tape_line *trial_tape_next(struct trial_tape *t);
int trial_tape_due(const struct trial_tape *t);
void trial_tape_slow_down(struct trial_tape *t, int ms);
void trial_tape_pause(struct trial_tape *t, bool paused);
void trial_tape_advance(struct trial_tape *t);
void trial_tape_free(struct trial_tape *t);

/* ── lines out of bytes (lines.c) ────────────────────────────────────────────────────────────────*/
typedef void trial_line(void *self, const char *s, size_t n, bool cut);
struct trial_lines {
    struct base_text partial;
    bool skipping; /* the line was too long: its rest is passed over */
};
enum { TRIAL_LINE_MOST = 1 << 20 };
/* Calls `each` with every whole line (without its end); `cut`: it was longer than may be, and this is its beginning. */
void trial_lines_add(struct trial_lines *l, const char *s, size_t n, trial_line *each, void *self);
/* The last line, if it had no end. */
void trial_lines_end(struct trial_lines *l, trial_line *each, void *self);
void trial_lines_free(struct trial_lines *l);

/* ── the last lines of what happened (log.c) ─────────────────────────────────────────────────────*/
enum { TRIAL_LOG_MOST = 300 };
struct trial_log {
    char *line[TRIAL_LOG_MOST];
    size_t n;
};
void trial_log_add(struct trial_log *l, const char *format, ...) BASE_PRINTF(2, 3);
void trial_log_free(struct trial_log *l);

/* ── collectives (spans.c) ───────────────────────────────────────────────────────────────────────*/
struct trial_spans {
    struct trial_span *span;
    size_t n, room;
};
void trial_spans_add(struct trial_spans *s, const struct trial_span *span);
/* A step has ended: its collectives move from `coming` to `done`, sorted by rank and time; later ones stay. */
void trial_spans_end(struct trial_spans *coming, struct trial_spans *done, uint32_t step);
/* When a step of `ms` began on the clock of its collectives, the first of which starts at `first` and the last of which ends at `last`: that
 * clock counts from the start of the run, or of the step. No event says it, so a step is taken to end with its last collective; to take it to
 * begin where the one before ended would add up what ranks overlap. */
double trial_step_begin(double first, double last, double ms);
/* Counts their times from the step's begin. */
void trial_spans_shift(struct trial_spans *done, double ms);

/* ── a trial ─────────────────────────────────────────────────────────────────────────────────────*/
struct trial {
    struct trial_state state;
    char *command, *label;
    struct trial_child child;
    struct trial_tape *tape; /* NULL: a run */
    struct trial_lines lines, words;
    struct trial_log log;
    struct base_text events;
    size_t numbers;          /* lines that arrived */
    struct trial_step *step; /* as state.step */
    uint32_t stride, told;   /* every so many steps are held; steps told so far */
    uint64_t foreseen[TRIAL_RANKS][TRIAL_SENT]; /* predicted for a step that updates */
    struct trial_spans coming, done;
    FILE *record;
    char *record_path;
    bool record_failed, over;
};
/* Takes in one line (hear.c). */
trial_line trial_hear;
/* What a memory, predict or end event says of ranks (hear_rank.c). */
void trial_hear_memory(struct trial *t, const json_t *event);
void trial_hear_predict(struct trial *t, const json_t *event);
void trial_hear_ranks(struct trial *t, const json_t *event);
void trial_hear_spans(struct trial *t);
/* Stages 1 and 2 gather what an update made. Stage 3 gathers for forward and backward, and stage 0 not at all. */
bool trial_gathers_updates(const struct trial_state *s);
/* What was predicted to be sent in a step, where `skipped` of `steps` updated nothing. */
void trial_foresee(struct trial *t, uint64_t skipped, uint64_t steps);
/* Bytes of a member; 0 if it is no number or less than 0. */
uint64_t trial_bytes(const json_t *object, const char *key);
extern const char *const trial_ops[TRIAL_SENT];

/* Figures of each panel (figure_*.c): what a run adds to its spec. */
json_t *trial_run_memory(const struct trial *t);
json_t *trial_run_traffic(const struct trial *t);
json_t *trial_run_timeline(const struct trial *t);
json_t *trial_run_loss(const struct trial *t);
json_t *trial_run_log(const struct trial *t);

#endif
