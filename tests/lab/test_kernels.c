/* The CPU's kernels, each against plain loops in double. */
#include "lab/cpu/cpu.h"
#include "lab/arith.h"
#include "lab/options.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct lab_device *cpu;
static int open_cpu(void **state) {
    (void)state;
    struct lab_message m;
    cpu = lab_cpu_open(&m);
    return cpu ? 0 : -1;
}
static int close_cpu(void **state) {
    (void)state;
    cpu->row->close(cpu);
    return 0;
}

/* ── 16 bits ── */

static double half_slowly(unsigned h) {
    double sign = h & 0x8000 ? -1 : 1;
    unsigned exponent = h >> 10 & 31, fraction = h & 1023;
    if (exponent == 31) return fraction ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent ? ldexp(1024 + fraction, (int)exponent - 25) : ldexp(fraction, -24));
}

static void every_half_goes_there_and_back(void **state) {
    (void)state;
    for (unsigned h = 0; h < 65536; h++) {
        float f = lab_f16_to_float((uint16_t)h), b = lab_bf16_to_float((uint16_t)h);
        double slow = half_slowly(h);
        if (isnan(slow)) {
            assert_true(isnan(f) && isnan(lab_f16_to_float(lab_float_to_f16(f))));
        } else {
            assert_true((double)f == slow && !signbit(f) == !signbit(slow));
            assert_int_equal(lab_float_to_f16(f), h);
        }
        if (isnan(b))
            assert_true(isnan(lab_bf16_to_float(lab_float_to_bf16(b))));
        else
            assert_int_equal(lab_float_to_bf16(b), h);
    }
}

static void between_two_halves_the_even_one(void **state) {
    (void)state;
    for (unsigned h = 0; h < 0x7bff; h++) {
        double middle = (half_slowly(h) + half_slowly(h + 1)) / 2;
        assert_int_equal(lab_float_to_f16((float)middle), h % 2 ? h + 1 : h);
        assert_int_equal(lab_float_to_f16(nextafterf((float)middle, 1e6f)), h + 1);
        assert_int_equal(lab_float_to_f16(nextafterf((float)middle, -1)), h);
    }
    assert_int_equal(lab_float_to_f16(65519.996f), 0x7bff);
    assert_int_equal(lab_float_to_f16(65520), 0x7c00);
    assert_int_equal(lab_float_to_bf16(lab_float_of(0x3f808000)), 0x3f80);
    assert_int_equal(lab_float_to_bf16(lab_float_of(0x3f818000)), 0x3f82);
}

/* ── numbers to compute with ── */

static double value_at(size_t i) {
    return sin((double)(i * i % 7919) * 0.37) * 2;
}
static void *numbers(enum lab_dtype type, size_t n, size_t salt) {
    float *f = malloc(n * sizeof *f);
    void *out = malloc(n * lab_dtype_bytes(type));
    for (size_t i = 0; i < n; i++) f[i] = (float)value_at(i + salt);
    cpu->row->cast(cpu, out, type, f, LAB_F32, n);
    free(f);
    return out;
}
static double number(enum lab_dtype type, const void *x, size_t i) {
    double wide;
    float f;
    if (type == LAB_F64) memcpy(&wide, lab_element_at(type, x, i), sizeof wide);
    if (type == LAB_F64) return wide;
    memcpy(&f, lab_line(type, x, i, 1, &f), sizeof f);
    return (double)f;
}
static const double unit[LAB_DTYPES] = {
    1e-6, 8e-3, 1e-3,
    1e-14}; /* what a result may be off: rounding it, and in fp32 some operations */
static void near(enum lab_dtype type, double got, double wanted, double size, const char *what) {
    if (!(fabs(got - wanted) <= unit[type] * (fabs(wanted) + 0.05 * size) + 1e-15))
        fail_msg("%s in %s: %.10g, wanted %.10g", what, lab_dtype_name(type), got, wanted);
}

/* ── matrix products ── */

/* Half a unit in the last place, relative; fp32, bf16, fp16, fp64. */
static const double roundoff[LAB_DTYPES] = {0x1p-24, 0x1p-8, 0x1p-11, 0x1p-53};
/* A sum of so many terms, in whichever order a BLAS takes them, fused or not, is off by at most γ =
 * terms·u ÷ (1 − terms·u) of the terms' absolute values (N. Higham, Accuracy and Stability of
 * Numerical Algorithms, 2nd ed., 3.1 and 3.5); then it is rounded. In fp64 the loop that it is held
 * against is off as much. */
static void summed(enum lab_dtype type, double got, double wanted, double terms, double absolute,
                   double rounded, const char *what) {
    double u = roundoff[lab_real(type)], sums = terms * u / (1 - terms * u) * absolute;
    double least = type == LAB_F16 ? 0x1p-25 : 0; /* its subnormal numbers are that coarse */
    double most = 2 * sums + roundoff[type] * rounded + least;
    if (!(fabs(got - wanted) <= most))
        fail_msg("%s of %g terms in %s: %.10g, wanted %.10g, which may be off by %.3g", what, terms,
                 lab_dtype_name(type), got, wanted, most);
}

struct product {
    uint32_t m, n, k, batch;
};
static void check_product(enum lab_dtype type, struct product p, unsigned bits) {
    bool ta = bits & 1, tb = bits & 2, add = bits & 4, wide = bits & 8;
    enum lab_dtype result = wide ? lab_real(type) : type;
    uint32_t lda = (ta ? p.m : p.k) + 3, ldb = (tb ? p.k : p.n) + 1, ldc = p.n + 2;
    size_t sa = (size_t)lda * (ta ? p.k : p.m), sb = (size_t)ldb * (tb ? p.n : p.k),
           sc = (size_t)ldc * p.m;
    void *a = numbers(type, sa * p.batch, 1), *b = numbers(type, sb * p.batch, 2),
         *c = numbers(result, sc * p.batch, 3);
    void *old = numbers(result, sc * p.batch, 3);
    struct lab_matmul x = {c,   a,   b,       p.m, p.n, p.k, ta,  tb,   add,  lda,
                           ldb, ldc, p.batch, sa,  sb,  sc,  0.5, wide, NULL, NULL};
    cpu->row->matmul(cpu, type, &x);
    for (size_t at = 0; at < sc * p.batch; at += 1 + sc * p.batch / 400) {
        size_t i = at % sc / ldc, j = at % ldc, z = at / sc;
        double before = number(result, old, at), sum = add || j >= p.n ? before : 0,
               absolute = fabs(sum);
        for (size_t k = 0; j < p.n && k < p.k; k++) {
            double term = 0.5 * number(type, a, z * sa + (ta ? k * lda + i : i * lda + k)) *
                          number(type, b, z * sb + (tb ? j * ldb + k : k * ldb + j));
            sum += term, absolute += fabs(term);
        }
        if (j < p.n)
            summed(result, number(result, c, at), sum, p.k + 2, absolute, fabs(sum), "product");
        else
            assert_true(number(result, c, at) == before); /* between C's rows nothing is written */
    }
    free(a), free(b), free(c), free(old);
}

static void products_are_right(void **state) {
    (void)state;
    static const struct product shapes[] = {
        {5, 7, 3, 1}, {1, 33, 64, 3}, {300, 530, 20, 1}, {17, 19, 1100, 2}};
    for (enum lab_dtype type = 0; type < LAB_DTYPES; type++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (unsigned bits = 0; bits < 16; bits++) check_product(type, shapes[s], bits);
}

static void biases_and_residuals_are_added(void **state) {
    (void)state;
    enum { ROWS = 9, OUT = 21, IN = 13 };
    for (enum lab_dtype type = 0; type < LAB_DTYPES; type++) {
        void *x = numbers(type, ROWS * IN, 1), *w = numbers(type, OUT * IN, 2),
             *b = numbers(type, OUT, 3), *r = numbers(type, ROWS * OUT, 4),
             *y = numbers(type, ROWS * OUT, 5);
        struct lab_matmul m = {.c = y,
                               .a = x,
                               .b = w,
                               .m = ROWS,
                               .n = OUT,
                               .k = IN,
                               .b_transposed = true,
                               .bias = b,
                               .residual = r};
        cpu->row->matmul(cpu, type, &m);
        for (size_t i = 0; i < ROWS * OUT; i++) {
            double sum = number(type, b, i % OUT) + number(type, r, i),
                   absolute = fabs(number(type, b, i % OUT)) + fabs(number(type, r, i));
            for (size_t k = 0; k < IN; k++) {
                double term = number(type, x, i / OUT * IN + k) * number(type, w, i % OUT * IN + k);
                sum += term, absolute += fabs(term);
            }
            summed(type, number(type, y, i), sum, IN + 2, absolute, 3 * absolute, "linear");
        }
        free(x), free(w), free(b), free(r), free(y);
    }
}

/* ── element by element ── */

enum { N = 2503 };

static void gelu_is_its_formula(void **state) {
    (void)state;
    for (enum lab_dtype type = 0; type < LAB_DTYPES; type++) {
        void *x = numbers(type, N, 5), *y = numbers(type, N, 6), *dx = numbers(type, N, 7);
        double *dy = malloc(N * sizeof *dy);
        for (size_t i = 0; i < N; i++) dy[i] = number(type, dx, i);
        cpu->row->gelu(cpu, type, y, x, N);
        cpu->row->gelu_backward(cpu, type, dx, dx, x, N);
        for (size_t i = 0; i < N; i++) {
            double v = number(type, x, i),
                   t = tanh(sqrt(2 / acos(-1)) * (v + 0.044715 * v * v * v));
            double slope = 0.5 * (1 + t) +
                           0.5 * v * (1 - t * t) * sqrt(2 / acos(-1)) * (1 + 3 * 0.044715 * v * v);
            near(type, number(type, y, i), 0.5 * v * (1 + t), 10, "gelu");
            near(type, number(type, dx, i), dy[i] * slope, 10, "its slope");
        }
        free(x), free(y), free(dx), free(dy);
    }
}

static void sums_are_exact_enough(void **state) {
    (void)state;
    size_t rows = 50, columns = 1500;
    for (enum lab_dtype type = 0; type < LAB_DTYPES; type++) {
        void *x = numbers(type, rows * columns, 1), *sum = numbers(type, columns, 2);
        double squares = 0, *wanted = malloc(columns * sizeof *wanted);
        for (size_t c = 0; c < columns; c++) wanted[c] = number(type, sum, c);
        for (size_t i = 0; i < rows * columns; i++) {
            wanted[i % columns] += number(type, x, i);
            squares += number(type, x, i) * number(type, x, i);
        }
        cpu->row->bias_gradient(cpu, type, sum, true, x, rows, columns);
        for (size_t c = 0; c < columns; c++)
            near(type, number(type, sum, c), wanted[c], 200, "sum of a column");
        cpu->row->add_squares(cpu, type, x, rows * columns);
        double got = cpu->row->take_squares(cpu);
        assert_true(fabs(got - squares) < 1e-7 * squares);
        free(x), free(sum), free(wanted);
    }
    float bad[40] = {0};
    bad[37] = INFINITY;
    cpu->row->add_squares(cpu, LAB_F32, bad, 40);
    assert_true(isinf(cpu->row->take_squares(cpu)));
    assert_true(cpu->row->take_squares(cpu) == 0);
    bad[3] = NAN;
    cpu->row->add_squares(cpu, LAB_F32, bad, 40);
    assert_true(isnan(cpu->row->take_squares(cpu)));
}

static void norm_has_mean_and_deviation(void **state) {
    (void)state;
    static const size_t widths[] = {3, 16, 100, 1600};
    for (enum lab_dtype type = 0; type < LAB_DTYPES; type++)
        for (size_t w = 0; w < 4; w++) {
            size_t c = widths[w];
            void *x = numbers(type, 4 * c, 11), *y = numbers(type, 4 * c, 12),
                 *g = numbers(type, c, 13), *b = numbers(type, c, 14);
            cpu->row->norm(cpu, type, y, x, g, b, 4, c);
            for (size_t r = 0; r < 4; r++) {
                double mean = 0, variance = 0;
                for (size_t i = 0; i < c; i++) mean += number(type, x, r * c + i) / (double)c;
                for (size_t i = 0; i < c; i++)
                    variance += pow(number(type, x, r * c + i) - mean, 2) / (double)c;
                for (size_t i = 0; i < c; i++)
                    near(type, number(type, y, r * c + i),
                         (number(type, x, r * c + i) - mean) / sqrt(variance + 1e-5) *
                                 number(type, g, i) +
                             number(type, b, i),
                         100, "norm");
            }
            free(x), free(y), free(g), free(b);
        }
}

static void a_residual_is_rounded_before_its_norm(void **state) {
    (void)state;
    enum { ROWS = 3, WIDTH = 50 };
    for (enum lab_dtype type = 0; type < LAB_DTYPES; type++) {
        void *a = numbers(type, ROWS * WIDTH, 1), *b = numbers(type, ROWS * WIDTH, 2),
             *g = numbers(type, WIDTH, 3), *sum = numbers(type, ROWS * WIDTH, 4),
             *y = numbers(type, ROWS * WIDTH, 5), *again = numbers(type, ROWS * WIDTH, 6);
        cpu->row->add_norm(cpu, type, sum, y, a, b, g, g, ROWS, WIDTH);
        cpu->row->norm(cpu, type, again, sum, g, g, ROWS, WIDTH);
        assert_memory_equal(y, again, ROWS * WIDTH * lab_dtype_bytes(type));
        for (size_t i = 0; i < ROWS * WIDTH; i++)
            near(type, number(type, sum, i), number(type, a, i) + number(type, b, i), 1,
                 "residual");
        free(a), free(b), free(g), free(sum), free(y), free(again);
    }
}

/* ── lookup, loss, update ── */

static void lookup_adds_equal_tokens_in_one_sum(void **state) {
    (void)state;
    enum { ROWS = 6, SEQ = 3, WIDTH = 5 };
    static const int32_t tokens[ROWS] = {2, 0, 2, 2, 1, 0};
    for (enum lab_dtype type = 0; type < LAB_DTYPES; type++) {
        void *dx = numbers(type, ROWS * WIDTH, 1), *wte = numbers(type, 4 * WIDTH, 2),
             *wpe = numbers(type, SEQ * WIDTH, 3);
        void *x = numbers(type, ROWS * WIDTH, 4), *dwte = numbers(type, 4 * WIDTH, 2),
             *dwpe = numbers(type, SEQ * WIDTH, 3);
        cpu->row->embed(cpu, type, x, tokens, wte, wpe, ROWS, SEQ, WIDTH);
        cpu->row->embed_backward(cpu, type, dwte, dwpe, dx, tokens, ROWS, SEQ, WIDTH);
        double of_token[4 * WIDTH], of_place[SEQ * WIDTH];
        for (size_t i = 0; i < 4 * WIDTH; i++) of_token[i] = number(type, wte, i);
        for (size_t i = 0; i < SEQ * WIDTH; i++) of_place[i] = number(type, wpe, i);
        for (size_t r = 0; r < ROWS; r++)
            for (size_t c = 0; c < WIDTH; c++) {
                double t = number(type, wte, (size_t)tokens[r] * WIDTH + c),
                       p = number(type, wpe, r % SEQ * WIDTH + c);
                near(type, number(type, x, r * WIDTH + c), t + p, 10, "lookup");
                of_token[(size_t)tokens[r] * WIDTH + c] += number(type, dx, r * WIDTH + c);
                of_place[r % SEQ * WIDTH + c] += number(type, dx, r * WIDTH + c);
            }
        for (size_t i = 0; i < 4 * WIDTH; i++)
            near(type, number(type, dwte, i), of_token[i], 10, "gradient of a token");
        for (size_t i = 0; i < SEQ * WIDTH; i++)
            near(type, number(type, dwpe, i), of_place[i], 10, "gradient of a place");
        free(dx), free(wte), free(wpe), free(x), free(dwte), free(dwpe);
    }
}

static void loss_is_minus_log_p(void **state) {
    (void)state;
    enum { ROWS = 3, VOCAB = 2100, COLUMNS = 2112 };
    static const int32_t targets[ROWS] = {0, 7, 2099};
    for (enum lab_dtype type = 0; type < LAB_DTYPES; type++) {
        enum lab_dtype real = lab_real(type);
        void *logits = numbers(real, ROWS * COLUMNS, 1), *before = numbers(real, ROWS * COLUMNS, 1);
        double wanted = 0;
        cpu->row->cross_entropy(cpu, type, logits, targets, ROWS, VOCAB, COLUMNS, 3);
        double loss = cpu->row->take_loss(cpu);
        for (size_t r = 0; r < ROWS; r++) {
            double sum = 0;
            const char *row = lab_element_at(real, logits, r * COLUMNS);
            for (size_t i = 0; i < VOCAB; i++) sum += exp(number(real, before, r * COLUMNS + i));
            wanted += log(sum) - number(real, before, r * COLUMNS + (size_t)targets[r]);
            for (size_t i = 0; i < VOCAB; i++) {
                double p = exp(number(real, before, r * COLUMNS + i)) / sum;
                near(type, number(type, row, i), 3 * (p - ((int32_t)i == targets[r])),
                     type == LAB_F16 ? 0.01 : 1e-3, "slope of a logit");
            }
            for (size_t i = VOCAB; i < COLUMNS; i++) assert_true(number(type, row, i) == 0);
        }
        assert_true(fabs(loss - wanted) < 1e-5);
        free(logits), free(before);
    }
}

/* Far from zero: exponents neither overflow nor lose the rest. */
static void loss_survives_great_logits(void **state) {
    (void)state;
    float logits[4] = {-3e4f, 3e4f, 2.9999e4f, -INFINITY};
    int32_t target = 2;
    cpu->row->cross_entropy(cpu, LAB_F32, logits, &target, 1, 4, 4, 1);
    double loss = cpu->row->take_loss(cpu);
    assert_true(fabs(loss - (1 + log1p(exp(-1)))) < 1e-5 * loss);
    assert_true(fabsf(logits[0]) < 1e-30f && fabsf(logits[3]) < 1e-30f);
}

static void adam_is_its_formula(void **state) {
    (void)state;
    enum { STEPS = 5, BARE = 1201 };
    for (enum lab_dtype type = LAB_F32; type <= LAB_F16; type++) {
        void *param = numbers(type, N, 1), *grad = numbers(type, N, 2);
        float *master = numbers(LAB_F32, N, 1), *m = calloc(N, sizeof *m),
              *v = calloc(N, sizeof *v);
        bool own = type == LAB_F32;
        for (uint32_t step = 1; step <= STEPS; step++) {
            struct lab_adam x = {.param = param,
                                 .master = own ? NULL : master,
                                 .m = m,
                                 .v = v,
                                 .grad = grad,
                                 .n = N,
                                 .rate = 0.01,
                                 .beta1 = 0.9,
                                 .beta2 = 0.99,
                                 .eps = 1e-8,
                                 .decay = 0.1,
                                 .grad_scale = 0.5,
                                 .step = step,
                                 .pieces = 3,
                                 .piece = {{100, true}, {BARE, false}, {N, true}}};
            cpu->row->adam(cpu, type, type, &x);
        }
        for (size_t i = 0; i < N; i++) {
            double w = (double)(float)value_at(i + 1), g = 0.5 * number(type, grad, i), a = 0,
                   b = 0;
            for (int step = 1; step <= STEPS; step++) {
                a = 0.9 * a + 0.1 * g, b = 0.99 * b + 0.01 * g * g;
                w -= 0.01 * (a / (1 - pow(0.9, step)) / (sqrt(b / (1 - pow(0.99, step))) + 1e-8) +
                             (i < 100 || i >= BARE ? 0.1 : 0) * w);
            }
            if (!own) near(LAB_F32, (double)master[i], w, 100, "master weight");
            near(type, number(type, param, i), w, own ? 100 : 1, "weight");
        }
        free(param), free(grad), free(master), free(m), free(v);
    }
}

static void a_device_of_nothing_gives_addresses(void **state) {
    (void)state;
    struct lab_device *d = lab_null_open();
    void *a = NULL, *b = NULL;
    assert_true(d->row->alloc(d, &a, SIZE_MAX / 1024) && d->row->alloc(d, &b, 0));
    assert_true(a && b && a != b && (uintptr_t)a % 64 == 0 && (uintptr_t)b % 64 == 0);
    struct lab_matmul x = {.c = a, .a = a, .b = b, .m = 9, .n = 9, .k = 9};
    d->row->matmul(d, LAB_F32, &x);
    d->row->add_squares(d, LAB_F32, a, 100);
    assert_true(d->row->take_squares(d) == 0);
    d->row->close(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_half_goes_there_and_back),
        cmocka_unit_test(between_two_halves_the_even_one),
        cmocka_unit_test(products_are_right),
        cmocka_unit_test(biases_and_residuals_are_added),
        cmocka_unit_test(gelu_is_its_formula),
        cmocka_unit_test(sums_are_exact_enough),
        cmocka_unit_test(norm_has_mean_and_deviation),
        cmocka_unit_test(a_residual_is_rounded_before_its_norm),
        cmocka_unit_test(lookup_adds_equal_tokens_in_one_sum),
        cmocka_unit_test(loss_is_minus_log_p),
        cmocka_unit_test(loss_survives_great_logits),
        cmocka_unit_test(adam_is_its_formula),
        cmocka_unit_test(a_device_of_nothing_gives_addresses),
    };
    return cmocka_run_group_tests(tests, open_cpu, close_cpu);
}
