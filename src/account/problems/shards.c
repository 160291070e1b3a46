#include "account/problems/shards.h"

uint64_t account_shard_size(const struct account_shards *s) {
    uint64_t unit = (uint64_t)s->ranks * s->align;
    return (s->elements / unit + (s->elements % unit != 0 && !s->down)) * s->align;
}

static double real(const struct account_shards *s) {
    double size = (double)account_shard_size(s), before = size * s->rank, n = (double)s->elements;
    if (before >= n) return 0;
    return n - before < size ? n - before : size;
}

double account_shards_value(const struct account_shards *s) {
    double size = (double)account_shard_size(s), value = size;
    if (s->piece == ACCOUNT_PIECE_FIRST) value = size * s->rank;
    if (s->piece == ACCOUNT_PIECE_REAL) value = real(s);
    if (s->piece == ACCOUNT_PIECE_PADDING) value = size * s->ranks - (double)s->elements;
    return (value + (double)s->more) * s->bytes;
}

static void add_size(struct account_text *t, const struct account_shards *s) {
    account_add_count(t, s->elements);
    account_add(t, " ÷ %u", s->ranks);
    if (s->align > 1) account_add(t, " to a multiple of %u", s->align);
    account_add(t, ", rounded %s", s->down ? "down" : "up");
}

/* A shard that is full to its end is just that many. */
static void add_real(struct account_text *t, const struct account_shards *s) {
    uint64_t size = account_shard_size(s);
    if (real(s) == (double)size) {
        account_add_count(t, size);
        return;
    }
    account_add_count(t, s->elements);
    account_add(t, " − %u × ", s->rank);
    account_add_count(t, size);
}

void account_add_shards(struct account_text *t, const struct account_shards *s) {
    if (s->bytes != 1) account_add(t, "%u × (", s->bytes);
    if (s->piece == ACCOUNT_PIECE_FIRST)
        account_add(t, "%u × ", s->rank), account_add_count(t, account_shard_size(s));
    else if (s->piece == ACCOUNT_PIECE_REAL)
        add_real(t, s);
    else if (s->piece == ACCOUNT_PIECE_PADDING) {
        account_add(t, "%u × ", s->ranks);
        account_add_count(t, account_shard_size(s));
        account_add(t, " − ");
        account_add_count(t, s->elements);
    } else
        add_size(t, s);
    if (s->more)
        account_add(t, s->more > 0 ? " + %lld" : " − %lld",
                    (long long)(s->more > 0 ? s->more : -s->more));
    if (s->bytes != 1) account_add(t, ")");
}
