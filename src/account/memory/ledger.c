#include "account/memory/step.h"

/* ZeRO, arXiv:1910.02054, section 5: stage 0 keeps 2Ψ + 2Ψ + KΨ on every GPU, stage 1 4Ψ + KΨ/N, stage 2 2Ψ + (2 + K)Ψ/N, stage 3
 * (4 + K)Ψ/N. Which copies there are, and from which stage each is divided, is the recipe's row. */
bool account_ledger(const struct account_training *t, struct account_ledger *out,
                    struct account_error *e) {
    struct account_memory m;
    *out = (struct account_ledger){0};
    if (!account_memory(t, &m, e)) return false;
    *out = m.gpu;
    return true;
}

double account_bytes_per_param(const struct account_training *t, enum account_category c) {
    struct account_training whole = *t;
    struct account_sheet s;
    whole.stage = 0;
    whole.offload_optimizer = whole.offload_params = ACCOUNT_GPU;
    account_sheet(&whole, &s);
    return account_sheet_rate(&s, 1u << c);
}

bool account_is_sharded(const struct account_training *t, enum account_category c) {
    struct account_sheet s;
    account_sheet(t, &s);
    for (size_t i = 0; i < s.terms; i++)
        if (s.term[i].category == c && s.term[i].sharded) return true;
    return false;
}

uint64_t account_largest_params(const struct account_training *t, uint64_t bytes) {
    struct account_sheet s;
    account_sheet(t, &s);
    return account_optimizer_of(t)->factored
               ? 0
               : account_sheet_largest(&s, ACCOUNT_TOTAL, (double)bytes);
}

uint32_t account_fewest_gpus(const struct account_training *t, uint64_t bytes) {
    struct account_sheet s;
    account_sheet(t, &s);
    return account_sheet_fewest(&s, ACCOUNT_TOTAL, (double)bytes);
}

/* Ranks of the same pipeline stage hold the same number of bytes, so a stage's sum is one rank's times their number. */
bool account_cluster(const struct account_training *t, uint32_t categories, account_sum *out,
                     struct account_error *e) {
    uint32_t stages = t->pp ? t->pp : 1;
    *out = 0;
    if (!account_check(t, e)) return false;
    for (uint32_t i = 0; i < stages; i++) {
        struct account_sheet s;
        account_sheet_of(t, i, &s);
        *out += (account_sum)account_sheet_bytes(&s, categories) * (t->gpus / stages);
    }
    return true;
}
