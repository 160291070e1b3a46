/* The transformations of what is divided, and by what. */
#include "account/problems/mistakes.h"

/* The N that divides: where the number of GPUs is what is asked for, it is N. */
static void add_ranks(struct account_misread *x) {
    if (x->problem.kind == ACCOUNT_ASK_FEWEST_GPUS)
        account_add(&x->wrong, "N");
    else
        account_add(&x->wrong, "%u", x->grounds.sheet.ranks);
}

/* ── divided ───────────────────────────────────────────────────────────────────────────────────*/

static bool any_sharded(const struct account_misread *x, bool sharded) {
    for (size_t i = 0; i < x->grounds.sheet.terms; i++)
        if (account_misread_has(x, &x->grounds.sheet.term[i]) &&
            x->grounds.sheet.term[i].sharded == sharded)
            return true;
    return false;
}

/* The gradients are divided but the parameters are not: that is where people misplace one of the
 * two. */
static bool between(const struct account_misread *x) {
    return account_is_sharded(&x->problem.training, ACCOUNT_GRADS) &&
           !account_is_sharded(&x->problem.training, ACCOUNT_PARAMS);
}

bool account_mistake_keep_whole(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_term *term = account_misread_find(x, row->mask);
    if (!term || !between(x)) return false;
    term->sharded = false;
    account_add(&x->wrong, "grads ");
    account_misread_add_rate(&x->wrong, term);
    account_add(&x->wrong, " B whole, as in stage %u; stage %u divides them by ",
                x->problem.training.stage - 1, x->problem.training.stage);
    add_ranks(x);
    return true;
}

bool account_mistake_divide(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_term *term = account_misread_find(x, row->mask);
    if (!term || !between(x)) return false;
    term->sharded = true;
    account_add(&x->wrong, "parameters ");
    account_misread_add_rate(&x->wrong, term);
    account_add(&x->wrong, " B ÷ ");
    add_ranks(x);
    account_add(&x->wrong, ", as in stage 3; in stage %u each GPU keeps them whole",
                x->problem.training.stage);
    return true;
}

static void set_sharded(struct account_misread *x, bool sharded) {
    for (size_t i = 0; i < x->grounds.sheet.terms; i++) x->grounds.sheet.term[i].sharded = sharded;
}

/* What the training does (not) divide, for the step that went wrong: "parameters, grads". */
static void add_nouns(struct account_misread *x, bool sharded) {
    const char *before = "";
    for (size_t i = 0; i < x->grounds.sheet.terms; i++) {
        if (!account_misread_has(x, &x->grounds.sheet.term[i]) ||
            x->grounds.sheet.term[i].sharded != sharded)
            continue;
        account_add(&x->wrong, "%s%s", before,
                    account_misread_nouns[x->grounds.sheet.term[i].category]);
        before = ", ";
    }
}

bool account_mistake_divide_all(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    if (!any_sharded(x, false)) return false;
    if (x->problem.training.stage == 0) {
        account_add(&x->wrong, "everything ÷ N; plain data parallel divides only the batch");
    } else {
        account_add(&x->wrong,
                    "everything ÷ N; in stage %u these stay whole: ", x->problem.training.stage);
        add_nouns(x, false);
    }
    set_sharded(x, true);
    return true;
}

bool account_mistake_divide_none(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    if (!any_sharded(x, true)) return false;
    account_add(&x->wrong, "no ÷ %u%s; stage %u divides ", x->grounds.sheet.ranks,
                account_asks_one_category(&x->problem) ? "" : " anywhere",
                x->problem.training.stage);
    add_nouns(x, true);
    set_sharded(x, false);
    return true;
}

bool account_mistake_stage(const struct account_mistake_row *row, struct account_misread *x) {
    int stage = x->problem.training.stage, wrong = stage + (int)row->amount;
    if (wrong < 0 || wrong > 3) return false;
    x->problem.training.stage = (uint8_t)wrong;
    if (!account_has_stage(&x->problem.training, (uint8_t)wrong) || !account_misread_again(x))
        return false;
    account_add(&x->wrong, "that is the sum of stage %d; the question asks for stage %d", wrong,
                stage);
    return true;
}

/* ── N ─────────────────────────────────────────────────────────────────────────────────────────*/

static bool several_nodes(const struct account_training *t) {
    return t->gpus_per_node > 0 && t->gpus > t->gpus_per_node;
}

/* A ring among so many; false if there is none. */
static bool set_rings(struct account_products *s, uint32_t ranks) {
    bool changed = false;
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < s->product[i].factors; j++) {
            struct account_factor *f = &s->product[i].factor[j];
            if (f->role != ACCOUNT_RING || f->a != f->b - 1) continue;
            f->a = ranks - 1;
            f->b = ranks;
            changed = true;
        }
    return changed;
}

/* Another N in whatever N divides. */
static bool set_ranks(struct account_misread *x, uint32_t ranks) {
    struct account_grounds *g = &x->grounds;
    uint32_t right = account_shard_ranks(&x->problem.training);
    if (ranks == right) return false;
    if (g->base == ACCOUNT_ON_PRODUCTS) return ranks > 1 && set_rings(&g->products, ranks);
    if (g->base == ACCOUNT_ON_SHARDS) return x->problem.rank < ranks && (g->shards.ranks = ranks);
    g->sheet.ranks = ranks;
    return any_sharded(x, true);
}

static void say_ranks(struct account_misread *x, const char *what, uint32_t ranks) {
    account_add(&x->wrong, what, ranks);
    account_add(&x->wrong, "; the shards are spread over all %u",
                account_shard_ranks(&x->problem.training));
}

bool account_mistake_nodes(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    const struct account_training *t = &x->problem.training;
    if (!several_nodes(t) || !set_ranks(x, t->gpus / t->gpus_per_node)) return false;
    say_ranks(x, "÷ %u nodes", t->gpus / t->gpus_per_node);
    account_add(&x->wrong, " GPUs");
    return true;
}

bool account_mistake_node(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    const struct account_training *t = &x->problem.training;
    if (!several_nodes(t) || t->gpus_per_node < 2 || !set_ranks(x, t->gpus_per_node)) return false;
    say_ranks(x, "÷ the %u GPUs of one node", t->gpus_per_node);
    return true;
}

bool account_mistake_world(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    const struct account_training *t = &x->problem.training;
    if (account_data_parallel(t) == t->gpus || t->shard_group || !set_ranks(x, t->gpus))
        return false;
    account_add(&x->wrong, "÷ all %u GPUs; of them only %u share, the others hold other parts",
                t->gpus, account_shard_ranks(t));
    return true;
}

bool account_mistake_hsdp(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    const struct account_training *t = &x->problem.training;
    uint32_t all = account_data_parallel(t) * (t->cp ? t->cp : 1);
    if (!t->shard_group || t->shard_group == all || account_misread_across(x) || !set_ranks(x, all))
        return false;
    account_add(&x->wrong, "÷ all %u; the states are divided within a shard group of %u", all,
                t->shard_group);
    return true;
}

bool account_mistake_sum(const struct account_mistake_row *row, struct account_misread *x) {
    bool cluster = row->amount > 0;
    uint32_t gpus = x->problem.training.gpus;
    if (x->problem.cluster == cluster || gpus == 1) return false;
    x->problem.cluster = cluster;
    account_add(&x->wrong,
                cluster ? "%u GPUs added up; the question asks for one"
                        : "one GPU; the question asks for the sum over all %u",
                gpus);
    return true;
}

/* The question asks for N. If the division has no remainder, nothing is rounded. */
bool account_mistake_gpus_down(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    const struct account_problem *p = &x->problem;
    struct account_sheet with = x->grounds.sheet;
    double budget = account_problem_budget(p);
    with.ranks = account_sheet_fewest(&with, p->quantity, budget);
    if (with.ranks < 2 || (double)account_sheet_bytes(&with, p->quantity) == budget) return false;
    x->grounds.down = true;
    account_add(&x->wrong, "%u GPUs are too few", with.ranks - 1);
    return true;
}

/* ── shards: where they begin, how large they are, what only pads ───────────────────────────────*/

bool account_mistake_down(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_shards *s = &x->grounds.shards;
    if (s->elements % s->ranks == 0 || s->elements < s->ranks || s->piece == ACCOUNT_PIECE_PADDING)
        return false;
    s->down = true;
    account_add(&x->wrong, "rounded down; then no rank would own the last %u elements",
                (unsigned)(s->elements % s->ranks));
    return true;
}

/* Ranks counted from 1: the shard of the neighbour. */
bool account_mistake_rank(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_shards *s = &x->grounds.shards;
    int wrong = (int)s->rank + (int)row->amount;
    if (wrong < 0 || (uint32_t)wrong >= s->ranks) return false;
    account_add(&x->wrong,
                "that is rank %d's; ranks are counted from 0, and the question asks for rank %u",
                wrong, s->rank);
    s->rank = (uint32_t)wrong;
    return true;
}

/* One too many or too few. */
bool account_mistake_off(const struct account_mistake_row *row, struct account_misread *x) {
    if (x->problem.piece != row->mask) return false;
    x->grounds.shards.more = (int64_t)row->amount;
    account_add(&x->wrong, "off by one: elements are counted from 0");
    return true;
}

static const char *const nouns[ACCOUNT_PIECES] = {
    [ACCOUNT_PIECE_SIZE] = "what a shard holds, padding included",
    [ACCOUNT_PIECE_REAL] = "the parameters in the shard",
    [ACCOUNT_PIECE_PADDING] = "the padding in all shards",
};

bool account_mistake_shard_piece(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_shards *s = &x->grounds.shards;
    enum account_piece wrong = (enum account_piece)row->amount;
    bool asked = s->piece == ACCOUNT_PIECE_SIZE || s->piece == ACCOUNT_PIECE_REAL;
    if (!asked || s->piece == wrong) return false;
    account_add(&x->wrong, "that is %s; the question asks for %s", nouns[wrong], nouns[s->piece]);
    s->piece = wrong;
    return true;
}

bool account_mistake_shard_bytes(const struct account_mistake_row *row, struct account_misread *x) {
    x->grounds.shards.bytes = (uint32_t)row->amount;
    account_add(&x->wrong, "bytes, %s for each; the question asks for elements",
                account_number(&x->wrong, row->amount).text);
    return true;
}

/* n mod N are left over, and N less that many are padding. */
bool account_mistake_remainder(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_shards *s = &x->grounds.shards;
    uint64_t left = s->elements % s->ranks;
    if (s->piece != ACCOUNT_PIECE_PADDING || left == 0) return false;
    s->more = (int64_t)left - (int64_t)account_shards_value(s);
    account_add(&x->wrong, "%u are left over; padding fills the rest of the last shard",
                (unsigned)left);
    return true;
}
