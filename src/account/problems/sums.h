/* A sum of products, as it is written on paper: "2 × 7/8 × 2 B × 13e9 + …". Traffic, seconds,
 * activations, peaks and host memory are such sums. The engine says what each product is worth; the
 * factors say how one gets there with a pencil, and where they come out a little off, because
 * shards are padded, `exact` makes up for it. A mistake is a sum with something wrong in it. */
#ifndef ACCOUNT_SUMS_H
#define ACCOUNT_SUMS_H

#include "account/problems/problems.h"
#include "account/training/resolved.h"

/* What a factor stands for, and which product it stands in: a bit each, so that a mistake can name
 * some of both. */
enum account_role {
    /* an all-reduce is a reduce-scatter and an all-gather */
    ACCOUNT_TWICE = 1 << 0,
    /* (n − 1) / n */
    ACCOUNT_RING = 1 << 1,
    /* how often a micro-batch, or a step, does it */
    ACCOUNT_PASSES = 1 << 2,
    /* bytes of an element */
    ACCOUNT_WIDTH = 1 << 3,
    /* Ψ, or what else there is of elements */
    ACCOUNT_COUNT = 1 << 4,
    /* micro-batches a step */
    ACCOUNT_MICRO = 1 << 5,
    ACCOUNT_LAYERS = 1 << 6,
    ACCOUNT_BATCH = 1 << 7,
    ACCOUNT_SEQ = 1 << 8,
    /* the second s of s² */
    ACCOUNT_SEQ_AGAIN = 1 << 9,
    ACCOUNT_HIDDEN = 1 << 10,
    ACCOUNT_HEADS = 1 << 11,
    ACCOUNT_VOCAB = 1 << 12,
    /* of a link */
    ACCOUNT_RATE = 1 << 13,
    /* ÷ t, ÷ p: model parallelism */
    ACCOUNT_SPLIT = 1 << 14,
    /* ÷ N */
    ACCOUNT_SHARE = 1 << 15,
    /* micro-batches in a pipeline */
    ACCOUNT_FLIGHT = 1 << 16,
    /* bytes that are given */
    ACCOUNT_SIZE = 1 << 17,
    ACCOUNT_ROLES = (1 << 18) - 1
};
#define ACCOUNT_SORT(n) (1u << (18 + (n)))
#define ACCOUNT_OF_PARAMETERS                                                                      \
    ACCOUNT_SORT(0) /* collectives and states: of parameters, of gradients */
#define ACCOUNT_OF_GRADIENTS ACCOUNT_SORT(1)
#define ACCOUNT_OF_REPLICAS  ACCOUNT_SORT(2)
#define ACCOUNT_OF_LAYERS                                                                          \
    ACCOUNT_SORT(3) /* tensor, context, pipeline: what the layers themselves send */
#define ACCOUNT_OF_LATENCY ACCOUNT_SORT(4)
#define ACCOUNT_OF_TOKENS                                                                          \
    ACCOUNT_SORT(5) /* activations: what grows with s; the part of it that t does not divide */
#define ACCOUNT_OF_WHOLE   ACCOUNT_SORT(6)
#define ACCOUNT_OF_SCORES  ACCOUNT_SORT(7) /* what grows with s² */
#define ACCOUNT_OF_LOGITS  ACCOUNT_SORT(8)
#define ACCOUNT_OF_WORKING ACCOUNT_SORT(9)
#define ACCOUNT_OF_STATES  ACCOUNT_SORT(10)
#define ACCOUNT_OF_BUFFERS ACCOUNT_SORT(11)
#define ACCOUNT_OF_ACTIVE  ACCOUNT_SORT(12)
#define ACCOUNT_OF_DOWN    ACCOUNT_SORT(13)
#define ACCOUNT_SORTS      (~(uint32_t)ACCOUNT_ROLES)

/* how a factor is written */
enum account_writing {
    ACCOUNT_NUMBER,
    /* "7/8" */
    ACCOUNT_FRACTION,
    /* "2 B" */
    ACCOUNT_BYTES,
    /* "13e9" */
    ACCOUNT_ELEMENTS,
    /* "÷ 8" */
    ACCOUNT_DIVISOR,
    /* "÷ 25 GB/s" */
    ACCOUNT_SPEED,
    /* "14 GB" */
    ACCOUNT_GIVEN,
    /* "20e-6 s" */
    ACCOUNT_TIME
};
struct account_factor {
    uint32_t role;
    enum account_writing how;
    /* b: a fraction's denominator */
    double a, b;
};
#define ACCOUNT_FACTORS 10
struct account_product {
    /* of its line */
    const char *id, *label;
    /* ACCOUNT_OF_… bits */
    uint32_t sort;
    /* what it holds, where it holds some */
    uint32_t categories;
    /* what the factors leave unsaid: 1, or hardly more or less */
    double exact;
    size_t factors;
    struct account_factor factor[ACCOUNT_FACTORS];
};
#define ACCOUNT_PRODUCTS (ACCOUNT_LINES - 1)
struct account_products {
    size_t count;
    struct account_product product[ACCOUNT_PRODUCTS];
};

/* Adds a product, or finds none and returns NULL; a factor of 1 that says nothing is left out. */
struct account_product *account_product(struct account_products *s, const char *id,
                                        const char *label, uint32_t sort);
void account_factor(struct account_product *p, uint32_t role, enum account_writing how, double a,
                    double b);
/* Says what the product really is. Where the factors come out a thousandth off or more, they say
 * nothing, and the value itself stands there instead, as `how`. */
void account_settle(struct account_product *p, double value, enum account_writing how);
/* A factor of its own for what the others leave of `value`, if that is a number one can write (to
 * 1/128); as it is if not. */
void account_residual(struct account_product *p, double value, uint32_t role,
                      enum account_writing how);

double account_product_value(const struct account_product *p);
double account_products_value(const struct account_products *s);
/* "2 × 7/8 × 2 B × 13e9"; "…, a sum of them": values in `u` where the factors would be too many. */
void account_add_factor(struct account_text *t, const struct account_factor *f, bool first);
void account_add_product(struct account_text *t, const struct account_product *p);
void account_add_products(struct account_text *t, const struct account_products *s,
                          enum account_unit u);

/* Where shards lie in a flat buffer: the rank with index r owns the elements [r·size, (r +
 * 1)·size), and the padding lies last.
 *
 *     n = 10, N = 4:   0 1 2 | 3 4 5 | 6 7 8 | 9 · ·      size 3, padding 2 */
struct account_shards {
    /* n */
    uint64_t elements;
    uint32_t ranks, align, rank;
    /* a mistake: the size is rounded down */
    bool down;
    enum account_piece piece;
    /* a mistake: off by so many */
    int64_t more;
    /* a mistake: bytes were counted; 1 for the truth */
    uint32_t bytes;
};
uint64_t account_shard_size(const struct account_shards *s);
double account_shards_value(const struct account_shards *s);
/* "10 ÷ 4, rounded up"; "2 × 3"; "4 × 3 − 10" */
void account_add_shards(struct account_text *t, const struct account_shards *s);

/* "2 B × 7.5e9 + (2 + 4 + 8) B × 7.5e9 ÷ 64" */
void account_add_sheet(struct account_text *t, const struct account_sheet *s, uint32_t mask);
/* "2 B + (2 + 4 + 8) B ÷ 64" */
void account_add_rates(struct account_text *t, const struct account_sheet *s, uint32_t mask);

#endif
