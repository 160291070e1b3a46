/* chain: SHA-256 in hexadecimal, and lines that each carry a link to the line before. */
#include "hash/hash.h"

#include <string.h>

void hash_hex_of(const unsigned char sum[HASH_SHA256_BYTES], char out[HASH_HEX]) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < HASH_SHA256_BYTES; i++) {
        out[2 * i] = digits[sum[i] >> 4];
        out[2 * i + 1] = digits[sum[i] & 15];
    }
    out[HASH_HEX - 1] = 0;
}

void hash_hex(const char *before, const void *bytes, size_t n, char out[HASH_HEX]) {
    struct hash_sha256 s;
    unsigned char byte[HASH_SHA256_BYTES];
    hash_sha256_begin(&s);
    hash_sha256_add(&s, before, strlen(before));
    hash_sha256_add(&s, bytes, n);
    hash_sha256_end(&s, byte);
    hash_hex_of(byte, out);
}

void hash_link_add(const char *line, size_t n, char link[HASH_HEX], char end[HASH_LINK_BYTES + 1]) {
    hash_hex(link, line, n, link);
    memcpy(end, HASH_LINK, sizeof HASH_LINK - 1);
    memcpy(end + sizeof HASH_LINK - 1, link, HASH_HEX - 1);
    memcpy(end + HASH_LINK_BYTES - 2, "\"}", 3);
}

bool hash_link_fits(const char *line, size_t n, char link[HASH_HEX]) {
    char next[HASH_HEX], end[HASH_LINK_BYTES + 1];
    if (n < HASH_LINK_BYTES) return false;
    memcpy(next, link, sizeof next);
    hash_link_add(line, n - HASH_LINK_BYTES, next, end);
    if (memcmp(line + n - HASH_LINK_BYTES, end, HASH_LINK_BYTES) != 0) return false;
    memcpy(link, next, sizeof next);
    return true;
}
