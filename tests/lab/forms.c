#include "forms.h"

#include <stdio.h>

/* Bytes; names as in the lab's notes. */
struct sizes {
    /* shards: elements of one rank */
    uint64_t ranks, layers, rows, e, shards;
    /* whole units, padded */
    uint64_t embeddings, block;
    uint64_t kept, working, head, logits,
        /* activations; hidden: a token's worth of width, all rows */
        hidden;
    uint64_t tokens, scratch, staging;
    uint64_t params, master, states;
};

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
static uint64_t up(uint64_t n, uint64_t ranks) {
    return (n + ranks - 1) / ranks;
}

static void set_activations(const struct lab_options *o, struct sizes *z) {
    uint64_t scores = z->e * o->shape.heads * o->shape.seq * z->rows;
    uint64_t all = 16 * z->hidden + scores, kept = all;
    if (o->checkpoint == LAB_SELECTIVE) kept = all - 6 * z->hidden - scores;
    if (o->checkpoint == LAB_FULL) kept = z->hidden;
    z->kept = kept;
    z->working = all - kept;
    z->head = 2 * z->hidden;
    z->logits = 4ull * o->shape.vocab * z->rows;
    z->tokens = 8 * z->rows;
    z->scratch = 5 * z->hidden;
}

/* Units in backward's order: last norm, blocks, embeddings. How many buckets of `row` elements a
 * rank they make. */
static uint64_t buckets(const struct lab_options *o, const uint64_t *shard, uint64_t row) {
    uint64_t count = 0, fill = 0;
    for (uint64_t i = 0; i < o->shape.layers + 2ull; i++) {
        uint64_t n = shard[i == 0 ? 2 : i <= o->shape.layers ? 1 : 0];
        if (count && fill + n <= row) {
            fill += n;
            continue;
        }
        count += up(n, row);
        fill = n % row ? n % row : row;
    }
    return count;
}

static void set_states(const struct lab_options *o, struct sizes *z) {
    uint64_t c = o->shape.width, n = z->ranks;
    uint64_t count[3] = {(o->shape.vocab + (uint64_t)o->shape.seq) * c, 12 * c * c + 13 * c, 2 * c};
    uint64_t shard[3] = {up(count[0], n), up(count[1], n), up(count[2], n)};
    z->shards = shard[0] + o->shape.layers * shard[1] + shard[2];
    z->embeddings = n * shard[0] * z->e;
    z->block = n * shard[1] * z->e;
    uint64_t whole = z->shards * n, own = z->shards, mixed = z->e == 2;
    z->params = z->e * (o->stage < 3 ? whole : own);
    z->master = mixed * 4 * (o->stage < 1 ? whole : own);
    z->states = z->params + z->master + 8 * (o->stage < 1 ? whole : own) +
                z->e * (o->stage < 2 ? whole : own);
    uint64_t row = o->bucket / (n * z->e);
    row = least(row ? row : 1, z->shards);
    if (n > 1) z->staging = n * z->e * row * least(2, buckets(o, shard, row));
}

/* Gathered units when place i of a micro-step's order is at work: 0 lookup, 1 … L blocks, L + 1
 * norm, L + 2 head, then back. */
static uint64_t gathered(const struct lab_options *o, const struct sizes *z, uint64_t i) {
    uint64_t sum = 0, length = 2 * z->layers + 4;
    if (o->stage < 3 || o->ranks == 1) return 0;
    for (uint64_t k = i; k <= i + o->prefetch && k < length; k++)
        sum += k == 0 || k == z->layers + 2 ? z->embeddings : z->block;
    return sum;
}

static void rise(struct form *f, uint64_t total, enum lab_phase phase, uint64_t unit) {
    if (total <= f->total) return;
    *f = (struct form){total, {1, phase, (int)unit}};
}

struct form forms_peak(const struct lab_options *o) {
    struct sizes z = {.ranks = o->ranks, .layers = o->shape.layers};
    struct form f = {0};
    z.rows = (uint64_t)o->batch * o->shape.seq;
    z.e = lab_dtype_bytes(o->compute);
    z.hidden = z.e * o->shape.width * z.rows;
    set_activations(o, &z);
    set_states(o, &z);
    uint64_t l = z.layers, base = z.states + z.tokens, whole = l * z.kept;
    bool units = o->stage >= 2 && o->ranks > 1;
    uint64_t embeddings = units ? z.embeddings : 0, block = units ? z.block : 0;
    rise(&f, z.params + z.master + 32768, LAB_AT_INIT, 0);
    rise(&f, base + z.kept + gathered(o, &z, 0), LAB_AT_FORWARD, 0);
    for (uint64_t u = 1; u <= l; u++) {
        uint64_t held = u < l ? (u + 1) * z.kept : whole + z.head;
        rise(&f, base + held + z.working + gathered(o, &z, u), LAB_AT_FORWARD, u);
    }
    rise(&f, base + whole + z.head + gathered(o, &z, l + 1), LAB_AT_FORWARD, l + 1);
    uint64_t at_head = base + whole + z.head + z.logits + gathered(o, &z, l + 2);
    rise(&f, at_head, LAB_AT_FORWARD, l + 2);
    rise(&f, at_head + z.hidden + embeddings, LAB_AT_BACKWARD, l + 2);
    base += z.hidden + embeddings + block;
    uint64_t at_norm = base + whole + z.head;
    rise(&f, at_norm + gathered(o, &z, l + 3), LAB_AT_BACKWARD, l + 1);
    rise(&f, at_norm + z.staging + gathered(o, &z, l + 3) - (gathered(o, &z, l + 3) ? z.block : 0),
         LAB_AT_BACKWARD, l + 1);
    rise(&f, base + whole + z.working + z.scratch + z.staging + gathered(o, &z, l + 4),
         LAB_AT_BACKWARD, l);
    return f;
}
