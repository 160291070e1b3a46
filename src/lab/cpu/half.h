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

static inline float lab_bf16_to_float(uint16_t h) {
    return lab_float_of((uint32_t)h << 16);
}
static inline uint16_t lab_float_to_bf16(float f) {
    uint32_t u = lab_bits_of(f);
    uint32_t rounded = (u + 0x7fffu + (u >> 16 & 1u)) >> 16;
    uint32_t quiet = u >> 16 | 0x40u;
    return (uint16_t)((u & 0x7fffffffu) > 0x7f800000u ? quiet : rounded);
}

/* The exponents differ by 112. A subnormal half is a fraction of 2^-14: put behind that number's leading one, which is then taken off; no subnormal
 * float comes up, which processors are slow at. */
static inline float lab_f16_to_float(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16, rest = (uint32_t)(h & 0x7fffu) << 13;
    uint32_t normal = rest + (112u << 23), endless = rest | 0x7f800000u;
    uint32_t small = lab_bits_of(lab_float_of(rest + (113u << 23)) - 0x1p-14f);
    uint32_t finite = rest < 1u << 23 ? small : normal;
    return lab_float_of(sign | (rest >= 31u << 23 ? endless : finite));
}
/* Below 2^-14 a half counts in units of 2^-24, which are the last bits of a float near a half: an addition rounds to them. */
static inline uint16_t lab_float_to_f16(float f) {
    uint32_t u = lab_bits_of(f), rest = u & 0x7fffffffu;
    uint32_t normal = (rest + 0xfffu + (rest >> 13 & 1u) - (112u << 23)) >> 13;
    uint32_t small = lab_bits_of(lab_float_of(rest) + 0.5f) - lab_bits_of(0.5f);
    uint32_t endless = rest > 0x7f800000u ? 0x7e00u : 0x7c00u;
    uint32_t finite = rest < 0x38800000u ? small : normal;
    return (uint16_t)((u >> 16 & 0x8000u) | (rest >= 0x47800000u ? endless : finite));
}

#endif
