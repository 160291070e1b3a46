/* SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104): what ranks prove with that they know the same
 * secret. Inside the lab only. */
#ifndef LAB_SHA256_H
#define LAB_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { LAB_SHA256_BYTES = 32, LAB_SHA256_BLOCK = 64 };

struct lab_sha256 {
    uint32_t state[8];
    /* bytes so far */
    uint64_t length;
    unsigned char block[LAB_SHA256_BLOCK];
};
void lab_sha256_begin(struct lab_sha256 *s);
void lab_sha256_add(struct lab_sha256 *s, const void *bytes, size_t n);
void lab_sha256_end(struct lab_sha256 *s, unsigned char out[LAB_SHA256_BYTES]);

/* Computes the HMAC of several pieces, taken as one after the other. A key of any length. */
struct lab_piece {
    const void *bytes;
    size_t n;
};
void lab_hmac(const void *key, size_t key_bytes, const struct lab_piece *piece, size_t pieces,
              unsigned char out[LAB_SHA256_BYTES]);

#endif
