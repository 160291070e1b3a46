/* What a number on the way through an expression measures: bytes, parameters, GPUs, seconds, and
 * powers of them. People leave units out ("16 × 65e9", "48 GB / 16"), so a measure is a help to
 * tell two readings apart and not a law. */
#ifndef ACCOUNT_DIMENSION_H
#define ACCOUNT_DIMENSION_H

#include "account/numbers/numbers.h"

enum account_dimension {
    ACCOUNT_OF_BYTES,
    ACCOUNT_OF_PARAMS,
    ACCOUNT_OF_GPUS,
    ACCOUNT_OF_SECONDS,
    ACCOUNT_DIMENSIONS
};

struct account_measured {
    double number;
    /* factors such as GB, e9 or 2^30 multiplied in, less those divided out */
    int scales;
    int power[ACCOUNT_DIMENSIONS];
    /* a number without a unit went in as a factor: it may stand for bytes a parameter */
    bool bare;
    /* unlike things were added up */
    bool mixed;
    /* "parameters" was written: it is no loose B */
    bool noun;
};

/* What a fit is worth; NO: the measure is not the one asked. */
enum account_suits {
    ACCOUNT_SUITS,
    /* if a unit is thought in, as in "16 × 65B" */
    ACCOUNT_SUITS_IMPLIED,
    /* a count of parameters where bytes are asked: "112B" */
    ACCOUNT_SUITS_IF_CARELESS,
    ACCOUNT_SUITS_NOT
};

bool account_is_size(enum account_unit u);
bool account_is_binary_size(enum account_unit u);  /* KiB … TiB */
bool account_is_decimal_size(enum account_unit u); /* KB … TB */

/* Gives a measured number a unit more. */
void account_measure(struct account_measured *v, enum account_unit u);
bool account_is_pure(const struct account_measured *v); /* a number and nothing else */
/* l × r, or l ÷ r where `sign` is −1; l + r, or l − r. */
void account_multiply(struct account_measured *l, const struct account_measured *r, int sign);
void account_add_up(struct account_measured *l, const struct account_measured *r, int sign);
/* To a power. 2^30 and 10^9 are scales as e9 is; a unit has none. */
void account_raise(struct account_measured *l, double power);
enum account_suits account_suits(const struct account_measured *v, enum account_unit asked);

#endif
