/* The ledger: bytes by category, peaks with their moment, the cap. */
#include "lab/ledger.h"

#include "lab/comm.h"
#include "lab/device.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void keep_moment(struct lab_ledger *l) {
    l->moment_total = l->total;
    memcpy(l->at_moment, l->now, sizeof l->at_moment);
}

void lab_ledger_at(struct lab_ledger *l, struct lab_where where) {
    l->where = where;
    keep_moment(l);
}

static void count(struct lab_ledger *l, enum account_category c, size_t bytes) {
    l->now[c] += bytes;
    l->total += bytes;
    if (l->now[c] > l->peak[c]) l->peak[c] = l->now[c];
    if (l->total > l->moment_total) keep_moment(l);
    if (l->total <= l->peak_total) return;
    l->peak_total = l->total;
    l->peak_where = l->where;
    memcpy(l->at_peak, l->now, sizeof l->at_peak);
}

static void uncount(struct lab_ledger *l, enum account_category c, size_t bytes) {
    assert(l->now[c] >= bytes && l->total >= bytes);
    l->now[c] -= bytes;
    l->total -= bytes;
}

static void refuse(struct lab_ledger *l, enum account_category c, size_t bytes, uint64_t cap) {
    l->refusal = (struct lab_refusal){c, l->where, l->total + bytes, cap};
}

static bool fits(struct lab_ledger *l, enum account_category c, size_t bytes) {
    if (l->cap == 0 || l->total + bytes <= l->cap) return true;
    refuse(l, c, bytes, l->cap);
    return false;
}

/* Whether it is the comm's memory. */
static bool of_comm(const struct lab_ledger *l, enum lab_side side) {
    return side == LAB_SHARED || (side == LAB_LANDING && l->comm->row->lands);
}
static void *reach(struct lab_ledger *l, enum lab_side side, size_t bytes) {
    void *memory = NULL;
    if (side == LAB_HOST) return calloc(1, bytes);
    if (of_comm(l, side)) return l->comm->row->alloc(l->comm, bytes);
    return l->device->row->alloc(l->device, &memory, bytes) ? memory : NULL;
}

static void let_go(struct lab_ledger *l, enum lab_side side, void *memory, size_t bytes) {
    if (side == LAB_HOST)
        free(memory);
    else if (of_comm(l, side))
        l->comm->row->free(l->comm, memory, bytes);
    else
        l->device->row->free(l->device, memory, bytes);
}

void *lab_ledger_take(struct lab_ledger *l, enum account_category c, enum lab_side side,
                      size_t bytes) {
    if (!fits(l, c, bytes)) return NULL;
    void *memory = reach(l, side, bytes);
    if (!memory) {
        refuse(l, c, bytes, 0);
        return NULL;
    }
    count(l, c, bytes);
    return memory;
}

void lab_ledger_give(struct lab_ledger *l, enum account_category c, enum lab_side side,
                     void *memory, size_t bytes) {
    if (!memory) return;
    let_go(l, side, memory, bytes);
    uncount(l, c, bytes);
}

/* ── reservations ── */

bool lab_reservation_make(struct lab_ledger *l, struct lab_reservation *r, enum account_category c,
                          enum lab_side side, size_t bytes) {
    *r = (struct lab_reservation){.bytes = bytes, .category = c, .side = side};
    if (bytes == 0) return true;
    r->memory = reach(l, side, bytes);
    if (!r->memory) refuse(l, c, bytes, 0);
    return r->memory != NULL;
}

bool lab_reservation_enter(struct lab_ledger *l, struct lab_reservation *r) {
    if (r->used) return true;
    if (!fits(l, r->category, r->bytes)) return false;
    count(l, r->category, r->bytes);
    r->used = true;
    return true;
}

void lab_reservation_leave(struct lab_ledger *l, struct lab_reservation *r) {
    if (!r->used) return;
    uncount(l, r->category, r->bytes);
    r->used = false;
}

void lab_reservation_free(struct lab_ledger *l, struct lab_reservation *r) {
    lab_reservation_leave(l, r);
    if (r->memory) let_go(l, r->side, r->memory, r->bytes);
    *r = (struct lab_reservation){0};
}

/* ── a moment in words: units are numbered as the model numbers them, so the words need no model
 * ── */

static void unit_text(char *out, size_t size, int unit, uint32_t layers) {
    uint32_t u = (uint32_t)unit;
    if (unit == 0)
        (void)snprintf(out, size, " embeddings");
    else if (u <= layers)
        (void)snprintf(out, size, " block %u", u - 1);
    else
        (void)snprintf(out, size, u == layers + 1 ? " last norm" : " head");
}

const char *lab_where_text(char *out, size_t size, const struct lab_where *w, uint32_t layers) {
    static const char *const phases[] = {"init", "forward", "backward", "update"};
    char unit[24] = "";
    if (w->unit >= 0) unit_text(unit, sizeof unit, w->unit, layers);
    (void)snprintf(out, size, "%s%s", phases[w->phase], unit);
    return out;
}
