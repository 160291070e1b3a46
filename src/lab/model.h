/* The model: GPT-2's units and their tensors, and one pass forward and backward through each. */
#ifndef LAB_MODEL_H
#define LAB_MODEL_H

#include "lab/device.h"
#include "lab/options.h"

/* Units in order: the embeddings (wte, then wpe), each block, the last norm, and an untied head. A
 * tied head is the embeddings' wte. */
enum lab_unit_kind { LAB_EMBEDDINGS, LAB_BLOCK, LAB_LAST_NORM, LAB_HEAD };
struct lab_tensor {
    /* "ln1.weight", "qkv.weight" … in GPT-2's own order. */
    const char *name;
    /* In the unit's flat buffer, in elements. Linear weights are [out × in]; rows 0: a vector. */
    size_t offset, count, rows, columns;
    /* Of its initial normal values. −1: ones, 0: zeros. */
    double deviation;
};
#define LAB_TENSORS 12
struct lab_unit {
    /* "embeddings", "block 3", "last norm", "head". */
    char name[20];
    enum lab_unit_kind kind;
    /* Elements, without padding. */
    size_t count;
    size_t tensors;
    struct lab_tensor tensor[LAB_TENSORS];
};
struct lab_model {
    struct lab_shape shape;
    /* layers + 2; an untied head is one more. */
    size_t units;
    struct lab_unit *unit;
    size_t params;
};
/* The units that have the last norm and the head's matrix. */
static inline size_t lab_norm_unit(const struct lab_shape *s) {
    return s->layers + (size_t)1;
}
static inline size_t lab_head_unit(const struct lab_shape *s) {
    return s->untied ? s->layers + (size_t)2 : 0;
}
struct lab_model *lab_model_new(const struct lab_shape *shape);
void lab_model_free(struct lab_model *m);
/* Finds a named shape, "tiny" … "1558m". Returns false if there is none of that name. */
bool lab_shape_find(const char *name, struct lab_shape *out);
bool lab_shape_same(const struct lab_shape *a, const struct lab_shape *b);
/* "tiny|small|124m|…". */
const char *lab_shape_names(void);
/* Makes a unit's initial values. They are the same whatever the ranks, stage and device, because
 * each value follows from the seed, its tensor and its place alone. The second makes elements
 * [from, from + count) only, so that a shard can be made without the rest. Beyond the unit:
 * zeros. */
void lab_model_init(const struct lab_model *m, size_t unit, uint64_t seed, float *out);
void lab_model_init_range(const struct lab_model *m, size_t unit, uint64_t seed, size_t from,
                          size_t count, float *out);

/* ── what is kept ──
 *
 * Bytes of a block's tensors: all of them, those kept from forward to backward under the
 * checkpointing, and those dropped, which live in `working` while one block runs. all = kept +
 * working. The block's input is always the first in `kept`: a block's output may be written
 * straight into the next block's saved buffer, the last one's into the head's. passes.c has the
 * list. */
size_t lab_block_all(const struct lab_device *d, const struct lab_options *o);
size_t lab_block_kept(const struct lab_device *d, const struct lab_options *o);
size_t lab_block_working(const struct lab_device *d, const struct lab_options *o);
/* Bytes of backward's intermediate gradients: 5 · width per token, and what the device's attention
 * asks for. Forward needs none. */
size_t lab_block_scratch(struct lab_device *d, const struct lab_options *o);
/* The last norm's input, then its output, which is the head's input. */
size_t lab_head_kept(const struct lab_options *o);
/* Logits are fp32, or fp64 if that is computed in. They have as many columns as the device prefers
 * for the vocabulary. */
size_t lab_logits_bytes(const struct lab_device *d, const struct lab_options *o);

/* ── passes, of one unit each; tensors have batch · seq rows ── */

struct lab_pass {
    struct lab_device *device;
    const struct lab_options *options;
    const struct lab_unit *unit;
    /* The unit's parameters, whole, of the compute type; and its gradients. */
    const void *params;
    void *grads;
    /* Backward writes the gradients, because nothing of them was made yet. Else it adds to them.
     * The lookup's always adds. */
    bool fresh;
    /* This block's kept part; of last norm and head: theirs. */
    void *saved;
    /* lab_block_working() bytes, in forward too. NULL if that is 0. */
    void *working;
    /* For the backward of blocks. */
    void *scratch;
};
/* x may be `saved` itself; y may not. */
void lab_block_forward(const struct lab_pass *p, const void *x, void *y);
/* Turns dy into dx, in place. */
void lab_block_backward(const struct lab_pass *p, void *dxy);

/* In order: lookup (unit embeddings) … norm (unit last norm), head (lab_head_unit()), loss; then
 * backward head, norm … lookup. Tokens and targets are batch · seq numbers in memory that the
 * device reads. */
void lab_embed_forward(const struct lab_pass *p, const int32_t *tokens, void *x);
void lab_embed_backward(const struct lab_pass *p, const int32_t *tokens, const void *dx);
/* x may be `saved` itself. */
void lab_last_norm_forward(const struct lab_pass *p, const void *x);
void lab_last_norm_backward(const struct lab_pass *p, void *dxy);
void lab_head_forward(const struct lab_pass *p, void *logits);
/* Turns logits into their own gradient · scale (such as loss scale ÷ rows). Adds the sum of the
 * rows' losses to the device's loss. */
void lab_head_loss(const struct lab_pass *p, void *logits, const int32_t *targets, double scale);
void lab_head_backward(const struct lab_pass *p, const void *logits, void *dx);
/* Elements at the beginning of the head's unit that its backward writes; in the embeddings, the
 * lookup adds to what follows. */
size_t lab_head_writes(const struct lab_device *d, const struct lab_options *o);

/* ── a file of initial weights, for a reference in another language ──
 *
 * Text lines "zerolab-weights 1", "layers width heads seq vocab", "tensors N", then N lines "unit
 * tensor rows columns" (rows 0: a vector), an empty line, then the values in that order, fp32,
 * little-endian. */

bool lab_weights_write(const struct lab_model *m, uint64_t seed, const char *path,
                       struct lab_message *e);

#endif
