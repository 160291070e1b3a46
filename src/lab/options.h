/* What was asked of zerolab on its command line; every flag of it, with its default. */
#ifndef LAB_OPTIONS_H
#define LAB_OPTIONS_H

#include "lab/dtype.h"

#include <stdio.h>

enum lab_checkpoint { LAB_KEEP_ALL, LAB_SELECTIVE, LAB_FULL };
enum lab_switch { LAB_OFF, LAB_ON };
/* Whose moments are kept: in fp32, or in 8 bits. */
enum lab_optimizer { LAB_ADAMW, LAB_ADAM8BIT };
/* What gradients are added up and sent in: what is computed in, or fp32. */
enum lab_width { LAB_AUTO, LAB_WIDE_GRADS };
enum lab_products { LAB_FIRST, LAB_TIMED };
enum lab_transport { LAB_SHM, LAB_LOCAL, LAB_NCCL };
enum lab_kind { LAB_CPU, LAB_CUDA };
/* Faults that are planted on purpose (bugs.c). */
enum lab_bug {
    LAB_NO_BUG,
    LAB_FORGOTTEN_MEAN,
    LAB_LOCAL_NORM,
    LAB_KEPT_GRADS,
    LAB_MISSING_GATHER,
    LAB_LATE_REDUCE,
    LAB_STALE_PREFETCH,
    LAB_SAME_DATA,
    LAB_LOST_BUCKET,
    LAB_BUGS
};
/* What the optimizer updates in one pass: all that a rank has of a unit, or of a tensor. */
enum lab_passes { LAB_BY_SHARD, LAB_BY_TENSOR };
/* Where model states are: with what computes, on the host, in a file. */
enum lab_tier_kind { LAB_TIER_DEVICE, LAB_TIER_HOST, LAB_TIER_NVME, LAB_TIERS };

/* GPT-2: learned positions, biases, f = 4 · width. Its head is the table of the tokens, unless it
 * is untied. */
struct lab_shape {
    uint32_t layers, width, heads, seq, vocab;
    bool untied;
};
struct lab_options {
    enum lab_kind device;
    enum lab_transport comm;
    bool share_gpu;
    uint32_t ranks, stage;
    /* Ranks that share the states among them, and of a node. 0: all; the group, or all. */
    uint32_t shard_group, node;
    /* Ranks that share a second copy of the parameters (ZeRO++'s hpZ); 0: there is none. */
    uint32_t hpz;
    /* Parameters are gathered in 8 bits, gradients reduced in 4 (ZeRO++'s qwZ and qgZ). */
    enum lab_switch qwz, qgz;
    /* that ranks of comm local are spread over */
    uint32_t gpus;
    /* Of the BLAS, in each rank; 0: cores ÷ ranks. The same number gives the same bits. */
    uint32_t threads;
    /* "tiny", "124m" …; "custom" if the shape was given */
    char model[16];
    struct lab_shape shape;
    uint32_t batch, steps, accumulate, prefetch;
    uint64_t seed;
    /* LAB_F32; LAB_BF16 and LAB_F16 also keep an fp32 master copy */
    enum lab_dtype compute;
    enum lab_width grad_dtype;
    /* The embeddings' gradients travel as rows (rows.c). */
    bool sparse_gradients;
    enum lab_optimizer optimizer;
    enum lab_checkpoint checkpoint;
    /* bytes */
    uint64_t bucket;
    /* which of the library's algorithms GPUs' products take */
    enum lab_products products;
    /* 0: off */
    double clip;
    /* the learning rate's highest, weight decay */
    double rate, decay;
    /* the loss on what is not trained on, every so many steps; 0: never */
    uint32_t evaluate;
    /* steps of linear warm-up; cosine to a tenth afterwards */
    uint32_t warmup;
    /* bytes a rank may hold; 0: no cap */
    uint64_t cap;
    /* emulated, inside a node: bytes per second, seconds; 0: none. Between nodes; 0: the same. */
    double link_rate, link_latency, net_rate, net_latency;
    /* the same, between the device and the host, and between the host and the file */
    double host_rate, host_latency, nvme_rate, nvme_latency;
    enum lab_tier_kind offload_optimizer, offload_params;
    /* The folder for a file of each rank; "": none is needed. */
    char offload_dir[256];
    /* Its files are read and written past the page cache. Not an option: found out there. */
    bool offload_direct;
    /* "text": the bundled text, "random": seeded synthetic tokens, or a file of bytes. */
    char tokens[256];
    /* Write initial weights and tokens there and go on (for a reference); "" for none. */
    char weights[256];
    /* The folder of checkpoints to write, every so many steps and after the last one (0: only
     * then), of which the newest so many stay; "": none. */
    char save[256];
    uint32_t save_every, keep;
    /* The checkpoint, or a folder of them, to go on from; "" if the training begins anew. */
    char resume[256];
    /* Steps that the checkpoint had made, read from it and not an option; 0 without one. */
    uint32_t done;
    /* Memory and transfers are told of the first step, and of every so many. */
    uint32_t detail_every;
    /* file of events; "" is standard output */
    char events[256];
    /* Where ranks that another launcher started meet: "host:port"; "": as it says. */
    char rendezvous[256];
    /* seconds that they may take to come there */
    double patience;
    /* seconds without progress after which a rank is said to hang */
    double stall;
    /* collectives alone, no training; of a bucket, or from so many bytes to so many, each size so
     * many times the one before (to 0: a bucket) */
    bool links;
    uint64_t from, to;
    uint32_t factor;
    /* the fault that this run was given; never kept, and every end says so */
    enum lab_bug bug;
    /* It was asked for by its number, so nothing tells its name. */
    bool unnamed_bug;
    /* This rank computes so many times as long as the others; 0 times: none does. */
    uint32_t slow_rank;
    double slow_times;
    enum lab_passes update;
    /* microseconds that starting a pass of the update costs, emulated; 0: as it is */
    double launch;
    /* the loss's scale in fp16, as it stays; 0: it adapts */
    double loss_scale;
    /* weights and states are not read at the end */
    bool no_hash;
    /* dry: the schedule is walked with nothing allocated or computed */
    bool predict, probe, dry;
};
/* What GPUs' kernels take: a row in a warp's registers, a sequence a layer of a grid. */
enum { LAB_CUDA_WIDTH_MOST = 6144, LAB_CUDA_BATCH_MOST = 65535 };
struct lab_message {
    char text[300];
};
/* Returns how many ranks are on a node. */
uint32_t lab_node_ranks(const struct lab_options *o);
/* What gradients are kept and sent in. */
enum lab_dtype lab_grads_type(const struct lab_options *o);
/* Elements of which shards are a multiple: a block, if anything is in blocks; else 1. */
size_t lab_grain(const struct lab_options *o);
/* The fewest bytes of a bucket: the grain for each rank. */
uint64_t lab_bucket_least(const struct lab_options *o);
/* Returns how many ranks share the states: those of a group, or all. */
uint32_t lab_sharers(const struct lab_options *o);
/* Whether links are emulated. */
bool lab_is_emulated(const struct lab_options *o);
/* Whether traffic inside nodes and between them is told apart. */
bool lab_has_nodes(const struct lab_options *o);
/* Whether ranks compute: the run is not only predicted, nor dry. Without, no BLAS is loaded or
 * timed, and no file is tried. */
bool lab_computes(const struct lab_options *o);
/* Whether some state is on a file tier. */
bool lab_uses_file(const struct lab_options *o);
void lab_options_default(struct lab_options *o);
/* Reads argv; false with one line that names the option and what is allowed. `--help` is the
 * caller's. */
bool lab_options_read(int argc, char **argv, struct lab_options *o, struct lab_message *m);
/* Whether the options agree with each other (options_check.c: heads divide width, ranks within
 * bounds …). */
bool lab_options_check(const struct lab_options *o, struct lab_message *m);
/* Prints --help (help.c). */
void lab_options_help(FILE *out);
/* bugs.c: the fault as --plant-bug names it, and what it does; as it was asked for, by its name or
 * its number. */
const char *lab_bug_name(enum lab_bug bug);
const char *lab_bug_asked(const struct lab_options *o);
const char *lab_bug_says(enum lab_bug bug);
/* Whether the run has a use for its planted fault, and keeps nothing that it makes. */
bool lab_bug_check(const struct lab_options *o, struct lab_message *m);

/* ── one row per flag of the command line ── */

enum lab_flag_kind {
    /* uint32_t, from `least` to `most` */
    LAB_FLAG_COUNT,
    /* uint64_t */
    LAB_FLAG_SEED,
    /* uint64_t; "none" is 0 where `off` */
    LAB_FLAG_BYTES,
    /* an enum; `choices` are its values in order, of which 1 to `most` may be given as numbers */
    LAB_FLAG_CHOICE,
    /* double above 0; `off` names 0 */
    LAB_FLAG_REAL,
    /* char[256] */
    LAB_FLAG_TEXT,
    LAB_FLAG_MODEL,
    /* two doubles: "10GB/s,20us" */
    LAB_FLAG_LINK,
    /* "1,4" */
    LAB_FLAG_SLOW,
    /* bool, without a value */
    LAB_FLAG_ON
};
struct lab_flag {
    const char *name;
    enum lab_flag_kind kind;
    /* offset in struct lab_options */
    size_t at;
    const char *choices, *off;
    uint32_t least, most;
};
const struct lab_flag *lab_flags(size_t *count);
/* False, with the message. */
bool lab_fail(struct lab_message *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
