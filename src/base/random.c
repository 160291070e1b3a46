/* Seeded numbers: the same seed gives the same lesson on every machine. */
#include "base/base.h"

/* FNV-1a, 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv): offset basis and prime. */
static const uint64_t fnv_basis = 0xcbf29ce484222325u, fnv_prime = 0x100000001b3u;

uint64_t base_hash(uint64_t seed, const char *s) {
    uint64_t hash = seed ? seed : fnv_basis;
    for (; *s; s++) hash = (hash ^ (unsigned char)*s) * fnv_prime;
    return hash;
}

/* splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014). */
uint64_t base_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
