/* The model: GPT-2's units and their tensors, and one pass forward and backward through each. */
#ifndef LAB_MODEL_H
#define LAB_MODEL_H

#include "lab/device.h"
#include "lab/options.h"

/* Units in order: the embeddings (wte, then wpe), each block, the last norm. The tied head is the embeddings' wte. */
enum lab_unit_kind { LAB_EMBEDDINGS, LAB_BLOCK, LAB_LAST_NORM };
struct lab_tensor {
    const char *name; /* "ln1.weight", "qkv.weight" … GPT-2's own order */
    size_t offset, count, rows,
        columns;      /* in the unit's flat buffer, in elements; linear weights are [out × in] */
    double deviation; /* of its initial normal values; −1: ones; 0: zeros */
};
#define LAB_TENSORS 12
struct lab_unit {
    char name[20]; /* "embeddings", "block 3", "last norm" */
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
/* Initial values of a unit, the same whatever the ranks, stage and device: each value follows from the seed, its tensor and its place
 * alone. The second makes elements [from, from + count) only, so that a shard can be made without the rest; beyond the unit: zeros. */
void lab_model_init(const struct lab_model *m, size_t unit, uint64_t seed, float *out);
void lab_model_init_range(const struct lab_model *m, size_t unit, uint64_t seed, size_t from,
                          size_t count, float *out);

/* ── what is kept ──
 * The tensors of a block, in bytes: `all` of them, those `kept` from forward to backward under the checkpointing, and those dropped, which live in
 * `working` while one block runs. all = kept + working. The block's input comes first in `kept`, always: a block's output may be written
 * straight into the next block's saved buffer, the last one's into the head's. block.c has the list. */
size_t lab_block_all(const struct lab_device *d, const struct lab_options *o);
size_t lab_block_kept(const struct lab_device *d, const struct lab_options *o);
size_t lab_block_working(const struct lab_device *d, const struct lab_options *o);
/* Backward's intermediate gradients: 5 · width a token, and what the device's attention asks for. Forward needs none. */
size_t lab_block_scratch(struct lab_device *d, const struct lab_options *o);
/* The last norm's input, then its output, which is the head's input; and the logits (fp32; fp64 where computed so), of as many columns as the device
 * likes for the vocabulary. */
size_t lab_head_kept(const struct lab_options *o);
uint32_t lab_logits_columns(const struct lab_device *d, const struct lab_options *o);
size_t lab_logits_bytes(const struct lab_device *d, const struct lab_options *o);

/* ── passes ── of one unit each; tensors have batch · seq rows. */
struct lab_pass {
    struct lab_device *device;
    const struct lab_options *options;
    const struct lab_unit *unit;
    const void *params; /* the unit, whole, of the compute type */
    void *grads;        /* the same of its gradients; backward adds to it … */
    bool
        fresh; /* … or writes it: nothing of it was made yet. Of the embeddings that is the head's part (lab_head_writes) */
    void *saved;   /* this block's kept part; of last norm and head: theirs */
    void *working; /* lab_block_working() bytes, in forward too; NULL where that is 0 */
    void *scratch; /* blocks' backward */
};
/* x may be `saved` itself; y may not. */
void lab_block_forward(const struct lab_pass *p, const void *x, void *y);
/* dy is turned into dx in place. */
void lab_block_backward(const struct lab_pass *p, void *dxy);

/* In order: lookup (unit embeddings) … norm (unit last norm), head (unit embeddings), loss; then backward head, norm … lookup.
 * Tokens and targets are batch · seq numbers in memory that the device reads. */
void lab_embed_forward(const struct lab_pass *p, const int32_t *tokens, void *x);
void lab_embed_backward(const struct lab_pass *p, const int32_t *tokens, const void *dx);
void lab_last_norm_forward(const struct lab_pass *p, const void *x); /* x may be `saved` itself */
void lab_last_norm_backward(const struct lab_pass *p, void *dxy);
void lab_head_forward(const struct lab_pass *p, void *logits);
/* Logits become their own gradient · scale (loss scale ÷ rows, say); the device's loss grows by the sum of the rows' losses. */
void lab_head_loss(const struct lab_pass *p, void *logits, const int32_t *targets, double scale);
void lab_head_backward(const struct lab_pass *p, const void *logits, void *dx);
/* Elements at the beginning of the embeddings' gradient that the head's backward writes; what follows is added to. */
size_t lab_head_writes(const struct lab_device *d, const struct lab_options *o);

/* ── a file of initial weights, for a reference in another language ──
 * Text lines "zerolab-weights 1", "layers width heads seq vocab", "tensors N", then N lines "unit tensor rows columns" (rows 0: a vector), an
 * empty line, then the values in that order, fp32, little-endian. */
bool lab_weights_write(const struct lab_model *m, uint64_t seed, const char *path,
                       struct lab_message *e);
/* Checks the header against the model and reads the values, unit after unit, into out[m->params]. */
bool lab_weights_read(const struct lab_model *m, const char *path, float *out,
                      struct lab_message *e);

#endif
