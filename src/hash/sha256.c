#include "hash/hash.h"

#include <string.h>

/* FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64
 * primes. */
static const uint32_t round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int n) {
    return x >> n | x << (32 - n);
}
static uint32_t read_word(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}
static void write_word(unsigned char *at, uint32_t x) {
    for (int i = 0; i < 4; i++) at[i] = (unsigned char)(x >> (24 - 8 * i));
}

/* 6.2.2, step 1: the message schedule. */
static void schedule(const unsigned char *block, uint32_t w[64]) {
    for (int t = 0; t < 16; t++) w[t] = read_word(block + (size_t)4 * (size_t)t);
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
}
/* Steps 2 to 4. */
static void compress(uint32_t state[8], const unsigned char *block) {
    uint32_t w[64], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4],
                    f = state[5], g = state[6], h = state[7];
    schedule(block, w);
    for (int t = 0; t < 64; t++) {
        uint32_t s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
        uint32_t s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
        uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
        uint32_t one = h + s1 + choice + round_constant[t] + w[t], two = s0 + majority;
        h = g, g = f, f = e, e = d + one;
        d = c, c = b, b = a, a = one + two;
    }
    const uint32_t v[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++) state[i] += v[i];
}

void hash_sha256_begin(struct hash_sha256 *s) {
    *s = (struct hash_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                        0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}
void hash_sha256_add(struct hash_sha256 *s, const void *bytes, size_t n) {
    for (const unsigned char *from = bytes; n;) {
        size_t used = s->length % HASH_SHA256_BLOCK, capacity = HASH_SHA256_BLOCK - used;
        size_t some = n < capacity ? n : capacity;
        memcpy(s->block + used, from, some);
        s->length += some;
        from += some;
        n -= some;
        if (some == capacity) compress(s->state, s->block);
    }
}
/* 5.1.1: a one, zeros, and the length in bits in the last eight bytes. */
void hash_sha256_end(struct hash_sha256 *s, unsigned char out[HASH_SHA256_BYTES]) {
    static const unsigned char padding[HASH_SHA256_BLOCK] = {0x80};
    unsigned char bits[8];
    uint64_t length = 8 * s->length;
    size_t used = s->length % HASH_SHA256_BLOCK, whole = HASH_SHA256_BLOCK - sizeof bits;
    write_word(bits, (uint32_t)(length >> 32));
    write_word(bits + 4, (uint32_t)length);
    hash_sha256_add(s, padding, used < whole ? whole - used : HASH_SHA256_BLOCK + whole - used);
    hash_sha256_add(s, bits, sizeof bits);
    for (size_t i = 0; i < 8; i++) write_word(out + 4 * i, s->state[i]);
}

/* RFC 2104: H((key ^ opad) H((key ^ ipad) text)). */
void hash_hmac(const void *key, size_t key_bytes, const struct hash_piece *piece, size_t pieces,
               unsigned char out[HASH_SHA256_BYTES]) {
    struct hash_sha256 s;
    unsigned char pad[2][HASH_SHA256_BLOCK] = {{0}}, inner[HASH_SHA256_BYTES];
    if (key_bytes > HASH_SHA256_BLOCK) {
        hash_sha256_begin(&s);
        hash_sha256_add(&s, key, key_bytes);
        hash_sha256_end(&s, pad[0]);
    } else if (key_bytes) {
        memcpy(pad[0], key, key_bytes);
    }
    for (size_t i = 0; i < HASH_SHA256_BLOCK; i++) {
        pad[1][i] = pad[0][i] ^ 0x5c;
        pad[0][i] ^= 0x36;
    }
    hash_sha256_begin(&s);
    hash_sha256_add(&s, pad[0], sizeof pad[0]);
    for (size_t i = 0; i < pieces; i++) hash_sha256_add(&s, piece[i].bytes, piece[i].n);
    hash_sha256_end(&s, inner);
    hash_sha256_begin(&s);
    hash_sha256_add(&s, pad[1], sizeof pad[1]);
    hash_sha256_add(&s, inner, sizeof inner);
    hash_sha256_end(&s, out);
}
