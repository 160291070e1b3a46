/* FNV-1a, 64 bits, in vectors. Each byte's step, h = (h xor b) · p, waits for the step before,
 * which takes four cycles a byte. But the xor changes only the lowest eight bits, and these depend
 * on no higher bits. So a block of bytes is hashed in two parts:
 *
 *     1. The lowest byte of h before each step, bit by bit. Bit k of a product is bit k of the
 *        factor, xor something of lower bits. So bit k before each step is a running xor of
 *        numbers that are known by then, for 64 steps in six instructions.
 *     2. With these bytes, l, a step is h = (h + (l xor b) − l) · p: a polynomial in p, whose terms
 *        can be added in lanes.
 *
 * The result has the same bits as one step after another. With vectors of 512 bits it takes half
 * the time; with shorter ones it would take more, so bytes are then hashed one after another. */
#include "lab/engine.h"

/* A block is GROUPS · 64 bytes. */
enum { GROUPS = 8, BLOCK = 64 * GROUPS };
#if defined(__x86_64__)
#define WIDE __attribute__((target("arch=x86-64-v4")))
#else
#define WIDE
#endif
static const uint64_t prime = 0x100000001b3u;

/* A word of each group: eight bytes that follow one another, or one bit of each of its bytes. */
typedef uint64_t plane __attribute__((vector_size(8 * GROUPS)));
struct planes {
    plane of[8];
};
struct fnv {
    /* Of the lowest byte: each bit, as the lowest bit of a word. */
    uint64_t low[8];
    /* The polynomial: the terms of every word's bytes. */
    struct planes sum;
};

/* ── bytes to planes, and back ── */

/* Exchanges bits of the first plane with those of the second that lie `by` bits lower. */
static inline void exchange(plane *a, plane *b, int by, uint64_t mask) {
    plane differ = (*a >> by ^ *b) & mask;
    *b ^= differ;
    *a ^= differ << by;
}
/* The 8 × 8 bytes of each group's eight words become columns where they were rows. */
static inline void turn_bytes(struct planes *p) {
    for (size_t i = 0; i < 4; i++) exchange(&p->of[i], &p->of[i + 4], 32, 0x00000000ffffffffu);
    for (size_t i = 0; i < 8; i += i % 4 ? 3 : 1)
        exchange(&p->of[i], &p->of[i + 2], 16, 0x0000ffff0000ffffu);
    for (size_t i = 0; i < 8; i += 2) exchange(&p->of[i], &p->of[i + 1], 8, 0x00ff00ff00ff00ffu);
}
/* So do the 8 × 8 bits of each word. */
static inline void turn_bits(struct planes *p) {
    for (size_t i = 0; i < 8; i++) {
        plane w = p->of[i], differ = (w >> 7 ^ w) & 0x00aa00aa00aa00aau;
        w ^= differ ^ differ << 7;
        differ = (w >> 14 ^ w) & 0x0000cccc0000ccccu;
        w ^= differ ^ differ << 14;
        differ = (w >> 28 ^ w) & 0x00000000f0f0f0f0u;
        p->of[i] = w ^ differ ^ differ << 28;
    }
}
static inline void load(struct planes *p, const unsigned char *from) {
    uint64_t word[8][GROUPS];
    for (size_t g = 0; g < GROUPS; g++)
        for (size_t i = 0; i < 8; i++) memcpy(&word[i][g], from + 64 * g + 8 * i, 8);
    memcpy(p, word, sizeof word);
}

/* ── the lowest byte before each step ── */

static inline void most(plane *c, const plane *a, const plane *b) {
    *c = (*a & *b) | (*c & (*a ^ *b));
}
/* Of 64 bits, each becomes the xor of itself and all before it. */
static inline void run_words(plane *q) {
    *q ^= *q << 1;
    *q ^= *q << 2;
    *q ^= *q << 4;
    *q ^= *q << 8;
    *q ^= *q << 16;
    *q ^= *q << 32;
}
/* Writes the bit before each step, if it changes so in each. Returns the bit after all. */
static inline uint64_t run(const plane *change, uint64_t bit, plane *out) {
    uint64_t changes[GROUPS], before[GROUPS];
    plane first, last, q = *change;
    run_words(&q);
    last = q >> 63;
    memcpy(changes, &last, sizeof changes);
    for (size_t g = 0; g < GROUPS; bit ^= changes[g++]) before[g] = 0 - bit;
    memcpy(&first, before, sizeof first);
    *out = q << 1 ^ first;
    return bit;
}
/* p's lowest byte is 179 = 3 · 17 + 128. With x = l xor b, the product is added up as s = x + 2x,
 * then s + 16s, then + 128x; `c` and `e` are the carries of the first two. */
static inline void find_low(uint64_t low[8], const struct planes *b, struct planes *l) {
    const plane none = {0};
    struct planes x, s;
    plane c = none, e = none;
    for (size_t k = 0; k < 8; k++) {
        plane twice = k ? x.of[k - 1] : none, far = k > 3 ? s.of[k - 4] : none;
        plane top = k == 7 ? x.of[0] : none;
        plane change = b->of[k] ^ twice ^ c ^ far ^ e ^ top;
        low[k] = run(&change, low[k], &l->of[k]);
        x.of[k] = l->of[k] ^ b->of[k];
        s.of[k] = x.of[k] ^ twice ^ c;
        most(&c, &x.of[k], &twice);
        most(&e, &s.of[k], &far);
    }
}

/* ── the polynomial ── */

static uint64_t power(size_t n) {
    uint64_t result = 1, square = prime;
    for (; n; n >>= 1, square *= square)
        if (n & 1) result *= square;
    return result;
}
/* `skip`: p to the power of the bytes that lie between a word and that of the next block. */
static inline void add_terms(struct planes *sum, const struct planes *b, const struct planes *l,
                             uint64_t skip) {
    for (size_t i = 0; i < 8; i++) {
        plane x = b->of[i] ^ l->of[i], before = l->of[i], terms = sum->of[i] * skip;
        for (size_t j = 0; j < 64; j += 8)
            terms = terms * prime + ((x >> j & 255) - (before >> j & 255));
        sum->of[i] = terms;
    }
}

WIDE static void add_blocks(struct fnv *f, const unsigned char *from, size_t blocks,
                            uint64_t skip) {
    for (size_t i = 0; i < blocks; i++, from += BLOCK) {
        struct planes bytes, bits, low;
        load(&bytes, from);
        bits = bytes;
        turn_bits(&bits);
        turn_bytes(&bits);
        find_low(f->low, &bits, &low);
        turn_bytes(&low);
        turn_bits(&low);
        add_terms(&f->sum, &bytes, &low, skip);
    }
}

static uint64_t hash_blocks(uint64_t hash, const unsigned char *from, size_t blocks) {
    struct fnv f = {0};
    for (size_t k = 0; k < 8; k++) f.low[k] = hash >> k & 1;
    add_blocks(&f, from, blocks, power(BLOCK - 8));
    hash *= power(blocks * BLOCK);
    for (size_t i = 0; i < 8; i++)
        for (size_t g = 0; g < GROUPS; g++)
            hash += f.sum.of[i][g] * power(BLOCK - 7 - 64 * g - 8 * i);
    return hash;
}

static bool is_wide(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd");
#else
    return false;
#endif
}

uint64_t lab_hash_add(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *b = bytes;
    size_t blocks = is_wide() ? count / BLOCK : 0;
    if (blocks) hash = hash_blocks(hash, b, blocks);
    for (size_t i = blocks * BLOCK; i < count; i++) hash = (hash ^ b[i]) * prime;
    return hash;
}
