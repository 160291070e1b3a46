/* What computing waits for in a timeline, in a sentence. */
#include "page/figure.h"

#include <stdlib.h>

/* seconds of a wait that is worth a word */
static const double LEAST_WAIT = 1e-6;

static bool is_sent(const struct page_waits *r, const struct account_span *a) {
    return a->kind == ACCOUNT_SPAN_COMM && (r->all || a->phase == r->phase);
}

static enum account_collective_kind op_of(const struct page_waits *r,
                                          const struct account_span *a) {
    return r->traffic->collective[a->collective].op;
}

/* "24 ms for all-gather 1 of 41": counted among those of its kind that are shown, as they begin. */
static void put_wait(const struct page_waits *r, size_t at, struct base_text *out) {
    size_t number = 0, all = 0;
    for (size_t i = 0; i < r->spans; i++) {
        if (!is_sent(r, &r->span[i]) || op_of(r, &r->span[i]) != op_of(r, &r->span[at])) continue;
        all++;
        number += i <= at;
    }
    char *long_it = page_seconds(r->span[at].exposed);
    char *name = base_dup(account_collective_name(op_of(r, &r->span[at])));
    for (char *c = name; *c != '\0'; c++)
        if (*c == '_') *c = '-';
    base_text_printf(out, "%s for %s %zu of %zu", long_it, name, number, all);
    free(name);
    free(long_it);
}

/* The span of which most is exposed, of those that are shorter than the one before: equal ones as
 * they begin. The count of spans if there is none. */
static size_t next_wait(const struct page_waits *r, size_t before) {
    size_t best = r->spans;
    for (size_t i = 0; i < r->spans; i++) {
        const struct account_span *a = &r->span[i];
        if (!is_sent(r, a) || !(a->exposed > LEAST_WAIT)) continue;
        if (before < r->spans && (a->exposed > r->span[before].exposed ||
                                  (!(a->exposed < r->span[before].exposed) && i <= before)))
            continue;
        if (best == r->spans || a->exposed > r->span[best].exposed) best = i;
    }
    return best;
}

/* What computing waits for, and how long: the longest waits, then the number of the others. */
void page_say_waits(struct page *p, struct page_flow f, const struct page_waits *r) {
    enum { NAMED = 3 };
    struct base_text text = {0};
    size_t n = 0, at = r->spans, others = 0;
    while (n < NAMED && (at = next_wait(r, at)) < r->spans) {
        base_text_puts(&text, n++ ? ", " : "Compute waits ");
        put_wait(r, at, &text);
    }
    for (size_t i = 0; i < r->spans; i++)
        others += is_sent(r, &r->span[i]) && r->span[i].exposed > LEAST_WAIT;
    if (others > n) base_text_printf(&text, ", and for %zu more, none of them longer", others - n);
    if (n) page_say(p, f, "%s.", text.s);
    base_text_free(&text);
}
