/* The transformations of shards: where they begin, how large they are, what only pads. */
#include "account/problems/mistakes.h"

bool account_mistake_down(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_shards *s = &x->grounds.shards;
    if (s->elements % s->ranks == 0 || s->elements < s->ranks || s->piece == ACCOUNT_PIECE_PADDING)
        return false;
    s->down = true;
    account_add(&x->wrong, "rounded down; then the last %u elements would be nobody's",
                (unsigned)(s->elements % s->ranks));
    return true;
}

/* Ranks counted from 1: the shard of the neighbour. */
bool account_mistake_rank(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_shards *s = &x->grounds.shards;
    int wrong = (int)s->rank + (int)row->amount;
    if (wrong < 0 || (uint32_t)wrong >= s->ranks) return false;
    account_add(&x->wrong, "that is rank %d's; ranks are counted from 0, and rank %u is asked for",
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
    [ACCOUNT_PIECE_SIZE] = "what a shard holds, padding and all",
    [ACCOUNT_PIECE_REAL] = "what of the shard are parameters",
    [ACCOUNT_PIECE_PADDING] = "what of all shards only pads",
};

bool account_mistake_shard_piece(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_shards *s = &x->grounds.shards;
    enum account_piece wrong = (enum account_piece)row->amount;
    bool asked = s->piece == ACCOUNT_PIECE_SIZE || s->piece == ACCOUNT_PIECE_REAL;
    if (!asked || s->piece == wrong) return false;
    account_add(&x->wrong, "that is %s; asked for is %s", nouns[wrong], nouns[s->piece]);
    s->piece = wrong;
    return true;
}

bool account_mistake_shard_bytes(const struct account_mistake_row *row, struct account_misread *x) {
    x->grounds.shards.bytes = (uint32_t)row->amount;
    account_add(&x->wrong, "bytes, %g for each; elements are asked for", row->amount);
    return true;
}

/* n mod N are left over, and N less that many are padding. */
bool account_mistake_remainder(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    struct account_shards *s = &x->grounds.shards;
    uint64_t left = s->elements % s->ranks;
    if (s->piece != ACCOUNT_PIECE_PADDING || left == 0) return false;
    s->more = (int64_t)left - (int64_t)account_shards_value(s);
    account_add(&x->wrong, "%u are left over; what pads fills the last shard up", (unsigned)left);
    return true;
}
