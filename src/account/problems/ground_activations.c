/* Activations as products. The engine's formulas stay in one place: what grows with s, with s², and what tensor parallelism leaves
 * whole is found by asking them at s and at 2s, with t and without; so "34 B × s × b × h" needs no second table of coefficients. */
#include "account/problems/products.h"
#include "account/problems/grounds.h"

#include <math.h>

/* A count of bytes of `struct account_activations`, and what it is made of. */
enum what { KEPT, WORKING, EMBEDDING, HEAD, LOGITS };

static double take(const struct account_activations *a, enum what what) {
    switch (what) {
    case KEPT: return (double)a->kept;
    case WORKING: return (double)a->working;
    case EMBEDDING: return (double)a->embedding;
    case HEAD: return (double)a->head;
    case LOGITS: return (double)a->logits;
    }
    return 0;
}

/* Activations with the training, at twice the sequence, and without tensor parallelism. */
struct asked {
    struct account_activations once, twice, alone, alone_twice;
};

static bool ask(const struct account_training *t, struct asked *out, struct account_error *e) {
    struct account_training longer = *t, alone = *t;
    longer.seq *= 2;
    alone.gpus /= t->tp ? t->tp : 1;
    alone.gpus_per_node = 0;
    alone.tp = 1;
    alone.sp = false;
    struct account_training alone_longer = alone;
    alone_longer.seq *= 2;
    return account_activations(t, &out->once, e) && account_activations(&longer, &out->twice, e) &&
           account_activations(&alone, &out->alone, e) &&
           account_activations(&alone_longer, &out->alone_twice, e);
}

struct parts {                   /* of a count of bytes */
    double whole, split, scores; /* ∝ s and not divided by t; ∝ s and divided; ∝ s² */
};

static struct parts parts_of(const struct asked *a, enum what what, uint32_t tp) {
    double once = take(&a->once, what), twice = take(&a->twice, what),
           alone = take(&a->alone, what), alone_twice = take(&a->alone_twice, what);
    struct parts p = {.scores = (twice - 2 * once) / 2};
    double linear = once - p.scores, linear_alone = alone - (alone_twice - 2 * alone) / 2;
    if (tp > 1) p.whole = (linear * tp - linear_alone) / (tp - 1);
    if (p.scores < 1e-6 * once) p.scores = 0;
    if (p.whole < 1e-4 * linear) p.whole = 0;
    p.split = linear - p.whole;
    return p;
}

/* ── products ────────────────────────────────────────────────────────────────────────────────────*/

static void add_tokens(struct account_product *p, const struct account_training *t) {
    account_factor(p, ACCOUNT_SEQ, ACCOUNT_NUMBER, t->seq, 0);
    account_factor(p, ACCOUNT_BATCH, ACCOUNT_NUMBER, t->batch, 0);
}

/* How often it is there: layers of this rank, micro-batches in the pipeline. */
struct times {
    double layers, flight;
};

static void finish(struct account_product *p, struct times n, double value) {
    account_residual(p, value, ACCOUNT_WIDTH, ACCOUNT_BYTES);
    account_factor(p, ACCOUNT_LAYERS, ACCOUNT_NUMBER, n.layers, 0);
    account_factor(p, ACCOUNT_FLIGHT, ACCOUNT_NUMBER, n.flight, 0);
    account_settle(p, value * n.layers * n.flight, ACCOUNT_GIVEN);
}

static void put_linear(struct account_products *s, const struct account_training *t, const char *id,
                       const char *label, uint32_t sort, struct times n, double value,
                       double divisor) {
    struct account_product *p = value > 0 ? account_product(s, id, label, sort) : NULL;
    if (!p) return;
    add_tokens(p, t);
    account_factor(p, ACCOUNT_HIDDEN, ACCOUNT_NUMBER, t->shape.hidden, 0);
    account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, divisor, 0);
    account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, t->cp ? t->cp : 1, 0);
    finish(p, n, value);
}

/* Korthikanti et al., arXiv:2205.05198, section 4.1: 5 a s² b bytes of scores and their dropout. */
static void put_scores(struct account_products *s, const struct account_training *t, uint32_t sort,
                       struct times n, double value, const char *id, const char *label) {
    struct account_product *p = value > 0 ? account_product(s, id, label, sort) : NULL;
    if (!p) return;
    account_factor(p, ACCOUNT_HEADS, ACCOUNT_NUMBER, t->shape.heads, 0);
    add_tokens(p, t);
    account_factor(p, ACCOUNT_SEQ_AGAIN, ACCOUNT_NUMBER, t->seq, 0);
    account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, t->tp ? t->tp : 1, 0);
    account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, t->cp ? t->cp : 1, 0);
    finish(p, n, value);
}

/* The working set and the head grow with s as well: what layers keep is called by what it is. */
static const char *name_of_kept(const struct account_training *t, uint32_t tp) {
    if (tp > 1) return "what t divides";
    return t->checkpoint == ACCOUNT_FULL ? "the layers' inputs" : "all but the scores";
}

static void put_layers(struct account_products *s, const struct account_training *t,
                       const struct asked *a, struct times n) {
    uint32_t tp = t->tp ? t->tp : 1;
    struct parts parts = parts_of(a, KEPT, tp);
    put_linear(s, t, "whole", "what t leaves whole", ACCOUNT_OF_TOKENS | ACCOUNT_OF_WHOLE, n,
               parts.whole, 1);
    put_linear(s, t, "tokens", name_of_kept(t, tp), ACCOUNT_OF_TOKENS, n, parts.split, tp);
    put_scores(s, t, ACCOUNT_OF_SCORES, n, parts.scores, "scores", "attention scores");
}

static void put_working(struct account_products *s, const struct account_training *t,
                        const struct asked *a) {
    struct times once = {1, 1};
    struct parts parts = parts_of(a, WORKING, t->tp ? t->tp : 1);
    put_linear(s, t, "working", "one layer recomputed", ACCOUNT_OF_WORKING, once,
               parts.whole + parts.split, 1);
    put_scores(s, t, ACCOUNT_OF_WORKING | ACCOUNT_OF_SCORES, once, parts.scores, "working-scores",
               "and its attention scores");
}

static void put_logits(struct account_products *s, const struct account_training *t, double value) {
    struct account_product *p =
        value > 0 ? account_product(s, "logits", "logits", ACCOUNT_OF_LOGITS) : NULL;
    if (!p) return;
    add_tokens(p, t);
    account_factor(p, ACCOUNT_VOCAB, ACCOUNT_NUMBER, t->shape.vocab, 0);
    account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, t->tp ? t->tp : 1, 0);
    account_factor(p, ACCOUNT_SPLIT, ACCOUNT_DIVISOR, t->cp ? t->cp : 1, 0);
    finish(p, (struct times){1, 1}, value);
}

static void put_ends(struct account_products *s, const struct account_training *t,
                     const struct account_activations *a) {
    struct times once = {1, 1};
    put_linear(s, t, "embedding", "behind the embedding", ACCOUNT_OF_BUFFERS, once,
               (double)a->embedding, 1);
    put_linear(s, t, "head", "last norm and head", ACCOUNT_OF_BUFFERS, once, (double)a->head, 1);
}

bool account_ground_activations(const struct account_problem *p, struct account_grounds *g,
                                struct account_error *e) {
    const struct account_training *t = &p->training;
    struct account_products *s = &g->products;
    struct asked a;
    if (t->batch == 0 || t->seq == 0)
        return account_fail(e, 0, "batch, seq: how many sequences, of how many tokens? Give both");
    if (!ask(t, &a, e)) return false;
    double layers = a.once.kept > 0 && a.once.in_flight > 0
                        ? (double)a.once.layers / (double)a.once.kept / a.once.in_flight
                        : 0;
    struct times all = {layers, a.once.in_flight}, once = {1, 1};
    bool everything = p->piece == ACCOUNT_PIECE_ALL;
    if (p->piece == ACCOUNT_PIECE_LAYER) put_layers(s, t, &a, once);
    if (everything || p->piece == ACCOUNT_PIECE_LAYERS) put_layers(s, t, &a, all);
    if (everything || p->piece == ACCOUNT_PIECE_WORKING) put_working(s, t, &a);
    if (everything) put_ends(s, t, &a.once);
    if (everything || p->piece == ACCOUNT_PIECE_LOGITS) put_logits(s, t, (double)a.once.logits);
    return s->count > 0 ||
           account_fail(e, 0, "quantity: this training keeps nothing of what is asked");
}
