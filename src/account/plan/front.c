/* The front of a search: the fastest plan of each simplicity. It is kept apart from the rows, which
 * may be too few to hold the one to do. */
#include "account/plan/search.h"

#include <assert.h>
#include <string.h>

static void remove_at(struct account_front *f, size_t i) {
    f->count--;
    memmove(&f->plan[i], &f->plan[i + 1], (f->count - i) * sizeof *f->plan);
}

static void insert_at(struct account_front *f, size_t i, const struct account_plan *p) {
    memmove(&f->plan[i + 1], &f->plan[i], (f->count - i) * sizeof *f->plan);
    f->plan[i] = *p;
    f->count++;
}

/* Whether b is more to set up than a, and faster: as any two neighbours are. */
static bool is_between(const struct account_plan *a, const struct account_plan *b) {
    return a->measured.burden < b->measured.burden && a->measured.seconds > b->measured.seconds;
}

void account_front_add(struct account_front *f, const struct account_plan *p) {
    uint32_t burden = p->measured.burden;
    size_t at = 0;
    while (at < f->count && f->plan[at].measured.burden <= burden)
        if (f->plan[at++].measured.seconds <= p->measured.seconds) return;
    if (at > 0 && f->plan[at - 1].measured.burden == burden) remove_at(f, --at);
    while (at < f->count && f->plan[at].measured.seconds >= p->measured.seconds) remove_at(f, at);
    if (f->count == ACCOUNT_FRONT) {
        if (at == 0) return; /* it is the slowest itself */
        remove_at(f, 0);
        at--;
    }
    insert_at(f, at, p);
    assert(at == 0 || is_between(&f->plan[at - 1], p));
    assert(at + 1 == f->count || is_between(p, &f->plan[at + 1]));
}

const struct account_plan *account_front_simplest(const struct account_front *f) {
    for (size_t i = 0; i < f->count; i++)
        if (f->plan[i].measured.seconds <= ACCOUNT_AS_FAST * f->plan[f->count - 1].measured.seconds)
            return &f->plan[i];
    return NULL;
}
