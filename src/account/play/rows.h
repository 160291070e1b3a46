/* The rows of the plays, each in the file of its subject. Private to the wing. */
#ifndef ACCOUNT_PLAY_ROWS_H
#define ACCOUNT_PLAY_ROWS_H

#include "account/play/play.h"

extern const struct account_play account_play_ring_reduce_scatter, account_play_ring_all_gather,
    account_play_ring_all_reduce, account_play_tree_all_reduce, account_play_flat,
    account_play_buckets, account_play_gather_use_free, account_play_pipeline, account_play_tiers,
    account_play_tensor_layer, account_play_experts;

#endif
