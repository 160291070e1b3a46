/* fp32. */
#include "lab/cpu/cores.h"
#include "lab/cpu/half.h"

#include <math.h>

/* e^x to about 2 units in the last place: x = k ln 2 + r with |r| ≤ ln 2 / 2, a polynomial in r (Taylor's, whose rest is under 2^-25 there), and k put into the
 * exponent. Adding 1.5 · 2^23 rounds to a whole number and leaves it in the low bits. No branch, no table, so that loops with it become vectors. */
static inline float exponential(float x) {
    x = x < -87 ? -87 : x;
    x = x > 88 ? 88 : x;
    float shifted = x * 1.44269504f + 12582912.f, k = shifted - 12582912.f;
    float r = x - k * 0.693359375f + k * 2.12194440e-4f;
    float p =
        1 +
        r * (1 + r * (0.5f + r * (1 / 6.f + r * (1 / 24.f + r * (1 / 120.f + r * (1 / 720.f))))));
    return p * lab_float_of((lab_bits_of(shifted) << 23) + 0x3f800000u);
}

#define REAL  float
#define EXP   exponential
#define SQRT  sqrtf
#define TABLE lab_cores_float
#include "lab/cpu/cores_text.h"
