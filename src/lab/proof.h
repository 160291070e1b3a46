/* What ranks do with the secret of their run: prove that they know it without saying it, and seal
 * what only they may read. Inside the lab only.
 *
 * A client asks to join with a nonce. Rank 0 answers with its own nonce and its proof. The client
 * answers with its hello and its own proof. Each proof is an HMAC over both nonces, so that one
 * that was overheard is worth nothing later, and neither side says anything of the run before the
 * other has proved itself. Only what is shared (NCCL's id) is sealed: the rest is no secret, and
 * whoever can change packets on the way could as well cut the connection. */
#ifndef LAB_PROOF_H
#define LAB_PROOF_H

#include "hash/hash.h"

#include <stdbool.h>

/* The first bytes of a client's nonce are its tag, the same at all addresses at which it asks to
 * join. By them rank 0 tells a rank's spare connections from other programs'. The rest is new for
 * each. */
enum { LAB_NONCE_BYTES = 16, LAB_TAG_BYTES = LAB_NONCE_BYTES / 2 };

/* Of one run. */
struct lab_key {
    unsigned char byte[HASH_SHA256_BYTES];
};
struct lab_proof {
    unsigned char byte[HASH_SHA256_BYTES];
};
/* Of one connection between a client and rank 0. */
struct lab_nonces {
    unsigned char client[LAB_NONCE_BYTES], rank_0[LAB_NONCE_BYTES];
};
/* Fills `bytes` (at most 256) with random ones from the system. False if it has none to give. */
bool lab_random(void *bytes, size_t n);
/* The proof of one who calls itself `who` and says `said` (NULL: nothing) with it. */
struct lab_proof lab_prove(const struct lab_key *key, const char *who,
                           const struct lab_nonces *nonces, const void *said, size_t n);
/* Compares in a time that does not depend on where they differ. */
bool lab_proof_is(const struct lab_proof *a, const struct lab_proof *b);

/* Goes with what is sealed. */
struct lab_seal {
    unsigned char salt[LAB_NONCE_BYTES];
    struct lab_proof tag;
};
/* Encrypts the bytes where they are. False without random bytes. */
bool lab_seal(const struct lab_key *key, unsigned char *bytes, size_t n, struct lab_seal *seal);
/* Decrypts them. False, and the bytes as they came, if they or the seal were changed or another key
 * sealed them. */
bool lab_unseal(const struct lab_key *key, unsigned char *bytes, size_t n,
                const struct lab_seal *seal);

#endif
