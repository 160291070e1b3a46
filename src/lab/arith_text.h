/* Included by arith.h with LAB_REAL and LAB_NAME defined, once for each type computed in. */

/* ── GELU: x · Φ(x) in its tanh form (Hendrycks and Gimpel, arXiv:1606.08415) ──
 *
 * With ½ (1 + tanh u) = 1 / (1 + e^-2u). */

/* e^-2u, with u = √(2/π) (x + 0.044715 x³) */
LAB_BOTH LAB_REAL LAB_NAME(gelu_exponent)(LAB_REAL x) {
    const LAB_REAL root = (LAB_REAL)0.79788456080286535588, cubic = (LAB_REAL)0.044715;
    LAB_REAL u = root * (x + cubic * x * x * x);
    return LAB_NAME(exp)(-2 * u);
}
LAB_BOTH LAB_REAL LAB_NAME(gelu)(LAB_REAL x) {
    return LAB_NAME(over)(x, 1 + LAB_NAME(gelu_exponent)(x));
}
LAB_BOTH LAB_REAL LAB_NAME(gelu_backward)(LAB_REAL dy, LAB_REAL x) {
    const LAB_REAL root = (LAB_REAL)0.79788456080286535588, cubic = (LAB_REAL)0.044715;
    LAB_REAL slope = root * (1 + 3 * cubic * x * x);
    LAB_REAL s = LAB_NAME(over)(1, 1 + LAB_NAME(gelu_exponent)(x));
    return dy * (s + 2 * x * s * (1 - s) * slope);
}

/* ── LayerNorm (Ba et al., arXiv:1607.06450) ── */

/* 1 / √(variance + ε), of Σ (x − mean)² over n values */
LAB_BOTH LAB_REAL LAB_NAME(norm_inverse)(LAB_REAL squares, size_t n) {
    return 1 / LAB_NAME(root)(squares / (LAB_REAL)n + (LAB_REAL)1e-5);
}
LAB_BOTH LAB_REAL LAB_NAME(norm)(LAB_REAL x, LAB_REAL mean, LAB_REAL inverse, LAB_REAL weight,
                                 LAB_REAL bias) {
    return (x - mean) * inverse * weight + bias;
}
/* With x̂ the normalised x and g = dy · weight: dx = (g − mean(g) − x̂ · mean(g x̂)) /
 * deviation. */
LAB_BOTH LAB_REAL LAB_NAME(norm_backward)(LAB_REAL dy, LAB_REAL weight, LAB_REAL hat,
                                          LAB_REAL mean_g, LAB_REAL mean_gx, LAB_REAL inverse) {
    return (dy * weight - mean_g - hat * mean_gx) * inverse;
}

/* ── cross-entropy over x of softmax: Σ e^(x − top) is `sum` ── */

/* −log p of the one whose x is `correct` */
LAB_BOTH double LAB_NAME(loss)(LAB_REAL sum, LAB_REAL top, LAB_REAL correct) {
    return log((double)sum) + (double)top - (double)correct;
}
