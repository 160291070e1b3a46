/* experiment: named experiments. Starts zerolab, reads its events, replays recordings. zerolab is
 * another program, and its events come through a pipe. An experiment holds all that was heard of a
 * run so far.
 *
 * Ownership: what experiment_start and experiment_replay return goes back through
 * experiment_free(), which ends a run that still goes. Everything read through experiment_state()
 * belongs to the experiment and lives until the next experiment_read(). */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include "account/account.h"
#include "base/base.h"

/* ── the labs there are ────────────────────────────────────────────────────────────────────────*/
#define EXPERIMENT_VARIANTS 4
#define EXPERIMENT_OPTIONS  4
struct experiment_variant {
    const char *label;     /* "stage 2" */
    const char *arguments; /* of zerolab, in words: "--ranks 4 --stage 2" */
    bool dies; /* it is to run out of memory under its cap: that is what there is to see */
};
struct experiment_lab {
    const char *name, *title;
    const char *about;                      /* Markdown: what is run, and what to look at */
    const char *ask;                        /* the prediction that is asked for first */
    const char *option[EXPERIMENT_OPTIONS]; /* NULL past the last */
    uint8_t right;                          /* from 0 */
    const char *reveal;                     /* Markdown: what the run shows, and why */
    const char *watch; /* the panel to open with: "memory", "traffic", "timeline" */
    /* run one after the other; label NULL past the last */
    struct experiment_variant variant[EXPERIMENT_VARIANTS];
    bool scaled; /* it has no variants until there is a scenario: experiment_capstone_new() */
};
const struct experiment_lab *experiment_labs(size_t *count);
const struct experiment_lab *experiment_lab_find(const char *name);
size_t experiment_variants(const struct experiment_lab *lab);

/* Labs may come with recordings: data/runs/NAME.jsonl, of several runs NAME-1.jsonl … The path of
 * one, the caller's; NULL if there is none. */
char *experiment_recording(const struct experiment_lab *lab, size_t variant);
/* The machine that a lab was recorded on, the caller's; NULL unless all its runs were. */
char *experiment_recorded_on(const struct experiment_lab *lab);

/* ── a scenario scaled down ──────────────────────────────────────────────────────────────────────
 * A training that this machine cannot hold, scaled down to a run of zerolab that fits its cap if
 * the training fits its GPU. Layers, micro-batch, bytes per element, sequence ÷ width and
 * vocabulary ÷ (layers × width) stay the same, and so do the ranks if this machine can hold
 * them. */
/* bytes of one rank at its highest moment; activations at their own highest */
struct experiment_held {
    uint64_t states, activations, buffers, framework, peak;
};
struct experiment;
struct experiment_scale {
    struct account_training real; /* the scenario */
    struct account_training large,
        small; /* the lab's own model, as wide as the scenario's, and scaled down: what runs */
    struct experiment_held scenario, at_size, scaled; /* what they hold */
    uint64_t budget;                                  /* what the scenario's GPU gives */
    enum account_fit fits;                            /* the scenario's verdict */
    double ratio; /* parameters of `small` ÷ those of `large` */
    /* at_size.peak ÷ (scenario.peak − scenario.framework): what the lab holds otherwise */
    double share;
    uint64_t cap;        /* (budget − scenario.framework) × ratio × share */
    bool runs;           /* the engine's word for the scaled run: its peak is under the cap */
    char arguments[400]; /* of zerolab, with the cap */
};
struct experiment_capacity {
    uint32_t ranks; /* at most */
    uint64_t bytes; /* for all ranks together; 0: no matter */
};
/* What this machine can hold. */
struct experiment_capacity experiment_capacity_here(void);
/* `budget`: bytes of one GPU; 0: the catalogue's value for its card. False with the message filled
 * if the scenario has something that the lab cannot do: offload, tensor parallelism, adapters. */
bool experiment_scale(const struct account_training *real, uint64_t budget,
                      struct experiment_capacity capacity, struct experiment_scale *out,
                      struct base_message *m);

/* The lab `capstone` for one scenario: its stages from 3 down, to the first that runs out of
 * memory; or one stage alone. */
struct experiment_capstone;
enum { EXPERIMENT_ALL_STAGES = -1 };
struct experiment_capstone *experiment_capstone_new(const struct account_training *scenario,
                                                    uint64_t budget, int stage,
                                                    struct experiment_capacity capacity,
                                                    struct base_message *m);
void experiment_capstone_free(struct experiment_capstone *c);
/* The lab, and the scale of each of its variants; they live as long as `c`. */
const struct experiment_lab *experiment_capstone_lab(const struct experiment_capstone *c);
const struct experiment_scale *experiment_capstone_scale(const struct experiment_capstone *c,
                                                         size_t variant);
/* ── what was heard of a run ───────────────────────────────────────────────────────────────────*/
enum { EXPERIMENT_SENT_AR, EXPERIMENT_SENT_RS, EXPERIMENT_SENT_AG, EXPERIMENT_SENT };
/* bytes by category */
struct experiment_weights {
    uint64_t bytes[ACCOUNT_CATEGORIES], total;
};
struct experiment_rank {
    struct experiment_weights now, persistent, peak;
    struct experiment_weights at_peak; /* at the moment of peak_total, once it ended */
    uint64_t peak_total; /* the highest sum; the categories' peaks do not add up to it */
    char peak_where[64], where[64];
    uint64_t resident; /* at most, as its system counts; 0: not said */
    /* device_used, power, clock: of its GPU, as the driver says; 0: not said */
    uint64_t device_used;
    double power_w;
    uint32_t sm_mhz;
    uint64_t sent[EXPERIMENT_SENT], sent_total,
        control; /* in a step: the last that ended, in the end the mean of all */
    /* as the engine said before; `known` false until it did */
    struct {
        bool known;
        struct experiment_weights persistent, peak;
        uint64_t peak_total;
        char peak_where[64];
        uint64_t sent[EXPERIMENT_SENT],
            sent_total; /* of what is beside it in `sent`: skipped steps are taken off */
    } predicted;
    /* persistent, peak and sent are its own last words; until then `persistent` is not known, and
     * `peak` may have been higher */
    bool ended;
    char state_hash[32]; /* of its optimizer state, once it ended */
    /* The moments of the last step that is whole, each with the highest sum within it, and the
     * total that the engine predicts of it, 0 if it knows none. No moments: no step has been whole,
     * or the events do not tell highest sums, as those of old recordings. */
    const struct account_timepoint *moment;
    const uint64_t *foreseen;
    size_t moments;
};
struct experiment_step {
    uint32_t step;
    double loss, ms, compute_ms, comm_ms, exposed_ms, skew_ms, tokens_per_s;
    double scale; /* of the loss, in fp16; 0: it has none */
    bool skipped; /* gradients overflowed fp16: nothing was updated, so nothing gathered after */
};
/* a collective of one rank */
struct experiment_span {
    uint32_t rank, step;
    char op[16], unit[24];
    double start_ms, end_ms, exposed_ms;
    uint64_t sent;
};
/* what the start event says of the run */
struct experiment_setup {
    json_t *event; /* as the lab wrote it, for exports */
    int64_t version, ranks;
    uint32_t stage;
    uint32_t planned;     /* steps; 0: it does not say */
    uint64_t params, cap; /* cap: bytes that a rank may hold; 0: any */
    unsigned wire;        /* bytes that a parameter is sent in */
    char precision[16], device[16], comm[16], host[128], hardware[200];
    bool shares_cores, emulates_link; /* so its times are not those of a cluster */
};
#define EXPERIMENT_RANKS 64 /* shown; a run may have more */
struct experiment_state {
    bool started, ended, failed, recorded;
    bool over;         /* no more comes, whether it ended or not */
    const char *label; /* what figures call it */
    struct experiment_setup setup;
    uint32_t ranks, stage, seen; /* seen: ranks there is a struct for */
    uint32_t planned;            /* steps; 0: its start does not say */
    uint32_t told, skipped;      /* steps so far */
    uint32_t ungathered;         /* those of them that, against the prediction, gathered nothing */
    struct experiment_rank rank[EXPERIMENT_RANKS];
    size_t steps, spans;
    /* all steps so far; of more than some thousands every second, fourth …, and the last */
    const struct experiment_step *step;
    /* the collectives of the last step that ended, by rank and time */
    const struct experiment_span *span;
    char loss[32], weights_hash[32]; /* of the end event, in nine digits */
    uint32_t states;   /* so many different optimizer states the ranks ended with; 0 until then */
    uint64_t refused;  /* bytes that a rank wanted to hold when it ran out of memory; 0: none did */
    char trouble[400]; /* of an error event, in a sentence; "" if none */
    size_t lines, broken; /* events so far; lines that were none */
    size_t logs;
    const char *const *log; /* what happened, a line each: the last few hundred */
};

/* The lab's programs, and the devices that they find:
 * [{"name":"zerolab-cuda","path":"…","devices":[…]} or, where one is missing or says nothing,
 * "why":"…"]. A device that is not there says "why" itself. The caller owns it. */
json_t *experiment_backends(void);

/* Starts zerolab with these words (split at white space): on GPUs where there are any, unless the
 * words say `--device cpu` or want a link emulated. NULL where it cannot be found or started. */
struct experiment *experiment_start(const char *arguments, struct base_message *m);
/* Reads a recording as if it happened now; `speed` 2 is twice as fast, 0 all at once. */
struct experiment *experiment_replay(const char *path, double speed, struct base_message *m);
/* Shows the events of another experiment, while its run goes or after: at the run's own pace, or
 * slowed down so that all steps take `ms` if they took less. It has its own state, and is over once
 * all has been shown. `t` must outlive it. NULL if nothing was heard of a run that is over. */
struct experiment *experiment_watch(const struct experiment *t, int ms);
/* Whether the state is that of this moment: not a recording, and not a replay that lags behind its
 * run. */
bool experiment_is_live(const struct experiment *t);
/* Sets the name of this run in figures. The default is "stage 2". Copied. */
void experiment_name(struct experiment *t, const char *label);
/* From now on writes all that arrives to a file. Call it before the first experiment_read(). */
bool experiment_record(struct experiment *t, const char *path, struct base_message *m);
/* Ends the recording. False if not all of it could be written. */
bool experiment_record_end(struct experiment *t, struct base_message *m);
/* The descriptor to wait on; −1 for a recording, and when no more comes. */
int experiment_fd(const struct experiment *t);
/* Milliseconds after which experiment_read() is to be called even if nothing can be read: more of a
 * recording, or a run to be looked after. −1: nothing more comes. */
int experiment_due(const struct experiment *t);
/* Stops a recording's clock, or lets it continue. False for a run, which cannot be stopped. */
bool experiment_pause(struct experiment *t, bool paused);
/* Slows a recording down so that it takes `ms`, if it would be over sooner. Call it before the
 * first experiment_read(). */
void experiment_slow_down(struct experiment *t, int ms);
/* How many times slower than it was recorded a recording is played: 1 at its own pace, and for a
 * run. */
double experiment_slowness(const struct experiment *t);
/* Plays a recording, or what is watched, faster or slower by a factor of two, within 1/16 and 16
 * times. False for a run. */
bool experiment_pace(struct experiment *t, bool faster);
/* Goes back to the end of the step before. The next experiment_read() delivers it. False for a run,
 * and for what is over. */
bool experiment_back(struct experiment *t);
/* Moves a recording's clock to the end of its next step. The next experiment_read() delivers it.
 * False for a run. */
bool experiment_advance(struct experiment *t);
/* Reads the events that have arrived. True if the state changed. */
bool experiment_read(struct experiment *t);
bool experiment_is_over(const struct experiment *t);
const struct experiment_state *experiment_state(const struct experiment *t);
const char *experiment_command(const struct experiment *t); /* as one would type it */
/* The machine that it runs or was recorded on, in words; the caller's. Once it has started. */
char *experiment_machine(const struct experiment *t);
/* A sentence that says whether its ranks ended with one optimizer state or with several; the
 * caller's. NULL if that is not known, or if there is only one rank. */
char *experiment_say_states(const struct experiment *t);
/* Asks the run to end; experiment_read() brings its last words. */
void experiment_cancel(struct experiment *t);
/* The events so far, one JSON object a line. Of a run that says more than some megabytes `memory`
 * and `comm` are left out from there on. */
const char *experiment_events(const struct experiment *t);
/* Frees an experiment, and ends its run if that still goes. `t` may be NULL. */
void experiment_free(struct experiment *t);

/* ── the parts of what was heard, as front ends show them ──────────────────────────────────────*/
enum experiment_panel {
    EXPERIMENT_MEMORY,
    EXPERIMENT_CURVE,
    EXPERIMENT_TRAFFIC,
    EXPERIMENT_TIMELINE,
    EXPERIMENT_LOSS,
    EXPERIMENT_LOG,
    EXPERIMENT_PANELS
};
const char *experiment_panel_name(enum experiment_panel panel);
/* The larger of `bytes` and the highest peak, measured or predicted, of a run's ranks: how far the
 * axis of memory has to go, so that runs on different pages can be compared. `t` may be NULL. */
uint64_t experiment_reach(const struct experiment *t, uint64_t bytes);

/* ── the runs of a lab beside each other, once all are over ────────────────────────────────────*/
struct experiment_compared {
    size_t figures, missed; /* predictions of bytes that were compared; those that did not hold */
    uint64_t furthest;      /* bytes between one of these and what was measured, at most */
    bool same_loss;         /* the last loss and the weights are the same in all runs, to the bit */
    char surprise[240];     /* the one thing that surprises, in words; "" if there is none */
    const char *lesson;     /* that explains it: "2.4" */
};
/* `watch`: the panel that the lab is about (experiment_lab's). */
struct experiment_compared experiment_compare(const struct experiment_state *const *s, size_t n,
                                              const char *watch);

#endif
