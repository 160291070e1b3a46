#include "script/drawn.h"

#include <stdlib.h>

/* Some hundred ways through each function of a lesson. */
enum { NODES_MOST = 1 << 15, SLOTS = 2 * NODES_MOST };

/* One place on the ways through the functions. */
struct node {
    /* what is asked for next: a number from 1 to n. 0: nothing is, and this is what it gave */
    uint64_t n;
    json_t *value;
};
/* Which place follows from a number that was drawn. */
struct edge {
    uint32_t from, to;
    uint64_t drawn;
};
struct script_drawn {
    /* the first is where all functions begin; their numbers lead on from it */
    struct node *node;
    size_t nodes;
    /* a table by hash; `to` is 0 in a slot that is free */
    struct edge edge[SLOTS];
    /* a function gave two things for the same numbers, or did not only draw from its seed, so
     * nothing that was learned is told */
    bool differs;
};

uint64_t script_draw(uint64_t *state, uint64_t n) {
    uint64_t most = UINT64_MAX - UINT64_MAX % n, x; /* whole multiples of n only */
    do x = base_random(state);
    while (x >= most);
    return x % n + 1;
}

struct script_drawn *script_drawn_new(void) {
    struct script_drawn *d = base_alloc(sizeof *d);
    d->node = base_grow(NULL, 1, sizeof *d->node);
    d->node[0] = (struct node){0};
    d->nodes = 1;
    return d;
}

void script_drawn_free(struct script_drawn *d) {
    for (size_t i = 0; d && i < d->nodes; i++) json_decref(d->node[i].value);
    if (d) free(d->node);
    free(d);
}

/* Where this edge is, or the free slot for it. There are twice as many slots as nodes. */
static size_t slot_of(const struct script_drawn *d, uint32_t from, uint64_t drawn) {
    uint64_t state = drawn ^ (uint64_t)from << 32;
    size_t i = (size_t)base_random(&state) % SLOTS;
    while (d->edge[i].to && (d->edge[i].from != from || d->edge[i].drawn != drawn))
        i = (i + 1) % SLOTS;
    return i;
}

json_t *script_drawn_find(const struct script_drawn *d, int fn, uint64_t seed) {
    uint32_t at = d->edge[slot_of(d, 0, (uint64_t)fn)].to;
    while (at && d->node[at].n) at = d->edge[slot_of(d, at, script_draw(&seed, d->node[at].n))].to;
    return at && !d->differs ? d->node[at].value : NULL;
}

/* The place that follows; 0 if no more fit. */
static uint32_t follow(struct script_drawn *d, uint32_t from, uint64_t drawn) {
    struct edge *e = &d->edge[slot_of(d, from, drawn)];
    if (!e->to && d->nodes == NODES_MOST) return 0;
    if (!e->to) {
        d->node = base_grow(d->node, d->nodes + 1, sizeof *d->node);
        d->node[d->nodes] = (struct node){0};
        *e = (struct edge){.from = from, .to = (uint32_t)d->nodes++, .drawn = drawn};
    }
    return e->to;
}

void script_drawn_learn(struct script_drawn *d, int fn, uint64_t seed, const json_t *draws,
                        json_t *value) {
    uint32_t at = follow(d, 0, (uint64_t)fn);
    json_t *draw;
    size_t i;
    d->differs = d->differs || !draws;
    json_array_foreach(draws, i, draw) {
        struct node *node = &d->node[at];
        json_int_t n = json_integer_value(draw);
        if (!at || n <= 0) return;
        d->differs = d->differs || node->value || (node->n && node->n != (uint64_t)n);
        node->n = (uint64_t)n;
        at = follow(d, at, script_draw(&seed, (uint64_t)n));
    }
    if (!at || !draws) return;
    struct node *end = &d->node[at];
    d->differs = d->differs || end->n || (end->value && !json_equal(end->value, value));
    if (!end->value) end->value = json_incref(value);
}
