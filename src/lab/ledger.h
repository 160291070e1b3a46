/* The ledger is the allocator: every byte that a rank holds is asked for here, under a category,
 * and given back here. The ledger keeps the peak of each category and of their sum, with the moment
 * of the peak. The categories are the engine's (account.h).
 *
 * What a rank keeps all the time is taken. What it uses for a part of a step only is a reservation:
 * its memory is reserved once, before the first step, because nothing may be allocated while
 * collectives run. It is counted while it is in use, from enter to leave. */
#ifndef LAB_LEDGER_H
#define LAB_LEDGER_H

#include "account/account.h"
#include "lab/options.h"

struct lab_device;
struct lab_comm;

/* A moment: "step 3, backward block 2". Formatted only when it is shown. */
enum lab_phase { LAB_AT_INIT, LAB_AT_FORWARD, LAB_AT_BACKWARD, LAB_AT_UPDATE };
struct lab_where {
    /* from 1; 0: before the first */
    uint32_t step;
    enum lab_phase phase;
    /* index of the model's unit; the number of units: the head; −1: none */
    int unit;
};
/* "backward block 2", "update", "init"; without the step. */
const char *lab_where_text(char *out, size_t size, const struct lab_where *w, uint32_t layers);

struct lab_refusal {
    enum account_category category;
    struct lab_where where;
    /* need: what the rank would hold with it; cap 0: the machine had no more */
    uint64_t need, cap;
};
struct lab_ledger {
    struct lab_device *device;
    struct lab_comm *comm;
    uint64_t cap;
    struct lab_where where;
    uint64_t now[ACCOUNT_CATEGORIES], total;
    /* each category's own highest */
    uint64_t peak[ACCOUNT_CATEGORIES];
    uint64_t peak_total, at_peak[ACCOUNT_CATEGORIES];
    struct lab_where peak_where;
    /* The highest sum since the moment began, by category. */
    uint64_t moment_total, at_moment[ACCOUNT_CATEGORIES];
    /* the last */
    struct lab_refusal refusal;
};
/* A moment begins: with what is held now. */
void lab_ledger_at(struct lab_ledger *l, struct lab_where where);
/* Where the memory lies: on the device; where peers read it; where transfers land; on the host, if
 * that is another place. */
enum lab_side { LAB_PRIVATE, LAB_SHARED, LAB_LANDING, LAB_HOST };
/* Zeroed memory, 64-byte aligned; the size is counted as asked. NULL where the cap or the machine
 * is exceeded: then nothing is counted, and `refusal` has the category, place, need and cap.
 * Not for hot paths. */
void *lab_ledger_take(struct lab_ledger *l, enum account_category c, enum lab_side side,
                      size_t bytes);
void lab_ledger_give(struct lab_ledger *l, enum account_category c, enum lab_side side,
                     void *memory, size_t bytes);

struct lab_reservation {
    /* what is in it is lost from leave to enter */
    void *memory;
    size_t bytes;
    enum account_category category;
    enum lab_side side;
    bool used;
};
/* Memory for it, not counted yet; zero bytes are none. False where the machine has no more. */
bool lab_reservation_make(struct lab_ledger *l, struct lab_reservation *r, enum account_category c,
                          enum lab_side side, size_t bytes);
/* Counts it from here. False if it exceeds the cap. Entering a reservation that is in use changes
 * nothing. */
bool lab_reservation_enter(struct lab_ledger *l, struct lab_reservation *r);
void lab_reservation_leave(struct lab_ledger *l, struct lab_reservation *r);
void lab_reservation_free(struct lab_ledger *l, struct lab_reservation *r);

#endif
