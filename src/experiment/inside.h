/* inside.h: what the files of experiment share: the parts of one. Bytes come from a child's pipe or
 * from a tape; lines.c cuts them into lines, hear.c turns a line into state. */
#ifndef EXPERIMENT_INSIDE_H
#define EXPERIMENT_INSIDE_H

#include "experiment/experiment.h"

#include <sys/types.h>

/* ── a child: zerolab at work (child.c) ────────────────────────────────────────────────────────*/
struct experiment_child {
    pid_t pid;         /* 0: reaped, or never started. Also its group */
    int events, words; /* its standard output and error; −1 when closed */
    int64_t cancelled; /* ticks; 0: not asked to end */
    int status;        /* as waitpid() gave it, once pid is 0 */
};
/* argv[0] is the path. */
bool experiment_child_start(struct experiment_child *c, char *const *argv, struct base_message *m);
/* What the child wrote, up to `size` bytes: 0 if there is nothing now; closes a pipe that is at its
 * end. */
size_t experiment_child_read(int *fd, char *out, size_t size);
/* Looks after it: the end of a grace, the death of the child. True once it is gone. */
bool experiment_child_gone(struct experiment_child *c);
void experiment_child_cancel(struct experiment_child *c);
/* Milliseconds until experiment_child_gone() should be called again. */
int experiment_child_due(const struct experiment_child *c);
/* Ends it, whatever it does. */
void experiment_child_end(struct experiment_child *c);
/* The path of zerolab; the caller owns it. NULL with the message filled if it is not built. */
char *experiment_find_lab(struct base_message *m);
char *experiment_find_cuda(struct base_message *m);
/* What `path --probe` writes; NULL with the message filled if it writes no such thing. */
json_t *experiment_probe(const char *path, struct base_message *m);

/* ── which program a run starts with, and with which words (choose.c) ──────────────────────────*/
struct experiment_choice {
    char *path, *words;
    const char *name;
};
bool experiment_choose(const char *words, struct experiment_choice *out, struct base_message *m);
void experiment_choice_free(struct experiment_choice *c);

/* ── a tape: a recording, and when each of its lines is to be heard (tape.c) ───────────────────*/
struct experiment_tape_line {
    const char *s;
    size_t n;
    double at; /* milliseconds since the start */
    bool step; /* the end of a step */
};
struct experiment_tape {
    char *text;
    struct experiment_tape_line *line;
    size_t lines, next;
    double speed, clock; /* clock: milliseconds of the recording that have passed */
    int64_t since;       /* ticks when the clock was last right */
    bool paused;
};
struct experiment_tape *experiment_tape_open(const char *path, double speed,
                                             struct base_message *m);
/* Of a text, which it takes; `path` is what messages call it. */
struct experiment_tape *experiment_tape_of(char *text, size_t length, const char *path,
                                           double speed, struct base_message *m);
/* The next line that is due; NULL if none is. */
const struct experiment_tape_line *experiment_tape_next(struct experiment_tape *t);
int experiment_tape_due(const struct experiment_tape *t);
void experiment_tape_slow_down(struct experiment_tape *t, int ms);
void experiment_tape_pause(struct experiment_tape *t, bool paused);
void experiment_tape_advance(struct experiment_tape *t);
void experiment_tape_free(struct experiment_tape *t);

/* ── lines out of bytes (lines.c) ──────────────────────────────────────────────────────────────*/
typedef void experiment_line(void *self, const char *s, size_t n, bool cut);
struct experiment_lines {
    struct base_text partial;
    bool skipping; /* the line was too long: its rest is passed over */
};
enum { EXPERIMENT_LINE_MOST = 1 << 20 };
/* Calls `each` with every whole line (without its end); `cut`: it was longer than may be, and this
 * is its beginning. */
void experiment_lines_add(struct experiment_lines *l, const char *s, size_t n,
                          experiment_line *each, void *self);
/* The last line, if it had no end. */
void experiment_lines_end(struct experiment_lines *l, experiment_line *each, void *self);
void experiment_lines_free(struct experiment_lines *l);

/* ── the last lines of what happened (lines.c) ─────────────────────────────────────────────────*/
enum { EXPERIMENT_LOG_MOST = 300 };
struct experiment_log {
    char *line[EXPERIMENT_LOG_MOST];
    size_t n;
};
void experiment_log_add(struct experiment_log *l, const char *format, ...) BASE_PRINTF(2, 3);
void experiment_log_free(struct experiment_log *l);

/* ── collectives (spans.c) ─────────────────────────────────────────────────────────────────────*/
struct experiment_spans {
    struct experiment_span *span;
    size_t n, capacity;
};
void experiment_spans_add(struct experiment_spans *s, const struct experiment_span *span);
/* A step has ended: its collectives move from `coming` to `done`, sorted by rank and time; later
 * ones stay. */
void experiment_spans_end(struct experiment_spans *coming, struct experiment_spans *done,
                          uint32_t step);
/* When a step of `ms` began on the clock of its collectives, the first of which starts at `first`
 * and the last of which ends at `last`: that clock counts from the start of the run, or of the
 * step. No event says it, so a step is taken to end with its last collective; to take it to begin
 * where the one before ended would add up what ranks overlap. */
double experiment_step_begin(double first, double last, double ms);
/* Counts their times from the step's begin. */
void experiment_spans_shift(struct experiment_spans *done, double ms);

/* ── an experiment ─────────────────────────────────────────────────────────────────────────────*/
struct experiment {
    struct experiment_state state;
    char *command, *label;
    struct experiment_child child;
    struct experiment_tape *tape; /* NULL: a run */
    struct experiment_lines lines, words;
    struct experiment_log log;
    struct base_text events;
    size_t numbers;               /* lines that arrived */
    struct experiment_step *step; /* as state.step */
    uint32_t stride, told;        /* every so many steps are held; steps told so far */
    uint64_t foreseen[EXPERIMENT_RANKS][EXPERIMENT_SENT]; /* predicted for a step that updates */
    struct experiment_spans coming, done;
    FILE *record;
    char *record_path;
    bool record_failed, over;
};
/* Takes in one line (hear.c). */
experiment_line experiment_hear;
/* What a memory, predict or end event says of ranks (hear_rank.c). */
void experiment_hear_memory(struct experiment *t, const json_t *event);
void experiment_hear_predict(struct experiment *t, const json_t *event);
void experiment_hear_ranks(struct experiment *t, const json_t *event);
void experiment_hear_spans(struct experiment *t);
/* Stages 1 and 2 gather what an update made. Stage 3 gathers for forward and backward, and stage 0
 * not at all. */
bool experiment_gathers_updates(const struct experiment_state *s);
/* What was predicted to be sent in a step, where `skipped` of `steps` updated nothing. */
void experiment_foresee(struct experiment *t, uint64_t skipped, uint64_t steps);
/* Bytes of a member; 0 if it is no number or less than 0. */
uint64_t experiment_bytes(const json_t *object, const char *key);
extern const char *const experiment_ops[EXPERIMENT_SENT];

#endif
