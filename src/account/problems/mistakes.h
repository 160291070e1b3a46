/* A mistake is a change of the problem: of its grounds, of the question, or of the result.
 * Everything else is computed as for the truth. data/mistakes.json has the rows, mistakes.awk makes
 * tables of them, and the files mistake_*.c have the functions that the rows name. mistakes.c
 * computes what a row yields. Values come first, because there are many; text is written only for
 * what is shown. */
#ifndef ACCOUNT_MISTAKES_H
#define ACCOUNT_MISTAKES_H

#include "account/problems/grounds.h"
#include "account/problems/judging.h"

/* The problem as it was misunderstood. */
struct account_misread {
    struct account_problem problem;
    struct account_grounds grounds;
    /* What the result is multiplied by at the end, the unit that it is then taken for, and the unit
     * that it is in before (NONE: the one asked). */
    double factor;
    enum account_unit unit;
    enum account_unit from;
    /* That last step: " ÷ 2^30". */
    struct account_text step;
    /* Where it went wrong, in words. */
    struct account_text wrong;
};

/* Whether the number was right but for its unit, and whether that can only be if a unit was
 * written. */
enum account_mistake_unit { ACCOUNT_UNIT_RIGHT, ACCOUNT_UNIT_TAKEN, ACCOUNT_UNIT_WRITTEN };
/* What a mistake is about. Two of different subjects can be made together. */
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

/* A row of data/mistakes.json, in the same order as account_mistakes(). */
struct account_mistake_row {
    /* Makes the change; false if it does not apply to this problem. */
    bool (*apply)(const struct account_mistake_row *row, struct account_misread *x);
    /* Categories; in products, roles and sorts. */
    uint32_t mask;
    /* Bytes, a factor, a step: what `apply` makes of it. */
    double amount;
    /* Of problems, a bit each. */
    uint32_t kinds;
    /* Where several give the number the commonest is explained, and the others are named. */
    uint8_t rarity;
    /* enum account_mistake_unit */
    uint8_t unit;
    /* enum account_subject */
    uint8_t subject;
    /* It changes the whole sheet, not one category. */
    bool whole;
};
extern const struct account_mistake_row account_mistake_rows[];

/* Whether one category of a sheet is asked for: a mistake that changes the whole sheet is then less
 * likely than one in that category. */
bool account_asks_one_category(const struct account_problem *p);

/* What the changes share (misread.c): the terms that are asked for, and how they are called. */
extern const char *const account_misread_nouns[ACCOUNT_CATEGORIES];
bool account_misread_has(const struct account_misread *x, const struct account_term *term);
struct account_term *account_misread_find(struct account_misread *x, uint32_t mask);
/* Nothing is sent but the average across the groups of hybrid sharding. */
bool account_misread_across(const struct account_misread *x);
void account_misread_add_rate(struct account_text *t, const struct account_term *term);
/* The grounds again, after the problem's training was changed. */
bool account_misread_again(struct account_misread *x);

/* ── the changes: of a sheet (mistake_bytes.c, mistake_sharing.c) and the budget (mistake_units.c)
 * ── */
typedef bool account_mistake_change(const struct account_mistake_row *row,
                                    struct account_misread *x);
account_mistake_change account_mistake_forget, account_mistake_set_bytes,
    account_mistake_narrow_grads, account_mistake_add_bytes, account_mistake_one_moment,
    account_mistake_two_moments, account_mistake_small_moments, account_mistake_all_16_bit,
    account_mistake_fp32_as_16_bit, account_mistake_weights, account_mistake_extra_master,
    account_mistake_gpus_down, account_mistake_no_bytes, account_mistake_keep_whole,
    account_mistake_divide, account_mistake_divide_all, account_mistake_divide_none,
    account_mistake_stage, account_mistake_nodes, account_mistake_node, account_mistake_sum,
    account_mistake_label, account_mistake_usable, account_mistake_budget_unit,
    account_mistake_budget_converted;
/* of the result (mistake_units.c) */
account_mistake_change account_mistake_binary, account_mistake_decimal, account_mistake_twin,
    account_mistake_backwards, account_mistake_factor, account_mistake_prefix;
/* of the training, with everything that follows from it (mistake_training.c) */
account_mistake_change account_mistake_world, account_mistake_unsplit, account_mistake_hsdp,
    account_mistake_hpz, account_mistake_name, account_mistake_adapters, account_mistake_no_lora,
    account_mistake_half_byte, account_mistake_quarter, account_mistake_plain_adam,
    account_mistake_adam_moments, account_mistake_no_offload, account_mistake_paper,
    account_mistake_flash, account_mistake_masks, account_mistake_checkpoint, account_mistake_no_sp,
    account_mistake_as_ddp, account_mistake_triple, account_mistake_bucket, account_mistake_piece;
/* of products (mistake_products.c, mistake_memory.c): factors and products by role and sort */
account_mistake_change account_mistake_drop_factor, account_mistake_set_factor,
    account_mistake_scale_factor, account_mistake_drop_product, account_mistake_keep_product,
    account_mistake_times_ranks, account_mistake_times_micro, account_mistake_over_ranks,
    account_mistake_over_gpus, account_mistake_over_tensor, account_mistake_over_stages,
    account_mistake_over_node, account_mistake_ring_times, account_mistake_ring_own,
    account_mistake_half_more, account_mistake_rate_of, account_mistake_sheet_rate,
    account_mistake_by_adapter, account_mistake_whole_model, account_mistake_model_file;
/* of what is gathered and of the host (mistake_memory.c) */
account_mistake_change account_mistake_shard_gathered, account_mistake_one_unit,
    account_mistake_more_ahead, account_mistake_alike_units, account_mistake_shared_units,
    account_mistake_host_params;
/* of collectives, and of the algorithm that sends them (mistake_traffic.c) */
account_mistake_change account_mistake_over_link, account_mistake_no_ring,
    account_mistake_replica_ring, account_mistake_replica_share, account_mistake_as_all_reduce,
    account_mistake_deepspeed_sends, account_mistake_paper_sends, account_mistake_flat;
/* of a copy more or less (mistake_copies.c) */
account_mistake_change account_mistake_second_whole, account_mistake_second_world,
    account_mistake_second_bytes, account_mistake_second_only, account_mistake_second_all,
    account_mistake_both_widths, account_mistake_divide_grads, account_mistake_grads_stay,
    account_mistake_all_states, account_mistake_psi_over_n, account_mistake_all_here,
    account_mistake_no_axis;
/* of shards (mistake_sharing.c) */
account_mistake_change account_mistake_down, account_mistake_rank, account_mistake_off,
    account_mistake_shard_piece, account_mistake_shard_bytes, account_mistake_remainder;

/* Applies row `i` to a checked problem with its grounds: its value only, or all of it. False if it
 * does not apply. */
bool account_mistaken_value(size_t i, const struct account_problem *p,
                            const struct account_grounds *g, double *out);
bool account_mistaken(size_t i, const struct account_problem *p, const struct account_grounds *g,
                      struct account_match *out);
/* The same for row `i` and then row `j`. */
bool account_mistaken_pair_value(size_t i, size_t j, const struct account_problem *p,
                                 const struct account_grounds *g, double *out);
bool account_mistaken_pair(size_t i, size_t j, const struct account_problem *p,
                           const struct account_grounds *g, struct account_match *out);
/* Whether rows `i` and `j` are one mistake in other words: they differ in how far they reach, but
 * make the same change to this problem. Equal values are not enough, since 2 B less of parameters
 * is another mistake than 2 B less of gradients. */
bool account_mistaken_alike(size_t i, size_t j, const struct account_problem *p,
                            const struct account_grounds *g);
/* What is counted by category, bytes on one GPU; with `m`, as that mistake (and the one that came
 * with it) counts. False if the number is not a sum of categories: of another kind of problem, of
 * the whole cluster, or changed at its end, as by a unit. */
bool account_mistaken_ledger(const struct account_match *m, const struct account_problem *p,
                             const struct account_grounds *g, struct account_ledger *out);

#endif
