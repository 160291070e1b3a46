/* collectives: times of collectives over a range of sizes, in the units and columns of nccl-tests
 * (https://github.com/NVIDIA/nccl-tests, doc/PERFORMANCE.md), and the latency and rate that explain
 * them. Inside the lab only.
 *
 *     algorithm bandwidth   the array's bytes ÷ time
 *     bus bandwidth         that times 2(N−1)/N for an all-reduce, (N−1)/N for the other two: what
 * a link carried, whatever the number of ranks
 *
 * The array is the whole one: a reduce-scatter's input, an all-gather's output. A time is the
 * median over steps and ranks, from the moment at which the last rank came. The first step warms up
 * and does not count. The largest size is twice the last that was asked for. It is not a part of
 * the fit, which predicts it. */
#ifndef LAB_COLLECTIVES_H
#define LAB_COLLECTIVES_H

#include "lab/events.h"

enum { LAB_SIZES_MOST = 40 };
/* Bytes of the array for each size, rounded down to whole elements of every rank, in rising order;
 * how many. None if the options ask for no range. */
size_t lab_sizes(const struct lab_options *o, uint64_t size[LAB_SIZES_MOST]);
/* The bytes rounded so; at least an element for each rank. */
uint64_t lab_whole(const struct lab_options *o, uint64_t bytes);

/* The launcher's part. NULL without a range, or without memory. */
struct lab_sweep *lab_sweep_new(const struct lab_options *o);
void lab_sweep_free(struct lab_sweep *s);
/* A rank's transfer. */
void lab_sweep_hear(struct lab_sweep *s, const struct lab_report *r);
/* Says what was measured, and the fits: as events, as a table, or as both. */
void lab_sweep_say(const struct lab_events *e);

#endif
