/* hash: SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104). With the first an exported record shows
 * that it is whole; with the second the lab's ranks prove that they know the same secret. It knows
 * no other module and allocates nothing. */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>

enum { HASH_SHA256_BYTES = 32, HASH_SHA256_BLOCK = 64 };

struct hash_sha256 {
    uint32_t state[8];
    /* bytes so far */
    uint64_t length;
    unsigned char block[HASH_SHA256_BLOCK];
};
void hash_sha256_begin(struct hash_sha256 *s);
void hash_sha256_add(struct hash_sha256 *s, const void *bytes, size_t n);
void hash_sha256_end(struct hash_sha256 *s, unsigned char out[HASH_SHA256_BYTES]);

/* Computes the HMAC of several pieces, taken as one after the other. A key of any length. */
struct hash_piece {
    const void *bytes;
    size_t n;
};
void hash_hmac(const void *key, size_t key_bytes, const struct hash_piece *piece, size_t pieces,
               unsigned char out[HASH_SHA256_BYTES]);

#endif
