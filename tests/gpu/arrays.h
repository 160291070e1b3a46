/* Arrays on the device with what they hold beside them in double, for checks against plain
 * loops. */
#ifndef TESTS_GPU_ARRAYS_H
#define TESTS_GPU_ARRAYS_H

#include "gpu/check.h"
#include "lab/device.h"

struct array {
    enum lab_dtype type;
    size_t n;
    /* `at` stands `shift` elements behind where the memory begins */
    void *memory, *at;
    size_t bytes;
    /* what was put there, as rounded */
    double *value;
};
/* Numbers between −size and size, which follow from `salt`. */
struct array array_random(struct lab_device *d, enum lab_dtype type, size_t n, size_t shift,
                          uint64_t salt, double size);
struct array array_tokens(struct lab_device *d, size_t n, uint64_t salt, uint32_t vocab);
void array_free(struct lab_device *d, struct array *a);
/* Element i of what is there now; array_read() brings it. */
double array_number(enum lab_dtype type, const void *host, size_t i);
void *array_read(struct lab_device *d, const struct array *a);
double array_chance(uint64_t salt, uint64_t i); /* between 0 and 1 */

/* How far a result may be off: rounding it, and in fp32 some operations. */
struct nearness {
    /* in multiples of what is allowed */
    double worst;
    size_t at;
    double got, wanted;
};
void array_near(struct nearness *n, enum lab_dtype type, size_t at, double got, double wanted,
                double size);
/* All of `a` against wanted[n]; says it as one check. */
void array_check(struct check *c, struct lab_device *d, const struct array *a, const double *wanted,
                 double size, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* A device with a workspace for these rows and this width; the memory is given back with it. */
struct bench {
    struct lab_device *device;
    void *workspace;
    size_t bytes;
};
bool bench_open(struct bench *b, uint32_t rows, uint32_t width, struct lab_message *m);
void bench_close(struct bench *b);

#endif
