/* The number whose owner is sought. */
#ifndef ACCOUNT_WHOSE_H
#define ACCOUNT_WHOSE_H

#include "account/problems/problems.h"

#define ACCOUNT_READINGS 5
struct account_said {
    double value, half; /* as typed, and half of its last digit, both in the units below */
    enum account_unit unit[ACCOUNT_READINGS]; /* that it may be in, the likeliest first */
    size_t
        said; /* so many of them are what was written; the others are what people mix up with it */
    size_t units;
};
/* "17.1GB", "~16.6 GiB", "52 ms", "18 B/param", "18". */
bool account_read_said(const char *text, struct account_said *out, struct account_error *e);

#endif
