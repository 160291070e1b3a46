/* From a row of the table to what it yields for a problem: value, arithmetic, slip. */
#include "account/slips.h"

#include <math.h>

/* "2 B × 7.5e9 + … = 34.13 GB"; with a last step that changes the unit, the bytes themselves go into it:
 * "16.640625e9 B ÷ 2^30 = 15.5 GiB". */
static void write_arithmetic(const struct account_slipped *x, double before,
                             struct account_match *out) {
    struct account_text t = account_text(out->arithmetic, sizeof out->arithmetic);
    enum account_unit asked = account_problem_unit(&x->problem);
    bool stated = x->factor == 1 || (x->problem.kind == ACCOUNT_ASK_CONVERT && x->unit == asked);
    if (stated)
        account_add_sum(&t, &x->problem, &x->sheet);
    else if (x->unit != asked)
        account_add_count(&t, (uint64_t)(before + 0.5));
    else
        account_add_value(&t, before, x->from ? x->from : asked, 5);
    if (x->factor != 1) account_add(&t, "%s", x->step.out);
    account_add(&t, " = ");
    /* in the unit that was meant the result is the truth's; in the unit asked it is what the mistake is worth */
    double shown = x->unit == asked ? before * x->factor : before;
    account_add_value(&t, shown, x->unit, account_digits(shown, x->unit));
}

bool account_slip_apply(size_t i, const struct account_problem *p, struct account_match *out) {
    size_t count;
    const struct account_mistake *names = account_mistakes(&count);
    const struct account_slip *row = &account_slips[i];
    if (i >= count || !(row->kinds >> p->kind & 1)) return false;
    char step[48];
    *out = (struct account_match){.mistake = &names[i]};
    struct account_slipped x = {.problem = *p,
                                .factor = 1,
                                .unit = account_problem_unit(p),
                                .step = account_text(step, sizeof step),
                                .slip = account_text(out->slip, sizeof out->slip)};
    account_sheet(&p->training, &x.sheet);
    double before;
    if (!row->apply(row, &x) || !account_sheet_answer(&x.problem, &x.sheet, &before)) return false;
    out->value = before * x.factor;
    write_arithmetic(&x, before, out);
    return isfinite(out->value);
}
