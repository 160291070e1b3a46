/* Instructions of a whole warp, with the fragment layouts of the PTX ISA (warp-level matrix
 * instructions). Shared addresses are plain pointers. */
#ifndef EMULATED_PTX_H
#define EMULATED_PTX_H

#include "cuda_runtime.h"

#include <cstdint>

/* ldmatrix.x4.b16: lane i names the i-th of 32 rows of 16 bytes, eight a matrix. */
void emulated_ldmatrix(uint32_t (&to)[4], const void *row, bool transposed);
/* mma.m16n8k16.f32: sums[i] += a · b; elements are bf16 or fp16. */
void emulated_mma(float (&sums)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], bool bf16);

#endif
