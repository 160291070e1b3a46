/* Where shards lie in a flat buffer: the rank with index r owns the elements [r·size, (r + 1)·size), and the padding lies last.
 *
 *     n = 10, N = 4:   0 1 2 | 3 4 5 | 6 7 8 | 9 · ·      size 3, padding 2                                            */
#ifndef ACCOUNT_SHARDS_H
#define ACCOUNT_SHARDS_H

#include "account/problems/problems.h"
#include "account/numbers/text.h"

struct account_shards {
    uint64_t elements; /* n */
    uint32_t ranks, align, rank;
    bool down; /* a mistake: the size is rounded down */
    enum account_piece piece;
    int64_t more;   /* a mistake: off by so many */
    uint32_t bytes; /* a mistake: bytes were counted; 1 for the truth */
};
uint64_t account_shard_size(const struct account_shards *s);
double account_shards_value(const struct account_shards *s);
/* "10 ÷ 4, rounded up"; "2 × 3"; "4 × 3 − 10" */
void account_add_shards(struct account_text *t, const struct account_shards *s);

#endif
