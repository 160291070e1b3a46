#include "ptx.h"

#include "cuda_bf16.h"
#include "cuda_fp16.h"

static uint16_t element(const void *row, unsigned column) {
    uint16_t x;
    memcpy(&x, static_cast<const unsigned char *>(row) + 2 * column, sizeof x);
    return x;
}
static uint32_t two(uint16_t low, uint16_t high) {
    return uint32_t(low) | uint32_t(high) << 16;
}

/* Lane l gets of each matrix row l ÷ 4, columns 2 (l mod 4) and the next; transposed: of column l ÷
 * 4, those rows. */
static void load_matrices(emulated_slot *slots, bool transposed) {
    const void *rows[32];
    for (unsigned i = 0; i < 32; i++) memcpy(&rows[i], slots[i].bytes, sizeof rows[i]);
    for (unsigned lane = 0; lane < 32; lane++) {
        uint32_t got[4];
        unsigned major = lane / 4, minor = lane % 4 * 2;
        for (unsigned m = 0; m < 4; m++) {
            const void *const *matrix = rows + 8 * m;
            got[m] = transposed
                         ? two(element(matrix[minor], major), element(matrix[minor + 1], major))
                         : two(element(matrix[major], minor), element(matrix[major], minor + 1));
        }
        memcpy(slots[lane].bytes, got, sizeof got);
    }
}
static void load_plain(emulated_slot *slots, unsigned) {
    load_matrices(slots, false);
}
static void load_transposed(emulated_slot *slots, unsigned) {
    load_matrices(slots, true);
}
void emulated_ldmatrix(uint32_t (&to)[4], const void *row, bool transposed) {
    if (reinterpret_cast<uintptr_t>(row) % 16) emulated_trap(); /* as a GPU would */
    emulated_slot *slot = emulated_meet(
        "ldmatrix", 0xffffffffu, transposed ? load_transposed : load_plain, &row, sizeof row);
    memcpy(to, slot->bytes, sizeof to);
}

struct fragments {
    float sums[4];
    uint32_t a[4], b[2];
};
typedef float (*widen)(unsigned short bits);

static void multiply(emulated_slot *slots, widen value) {
    float a[16][16], b[16][8], c[16][8];
    fragments f;
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned group = lane / 4, pair = lane % 4 * 2;
        memcpy(&f, slots[lane].bytes, sizeof f);
        for (unsigned i = 0; i < 8; i++) {
            unsigned row = group + (i / 2 % 2) * 8, column = pair + i % 2 + i / 4 * 8;
            a[row][column] = value((unsigned short)(f.a[i / 2] >> i % 2 * 16));
        }
        for (unsigned i = 0; i < 4; i++) {
            b[pair + i % 2 + i / 2 * 8][group] = value((unsigned short)(f.b[i / 2] >> i % 2 * 16));
            c[group + i / 2 * 8][pair + i % 2] = f.sums[i];
        }
    }
    for (unsigned row = 0; row < 16; row++)
        for (unsigned k = 0; k < 16; k++)
            for (unsigned column = 0; column < 8; column++)
                c[row][column] += a[row][k] * b[k][column];
    for (unsigned lane = 0; lane < 32; lane++) {
        float sums[4];
        for (unsigned i = 0; i < 4; i++) sums[i] = c[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2];
        memcpy(slots[lane].bytes, sums, sizeof sums);
    }
}
static void multiply_bf16(emulated_slot *slots, unsigned) {
    multiply(slots, emulated_bf16_value);
}
static void multiply_fp16(emulated_slot *slots, unsigned) {
    multiply(slots, emulated_fp16_value);
}
void emulated_mma(float (&sums)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], bool bf16) {
    fragments f;
    memcpy(f.sums, sums, sizeof f.sums);
    memcpy(f.a, a, sizeof f.a);
    memcpy(f.b, b, sizeof f.b);
    emulated_slot *slot =
        emulated_meet("mma", 0xffffffffu, bf16 ? multiply_bf16 : multiply_fp16, &f, sizeof f);
    memcpy(sums, slot->bytes, sizeof sums);
}
