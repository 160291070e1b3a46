/* What numbers measure: kept up through sums and products, and compared with the unit asked. */
#include "account/numbers/dimension.h"

#include <math.h>
#include <string.h>

bool account_is_size(enum account_unit u) {
    return u >= ACCOUNT_UNIT_B && u <= ACCOUNT_UNIT_TIB;
}

bool account_is_binary_size(enum account_unit u) {
    return u >= ACCOUNT_UNIT_KIB && u <= ACCOUNT_UNIT_TIB;
}

bool account_is_decimal_size(enum account_unit u) {
    return u >= ACCOUNT_UNIT_KB && u <= ACCOUNT_UNIT_TB;
}

/* The powers of bytes, parameters, GPUs and seconds in a unit; all others are sizes. */
static const int powers[ACCOUNT_UNITS][ACCOUNT_DIMENSIONS] = {
    [ACCOUNT_UNIT_PARAMS] = {0, 1, 0, 0},    [ACCOUNT_UNIT_BILLION] = {0, 1, 0, 0},
    [ACCOUNT_UNIT_GPUS] = {0, 0, 1, 0},      [ACCOUNT_UNIT_B_PER_PARAM] = {1, -1, 0, 0},
    [ACCOUNT_UNIT_SECONDS] = {0, 0, 0, 1},   [ACCOUNT_UNIT_MS] = {0, 0, 0, 1},
    [ACCOUNT_UNIT_GB_PER_S] = {1, 0, 0, -1},
};

void account_measure(struct account_measured *v, enum account_unit u) {
    if (account_is_size(u)) v->power[ACCOUNT_OF_BYTES]++;
    for (int d = 0; d < ACCOUNT_DIMENSIONS; d++) v->power[d] += powers[u][d];
}

bool account_is_pure(const struct account_measured *v) {
    static const int none[ACCOUNT_DIMENSIONS];
    return memcmp(v->power, none, sizeof none) == 0;
}

void account_multiply(struct account_measured *l, const struct account_measured *r, int sign) {
    l->bare = l->bare || r->bare || account_is_pure(l) != account_is_pure(r);
    l->mixed |= r->mixed;
    l->noun |= r->noun;
    l->number = sign > 0 ? l->number * r->number : l->number / r->number;
    l->scales += sign * r->scales;
    for (int d = 0; d < ACCOUNT_DIMENSIONS; d++) l->power[d] += sign * r->power[d];
}

/* ── what fits ─────────────────────────────────────────────────────────────────────────────────*/

enum family { SIZE, COUNT, PER_PARAM, GPUS, TIME, OTHER };

static enum family family_of(enum account_unit u) {
    if (account_is_size(u)) return SIZE;
    switch (u) {
    case ACCOUNT_UNIT_PARAMS:
    case ACCOUNT_UNIT_BILLION: return COUNT;
    case ACCOUNT_UNIT_B_PER_PARAM: return PER_PARAM;
    case ACCOUNT_UNIT_GPUS: return GPUS;
    case ACCOUNT_UNIT_SECONDS:
    case ACCOUNT_UNIT_MS: return TIME;
    default: return OTHER;
    }
}

/* Seconds, bytes over bytes per second, and what leaves some of these units out: "2 × 14e9 ÷ 25e9",
 * "14 GB ÷ 25". */
static enum account_suits suits_time(const struct account_measured *v) {
    int bytes = v->power[ACCOUNT_OF_BYTES], params = v->power[ACCOUNT_OF_PARAMS],
        seconds = v->power[ACCOUNT_OF_SECONDS];
    if (seconds == 1 && bytes == 0 && params == 0) return ACCOUNT_SUITS;
    if (seconds == 0 && bytes == 0 && params == 0) return ACCOUNT_SUITS_IMPLIED;
    bool left_out = v->bare && seconds >= 0 && seconds <= 1;
    return left_out ? ACCOUNT_SUITS_IMPLIED : ACCOUNT_SUITS_NOT;
}

enum need { NOTHING, BARE, NO_NOUN };

/* Powers of bytes and of parameters that answer what is asked. Where something bare went in, it may
 * have been "bytes a parameter" or "parameters". */
static const struct {
    enum family asked;
    int bytes, params;
    enum need need;
    enum account_suits fit;
} fits[] = {
    {SIZE, 1, 0, NOTHING, ACCOUNT_SUITS},
    {SIZE, 1, 1, NOTHING, ACCOUNT_SUITS_IMPLIED},     /* 16B × 1.3B */
    {SIZE, 0, 1, BARE, ACCOUNT_SUITS_IMPLIED},        /* 16 × 1.3B */
    {SIZE, 0, 1, NO_NOUN, ACCOUNT_SUITS_IF_CARELESS}, /* 20.8B */
    {SIZE, 1, -1, BARE, ACCOUNT_SUITS_IMPLIED},       /* 16 B/param × 1.3e9 */
    {SIZE, 0, 0, NOTHING, ACCOUNT_SUITS_IMPLIED},
    {COUNT, 0, 1, NOTHING, ACCOUNT_SUITS},
    {COUNT, 1, 0, BARE, ACCOUNT_SUITS_IMPLIED}, /* 48 GB ÷ 16 */
    {COUNT, 0, 0, NOTHING, ACCOUNT_SUITS_IMPLIED},
    {PER_PARAM, 1, -1, NOTHING, ACCOUNT_SUITS},
    {PER_PARAM, 1, 0, NOTHING, ACCOUNT_SUITS}, /* 16 B */
    {PER_PARAM, 0, 0, NOTHING, ACCOUNT_SUITS_IMPLIED},
    {GPUS, 0, 0, NOTHING, ACCOUNT_SUITS},
};

static bool has(const struct account_measured *v, enum need need) {
    return need == NOTHING || (need == BARE ? v->bare : !v->noun);
}

/* "÷ 64 GPUs" and "64 GPUs ×" are no matter, but a number of GPUs alone is no size. */
static bool only_counts_gpus(const struct account_measured *v) {
    return v->power[ACCOUNT_OF_GPUS] > 0 && v->power[ACCOUNT_OF_BYTES] == 0 &&
           v->power[ACCOUNT_OF_PARAMS] == 0;
}

enum account_suits account_suits(const struct account_measured *v, enum account_unit asked) {
    enum family family = family_of(asked);
    if (v->mixed) return ACCOUNT_SUITS_NOT;
    if (asked == ACCOUNT_UNIT_NONE) return ACCOUNT_SUITS;
    if (family == TIME) return suits_time(v);
    if (family == OTHER) return account_is_pure(v) ? ACCOUNT_SUITS : ACCOUNT_SUITS_NOT;
    if (v->power[ACCOUNT_OF_SECONDS] || (family != GPUS && only_counts_gpus(v)))
        return ACCOUNT_SUITS_NOT;
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++)
        if (fits[i].asked == family && fits[i].bytes == v->power[ACCOUNT_OF_BYTES] &&
            fits[i].params == v->power[ACCOUNT_OF_PARAMS] && has(v, fits[i].need))
            return fits[i].fit;
    return ACCOUNT_SUITS_NOT;
}

/* ── adding ────────────────────────────────────────────────────────────────────────────────────*/

static bool alike(const struct account_measured *l, const struct account_measured *r) {
    return l->power[ACCOUNT_OF_BYTES] == r->power[ACCOUNT_OF_BYTES] &&
           l->power[ACCOUNT_OF_PARAMS] == r->power[ACCOUNT_OF_PARAMS] &&
           l->power[ACCOUNT_OF_SECONDS] == r->power[ACCOUNT_OF_SECONDS];
}

static void take_measure(struct account_measured *l, const struct account_measured *r) {
    memcpy(l->power, r->power, sizeof l->power);
    l->bare = r->bare;
}

static bool is_bytes(const struct account_measured *v) {
    return account_suits(v, ACCOUNT_UNIT_B) <= ACCOUNT_SUITS_IMPLIED;
}

/* Where a bare number and one with a unit meet, the unit wins; two ways to say bytes are bytes. */
void account_add_up(struct account_measured *l, const struct account_measured *r, int sign) {
    struct account_measured bytes = {.power = {1}};
    l->mixed |= r->mixed;
    l->noun |= r->noun;
    l->number += sign * r->number;
    if (r->scales > l->scales) l->scales = r->scales;
    if (account_is_pure(l))
        take_measure(l, r);
    else if (account_is_pure(r))
        return;
    else if (alike(l, r))
        l->bare = l->bare && r->bare;
    else if (is_bytes(l) && is_bytes(r))
        take_measure(l, &bytes);
    else
        l->mixed = true;
}

void account_raise(struct account_measured *l, double power) {
    bool usual = l->number == 2 || l->number == 10 || l->number == 1024;
    if (account_is_pure(l) && power > 2 && (usual || l->scales > 0)) l->scales = 1;
    if (!account_is_pure(l) && power != 1) l->mixed = true;
    l->number = pow(l->number, power);
}
