/* What diagnose, separate and judge share: when a number is the truth, and which mistakes a variant
 * can tell. */
#ifndef ACCOUNT_DIAGNOSE_H
#define ACCOUNT_DIAGNOSE_H

#include "account/problems/mistakes.h"

#define ACCOUNT_LEAST_TOLERANCE 0.001
#define ACCOUNT_MOST_MISTAKES   192
/* Mistakes as rare as this are named only if nothing else gives the number. */
#define ACCOUNT_FAR_FETCHED 4

/* Within the tolerance, or rightly rounded to three digits. GPUs are counted, so they must
 * agree. */
bool account_is_right(double value, double truth, enum account_unit unit, double tolerance);

struct account_told {
    /* of the table of mistakes */
    size_t row;
    double value;
};
/* A problem, its truth, and the mistakes that can be told from it. */
struct account_variant {
    /* the caller's */
    const struct account_problem *problem;
    struct account_grounds grounds;
    double truth;
    enum account_unit unit;
    /* as the verdict uses it */
    double tolerance;
    size_t count;
    struct account_told told[ACCOUNT_MOST_MISTAKES];
    /* Those from `count` on give the very number of a commoner one before it. */
    size_t all;
};
/* False if the problem has no answer. The problem must outlive the variant. */
bool account_variant(const struct account_problem *p, struct account_variant *out);
/* Which of the variant's mistakes yield `value`: indices into `told`, at most ACCOUNT_MATCHES.
 * Returns how many. */
size_t account_variant_find(const struct account_variant *v, double value, size_t *out);
/* The same with their arithmetic. */
void account_variant_diagnose(const struct account_variant *v, double value,
                              struct account_diagnosis *out);
/* Whether it names only far-fetched mistakes. */
bool account_is_far_fetched(const struct account_diagnosis *d);
/* The pair of mistakes that together yield `value`; several only if their second is the same, none
 * if they differ in both. */
void account_variant_pair(const struct account_variant *v, double value,
                          struct account_diagnosis *out);

#endif
