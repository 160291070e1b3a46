/* inside.h: what the files of experiment share: the parts of one. Bytes come from a child's pipe or
 * from a file; lines.c cuts them into lines, event.c reads each line once, hear.c turns an event
 * into state. */
#ifndef EXPERIMENT_INSIDE_H
#define EXPERIMENT_INSIDE_H

#include "experiment/experiment.h"

#include <sys/types.h>

/* ── a child: zerolab at work (child.c) ────────────────────────────────────────────────────────*/
struct experiment_child {
    /* 0: reaped, or never started. Also its group */
    pid_t pid;
    /* its standard output and error; −1 when closed */
    int events, words;
    /* ticks; 0: not asked to end */
    int64_t cancelled;
    /* as waitpid() gave it, once pid is 0 */
    int status;
};
/* argv[0] is the path, or a name that is looked for in PATH. `gpus`: the only ones that it sees, or
 * NULL. */
bool experiment_child_start(struct experiment_child *c, char *const *argv, const char *gpus,
                            struct base_message *m);
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
/* ── which programs there are (find.c, probe.c) ────────────────────────────────────────────────*/
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
bool experiment_choose(const char *words, const struct experiment_place *where,
                       struct experiment_choice *out, struct base_message *m);
void experiment_choice_free(struct experiment_choice *c);

/* ── an event: a line of the lab, read from JSON once (event.c) ────────────────────────────────*/
enum experiment_kind {
    /* a line that is no JSON object */
    EXPERIMENT_BROKEN,
    /* an object that is no event */
    EXPERIMENT_NAMELESS,
    /* an event of another version; passed over */
    EXPERIMENT_OTHER,
    EXPERIMENT_START,
    EXPERIMENT_PREDICT,
    /* "memory" */
    EXPERIMENT_WEIGHED,
    EXPERIMENT_COMM,
    EXPERIMENT_STEP,
    EXPERIMENT_TIMED,
    /* "link" */
    EXPERIMENT_FITTED,
    EXPERIMENT_OUTSIDE,
    EXPERIMENT_ERROR,
    EXPERIMENT_END,
    EXPERIMENT_KINDS
};
#define EXPERIMENT_NO_RANK INT64_MIN /* the event names none */
/* what a rank is predicted to hold and send, or says in the end; bytes sent are the whole run's */
struct experiment_report {
    int64_t rank;
    struct experiment_weights persistent, peak, at_peak;
    uint64_t peak_total, sent[EXPERIMENT_SENT], sent_total, control;
    struct experiment_elsewhere elsewhere;
    /* of a prediction made after the run: steps that updated nothing, taken off `sent` */
    uint64_t skipped;
    char peak_where[64], state_hash[32];
};
struct experiment_end {
    bool well;
    char loss[32], weights_hash[32];
    size_t ranks;
    struct experiment_report rank[];
};
struct experiment_event {
    enum experiment_kind kind;
    int64_t rank;
    union {
        struct experiment_setup *start;
        struct experiment_report *predict;
        struct {
            struct experiment_weights now;
            /* of its instant */
            struct experiment_weights highest;
            bool tells_highest;
            uint64_t resident, device_used;
            double power_w;
            uint32_t sm_mhz;
            char where[64];
        } weighed;
        struct experiment_span comm;
        struct experiment_step step;
        struct experiment_timing timed;
        struct {
            uint8_t op;
            struct account_link_fit fit;
        } fitted;
        struct {
            /* of an error, outside, broken: what is logged; of others: its name */
            char *text;
            /* of an error: bytes that it wanted when it ran out of memory */
            uint64_t refused;
        } words;
        struct experiment_end *end;
    };
};
/* `cut`: the line is the beginning of one that was too long. The caller frees what it holds. */
struct experiment_event experiment_event_read(const char *s, size_t n, bool cut);
void experiment_event_free(struct experiment_event *e);
/* "step"; of an event of another version as it names itself; NULL if it has no name. */
const char *experiment_event_name(const struct experiment_event *e);

/* ── a reel: the events of a run in order, and when each is to be heard (reel.c) ───────────────*/
struct experiment_frame {
    struct experiment_event event;
    /* its line, in the file that it was read from; NULL of a run that goes */
    const char *s;
    size_t n;
    /* milliseconds since the start */
    double at;
};
struct experiment_reel {
    struct experiment_frame *frame;
    size_t n, capacity;
    /* the first event of the step that goes */
    size_t from;
    /* when the last step that ended did */
    double end;
    /* steps that ended, or collectives that were timed alone: each says how long it took */
    uint32_t told;
};
/* Takes the event. */
void experiment_reel_add(struct experiment_reel *r, const struct experiment_frame *f);
void experiment_reel_free(struct experiment_reel *r);

/* ── a tape: a reel that is played (tape.c) ────────────────────────────────────────────────────*/
struct experiment_tape {
    const struct experiment_reel *reel;
    /* of a recording: the file; NULL: the reel is another's */
    char *text;
    /* of a recording */
    struct experiment_reel own;
    /* The run whose reel it plays, which may still go; NULL of a recording. */
    const struct experiment_state *source;
    size_t next;
    /* milliseconds that all of it takes; 0: as long as it takes */
    int least;
    /* speed = base × what was asked for; clock: ms that have passed */
    double base, pace, clock;
    /* ticks when the clock was last right */
    int64_t since;
    /* caught: all that was heard has been played */
    bool paused, caught;
};
struct experiment_tape *experiment_tape_open(const char *path, double speed,
                                             struct base_message *m);
/* Of a run, which may still go, and must outlive it. */
struct experiment_tape *experiment_tape_of(const struct experiment_reel *reel,
                                           const struct experiment_state *source);
double experiment_tape_speed(const struct experiment_tape *t);
/* Sees how far the run has come: a run that is played as fast as it goes is shown as it happens. */
void experiment_tape_follow(struct experiment_tape *t);
/* All that is there has been played. */
void experiment_tape_rest(struct experiment_tape *t);
/* Whether nothing more comes. */
bool experiment_tape_ended(const struct experiment_tape *t);
/* Faster or slower by a factor of two. */
void experiment_tape_pace(struct experiment_tape *t, bool faster);
/* Back to the beginning, with the clock at the end of so many steps, or of collectives that were
 * timed alone. */
void experiment_tape_rewind(struct experiment_tape *t, size_t stop);
/* The next event that is due; NULL if none is. */
const struct experiment_frame *experiment_tape_next(struct experiment_tape *t);
int experiment_tape_due(const struct experiment_tape *t);
void experiment_tape_slow_down(struct experiment_tape *t, int ms);
void experiment_tape_pause(struct experiment_tape *t, bool paused);
/* Makes all remaining events due. */
void experiment_tape_finish(struct experiment_tape *t);
void experiment_tape_advance(struct experiment_tape *t);
void experiment_tape_free(struct experiment_tape *t);

/* ── lines out of bytes (lines.c) ──────────────────────────────────────────────────────────────*/
typedef void experiment_line(void *self, const char *s, size_t n, bool cut);
struct experiment_lines {
    struct base_text partial;
    /* the line was too long: its rest is passed over */
    bool skipping;
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

/* ── the moments of a step (moments.c) ─────────────────────────────────────────────────────────*/
struct experiment_moments {
    struct account_timepoint *moment;
    /* totals, as the engine predicts them; 0: not known */
    uint64_t *foreseen;
    size_t n, capacity;
};
/* ── an experiment ─────────────────────────────────────────────────────────────────────────────*/
/* Steps that a run makes itself, as its start says; 0: it does not. */
static inline uint32_t experiment_own_steps(const struct experiment_state *s) {
    return s->planned - s->setup.done;
}

/* states.c: the words with the folder of states in them, the caller's; NULL with the message. Who
 * uses it leaves it once. */
char *experiment_states_use(const char *words, bool *uses, struct base_message *m);
/* The same as a person types it, who needs no folder that nobody else has; the caller's. */
char *experiment_states_name(const char *words);
void experiment_states_leave(void);

struct experiment {
    struct experiment_state state;
    /* it has a part in the folder of states */
    bool uses_states;
    char *command, *label;
    struct experiment_child child;
    /* what a run said, to be played again */
    struct experiment_reel reel;
    /* NULL: a run */
    struct experiment_tape *tape;
    struct experiment_lines lines, words;
    struct experiment_log log;
    struct base_text events;
    /* lines that arrived */
    size_t numbers;
    /* as state.step */
    struct experiment_step *step;
    /* every so many steps are held */
    uint32_t stride;
    /* predicted for a step that updates */
    uint64_t foreseen[EXPERIMENT_RANKS][EXPERIMENT_SENT];
    struct experiment_spans coming, done;
    /* By rank: the step that goes, the last that is whole, and the last told to have ended. */
    struct experiment_moments rising[EXPERIMENT_RANKS], risen[EXPERIMENT_RANKS],
        told[EXPERIMENT_RANKS];
    /* as it predicts them, once `engine_asked` */
    struct experiment_moments engine;
    bool engine_asked;
    FILE *record;
    char *record_path;
    bool record_failed;
};
/* Takes in one line of a run, or one event of a tape (hear.c). */
experiment_line experiment_hear_line;
void experiment_hear_frame(struct experiment *t, const struct experiment_frame *f);
/* What a memory, predict or end event says of ranks (hear_rank.c). */
void experiment_hear_memory(struct experiment *t, const struct experiment_event *e);
void experiment_hear_predict(struct experiment *t, const struct experiment_event *e);
void experiment_hear_ranks(struct experiment *t, const struct experiment_end *end);
void experiment_hear_spans(struct experiment *t);
void experiment_hear_moment(struct experiment *t, const struct experiment_event *e);
/* A step is told to have ended: its moments are shown. */
void experiment_hear_moments(struct experiment *t);
void experiment_moments_free(struct experiment *t);
/* What was predicted to be sent in a step, where `skipped` of `steps` updated nothing. */
void experiment_foresee(struct experiment *t, uint64_t skipped, uint64_t steps);
extern const char *const experiment_ops[EXPERIMENT_SENT];

#endif
