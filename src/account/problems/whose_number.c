/* The number whose owner is sought, and the units that it may be in. */
#include "account/numbers/dimension.h"
#include "account/numbers/suffix.h"
#include "account/numbers/text.h"
#include "account/problems/whose.h"

#include <math.h>
#include <string.h>

/* GB is often written where GiB is meant (DeepSpeed's estimators do), and the reverse. */
static void add_twin(struct account_said *n, enum account_unit u) {
    int step = ACCOUNT_UNIT_KIB - ACCOUNT_UNIT_KB;
    n->unit[n->units++] = u;
    n->said = 1;
    if (account_is_decimal_size(u)) n->unit[n->units++] = (enum account_unit)((int)u + step);
    if (account_is_binary_size(u)) n->unit[n->units++] = (enum account_unit)((int)u - step);
}

static void add_all(struct account_said *n) {
    static const enum account_unit all[ACCOUNT_READINGS] = {ACCOUNT_UNIT_GB, ACCOUNT_UNIT_GIB,
                                                            ACCOUNT_UNIT_B_PER_PARAM,
                                                            ACCOUNT_UNIT_MB, ACCOUNT_UNIT_MIB};
    memcpy(n->unit, all, sizeof all);
    n->units = n->said = ACCOUNT_READINGS;
}

static bool is_time(enum account_unit u) {
    return u == ACCOUNT_UNIT_SECONDS || u == ACCOUNT_UNIT_MS;
}

/* A B alone may be bytes a parameter, and a G is a GB. */
static bool read_unit(const struct account_suffix *s, struct account_said *n) {
    static const enum account_unit steps[] = {ACCOUNT_UNIT_KB, ACCOUNT_UNIT_MB, ACCOUNT_UNIT_GB,
                                              ACCOUNT_UNIT_TB};
    if (s->kind == ACCOUNT_SUFFIX_COUNT && s->power >= 3 && s->power <= 12)
        add_twin(n, steps[s->power / 3 - 1]);
    else if (s->kind == ACCOUNT_SUFFIX_NONE || s->kind == ACCOUNT_SUFFIX_B)
        add_all(n);
    else if (s->kind == ACCOUNT_SUFFIX_BYTES &&
             (account_is_size(s->unit) || is_time(s->unit) || s->unit == ACCOUNT_UNIT_B_PER_PARAM))
        add_twin(n, s->unit);
    return n->units > 0;
}

bool account_read_said(const char *text, struct account_said *out, struct account_error *e) {
    static const char like[] = "a size like 17.1GB or 15.9 GiB, 18 B/param, or a time like 52 ms";
    const char *s = account_skip(text);
    struct account_decimal d;
    struct account_suffix suffix;
    *out = (struct account_said){0};
    s += strspn(s, "~");
    const char *at = account_scan(s, &d);
    if (!at) return account_fail(e, account_column(text, s), "a number is missing: write %s", like);
    if (!(d.value > 0) || !isfinite(d.value))
        return account_fail(e, account_column(text, s), "nothing is as %s as that: write %s",
                            d.value > 0 ? "large" : "small", like);
    at = account_skip(at);
    const char *end = account_suffix(at, &suffix);
    if (!end || *account_skip(end) || !read_unit(&suffix, out))
        return account_fail(e, account_column(text, at), "no such unit here: write %s", like);
    out->value = d.value;
    out->half = pow(10, d.exponent) / 2 * (1 + 1e-9);
    return true;
}
