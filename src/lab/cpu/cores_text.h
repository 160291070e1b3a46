/* Included by cores_float.c and cores_double.c with REAL, OF and TABLE defined; the formulas are
 * arith.h's. Sums run in LANES lanes that are added in a fixed order at the end: vectors without
 * leave to reorder, and the same bits on every rank. */

enum { LANES = 64 / sizeof(REAL) };

static inline REAL total(const REAL *lane) {
    REAL sum = 0;
    for (size_t i = 0; i < LANES; i++) sum += lane[i];
    return sum;
}

LAB_WIDE static void add(void *to, const void *a, const void *b, size_t n) {
    REAL *out = to;
    const REAL *x = a, *y = b;
    for (size_t i = 0; i < n; i++) out[i] = x[i] + y[i];
}

/* ── element by element ── */

LAB_WIDE static void gelu(void *to, const void *from, size_t n) {
    REAL *y = to;
    const REAL *x = from;
    for (size_t i = 0; i < n; i++) y[i] = OF(gelu)(x[i]);
}

LAB_WIDE static void gelu_backward(void *to, const void *from, const void *at, size_t n) {
    REAL *dx = to;
    const REAL *dy = from, *x = at;
    for (size_t i = 0; i < n; i++) dx[i] = OF(gelu_backward)(dy[i], x[i]);
}

/* ── LayerNorm ── */

struct moments {
    /* 1 / √(variance + ε) */
    REAL mean, inverse;
};
static inline struct moments moments_of(const REAL *x, size_t n) {
    REAL lane[LANES] = {0}, square[LANES] = {0};
    size_t whole = n / LANES * LANES;
    for (size_t i = 0; i < whole; i += LANES)
        for (size_t l = 0; l < LANES; l++) lane[l] += x[i + l];
    for (size_t i = whole; i < n; i++) lane[i - whole] += x[i];
    REAL mean = total(lane) / (REAL)n;
    for (size_t i = 0; i < whole; i += LANES)
        for (size_t l = 0; l < LANES; l++) square[l] += (x[i + l] - mean) * (x[i + l] - mean);
    for (size_t i = whole; i < n; i++) square[i - whole] += (x[i] - mean) * (x[i] - mean);
    return (struct moments){mean, OF(norm_inverse)(total(square), n)};
}

LAB_WIDE static void norm(void *to, const void *from, const void *weights, const void *biases,
                          size_t n) {
    REAL *y = to;
    const REAL *x = from, *weight = weights, *bias = biases;
    struct moments m = moments_of(x, n);
    for (size_t i = 0; i < n; i++) y[i] = OF(norm)(x[i], m.mean, m.inverse, weight[i], bias[i]);
}

LAB_WIDE static void norm_backward(void *to, bool add_to, void *dweights, void *dbiases,
                                   const void *from, const void *at, const void *weights,
                                   size_t n) {
    REAL *dx = to, *dweight = dweights, *dbias = dbiases;
    const REAL *dy = from, *x = at, *weight = weights;
    struct moments m = moments_of(x, n);
    REAL g[LANES] = {0}, gx[LANES] = {0};
    size_t whole = n / LANES * LANES;
    for (size_t i = 0; i < whole; i += LANES)
        for (size_t l = 0; l < LANES; l++) {
            g[l] += dy[i + l] * weight[i + l];
            gx[l] += dy[i + l] * weight[i + l] * (x[i + l] - m.mean);
        }
    for (size_t i = whole; i < n; i++) {
        g[i - whole] += dy[i] * weight[i];
        gx[i - whole] += dy[i] * weight[i] * (x[i] - m.mean);
    }
    REAL mean_g = total(g) / (REAL)n, mean_gx = total(gx) * m.inverse / (REAL)n;
    for (size_t i = 0; i < n; i++) {
        REAL hat = (x[i] - m.mean) * m.inverse, gradient = dy[i];
        dweight[i] += gradient * hat;
        dbias[i] += gradient;
        dx[i] = OF(norm_backward)(gradient, weight[i], hat, mean_g, mean_gx, m.inverse) +
                (add_to ? dx[i] : 0);
    }
}

/* ── softmax ── */

static inline REAL highest(const REAL *x, size_t n) {
    REAL lane[LANES];
    size_t whole = n / LANES * LANES;
    for (size_t l = 0; l < LANES; l++) lane[l] = x[0];
    for (size_t i = 0; i < whole; i += LANES)
        for (size_t l = 0; l < LANES; l++) lane[l] = x[i + l] > lane[l] ? x[i + l] : lane[l];
    for (size_t i = whole; i < n; i++) lane[0] = x[i] > lane[0] ? x[i] : lane[0];
    for (size_t l = 1; l < LANES; l++) lane[0] = lane[l] > lane[0] ? lane[l] : lane[0];
    return lane[0];
}
/* x becomes e^(x − top); their sum. */
static inline REAL exponents(REAL *x, size_t n, REAL top) {
    REAL lane[LANES] = {0};
    size_t whole = n / LANES * LANES;
    for (size_t i = 0; i < n; i++) x[i] = OF(exp)(x[i] - top);
    for (size_t i = 0; i < whole; i += LANES)
        for (size_t l = 0; l < LANES; l++) lane[l] += x[i + l];
    for (size_t i = whole; i < n; i++) lane[i - whole] += x[i];
    return total(lane);
}

LAB_WIDE static void softmax(void *in_place, size_t n) {
    REAL *x = in_place;
    REAL scale = 1 / exponents(x, n, highest(x, n));
    for (size_t i = 0; i < n; i++) x[i] *= scale;
}

LAB_WIDE static void softmax_backward(void *in_place, const void *output, size_t n, double scale) {
    REAL *dp = in_place, lane[LANES] = {0};
    const REAL *p = output;
    size_t whole = n / LANES * LANES;
    for (size_t i = 0; i < whole; i += LANES)
        for (size_t l = 0; l < LANES; l++) lane[l] += dp[i + l] * p[i + l];
    for (size_t i = whole; i < n; i++) lane[i - whole] += dp[i] * p[i];
    REAL sum = total(lane), times = (REAL)scale;
    for (size_t i = 0; i < n; i++) dp[i] = p[i] * (dp[i] - sum) * times;
}

LAB_WIDE static double cross_entropy(void *in_place, size_t n, size_t target, double scale) {
    REAL *x = in_place, top = highest(x, n), correct = x[target];
    REAL sum = exponents(x, n, top), times = (REAL)scale / sum;
    for (size_t i = 0; i < n; i++) x[i] *= times;
    x[target] -= (REAL)scale;
    return OF(loss)(sum, top, correct);
}

const struct lab_cores TABLE = {add,           gelu,    gelu_backward,    norm,
                                norm_backward, softmax, softmax_backward, cross_entropy};
