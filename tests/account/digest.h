/* Digests of many values: the same on every machine, changed by any change of a value or of their
 * order. There are three, kept apart so that no change of texts touches those of numbers:
 *
 *   numbers    integers, reals, and names that programs compare: ids, fields, rows of catalogues
 *   figures    the figures that stand in texts, alone: "48.8" of "48.8 GB of 80 GB"
 *   words      the texts, whole
 *
 * Reals count with nine significant digits, because the last bits of a double may differ between
 * compilers; integers, names and texts count exactly. */
#ifndef DIGEST_H
#define DIGEST_H

#include <stdbool.h>
#include <stdint.h>

enum digest_kind { DIGEST_NUMBERS, DIGEST_FIGURES, DIGEST_WORDS, DIGEST_KINDS };
/* "numbers", "figures", "words" */
const char *digest_kind_name(enum digest_kind kind);

struct digest {
    uint64_t hash[DIGEST_KINDS];
    /* prints each value as well, a line each, for a person who compares two versions of the
     * engine */
    bool says;
};
/* What is called `what` here is printed and not hashed. A text may be NULL, which is a value
 * too. */
void digest_count(struct digest *d, const char *what, uint64_t value);
void digest_real(struct digest *d, const char *what, double value);
void digest_name(struct digest *d, const char *what, const char *name);
/* Text that a person reads. */
void digest_text(struct digest *d, const char *what, const char *text);
/* Adds what another digest of this kind has come to. */
void digest_join(uint64_t *hash, uint64_t other);

#endif
