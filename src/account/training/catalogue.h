/* The parts of a training: the categories of memory, the catalogues of models, cards, links and
 * nodes, the choices that no table has rows for, and the kinds of collectives. Formulas of memory
 * and traffic read these and a resolved training (resolved.h), and never see what was asked
 * (training.h). */
#ifndef ACCOUNT_CATALOGUE_H
#define ACCOUNT_CATALOGUE_H

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
    /* What passes between tiers, on its way. */
    ACCOUNT_STAGING,
    ACCOUNT_FRAMEWORK,
    ACCOUNT_CATEGORIES
};
/* "params", "grads", …: its id in files and JSON, and the head of a narrow column. */
const char *account_category_name(enum account_category c);
/* The name that people read. It is the id, except for "gather buffer" and "reduce buffer", which
 * could otherwise be read as operations. */
const char *account_category_words(enum account_category c);

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
/* The row of such a name, aliases too; NULL if unknown. */
const struct account_model *account_model_find(const char *name);
const struct account_card *account_card_find(const char *name);
/* Sources for the bytes of a card, the best first: a training in PyTorch can use the bytes that
 * PyTorch reports. */
enum account_reporter { ACCOUNT_BY_TORCH, ACCOUNT_BY_DRIVER, ACCOUNT_BY_LABEL, ACCOUNT_REPORTERS };
/* The bytes by one reporter, or 0 if no source has them. */
uint64_t account_card_bytes_by(const struct account_card *card, enum account_reporter by);
/* The best reporter whose figure is sourced. */
enum account_reporter account_card_reporter(const struct account_card *card);
/* The usable bytes of a card, by its best reporter. Everything that decides whether a training fits
 * uses them. */
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
/* Finds the value of a shape's `family`. False if there is no such family. */
bool account_family_find(const char *name, uint8_t *out);

/* Names of the rows, for choices and completions: recipes, precisions, optimizers, families. */
struct account_row {
    const char *name, *what, *source;
};
size_t account_recipes_list(struct account_row *out, size_t capacity);

/* ── choices ───────────────────────────────────────────────────────────────────────────────────*/

enum account_checkpoint { ACCOUNT_KEEP_ALL, ACCOUNT_SELECTIVE, ACCOUNT_FULL };
enum account_tier { ACCOUNT_GPU, ACCOUNT_HOST, ACCOUNT_NVME, ACCOUNT_TIERS };
/* The width of gradients. */
enum account_width { ACCOUNT_AS_RECIPE, ACCOUNT_16_BIT, ACCOUNT_32_BIT };
/* Which matrices have adapters. */
enum account_adapted { ACCOUNT_ON_QUERY_VALUE, ACCOUNT_ON_ALL_LINEAR };

/* ── collectives ───────────────────────────────────────────────────────────────────────────────*/

/* A kind that is neither all-to-all nor point-to-point counts as one flat ring: in wires.c, in
 * traffic/flows.c, traffic/clock.c and problems/ground_traffic.c. `enum account_piece` has the same
 * kinds in the same order. */
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
/* How often a rank sends (n−1)/n of the array: all-reduce 2, point-to-point 0, the others 1. */
uint8_t account_collective_rounds(enum account_collective_kind c);
/* The part of the whole array that one rank sends in one call: rounds × (n−1)/n; point-to-point 1.
 * nccl-tests, doc/PERFORMANCE.md. */
double account_collective_factor(enum account_collective_kind c, uint32_t ranks);

#endif
