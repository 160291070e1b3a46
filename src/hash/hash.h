/* hash: SHA-256 (FIPS 180-4), HMAC-SHA256 (RFC 2104), and chains of lines. With the first an
 * exported record shows that it is whole; with the second the lab's ranks prove that they know the
 * same secret; certificates and hand-ins are chains. It includes no other module and allocates
 * nothing. */
#ifndef HASH_H
#define HASH_H

#include <stdbool.h>
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

/* ── in hexadecimal, and as a chain (chain.c) ──────────────────────────────────────────────────*/
enum { HASH_HEX = 2 * HASH_SHA256_BYTES + 1 };
/* Writes a SHA-256 in hexadecimal. */
void hash_hex_of(const unsigned char sum[HASH_SHA256_BYTES], char out[HASH_HEX]);
/* Computes the SHA-256, in hexadecimal, of `before` (a text) followed by these bytes. `before` may
 * be `out`. */
void hash_hex(const char *before, const void *bytes, size_t n, char out[HASH_HEX]);

/* A line of a chain is a JSON object that ends in its link:
 *
 *     {"answer":[17,…],"day":20779,"link":"5f1e…"}
 *
 * The link is the SHA-256 of the link before and of the line up to its own. So the first line that
 * was changed, dropped or put in is found. */
#define HASH_LINK ",\"link\":\""
/* bytes that the link takes at the end of its line, with the closing quote and brace */
enum { HASH_LINK_BYTES = sizeof HASH_LINK - 1 + HASH_HEX - 1 + 2 };
/* Makes the end of a line, whose text so far is `n` bytes without the closing brace. `link` is the
 * one before, and becomes this line's. */
void hash_link_add(const char *line, size_t n, char link[HASH_HEX], char end[HASH_LINK_BYTES + 1]);
/* Whether a line of `n` bytes (without a line feed) ends in the link that follows from `link`,
 * which becomes this line's. If it does not, `link` stays as it was. */
bool hash_link_fits(const char *line, size_t n, char link[HASH_HEX]);

#endif
