/* problems: questions about a training that have one number as their answer, and what people get
 * wrong in them.
 *
 * In flows a problem: what is asked (bytes, parameters, GPUs, traffic, seconds …) of which
 * training, and in which unit. Out flow its solution as lines of working that a worksheet asks for
 * one by one, and the judgement of an answer as it was typed.
 *
 * A problem is computed from its grounds (grounds.h), one of four: the sheet of model states, a
 * budget, a sum of products (sums.h: traffic, seconds, activations, peaks), or shards of a flat
 * buffer. The answer follows from the grounds alone. That is what makes mistakes data: a mistake is
 * a row that changes the problem, its grounds or the unit, and is then computed exactly as the
 * truth is. It therefore yields the very number that a person who makes it gets, whatever the
 * training.
 *
 *   account_solve()       the truth, line by line
 *   account_judge()       right, rounded, in another unit, or a mistake: its name, its arithmetic
 *                         and the step that went wrong
 *   account_diagnose()    which mistakes, or pairs of them, yield a number
 *   account_separate()    whether a variant of a problem keeps its mistakes apart from the truth
 *                         and from each other
 *   account_whose()       whose number this is: every recipe, stage, unit and mistake that yields
 *                         it
 *   account_guess()       where a guess comes from
 *
 * All but the first are declared in judging.h.
 *
 * A mistake that cannot be told from the truth in a variant is left out of it, and the tolerance
 * shrinks to a quarter of the distance to the nearest mistake, so that no wrong answer is taken for
 * a right one. */
#ifndef ACCOUNT_PROBLEMS_H
#define ACCOUNT_PROBLEMS_H

#include "account/training/training.h"
#include "account/traffic/traffic.h"

enum account_kind {
    /* Of `quantity`, per GPU or in the cluster. */
    ACCOUNT_ASK_BYTES,
    ACCOUNT_ASK_BYTES_PER_PARAM,
    /* That fits the card (usable or label bytes: `budget`). */
    ACCOUNT_ASK_LARGEST_PARAMS,
    ACCOUNT_ASK_FEWEST_GPUS,
    /* `budget` bytes, asked in another unit. */
    ACCOUNT_ASK_CONVERT,
    /* Bytes that one rank sends in a step; the data-parallel part of them in multiples of Ψ, as N →
     * ∞. */
    ACCOUNT_ASK_TRAFFIC,
    ACCOUNT_ASK_VOLUME,
    /* Of the step's communication, of a collective over `budget` bytes, of the offload's link. */
    ACCOUNT_ASK_SECONDS,
    /* Bytes on one GPU; at the step's highest instant, or of categories, each at its own. */
    ACCOUNT_ASK_ACTIVATIONS,
    ACCOUNT_ASK_PEAK,
    /* Bytes that a node keeps off its GPUs. */
    ACCOUNT_ASK_HOST,
    /* Elements: where the shard of `rank` lies in a flat buffer of Ψ. */
    ACCOUNT_ASK_SHARD,
    ACCOUNT_KINDS
};
/* What of it is asked; the names are values of "quantity". */
enum account_piece {
    ACCOUNT_PIECE_ALL,
    /* Traffic, seconds: in the order of enum account_collective_kind. */
    ACCOUNT_PIECE_ALL_REDUCE,
    ACCOUNT_PIECE_REDUCE_SCATTER,
    ACCOUNT_PIECE_ALL_GATHER,
    ACCOUNT_PIECE_ALL_TO_ALL,
    ACCOUNT_PIECE_P2P,
    /* Traffic: to ranks of the same node, of others. */
    ACCOUNT_PIECE_INSIDE,
    ACCOUNT_PIECE_BETWEEN,
    /* Traffic, seconds: over this GPU's own host link. */
    ACCOUNT_PIECE_OFFLOAD,
    /* Activations: of one layer, all layers, one recomputed, the logits. */
    ACCOUNT_PIECE_LAYER,
    ACCOUNT_PIECE_LAYERS,
    ACCOUNT_PIECE_WORKING,
    ACCOUNT_PIECE_LOGITS,
    /* Host: on the disks instead. */
    ACCOUNT_PIECE_NVME,
    /* Shard: elements a rank holds, padding and all; its first one, counted from 0; how many of
     * them are parameters. */
    ACCOUNT_PIECE_SIZE,
    ACCOUNT_PIECE_FIRST,
    ACCOUNT_PIECE_REAL,
    /* Shard: elements that only pad, of all shards. */
    ACCOUNT_PIECE_PADDING,
    ACCOUNT_PIECES
};
struct account_problem {
    enum account_kind kind;
    struct account_training training;
    /* Bit mask of categories; model_state is params|grads|master|moments. */
    uint32_t quantity;
    /* Summed over all GPUs, not per GPU. */
    bool cluster;
    /* The answer is asked in this unit. */
    enum account_unit unit;
    /* Bytes, for LARGEST_PARAMS, FEWEST_GPUS, CONVERT; and the unit in which they were stated, for
     * the working. */
    double budget;
    enum account_unit budget_unit;
    /* Relative; 0 means 0.005. */
    double tolerance;
    /* For the kinds that divide their answer otherwise than by category. */
    enum account_piece piece;
    /* SHARD: whose, from 0. */
    uint32_t rank;
};
struct account_problem account_problem_default(void);
/* Sets "kind", "quantity" (model_state, optimizer, total, params, grads+master …; or a piece:
 * all_gather, between, offload, layer, logits, size, padding …), "per" (gpu|cluster), "unit",
 * "budget" (bytes; for seconds: those of the array), "rank", "tolerance" or, with any other name, a
 * field of the training. The names are those of the problem's JSON. */
bool account_problem_set(struct account_problem *p, const char *field, const char *text,
                         struct account_error *e);
const char *account_problem_get(const struct account_problem *p, const char *field, char *out,
                                size_t size);

/* ── solutions ─────────────────────────────────────────────────────────────────────────────────*/

#define ACCOUNT_LINES 12
/* How a line follows from lines before it: by itself; lines a to b, added up; times × line a; times
 * × line a − line b; line a ÷ line b; the same, rounded up. */
enum account_rule {
    ACCOUNT_STANDS,
    ACCOUNT_ADDS,
    ACCOUNT_TIMES,
    ACCOUNT_SUBTRACTS,
    ACCOUNT_DIVIDES,
    ACCOUNT_DIVIDES_UP
};
struct account_line {
    /* "params", "grads", "total" …: what a worksheet calls the blank. */
    char id[20];
    /* For people. */
    char label[40];
    /* "2 B × 7e9" */
    char formula[96];
    /* Base units, and the unit in which this line is written. */
    double value;
    enum account_unit unit;
    enum account_rule rule;
    uint8_t a, b;
    double times;
};
struct account_solution {
    /* Base units. */
    double value;
    enum account_unit unit;
    /* The last line is the answer. */
    size_t lines;
    struct account_line line[ACCOUNT_LINES];
};
bool account_solve(const struct account_problem *p, struct account_solution *out,
                   struct account_error *e);
/* What line `i` must be if the lines before it were `given` (base units): the error carried
 * forward. NaN in `given` means the true value. */
double account_carry(const struct account_problem *p, const struct account_solution *s, size_t i,
                     const double *given);
/* Writes how the line follows from the others, "8.75 GB + 560 GB"; "" if it follows from none.
 * Returns `out`. */
const char *account_carry_formula(const struct account_solution *s, size_t i, const double *given,
                                  char *out, size_t size);

/* ── skills ────────────────────────────────────────────────────────────────────────────────────*/

/* What a right answer shows that one can do: a stage, a quantity and a unit. Problems that differ
 * in their numbers only are about the same skill. */
struct account_skill {
    enum account_kind kind;
    uint32_t quantity;
    enum account_piece piece;
    bool cluster;
    /* 0 to 3; -1 if the answer is the same at every stage */
    int stage;
    /* GB stands for B, KB, MB and TB, and GiB for KiB, MiB and TiB: one who can do one can do the
     * others. NONE if the answer is no size: then its unit follows from the kind. */
    enum account_unit unit;
};
enum { ACCOUNT_SKILL_MOST = 96 };
/* False if the problem has no answer. */
bool account_skill_of(const struct account_problem *p, struct account_skill *out);
/* The skill of one line of its worksheet: that of the problem for the category which the line is
 * named after. False if it is named after none. */
bool account_skill_of_line(const struct account_problem *p, const char *line,
                           struct account_skill *out);
/* A short text without blanks that names the skill: "bytes:grads:gpu:2:GB". Returns `out`. */
const char *account_skill_key(const struct account_skill *s, char out[ACCOUNT_SKILL_MOST]);
/* Reads a key. False if it is none. */
bool account_skill_read(const char *key, struct account_skill *out);
/* In words: "gradients at stage 2, in GB". Returns `out`. */
const char *account_skill_words(const struct account_skill *s, char out[ACCOUNT_SKILL_MOST]);
/* The area that it belongs to: "Model states", "Traffic" … */
const char *account_skill_area(const struct account_skill *s);

#endif
