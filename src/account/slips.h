/* A mistake is a transformation of the problem: it changes the sheet, the question or the result, and everything else is
 * computed as for the truth. mistakes.c has the names, slips.c the transformations. */
#ifndef ACCOUNT_SLIPS_H
#define ACCOUNT_SLIPS_H

#include "account/problem.h"

/* The problem as it was misunderstood. */
struct account_slipped {
    struct account_problem problem;
    struct account_sheet sheet;
    double factor;            /* that the result is multiplied by at the end */
    enum account_unit unit;   /* that the result is then taken for */
    enum account_unit from;   /* that it is in before; NONE: the one asked */
    struct account_text step; /* that last step: " ÷ 2^30" */
    struct account_text slip; /* where it went wrong, in words */
};

/* Whether the number was right but for its unit, and whether that can only be if a unit was written. */
enum account_slip_unit { ACCOUNT_NO_UNIT, ACCOUNT_UNIT_TAKEN, ACCOUNT_UNIT_WRITTEN };

struct account_slip {
    bool (*apply)(const struct account_slip *row,
                  struct account_slipped *x); /* false: does not apply to this problem */
    uint32_t mask;                            /* categories */
    double amount;  /* bytes, a factor, a step: what `apply` makes of it */
    uint8_t kinds;  /* of problems, a bit each */
    uint8_t rarity; /* a rarer slip is only named where no commoner one gives the number */
    uint8_t unit;   /* enum account_slip_unit */
};

extern const struct account_slip account_slips[];

/* What the transformations share: the terms that are asked for, and how they are spoken of. */
extern const char *const account_slipped_nouns[ACCOUNT_CATEGORIES];
bool account_slipped_has(const struct account_slipped *x, const struct account_term *term);
struct account_term *account_slipped_find(struct account_slipped *x, uint32_t mask);
void account_slipped_add_rate(struct account_text *t, const struct account_term *term);

/* The transformations. */
bool account_slip_forget(const struct account_slip *row, struct account_slipped *x);
bool account_slip_set_bytes(const struct account_slip *row, struct account_slipped *x);
bool account_slip_add_bytes(const struct account_slip *row, struct account_slipped *x);
bool account_slip_one_moment(const struct account_slip *row, struct account_slipped *x);
bool account_slip_small_moments(const struct account_slip *row, struct account_slipped *x);
bool account_slip_all_16_bit(const struct account_slip *row, struct account_slipped *x);
bool account_slip_weights(const struct account_slip *row, struct account_slipped *x);
bool account_slip_extra_master(const struct account_slip *row, struct account_slipped *x);
bool account_slip_no_bytes(const struct account_slip *row, struct account_slipped *x);
bool account_slip_keep_whole(const struct account_slip *row, struct account_slipped *x);
bool account_slip_divide(const struct account_slip *row, struct account_slipped *x);
bool account_slip_divide_all(const struct account_slip *row, struct account_slipped *x);
bool account_slip_divide_none(const struct account_slip *row, struct account_slipped *x);
bool account_slip_stage(const struct account_slip *row, struct account_slipped *x);
bool account_slip_nodes(const struct account_slip *row, struct account_slipped *x);
bool account_slip_node(const struct account_slip *row, struct account_slipped *x);
bool account_slip_sum(const struct account_slip *row, struct account_slipped *x);
bool account_slip_label(const struct account_slip *row, struct account_slipped *x);
bool account_slip_usable(const struct account_slip *row, struct account_slipped *x);
bool account_slip_budget_unit(const struct account_slip *row, struct account_slipped *x);
bool account_slip_binary(const struct account_slip *row, struct account_slipped *x);
bool account_slip_decimal(const struct account_slip *row, struct account_slipped *x);
bool account_slip_twin(const struct account_slip *row, struct account_slipped *x);
bool account_slip_backwards(const struct account_slip *row, struct account_slipped *x);
bool account_slip_factor(const struct account_slip *row, struct account_slipped *x);
bool account_slip_prefix(const struct account_slip *row, struct account_slipped *x);

/* Applies row `i` to a checked problem: its value, arithmetic and slip. False if it does not apply. */
bool account_slip_apply(size_t i, const struct account_problem *p, struct account_match *out);

#endif
