/* A trainer of one rank without stages: what the engine's losses are compared with, and what tests
 * of the model's passes run. */
#ifndef TRAINER_H
#define TRAINER_H

#include "lab/model.h"
#include "lab/tokens.h"

struct trainer {
    struct lab_options options;
    struct lab_model *model;
    struct lab_device *device;
    /* of each unit in the flat arrays */
    size_t *offset;
    void *params, *grads;
    /* master: NULL in fp32 */
    float *master, *m, *v;
    /* of each block; the last: of norm and head */
    void **saved;
    void *working, *scratch, *logits, *dx;
    int32_t *inputs, *targets;
    uint32_t step;
};
/* fp32, one layer more than none, of a width that vectors do not divide. */
struct lab_options trainer_small(void);
struct trainer *trainer_new(const struct lab_options *o);
void trainer_free(struct trainer *t);
/* Mean loss of t->inputs and t->targets. */
double trainer_loss(struct trainer *t);
/* The same, and its gradient · scale into t->grads, begun at zero. */
double trainer_gradients(struct trainer *t, double scale);
/* AdamW with rate on the gradients that are there. */
void trainer_update(struct trainer *t, double rate, double scale);
/* Sequences first, first + 1 … of the stream into inputs and targets. */
void trainer_feed(struct trainer *t, const struct lab_tokens *tokens, uint64_t first);

#endif
