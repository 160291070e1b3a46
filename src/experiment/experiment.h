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

/* ── what runs are compared by (measure.c) ─────────────────────────────────────────────────────*/
/* Of one rank: bytes kept, highest, highest by category, on other tiers and to and from them in a
 * step, sent per step by collective, as single numbers, and by way; how many collectives it starts
 * in a step. Of all: medians of times over the steps, and the steps that updated nothing. */
enum experiment_measure {
    EXPERIMENT_KEPT,
    EXPERIMENT_PEAK,
    EXPERIMENT_ACTIVATIONS,
    EXPERIMENT_GATHER,
    EXPERIMENT_REDUCE,
    EXPERIMENT_ON_HOST,
    EXPERIMENT_IN_FILE,
    EXPERIMENT_HOST_MOVED,
    EXPERIMENT_FILE_MOVED,
    EXPERIMENT_ALL_REDUCED,
    EXPERIMENT_SCATTERED,
    EXPERIMENT_GATHERED,
    EXPERIMENT_EXCHANGED,
    EXPERIMENT_SENT_STEP,
    EXPERIMENT_CONTROL,
    EXPERIMENT_INSIDE,
    EXPERIMENT_BETWEEN,
    EXPERIMENT_MESSAGES,
    EXPERIMENT_PASSES,
    EXPERIMENT_STEP_TIME,
    EXPERIMENT_EXPOSED,
    EXPERIMENT_UPDATE,
    EXPERIMENT_TIER_WAIT,
    EXPERIMENT_SKEW,
    EXPERIMENT_SKIPPED,
    EXPERIMENT_MEASURES
};

/* ── the labs there are ────────────────────────────────────────────────────────────────────────*/
#define EXPERIMENT_VARIANTS 4
#define EXPERIMENT_HERE     "{states}"
#define EXPERIMENT_OPTIONS  4
struct experiment_variant {
    /* "stage 2" */
    const char *label;
    /* of zerolab, in words: "--ranks 4 --stage 2"; EXPERIMENT_HERE in them is a folder that all
     * runs of the lab have while one of them is there */
    const char *arguments;
    /* it is to run out of memory under its cap: that is what there is to see */
    bool dies;
};
/* What of one run ÷ that of another, or a number that the engine knows. */
struct experiment_amount {
    const char *ask;
    /* "kind=bytes quantity=model_state …": fields of a problem and of its training; NULL: how many
     * times the time `of` the variant `run`, the slower, is that of the variant `to` */
    const char *problem;
    enum experiment_measure of;
    uint8_t run, to;
};
/* A question about what was measured: one of several, counted from 0. */
struct experiment_after {
    const char *ask;
    const char *option[EXPERIMENT_OPTIONS];
    uint8_t right;
    const char *because;
};
struct experiment_lab {
    const char *name, *title;
    /* the lesson whose question it answers, "2.2", and about how many minutes it takes */
    const char *lesson;
    unsigned minutes;
    /* Markdown: what is run, and what to look at */
    const char *about;
    /* the prediction that is asked for first */
    const char *ask;
    /* NULL past the last */
    const char *option[EXPERIMENT_OPTIONS];
    /* from 0 */
    uint8_t right;
    /* asked with it */
    struct experiment_amount amount;
    /* Markdown: what the run shows, and why */
    const char *reveal;
    /* asked then, outside of lessons that have a question of their own */
    struct experiment_after after;
    /* the panel to open with, and what the bars of its end show: "memory", "traffic",
     * "timeline" */
    const char *watch;
    /* the quantities that it is about, 1u << enum experiment_measure each; 0: memory, and what is
     * sent */
    uint32_t shows;
    /* run one after the other; label NULL past the last */
    struct experiment_variant variant[EXPERIMENT_VARIANTS];
    /* it has no variants until there is a scenario: experiment_capstone_new() */
    bool scaled;
};
/* How many there are, and one of them; NULL past the last. */
size_t experiment_labs(void);
const struct experiment_lab *experiment_lab_at(size_t i);
/* NULL if there is none of this name; its place, or the count. */
const struct experiment_lab *experiment_lab_find(const char *name);
size_t experiment_lab_place(const char *name);
/* The question that the labs of a lesson ("2.2") answer; "" if it has none. */
const char *experiment_lesson_asks(const char *lesson);
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
    /* the scenario */
    struct account_training real;
    /* the lab's own model, as wide as the scenario's, and scaled down: what runs */
    struct account_training large, small;
    /* what they hold */
    struct experiment_held scenario, at_size, scaled;
    /* what the scenario's GPU gives */
    uint64_t budget;
    /* the scenario's verdict */
    enum account_fit fits;
    /* parameters of `small` ÷ those of `large` */
    double ratio;
    /* at_size.peak ÷ (scenario.peak − scenario.framework): what the lab holds otherwise */
    double share;
    /* (budget − scenario.framework) × ratio × share */
    uint64_t cap;
    /* the engine's word for the scaled run: its peak is under the cap */
    bool runs;
    /* of zerolab, with the cap */
    char arguments[400];
};
struct experiment_capacity {
    /* at most */
    uint32_t ranks;
    /* for all ranks together; 0: no matter */
    uint64_t bytes;
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
/* Collectives that a training sends by, the engine's first ones. The first EXPERIMENT_SENT_TIMED
 * are also timed alone; the last is ZeRO++'s. */
enum {
    EXPERIMENT_SENT_AR = ACCOUNT_ALL_REDUCE,
    EXPERIMENT_SENT_RS = ACCOUNT_REDUCE_SCATTER,
    EXPERIMENT_SENT_AG = ACCOUNT_ALL_GATHER,
    EXPERIMENT_SENT_AA = ACCOUNT_ALL_TO_ALL,
    EXPERIMENT_SENT_TIMED = EXPERIMENT_SENT_AA,
    EXPERIMENT_SENT
};
/* bytes by category */
struct experiment_weights {
    uint64_t bytes[ACCOUNT_CATEGORIES], total;
};
/* Bytes of a rank that are not in its device's ledger, all 0 if it keeps and sends none there. */
struct experiment_elsewhere {
    /* held on the host and in its file at the highest moment */
    uint64_t host, file;
    /* in a step, both ways */
    uint64_t host_moved, file_moved;
    /* of what it sends in a step: to ranks of its node, to other nodes; both 0 if nodes are not
     * told apart */
    uint64_t inside, between;
};
struct experiment_rank {
    struct experiment_weights now, persistent, peak;
    /* at the moment of peak_total, once it ended */
    struct experiment_weights at_peak;
    /* the highest sum; the categories' peaks do not add up to it */
    uint64_t peak_total;
    char peak_where[64], where[64];
    /* at most, as its system counts; 0: not said */
    uint64_t resident;
    /* device_used, power, clock: of its GPU, as the driver says; 0: not said */
    uint64_t device_used;
    double power_w;
    uint32_t sm_mhz;
    /* in a step: the last that ended, in the end the mean of all */
    uint64_t sent[EXPERIMENT_SENT], sent_total, control;
    struct experiment_elsewhere elsewhere;
    /* as the engine said before; `known` false until it did */
    struct {
        bool known;
        struct experiment_weights persistent, peak;
        uint64_t peak_total;
        char peak_where[64];
        /* of what is next to it in `sent`: skipped steps are taken off */
        uint64_t sent[EXPERIMENT_SENT], sent_total;
        struct experiment_elsewhere elsewhere;
    } predicted;
    /* persistent, peak, sent and elsewhere are its own last words; until then `persistent` is not
     * known, and `peak` may have been higher */
    bool ended;
    /* of its optimizer state, once it ended */
    char state_hash[32];
    /* The moments of the last step that has ended, each with the highest sum within it, and the
     * total that the engine predicts of it, 0 if it knows none. No moments: no step has ended,
     * or the events do not tell highest sums, as those of old recordings. */
    const struct account_timepoint *moment;
    const uint64_t *foreseen;
    size_t moments;
};
struct experiment_step {
    uint32_t step;
    double loss, ms, compute_ms, comm_ms, exposed_ms, skew_ms, tokens_per_s;
    /* the update waited for other tiers; 0 if there are none */
    double offload_ms;
    /* the optimizer's passes took so long, and were so many, each the mean of the ranks; 0: old
     * recordings do not say */
    double update_ms, passes;
    /* of the loss, in fp16; 0: it has none */
    double scale;
    /* gradients overflowed fp16: nothing was updated, so nothing gathered after */
    bool skipped;
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
    /* as the lab wrote it, for exports; all that the tutor shows is in the other members */
    json_t *event;
    int64_t version, ranks;
    uint32_t stage;
    /* whether it says its stage at all */
    bool names_stage;
    /* what the engine calls this run: recipe zerolab; only if it says enough for that */
    bool names_training;
    struct account_training training;
    /* steps, with those of its checkpoint, which it does not make itself; 0: it does not say */
    uint32_t planned, done;
    /* cap: bytes that a rank may hold; 0: any */
    uint64_t params, cap;
    /* bytes that a parameter is sent in */
    unsigned wire;
    char precision[16], device[16], comm[16], host[128], hardware[200];
    /* so its times are not those of a cluster */
    bool shares_cores, emulates_link;
    /* it has a fault on purpose */
    bool planted;
    /* The smallest and the largest array, if the run times collectives and trains nothing; else
     * 0. */
    uint64_t from, to;
};
/* The time of one collective alone: the median over ranks and repetitions. */
struct experiment_timing {
    /* EXPERIMENT_SENT_AR … */
    uint8_t op;
    /* False: its line was fitted without it. */
    bool fitted;
    uint64_t bytes;
    double seconds;
};
/* The line through the times of a collective. */
struct experiment_line {
    bool known;
    struct account_link_fit fit;
};
enum { EXPERIMENT_TIMINGS = 192 }; /* kept; a run may tell more */
#define EXPERIMENT_RANKS 64        /* shown; a run may have more */
struct experiment_state {
    bool started, ended, failed, recorded;
    /* no more comes, whether it ended or not */
    bool over;
    /* what figures call it */
    const char *label;
    struct experiment_setup setup;
    /* seen: ranks there is a struct for */
    uint32_t ranks, stage, seen;
    /* steps; 0: its start does not say */
    uint32_t planned;
    /* steps so far */
    uint32_t told, skipped;
    /* those of them that, against the prediction, gathered nothing */
    uint32_t ungathered;
    struct experiment_rank rank[EXPERIMENT_RANKS];
    size_t steps, spans;
    /* all steps so far; of more than some thousands every second, fourth …, and the last */
    const struct experiment_step *step;
    /* the collectives of the last step that ended, by rank and time */
    const struct experiment_span *span;
    /* of the end event, in nine digits */
    char loss[32], weights_hash[32];
    /* so many different optimizer states the ranks ended with; 0 until then */
    uint32_t states;
    /* bytes that a rank wanted to hold when it ran out of memory; 0: none did */
    uint64_t refused;
    /* of an error event, in a sentence; "" if none */
    char trouble[400];
    /* of collectives that were timed, in the order in which they were told */
    size_t timings;
    struct experiment_timing timing[EXPERIMENT_TIMINGS];
    struct experiment_line line[EXPERIMENT_SENT_TIMED];
    /* events so far; lines that were none */
    size_t lines, broken;
    size_t logs;
    /* what happened, a line each: the last few hundred */
    const char *const *log;
};

/* The lab's programs, and the devices that they find:
 * [{"name":"zerolab-cuda","path":"…","devices":[…]} or, where one is missing or says nothing,
 * "why":"…"]. A device that is not there says "why" itself. The caller owns it. */
json_t *experiment_backends(void);

/* Starts zerolab with these words (split at white space): on GPUs where there are any, unless the
 * words say `--device cpu` or want a link emulated. NULL where it cannot be found or started. */
struct experiment *experiment_start(const char *arguments, struct base_message *m);
/* Where a run may go, if it does not have the machine to itself. {0}: anywhere. */
struct experiment_place {
    /* the only GPUs that it sees, "0,3" (CUDA_VISIBLE_DEVICES); NULL: all */
    const char *gpus;
    /* on the CPU, whatever GPUs there are; false with the message if the words want a GPU */
    bool cpu;
    /* bytes that a rank may hold, unless the words set a cap; 0: any */
    uint64_t cap;
    /* threads of a CPU rank's BLAS, unless the words say; 0: the machine's cores among the ranks */
    uint32_t threads;
    /* words before the program's, "srun --ntasks=1": another program that starts it; NULL: none */
    const char *under;
    /* GPUs where that starts it, which may be another machine; 0: those of this machine, if any */
    uint32_t there;
};
/* The same there. The strings are borrowed for this call. */
struct experiment *experiment_start_in(const char *arguments, const struct experiment_place *where,
                                       struct base_message *m);
/* Ranks that a run with these words has, and whether experiment_start() would run it on GPUs. */
uint32_t experiment_ranks(const char *arguments);
/* Cores that a run on the CPU keeps busy: its ranks times the threads that the words give each
 * one's BLAS, or one thread each. At most 65,535. */
uint32_t experiment_cores(const char *arguments);
bool experiment_uses_gpu(const char *arguments);
/* The same of a run at a place. */
bool experiment_uses_gpu_in(const char *arguments, const struct experiment_place *where);
/* Whether the words name a GPU ("--device cuda") that is not there, nor the program for it. */
bool experiment_lacks_gpu(const char *arguments, const struct experiment_place *where);
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
/* How many times slower than it was recorded a recording is played. 1 at its own pace, for a run,
 * and if no event says how long it took. */
double experiment_slowness(const struct experiment *t);
/* Plays a recording, or what is watched, faster or slower by a factor of two, within 1/16 and 16
 * times. False for a run. */
bool experiment_pace(struct experiment *t, bool faster);
/* Plays a recording that begins at the speed of the one before it. */
void experiment_keep_pace(struct experiment *t, const struct experiment *before);
/* Goes back to the end of the step before. The next experiment_read() delivers it. False for a run,
 * and for what is over. */
bool experiment_back(struct experiment *t);
/* Moves a recording's clock to the end of its next step. The next experiment_read() delivers it.
 * False for a run. */
bool experiment_advance(struct experiment *t);
/* Moves the clock of a recording, or of a watched run, to its end. The next calls of
 * experiment_read() deliver the remaining events. False for a run. */
bool experiment_finish(struct experiment *t);
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
    EXPERIMENT_LEDGER,
    EXPERIMENT_COLLECTIVES,
    EXPERIMENT_PANELS
};
const char *experiment_panel_name(enum experiment_panel panel);
/* Says whether the panel has something to show of such a run: one that times collectives has no
 * memory, and one that trains times no collectives. */
bool experiment_panel_tells(const struct experiment_state *s, enum experiment_panel panel);
/* What the run works on: "220.5K params", and of one that times collectives "4.00 KB to 8.00 MB".
 * `params`: what to call its parameters. Returns `out`. */
enum { EXPERIMENT_WORK = 48 };
const char *experiment_say_work(const struct experiment_state *s, const char *params,
                                char out[static EXPERIMENT_WORK]);
/* The seconds that the line of a collective gives an array of so many bytes; 0 if it has no line.
 */
double experiment_line_seconds(const struct experiment_state *s, unsigned op, double bytes);
/* How far the axes of memory and of a step's time go at least, so that they stay as they are from
 * one run of a lab to the next. */
struct experiment_reach {
    uint64_t bytes;
    double ms;
};
/* Extends `r` to the highest peak, measured or predicted, of a run's ranks, and to its longest
 * step. `t` may be NULL. */
void experiment_extend(struct experiment_reach *r, const struct experiment *t);

const char *experiment_measure_name(enum experiment_measure m);
/* Takes the quantity from a run: bytes, milliseconds or a count. False if it is not known. */
bool experiment_measured(const struct experiment_state *s, uint32_t rank, enum experiment_measure m,
                         double *value);
/* Prints it with its unit; the caller owns it. */
char *experiment_measure_print(enum experiment_measure m, double value);
/* Says whether the runs differ in it. A time has to be twice another, since times vary from
 * step to step. */
bool experiment_differ(const struct experiment_state *const *s, size_t n,
                       enum experiment_measure m);

/* ── the runs of a lab next to each other, once all are over ───────────────────────────────────*/
struct experiment_compared {
    /* borrowed */
    const struct experiment_lab *lab;
    /* quantities that the lab names, and those with the ones in which its runs differ */
    uint32_t named, shown;
    /* predictions of bytes that were compared; those that did not hold */
    size_t figures, missed;
    /* bytes between one of these and what was measured, at most */
    uint64_t furthest;
    /* the last loss and the weights are the same in all runs, to the bit */
    bool same_loss;
    /* the one thing that surprises, in words; "" if there is none */
    char surprise[240];
    /* that explains it: "2.4" */
    const char *lesson;
};
struct experiment_compared experiment_compare(const struct experiment_state *const *s, size_t n,
                                              const struct experiment_lab *lab);
/* Says whether the last losses and the weights are the same, and which runs have other ones than
 * the first, or if they do not fit into so many cells, how many. The caller's. */
char *experiment_agreement(const struct experiment_state *const *s, size_t n, int room);

#endif
