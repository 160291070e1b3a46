/* A training, resolved: what was asked, and everything that follows from its fields alone, computed
 * once. The sheet, memory, traffic and the clock read this and nothing else of a training: they do
 * not see what struct account_training holds (tests/rules), look up no row and compute no degree
 * again. A resolved training is complete: it keeps no pointer to what was asked. */
#ifndef ACCOUNT_RESOLVED_H
#define ACCOUNT_RESOLVED_H

#include "account/training/sheet.h"
#include "account/training/wires.h"

struct account_training;

struct account_resolved {
    /* What was asked, of which formulas read it as it is (training.h says what each is). Degrees,
     * micro-batches per step and pieces of the pipeline are at least 1. */
    uint64_t params;
    struct account_shape shape;
    const struct account_card *card;
    struct account_link link, net;
    double efficiency;
    uint32_t tp, pp, cp, ep, interleave, shard_group, hpz, prefetch;
    uint32_t batch, seq, micro, lora;
    uint8_t lora_on, stage, checkpoint, offload_optimizer, offload_params;
    bool quantized, flash, dropout, sp, qwz, qgz, sparse_gradients;
    /* The rows. */
    const struct account_recipe *recipe;
    const struct account_precision *precision;
    const struct account_optimizer *optimizer;
    /* The groups of ranks. */
    struct account_mesh mesh;
    /* Bytes of an element of each copy (moments: of one of them); of a gradient while it travels,
     * of an adapter's; of a sum on the host. */
    uint32_t bytes[ACCOUNT_DTYPES];
    uint32_t reduce_bytes, adapter_reduce_bytes, sum_bytes;
    /* Gradients are kept in fp32, because the training says so. kept_bytes: of a gradient of such a
     * type while it is kept. */
    bool wide_gradients;
    uint32_t kept_bytes;
    /* A reduction bucket as it was asked or as the recipe has it, in elements or in bytes. */
    uint64_t bucket;
    bool bucket_elements;
    /* Parameters of the adapters, and those that one token meets; 0 without LoRA. */
    uint64_t adapters, adapters_met;
    /* Parameters that the shape counts, 0 without one; and its tensors with the vocabulary as the
     * recipe pads it. */
    uint64_t counted;
    struct account_shape held;
    size_t tensors;
    struct account_tensor tensor[ACCOUNT_TENSORS];
    /* Elements of the units on a rank of the first pipeline stage. */
    struct account_shard_units units;
    /* Exact counts of each set, divided, and every copy of every tier, on a rank of the first
     * pipeline stage. */
    struct account_sheet sheet;
};

/* False, with the reason, if the fields do not agree. check.c */
bool account_resolve(const struct account_training *t, struct account_resolved *out,
                     struct account_error *e);
/* The same of a training that has been checked. */
void account_resolve_checked(const struct account_training *t, struct account_resolved *out);
/* The parts of that, in order. The tensors come first, because a training that is refused has to be
 * counted and needs no more: `counted`, `held` and the tensors. Then everything before them, of any
 * training, checked or not. Then units and sheet, from both. */
void account_resolve_tensors(const struct account_training *t, struct account_resolved *out);
void account_resolve_fields(const struct account_training *t, struct account_resolved *out);
void account_resolve_sheet(struct account_resolved *out);
/* Whether the recipe works by units, of which an untied head is one: the last of its parts. */
static inline bool account_has_head_unit(const struct account_resolved *is) {
    size_t parts = is->sheet.share[ACCOUNT_SET_DENSE].parts;
    return is->recipe->by_units && !is->shape.tied && parts == ACCOUNT_PLACES;
}
/* The links that its ranks send over. Looked up by name, so this is asked for only where seconds
 * are. */
struct account_wires account_wires_of(const struct account_resolved *is);

/* ── one thing that follows from a training ────────────────────────────────────────────────────*/

const struct account_precision *account_precision_of(const struct account_training *t);
const struct account_optimizer *account_optimizer_of(const struct account_training *t);
const struct account_recipe *account_recipe_of(const struct account_training *t);
/* Bytes of an element of such a copy under the training's precision and recipe (moments: of one of
 * them). */
uint32_t account_dtype_bytes(const struct account_training *t, enum account_dtype dtype);
/* Bytes of a gradient while it travels. */
uint32_t account_reduce_bytes(const struct account_training *t);
struct account_mesh account_mesh(const struct account_training *t);
struct account_wires account_wires(const struct account_training *t);

/* What the training's recipe keeps resident on a GPU: the copies that stay from step to step and
 * the gradients that backward leaves; copies of no bytes are left out. The training has been
 * checked. */
void account_sheet(const struct account_training *t, struct account_sheet *out);
/* The same at stage 0 with nothing offloaded, so that every copy is whole and on the GPU. */
void account_sheet_whole(const struct account_training *t, struct account_sheet *out);

#endif
