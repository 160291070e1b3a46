/* The ledger is the allocator: every byte a rank holds is asked for here, under a category, and given back here. Peaks are kept by
 * category and in total, with the moment. The categories are the engine's (account.h). */
#ifndef LAB_LEDGER_H
#define LAB_LEDGER_H

#include "account/account.h"
#include "lab/options.h"

struct lab_device;
struct lab_comm;

/* A moment: "step 3, backward block 2". Formatted only when it is shown. */
enum lab_phase { LAB_AT_INIT, LAB_AT_FORWARD, LAB_AT_BACKWARD, LAB_AT_UPDATE };
struct lab_where {
    uint32_t step;
    enum lab_phase phase;
    int unit; /* index of the model's unit; −1: none */
};
struct lab_ledger {
    struct lab_device *device;
    struct lab_comm *comm;
    uint64_t cap;
    struct lab_where where;
    uint64_t now[ACCOUNT_CATEGORIES], total;
    uint64_t peak[ACCOUNT_CATEGORIES]; /* each category's own highest */
    uint64_t peak_total, at_peak[ACCOUNT_CATEGORIES];
    struct lab_where peak_where;
};
/* Where the memory lies: peers read what is shared. */
enum lab_side { LAB_PRIVATE, LAB_SHARED };
/* Zeroed memory, 64-byte aligned; the size is counted as asked. NULL where the cap or the machine is exceeded: then `ledger` is unchanged
 * and lab_ledger_failure() says category, place, need, cap. Not for hot paths: a step's buffers are asked for once and reused. */
void *lab_ledger_take(struct lab_ledger *l, enum account_category c, enum lab_side side, size_t bytes);
void lab_ledger_give(struct lab_ledger *l, enum account_category c, enum lab_side side, void *memory, size_t bytes);
/* "out of memory … " of the last refusal. */
const struct lab_refusal {
    enum account_category category;
    struct lab_where where;
    uint64_t need, cap;
} *lab_ledger_refusal(const struct lab_ledger *l);

#endif
