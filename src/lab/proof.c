#include "lab/proof.h"

#include <string.h>
#include <sys/random.h>

bool lab_random(void *bytes, size_t n) {
    return getentropy(bytes, n) == 0;
}

struct lab_proof lab_prove(const struct lab_key *key, const char *who,
                           const struct lab_nonces *nonces, const void *said, size_t n) {
    struct lab_proof p = {{0}};
    const struct hash_piece piece[] = {{who, strlen(who) + 1}, {nonces, sizeof *nonces}, {said, n}};
    hash_hmac(key->byte, sizeof key->byte, piece, said ? 3 : 2, p.byte);
    return p;
}
bool lab_proof_is(const struct lab_proof *a, const struct lab_proof *b) {
    unsigned char differs = 0;
    for (size_t i = 0; i < sizeof a->byte; i++) differs |= a->byte[i] ^ b->byte[i];
    return differs == 0;
}

/* ── sealing: a keystream of HMACs in counter mode, then a tag over what came of it ── */

static void stream(const struct lab_key *key, const struct lab_seal *seal, unsigned char *bytes,
                   size_t n) {
    unsigned char pad[HASH_SHA256_BYTES];
    for (size_t at = 0; at < n; at++) {
        unsigned char count[2] = {(unsigned char)(at >> 13), (unsigned char)(at >> 5)};
        const struct hash_piece piece[] = {
            {"stream", 7}, {seal->salt, sizeof seal->salt}, {count, sizeof count}};
        if (at % sizeof pad == 0) hash_hmac(key->byte, sizeof key->byte, piece, 3, pad);
        bytes[at] ^= pad[at % sizeof pad];
    }
}
static struct lab_proof tag_of(const struct lab_key *key, const unsigned char *bytes, size_t n,
                               const struct lab_seal *seal) {
    struct lab_proof tag = {{0}};
    const struct hash_piece piece[] = {{"tag", 4}, {seal->salt, sizeof seal->salt}, {bytes, n}};
    hash_hmac(key->byte, sizeof key->byte, piece, 3, tag.byte);
    return tag;
}
bool lab_seal(const struct lab_key *key, unsigned char *bytes, size_t n, struct lab_seal *seal) {
    if (!lab_random(seal->salt, sizeof seal->salt)) return false;
    stream(key, seal, bytes, n);
    seal->tag = tag_of(key, bytes, n, seal);
    return true;
}
bool lab_unseal(const struct lab_key *key, unsigned char *bytes, size_t n,
                const struct lab_seal *seal) {
    struct lab_proof tag = tag_of(key, bytes, n, seal);
    if (!lab_proof_is(&tag, &seal->tag)) return false;
    stream(key, seal, bytes, n);
    return true;
}
