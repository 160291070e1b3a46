/* A mistake is a transformation of the problem: it changes the grounds, the question or the result, and everything else is computed
 * as for the truth. The tables mistakes_*.h have the names, the files slips*.c the transformations. Values come first, for there are
 * many; text is written only for what is shown. */
#ifndef ACCOUNT_SLIPS_H
#define ACCOUNT_SLIPS_H

#include "account/problems/grounds.h"

/* The problem as it was misunderstood. */
struct account_slipped {
    struct account_problem problem;
    struct account_grounds grounds;
    double factor;            /* that the result is multiplied by at the end */
    enum account_unit unit;   /* that the result is then taken for */
    enum account_unit from;   /* that it is in before; NONE: the one asked */
    struct account_text step; /* that last step: " ÷ 2^30" */
    struct account_text slip; /* where it went wrong, in words */
};

/* Whether the number was right but for its unit, and whether that can only be if a unit was written. */
enum account_slip_unit { ACCOUNT_NO_UNIT, ACCOUNT_UNIT_TAKEN, ACCOUNT_UNIT_WRITTEN };
/* What a mistake is about. Two of different subjects can be made in one go. */
enum account_subject {
    ACCOUNT_ABOUT_BYTES,
    ACCOUNT_ABOUT_SHARING,
    ACCOUNT_ABOUT_BUDGET,
    ACCOUNT_ABOUT_TRAFFIC,
    ACCOUNT_ABOUT_SECONDS,
    ACCOUNT_ABOUT_ACTIVATIONS,
    ACCOUNT_ABOUT_MEMORY,
    ACCOUNT_ABOUT_SHARDS,
    ACCOUNT_ABOUT_UNITS
};

struct account_slip {
    bool (*apply)(const struct account_slip *row,
                  struct account_slipped *x); /* false: does not apply to this problem */
    uint32_t mask;                            /* categories; in products, roles and sorts */
    double amount;   /* bytes, a factor, a step: what `apply` makes of it */
    uint32_t kinds;  /* of problems, a bit each */
    uint8_t rarity;  /* a rarer slip is only named where no commoner one gives the number */
    uint8_t unit;    /* enum account_slip_unit */
    uint8_t subject; /* enum account_subject */
};

extern const struct account_slip account_slips[];

/* What the transformations share: the terms that are asked for, and how they are spoken of. */
extern const char *const account_slipped_nouns[ACCOUNT_CATEGORIES];
bool account_slipped_has(const struct account_slipped *x, const struct account_term *term);
struct account_term *account_slipped_find(struct account_slipped *x, uint32_t mask);
/* Nothing is sent but the average across the groups of hybrid sharding. */
bool account_slipped_across(const struct account_slipped *x);
void account_slipped_add_rate(struct account_text *t, const struct account_term *term);
/* The grounds again, after the problem's training was changed. */
bool account_slipped_again(struct account_slipped *x);

/* ── the transformations: of a sheet (slips.c, slips_divide.c) and the budget (slips_unit.c) ── */
typedef bool account_slipping(const struct account_slip *row, struct account_slipped *x);
account_slipping account_slip_forget, account_slip_set_bytes, account_slip_narrow_grads,
    account_slip_add_bytes, account_slip_one_moment, account_slip_two_moments,
    account_slip_small_moments, account_slip_all_16_bit, account_slip_fp32_as_16_bit,
    account_slip_weights, account_slip_extra_master, account_slip_no_bytes, account_slip_keep_whole,
    account_slip_divide, account_slip_divide_all, account_slip_divide_none, account_slip_stage,
    account_slip_nodes, account_slip_node, account_slip_sum, account_slip_label,
    account_slip_usable, account_slip_budget_unit, account_slip_budget_converted;
/* of the result (slips_unit.c) */
account_slipping account_slip_binary, account_slip_decimal, account_slip_twin,
    account_slip_backwards, account_slip_factor, account_slip_prefix;
/* of the training, with everything that follows from it (slips_training.c) */
account_slipping account_slip_world, account_slip_unsplit, account_slip_hsdp, account_slip_hpz,
    account_slip_name, account_slip_adapters, account_slip_no_lora, account_slip_half_byte,
    account_slip_quarter, account_slip_plain_adam, account_slip_adam_moments,
    account_slip_no_offload, account_slip_paper, account_slip_flash, account_slip_masks,
    account_slip_checkpoint, account_slip_no_sp, account_slip_as_ddp, account_slip_triple,
    account_slip_bucket, account_slip_piece;
/* of products (slips_products.c, slips_memory.c): factors and products by role and sort */
account_slipping account_slip_drop_factor, account_slip_set_factor, account_slip_scale_factor,
    account_slip_drop_product, account_slip_keep_product, account_slip_times_ranks,
    account_slip_times_micro, account_slip_over_ranks, account_slip_over_tensor,
    account_slip_over_stages, account_slip_over_node, account_slip_ring_times,
    account_slip_ring_own, account_slip_half_more, account_slip_rate_of, account_slip_sheet_rate,
    account_slip_by_adapter, account_slip_whole_model, account_slip_model_file;
/* of what is gathered and of the host (slips_memory.c) */
account_slipping account_slip_shard_gathered, account_slip_one_unit, account_slip_more_ahead,
    account_slip_alike_units, account_slip_shared_units, account_slip_host_params;
/* of legs, and of the algorithm that sends them (slips_sent.c) */
account_slipping account_slip_over_link, account_slip_no_ring, account_slip_replica_ring,
    account_slip_replica_share, account_slip_as_all_reduce, account_slip_deepspeed_sends,
    account_slip_paper_sends, account_slip_flat;
/* of a copy more or less (slips_copies.c) */
account_slipping account_slip_second_whole, account_slip_second_world, account_slip_second_bytes,
    account_slip_second_only, account_slip_second_all, account_slip_both_widths,
    account_slip_divide_grads, account_slip_grads_stay, account_slip_all_states,
    account_slip_psi_over_n, account_slip_all_here, account_slip_no_axis;
/* of shards (slips_shards.c) */
account_slipping account_slip_down, account_slip_rank, account_slip_off, account_slip_shard_piece,
    account_slip_shard_bytes, account_slip_remainder;

/* Applies row `i` to a checked problem with its grounds: its value only, or all of it. False if it does not apply. */
bool account_slip_value(size_t i, const struct account_problem *p, const struct account_grounds *g,
                        double *out);
bool account_slip_apply(size_t i, const struct account_problem *p, const struct account_grounds *g,
                        struct account_match *out);
/* The same for row `i` and then row `j`. */
bool account_slip_pair_value(size_t i, size_t j, const struct account_problem *p,
                             const struct account_grounds *g, double *out);
bool account_slip_pair(size_t i, size_t j, const struct account_problem *p,
                       const struct account_grounds *g, struct account_match *out);

#endif
