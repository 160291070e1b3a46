/* What of the model lies on one rank: the tensors of its pipeline stage, divided by tensor and
 * expert parallelism. */
#include "account/training/resolved.h"

#include <assert.h>

/* How many units of a place are on a pipeline stage. Tied embeddings stand on the first and, as the
 * head, on the last. */
static uint32_t units(const struct account_resolved *r, uint32_t stage, enum account_place place) {
    uint32_t p = r->pp, layers = r->shape.layers;
    bool first = stage == 0, last = stage + 1 == p;
    switch (place) {
    case ACCOUNT_IN_EMBEDDING: return first;
    case ACCOUNT_IN_BLOCK: return layers / p + (stage < layers % p);
    case ACCOUNT_IN_NORM:
    case ACCOUNT_IN_HEAD: return last;
    case ACCOUNT_PLACES: break;
    }
    return 0;
}

static uint64_t rows_here(const struct account_resolved *r, const struct account_tensor *x) {
    return x->split ? account_ceil_div(x->rows, r->tp) : x->rows;
}

/* Copies of a tensor in one unit: of the experts, those that this rank holds. */
static uint64_t copies_here(const struct account_resolved *r, const struct account_tensor *x) {
    return x->expert ? account_ceil_div(x->copies, r->ep) : x->copies;
}

static void add_part(struct account_share *out, uint64_t elements, uint64_t row, uint64_t times) {
    if (elements == 0 || times == 0) return;
    assert(out->parts < ACCOUNT_PARTS); /* else parameters of the shape were lost */
    out->params += elements * times;
    out->part[out->parts++] =
        (struct account_part){.elements = elements, .row = row, .times = (uint32_t)times};
}

/* Whether the parts add up to the sum. */
static bool adds_up(const struct account_share *s) {
    uint64_t sum = 0;
    for (size_t i = 0; i < s->parts; i++) sum += s->part[i].elements * s->part[i].times;
    return sum == s->params;
}

static void flatten(struct account_share *s) {
    s->parts = s->params > 0;
    s->part[0] = (struct account_part){.elements = s->params, .row = 1, .times = 1};
}

static bool wanted(const struct account_resolved *r, const struct account_tensor *x,
                   enum account_which which) {
    bool apart = x->expert && r->ep > 1;
    return apart == (which == ACCOUNT_EXPERTS);
}

static uint64_t unit_elements(const struct account_resolved *r, enum account_place place,
                              enum account_which which) {
    uint64_t sum = 0;
    for (size_t i = 0; i < r->tensors; i++) {
        const struct account_tensor *x = &r->tensor[i];
        if (x->place == place && wanted(r, x, which))
            sum += rows_here(r, x) * x->columns * copies_here(r, x);
    }
    return sum;
}

static void add_units(const struct account_resolved *r, uint32_t stage, enum account_which which,
                      struct account_share *out) {
    for (int place = 0; place < ACCOUNT_PLACES; place++)
        add_part(out, unit_elements(r, (enum account_place)place, which), 1,
                 units(r, stage, (enum account_place)place));
}

static void add_tensors(const struct account_resolved *r, uint32_t stage, enum account_which which,
                        struct account_share *out) {
    for (size_t i = 0; i < r->tensors; i++) {
        const struct account_tensor *x = &r->tensor[i];
        if (wanted(r, x, which))
            add_part(out, rows_here(r, x) * x->columns, x->columns,
                     copies_here(r, x) * units(r, stage, x->place));
    }
}

/* A tied head is listed nowhere; the last of several pipeline stages holds its own copy of the
 * embedding for it. */
static void add_tied_copy(const struct account_resolved *r, uint32_t stage,
                          struct account_share *out) {
    const struct account_shape *s = &r->held;
    uint32_t p = r->pp;
    if (s->tied && p > 1 && stage + 1 == p)
        add_part(out, account_ceil_div(s->vocab, r->tp) * s->hidden, s->hidden, 1);
}

/* Ψ / (tp · pp), or where Ψ differs from what the shape counts, the shape's part of it. */
static void share_of_count(const struct account_resolved *r, uint64_t counted,
                           struct account_share *s) {
    uint64_t parts = (uint64_t)r->tp * r->pp;
    s->params = counted ? (uint64_t)(((account_sum)s->params * r->params + counted - 1) / counted)
                        : account_ceil_div(r->params, parts);
    flatten(s);
}

/* One rank's model is the model: nothing but the data is divided. */
static bool is_whole(const struct account_resolved *r) {
    return r->tp * r->pp * r->ep == 1 && r->recipe->vocab_multiple == 0;
}

void account_share(const struct account_resolved *r, uint32_t stage, enum account_which which,
                   enum account_pad pad, struct account_share *out) {
    *out = (struct account_share){0};
    if (which == ACCOUNT_EXPERTS && r->ep == 1) return;
    if (pad == ACCOUNT_PAD_FLAT && is_whole(r)) {
        add_part(out, r->params, 1, 1);
        return;
    }
    if (r->tensors == 0) {
        if (which == ACCOUNT_DENSE) share_of_count(r, 0, out);
        return;
    }
    bool exact = r->counted == r->params;
    if (exact && (pad == ACCOUNT_PAD_TENSOR || pad == ACCOUNT_PAD_ROWS))
        add_tensors(r, stage, which, out);
    else
        add_units(r, stage, which, out);
    if (which == ACCOUNT_DENSE) add_tied_copy(r, stage, out);
    if (!exact)
        share_of_count(r, r->counted, out);
    else if (pad == ACCOUNT_PAD_FLAT)
        flatten(out);
    assert(adds_up(out));
}

void account_share_of_root(const struct account_resolved *r, enum account_pad pad,
                           struct account_share *out) {
    struct account_resolved bare = *r;
    bare.shape.layers = bare.held.layers = 0;
    bare.params = bare.counted = account_count_params(&bare.shape);
    account_share(&bare, 0, ACCOUNT_DENSE, pad, out);
}

/* ── units ─────────────────────────────────────────────────────────────────────────────────────*/

void account_shard_units(const struct account_resolved *r, struct account_shard_units *out) {
    uint64_t sum[ACCOUNT_PLACES] = {0};
    for (size_t i = 0; i < r->tensors; i++) {
        const struct account_tensor *x = &r->tensor[i];
        sum[x->place] += rows_here(r, x) * x->columns * copies_here(r, x);
    }
    *out = (struct account_shard_units){0};
    for (int place = 0; place < ACCOUNT_PLACES; place++) {
        if (units(r, 0, (enum account_place)place) == 0) continue;
        if (place == ACCOUNT_IN_BLOCK)
            out->block = sum[place];
        else
            out->root += sum[place];
        out->largest = account_most(out->largest, sum[place]);
    }
}

bool account_share_is_flat(const struct account_resolved *r, enum account_pad pad) {
    return pad == ACCOUNT_PAD_FLAT && is_whole(r);
}

/* Where Ψ differs from what the shape counts, its part of them. */
uint64_t account_linear_params(const struct account_resolved *r, uint32_t stage, bool experts) {
    uint64_t sum = 0;
    for (size_t i = 0; i < r->tensors; i++) {
        const struct account_tensor *x = &r->tensor[i];
        if (x->linear && wanted(r, x, experts ? ACCOUNT_EXPERTS : ACCOUNT_DENSE))
            sum += rows_here(r, x) * x->columns * copies_here(r, x) * units(r, stage, x->place);
    }
    return r->counted ? (uint64_t)((account_sum)sum * r->params / r->counted) : 0;
}
