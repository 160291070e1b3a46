/* A digest of many values: the same on every machine, changed by any change of a value or of their
 * order. Reals count with nine significant digits, because the last bits of a double may differ
 * between compilers; integers and texts count exactly. */
#ifndef DIGEST_H
#define DIGEST_H

#include <stdbool.h>
#include <stdint.h>

struct digest {
    uint64_t hash;
    /* prints each value as well, a line each, for a person who compares two versions of the
     * engine */
    bool says;
};
/* The name of a value is printed and not hashed. */
void digest_count(struct digest *d, const char *name, uint64_t value);
void digest_real(struct digest *d, const char *name, double value);
void digest_text(struct digest *d, const char *name, const char *text); /* NULL is a value too */

#endif
