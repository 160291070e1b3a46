/* The transformations of a copy more or less: ZeRO++'s second shard, gradients that are kept twice
 * or leave, the part that was asked. */
#include "account/problems/mistakes.h"

/* ── hpZ's second shard ────────────────────────────────────────────────────────────────────────*/

static struct account_term *second_shard(struct account_misread *x) {
    for (size_t i = 0; i < x->grounds.sheet.terms; i++) {
        struct account_term *term = &x->grounds.sheet.term[i];
        if (account_misread_has(x, term) && term->category == ACCOUNT_PARAMS && term->group)
            return term;
    }
    return NULL;
}

bool account_mistake_second_whole(const struct account_mistake_row *row,
                                  struct account_misread *x) {
    struct account_term *term = second_shard(x);
    (void)row;
    if (!term) return false;
    account_add(&x->wrong, "the second copy whole; it is divided by the %u of a node", term->group);
    term->sharded = false;
    term->group = 0;
    return true;
}

bool account_mistake_second_world(const struct account_mistake_row *row,
                                  struct account_misread *x) {
    struct account_term *term = second_shard(x);
    (void)row;
    if (!term || term->group == x->grounds.sheet.ranks) return false;
    account_add(&x->wrong, "the second copy ÷ %u; its shards are of one node, ÷ %u",
                x->grounds.sheet.ranks, term->group);
    term->group = 0;
    return true;
}

bool account_mistake_second_bytes(const struct account_mistake_row *row,
                                  struct account_misread *x) {
    struct account_term *term = second_shard(x);
    if (!term || term->bytes == row->amount) return false;
    account_add(&x->wrong, "the second copy at %s B; it is one of the %u B that are computed with",
                account_number(&x->wrong, row->amount).text, term->bytes);
    term->bytes = (uint32_t)row->amount;
    return true;
}

/* The first shard forgotten over the second. */
bool account_mistake_second_only(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_sheet *s = &x->grounds.sheet;
    size_t kept = 0, all = s->terms;
    (void)row;
    if (!second_shard(x)) return false;
    for (size_t i = 0; i < all; i++)
        if (s->term[i].category != ACCOUNT_PARAMS || s->term[i].group) s->term[kept++] = s->term[i];
    s->terms = kept;
    account_add(&x->wrong, "the shard over all %u is missing; the second one is added to it",
                s->ranks);
    return kept < all;
}

/* All states divided within the node. */
bool account_mistake_second_all(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_training *t = &x->problem.training;
    (void)row;
    if (t->hpz == 0 || t->hpz == account_shard_ranks(t)) return false;
    account_add(&x->wrong,
                "all states ÷ %u; only a copy of the weights is, and the states are ÷ %u", t->hpz,
                account_shard_ranks(t));
    t->shard_group = t->hpz;
    t->hpz = 0;
    return account_misread_again(x);
}

/* ── 16 bits beside fp32 ───────────────────────────────────────────────────────────────────────*/

static uint32_t bytes_of(const struct account_sheet *s, enum account_category c) {
    for (size_t i = 0; i < s->terms; i++)
        if (s->term[i].category == c) return s->term[i].bytes;
    return 0;
}

/* A 16-bit copy where only an fp32 one is kept: of the gradients beside 16-bit parameters, or of
 * the parameters. */
bool account_mistake_both_widths(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_term *term = account_misread_find(x, row->mask);
    bool halves = account_dtype_bytes(&x->problem.training, ACCOUNT_AS_HALF) == 2;
    bool beside =
        row->mask == 1u << ACCOUNT_PARAMS || bytes_of(&x->grounds.sheet, ACCOUNT_PARAMS) == 2;
    if (!term || !halves || !beside || term->bytes != 4) return false;
    account_add(&x->wrong, "%s %s + 4 B; this recipe keeps the 4 only",
                account_misread_nouns[term->category], account_number(&x->wrong, row->amount).text);
    term->bytes += (uint32_t)row->amount;
    return true;
}

/* Gradients divided where only the optimizer's states are. */
bool account_mistake_divide_grads(const struct account_mistake_row *row,
                                  struct account_misread *x) {
    struct account_term *term = account_misread_find(x, row->mask);
    if (!term || term->sharded || x->problem.training.stage == 0 || x->grounds.sheet.ranks < 2)
        return false;
    term->sharded = true;
    account_add(&x->wrong, "grads ");
    account_misread_add_rate(&x->wrong, term);
    account_add(&x->wrong, " B ÷ N; here each GPU keeps them whole");
    return true;
}

/* Gradients that leave for the host as they are made: counted whole, or (`amount` 1) as a shard. */
bool account_mistake_grads_stay(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_sheet *s = &x->grounds.sheet;
    const struct account_training *t = &x->problem.training;
    bool asked = x->problem.quantity >> ACCOUNT_GRADS & 1;
    if (t->offload_optimizer == ACCOUNT_GPU || !asked || bytes_of(s, ACCOUNT_GRADS) ||
        s->terms == ACCOUNT_TERMS)
        return false;
    s->term[s->terms++] = (struct account_term){.category = ACCOUNT_GRADS,
                                                .elements = s->params,
                                                .follows = true,
                                                .bytes = account_dtype_bytes(t, ACCOUNT_AS_HALF),
                                                .sharded = row->amount > 0};
    account_add(&x->wrong, "grads counted too; they leave for the host as backward makes them");
    return true;
}

/* One GPU's training of old: all of it there, and whole. */
bool account_mistake_all_here(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_training *t = &x->problem.training;
    (void)row;
    if ((t->offload_optimizer == ACCOUNT_GPU && t->offload_params == ACCOUNT_GPU) || t->stage == 0)
        return false;
    account_add(&x->wrong, "all of it on each GPU, as in stage 0 without offloading");
    t->offload_optimizer = t->offload_params = ACCOUNT_GPU;
    t->stage = 0;
    return account_misread_again(x);
}

/* Pipeline stages (`amount` 0) or the tensor group (1) forgotten: the ranks that remain share more
 * of the model. */
bool account_mistake_no_axis(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_training *t = &x->problem.training;
    uint32_t *axis = row->amount > 0 ? &t->tp : &t->pp;
    if (t->tp <= 1 || t->pp <= 1) return false;
    account_add(&x->wrong, "÷ %u only; the %s divide%s the model too, by %u",
                row->amount > 0 ? t->pp : t->tp,
                row->amount > 0 ? "tensor group" : "pipeline's stages", row->amount > 0 ? "s" : "",
                *axis);
    *axis = 1;
    return account_misread_again(x);
}

/* ── what was asked ────────────────────────────────────────────────────────────────────────────*/

bool account_mistake_all_states(const struct account_mistake_row *row, struct account_misread *x) {
    uint32_t right = x->problem.quantity;
    if (x->problem.training.lora || (right & row->mask) == row->mask) return false;
    x->problem.quantity |= row->mask;
    account_add(&x->wrong, "the whole model state; the question asks for a part of it");
    return right != 0;
}

/* Ψ ÷ N, as if each parameter were a byte. */
bool account_mistake_psi_over_n(const struct account_mistake_row *row, struct account_misread *x) {
    struct account_sheet *s = &x->grounds.sheet;
    struct account_term *term = account_misread_find(x, ~0u);
    bool shares = false;
    for (size_t i = 0; i < s->terms; i++)
        shares |= account_misread_has(x, &s->term[i]) && s->term[i].sharded;
    if (!term || !shares) return false;
    account_add(&x->wrong, "Ψ ÷ %u, one byte for each; each takes more", s->ranks);
    s->term[0] = (struct account_term){.category = term->category,
                                       .elements = s->params,
                                       .follows = true,
                                       .bytes = (uint32_t)row->amount,
                                       .sharded = true};
    s->terms = 1;
    x->problem.quantity = 1u << s->term[0].category;
    return true;
}
