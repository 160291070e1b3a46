/* Random numbers by counter: the number at a place follows from a key and the place, so that any
 * rank can make any part. */
#ifndef LAB_CHANCE_H
#define LAB_CHANCE_H

#include <stdint.h>

/* The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), of a Weyl sequence from
 * `key`. */
static inline uint64_t lab_chance(uint64_t key, uint64_t place) {
    uint64_t z = key + (place + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
/* Below `bound`, all alike to within bound / 2^64. */
static inline uint64_t lab_chance_below(uint64_t key, uint64_t place, uint64_t bound) {
    return (uint64_t)((__extension__(unsigned __int128) lab_chance(key, place) * bound) >> 64);
}

#endif
