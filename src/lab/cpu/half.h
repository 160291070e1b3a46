/* One 16-bit value to fp32 and back, rounding to nearest even; without branches that would keep a loop from vectors. */
#ifndef LAB_HALF_H
#define LAB_HALF_H

#include <stdint.h>
#include <string.h>

static inline uint32_t lab_bits_of(float f) {
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}
static inline float lab_float_of(uint32_t u) {
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

/* Chosen by a mask: compilers make branches of ?: here, and then no vectors. */
static inline uint32_t lab_pick(uint32_t first, uint32_t a, uint32_t b) {
    uint32_t mask = 0 - first;
    return (a & mask) | (b & ~mask);
}

static inline float lab_bf16_to_float(uint16_t h) {
    return lab_float_of((uint32_t)h << 16);
}
static inline uint16_t lab_float_to_bf16(float f) {
    uint32_t u = lab_bits_of(f), rounded = (u + 0x7fffu + (u >> 16 & 1u)) >> 16;
    return (uint16_t)lab_pick((u & 0x7fffffffu) > 0x7f800000u, u >> 16 | 0x40u, rounded);
}

/* Exponent and fraction moved into place and scaled by 2¹¹²: that is exact, and normalises what was subnormal. An exponent of ones (Inf,
 * NaN) carries into bit 15, and stays one of ones. */
static inline float lab_f16_to_float(uint16_t h) {
    uint32_t rest = (uint32_t)(h & 0x7fffu) << 13, sign = (uint32_t)(h & 0x8000u) << 16;
    uint32_t ones = (0 - (((uint32_t)(h & 0x7fffu) + 0x400u) >> 15)) & 0x7f800000u;
    return lab_float_of(lab_bits_of(lab_float_of(rest) * 0x1p112F) | ones | sign);
}
/* Normal results round by adding half an ulp to the bits; subnormal ones by adding 0.5, whose ulp is fp16's smallest step. */
static inline uint16_t lab_float_to_f16(float f) {
    uint32_t u = lab_bits_of(f), rest = u & 0x7fffffffu;
    uint32_t normal = (rest - (112u << 23) + 0xfffu + (rest >> 13 & 1u)) >> 13;
    uint32_t small = lab_bits_of(lab_float_of(rest) + 0.5f) - lab_bits_of(0.5f);
    uint32_t half = lab_pick(rest < 113u << 23, small, normal);
    half = lab_pick(rest >= 0x477ff000u, 0x7c00u, half); /* 65520 and up: infinity */
    half = lab_pick(rest > 0x7f800000u, 0x7e00u | (rest >> 13 & 0x3ffu), half);
    return (uint16_t)((u >> 16 & 0x8000u) | half);
}

#endif
