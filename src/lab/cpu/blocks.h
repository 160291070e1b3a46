/* Blocks: LAB_QUANTUM values behind the fp32 scale that they share. Storing moments that were
 * loaded gives the same bytes again, so a checkpoint can keep them in fp32. */
#ifndef LAB_BLOCKS_H
#define LAB_BLOCKS_H

#include "lab/dtype.h"

/* Stores n values as blocks of a type; of the last block, values that are missing are zeros. A
 * block with a value that is infinite or not a number is loaded as not a number.
 *
 *     Q8, Q4     scale = max |x| / 127 or / 7, codes nearest to x / scale, ties to even (ZeRO++,
 *                arXiv:2306.10209, section 3.1: "block-based quantization", symmetric)
 *     SIGNED8    a sign and one of 128 magnitudes, of which the steps grow with the value: as many
 *                steps between 0.1 and 1 of the block's largest as in all below (dynamic tree
 *                quantization: Dettmers et al., arXiv:2110.02861, sections 1.3 and 2.2). The
 * largest itself is exact, of either sign SQUARE8    the same without a sign: 256 magnitudes. What
 * is not zero stays above zero, since the optimizer divides by its root */
void lab_blocks_store(enum lab_dtype type, void *to, const float *from, size_t n);
void lab_blocks_load(enum lab_dtype type, float *to, const void *from, size_t n);

#endif
