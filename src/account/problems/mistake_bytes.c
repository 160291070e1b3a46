/* The transformations of the sheet's bytes: what was left out, misjudged, or added. */
#include "account/problems/mistakes.h"

/* ── forgotten ─────────────────────────────────────────────────────────────────────────────────*/

/* ZeRO++ keeps parameters twice: the second time divided within a node. */
static const char *noun(const struct account_misread *x, const struct account_term *term) {
    bool second = x->problem.training.hpz && term->category == ACCOUNT_PARAMS && term->group;
    return second ? "second copy" : account_misread_nouns[term->category];
}

/* "grads 2, moments 8; the master copy's 4 are missing": beside the forgotten term stand those
 * bracketed with it. */
static void say_one_missing(struct account_misread *x, const struct account_term *gone) {
    const char *before = "";
    for (size_t i = 0; i < x->grounds.sheet.terms; i++) {
        const struct account_term *term = &x->grounds.sheet.term[i];
        bool bracketed = term->sharded == gone->sharded && term->elements == gone->elements;
        if (!account_misread_has(x, term) || term->category == gone->category || !bracketed)
            continue;
        account_add(&x->wrong, "%s%s ", before, noun(x, term));
        account_misread_add_rate(&x->wrong, term);
        before = ", ";
    }
    bool plural = gone->category != ACCOUNT_MASTER;
    account_add(&x->wrong, "%sthe %s%s ", *before ? "; " : "",
                account_misread_nouns[gone->category], plural ? "'" : "'s");
    account_misread_add_rate(&x->wrong, gone);
    account_add(&x->wrong, " are missing");
}

static size_t count(const struct account_misread *x, uint32_t mask) {
    size_t n = 0;
    for (size_t i = 0; i < x->grounds.sheet.terms; i++)
        n += account_misread_has(x, &x->grounds.sheet.term[i]) &&
             mask >> x->grounds.sheet.term[i].category & 1;
    return n;
}

static void say_missing(struct account_misread *x, uint32_t mask) {
    if (count(x, mask) == 1) {
        say_one_missing(x, account_misread_find(x, mask));
        return;
    }
    account_add(&x->wrong, "missing:");
    const char *before = " ";
    for (size_t i = 0; i < x->grounds.sheet.terms; i++) {
        const struct account_term *term = &x->grounds.sheet.term[i];
        if (!account_misread_has(x, term) || !(mask >> term->category & 1)) continue;
        account_add(&x->wrong, "%s%s ", before, noun(x, term));
        account_misread_add_rate(&x->wrong, term);
        before = ", ";
    }
    account_add(&x->wrong, " B per parameter");
}

/* On the host gradients and master copy are both fp32: one of the two is missing, and the number
 * cannot say which. */
static const char *namesake(const struct account_products *s, const struct account_product *gone) {
    for (size_t i = 0; i < s->count; i++)
        if (&s->product[i] != gone &&
            account_product_value(&s->product[i]) == account_product_value(gone))
            return s->product[i].label;
    return NULL;
}

static void say_product(struct account_misread *x, const struct account_product *p) {
    const char *same = namesake(&x->grounds.products, p);
    account_add(&x->wrong, " %s ", p->label);
    account_add_value(&x->wrong, account_product_value(p), account_problem_unit(&x->problem), 4);
    if (same) account_add(&x->wrong, " (without %s it is the same)", same);
}

/* Of a peak, or of what lies on the host. */
static bool forget_products(uint32_t mask, struct account_misread *x) {
    struct account_products *s = &x->grounds.products, left;
    uint32_t there = 0;
    left.count = 0;
    for (size_t i = 0; i < s->count; i++) there |= s->product[i].categories;
    if ((mask & there) != mask || there == mask) return false;
    account_add(&x->wrong, "missing:");
    for (size_t i = 0; i < s->count; i++)
        if (s->product[i].categories & mask)
            say_product(x, &s->product[i]);
        else
            left.product[left.count++] = s->product[i];
    *s = left;
    return true;
}

/* A row that names several categories is about forgetting them together: where only one of them
 * exists, another row says it. */
bool account_mistake_forget(const struct account_mistake_row *row, struct account_misread *x) {
    if (x->grounds.base == ACCOUNT_ON_PRODUCTS) return forget_products(row->mask, x);
    bool several = row->mask & (row->mask - 1);
    if (count(x, row->mask) < (several ? 2u : 1u) || !account_misread_find(x, ~row->mask))
        return false;
    say_missing(x, row->mask);
    x->problem.quantity &= ~row->mask;
    return true;
}

/* ── bytes of an element ───────────────────────────────────────────────────────────────────────*/

/* "grads taken at 4 B; with mixed precision (bf16) they take 2" */
static bool restate(struct account_misread *x, struct account_term *term, uint32_t bytes) {
    struct account_term wrong = *term;
    wrong.bytes = bytes;
    wrong.block = wrong.block_bytes = 0;
    account_add(&x->wrong, "%s taken at %u B; with %s they take ",
                account_misread_nouns[term->category], bytes,
                account_precision_of(&x->problem.training)->title);
    account_misread_add_rate(&x->wrong, term);
    *term = wrong;
    return true;
}

bool account_mistake_set_bytes(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_term *term = account_misread_find(x, row->mask);
    uint32_t bytes = (uint32_t)row->amount;
    return term && term->bytes != bytes && restate(x, term, bytes);
}

/* Backward's own 16 bits, where they are kept in fp32. */
bool account_mistake_narrow_grads(const struct account_mistake_row *row,
                                  struct account_misread *x) {
    struct account_term *term = account_misread_find(x, row->mask);
    uint32_t bytes = (uint32_t)row->amount;
    bool narrow = account_dtype_bytes(&x->problem.training, ACCOUNT_AS_HALF) == bytes;
    if (!term || !narrow || term->bytes != 4 || count(x, row->mask) != 1) return false;
    account_add(&x->wrong,
                "grads taken at %u B, as in the paper; here they are added up in fp32 and take 4",
                bytes);
    term->bytes = bytes;
    return true;
}

/* Beside gradients of 16 bits, where there is no fp32 copy yet. */
bool account_mistake_add_bytes(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_term *term = account_misread_find(x, row->mask);
    for (size_t i = 0; i < x->grounds.sheet.terms; i++)
        if (x->grounds.sheet.term[i].category == ACCOUNT_GRADS &&
            x->grounds.sheet.term[i].bytes >= 4)
            return false;
    if (!term) return false;
    account_add(&x->wrong, "%s %u + %s B: the %s recipe keeps no fp32 copy of them between steps",
                account_misread_nouns[term->category], term->bytes,
                account_number(&x->wrong, row->amount).text,
                account_recipe_of(&x->problem.training)->title);
    term->bytes += (uint32_t)row->amount;
    return true;
}

bool account_mistake_one_moment(const struct account_mistake_row *row, struct account_misread *x) {
    const struct account_optimizer *o = account_optimizer_of(&x->problem.training);
    struct account_term *term = account_misread_find(x, row->mask);
    if (!term || o->moments != 2) return false;
    term->bytes /= 2;
    term->block_bytes /= 2;
    account_add(&x->wrong, "one moment, ");
    account_misread_add_rate(&x->wrong, term);
    account_add(&x->wrong, " B; %s keeps two of them", o->title);
    return true;
}

/* Adam's two where the optimizer keeps one: SGD with momentum, Lion, Muon. */
bool account_mistake_two_moments(const struct account_mistake_row *row, struct account_misread *x) {
    const struct account_optimizer *o = account_optimizer_of(&x->problem.training);
    struct account_term *term = account_misread_find(x, row->mask);
    if (!term || o->moments != 1) return false;
    account_add(&x->wrong, "two moments, as Adam has; %s keeps one of ", o->title);
    account_misread_add_rate(&x->wrong, term);
    account_add(&x->wrong, " B");
    term->bytes *= 2;
    term->block_bytes *= 2;
    return true;
}

bool account_mistake_small_moments(const struct account_mistake_row *row,
                                   struct account_misread *x) {
    const struct account_optimizer *o = account_optimizer_of(&x->problem.training);
    struct account_term *term = account_misread_find(x, row->mask);
    uint32_t bytes = o->moments * (uint32_t)row->amount;
    return term && o->moments && term->bytes > bytes && restate(x, term, bytes);
}

/* Whether anything changed by it. */
static bool count_in_16_bits(struct account_misread *x, uint32_t mask) {
    bool changed = false;
    uint32_t moments = account_optimizer_of(&x->problem.training)->moments;
    for (size_t i = 0; i < x->grounds.sheet.terms; i++) {
        struct account_term *term = &x->grounds.sheet.term[i];
        if (!account_misread_has(x, term) || !(mask >> term->category & 1)) continue;
        uint32_t bytes = term->category == ACCOUNT_MOMENTS ? 2 * moments : 2;
        if (term->category == ACCOUNT_MASTER) x->problem.quantity &= ~(1u << ACCOUNT_MASTER);
        if (term->bytes <= bytes) continue;
        changed = true;
        term->bytes = bytes;
    }
    return changed && account_misread_find(x, ~0u);
}

static bool in_16_bits(const struct account_mistake_row *row, struct account_misread *x) {
    if (count(x, row->mask) < 2) return false; /* of one category alone, its own rows speak */
    return count_in_16_bits(x, row->mask);
}

bool account_mistake_all_16_bit(const struct account_mistake_row *row, struct account_misread *x) {
    const struct account_precision *p = account_precision_of(&x->problem.training);
    account_add(&x->wrong, "2 B for every value, as in pure bf16; this is %s", p->title);
    return p->in != ACCOUNT_IN_FP32 && in_16_bits(row, x);
}

bool account_mistake_fp32_as_16_bit(const struct account_mistake_row *row,
                                    struct account_misread *x) {
    const struct account_precision *p = account_precision_of(&x->problem.training);
    account_add(&x->wrong, "2 B for every value; with %s each takes 4", p->title);
    return p->in == ACCOUNT_IN_FP32 && in_16_bits(row, x);
}

bool account_mistake_no_bytes(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_term *term = account_misread_find(x, ~0u);
    if (!term) return false;
    double rate = account_sheet_rate(&x->grounds.sheet, x->problem.quantity);
    account_add(&x->wrong, "one byte per parameter; each takes ");
    account_add_number(&x->wrong, rate, 4);
    account_add(&x->wrong, " B on a GPU");
    struct account_term whole = {.category = term->category,
                                 .elements = x->grounds.sheet.params,
                                 .follows = true,
                                 .bytes = (uint32_t)row->amount};
    x->grounds.sheet.term[0] = whole;
    x->grounds.sheet.terms = 1;
    x->problem.quantity = 1u << whole.category;
    return true;
}

/* fp32 weights on their own, and those in 16 bits: what inference needs. */
bool account_mistake_weights(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_term *term = account_misread_find(x, row->mask);
    uint32_t bytes = (uint32_t)row->amount;
    if (!term || term->bytes <= bytes || !account_misread_find(x, ~row->mask)) return false;
    restate(x, term, bytes);
    account_add(&x->wrong, "; the rest is missing");
    x->problem.quantity &= row->mask;
    return true;
}

/* A master copy beside parameters that need none, divided as the recipe divides master copies. One
 * that lies on the host is no extra one. */
bool account_mistake_extra_master(const struct account_mistake_row *row,
                                  struct account_misread *x) {
    const struct account_recipe *r = account_recipe_of(&x->problem.training);
    const struct account_precision *p = account_precision_of(&x->problem.training);
    bool asked_for = x->problem.quantity >> ACCOUNT_MASTER & 1;
    bool kept_here = x->problem.training.offload_optimizer == ACCOUNT_GPU;
    if (!asked_for || !kept_here || account_misread_find(x, 1u << ACCOUNT_MASTER) ||
        x->grounds.sheet.terms == ACCOUNT_TERMS)
        return false;
    for (size_t i = 0; i < r->copies; i++) {
        if (r->copy[i].category != ACCOUNT_MASTER) continue;
        x->grounds.sheet.term[x->grounds.sheet.terms++] =
            (struct account_term){.category = ACCOUNT_MASTER,
                                  .elements = x->grounds.sheet.params,
                                  .follows = true,
                                  .bytes = (uint32_t)row->amount,
                                  .sharded = x->problem.training.stage >= r->copy[i].sharded_from};
        account_add(&x->wrong, "a master copy at %s B: %s has none",
                    account_number(&x->wrong, row->amount).text, p->title);
        return true;
    }
    return false;
}
