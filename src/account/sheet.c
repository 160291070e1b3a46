#include "account/sheet.h"

static uint64_t ceil_div(uint64_t a, uint64_t b) {
    return a / b + (a % b != 0);
}

/* ceil(n / N) elements on every rank, rounded up to the recipe's alignment; the padding lies at the end and is counted. */
static uint64_t shard(const struct account_sheet *s, uint64_t elements) {
    return ceil_div(elements, (uint64_t)s->ranks * s->align) * s->align;
}

/* Moments come from the optimizer, everything else from the precision. */
static struct account_term term_of(const struct account_training *t,
                                   const struct account_copy *copy) {
    const struct account_optimizer *o = account_optimizer_of(t);
    uint8_t bytes = account_precision_of(t)->bytes[copy->dtype];
    struct account_term term = {.category = copy->category,
                                .elements = t->params,
                                .follows = true,
                                .bytes = bytes,
                                .sharded = t->stage >= copy->sharded_from};
    if (copy->dtype != ACCOUNT_AS_MOMENT) return term;
    uint32_t each = o->moment_bytes ? o->moment_bytes : bytes;
    term.bytes = o->factored ? each : o->moments * each;
    term.block = o->block;
    term.block_bytes = o->block ? o->moments * 4u : 0;
    if (o->factored) {
        term.elements = account_factored_elements(&t->shape);
        term.follows = false;
    }
    return term;
}

void account_sheet(const struct account_training *t, struct account_sheet *out) {
    const struct account_recipe *r = account_recipe_of(t);
    *out = (struct account_sheet){
        .params = t->params, .ranks = t->gpus ? t->gpus : 1, .align = r->align};
    for (size_t i = 0; i < r->copies; i++) {
        struct account_term term = term_of(t, &r->copy[i]);
        if (term.bytes > 0) out->term[out->terms++] = term;
    }
}

static uint64_t held(const struct account_term *term, uint64_t elements) {
    uint64_t blocks = term->block ? ceil_div(elements, term->block) : 0;
    return elements * term->bytes + blocks * term->block_bytes;
}

uint64_t account_term_bytes(const struct account_sheet *s, const struct account_term *term) {
    return held(term, term->sharded ? shard(s, term->elements) : term->elements);
}

/* Rank r owns elements [r·shard, (r+1)·shard), so what the last one lacks is what lies before its own of the whole. */
uint64_t account_term_padding(const struct account_sheet *s, const struct account_term *term) {
    if (!term->sharded) return 0;
    uint64_t size = shard(s, term->elements), before = size * (s->ranks - 1);
    uint64_t real = term->elements > before ? term->elements - before : 0;
    return held(term, size) - held(term, real);
}

uint64_t account_sheet_bytes(const struct account_sheet *s, uint32_t mask) {
    uint64_t sum = 0;
    for (size_t i = 0; i < s->terms; i++)
        if (mask >> s->term[i].category & 1) sum += account_term_bytes(s, &s->term[i]);
    return sum;
}

double account_term_rate(const struct account_term *term) {
    return term->bytes + (term->block ? (double)term->block_bytes / term->block : 0);
}

double account_sheet_rate(const struct account_sheet *s, uint32_t mask) {
    double sum = 0;
    for (size_t i = 0; i < s->terms; i++) {
        const struct account_term *term = &s->term[i];
        if (!(mask >> term->category & 1)) continue;
        double share =
            term->follows || s->params == 0 ? 1 : (double)term->elements / (double)s->params;
        sum += account_term_rate(term) * share / (term->sharded ? s->ranks : 1);
    }
    return sum;
}

static bool fits(const struct account_sheet *s, uint32_t mask, uint64_t params, uint32_t ranks,
                 double bytes) {
    struct account_sheet tried = *s;
    tried.params = params;
    tried.ranks = ranks;
    for (size_t i = 0; i < tried.terms; i++)
        if (tried.term[i].follows) tried.term[i].elements = params;
    return (double)account_sheet_bytes(&tried, mask) <= bytes;
}

/* Sizes grow with Ψ and shrink with N, so both searches halve. */
uint64_t account_sheet_largest(const struct account_sheet *s, uint32_t mask, double bytes) {
    uint64_t low = 0, high = ACCOUNT_MOST_PARAMS;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (fits(s, mask, middle, s->ranks, bytes))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

uint32_t account_sheet_fewest(const struct account_sheet *s, uint32_t mask, double bytes) {
    uint32_t low = 1, high = ACCOUNT_MOST_GPUS;
    if (!fits(s, mask, s->params, high, bytes)) return 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (fits(s, mask, s->params, middle, bytes))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
