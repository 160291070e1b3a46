/* Block by block: the scale, then the codes. Loops are free of branches where a compiler can make
 * vectors of them. */
#include "lab/cpu/blocks.h"

#include "lab/arith.h"
#include "lab/cpu/cpu.h"

#include <string.h>

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t block_bytes(enum lab_dtype type) {
    return lab_dtype_size(type, LAB_QUANTUM);
}

/* ── the scale ── */

/* The largest magnitude, or NaN if one of them is infinite or NaN: 0 · x is 0 for all others. */
LAB_WIDE static float largest(const float *x, size_t n) {
    float most = 0, strange = 0;
    for (size_t i = 0; i < n; i++) {
        float magnitude = lab_float_of(lab_bits_of(x[i]) & 0x7fffffffu);
        most = magnitude > most ? magnitude : most;
        strange += 0 * x[i];
    }
    return most + strange;
}

/* ── steps of equal size ── */

/* Adding 1.5 · 2^23 rounds to a whole number, ties to even, and leaves it in the low bits. */
LAB_WIDE static void to_steps(int8_t *code, const float *x, size_t n, float inverse) {
    for (size_t i = 0; i < n; i++) code[i] = (int8_t)lab_bits_of(x[i] * inverse + 12582912.f);
}

LAB_WIDE static void from_steps(float *x, const int8_t *code, size_t n, float scale) {
    for (size_t i = 0; i < n; i++) x[i] = scale * (float)code[i];
}

/* Two to a byte: the first half of a block in the low bits, the second in the high ones. */
LAB_WIDE static void pack(uint8_t *to, const int8_t *code) {
    for (size_t i = 0; i < LAB_QUANTUM / 2; i++)
        to[i] = (uint8_t)((code[i] & 15) | (code[i + LAB_QUANTUM / 2] & 15) << 4);
}

LAB_WIDE static void unpack(int8_t *code, const uint8_t *from) {
    for (size_t i = 0; i < LAB_QUANTUM / 2; i++) {
        code[i] = (int8_t)(((from[i] & 15) ^ 8) - 8);
        code[i + LAB_QUANTUM / 2] = (int8_t)(((from[i] >> 4) ^ 8) - 8);
    }
}

static float store_steps(enum lab_dtype type, uint8_t *to, const float *x, size_t n) {
    int8_t code[LAB_QUANTUM] = {0};
    float steps = type == LAB_Q4 ? 7 : 127, most = largest(x, n);
    /* A largest value so small that its steps are subnormal is nothing. */
    float scale = most < 1e-36f ? 0 : most / steps;
    if (scale > 0) to_steps(code, x, n, steps / most);
    if (type == LAB_Q4)
        pack(to, code);
    else
        memcpy(to, code, sizeof code);
    return scale;
}

/* ── steps that grow ──
 *
 * Seven decades below 1, each with twice as many steps as the one below it: 1, 2 … 64 of a signed
 * value, 2, 4 … 128 of a square. Codes count the steps from the smallest on, after 0. A step's
 * value is its middle, but the largest code is 1 itself. */

enum { DECADES = 7, SIGN = 128 };
static const float decade[DECADES] = {1e-6f, 1e-5f, 1e-4f, 1e-3f, 1e-2f, 1e-1f, 1};

/* Steps of the lowest decade. */
static unsigned lowest_steps(enum lab_dtype type) {
    return type == LAB_SQUARE8 ? 2 : 1;
}

/* Codes before decade d are 0 and so many steps. */
static unsigned first_code(unsigned lowest, unsigned d) {
    return 1 + lowest * ((1u << d) - 1);
}

static unsigned last_code(enum lab_dtype type) {
    return type == LAB_SQUARE8 ? 255 : SIGN - 1;
}

/* `x` is from 0 to 1 and a rounding error. */
static unsigned code_of(enum lab_dtype type, float x) {
    unsigned d = DECADES - 1, lowest = lowest_steps(type);
    while (d > 0 && x <= 0.1f * decade[d]) d--;
    float steps = (float)(lowest << d), place = (x / decade[d] - 0.1f) / 0.9f * steps;
    if (place < 0) return d > 0 ? first_code(lowest, d) : 0;
    unsigned step = place < steps ? (unsigned)place : (lowest << d) - 1;
    unsigned code = first_code(lowest, d) + step, last = last_code(type);
    return code + 1 >= last && x > 0.998f ? last : code;
}

static float value_of(enum lab_dtype type, unsigned code) {
    unsigned lowest = lowest_steps(type);
    if (code == 0 || code == last_code(type)) return code ? 1 : 0;
    unsigned d = 31 - (unsigned)__builtin_clz((code - 1) / lowest + 1);
    float step = (float)(code - first_code(lowest, d)) + 0.5f;
    return decade[d] * (0.1f + 0.9f * step / (float)(lowest << d));
}

static float store_growing(enum lab_dtype type, uint8_t *to, const float *x, size_t n) {
    float scale = largest(x, n);
    memset(to, 0, LAB_QUANTUM);
    if (scale < 1e-30f) return 0; /* its smallest steps would be subnormal */
    if (isnan(scale)) return scale;
    for (size_t i = 0; i < n; i++) {
        unsigned code = code_of(type, fabsf(x[i]) / scale);
        if (type == LAB_SQUARE8 && code == 0 && x[i] > 0) code = 1;
        to[i] = (uint8_t)(code | (type == LAB_SIGNED8 && code && x[i] < 0 ? SIGN : 0));
    }
    return scale;
}

static void load_growing(enum lab_dtype type, float *to, const uint8_t *from, size_t n,
                         float scale) {
    float value[256];
    for (unsigned code = 0; code <= last_code(type); code++) {
        value[code] = scale * value_of(type, code);
        if (type == LAB_SIGNED8) value[code + SIGN] = -value[code];
    }
    for (size_t i = 0; i < n; i++) to[i] = value[from[i]];
}

/* ── blocks ── */

static bool has_equal_steps(enum lab_dtype type) {
    return type == LAB_Q8 || type == LAB_Q4;
}

void lab_blocks_store(enum lab_dtype type, void *to, const float *from, size_t n) {
    uint8_t *block = to;
    for (size_t at = 0; at < n; at += LAB_QUANTUM, block += block_bytes(type)) {
        size_t some = least(LAB_QUANTUM, n - at);
        float scale = (has_equal_steps(type) ? store_steps : store_growing)(
            type, block + sizeof scale, from + at, some);
        memcpy(block, &scale, sizeof scale);
    }
}

static void load_steps(enum lab_dtype type, float *to, const uint8_t *from, size_t n, float scale) {
    int8_t code[LAB_QUANTUM];
    if (type == LAB_Q4)
        unpack(code, from);
    else
        memcpy(code, from, sizeof code);
    from_steps(to, code, n, scale);
}

void lab_blocks_load(enum lab_dtype type, float *to, const void *from, size_t n) {
    const uint8_t *block = from;
    for (size_t at = 0; at < n; at += LAB_QUANTUM, block += block_bytes(type)) {
        float scale;
        memcpy(&scale, block, sizeof scale);
        (has_equal_steps(type) ? load_steps : load_growing)(type, to + at, block + sizeof scale,
                                                            least(LAB_QUANTUM, n - at), scale);
    }
}
