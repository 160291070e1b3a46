/* The transformations of the memory there is, and of the result's unit. */
#include "account/numbers/dimension.h"
#include "account/problems/mistakes.h"

#include <math.h>

/* GiB for GB and the reverse. */
static enum account_unit twin(enum account_unit u) {
    int step = ACCOUNT_UNIT_KIB - ACCOUNT_UNIT_KB;
    return (enum account_unit)(account_is_binary_size(u) ? (int)u - step : (int)u + step);
}

/* ── the memory there is ───────────────────────────────────────────────────────────────────────*/

static bool set_budget(struct account_misread *x, double bytes, const char *whose,
                       const char *meant) {
    double before = account_problem_budget(&x->problem);
    x->problem.budget = bytes;
    x->problem.budget_unit = ACCOUNT_UNIT_GB;
    account_add_value(&x->wrong, bytes, ACCOUNT_UNIT_GB, 5);
    account_add(&x->wrong, " %s; %s ", whose, meant);
    account_add_value(&x->wrong, before, ACCOUNT_UNIT_GB, 5);
    return true;
}

bool account_mistake_label(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    if (!account_budget_is_usable(&x->problem)) return false;
    const struct account_card *c = x->problem.training.card;
    return set_budget(x, (double)c->label_bytes, "on the label",
                      account_reporter_name(account_card_reporter(c)));
}

/* The row says whose bytes: enum account_reporter. */
bool account_mistake_usable(const struct account_mistake_row *row, struct account_misread *x) {
    const struct account_card *c = x->problem.training.card;
    uint64_t bytes = c ? account_card_bytes_by(c, (enum account_reporter)row->amount) : 0;
    if (!account_budget_is_label(&x->problem) || !bytes) return false;
    return set_budget(x, (double)bytes,
                      row->amount > 0 ? "reported by the driver" : "reported by PyTorch",
                      "the label says");
}

bool account_mistake_budget_unit(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    enum account_unit u = x->problem.budget_unit;
    if (!account_is_binary_size(u) && !account_is_decimal_size(u)) return false;
    enum account_unit wrong = twin(u);
    double number = account_problem_budget(&x->problem) / account_unit_scale(u);
    account_add_number(&x->wrong, number, 6);
    account_add(&x->wrong, " %s taken for ", account_unit_name(u));
    account_add_value(&x->wrong, number * account_unit_scale(wrong), wrong, 6);
    x->problem.budget = number * account_unit_scale(wrong);
    x->problem.budget_unit = wrong;
    return true;
}

/* 16 GB are 14.9 GiB; and then 14.9e9 bytes. */
bool account_mistake_budget_converted(const struct account_mistake_row *row,
                                      struct account_misread *x) {
    (void)row;
    enum account_unit u = x->problem.budget_unit;
    if (!account_is_binary_size(u) && !account_is_decimal_size(u)) return false;
    enum account_unit other = twin(u);
    double bytes = account_problem_budget(&x->problem);
    account_add_value(&x->wrong, bytes, u, 6);
    account_add(&x->wrong, " are ");
    account_add_value(&x->wrong, bytes, other, 4);
    account_add(&x->wrong, ", and that was taken for %s", account_unit_name(u));
    x->problem.budget = bytes / account_unit_scale(other) * account_unit_scale(u);
    return true;
}

/* ── the result ────────────────────────────────────────────────────────────────────────────────*/

/* The result said in `said` and taken for the unit asked. */
static bool say_in(struct account_misread *x, enum account_unit said, const char *step, int power) {
    x->factor = account_unit_scale(x->unit) / account_unit_scale(said);
    account_add(&x->step, step, power);
    account_add(&x->wrong, "the number is right in %s; the question asks for %s",
                account_unit_name(said), account_unit_name(x->unit));
    x->unit = said;
    return true;
}

bool account_mistake_binary(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    if (!account_is_decimal_size(x->unit)) return false;
    return say_in(x, twin(x->unit), " B ÷ 2^%d", 10 * (int)(x->unit - ACCOUNT_UNIT_KB + 1));
}

bool account_mistake_decimal(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    if (!account_is_binary_size(x->unit)) return false;
    return say_in(x, twin(x->unit), " B ÷ 1e%d", 3 * (int)(x->unit - ACCOUNT_UNIT_KIB + 1));
}

/* GiB written behind a number that is right in GB, or the reverse. */
bool account_mistake_twin(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    if (!account_is_binary_size(x->unit) && !account_is_decimal_size(x->unit)) return false;
    enum account_unit written = twin(x->unit);
    x->factor = account_unit_scale(written) / account_unit_scale(x->unit);
    account_add(&x->step, ", written as %s", account_unit_name(written));
    account_add(&x->wrong, "the number is right in %s, not in %s", account_unit_name(x->unit),
                account_unit_name(written));
    return true;
}

/* What is converted: the size that was stated, or the sum, which comes out in GB. */
static enum account_unit converted_from(const struct account_misread *x) {
    if (x->problem.kind == ACCOUNT_ASK_CONVERT) return x->problem.budget_unit;
    return account_is_binary_size(x->unit) ? twin(x->unit) : ACCOUNT_UNIT_NONE;
}

/* 80 GB × 1.0737 for GiB: multiplied where it should be divided. */
bool account_mistake_backwards(const struct account_mistake_row *row, struct account_misread *x) {
    (void)row;
    enum account_unit from = converted_from(x), to = x->unit;
    bool crossed =
        (account_is_binary_size(from) || account_is_decimal_size(from)) && to == twin(from);
    if (!crossed) return false;
    double ratio = account_unit_scale(to) / account_unit_scale(from);
    int step = (int)(account_is_binary_size(to) ? to - ACCOUNT_UNIT_KIB : to - ACCOUNT_UNIT_KB) + 1;
    x->factor = ratio * ratio;
    x->from = from;
    if (account_is_binary_size(to))
        account_add(&x->step, " × 2^%d ÷ 1e%d", 10 * step, 3 * step);
    else
        account_add(&x->step, " × 1e%d ÷ 2^%d", 3 * step, 10 * step);
    account_add(&x->wrong, "that many %s would be %s", account_unit_name(to),
                account_is_binary_size(to) ? "more bytes" : "fewer bytes");
    return true;
}

static bool scale(struct account_misread *x, double factor) {
    bool up = factor > 1;
    double times = up ? factor : 1 / factor;
    x->factor = factor;
    account_add(&x->step, up ? " × %s" : " ÷ %s", account_number(&x->step, times).text);
    account_add(&x->wrong, up ? "%s times too large" : "%s times too small",
                account_number(&x->wrong, times).text);
    return true;
}

bool account_mistake_factor(const struct account_mistake_row *row, struct account_misread *x) {
    return scale(x, row->amount);
}

/* MiB for GiB: between binary units lies not a thousand. */
bool account_mistake_prefix(const struct account_mistake_row *row, struct account_misread *x) {
    return account_is_binary_size(x->unit) && scale(x, row->amount);
}
