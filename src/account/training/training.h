/* training: what is trained, and how.
 *
 * In flow fields as text ("stage" = "3", "recipe" = "deepspeed"), from flags, JSON, Lua and sliders
 * alike, and the catalogues of models, cards, links and nodes, which are compiled in from data/.
 * Out flows `struct account_training`, what was asked, and account_check(), which says whether its
 * fields agree with each other.
 *
 * What the other wings compute follows from tables of this wing, one row for each thing that can be
 * chosen:
 *
 *   shapes.c     families, and the tensors of a model of each, by the unit that holds them
 *   tables.c     precisions: bytes of an element of each copy; optimizers: what they remember for
 * each parameter; recipes: which copies a framework keeps, from which stage it divides them, its
 * buffers and collectives
 *
 * Formulas read the rows and never ask for a name: a new optimizer, precision or recipe is a row.
 * From the rows follow, in this order, the groups of ranks and a rank's share of the parameters
 * (mesh.c), and the sheet (sheet.h): every copy of the model that one GPU keeps, as the terms of a
 * sum. Memory adds the sheet up, traffic moves it, and problems ask for parts of it.
 *
 * The collectives are here as well, because recipes name them: what a rank sends for one, and the
 * seconds it takes on given links (wires.h). */
#ifndef ACCOUNT_TRAINING_H
#define ACCOUNT_TRAINING_H

#include "account/numbers/numbers.h"

/* ── categories ────────────────────────────────────────────────────────────────────────────────*/

/* What memory is kept for. */
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

/* ── the catalogues ────────────────────────────────────────────────────────────────────────────*/

/* A model's shape; zero where unknown. */
struct account_shape {
    /* 0: none; else a row of the families: gpt, llama, qwen … */
    uint8_t family;
    /* The head is the embedding. */
    bool tied;
    uint32_t layers, hidden, heads, kv_heads, head_size, ffn, vocab, context;
    /* 0 in dense models. `ffn` is unused if every layer has experts. */
    uint32_t experts, experts_active, expert_ffn;
};
/* data/models.json */
struct account_model {
    const char *name, *title, *source;
    uint64_t params;
    struct account_shape shape;
};
/* data/hardware.json */
struct account_card {
    const char *name, *title, *source;
    /* What the box says: 80e9. */
    uint64_t label_bytes;
    /* nvidia-smi's total; 0 if unverified. */
    uint64_t driver_bytes;
    /* PyTorch's total_memory; 0 if no source has it. */
    uint64_t torch_bytes;
    /* Dense 16-bit matrix products, per second; 0 if unknown. */
    double flops;
    /* Bytes per second of its own memory. */
    double memory_rate;
    /* Computes in bf16. */
    bool bf16;
    /* What it usually stands on: names of links, or NULL. */
    const char *link, *net, *host_link;
};
/* data/hardware.json: one direction, per GPU. */
struct account_link {
    const char *name, *title, *source;
    /* Bytes per second that collectives reach, one direction. */
    double rate;
    /* Bytes per second by the data sheet, one direction. */
    double wire;
    /* Seconds per hop. */
    double latency;
};
/* data/hardware.json: what machines with such cards usually hold. */
struct account_node {
    const char *name, *title, *source, *card;
    uint32_t gpus;
    uint64_t host_bytes, nvme_bytes;
    /* Bytes per second, one direction, of the node. */
    double nvme_rate;
};

const struct account_model *account_models(size_t *count);
const struct account_card *account_cards(size_t *count);
const struct account_link *account_links(size_t *count);
const struct account_node *account_nodes(size_t *count);
/* The row of such a name, aliases too; NULL if unknown. */
const struct account_model *account_model_find(const char *name);
const struct account_card *account_card_find(const char *name);
/* Who says how many bytes a card has, the best first: a training in PyTorch can have what PyTorch
 * is given. */
enum account_reporter { ACCOUNT_BY_TORCH, ACCOUNT_BY_DRIVER, ACCOUNT_BY_LABEL, ACCOUNT_REPORTERS };
/* The bytes that it says, or 0 if no source has them. */
uint64_t account_card_bytes_by(const struct account_card *card, enum account_reporter by);
/* The best reporter whose figure is sourced. */
enum account_reporter account_card_reporter(const struct account_card *card);
/* The usable bytes of a card, for everything that asks whether something fits: those that its best
 * reporter says. */
uint64_t account_card_bytes(const struct account_card *card);
/* "PyTorch reports", "the driver reports", "the label says". */
const char *account_reporter_name(enum account_reporter by);
/* One or two plain sentences: what the label means, what the driver and PyTorch report. Returns
 * `out`. */
const char *account_card_explain(const struct account_card *card, char *out, size_t size);
const struct account_link *account_link_find(const char *name);
/* NULL if none is catalogued. */
const struct account_node *account_node_of(const struct account_card *card);

/* Exact parameter count of a shape; 0 if the family is unknown, UINT64_MAX if it is more than 64
 * bits hold. */
uint64_t account_count_params(const struct account_shape *s);
/* "llama" …; "none" of a shape without one. */
const char *account_family_name(const struct account_shape *s);
/* What `family` of a shape is set to; false if there is no such family. */
bool account_family_find(const char *name, uint8_t *out);

/* Names of the rows, for choices and completions: recipes, precisions, optimizers, families. */
struct account_row {
    const char *name, *what, *source;
};
size_t account_recipes_list(struct account_row *out, size_t capacity);

/* ── a training ──────────────────────────────────────────────────────────────────────────────────
 * One row per field: the same names are command-line flags, JSON keys, Lua keys and slider
 * controls. */

enum account_checkpoint { ACCOUNT_KEEP_ALL, ACCOUNT_SELECTIVE, ACCOUNT_FULL };
enum account_tier { ACCOUNT_GPU, ACCOUNT_HOST, ACCOUNT_NVME, ACCOUNT_TIERS };
/* The width of gradients. */
enum account_width { ACCOUNT_AS_RECIPE, ACCOUNT_16_BIT, ACCOUNT_32_BIT };

struct account_training {
    /* Ψ */
    uint64_t params;
    /* NULL if a bare Ψ or a config. */
    const struct account_model *model;
    struct account_shape shape;
    /* NULL if none was named. */
    const struct account_card *card;
    /* World size W. */
    uint32_t gpus;
    /* 0: all in one node. */
    uint32_t gpus_per_node;
    /* 0 to 3 */
    uint8_t stage;
    /* Indices of the tables behind account_fields(). */
    uint8_t precision, optimizer, recipe;
    /* enum account_width: how gradients are kept, and how they travel. */
    uint8_t grad_dtype;
    uint8_t reduce_dtype;
    /* Adapters. The rank of those on query and value; 0: everything is trained. */
    uint32_t lora;
    /* The frozen base is NF4 with double quantization. */
    bool quantized;
    /* A step: sequences per micro-batch, tokens, micro-batches per step. batch or seq 0:
     * activations are not asked for. */
    uint32_t batch, seq, accumulate;
    /* enum account_checkpoint */
    uint8_t checkpoint;
    bool flash, dropout;
    /* The mesh: the data-parallel degree is gpus / (tp · pp · cp). All are 1 by default; ep divides
     * dp · cp. */
    uint32_t tp, pp, cp, ep, interleave;
    /* Sequence parallel, together with tp. */
    bool sp;
    /* Ranks that share the states (HSDP, MiCS); 0: all dp · cp of them. */
    uint32_t shard_group;
    /* Ranks that share ZeRO++'s secondary parameters; 0: there are none. */
    uint32_t hpz;
    /* ZeRO++: weights gathered in 8 bits, gradients reduced in 4. */
    bool qwz, qgz;
    /* Tiers, buffers, links. enum account_tier; ACCOUNT_GPU: not offloaded. */
    uint8_t offload_optimizer, offload_params;
    /* 0: the recipe's own. */
    uint64_t bucket;
    /* `bucket` counts elements (a bare number under DeepSpeed), not bytes. */
    bool bucket_elements;
    /* Units gathered ahead. */
    uint32_t prefetch;
    /* Inside a node, between nodes; name NULL: the card's own, if one was named. */
    struct account_link link, net;
    /* The share of the card's `flops` that matrix products reach. */
    double efficiency;
};
/* 1 GPU, stage 0, mixed-bf16, adamw, paper, no activations. */
struct account_training account_training_default(void);

struct account_field {
    /* "params", "gpus", "stage", "precision" …; the flag is the same with - for _. */
    const char *name;
    /* For people: "parameters". */
    const char *label;
    /* One line. */
    const char *help;
    /* "mixed-bf16|mixed-fp16|bf16|fp32", or NULL for a number or a name. */
    const char *choices;
};
const struct account_field *account_fields(size_t *count);
/* Sets one field from text. `model` also sets params and shape. Errors say what is wrong, and what
 * would be right. */
bool account_set(struct account_training *t, const char *field, const char *text,
                 struct account_error *e);
/* The field as text that account_set() reads back. NULL if there is no such field. */
const char *account_get(const struct account_training *t, const char *field, char *out,
                        size_t size);
/* Whether the field is as account_training_default() has it: writers leave those out. */
bool account_is_default(const struct account_training *t, const char *field);
/* Whether the fields agree with each other (params known, 1 ≤ gpus, optimizer that needs a shape
 * has one …). */
bool account_check(const struct account_training *t, struct account_error *e);

/* Where the GPUs of a node were not said: puts them into the nodes that such cards usually stand
 * in, if they fill more than one. Returns the node that was assumed, or NULL. */
const struct account_node *account_assume_node(struct account_training *t);
/* Whether the recipe has this stage at all (FSDP has no stage 1, Megatron no 2 and 3). */
bool account_has_stage(const struct account_training *t, uint8_t stage);
/* Data-parallel degree dp = W / (tp · pp · cp), and N, the ranks that share the states: the shard
 * group or dp · cp. */
uint32_t account_data_parallel(const struct account_training *t);
uint32_t account_shard_ranks(const struct account_training *t);

/* ── collectives ───────────────────────────────────────────────────────────────────────────────*/

/* A kind that is neither all-to-all nor point-to-point counts as one flat ring: in wires.c, in
 * traffic/flows.c and in traffic/clock.c. */
enum account_collective_kind {
    ACCOUNT_ALL_REDUCE,
    ACCOUNT_REDUCE_SCATTER,
    ACCOUNT_ALL_GATHER,
    ACCOUNT_ALL_TO_ALL,
    ACCOUNT_P2P,
    ACCOUNT_COLLECTIVES
};
/* "all_reduce" … */
const char *account_collective_name(enum account_collective_kind c);
/* What one rank sends of an array of `bytes` in total, for one call: 2(n−1)/n, (n−1)/n, 1.
 * nccl-tests, doc/PERFORMANCE.md. */
double account_collective_factor(enum account_collective_kind c, uint32_t ranks);
/* Seconds of one call over `bytes`, by latency and bandwidth: latency + factor × bytes ÷ rate.
 * A group that spans nodes is one ring through all of them. */
double account_collective_seconds(const struct account_training *t, enum account_collective_kind c,
                                  uint32_t ranks, uint32_t per_node, double bytes);
/* The card's own host link, or a rate of 0. */
struct account_link account_host_link(const struct account_training *t);

#endif
