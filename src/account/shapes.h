/* What a shape is made of: its tensors, by the unit that holds them. Counts, padding, adapters, parallel splits and factored
 * optimizers all walk this list. */
#ifndef ACCOUNT_SHAPES_H
#define ACCOUNT_SHAPES_H

#include "account/tables.h"

enum account_place { ACCOUNT_IN_EMBEDDING, ACCOUNT_IN_BLOCK, ACCOUNT_IN_NORM, ACCOUNT_IN_HEAD, ACCOUNT_PLACES };

struct account_tensor {
    const char *name;       /* "query", "norm" … */
    enum account_place place;
    uint64_t rows, columns; /* as the frameworks store it: rows is dimension 0 (outputs of a linear layer); columns 1: a vector */
    uint32_t copies;        /* in one such unit */
    bool split;             /* divided by tensor parallelism */
    bool expert;            /* divided by expert parallelism */
    bool linear;            /* a matrix that NF4 quantizes: of a block, not an embedding or the head */
};
#define ACCOUNT_TENSORS 32

/* A family: which tensors a shape has. */
struct account_family {
    const char *name, *what, *source;
    bool gated;             /* the MLP has a gate: three matrices of h × f instead of two */
    bool norm_bias;         /* LayerNorm (weight and bias) rather than RMSNorm */
    bool qkv_bias, out_bias, mlp_bias, head_bias;
    bool qk_norm;           /* norms of head_size on query and key */
    bool learned_positions;
    uint8_t extra_positions; /* rows of the position table beyond the context (OPT: 2) */
    uint8_t norms;           /* in a block */
};
const struct account_family *account_families(size_t *count); /* row 0 is "none" */
const struct account_family *account_family_of(const struct account_shape *s);

/* The tensors of one unit of each place; the number of blocks is s->layers. 0 if the family is none. `out` has room for
 * ACCOUNT_TENSORS. A tied head has no tensor of its own. */
size_t account_tensors(const struct account_shape *s, struct account_tensor *out);
/* Parameters of one unit of a place, whole. */
uint64_t account_place_params(const struct account_shape *s, enum account_place place);
/* Elements that a factored optimizer keeps: rows + columns of each matrix, and each vector whole. */
uint64_t account_factored_elements(const struct account_shape *s);
/* Trainable parameters of LoRA adapters of rank r on query and value of every layer: r (in + out) each. */
uint64_t account_adapter_params(const struct account_shape *s, uint32_t rank);

#endif
