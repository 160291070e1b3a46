/* How configurations are compared: what the question gives, what one configuration needs and takes
 * of that, and why it lost. The files that include this and no more see resolved trainings and
 * measures only, never what was asked (tests/rules). */
#ifndef ACCOUNT_COMPARE_H
#define ACCOUNT_COMPARE_H

#include "account/numbers/text.h"
#include "account/plan/outcome.h"
#include "account/training/resolved.h"

/* What a question gives besides the training. */
struct account_given {
    /* Of one card; of one node, for this job's GPUs on it. */
    uint64_t card_bytes, host_bytes, nvme_bytes;
    /* Activations and layers are known. */
    bool has_shape;
    /* A rate is not known: what is sent and, where it is known, computing decide instead of
     * seconds. */
    bool by_bytes;
};

/* Measures memory and, if it fits, time. False if activations cannot be counted. If plans are
 * compared by bytes, `seconds` holds a number that takes their place until the plans are returned.
 * If only this plan's time is unknown, it is infinite. outcome.c */
bool account_outcome_of(const struct account_resolved *is, const struct account_given *given,
                        struct account_outcome *out);

/* Plans whose times differ by less than this are as fast as each other. */
#define ACCOUNT_AS_FAST 1.02

/* Why this is the plan to do; why this is not. reason.c */
void account_reason_chosen(struct account_text *out, const struct account_given *given,
                           const struct account_outcome *m, const struct account_outcome *fastest);
void account_reason_other(struct account_text *out, const struct account_given *given,
                          const struct account_outcome *m, const struct account_outcome *chosen);

#endif
