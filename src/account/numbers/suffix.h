/* What people write around a number: units behind it (suffix.c: K M G T B, KB … TiB, Gb and Gbit,
 * million, GPUs, B/param …), and phrases that do not change what it says (phrases.c: "it is … per
 * GPU"). */
#ifndef ACCOUNT_SUFFIX_H
#define ACCOUNT_SUFFIX_H

#include "account/numbers/numbers.h"

enum account_suffix_kind {
    /* nothing stood there */
    ACCOUNT_SUFFIX_NONE,
    /* K M G T, million …: a plain factor */
    ACCOUNT_SUFFIX_COUNT,
    /* a B alone: billions of parameters or bytes; who asked decides */
    ACCOUNT_SUFFIX_B,
    /* a unit of bytes, or another of account_unit's */
    ACCOUNT_SUFFIX_BYTES,
    ACCOUNT_SUFFIX_BITS
};
struct account_suffix {
    enum account_suffix_kind kind;
    double scale;
    /* of ten, for an exact count; only with ACCOUNT_SUFFIX_COUNT and ACCOUNT_SUFFIX_B */
    int power;
    enum account_unit unit;
};
/* Reads the suffix at `s`. Returns where it ends (`s` itself if no letter stands there), or NULL if
 * the letters mean nothing. */
const char *account_suffix(const char *s, struct account_suffix *out);

/* Where the number begins: behind "= ", "~", "about", "the answer is", "each GPU keeps". */
const char *account_skip_opening(const char *s);
/* Behind "per GPU", "/rank", "each", "in all", "of memory", "(per step)"; `s` itself if none of
 * these stands there. */
const char *account_skip_tail(const char *s);

#endif
