/* The CUDA device's kernels, each against plain loops in double, on sizes that are round and on
 * others, at 16-byte boundaries and off them. On a GPU, or on the emulator. Attention has a test of
 * its own. */
#include "gpu/arrays.h"
#include "lab/cuda/cuda.h"
#include "lab/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct check tally;
static struct bench bench;
static struct lab_device *gpu;
static const enum lab_dtype types[] = {LAB_F32, LAB_BF16, LAB_F16};
enum { TYPES = 3 };

static struct array fresh(enum lab_dtype type, size_t n, size_t shift, uint64_t salt) {
    return array_random(gpu, type, n, shift, salt, 2);
}
static void drop(struct array *a) {
    array_free(gpu, a);
}
static double *zeros(size_t n) {
    return calloc(n + 1, sizeof(double));
}
static double *copied(const struct array *a) {
    double *out = zeros(a->n);
    memcpy(out, a->value, a->n * sizeof *out);
    return out;
}

/* ── element by element ── */

static const size_t sizes[] = {1, 7, 8, 2503, 8192};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void check_casts(size_t n, size_t shift) {
    for (size_t f = 0; f < TYPES; f++)
        for (size_t t = 0; t < TYPES; t++) {
            struct array from = fresh(types[f], n, shift, 1), to = fresh(types[t], n, 0, 2);
            gpu->row->cast(gpu, to.at, types[t], from.at, types[f], n);
            array_check(&tally, gpu, &to, from.value, 0, "%zu cast from %s", n,
                        lab_dtype_name(types[f]));
            drop(&from), drop(&to);
        }
}

static double cube(double x) {
    return sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x);
}
static void check_gelu(enum lab_dtype type, size_t n, size_t shift) {
    struct array x = fresh(type, n, shift, 3), y = fresh(type, n, shift, 4),
                 dx = fresh(type, n, shift, 5);
    double *wanted = zeros(n), *slope = zeros(n);
    for (size_t i = 0; i < n; i++) {
        double v = x.value[i], t = tanh(cube(v));
        wanted[i] = 0.5 * v * (1 + t);
        slope[i] = dx.value[i] * (0.5 * (1 + t) + 0.5 * v * (1 - t * t) * sqrt(2 / acos(-1)) *
                                                      (1 + 3 * 0.044715 * v * v));
    }
    gpu->row->gelu(gpu, type, y.at, x.at, n);
    gpu->row->gelu_backward(gpu, type, dx.at, dx.at, x.at, n);
    array_check(&tally, gpu, &y, wanted, 10, "gelu of %zu, off by %zu", n, shift);
    array_check(&tally, gpu, &dx, slope, 10, "its slope of %zu, off by %zu", n, shift);
    drop(&x), drop(&y), drop(&dx), free(wanted), free(slope);
}

/* ── products ── */

struct product {
    uint32_t m, n, k, batch, pad;
};
static void check_product(enum lab_dtype type, struct product p, unsigned bits) {
    bool ta = bits & 1, tb = bits & 2, add = bits & 4, wide = bits & 8;
    uint32_t lda = (ta ? p.m : p.k) + p.pad, ldb = (tb ? p.k : p.n) + 2 * p.pad, ldc = p.n + p.pad;
    size_t sa = (size_t)lda * (ta ? p.k : p.m), sb = (size_t)ldb * (tb ? p.n : p.k),
           sc = (size_t)ldc * p.m;
    struct array a = fresh(type, sa * p.batch, 0, 6), b = fresh(type, sb * p.batch, 0, 7),
                 c = fresh(wide ? LAB_F32 : type, sc * p.batch, 0, 8);
    double *wanted = copied(&c);
    for (size_t at = 0; at < sc * p.batch; at++) {
        size_t i = at % sc / ldc, j = at % ldc, z = at / sc;
        double sum = 0;
        if (j >= p.n) continue;
        for (size_t k = 0; k < p.k; k++)
            sum += a.value[z * sa + (ta ? k * lda + i : i * lda + k)] *
                   b.value[z * sb + (tb ? j * ldb + k : k * ldb + j)];
        wanted[at] = 0.5 * sum + (add ? wanted[at] : 0);
    }
    struct lab_matmul x = {c.at, a.at, b.at,    p.m, p.n, p.k, ta,  tb,   add,  lda,
                           ldb,  ldc,  p.batch, sa,  sb,  sc,  0.5, wide, NULL, NULL};
    gpu->row->matmul(gpu, type, &x);
    array_check(&tally, gpu, &c, wanted, 4 * (double)p.k, "product %u × %u × %u, %s%s%s%s", p.m,
                p.n, p.k, ta ? "Aᵀ " : "", tb ? "Bᵀ " : "", add ? "added " : "",
                wide ? "to fp32" : "");
    drop(&a), drop(&b), drop(&c), free(wanted);
}
static void check_products(enum lab_dtype type) {
    static const struct product shapes[] = {
        {16, 24, 32, 1, 0}, {5, 7, 3, 1, 3}, {1, 33, 64, 3, 8}, {65, 130, 40, 2, 0}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (unsigned bits = 0; bits < 16; bits++) check_product(type, shapes[s], bits);
}

static void check_linear(enum lab_dtype type, uint32_t rows, uint32_t out, uint32_t in, bool bias,
                         bool residual) {
    struct array x = fresh(type, (size_t)rows * in, 0, 1), w = fresh(type, (size_t)out * in, 0, 2),
                 b = fresh(type, out, 0, 3), r = fresh(type, (size_t)rows * out, 0, 4),
                 y = fresh(type, (size_t)rows * out, 0, 5);
    double *wanted = zeros(y.n);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < out; j++) {
            double *sum = &wanted[i * out + j];
            *sum = (bias ? b.value[j] : 0) + (residual ? r.value[i * out + j] : 0);
            for (size_t k = 0; k < in; k++) *sum += x.value[i * in + k] * w.value[j * in + k];
        }
    struct lab_matmul m = {.c = y.at,
                           .a = x.at,
                           .b = w.at,
                           .m = rows,
                           .n = out,
                           .k = in,
                           .b_transposed = true,
                           .bias = bias ? b.at : NULL,
                           .residual = residual ? r.at : NULL};
    gpu->row->matmul(gpu, type, &m);
    array_check(&tally, gpu, &y, wanted, 4 * (double)in, "linear %u × %u × %u%s%s", rows, out, in,
                bias ? " + bias" : "", residual ? " + residual" : "");
    drop(&x), drop(&w), drop(&b), drop(&r), drop(&y), free(wanted);
}
static void check_linears(enum lab_dtype type) {
    for (unsigned bits = 0; bits < 4; bits++) {
        check_linear(type, 9, 48, 16, bits & 1, bits & 2);
        check_linear(type, 33, 7, 5, bits & 1, bits & 2);
    }
}

/* ── sums ── */

static void check_bias_gradient(enum lab_dtype type, size_t rows, size_t columns, size_t shift,
                                bool add) {
    struct array dy = fresh(type, rows * columns, shift, 1), sum = fresh(type, columns, 0, 2);
    double *wanted = add ? copied(&sum) : zeros(columns);
    for (size_t i = 0; i < rows * columns; i++) wanted[i % columns] += dy.value[i];
    gpu->row->bias_gradient(gpu, type, sum.at, add, dy.at, rows, columns);
    array_check(&tally, gpu, &sum, wanted, 4 * (double)rows, "sum of %zu rows of %zu, off by %zu",
                rows, columns, shift);
    drop(&dy), drop(&sum), free(wanted);
}
static void check_squares(enum lab_dtype type, size_t n, size_t shift) {
    struct array x = fresh(type, n, shift, 1);
    double wanted = 0;
    for (size_t i = 0; i < n; i++) wanted += 2 * x.value[i] * x.value[i];
    gpu->row->add_squares(gpu, type, x.at, n);
    gpu->row->add_squares(gpu, type, x.at, n);
    double got = gpu->row->take_squares(gpu), again = gpu->row->take_squares(gpu);
    check(&tally, fabs(got - wanted) <= 1e-12 * wanted && again == 0,
          "squares of %zu in %s, off by %zu: %.17g, wanted %.17g; taken, they are %g", n,
          lab_dtype_name(type), shift, got, wanted, again);
    drop(&x);
}
static void check_what_is_no_number_comes_through(void) {
    float bad[40] = {0};
    struct array x = fresh(LAB_F32, 40, 0, 1);
    bad[37] = INFINITY;
    gpu->row->upload(gpu, x.at, bad, sizeof bad);
    gpu->row->add_squares(gpu, LAB_F32, x.at, 40);
    check(&tally, isinf(gpu->row->take_squares(gpu)), "an infinity's square is infinite");
    bad[3] = NAN;
    gpu->row->upload(gpu, x.at, bad, sizeof bad);
    gpu->row->add_squares(gpu, LAB_F32, x.at, 40);
    check(&tally, isnan(gpu->row->take_squares(gpu)), "what is no number stays none");
    drop(&x);
}

/* ── LayerNorm ── */

struct row_moments {
    double mean, inverse;
};
static struct row_moments moments_of(const double *x, size_t n) {
    struct row_moments m = {0, 0};
    double squares = 0;
    for (size_t i = 0; i < n; i++) m.mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++) squares += (x[i] - m.mean) * (x[i] - m.mean);
    m.inverse = 1 / sqrt(squares / (double)n + 1e-5);
    return m;
}
static void reference_norm(double *y, const double *x, const double *w, const double *b,
                           size_t rows, size_t n) {
    for (size_t r = 0; r < rows; r++) {
        struct row_moments m = moments_of(x + r * n, n);
        for (size_t i = 0; i < n; i++)
            y[r * n + i] = (x[r * n + i] - m.mean) * m.inverse * w[i] + b[i];
    }
}
static void check_norm(enum lab_dtype type, size_t rows, size_t n, size_t shift) {
    struct array x = fresh(type, rows * n, shift, 1), r = fresh(type, rows * n, shift, 2),
                 w = fresh(type, n, 0, 3), b = fresh(type, n, 0, 4),
                 y = fresh(type, rows * n, 0, 5);
    double *wanted = zeros(y.n), *sum = zeros(y.n);
    reference_norm(wanted, x.value, w.value, b.value, rows, n);
    gpu->row->norm(gpu, type, y.at, x.at, w.at, b.at, rows, n);
    array_check(&tally, gpu, &y, wanted, 60, "norm of %zu rows of %zu, off by %zu", rows, n, shift);
    for (size_t i = 0; i < rows * n; i++) sum[i] = x.value[i] + r.value[i];
    gpu->row->add_norm(gpu, type, x.at, y.at, x.at, r.at, w.at, b.at, rows, n);
    array_check(&tally, gpu, &x, sum, 1, "residual of %zu rows of %zu", rows, n);
    void *rounded = array_read(gpu, &x);
    for (size_t i = 0; i < rows * n; i++) sum[i] = array_number(type, rounded, i);
    reference_norm(wanted, sum, w.value, b.value, rows, n);
    array_check(&tally, gpu, &y, wanted, 60, "residual and norm of %zu rows of %zu", rows, n);
    drop(&x), drop(&r), drop(&w), drop(&b), drop(&y), free(wanted), free(sum), free(rounded);
}

/* what comes back through a norm */
struct slopes {
    double *dx, *dw, *db;
    /* 1 ÷ deviation, the largest of all rows: what a rounding before it is multiplied by. A row of
     * one number deviates by nothing but epsilon. */
    double steepest;
};
static void reference_norm_backward(struct slopes *s, bool add, const double *dy, const double *x,
                                    const double *w, size_t rows, size_t n) {
    for (size_t r = 0; r < rows; r++) {
        const double *g = dy + r * n, *in = x + r * n;
        struct row_moments m = moments_of(in, n);
        double mean = 0, mean_x = 0;
        s->steepest = fmax(s->steepest, m.inverse);
        for (size_t i = 0; i < n; i++) {
            double hat = (in[i] - m.mean) * m.inverse;
            mean += g[i] * w[i] / (double)n;
            mean_x += g[i] * w[i] * hat / (double)n;
            s->dw[i] += g[i] * hat;
            s->db[i] += g[i];
        }
        for (size_t i = 0; i < n; i++) {
            double hat = (in[i] - m.mean) * m.inverse;
            s->dx[r * n + i] =
                (add ? s->dx[r * n + i] : 0) + (g[i] * w[i] - mean - hat * mean_x) * m.inverse;
        }
    }
}
static void check_norm_backward(enum lab_dtype type, size_t rows, size_t n, size_t shift,
                                bool add) {
    struct array x = fresh(type, rows * n, shift, 1), dy = fresh(type, rows * n, shift, 2),
                 w = fresh(type, n, 0, 3), dw = fresh(type, n, 0, 4), db = fresh(type, n, 0, 5),
                 dx = fresh(type, rows * n, shift, 6);
    bool add_own = n % 3 != 1; /* else its own are written */
    struct slopes s = {copied(&dx), add_own ? copied(&dw) : zeros(n),
                       add_own ? copied(&db) : zeros(n), 1};
    struct array *to = add ? &dx : &dy; /* in place where it is not added */
    reference_norm_backward(&s, add, dy.value, x.value, w.value, rows, n);
    gpu->row->norm_backward(gpu, type, to->at, add, dw.at, db.at, add_own, dy.at, x.at, w.at, rows,
                            n);
    array_check(&tally, gpu, to, s.dx, 100 * s.steepest,
                "norm backward, %zu rows of %zu, off by %zu", rows, n, shift);
    array_check(&tally, gpu, &dw, s.dw, 4 * (double)rows, "its weight's gradient");
    array_check(&tally, gpu, &db, s.db, 4 * (double)rows, "its bias's gradient");
    drop(&x), drop(&dy), drop(&w), drop(&dw), drop(&db), drop(&dx);
    free(s.dx), free(s.dw), free(s.db);
}
static void check_norms(enum lab_dtype type) {
    static const size_t widths[] = {1, 3, 16, 100, 256, 264, 768, 1000, 1600, 2000, 2056, 6144};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        check_norm(type, 9, widths[i], i % 2);
        check_norm_backward(type, 37, widths[i], 0, i % 2);
    }
    check_norm_backward(type, 3, 64, 1, false);
    check_norm_backward(type, 1700, 24, 0, true);
}

/* ── lookup ── */

/* What the sums over a token's rows stand on. */
static void check_order(size_t rows, uint32_t vocab) {
    const uint64_t *keys = lab_cuda_of(gpu)->work.keys;
    uint64_t *host = malloc(rows * sizeof *host);
    bool ascends = true;
    gpu->row->download(gpu, host, keys, rows * sizeof *host);
    for (size_t i = 0; i < rows; i++) {
        ascends = ascends && (i == 0 || host[i - 1] < host[i]);
        ascends = ascends && host[i] >> 32 < vocab && (uint32_t)host[i] < rows;
    }
    check(&tally, ascends, "%zu rows in the order of their tokens", rows);
    free(host);
}
static void check_lookup(enum lab_dtype type, size_t rows, size_t seq, size_t width,
                         uint32_t vocab) {
    struct array tokens = array_tokens(gpu, rows, 9, vocab), wte = fresh(type, vocab * width, 0, 1),
                 wpe = fresh(type, seq * width, 0, 2), x = fresh(type, rows * width, 0, 3),
                 dwte = fresh(type, vocab * width, 0, 4), dwpe = fresh(type, seq * width, 0, 5);
    double *found = zeros(x.n), *of_token = copied(&dwte), *of_place = copied(&dwpe);
    for (size_t i = 0; i < x.n; i++) {
        size_t row = i / width, c = i % width, token = (size_t)tokens.value[row];
        found[i] = wte.value[token * width + c] + wpe.value[row % seq * width + c];
        of_token[token * width + c] += x.value[i];
        of_place[row % seq * width + c] += x.value[i];
    }
    gpu->row->embed_backward(gpu, type, dwte.at, dwpe.at, x.at, tokens.at, rows, seq, width);
    check_order(rows, vocab);
    gpu->row->embed(gpu, type, x.at, tokens.at, wte.at, wpe.at, rows, seq, width);
    array_check(&tally, gpu, &x, found, 1, "lookup of %zu of %u tokens", rows, vocab);
    array_check(&tally, gpu, &dwte, of_token, 100, "gradient of %u tokens, %zu rows", vocab, rows);
    array_check(&tally, gpu, &dwpe, of_place, 100, "gradient of %zu places, %zu rows", seq, rows);
    drop(&tokens), drop(&wte), drop(&wpe), drop(&x), drop(&dwte), drop(&dwpe);
    free(found), free(of_token), free(of_place);
}

/* ── loss ── */

static void reference_loss(double *wanted, double *loss, const struct array *logits,
                           const struct array *targets, size_t vocab, size_t columns,
                           double scale) {
    for (size_t r = 0; r < targets->n; r++) {
        const double *x = logits->value + r * columns;
        double sum = 0, top = x[0];
        for (size_t i = 0; i < vocab; i++) top = fmax(top, x[i]);
        for (size_t i = 0; i < vocab; i++) sum += exp(x[i] - top);
        *loss += log(sum) + top - x[(size_t)targets->value[r]];
        for (size_t i = 0; i < columns; i++)
            wanted[r * columns + i] =
                i < vocab ? scale * (exp(x[i] - top) / sum - (i == (size_t)targets->value[r])) : 0;
    }
}
static void check_loss(enum lab_dtype type, size_t rows, uint32_t vocab, size_t columns) {
    struct array logits = array_random(gpu, LAB_F32, rows * columns, 0, 1, 8),
                 targets = array_tokens(gpu, rows, 2, vocab);
    double *wanted = zeros(logits.n), loss = 0;
    size_t apart = columns * sizeof(float) / lab_dtype_bytes(type);
    struct nearness n = {0};
    reference_loss(wanted, &loss, &logits, &targets, vocab, columns, 3);
    gpu->row->cross_entropy(gpu, type, logits.at, targets.at, rows, vocab, columns, 3);
    double got = gpu->row->take_loss(gpu), again = gpu->row->take_loss(gpu);
    void *host = array_read(gpu, &logits);
    for (size_t i = 0; i < rows * columns; i++)
        array_near(&n, type, i, array_number(type, host, i / columns * apart + i % columns),
                   wanted[i], type == LAB_F16 ? 0.01 : 1e-3);
    check(&tally, n.worst <= 1,
          "%u logits of %zu columns in %s: %.2f of what is allowed, at %zu: %g, wanted %g", vocab,
          columns, lab_dtype_name(type), n.worst, n.at, n.got, n.wanted);
    check(&tally, fabs(got - loss) < 2e-6 * loss + 1e-6 && again == 0,
          "their loss: %.9g, wanted %.9g; taken, it is %g", got, loss, again);
    drop(&logits), drop(&targets), free(wanted), free(host);
}
/* Far from zero: exponents neither overflow nor lose the rest. */
static void check_great_logits(void) {
    const float far[4] = {-3e4f, 3e4f, 2.9999e4f, -INFINITY};
    const int32_t target = 2;
    struct array logits = fresh(LAB_F32, 4, 0, 1), token = fresh(LAB_F32, 1, 0, 1);
    gpu->row->upload(gpu, logits.at, far, sizeof far);
    gpu->row->upload(gpu, token.at, &target, sizeof target);
    gpu->row->cross_entropy(gpu, LAB_F32, logits.at, token.at, 1, 4, 4, 1);
    double loss = gpu->row->take_loss(gpu), wanted = 1 + log1p(exp(-1));
    float *slope = array_read(gpu, &logits);
    check(&tally,
          fabs(loss - wanted) < 1e-5 * loss && fabsf(slope[0]) < 1e-30f && fabsf(slope[3]) < 1e-30f,
          "great logits: loss %.9g, wanted %.9g", loss, wanted);
    drop(&logits), drop(&token), free(slope);
}

/* ── update ── */

enum { STEPS = 4, ADAM = 2503, BARE = 1201 };

static double reference_weight(double w, double g, bool decays) {
    double m = 0, v = 0;
    for (int step = 1; step <= STEPS; step++) {
        m = 0.9 * m + 0.1 * g, v = 0.99 * v + 0.01 * g * g;
        w -= 0.01 * (m / (1 - pow(0.9, step)) / (sqrt(v / (1 - pow(0.99, step))) + 1e-8) +
                     (decays ? 0.1 * w : 0));
    }
    return w;
}
static void check_adam(enum lab_dtype type, size_t shift) {
    struct array param = fresh(type, ADAM, shift, 1), grad = fresh(type, ADAM, shift, 2),
                 master = fresh(LAB_F32, ADAM, 0, 1), m = fresh(LAB_F32, ADAM, 0, 3),
                 v = fresh(LAB_F32, ADAM, 0, 3);
    double *wanted = zeros(ADAM);
    bool own = type == LAB_F32;
    gpu->row->zero(gpu, m.at, ADAM * sizeof(float));
    gpu->row->zero(gpu, v.at, ADAM * sizeof(float));
    for (uint32_t step = 1; step <= STEPS; step++) {
        struct lab_adam x = {.param = param.at,
                             .master = own ? NULL : master.at,
                             .m = m.at,
                             .v = v.at,
                             .grad = grad.at,
                             .n = ADAM,
                             .rate = 0.01,
                             .beta1 = 0.9,
                             .beta2 = 0.99,
                             .eps = 1e-8,
                             .decay = 0.1,
                             .grad_scale = 0.5,
                             .step = step,
                             .pieces = 3,
                             .piece = {{100, true}, {BARE, false}, {ADAM, true}}};
        gpu->row->adam(gpu, type, type, &x);
    }
    for (size_t i = 0; i < ADAM; i++)
        wanted[i] = reference_weight(master.value[i], 0.5 * grad.value[i], i < 100 || i >= BARE);
    if (!own) array_check(&tally, gpu, &master, wanted, 10, "master weights, off by %zu", shift);
    array_check(&tally, gpu, &param, wanted, 10, "weights, off by %zu", shift);
    drop(&param), drop(&grad), drop(&master), drop(&m), drop(&v), free(wanted);
}

/* ── the same bits twice, memory, failures ── */

static void *backwards_bits(enum lab_dtype type) {
    enum { ROWS = 700, WIDTH = 40, VOCAB = 30 };
    struct array dy = fresh(type, ROWS * WIDTH, 0, 1), x = fresh(type, ROWS * WIDTH, 0, 2),
                 w = fresh(type, WIDTH, 0, 3), sums = fresh(type, (VOCAB + ROWS) * WIDTH, 0, 4),
                 tokens = array_tokens(gpu, ROWS, 5, VOCAB);
    char *at = sums.at;
    size_t row = WIDTH * lab_dtype_bytes(type);
    gpu->row->norm_backward(gpu, type, x.at, true, at, at + row, true, dy.at, dy.at, w.at, ROWS,
                            WIDTH);
    gpu->row->bias_gradient(gpu, type, at + 2 * row, true, dy.at, ROWS, WIDTH);
    gpu->row->embed_backward(gpu, type, at, at + VOCAB * row, x.at, tokens.at, ROWS, ROWS, WIDTH);
    void *bits = array_read(gpu, &sums);
    drop(&dy), drop(&x), drop(&w), drop(&sums), drop(&tokens);
    return bits;
}
static void check_bits(enum lab_dtype type) {
    void *first = backwards_bits(type), *second = backwards_bits(type);
    check(&tally, memcmp(first, second, 730 * 40 * lab_dtype_bytes(type)) == 0,
          "the same gradients in %s have the same bits", lab_dtype_name(type));
    free(first), free(second);
}

static void check_memory(void) {
    size_t bytes = 3 * LAB_UPLOAD_BYTES + 4321;
    unsigned char *host = malloc(bytes), *back = malloc(bytes);
    void *a = NULL, *b = NULL, *none = NULL;
    struct lab_message m = {""};
    for (size_t i = 0; i < bytes; i++) host[i] = (unsigned char)(i * 7 + i / 251);
    check(&tally, gpu->row->alloc(gpu, &a, bytes) && gpu->row->alloc(gpu, &b, bytes), "memory");
    gpu->row->download(gpu, back, a, bytes);
    bool zeroed = true;
    for (size_t i = 0; i < bytes; i++) zeroed = zeroed && back[i] == 0;
    check(&tally, zeroed && (uintptr_t)a % 64 == 0, "it is zeroed and aligned");
    gpu->row->upload(gpu, a, host, bytes);
    memset(host + 1, 0, bytes - 1); /* the device has its own copy by now */
    gpu->row->copy(gpu, b, a, bytes);
    gpu->row->zero(gpu, a, bytes);
    gpu->row->download(gpu, back, b, bytes);
    bool same = true;
    for (size_t i = 0; i < bytes; i++) same = same && back[i] == (unsigned char)(i * 7 + i / 251);
    check(&tally, same && gpu->row->finish(gpu, &m), "uploaded, copied, downloaded %s", m.text);
    check(&tally, !gpu->row->alloc(gpu, &none, SIZE_MAX / 4) && gpu->row->finish(gpu, &m),
          "memory that is not there is refused, and nothing else is wrong %s", m.text);
    gpu->row->free(gpu, a, bytes), gpu->row->free(gpu, b, bytes), free(host), free(back);
}
static void check_failures(void) {
    struct lab_message m = {""};
    struct lab_device *bare = lab_cuda_open(0, &m);
    float *none = NULL;
    bool well = bare && bare->row->finish(bare, &m);
    check(&tally, well, "a second device %s", m.text);
    if (!well) return;
    bare->row->bias_gradient(bare, LAB_F32, none, true, none, 9, 9);
    well = bare->row->finish(bare, &m);
    check(&tally, !well && strstr(m.text, "bias gradient") && strstr(m.text, "workspace"),
          "what cannot be done is told at the end: %s", m.text);
    bare->row->close(bare);
}

static void check_type(enum lab_dtype type) {
    for (size_t i = 0; i < SIZES; i++) {
        check_gelu(type, sizes[i], 0);
        check_gelu(type, sizes[i], 1);
        check_squares(type, sizes[i], i % 2);
    }
    check_products(type);
    check_linears(type);
    check_bias_gradient(type, 1, 1, 0, true);
    check_bias_gradient(type, 50, 1500, 1, false);
    check_bias_gradient(type, 777, 264, 0, true);
    check_norms(type);
    check_lookup(type, 6, 3, 5, 4);
    check_lookup(type, 300, 100, 72, 11);
    check_lookup(type, 5000, 2500, 8, 300);
    check_loss(type, 3, 1, 1);
    check_loss(type, 5, 37, 37);
    check_loss(type, 4, 256, 256);
    check_loss(type, 2, 9000, 9024);
    check_loss(type, 2, 50257, 50304);
    check_adam(type, 0);
    check_adam(type, 1);
    check_bits(type);
}

/* A rank that waits for the GPU leaves its core to the others. */
static void check_waiting(void) {
    unsigned flags = 0;
    check(&tally, cudaGetDeviceFlags(&flags) == cudaSuccess, "the device's flags can be read");
    check(&tally, (flags & cudaDeviceScheduleMask) == cudaDeviceScheduleBlockingSync,
          "threads that wait for the GPU sleep: flags %u", flags);
}

/* ── hashes ── */

static void check_hash(size_t n, size_t shift) {
    unsigned char *host = malloc(n + 1);
    void *memory = NULL;
    if (!host || !gpu->row->alloc(gpu, &memory, n + shift + 1)) exit(1);
    for (size_t i = 0; i < n; i++) host[i] = (unsigned char)(256 * array_chance(n, i));
    gpu->row->upload(gpu, (char *)memory + shift, host, n);
    uint64_t wanted = lab_hash_add(LAB_HASH_START, host, n);
    uint64_t got = gpu->row->hash(gpu, LAB_HASH_START, (char *)memory + shift, n);
    check(&tally, got == wanted, "hash of %zu bytes, off by %zu: %llx, the host's %llx", n, shift,
          (unsigned long long)got, (unsigned long long)wanted);
    gpu->row->free(gpu, memory, n + shift + 1);
    free(host);
}

int main(void) {
    struct lab_message m = {""};
    if (!bench_open(&bench, 8192, 2048, &m)) {
        check(&tally, false, "a device: %s", m.text);
        return check_done(&tally);
    }
    gpu = bench.device;
    check_waiting();
    check_memory();
    for (size_t i = 0; i < SIZES; i++) check_casts(sizes[i], i % 2);
    for (size_t t = 0; t < TYPES; t++) check_type(types[t]);
    check_what_is_no_number_comes_through();
    check_great_logits();
    for (size_t i = 0; i < SIZES; i++) check_hash(sizes[i], i % 2);
    check_hash(2 * 32768 + 5, 0);
    check_failures();
    bench_close(&bench);
    return check_done(&tally);
}
