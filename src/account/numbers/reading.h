/* What an answer may mean, the likeliest first. The judge tries them in turn: people leave out what
 * goes without saying. */
#ifndef ACCOUNT_READING_H
#define ACCOUNT_READING_H

#include "account/numbers/numbers.h"

struct account_meaning {
    /* base units */
    double value;
    /* that it was written in: bytes behind an e9, else the one asked if none was named */
    enum account_unit unit;
    /* a unit, an e9 or the like said which */
    bool explicit_unit;
    /* nothing but a count of parameters stood there: 13B for 13 GB */
    bool counted;
    /* a unit of bits was written: Gb, Mbit */
    bool bits;
    /* the comma in 37,375 is taken for a decimal point */
    bool comma;
    /* 0: what was asked, unit and all; rising with what had to be thought in */
    int rank;
};
#define ACCOUNT_MEANINGS 16
struct account_meanings {
    size_t count;
    struct account_meaning row[ACCOUNT_MEANINGS];
};
/* False, with the reason, if the text cannot be read, or is no answer in this unit whatever way it
 * is read. */
bool account_read_meanings(const char *text, enum account_unit asked, struct account_meanings *out,
                           struct account_error *e);

#endif
