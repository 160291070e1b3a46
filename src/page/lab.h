/* Inside page: what the figures of the lab share. Their specs hold one run, or two to be compared. */
#ifndef PAGE_LAB_H
#define PAGE_LAB_H

#include "page/figure.h"

enum { LAB_RUNS = 2, LAB_GAP = 2, LAB_NARROW = 64 };

/* The runs of a spec; false with the message filled if there are none, more than two, or one is no object. */
bool page_lab_runs(const json_t *spec, const json_t *run[LAB_RUNS], size_t *count,
                   struct base_message *m);
/* Bytes of a member: 0 if it is no number or less than 0. */
uint64_t page_lab_bytes(const json_t *object, const char *key);
/* Bytes by category; returns their sum. */
uint64_t page_lab_weights(const json_t *object, uint64_t bytes[ACCOUNT_CATEGORIES]);
/* "0 B", "+18.4 KB", "−3 B": the difference between what was measured and what was predicted. Returns `out`. */
const char *page_lab_difference(char out[static 32], uint64_t measured, uint64_t predicted);
/* The role of a difference: none is good, one of more than 2 % is bad. */
unsigned page_lab_verdict(uint64_t measured, uint64_t predicted);
/* "rank 3", "ranks 4–63". Returns `out`. */
const char *page_lab_ranks(char out[static 32], uint32_t first, uint32_t last);

#endif
