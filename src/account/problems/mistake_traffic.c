/* The transformations of what is sent that name a collective of their own: the host's link, the
 * replicas of hybrid sharding, one collective. */
#include "account/problems/mistakes.h"

/* ── factors put in, or changed, in the products of a sort ─────────────────────────────────────*/

static bool concerns(const struct account_mistake_row *row, const struct account_product *p) {
    uint32_t sorts = row->mask & ACCOUNT_SORTS;
    return sorts == 0 || (p->sort & sorts) != 0;
}

static struct account_factor *factor_of(struct account_product *p, uint32_t role) {
    for (size_t i = 0; i < p->factors; i++)
        if (p->factor[i].role & role) return &p->factor[i];
    return NULL;
}

/* The first product of the row's sort that has a factor of this role. */
static struct account_factor *first_factor(const struct account_mistake_row *row,
                                           struct account_misread *x, uint32_t role) {
    struct account_products *s = &x->grounds.products;
    struct account_factor *found = NULL;
    for (size_t i = 0; !found && i < s->count; i++)
        if (concerns(row, &s->product[i])) found = factor_of(&s->product[i], role);
    return found;
}

/* ── the host's link ───────────────────────────────────────────────────────────────────────────*/

/* `amount` bytes a parameter cross it, in all. */
bool account_mistake_over_link(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_products *s = &x->grounds.products;
    struct account_factor *width = s->count ? factor_of(&s->product[0], ACCOUNT_WIDTH) : NULL;
    double right = 0;
    if (x->problem.piece != ACCOUNT_PIECE_OFFLOAD || !width) return false;
    for (size_t i = 0; i < s->count; i++) {
        const struct account_factor *f = factor_of(&s->product[i], ACCOUNT_WIDTH);
        right += f ? f->a : 0;
    }
    account_add(&x->wrong, "%s B per parameter; gradients down and weights up are %s",
                account_number(&x->wrong, row->amount).text, account_number(&x->wrong, right).text);
    width->a = row->amount;
    s->count = 1;
    return true;
}

/* (N − 1)/N where no ring is. */
bool account_mistake_no_ring(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_products *s = &x->grounds.products;
    uint32_t n = account_shard_ranks(&x->problem.training);
    (void)row;
    if (x->problem.piece != ACCOUNT_PIECE_OFFLOAD || n < 2) return false;
    for (size_t i = 0; i < s->count; i++)
        account_factor(&s->product[i], ACCOUNT_RING, ACCOUNT_FRACTION, n - 1, n);
    account_add(&x->wrong,
                "× %u/%u, a ring's factor; over its own link a rank sends all of its shard", n - 1,
                n);
    return true;
}

/* ── the replicas ──────────────────────────────────────────────────────────────────────────────*/

/* The ring of the shard group (`amount` 0), or, where nothing else is sent, one of all ranks (1),
 * for that of the replicas. */
bool account_mistake_replica_ring(const struct account_mistake_row *row,
                                  struct account_misread *x) {
    const struct account_training *t = &x->problem.training;
    bool all = row->amount > 0;
    uint32_t n = all ? account_data_parallel(t) : account_shard_ranks(t);
    struct account_factor *ring = first_factor(row, x, ACCOUNT_RING);
    if (!ring || n < 2 || ring->b == n || (all && !account_misread_across(x))) return false;
    account_add(&x->wrong, "× %u/%u, the ring %s; across the groups it has %s ranks", n - 1, n,
                all ? "of all ranks" : "inside a group", account_number(&x->wrong, ring->b).text);
    ring->a = n - 1;
    ring->b = n;
    return true;
}

/* ÷ all ranks (`amount` 0), or ÷ the groups there are (1), for ÷ those of a group. */
bool account_mistake_replica_share(const struct account_mistake_row *row,
                                   struct account_misread *x) {
    const struct account_training *t = &x->problem.training;
    struct account_factor *share = first_factor(row, x, ACCOUNT_SHARE);
    double all = account_data_parallel(t), wrong = row->amount > 0 && share ? all / share->a : all;
    if (!share || wrong == share->a || wrong < 2) return false;
    account_add(&x->wrong, "÷ %s %s; a rank holds its group's gradients ÷ %s",
                account_number(&x->wrong, wrong).text, row->amount > 0 ? "groups" : "ranks",
                account_number(&x->wrong, share->a).text);
    share->a = wrong;
    return true;
}

/* ── one collective ────────────────────────────────────────────────────────────────────────────*/

/* A reduce-scatter or an all-gather, counted as an all-reduce. */
bool account_mistake_as_all_reduce(const struct account_mistake_row *row,
                                   struct account_misread *x) {
    struct account_products *s = &x->grounds.products;
    enum account_piece piece = x->problem.piece;
    bool half = piece == ACCOUNT_PIECE_REDUCE_SCATTER || piece == ACCOUNT_PIECE_ALL_GATHER;
    (void)row;
    for (size_t i = 0; half && i < s->count; i++)
        if (!(s->product[i].sort & ACCOUNT_OF_LATENCY))
            account_factor(&s->product[i], ACCOUNT_TWICE, ACCOUNT_NUMBER, 2, 0);
    account_add(&x->wrong, "× 2, as an all-reduce has; %s goes around once",
                piece == ACCOUNT_PIECE_ALL_GATHER ? "an all-gather" : "a reduce-scatter");
    return half;
}

/* ── the same by another algorithm ─────────────────────────────────────────────────────────────*/

static bool by_recipe(struct account_misread *x, const char *recipe) {
    return account_set(&x->problem.training, "recipe", recipe, NULL) && account_misread_again(x);
}

static bool all_reduces(const struct account_training *t) {
    return account_recipe_of(t)->reduce_op[t->stage] == ACCOUNT_ALL_REDUCE;
}

/* DeepSpeed's stages 1 and 2 where the paper's are asked for. */
bool account_mistake_deepspeed_sends(const struct account_mistake_row *row,
                                     struct account_misread *x) {
    const struct account_training *t = &x->problem.training;
    (void)row;
    if (!account_same(account_recipe_of(t)->name, "paper") || t->stage == 0 || t->stage > 2)
        return false;
    account_add(&x->wrong,
                "an all-reduce of each bucket, as DeepSpeed's default has it; the paper's "
                "reduce-scatter is half of that");
    return by_recipe(x, "deepspeed");
}

/* And the reverse. */
bool account_mistake_paper_sends(const struct account_mistake_row *row, struct account_misread *x) {
    const struct account_training *t = &x->problem.training;
    (void)row;
    if (t->stage == 0 || !all_reduces(t)) return false;
    account_add(&x->wrong, "a reduce-scatter, as in the paper; %s all-reduces here",
                account_recipe_of(t)->title);
    return by_recipe(x, "paper");
}

/* Full sharding over all ranks where the states are shared within groups. */
bool account_mistake_flat(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_training *t = &x->problem.training;
    (void)row;
    if (!t->shard_group || t->shard_group == account_data_parallel(t)) return false;
    account_add(&x->wrong,
                "sharded over all %u; here each group of %u gathers and scatters separately",
                account_data_parallel(t), t->shard_group);
    t->shard_group = 0;
    return account_misread_again(x);
}
