/* What forward and backward of a block share: its tensors, where they lie, and how each is made. */
#ifndef LAB_BLOCK_H
#define LAB_BLOCK_H

#include "lab/model.h"

/* Elements a token, of C = width, and who keeps it:
 *
 *     INPUT      C            none  selective  full
 *     NORM_1     C            none
 *     QKV        3C           none  selective
 *     SCORES     heads · seq  none             softmax of query · key; with flash attention heads fp32 statistics, selective as well
 *     ATTENTION  C            none  selective
 *     MIDDLE     C            none  selective  input + projection
 *     NORM_2     C            none
 *     FC         4C           none  selective
 *     GELU       4C           none
 */
enum lab_block_tensor {
    LAB_INPUT,
    LAB_NORM_1,
    LAB_QKV,
    LAB_SCORES,
    LAB_ATTENTION_OUT,
    LAB_MIDDLE,
    LAB_NORM_2,
    LAB_FC,
    LAB_GELU_OUT,
    LAB_BLOCK_TENSORS
};
enum lab_block_weight { /* as model.c lists them; each weight's bias follows it */
                        LAB_LN1 = 0,
                        LAB_W_QKV = 2,
                        LAB_W_PROJ = 4,
                        LAB_LN2 = 6,
                        LAB_W_FC = 8,
                        LAB_W_OUT = 10
};
struct lab_block {
    const struct lab_pass *pass;
    struct lab_device *device;
    enum lab_dtype type;
    size_t rows, width;
    void *tensor[LAB_BLOCK_TENSORS];
};
struct lab_block lab_block_of(const struct lab_pass *p);
/* Makes the tensors that are not kept again. */
void lab_block_again(const struct lab_block *b);
const void *lab_block_param(const struct lab_block *b, size_t tensor);
void *lab_block_grad(const struct lab_block *b, size_t tensor);
struct lab_attention lab_block_attention(const struct lab_block *b);

#endif
