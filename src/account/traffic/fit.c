/* fit: latency and rate of a link, from times of collectives over it. */
#include "account/traffic/traffic.h"

#include <math.h>

/* Sums of a least-squares fit of  latency · a + (1 ÷ rate) · b = 1,  where a and b are hops and
 * bytes over the measured time: so that each point counts by its relative error. */
struct sums {
    double aa, ab, bb, a, b;
};

static struct sums sums_of(const struct account_link_point *p, size_t n) {
    struct sums s = {0, 0, 0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        double a = p[i].hops / p[i].seconds, b = p[i].bytes / p[i].seconds;
        s.aa += a * a;
        s.ab += a * b;
        s.bb += b * b;
        s.a += a;
        s.b += b;
    }
    return s;
}

double account_link_seconds(const struct account_link_fit *f, double hops, double bytes) {
    return f->latency * hops + (f->rate > 0 ? bytes / f->rate : 0);
}

bool account_fit_link(const struct account_link_point *p, size_t n, struct account_link_fit *out) {
    double inverse, squares = 0;
    *out = (struct account_link_fit){0, 0, 0};
    for (size_t i = 0; i < n; i++)
        if (!(p[i].seconds > 0) || !isfinite(p[i].seconds)) return false;
    struct sums s = sums_of(p, n);
    double determinant = s.aa * s.bb - s.ab * s.ab;
    if (n < 2 || !(determinant > 1e-9 * s.aa * s.bb)) return false;
    out->latency = (s.a * s.bb - s.b * s.ab) / determinant;
    inverse = (s.b * s.aa - s.a * s.ab) / determinant;
    /* Neither is below nothing: then the other explains the times alone. */
    if (out->latency < 0) out->latency = 0, inverse = s.b / s.bb;
    if (inverse < 0) out->latency = s.a / s.aa, inverse = 0;
    out->rate = inverse > 0 ? 1 / inverse : 0;
    for (size_t i = 0; i < n; i++) {
        double off = account_link_seconds(out, p[i].hops, p[i].bytes) / p[i].seconds - 1;
        squares += off * off;
    }
    out->residual = sqrt(squares / (double)n);
    return true;
}
