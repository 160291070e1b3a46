/* All that a training keeps on a GPU in a step, before it is known what of it is there at which
 * instant. */
#include "account/memory/step.h"

static void measure(struct account_step *step) {
    for (size_t i = 0; i < step->is->sheet.terms; i++) {
        step->bytes[i] = account_term_bytes(&step->is->sheet, &step->is->sheet.term[i]);
        step->padding[i] = account_term_padding(&step->is->sheet, &step->is->sheet.term[i]);
    }
}

void account_step_add(struct account_ledger *l, const struct account_step *s,
                      enum account_tier tier, enum account_when when) {
    for (size_t i = 0; i < s->is->sheet.terms; i++) {
        const struct account_term *term = &s->is->sheet.term[i];
        if (term->tier != tier || term->when != when) continue;
        account_ledger_add(l, term->category, s->bytes[i]);
        l->padding += s->padding[i];
    }
}

static struct account_ledger standing(const struct account_step *s) {
    struct account_ledger l = {0};
    account_step_add(&l, s, ACCOUNT_GPU, ACCOUNT_ALWAYS);
    account_ledger_add(&l, ACCOUNT_GATHER, s->buffers.gather_always);
    account_ledger_add(&l, ACCOUNT_REDUCE, s->buffers.reduce_always);
    account_ledger_add(&l, ACCOUNT_FRAMEWORK, s->reserve);
    account_ledger_add(&l, ACCOUNT_WORKSPACE, s->work.workspace);
    return l;
}

/* With activations the lab's schedule is known unit by unit; without them, only what stays. */
bool account_knows_units(const struct account_step *s) {
    return s->is->recipe->by_units && s->activations.layers > 0;
}

bool account_step_of(const struct account_resolved *is, struct account_step *step,
                     struct account_error *e) {
    step->is = is;
    if (!account_activations_of(is, &step->activations, e)) return false;
    measure(step);
    step->units = account_works_by_units(is) ? is->units : (struct account_shard_units){0};
    account_buffers(is, &step->units, &step->buffers);
    step->reserve = account_reserve(is);
    step->work = account_lab_work_of(is);
    step->lab = account_knows_units(step) ? account_lab_units_of(is, &step->activations)
                                          : (struct account_lab_units){0};
    step->standing = standing(step);
    return true;
}
