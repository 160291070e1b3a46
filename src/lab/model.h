/* The model: GPT-2's units and their tensors, and one pass forward and backward through each. */
#ifndef LAB_MODEL_H
#define LAB_MODEL_H

#include "lab/device.h"
#include "lab/options.h"

/* Units in order: the embeddings (wte, then wpe), each block, the last norm. The tied head is the embeddings' wte. */
enum lab_unit_kind { LAB_EMBEDDINGS, LAB_BLOCK, LAB_LAST_NORM };
struct lab_tensor {
    const char *name;   /* "ln1.weight", "qkv.weight" … GPT-2's own order */
    size_t offset, count, rows, columns; /* in the unit's flat buffer, in elements; linear weights are [out × in] */
    double deviation;   /* of its initial normal values; −1: ones; 0: zeros */
};
#define LAB_TENSORS 12
struct lab_unit {
    char name[16]; /* "embeddings", "block 3", "last norm" */
    enum lab_unit_kind kind;
    size_t count; /* elements, without padding */
    size_t tensors;
    struct lab_tensor tensor[LAB_TENSORS];
};
struct lab_model {
    struct lab_shape shape;
    size_t units; /* layers + 2 */
    struct lab_unit *unit;
    size_t params;
};
struct lab_model *lab_model_new(const struct lab_shape *shape);
void lab_model_free(struct lab_model *m);
/* The model's named shapes: "tiny" … "1558m". False if there is none of that name. */
bool lab_shape_find(const char *name, struct lab_shape *out);
const char *lab_shape_names(void); /* "tiny|small|124m|…" */
/* Initial values of a unit, the same whatever the ranks, stage and device: a stream of its own for each tensor from the seed. */
void lab_model_init(const struct lab_model *m, size_t unit, uint64_t seed, float *out);

/* What a block keeps from forward to backward, in bytes, and the pieces of it. Saved tensors lie in one buffer the caller gives; see
 * block.c for the list. `kept` is what stays under the checkpointing, `all` with nothing dropped. */
size_t lab_block_all(const struct lab_device *d, const struct lab_options *o);
size_t lab_block_kept(const struct lab_device *d, const struct lab_options *o);
size_t lab_block_scratch(struct lab_device *d, const struct lab_options *o); /* for backward's intermediate gradients; forward's too */

struct lab_pass { /* what one unit's pass works with; tensors of rows = batch · seq */
    struct lab_device *device;
    const struct lab_options *options;
    const struct lab_unit *unit;
    const void *params; /* the unit, whole */
    void *grads;        /* the unit's, whole; backward adds to it */
    enum lab_dtype grad_type;
    void *saved;        /* this block's kept part */
    void *working;      /* lab_block_all() bytes where something is recomputed, else NULL */
    void *scratch;
};
/* x and y may be the same buffer only where saved keeps x. */
void lab_block_forward(const struct lab_pass *p, const void *x, void *y);
/* dy is turned into dx in place. `x` is the block's input where it is not kept in `saved`. */
void lab_block_backward(const struct lab_pass *p, const void *x, void *dxy);

#endif
