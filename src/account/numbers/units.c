/* Units: their names and scales, and values printed in them. */
#include "account/numbers/text.h"

#include <math.h>
#include <string.h>

#define KI 1024.0

/* One row a unit. Base units are bytes, parameters, GPUs, bytes per parameter, seconds and bytes
 * per second. */
static const struct unit_row {
    const char *name;
    double scale;
} rows[ACCOUNT_UNITS] = {
    [ACCOUNT_UNIT_NONE] = {"", 1},
    [ACCOUNT_UNIT_B] = {"B", 1},
    [ACCOUNT_UNIT_KB] = {"KB", 1e3},
    [ACCOUNT_UNIT_MB] = {"MB", 1e6},
    [ACCOUNT_UNIT_GB] = {"GB", 1e9},
    [ACCOUNT_UNIT_TB] = {"TB", 1e12},
    [ACCOUNT_UNIT_KIB] = {"KiB", KI},
    [ACCOUNT_UNIT_MIB] = {"MiB", KI *KI},
    [ACCOUNT_UNIT_GIB] = {"GiB", KI *KI *KI},
    [ACCOUNT_UNIT_TIB] = {"TiB", KI *KI *KI *KI},
    [ACCOUNT_UNIT_PARAMS] = {"parameters", 1},
    [ACCOUNT_UNIT_BILLION] = {"billion parameters", 1e9},
    [ACCOUNT_UNIT_GPUS] = {"GPUs", 1},
    [ACCOUNT_UNIT_B_PER_PARAM] = {"B/param", 1},
    [ACCOUNT_UNIT_SECONDS] = {"s", 1},
    [ACCOUNT_UNIT_MS] = {"ms", 1e-3},
    [ACCOUNT_UNIT_GB_PER_S] = {"GB/s", 1e9},
};

/* Other names the same units go by, in problems and in answers. */
static const struct {
    const char *name;
    enum account_unit unit;
} aliases[] = {
    {"gig", ACCOUNT_UNIT_GB},
    {"gigs", ACCOUNT_UNIT_GB},
    {"bytes", ACCOUNT_UNIT_B},
    {"byte", ACCOUNT_UNIT_B},
    {"params", ACCOUNT_UNIT_PARAMS},
    {"parameter", ACCOUNT_UNIT_PARAMS},
    {"billion", ACCOUNT_UNIT_BILLION},
    {"billions", ACCOUNT_UNIT_BILLION},
    {"element", ACCOUNT_UNIT_PARAMS},
    {"elements", ACCOUNT_UNIT_PARAMS},
    {"gpu", ACCOUNT_UNIT_GPUS},
    {"card", ACCOUNT_UNIT_GPUS},
    {"cards", ACCOUNT_UNIT_GPUS},
    {"device", ACCOUNT_UNIT_GPUS},
    {"devices", ACCOUNT_UNIT_GPUS},
    {"rank", ACCOUNT_UNIT_GPUS},
    {"ranks", ACCOUNT_UNIT_GPUS},
    {"bytes/param", ACCOUNT_UNIT_B_PER_PARAM},
    {"second", ACCOUNT_UNIT_SECONDS},
    {"seconds", ACCOUNT_UNIT_SECONDS},
    {"secs", ACCOUNT_UNIT_SECONDS},
    {"msec", ACCOUNT_UNIT_MS},
    {"millisecond", ACCOUNT_UNIT_MS},
    {"milliseconds", ACCOUNT_UNIT_MS},
    {"sec", ACCOUNT_UNIT_SECONDS},
    {"bytes/parameter", ACCOUNT_UNIT_B_PER_PARAM},
    {"B/parameter", ACCOUNT_UNIT_B_PER_PARAM},
};

const char *account_unit_name(enum account_unit u) {
    return (unsigned)u < ACCOUNT_UNITS ? rows[u].name : "";
}

double account_unit_scale(enum account_unit u) {
    return (unsigned)u < ACCOUNT_UNITS ? rows[u].scale : 1;
}

bool account_unit_find(const char *name, enum account_unit *out) {
    for (unsigned u = 0; u < ACCOUNT_UNITS; u++)
        if (account_same(rows[u].name, name)) return *out = (enum account_unit)u, true;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (account_same(aliases[i].name, name)) return *out = aliases[i].unit, true;
    return false;
}

/* ── printing ──────────────────────────────────────────────────────────────────────────────────*/

struct step {
    double scale;
    const char *name;
};

/* The largest step that the value, once rounded to `digits`, still reaches: 999.96 MB is 1.00
 * GB. */
static const struct step *best_step(const struct step *steps, double value, double slack) {
    while (steps->scale > 1 && value < steps->scale * slack) steps++;
    return steps;
}

const char *account_print_count(char *out, size_t size, double count) {
    static const struct step steps[] = {{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "K"}, {1, ""}};
    struct account_text t = account_text(out, size);
    const struct step *s = best_step(steps, count, 0.99995);
    account_add_number(&t, count / s->scale, 4);
    account_add(&t, "%s", s->name);
    return out;
}

void account_add_value(struct account_text *t, double value, enum account_unit u, int digits) {
    if (u == ACCOUNT_UNIT_PARAMS) {
        char count[32];
        account_add(t, "%s", account_print_count(count, sizeof count, value));
        return;
    }
    size_t start = t->used;
    account_add_number(t, value / account_unit_scale(u), digits);
    bool one = t->used == start + 1 && t->out[start] == '1';
    if (u == ACCOUNT_UNIT_GPUS && one)
        account_add(t, " GPU");
    else if (u != ACCOUNT_UNIT_NONE)
        account_add(t, " %s", account_unit_name(u));
}

int account_digits(double value, enum account_unit u) {
    double left = fabs(value) / account_unit_scale(u) / 1e4;
    int digits = 4;
    while (left >= 1 && digits < 15) {
        left /= 10;
        digits++;
    }
    return digits;
}

const char *account_print(char *out, size_t size, double value, enum account_unit u, int digits) {
    struct account_text t = account_text(out, size);
    account_add_value(&t, value, u, digits);
    return out;
}

const char *account_print_fixed(char *out, size_t size, double value, enum account_unit u,
                                int decimals) {
    struct account_text t = account_text(out, size);
    account_add_fixed(&t, value / account_unit_scale(u), decimals);
    return out;
}

/* Three significant digits of the smallest, and no more than two where the largest has two before
 * the point. */
int account_decimals(const double *values, size_t count, enum account_unit u) {
    double smallest = INFINITY, largest = 0, scale = account_unit_scale(u);
    bool whole = true;
    for (size_t i = 0; i < count; i++) {
        double value = values[i] / scale;
        if (value > 0 && value < smallest) smallest = value;
        if (value > largest) largest = value;
        whole = whole && fabs(value - round(value)) < 1e-9;
    }
    if (whole) return 0;
    if (smallest < 0.0995) return 3;
    return largest < 9.995 || smallest < 0.995 ? 2 : 1;
}

/* Three digits, and here the zeros stay: in a column of sizes "62.0 MB" says that it was not 62 and
 * a bit. */
const char *account_print_bytes(char *out, size_t size, double bytes) {
    static const struct step steps[] = {
        {1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "KB"}, {1, "B"}};
    struct account_text t = account_text(out, size);
    const struct step *s = best_step(steps, bytes, 0.9995);
    size_t start = t.used;
    double shown = bytes / s->scale;
    account_add_number(&t, shown < 1000 ? shown : floor(shown + 0.5), shown < 1000 ? 3 : 15);
    size_t digits = 0, point = 0;
    for (size_t i = start; i < t.used; i++)
        if (account_is_digit(out[i]))
            digits++;
        else
            point = i;
    if (s->scale > 1 && digits < 3) {
        if (!point) account_add(&t, ".");
        for (; digits < 3; digits++) account_add(&t, "0");
    }
    account_add(&t, " %s", s->name);
    return out;
}

void account_add_bytes(struct account_text *t, double bytes) {
    char text[32];
    account_add(t, "%s", account_print_bytes(text, sizeof text, bytes));
}

void account_add_seconds(struct account_text *t, double seconds) {
    account_add_value(t, seconds, seconds >= 1 ? ACCOUNT_UNIT_SECONDS : ACCOUNT_UNIT_MS, 3);
}

double account_distance(double value, double truth) {
    if (value == truth) return 0;
    return truth == 0 ? HUGE_VAL : fabs(value - truth) / fabs(truth);
}

bool account_is_rounded(double value, double truth, double scale, int digits) {
    value /= scale;
    truth /= scale;
    if (!(truth > 0) || !isfinite(value)) return value == truth;
    /* half a step of two digits is a twentieth at most: most numbers are further away */
    if (digits > 1 && fabs(value - truth) > truth / 10) return false;
    double step = pow(10, floor(log10(truth)) - digits + 1), steps = value / step;
    bool near = fabs(value - truth) <= step / 2 * (1 + 1e-9);
    return near && fabs(steps - floor(steps + 0.5)) < 1e-6;
}
