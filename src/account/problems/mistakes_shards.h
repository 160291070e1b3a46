/* Mistakes with where shards lie. X(id, name, explain, transformation, mask, amount, kinds, rarity, unit); see mistakes.c. */
#ifndef ACCOUNT_MISTAKES_SHARDS_H
#define ACCOUNT_MISTAKES_SHARDS_H

#define SHARD_MISTAKES(X)                                                                          \
    X("rounded-down", "the shard was rounded down",                                                \
      "Shards are all of one size, rounded up, so that every element has an owner; the last one "  \
      "is padded.",                                                                                \
      account_slip_down, 0, 0, SHARD, 0, ACCOUNT_NO_UNIT)                                          \
    X("rank-from-one", "ranks were counted from 1", "Ranks are numbered from 0.",                  \
      account_slip_rank, 0, -1, SHARD, 0, ACCOUNT_NO_UNIT)                                         \
    X("rank-after", "the next rank's shard was taken",                                             \
      "Rank r begins at r times the size, since r shards lie before it.", account_slip_rank, 0, 1, \
      SHARD, 0, ACCOUNT_NO_UNIT)                                                                   \
    X("element-from-one", "elements were counted from 1",                                          \
      "The first element of the buffer has the number 0.", account_slip_off, ACCOUNT_PIECE_FIRST,  \
      1, SHARD, 0, ACCOUNT_NO_UNIT)                                                                \
    X("padding-counted", "the padding was counted as parameters",                                  \
      "The last shard is as large as the others, and not all of it are parameters.",               \
      account_slip_shard_piece, 0, ACCOUNT_PIECE_SIZE, SHARD, 1, ACCOUNT_NO_UNIT)                  \
    X("padding-not-counted", "the padding was left out",                                           \
      "Every rank allocates a shard of the full size.", account_slip_shard_piece, 0,               \
      ACCOUNT_PIECE_REAL, SHARD, 1, ACCOUNT_NO_UNIT)                                               \
    X("remainder", "the remainder was taken for the padding",                                      \
      "n mod N elements are left over for the last shard; what it lacks to its full size is the "  \
      "padding.",                                                                                  \
      account_slip_remainder, 0, 0, SHARD, 0, ACCOUNT_NO_UNIT)                                     \
    X("shard-bytes", "bytes were counted", "Elements are asked for.", account_slip_shard_bytes, 0, \
      2, SHARD, 1, ACCOUNT_NO_UNIT)                                                                \
    X("element-before", "the last element before it was given",                                    \
      "The shards before it hold r times the size, numbered from 0: the next one is the first of " \
      "this rank.",                                                                                \
      account_slip_off, ACCOUNT_PIECE_FIRST, -1, SHARD, 0, ACCOUNT_NO_UNIT)                        \
    X("padding-for-real", "the padding was given",                                                 \
      "What is left of the shard without its padding is asked for.", account_slip_shard_piece, 0,  \
      ACCOUNT_PIECE_PADDING, SHARD, 1, ACCOUNT_NO_UNIT)

#endif
