/* What a shape is made of: its tensors, by the unit that holds them. Counts, padding, adapters,
 * parallel splits and factored optimizers all walk this list. */
#ifndef ACCOUNT_SHAPES_H
#define ACCOUNT_SHAPES_H

#include "account/training/tables.h"

enum account_place {
    ACCOUNT_IN_EMBEDDING,
    ACCOUNT_IN_BLOCK,
    ACCOUNT_IN_NORM,
    ACCOUNT_IN_HEAD,
    ACCOUNT_PLACES
};

struct account_tensor {
    /* "query", "norm" … */
    const char *name;
    enum account_place place;
    /* As the frameworks store it: rows is dimension 0 (outputs of a linear layer); columns 1: a
     * vector. */
    uint64_t rows, columns;
    /* in one such unit */
    uint32_t copies;
    /* divided by tensor parallelism */
    bool split;
    /* divided by expert parallelism */
    bool expert;
    /* a matrix that NF4 quantizes: of a block, not an embedding or the head */
    bool linear;
    /* of them: query or value, or the three in one */
    bool queries;
};
#define ACCOUNT_TENSORS 32

/* Rows of families, 0 for none, and what `family` of a shape says. catalogue.awk makes these
 * names from data/models.json's. */
enum account_family_row {
    ACCOUNT_FAMILY_NONE,
    ACCOUNT_FAMILY_GPT,
    ACCOUNT_FAMILY_LLAMA,
    ACCOUNT_FAMILY_QWEN,
    ACCOUNT_FAMILY_QWEN3,
    ACCOUNT_FAMILY_NEOX,
    ACCOUNT_FAMILY_OPT,
    ACCOUNT_FAMILY_MIXTRAL,
    ACCOUNT_FAMILY_GEMMA,
    ACCOUNT_FAMILY_GEMMA2,
    ACCOUNT_FAMILY_GEMMA3,
    ACCOUNT_FAMILY_PHI,
    ACCOUNT_FAMILY_PHI3,
    ACCOUNT_FAMILY_FALCON,
    ACCOUNT_FAMILY_FALCON2,
    ACCOUNT_FAMILY_BLOOM,
    ACCOUNT_FAMILY_OLMO,
    ACCOUNT_FAMILY_OLMO2,
    ACCOUNT_FAMILY_STARCODER2,
    ACCOUNT_FAMILIES
};

enum account_qk_norm {
    ACCOUNT_NO_QK_NORM,
    /* one weight of head_size for all heads of the query, one for the key's */
    ACCOUNT_NORM_HEAD,
    /* over all heads together: as long as the projection */
    ACCOUNT_NORM_WHOLE
};

/* A family: which tensors a shape has. A shape with experts has a router and the experts in place
 * of the MLP. */
struct account_family {
    const char *name, *what, *source;
    /* the MLP has a gate: three matrices of h × f instead of two */
    bool gated;
    /* query, key and value are one tensor */
    bool fused_qkv;
    /* gate and up are one tensor */
    bool fused_gate;
    /* LayerNorm (weight and bias) rather than RMSNorm */
    bool norm_bias;
    /* the norms have no weights */
    bool bare_norms;
    bool embedding_norm;
    bool qkv_bias, out_bias, mlp_bias, head_bias;
    bool learned_positions;
    /* rows of the position table beyond the context (OPT: 2) */
    uint8_t extra_positions;
    /* in a block */
    uint8_t norms;
    /* enum account_qk_norm */
    uint8_t qk_norm;
};
const struct account_family *account_family_of(const struct account_shape *s);

/* The tensors of one unit of each place; the number of blocks is s->layers. 0 if the family is
 * none. `out` has room for ACCOUNT_TENSORS. A tied head has no tensor of its own. */
size_t account_tensors(const struct account_shape *s, struct account_tensor *out);
/* account_count_params() of a shape whose tensors these are. */
uint64_t account_count_tensors(const struct account_shape *s, const struct account_tensor *tensor,
                               size_t count);
/* Parameters of one unit of a place, whole. */
uint64_t account_place_params(const struct account_shape *s, enum account_place place);
/* Elements that a factored optimizer keeps: rows + columns of each matrix, and each vector
 * whole. */
uint64_t account_factored_elements(const struct account_shape *s);
/* Trainable parameters of LoRA adapters of rank r: r (in + out) for each matrix that has one, by
 * enum account_adapted. */
uint64_t account_adapter_params(const struct account_shape *s, uint32_t rank, uint8_t on);
/* Those of them that one token meets: of experts, the adapters of the active ones. */
uint64_t account_adapter_params_met(const struct account_shape *s, uint32_t rank, uint8_t on);

#endif
