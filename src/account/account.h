/* account: the engine. Bytes, problems, mistakes. Pure: no I/O, no globals that change, no allocation,
 * nothing but libm; it knows no other room. Every number a learner sees comes from here.
 *
 * Ownership: all results are filled into structs of the caller's; every `const … *` returned points to constant
 * tables that live for ever. Functions that can fail return false and fill `struct account_error`.
 *
 * Conventions: Ψ is `params`, the exact number of parameters; N is the size of the group that shards. 1 GB = 1e9 bytes,
 * 1 GiB = 2^30. Shards hold ceil(n / N) elements on every rank, padding last and counted. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct account_error {
    char what[240]; /* what is wrong and what to do; no trailing full stop */
    int column;     /* 1-based column (in characters) of the text that was read; 0 if none */
};

/* ── categories ──────────────────────────────────────────────────────────────────────────────────*/
enum account_category {
    ACCOUNT_PARAMS,
    ACCOUNT_GRADS,
    ACCOUNT_MASTER,
    ACCOUNT_MOMENTS,
    ACCOUNT_ACTIVATIONS,
    ACCOUNT_GATHER,
    ACCOUNT_REDUCE,
    ACCOUNT_WORKSPACE,
    ACCOUNT_FRAMEWORK,
    ACCOUNT_CATEGORIES
};
/* "params", "grads", … and one line on what it holds. */
const char *account_category_name(enum account_category c);
const char *account_category_what(enum account_category c);

/* ── units ───────────────────────────────────────────────────────────────────────────────────────*/
enum account_unit { /* the unit an answer is asked in; base units are bytes, parameters, GPUs, bytes per parameter */
                    ACCOUNT_UNIT_NONE,
                    ACCOUNT_UNIT_B,
                    ACCOUNT_UNIT_KB,
                    ACCOUNT_UNIT_MB,
                    ACCOUNT_UNIT_GB,
                    ACCOUNT_UNIT_TB,
                    ACCOUNT_UNIT_KIB,
                    ACCOUNT_UNIT_MIB,
                    ACCOUNT_UNIT_GIB,
                    ACCOUNT_UNIT_TIB,
                    ACCOUNT_UNIT_PARAMS,  /* printed 13B, 350M */
                    ACCOUNT_UNIT_BILLION, /* of parameters */
                    ACCOUNT_UNIT_GPUS,
                    ACCOUNT_UNIT_B_PER_PARAM,
                    ACCOUNT_UNIT_SECONDS,
                    ACCOUNT_UNIT_MS,
                    ACCOUNT_UNIT_GB_PER_S,
                    ACCOUNT_UNITS
};
const char *account_unit_name(enum account_unit u); /* "GB", "GiB", "B/param" … */
double account_unit_scale(enum account_unit u);     /* in base units: GB is 1e9 */
bool account_unit_find(const char *name, enum account_unit *out);

/* A count such as "13B", "7.5e9", "350M", "1 558 M", "124439808" (K, M, B or G, T are decimal); whole after scaling. */
bool account_read_count(const char *text, uint64_t *out, struct account_error *e);
/* Bytes such as "80GiB", "31.4 GB", "2.5e9"; decimal and binary never confused; "80G" is decimal. */
bool account_read_bytes(const char *text, double *out, struct account_error *e);
/* A rate such as "25GB/s", "400 Gb/s" (bits), in bytes per second. */
bool account_read_rate(const char *text, double *out, struct account_error *e);
/* "13B", "7.5B", "124.4M": the shortest name with at most 4 significant digits. */
const char *account_print_count(char *out, size_t size, double count);
/* A value of base units in the unit asked, `digits` significant digits, trailing zeros dropped, with the unit's name: "31.4 GB". */
const char *account_print(char *out, size_t size, double value, enum account_unit u, int digits);
/* The number alone, with so many digits after the point, whatever they are: "26.3", "0.10". Halves go away from zero, as in
 * account_print(): a column, a figure and the text beside them show the same. */
const char *account_print_fixed(char *out, size_t size, double value, enum account_unit u,
                                int decimals);
/* How many digits after the point a column of such values needs, so that the smallest says something: none if all are whole. */
int account_decimals(const double *values, size_t count, enum account_unit u);
/* Bytes in the decimal unit that reads best: "112 GB", "62.0 MB", "0 B". */
const char *account_print_bytes(char *out, size_t size, double bytes);

/* A number in words: "sixteen", "two hundred and eight", "twelve and a half", "nine point five". */
struct account_words {
    double value;
    int last; /* the power of ten of the last digit that was said: -1 in "nine point five" */
    double
        scale; /* what the first word multiplies by, as in "13 billion"; 0 if it stands for itself */
};
/* Reads the one that `text` begins with; white space and line breaks part its words. Returns where it ends, or NULL if there is none. */
const char *account_read_words(const char *text, struct account_words *out);

/* What a learner typed: a number or an expression, bare or with units. */
struct account_reading {
    double value;           /* in base units when `explicit`, else as typed */
    bool explicit_unit;     /* G, GB, GiB, e9 … said which unit was meant */
    bool count_suffix;      /* 13B was typed where bytes are meant: worth an ungraded hint */
    enum account_unit unit; /* the unit said, or NONE */
};
/* Expressions have + - * × x / ÷ ^ ( ), numbers, suffixes (K M G T B, KB…TiB, e9); "about" and ~ may stand before, and of several
 * with = between them the last is the answer, if they agree. This is the likeliest reading; account_judge() knows what was asked and
 * tries others too. The error names the column. */
bool account_read_answer(const char *text, struct account_reading *out, struct account_error *e);

/* ── figures in running text ─────────────────────────────────────────────────────────────────────
 * A number with a unit as people write it in a sentence: "48.75 GB", "~190 ms", "66–68 GB", "13.7k tokens/s", "14,790 tokens per second". */
enum account_measure {
    ACCOUNT_FIGURE_NOTHING, /* a bare number */
    ACCOUNT_FIGURE_BYTES,
    ACCOUNT_FIGURE_SECONDS,
    ACCOUNT_FIGURE_TOKENS_PER_S,
    ACCOUNT_FIGURE_BYTES_PER_S,
    ACCOUNT_FIGURE_BYTES_PER_PARAM,
    ACCOUNT_FIGURE_PARAMS,
    ACCOUNT_FIGURE_TOKENS,
    ACCOUNT_FIGURE_SHARES, /* "22 %" is 0.22 */
    ACCOUNT_FIGURE_TIMES,  /* "1.5×" */
    ACCOUNT_FIGURE_GPU_HOURS,
    ACCOUNT_MEASURES
};
struct account_figure {
    double low, high; /* base units; the same unless it is a range */
    double half;      /* half of one in its last digit */
    double loose;     /* the same if zeros at its end are rounding: 50 is ± 5 */
    double other;     /* with its point or comma taken otherwise: 1.199 for 1199; 0: only one way */
    int digits;       /* significant ones */
    bool hedged, range; /* "about", "~"; "66–68" */
    bool bits;          /* a unit of bits */
    enum account_measure measure;
    double scale;       /* of the unit */
    const char *unit;   /* "GB", "" */
    const char *number; /* where in the text the number begins, behind "about" */
};
/* Reads the figure that `text` begins with, a word such as "about" before it included; it may have no unit. Returns where it ends, NULL if
 * none begins here. Linear in what it reads. */
const char *account_read_figure(const char *text, struct account_figure *out);
/* Whether `text` begins with a unit that figures may have; fills measure, scale and unit. */
bool account_read_unit(const char *text, struct account_figure *out);
/* Gives a bare number the unit that stands elsewhere, as in a table's head. */
void account_figure_in(struct account_figure *f, const struct account_figure *unit);
/* Whether a value (base units) is what the figure says, within half of its last digit; "about" allows one digit less. */
bool account_figure_is(const struct account_figure *f, double truth);

/* ── what is trained, and how ────────────────────────────────────────────────────────────────────
 * One row a field: the same names are command-line flags, JSON keys, Lua keys and slider controls. */
struct account_shape { /* zero where unknown */
    uint8_t family;    /* 0 none; else a row of the families: gpt, llama, qwen … */
    bool tied;         /* the head is the embedding */
    uint32_t layers, hidden, heads, kv_heads, head_size, ffn, vocab, context;
    uint32_t experts, experts_active,
        expert_ffn; /* 0 in dense models; `ffn` is then unused if every layer has experts */
};
struct account_model { /* data/models.json */
    const char *name, *title, *source;
    uint64_t params;
    struct account_shape shape;
};
struct account_card { /* data/hardware.json */
    const char *name, *title, *source;
    uint64_t label_bytes;               /* what the box says: 80e9 */
    uint64_t driver_bytes;              /* nvidia-smi's total; 0 if unverified */
    uint64_t torch_bytes;               /* PyTorch's total_memory; 0 if no source has it */
    double flops;                       /* dense 16-bit matrix products, per second; 0 if unknown */
    double memory_rate;                 /* bytes per second of its own memory */
    bool bf16;                          /* computes in bf16 */
    const char *link, *net, *host_link; /* what it usually stands on: names of links, or NULL */
};
struct account_link { /* data/hardware.json: one direction, per GPU */
    const char *name, *title, *source;
    double rate;    /* bytes per second that collectives reach, one direction */
    double wire;    /* bytes per second by the data sheet, one direction */
    double latency; /* seconds a hop */
};
struct account_node { /* data/hardware.json: what machines with such cards usually hold */
    const char *name, *title, *source, *card;
    uint32_t gpus;
    uint64_t host_bytes, nvme_bytes;
    double nvme_rate; /* bytes per second, one direction, of the node */
};
enum account_checkpoint { ACCOUNT_KEEP_ALL, ACCOUNT_SELECTIVE, ACCOUNT_FULL };
enum account_tier { ACCOUNT_GPU, ACCOUNT_HOST, ACCOUNT_NVME, ACCOUNT_TIERS };
enum account_width { ACCOUNT_AS_RECIPE, ACCOUNT_16_BIT, ACCOUNT_32_BIT }; /* of gradients */

struct account_training {
    uint64_t params;                   /* Ψ */
    const struct account_model *model; /* NULL if a bare Ψ or a config */
    struct account_shape shape;
    const struct account_card *card;      /* NULL if none was named */
    uint32_t gpus;                        /* world size W */
    uint32_t gpus_per_node;               /* 0: all in one node */
    uint8_t stage;                        /* 0..3 */
    uint8_t precision, optimizer, recipe; /* indices of the tables behind account_fields() */
    uint8_t grad_dtype;                   /* enum account_width: how gradients are kept */
    uint8_t reduce_dtype;                 /* enum account_width: how they travel */
    /* adapters */
    uint32_t lora;  /* rank of the adapters on query and value; 0: everything is trained */
    bool quantized; /* the frozen base is NF4 with double quantization */
    /* a step; batch or seq 0: activations are not asked for */
    uint32_t batch, seq, accumulate; /* sequences a micro-batch, tokens, micro-batches a step */
    uint8_t checkpoint;              /* enum account_checkpoint */
    bool flash, dropout;
    /* the mesh: data-parallel degree = gpus / (tp · pp · cp) */
    uint32_t tp, pp, cp, ep, interleave; /* all 1 by default; ep divides dp · cp */
    bool sp;                             /* sequence parallel, beside tp */
    uint32_t shard_group; /* ranks that share the states (HSDP, MiCS); 0: all dp · cp of them */
    uint32_t hpz;         /* ranks that share ZeRO++'s secondary parameters; 0: there are none */
    bool qwz, qgz;        /* ZeRO++: weights gathered, gradients reduced in 8 and 4 bits */
    /* tiers, buffers, links */
    uint8_t offload_optimizer, offload_params; /* enum account_tier; ACCOUNT_GPU: not offloaded */
    uint64_t bucket;                           /* 0: the recipe's own */
    bool bucket_elements; /* `bucket` counts elements (a bare number under DeepSpeed), not bytes */
    uint32_t prefetch;    /* units gathered ahead */
    struct account_link link,
        net; /* inside a node, between nodes; name NULL: the card's own, if one was named */
    double efficiency; /* share of the card's `flops` that matrix products reach */
};
struct account_training
account_training_default(void); /* 1 GPU, stage 0, mixed-bf16, adamw, paper, no activations */

struct account_field {
    const char
        *name; /* "params", "gpus", "stage", "precision" …; the flag is the same with - for _ */
    const char *label;   /* for people: "parameters" */
    const char *help;    /* one line */
    const char *choices; /* "mixed-bf16|mixed-fp16|bf16|fp32", or NULL for a number or a name */
};
const struct account_field *account_fields(size_t *count);
/* Sets one field from text. `model` also sets params and shape. Errors say what is wrong, and what would be right. */
bool account_set(struct account_training *t, const char *field, const char *text,
                 struct account_error *e);
/* The field as text that account_set() reads back. NULL if there is no such field. */
const char *account_get(const struct account_training *t, const char *field, char *out,
                        size_t size);
/* Whether the field is as account_training_default() has it: writers leave those out. */
bool account_is_default(const struct account_training *t, const char *field);
/* Whether the fields agree with each other (params known, 1 ≤ gpus, optimizer that needs a shape has one …). */
bool account_check(const struct account_training *t, struct account_error *e);

const struct account_model *account_models(size_t *count);
const struct account_card *account_cards(size_t *count);
const struct account_model *account_model_find(const char *name); /* aliases too; NULL if unknown */
const struct account_card *account_card_find(const char *name);
/* Exact parameter count of a shape; 0 if the family is unknown, UINT64_MAX if it is more than 64 bits hold. */
uint64_t account_count_params(const struct account_shape *s);
/* "llama" …; "none" of a shape without one. */
const char *account_family_name(const struct account_shape *s);
/* What `family` of a shape is set to; false if there is no such family. */
bool account_family_find(const char *name, uint8_t *out);

const struct account_link *account_links(size_t *count);
const struct account_link *account_link_find(const char *name); /* aliases too; NULL if unknown */
const struct account_node *account_nodes(size_t *count);
const struct account_node *
account_node_of(const struct account_card *card); /* NULL if none is catalogued */
/* Where the GPUs of a node were not said: puts them into the nodes that such cards usually stand in, if they fill more than one.
 * Returns the node that was assumed, or NULL. */
const struct account_node *account_assume_node(struct account_training *t);
/* Names of the rows, for choices and completions: recipes, precisions, optimizers, families. */
struct account_row {
    const char *name, *what, *source;
};
size_t account_recipes_list(struct account_row *out, size_t capacity);
/* Whether the recipe has this stage at all (FSDP has no stage 1, Megatron no 2 and 3). */
bool account_has_stage(const struct account_training *t, uint8_t stage);
/* Data-parallel degree dp = W / (tp · pp · cp), and N, the ranks that share the states: the shard group or dp · cp. */
uint32_t account_data_parallel(const struct account_training *t);
uint32_t account_shard_ranks(const struct account_training *t);

/* ── ledgers ─────────────────────────────────────────────────────────────────────────────────────*/
struct account_ledger {
    uint64_t bytes[ACCOUNT_CATEGORIES];
    uint64_t total;
    uint64_t
        padding; /* how many bytes of the total only pad shards, on the last rank: it has them all */
};
/* What one GPU keeps: its model states all the time, and whatever of activations, buffers and framework the training asks
 * for (batch and seq, a recipe with buffers, a card), each at its own highest. With pipeline stages: the first one's rank. */
bool account_ledger(const struct account_training *t, struct account_ledger *out,
                    struct account_error *e);

/* ── memory over a step ──────────────────────────────────────────────────────────────────────────*/
enum account_phase {
    ACCOUNT_INIT,
    ACCOUNT_FORWARD,
    ACCOUNT_BACKWARD,
    ACCOUNT_UPDATE,
    ACCOUNT_PHASES
};
const char *account_phase_name(enum account_phase p); /* "init", "forward", "backward", "update" */
struct account_instant { /* an instant, and all that lives then on one GPU */
    struct account_ledger ledger;
    const char *where; /* "forward, logits", "backward, last block", "update" */
};
struct account_memory {
    struct account_ledger gpu;                    /* as account_ledger() */
    struct account_ledger host, nvme;             /* per node */
    struct account_ledger persistent;             /* on the GPU, between two steps */
    struct account_instant phase[ACCOUNT_PHASES]; /* the highest moment of each */
    enum account_phase peak;                      /* the highest of those; moment: phase[peak] */
    uint64_t highest
        [ACCOUNT_CATEGORIES]; /* of each category by itself; they do not add up to the peak */
};
bool account_memory(const struct account_training *t, struct account_memory *out,
                    struct account_error *e);
/* Bytes of layers that stage 3 gathers although the recipe names no buffers: any implementation needs them, and the paper's own count,
 * which this much is added to wherever a step is counted (batch, seq and shape are known), leaves them out. 0 for other recipes and stages. */
uint64_t account_implied(const struct account_training *t);

enum account_fit { ACCOUNT_FITS, ACCOUNT_TIGHT, ACCOUNT_TOO_LARGE };
const char *account_fit_name(enum account_fit f); /* "yes", "tight", "no" */
/* Tight is over nine tenths: what an allocator wastes lives in the rest. That is a judgement, not a measurement. */
enum account_fit account_fit(uint64_t bytes, uint64_t budget);

/* Who says how many bytes a card has, the best first: what a training in PyTorch can have is what PyTorch is given. */
enum account_reporter { ACCOUNT_BY_TORCH, ACCOUNT_BY_DRIVER, ACCOUNT_BY_LABEL, ACCOUNT_REPORTERS };
/* The bytes that it says, or 0 if no source has them. */
uint64_t account_card_bytes_by(const struct account_card *card, enum account_reporter by);
/* The best reporter whose figure is sourced. */
enum account_reporter account_card_reporter(const struct account_card *card);
/* The usable bytes of a card, for everything that asks whether something fits: those that its best reporter says. */
uint64_t account_card_bytes(const struct account_card *card);
/* "PyTorch reports", "the driver reports", "the label says". */
const char *account_reporter_name(enum account_reporter by);
/* One or two plain sentences: what the label means, what the driver and PyTorch report. Returns `out`. */
const char *account_card_explain(const struct account_card *card, char *out, size_t size);

/* Summed over all ranks, every pipeline stage by itself; 128 bits hold a million ranks of 100e12 parameters. */
__extension__ typedef unsigned __int128 account_sum;
bool account_cluster(const struct account_training *t, uint32_t categories, account_sum *out,
                     struct account_error *e);

/* What account_memory() counts of the GPU beside model states, part by part: the parts of a category add up to `gpu`'s, or to those
 * of one moment, whose name is `where` (NULL: of each category its highest). Returns how many; at most ACCOUNT_BESIDE_MOST. */
struct account_beside {
    enum account_category category;
    const char *what, *source;
    uint64_t bytes;
};
#define ACCOUNT_BESIDE_MOST 16
size_t account_beside(const struct account_training *t, const char *where,
                      struct account_beside out[ACCOUNT_BESIDE_MOST]);

/* ── activations ─────────────────────────────────────────────────────────────────────────────────*/
struct account_activations { /* bytes on one GPU; the first pipeline stage's */
    uint64_t layer;          /* saved for backward by one layer with nothing recomputed */
    uint64_t kept;           /* by one layer as checkpointed */
    uint64_t layers;         /* all kept layers of all micro-batches in flight */
    uint64_t working;   /* made again, beside `kept`, while one layer runs backward: layer - kept */
    uint64_t embedding; /* before the first layer */
    uint64_t head; /* final norm and the head's input; 0 where another pipeline stage has them */
    uint64_t
        logits; /* logits and what cross-entropy makes of them at its highest, as the recipe's runs do */
    uint64_t
        logits_forward; /* the same when forward ends; cross-entropy's backward may need more */
    uint64_t
        logits_fp32; /* of which 4 B each: the fp32 logits, then the probabilities in their place */
    uint64_t
        logits_output; /* the head's own output, as wide as the GPU computes: a copy beside fp32 logits */
    uint64_t
        logits_loss; /* two gradients that F.cross_entropy's backward holds at once, 4 B each */
    uint64_t
        highest; /* layers, embedding, and the greater of (head, logits) and `working`; all of it where `fixed` */
    bool fixed; /* allocated once: `highest` is there from the first forward on, in every phase */
    double in_flight; /* micro-batches whose layers are held: 1 without a pipeline */
};
/* Zeros where batch or seq is 0; an error where no shape is known. `logits` is the sum of those of its three parts that the
 * recipe's runs hold; the parts are given in any case. */
bool account_activations(const struct account_training *t, struct account_activations *out,
                         struct account_error *e);
/* What the recipe zerolab works in with flash attention, which is the lab on a GPU; elsewhere nothing, and logits as wide as the vocabulary. */
struct account_lab_work {
    uint64_t workspace; /* held all the time */
    uint64_t scratch;   /* of attention's backward, beside its intermediate gradients */
    uint64_t columns;   /* of the logits */
};
struct account_lab_work account_lab_work(const struct account_training *t);
/* The same by what they are. `layer`, `kept` and `highest` of the parts add up to account_activations()'s; parts may be 0. */
enum account_activation {
    ACCOUNT_SAVED_NORMS, /* what the norms read, and make in llm.c */
    ACCOUNT_SAVED_QKV,   /* query, key and value, and what they are made from */
    ACCOUNT_SAVED_SCORES, /* softmax and its dropout: s² a head; with flash attention one number a token */
    ACCOUNT_SAVED_OUTPUT, /* what attention hands to its output projection */
    ACCOUNT_SAVED_MLP,
    ACCOUNT_SAVED_EXPERTS, /* the router, and the experts' inputs and outputs */
    ACCOUNT_SAVED_EMBEDDING,
    ACCOUNT_SAVED_AGAIN, /* the layer that is computed again */
    ACCOUNT_SAVED_HEAD,
    ACCOUNT_SAVED_LOGITS,
    ACCOUNT_ACTIVATION_SORTS
};
const char *account_activation_name(enum account_activation s); /* "q, k, v", "scores" … */
#define ACCOUNT_ACTIVATION_PARTS 32
struct account_activation_parts {
    size_t count;
    struct account_activation_part {
        enum account_activation sort;
        const char *what;     /* "input of the MLP" */
        uint64_t layer, kept; /* of one layer: with nothing recomputed, as checkpointed */
        uint64_t highest;     /* of all that is there at the highest moment */
    } part[ACCOUNT_ACTIVATION_PARTS];
};
bool account_activation_parts(const struct account_training *t,
                              struct account_activation_parts *out, struct account_error *e);
/* Floating-point operations of one sequence: the model's own (3 × forward; 2 × where LoRA freezes the weights), and with what
 * checkpointing computes again (what is really computed: papers that count hardware FLOPs may count more, see flops.c). A bare Ψ has
 * 6Ψ a token, 8Ψ with full checkpointing. */
double account_model_flops(const struct account_training *t);
double account_hardware_flops(const struct account_training *t);

/* ── traffic ─────────────────────────────────────────────────────────────────────────────────────*/
enum account_collective_kind {
    ACCOUNT_ALL_REDUCE,
    ACCOUNT_REDUCE_SCATTER,
    ACCOUNT_ALL_GATHER,
    ACCOUNT_ALL_TO_ALL,
    ACCOUNT_P2P,
    ACCOUNT_COLLECTIVES
};
const char *account_collective_name(enum account_collective_kind c); /* "all_reduce" … */
/* What one rank sends of an array of `bytes` in all, for one call: 2(n−1)/n, (n−1)/n, 1. nccl-tests, doc/PERFORMANCE.md. */
double account_collective_factor(enum account_collective_kind c, uint32_t ranks);
enum account_window {                         /* behind which computation a collective may hide */
                      ACCOUNT_BARE,           /* none: it stands alone */
                      ACCOUNT_BEHIND_FORWARD, /* of the units that still run */
                      ACCOUNT_BEHIND_BACKWARD,
                      ACCOUNT_INSIDE_LAYER /* a layer waits for it: tensor parallel */
};
struct account_collective { /* one kind of collective in a step */
    enum account_collective_kind op;
    const char *what;  /* "gather parameters for backward" */
    const char *group; /* "shard", "replicas", "tensor", "context", "expert", "pipeline" */
    uint32_t ranks;    /* of the group */
    uint32_t per_node; /* of them that share a node */
    double calls;      /* a step */
    double payload;    /* bytes of the whole array, of all calls of a step together */
    uint64_t sent;     /* by one rank in a step */
    uint64_t between;  /* of those, to other nodes */
    uint64_t
        network; /* that this GPU's network card carries: in a ring a byte enters a node once, whoever reads it there */
    enum account_window window;
    uint32_t windows; /* micro-batches of a step in which it runs: all, or the last alone */
    double
        forward; /* share of it that runs in forward; the rest in backward, or when that is over */
    bool after;  /* once, when backward is over */
    double
        head; /* share of the leg that has no computation beside it though its window has: the first gather, the last bucket */
};
#define ACCOUNT_LEGS 24
struct account_traffic {
    uint64_t sent[ACCOUNT_COLLECTIVES], total;
    uint64_t inside,
        between; /* of the total: bytes of this rank's memory that ranks of its own node, of others, read */
    uint64_t network; /* that this GPU's network card carries: what takes the time between nodes */
    uint64_t offload_down, offload_up; /* over this GPU's own host link, a step */
    double
        volume_params; /* of the data-parallel legs, in multiples of Ψ elements as N → ∞ (the ZeRO paper's) */
    size_t legs;
    struct account_collective leg[ACCOUNT_LEGS];
};
bool account_traffic(const struct account_training *t, struct account_traffic *out,
                     struct account_error *e);

/* ── collectives, step by step ───────────────────────────────────────────────────────────────────
 * For teaching: small numbers in the chunks of a few ranks, moved and added as the algorithm moves them. */
enum account_play {
    ACCOUNT_PLAY_RING_REDUCE_SCATTER,
    ACCOUNT_PLAY_RING_ALL_GATHER,
    ACCOUNT_PLAY_RING_ALL_REDUCE,
    ACCOUNT_PLAY_TREE_ALL_REDUCE,
    ACCOUNT_PLAYS
};
const char *account_play_name(enum account_play p); /* "ring-reduce-scatter" … */
bool account_play_find(const char *name, enum account_play *out);
#define ACCOUNT_SCENE_RANKS 8
struct account_scene {
    uint32_t ranks, step, steps; /* step 0 is before the first move; as many chunks as ranks */
    struct account_cell {
        int value;
        uint8_t parts; /* how many ranks' numbers are in it; 0: nothing is there */
        bool fresh;    /* it came, or was added to, in this step */
    } cell[ACCOUNT_SCENE_RANKS][ACCOUNT_SCENE_RANKS]; /* [rank][chunk] */
    size_t moves;                                     /* of this step */
    struct account_move {
        uint8_t from, to, chunk, chunks; /* `chunks` of them from `chunk` on */
        bool adds;                       /* else it replaces */
    } move[ACCOUNT_SCENE_RANKS];
    uint32_t sent[ACCOUNT_SCENE_RANKS]; /* chunks that each rank has sent so far */
};
/* The scene after `step` steps among 2 to 8 ranks; a step beyond the last is the last. False if there are fewer or more ranks. */
bool account_scene(enum account_play play, uint32_t ranks, uint32_t step,
                   struct account_scene *out);

/* ── seconds ─────────────────────────────────────────────────────────────────────────────────────*/
struct account_clock {
    bool has_comm,
        has_compute; /* false: links, or card and model, are unknown, and what follows from them is 0 */
    double leg[ACCOUNT_LEGS]; /* seconds of each leg of the traffic */
    double exposed[ACCOUNT_LEGS];
    double comm, comm_exposed; /* their sums: exposed is summed over windows */
    double forward, backward;  /* computation of a step, recomputation in backward */
    double update,
        offload; /* the optimizer, by memory bandwidth; what offload adds where nothing hides it */
    double bubble;             /* of the pipeline */
    double step, tokens_per_s; /* 0 where compute is unknown */
};
bool account_clock(const struct account_training *t, struct account_clock *out,
                   struct account_error *e);
/* The step as intervals on two lanes, laid out as account_clock() counts: each block is a window in which its computation and an
 * even share of what hides behind it begin together; the longer of the two ends the window. So the spans add up to the clock's sums,
 * each leg's to its seconds, and the last ends where `step` says. What is exposed adds up over a pass, not leg by leg: here it is what
 * sticks out of a window, there it is shared among the legs. The pipeline's bubble and offloading stand in one piece each. */
enum account_span_kind {
    ACCOUNT_SPAN_BLOCK,   /* computes a block */
    ACCOUNT_SPAN_HEAD,    /* computes the head and the loss */
    ACCOUNT_SPAN_UPDATE,  /* computes the optimizer's update */
    ACCOUNT_SPAN_OFFLOAD, /* waits for the host */
    ACCOUNT_SPAN_BUBBLE,  /* waits for other pipeline stages */
    ACCOUNT_SPAN_COMM     /* the communication lane's */
};
struct account_span {
    enum account_span_kind kind;
    enum account_phase phase; /* ACCOUNT_FORWARD, BACKWARD, UPDATE */
    uint32_t micro;           /* micro-batch, from 0 */
    uint32_t
        block; /* from 1, as forward counts them; 0: none. Of COMM: the block whose window it is in */
    size_t leg;        /* of COMM: which of account_traffic()'s */
    double start, end; /* seconds since the step began */
    double exposed;    /* of COMM: seconds at its end in which nothing computes */
};
#define ACCOUNT_SCHEDULE_BLOCKS 65536
/* In the order in which they begin, lane by lane within a window; at most `capacity` are filled, `*count` says how many there are. An error
 * where a clock would know no compute or no communication, or where micro-batches × blocks are more than ACCOUNT_SCHEDULE_BLOCKS. */
bool account_schedule(const struct account_training *t, struct account_span *out, size_t capacity,
                      size_t *count, struct account_error *e);
/* Seconds of one call over `bytes`, by latency and bandwidth: latency + factor × bytes ÷ rate, hierarchical where a group spans nodes. */
double account_collective_seconds(const struct account_training *t, enum account_collective_kind c,
                                  uint32_t ranks, uint32_t per_node, double bytes);
/* What the seconds of a leg are made of: calls × (start + factor × bytes of a call ÷ rate), start = once + hops × latencies. */
struct account_pace {
    double once, hops_inside, hops_between, start; /* seconds, steps, steps, seconds */
    double factor, bytes, rate; /* of the bytes that all calls move; rate 0: by pairs, two links */
    struct account_link link, net; /* what it runs over */
    double
        nics; /* so many NICs of a node carry it: 0 if it stays inside, or the node's own link is slower */
};
bool account_pace(const struct account_training *t, const struct account_collective *leg,
                  struct account_pace *out);
/* The card's own host link, or a rate of 0. */
struct account_link account_host_link(const struct account_training *t);
/* ZeRO-Infinity, arXiv:2104.07857, section 4: ait · rate ÷ (ait · rate + flops), without overlap. */
double account_efficiency(double ait, double rate, double flops);

/* ── plans ───────────────────────────────────────────────────────────────────────────────────────*/
struct account_question {
    struct account_training
        training; /* what is given; what the search varies is set by it, unless pinned */
    uint64_t
        global_batch; /* sequences a step; 0: batch × accumulate × dp where a micro-batch is given, else 8 a GPU */
    uint64_t host_bytes, nvme_bytes; /* a node's; 0: the catalogue's for the card, or none */
    uint64_t pinned; /* bit i: field i of account_fields() was given and is not varied */
};
struct account_plan {
    struct account_training training;
    enum account_fit fits;
    int64_t
        spare; /* bytes left at the peak, the gathers that `page` leaves out taken off; negative: what is missing */
    uint64_t peak;
    uint64_t gathered;            /* those gathers: counted in `spare`, not in `peak` */
    double seconds, tokens_per_s; /* 0 where the clock knows no compute */
    char reason[160];             /* why it was chosen, or why not */
};
struct account_fork {
    char question[80], answer[24], because[160];
};
#define ACCOUNT_FORKS 12
struct account_plans {
    size_t count, tried; /* how many are in plan[]; how many configurations were looked at */
    bool found;          /* plan[0] is what to do */
    bool timed;          /* false: bytes decide, because a rate is not known */
    struct account_training base; /* the question with its blanks filled in: seq, gpus_per_node */
    uint64_t global_batch, host_bytes, nvme_bytes; /* what was given, or assumed */
    size_t forks;
    struct account_fork fork[ACCOUNT_FORKS]; /* the napkin tree as it was walked */
};
/* Fills up to `capacity` plans: the fitting by time, then the rest by how little is missing. */
bool account_plan(const struct account_question *q, struct account_plan *plan, size_t capacity,
                  struct account_plans *out, struct account_error *e);

/* ── whose number is this? ───────────────────────────────────────────────────────────────────────*/
struct account_owner {
    const char *recipe;
    uint8_t stage;
    enum account_unit unit;
    const struct account_mistake *mistake; /* NULL: the recipe is right */
    const char *quantity;                  /* "model_state", "params", "peak" … */
    double value;                          /* base units */
    char working[200];
};
/* Every recipe, stage, unit, quantity and mistake that yields the number in `text` within half of its last digit, the
 * plainest first. The training's own recipe and stage are not asked. Returns how many; at most `capacity` are filled. */
size_t account_whose(const struct account_training *t, const char *text, struct account_owner *out,
                     size_t capacity, struct account_error *e);

/* ── model states by parameter, and what fits ────────────────────────────────────────────────────*/
/* Bytes per parameter of a category before any sharding (params 2, grads 2, master 4, moments 8); moments of 8-bit Adam 2.03125. */
double account_bytes_per_param(const struct account_training *t, enum account_category c);
/* Whether the recipe shards this category at the training's stage. */
bool account_is_sharded(const struct account_training *t, enum account_category c);
/* Largest Ψ whose ledger total fits `bytes` on each GPU, all else as in `t`. */
uint64_t account_largest_params(const struct account_training *t, uint64_t bytes);
/* Fewest GPUs at which the total fits `bytes`; 0 if no number does. */
uint32_t account_fewest_gpus(const struct account_training *t, uint64_t bytes);

/* ── problems ────────────────────────────────────────────────────────────────────────────────────*/
enum account_kind {
    ACCOUNT_ASK_BYTES, /* of `quantity`, per GPU or in the cluster */
    ACCOUNT_ASK_BYTES_PER_PARAM,
    ACCOUNT_ASK_LARGEST_PARAMS, /* that fits the card (usable or label bytes: `budget`) */
    ACCOUNT_ASK_FEWEST_GPUS,
    ACCOUNT_ASK_CONVERT, /* `budget` bytes, asked in another unit */
    ACCOUNT_ASK_TRAFFIC, /* bytes that one rank sends in a step */
    ACCOUNT_ASK_VOLUME,  /* the data-parallel part of them in multiples of Ψ, as N → ∞ */
    ACCOUNT_ASK_SECONDS, /* of the step's communication, of a collective over `budget` bytes, of the offload's link */
    ACCOUNT_ASK_ACTIVATIONS, /* bytes on one GPU */
    ACCOUNT_ASK_PEAK, /* bytes on one GPU at the step's highest moment; of categories, each at its own */
    ACCOUNT_ASK_HOST,  /* bytes a node keeps off its GPUs */
    ACCOUNT_ASK_SHARD, /* elements: where the shard of `rank` lies in a flat buffer of Ψ */
    ACCOUNT_KINDS
};
enum account_piece { /* what of it is asked; the names are values of "quantity" */
                     ACCOUNT_PIECE_ALL,
                     ACCOUNT_PIECE_ALL_REDUCE, /* traffic, seconds: in the order of enum account_collective_kind */
                     ACCOUNT_PIECE_REDUCE_SCATTER,
                     ACCOUNT_PIECE_ALL_GATHER,
                     ACCOUNT_PIECE_ALL_TO_ALL,
                     ACCOUNT_PIECE_P2P,
                     ACCOUNT_PIECE_INSIDE, /* traffic: to ranks of the same node, of others */
                     ACCOUNT_PIECE_BETWEEN,
                     ACCOUNT_PIECE_OFFLOAD, /* traffic, seconds: over this GPU's own host link */
                     ACCOUNT_PIECE_LAYER, /* activations: of one layer, all layers, one recomputed, the logits */
                     ACCOUNT_PIECE_LAYERS,
                     ACCOUNT_PIECE_WORKING,
                     ACCOUNT_PIECE_LOGITS,
                     ACCOUNT_PIECE_NVME,    /* host: on the disks instead */
                     ACCOUNT_PIECE_SIZE,    /* shard: elements a rank holds, padding and all */
                     ACCOUNT_PIECE_FIRST,   /* shard: its first one, counted from 0 */
                     ACCOUNT_PIECE_REAL,    /* shard: how many of them are parameters */
                     ACCOUNT_PIECE_PADDING, /* shard: elements that only pad, of all shards */
                     ACCOUNT_PIECES
};
struct account_problem {
    enum account_kind kind;
    struct account_training training;
    uint32_t quantity;      /* bit mask of categories; model_state is params|grads|master|moments */
    bool cluster;           /* summed over all GPUs, not per GPU */
    enum account_unit unit; /* the answer is asked in this unit */
    double budget;          /* bytes: for LARGEST_PARAMS, FEWEST_GPUS, CONVERT */
    enum account_unit budget_unit; /* the unit the budget was stated in, for the working */
    double tolerance;              /* relative; 0 means 0.005 */
    enum account_piece
        piece;     /* for the kinds that divide their answer otherwise than by category */
    uint32_t rank; /* SHARD: whose, from 0 */
};
struct account_problem account_problem_default(void);
/* Sets "kind", "quantity" (model_state, optimizer, total, params, grads+master …; or a piece: all_gather, between, offload, layer,
 * logits, size, padding …), "per" (gpu|cluster), "unit", "budget" (bytes; for seconds: those of the array), "rank", "tolerance"
 * or, with any other name, a field of the training. The names are those of the problem's JSON. */
bool account_problem_set(struct account_problem *p, const char *field, const char *text,
                         struct account_error *e);
const char *account_problem_get(const struct account_problem *p, const char *field, char *out,
                                size_t size);

#define ACCOUNT_LINES 12
enum account_rule {                    /* how a line follows from lines before it */
                    ACCOUNT_STANDS,    /* by itself */
                    ACCOUNT_ADDS,      /* lines a to b, added up */
                    ACCOUNT_TIMES,     /* times × line a */
                    ACCOUNT_SUBTRACTS, /* times × line a − line b */
                    ACCOUNT_DIVIDES,   /* line a ÷ line b */
                    ACCOUNT_DIVIDES_UP /* the same, rounded up */
};
struct account_line {
    char id[20];            /* "params", "grads", "total" …: what a worksheet calls the blank */
    char label[40];         /* for people */
    char formula[96];       /* "2 B × 7e9" */
    double value;           /* base units */
    enum account_unit unit; /* the unit that this line is written in */
    enum account_rule rule;
    uint8_t a, b;
    double times;
};
struct account_solution {
    double value; /* base units */
    enum account_unit unit;
    size_t lines; /* the last line is the answer */
    struct account_line line[ACCOUNT_LINES];
};
bool account_solve(const struct account_problem *p, struct account_solution *out,
                   struct account_error *e);
/* What line `i` must be if the lines before it were `given` (base units): the error carried forward. NaN in `given` means the true value. */
double account_carry(const struct account_problem *p, const struct account_solution *s, size_t i,
                     const double *given);

/* ── mistakes ────────────────────────────────────────────────────────────────────────────────────*/
struct account_mistake {
    const char *id;      /* "no-master" */
    const char *name;    /* "the fp32 master copy was forgotten" */
    const char *explain; /* one or two sentences: why it is wrong */
};
const struct account_mistake *account_mistakes(size_t *count);
#define ACCOUNT_MATCHES 4
struct account_match {
    const struct account_mistake *mistake;
    const struct account_mistake
        *also;            /* the second of two mistakes that together yield it; NULL mostly */
    double value;         /* base units: what the mistake yields */
    char arithmetic[160]; /* "2 B × 13e9 + (2 + 8) B × 13e9 ÷ 16 = 34.13 GB" */
    char slip
        [200]; /* the step in it that went wrong: "moments 8 only: the master copy's 4 are missing" */
};
struct account_diagnosis {
    size_t count; /* 0: no mistake known yields this; 2 and more: either … or … */
    struct account_match match[ACCOUNT_MATCHES];
};
/* Which mistakes yield `value` (base units) for this problem; where none does, the pair of them that does; several pairs only
 * where one mistake is in all of them.
 * A mistake that the variant cannot tell from the truth is left out. */
void account_diagnose(const struct account_problem *p, double value, struct account_diagnosis *out);
/* What one mistake yields for this problem; false if it does not apply or cannot be told from the truth. */
bool account_mistake_value(const struct account_problem *p, const char *id,
                           struct account_match *out);

struct account_separation {
    bool
        legal; /* every mistake in `about` applies and is told from the truth and from the others */
    double
        tolerance; /* what the verdict uses: min(tolerance, a quarter of the distance to the nearest mistake), at least 0.001 */
    double distance;   /* relative distance of the worst pair */
    char a[24], b[24]; /* the worst pair; "truth" may be one */
    char missing[24];  /* the first id in `about` that did not remain */
};
void account_separate(const struct account_problem *p, const char *const *about, size_t count,
                      struct account_separation *out);

/* ── verdicts ────────────────────────────────────────────────────────────────────────────────────*/
enum account_verdict {
    ACCOUNT_RIGHT,
    ACCOUNT_ROUNDED,   /* right to two digits, rounded too early */
    ACCOUNT_UNIT_SLIP, /* the right number in another unit: GiB for GB, bits for bytes */
    ACCOUNT_MISTAKE,
    ACCOUNT_WRONG,
    ACCOUNT_UNREADABLE,
    ACCOUNT_VERDICTS
};
const char *account_verdict_name(
    enum account_verdict v); /* "right", "rounded", "unit", "mistake", "wrong", "unreadable" */
struct account_judgement {
    enum account_verdict verdict;
    double value;     /* base units, as it was read */
    char read_as[64]; /* "34.13 GB" */
    char note
        [200]; /* ungraded remark: "13B is a count of parameters; bytes are asked", or why it is unreadable; may be "" */
    int column;                         /* of what could not be read; 0 otherwise */
    struct account_diagnosis diagnosis; /* for MISTAKE and UNIT_SLIP */
};
void account_judge(const struct account_problem *p, const char *text,
                   struct account_judgement *out);
/* The same for one line of a worksheet, the lines before it as `given`. */
void account_judge_line(const struct account_problem *p, const struct account_solution *s, size_t i,
                        const double *given, const char *text, struct account_judgement *out);
/* What one mistake yields for a line of the worksheet, where the line is a problem of its own that keeps the mistake apart from the truth
 * and from the others; false where it is none. */
bool account_line_mistake(const struct account_problem *p, const struct account_solution *s,
                          size_t i, const char *id, struct account_match *out);

#ifdef __cplusplus
}
#endif

#endif
