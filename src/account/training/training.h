/* training: what is trained, and how.
 *
 * In flow fields as text ("stage" = "3", "recipe" = "deepspeed"), from flags, JSON, Lua and sliders
 * alike, and the catalogues of models, cards, links and nodes, which are compiled in from data/
 * (catalogue.h). Out flows, in two steps:
 *
 *   struct account_training    what was asked, field by field (fields.c). account_check() says
 *                              whether the fields agree with each other (check.c).
 *   struct account_resolved    what follows from the fields, computed once (resolved.h). Memory,
 *                              traffic and the clock read this, and never what was asked.
 *
 * What follows comes from tables, which have one row for each thing that can be chosen:
 *
 *   shapes.c     families, and the tensors of a model of each, by the unit that holds them
 *   tables.c     precisions: bytes of an element of each copy
 *                optimizers: what they remember for each parameter
 *                recipes: which copies a framework keeps, from which stage it divides them, its
 *                buffers and collectives
 *
 * Formulas read the rows and never ask for a name: a new optimizer, precision or recipe is a row.
 * From the rows follow, in this order, the groups of ranks (resolved.c), a rank's share of the
 * parameters (mesh.c), and the sheet (sheet.h): every copy of the model that one GPU keeps, as the
 * terms of a sum. Memory adds the sheet up, traffic moves it, and problems ask for parts of it.
 *
 * The collectives are here as well, because recipes name them: what a rank sends for one, and the
 * seconds it takes on given links (wires.h). */
#ifndef ACCOUNT_TRAINING_H
#define ACCOUNT_TRAINING_H

#include "account/training/catalogue.h"

/* ── a training ──────────────────────────────────────────────────────────────────────────────────
 * One row per field: the same names are command-line flags, JSON keys, Lua keys and slider
 * controls. */

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
    /* The rank of the adapters; 0: everything is trained. */
    uint32_t lora;
    /* enum account_adapted */
    uint8_t lora_on;
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
    /* zerolab's stage 0 with an untied head: the embeddings' gradients are all-gathered as the rows
     * that were looked up, not all-reduced. No field of the command line sets it. */
    bool sparse_gradients;
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

/* What a field can be, one by one. */
struct account_choices {
    /* Choice `i` as account_set() reads it: "mixed-bf16". NULL past the last. */
    const char *(*name)(size_t i);
    /* The same as people say it: "mixed precision (bf16)". NULL if the names are for people. */
    const char *(*title)(size_t i);
};
struct account_field {
    /* "params", "gpus", "stage", "precision" …; the flag is the same with - for _. */
    const char *name;
    /* For people: "parameters". */
    const char *label;
    /* One line. */
    const char *help;
    /* NULL for a number, or a name of a catalogue. */
    const struct account_choices *choices;
};
const struct account_field *account_fields(size_t *count);
/* Sets one field from text. `model` also sets params and shape. Errors say what is wrong, and what
 * would be right. */
bool account_set(struct account_training *t, const char *field, const char *text,
                 struct account_error *e);
/* "paper": lives as long as the program. */
const char *account_recipe_name(const struct account_training *t);
/* The field as text that account_set() reads back. NULL if there is no such field. */
const char *account_get(const struct account_training *t, const char *field, char *out,
                        size_t size);
/* Whether the field is as account_training_default() has it: writers leave those out. */
bool account_is_default(const struct account_training *t, const char *field);
/* Whether the fields agree with each other (params known, 1 ≤ gpus, optimizer that needs a shape
 * has one …). */
bool account_check(const struct account_training *t, struct account_error *e);

/* If the GPUs per node are not set, sets them to those of the usual node for this card, provided
 * that they fill more than one. Returns the node that was assumed, or NULL. */
const struct account_node *account_assume_node(struct account_training *t);
/* Whether the recipe has this stage at all (FSDP has no stage 1, Megatron no 2 and 3). */
bool account_has_stage(const struct account_training *t, uint8_t stage);
/* Data-parallel degree dp = W / (tp · pp · cp), and N, the ranks that share the states: the shard
 * group or dp · cp. */
uint32_t account_data_parallel(const struct account_training *t);
uint32_t account_shard_ranks(const struct account_training *t);

#endif
