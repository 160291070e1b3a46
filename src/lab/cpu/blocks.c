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

enum { SIGN = 128, SIGNED_LAST = 127, SQUARE_LAST = 255 };
#define STEP1(decade, steps, at)   (decade) * (0.1f + 0.9f * ((at) + 0.5f) / (steps))
#define STEP2(decade, steps, at)   STEP1(decade, steps, at), STEP1(decade, steps, (at) + 1)
#define STEP4(decade, steps, at)   STEP2(decade, steps, at), STEP2(decade, steps, (at) + 2)
#define STEP8(decade, steps, at)   STEP4(decade, steps, at), STEP4(decade, steps, (at) + 4)
#define STEP16(decade, steps, at)  STEP8(decade, steps, at), STEP8(decade, steps, (at) + 8)
#define STEP32(decade, steps, at)  STEP16(decade, steps, at), STEP16(decade, steps, (at) + 16)
#define STEP64(decade, steps, at)  STEP32(decade, steps, at), STEP32(decade, steps, (at) + 32)
#define STEP128(decade, steps, at) STEP64(decade, steps, at), STEP64(decade, steps, (at) + 64)

static const float of_signed[SIGNED_LAST + 1] = {
    0,
    STEP1(1e-6f, 1, 0),
    STEP2(1e-5f, 2, 0),
    STEP4(1e-4f, 4, 0),
    STEP8(1e-3f, 8, 0),
    STEP16(1e-2f, 16, 0),
    STEP32(1e-1f, 32, 0),
    STEP32(1, 64, 0),
    STEP16(1, 64, 32),
    STEP8(1, 64, 48),
    STEP4(1, 64, 56),
    STEP2(1, 64, 60),
    STEP1(1, 64, 62),
    1,
};
static const float of_squares[SQUARE_LAST + 1] = {
    0,
    STEP2(1e-6f, 2, 0),
    STEP4(1e-5f, 4, 0),
    STEP8(1e-4f, 8, 0),
    STEP16(1e-3f, 16, 0),
    STEP32(1e-2f, 32, 0),
    STEP64(1e-1f, 64, 0),
    STEP128(1, 128, 0),
    1,
};

/* The code of x / scale, which is up to 1 and a rounding error. `lowest`: steps of the lowest
 * decade. Below it is 0. Positive values compare as their bits do: chosen by masks, all of it is
 * vectors. */
LAB_BOTH uint32_t code_of(float x, float scale, uint32_t lowest, uint32_t last) {
    float part = lab_float_of(lab_bits_of(x) & 0x7fffffffu) / scale;
    uint32_t bits = lab_bits_of(part), decade = 0, times = lab_bits_of(1e6f);
    static const struct {
        float above, times;
    } decades[] = {{1e-6f, 1e5f}, {1e-5f, 1e4f}, {1e-4f, 1e3f},
                   {1e-3f, 1e2f}, {1e-2f, 1e1f}, {1e-1f, 1}};
    for (int d = 0; d < 6; d++) {
        uint32_t above = bits > lab_bits_of(decades[d].above);
        decade += above;
        times = lab_pick(above, lab_bits_of(decades[d].times), times);
    }
    uint32_t steps = lowest << decade;
    float place = (part * lab_float_of(times) - 0.1f) * (1 / 0.9f) * (float)(int32_t)steps;
    int32_t at = (int32_t)place, most = (int32_t)steps - 1;
    at = at < 0 ? 0 : at;
    at = at < most ? at : most;
    uint32_t code = steps - lowest + 1 + (uint32_t)at;
    code = lab_pick(bits > lab_bits_of(0.998f), last, code);
    return lab_pick(bits > lab_bits_of(1e-7f), code, 0);
}

LAB_WIDE static void to_signed(uint8_t *to, const float *x, size_t n, float scale) {
    for (size_t i = 0; i < n; i++) {
        uint32_t code = code_of(x[i], scale, 1, SIGNED_LAST), sign = lab_bits_of(x[i]) >> 24 & SIGN;
        to[i] = (uint8_t)(code | lab_pick(code > 0, sign, 0));
    }
}

/* What is not zero stays above zero. */
LAB_WIDE static void to_squares(uint8_t *to, const float *x, size_t n, float scale) {
    for (size_t i = 0; i < n; i++) {
        uint32_t code = code_of(x[i], scale, 2, SQUARE_LAST);
        to[i] = (uint8_t)(code | ((uint32_t)(code == 0) & (uint32_t)(lab_bits_of(x[i]) != 0)));
    }
}

static float store_growing(enum lab_dtype type, uint8_t *to, const float *x, size_t n) {
    float scale = largest(x, n);
    memset(to, 0, LAB_QUANTUM);
    if (scale < 1e-30f) return 0; /* its smallest steps would be subnormal */
    if (!isnan(scale)) (type == LAB_SIGNED8 ? to_signed : to_squares)(to, x, n, scale);
    return scale;
}

LAB_WIDE static void from_signed(float *to, const uint8_t *from, size_t n, float scale) {
    for (size_t i = 0; i < n; i++) {
        float value = scale * of_signed[from[i] & SIGNED_LAST];
        to[i] = lab_float_of(lab_bits_of(value) | (uint32_t)(from[i] & SIGN) << 24);
    }
}

LAB_WIDE static void from_squares(float *to, const uint8_t *from, size_t n, float scale) {
    for (size_t i = 0; i < n; i++) to[i] = scale * of_squares[from[i]];
}

static void load_growing(enum lab_dtype type, float *to, const uint8_t *from, size_t n,
                         float scale) {
    (type == LAB_SIGNED8 ? from_signed : from_squares)(to, from, n, scale);
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
