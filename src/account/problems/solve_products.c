/* The working of what products and shards answer. */
#include "account/problems/grounds.h"

/* A value by itself is no formula: the line is what it is. */
static bool is_given(const struct account_product *p) {
    return p->factors == 1 && p->factor[0].role == ACCOUNT_SIZE;
}

void account_solve_products(const struct account_problem *p, const struct account_grounds *g,
                            struct account_solution *s) {
    (void)p;
    for (size_t i = 0; i < g->products.count; i++) {
        const struct account_product *product = &g->products.product[i];
        struct account_line *line = account_next_line(s, product->id, product->label,
                                                      account_product_value(product), s->unit);
        struct account_text t = account_formula(line);
        if (!is_given(product)) account_add_product(&t, product);
    }
    size_t terms = s->lines;
    if (terms < 2) return;
    struct account_line *sum = account_next_line(s, "total", "in all", s->value, s->unit);
    account_line_rule(sum, ACCOUNT_ADDS, 0, terms - 1, 1);
    struct account_text t = account_formula(sum);
    account_add_line_values(&t, s, 0, terms - 1);
}

/* ── shards ──────────────────────────────────────────────────────────────────────────────────────*/

static struct account_line *shard_line(struct account_solution *s, struct account_shards shards,
                                       enum account_piece piece, const char *id,
                                       const char *label) {
    shards.piece = piece;
    struct account_line *line =
        account_next_line(s, id, label, account_shards_value(&shards), s->unit);
    struct account_text t = account_formula(line);
    account_add_shards(&t, &shards);
    return line;
}

/* What all shards hold, and what of that is no parameter. */
static void add_padding(const struct account_shards *shards, struct account_solution *s) {
    double held = (double)account_shard_size(shards) * shards->ranks;
    struct account_line *all = account_next_line(s, "held", "what all ranks hold", held, s->unit);
    account_line_rule(all, ACCOUNT_TIMES, 0, 0, shards->ranks);
    struct account_text t = account_formula(all);
    account_add(&t, "%u × ", shards->ranks);
    account_add_count(&t, account_shard_size(shards));
    shard_line(s, *shards, ACCOUNT_PIECE_PADDING, "padding", "of that, only padding");
}

void account_solve_shards(const struct account_problem *p, const struct account_grounds *g,
                          struct account_solution *s) {
    (void)p;
    const struct account_shards *shards = &g->shards;
    shard_line(s, *shards, ACCOUNT_PIECE_SIZE, "size", "elements a rank holds");
    if (shards->piece == ACCOUNT_PIECE_PADDING) add_padding(shards, s);
    if (shards->piece == ACCOUNT_PIECE_REAL)
        shard_line(s, *shards, ACCOUNT_PIECE_REAL, "real", "of them parameters");
    if (shards->piece == ACCOUNT_PIECE_FIRST) {
        struct account_line *first =
            shard_line(s, *shards, ACCOUNT_PIECE_FIRST, "first", "its first element");
        account_line_rule(first, ACCOUNT_TIMES, 0, 0, shards->rank);
    }
}
