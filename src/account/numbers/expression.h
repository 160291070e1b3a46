/* Expressions as learners type them. One text has several ways to be read: a B is billions or
 * bytes, and a unit at the end belongs to the last number or to the whole. This reads it in one of
 * them; reading.c tries them all. */
#ifndef ACCOUNT_EXPRESSION_H
#define ACCOUNT_EXPRESSION_H

#include "account/numbers/dimension.h"
#include "account/numbers/suffix.h"

struct account_way {
    /* a bit for each fork: take it the less likely way */
    unsigned turned;
    /* the unit that stands here is for the whole; NULL: none does */
    const char *label;
};

struct account_expression {
    struct account_measured value;
    /* where reading stopped: the end of the text, or an = */
    const char *end;
    /* the first unit that was named */
    enum account_unit unit;
    /* the unit for the whole, if the way has one */
    struct account_suffix label;
    /* Bs, and numbers like 37,375: what could be read otherwise */
    size_t forks;
    /* Where the last suffix stood, whether or not the text could be read to its end. */
    const char *last, *last_end;
    /* a B was read as billions */
    bool counted;
    /* a comma was read as a decimal point */
    bool comma;
    /* a unit of bits was named: Gb, Mbit */
    bool bits;
};
bool account_read_expression(const char *text, const char *from, struct account_way way,
                             struct account_expression *out, struct account_error *e);
/* Multiplies a number by its suffix. */
void account_apply_suffix(const struct account_suffix *suffix, struct account_measured *v);
/* The end of an expression: of the text, with or without a full stop; or an =, ≈ or ~ with another
 * behind it. `length` is how many bytes these take, 0 at the end of the text. */
bool account_expression_ends(const char *s, size_t *length);

#endif
