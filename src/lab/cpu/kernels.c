/* The kernels other than matrix products and attention: each takes lines of at most LAB_LINE
 * values, widens them, leaves the arithmetic to cores.h, and rounds once when it stores. */
#include "lab/arith.h"
#include "lab/cpu/cores.h"

#include <string.h>

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* ── element by element ── */

void lab_cpu_gelu(struct lab_device *d, enum lab_dtype type, void *y, const void *x, size_t n) {
    (void)d;
    float in[LAB_LINE], out[LAB_LINE];
    for (size_t at = 0; at < n; at += LAB_LINE) {
        size_t count = least(LAB_LINE, n - at);
        void *to = lab_line_place(type, y, at, out);
        lab_cores(type)->gelu(to, lab_line(type, x, at, count, in), count);
        lab_line_store(type, y, at, count, to);
    }
}

void lab_cpu_gelu_backward(struct lab_device *d, enum lab_dtype type, void *dx, const void *dy,
                           const void *x, size_t n) {
    (void)d;
    float in[LAB_LINE], from[LAB_LINE], out[LAB_LINE];
    for (size_t at = 0; at < n; at += LAB_LINE) {
        size_t count = least(LAB_LINE, n - at);
        void *to = lab_line_place(type, dx, at, out);
        lab_cores(type)->gelu_backward(to, lab_line(type, dy, at, count, from),
                                       lab_line(type, x, at, count, in), count);
        lab_line_store(type, dx, at, count, to);
    }
}

void lab_cpu_add(struct lab_device *d, enum lab_dtype type, void *to, const void *a, const void *b,
                 size_t n) {
    (void)d;
    float first[LAB_LINE], second[LAB_LINE], out[LAB_LINE];
    for (size_t at = 0; at < n; at += LAB_LINE) {
        size_t count = least(LAB_LINE, n - at);
        void *sum = lab_line_place(type, to, at, out);
        lab_cores(type)->add(sum, lab_line(type, a, at, count, first),
                             lab_line(type, b, at, count, second), count);
        lab_line_store(type, to, at, count, sum);
    }
}

void lab_cpu_add_wide(struct lab_device *d, float *to, const void *from, enum lab_dtype type,
                      size_t n) {
    (void)d;
    float line[LAB_LINE];
    for (size_t at = 0; at < n; at += LAB_LINE) {
        size_t count = least(LAB_LINE, n - at);
        lab_cores(LAB_F32)->add(to + at, to + at, lab_line(type, from, at, count, line), count);
    }
}

/* ── sums over rows, and of squares ── */

void lab_cpu_add_bias(struct lab_device *d, enum lab_dtype type, void *y, const void *bias,
                      size_t rows, size_t columns) {
    for (size_t r = 0; r < rows; r++) {
        void *row = lab_place(type, y, r * columns);
        lab_cpu_add(d, type, row, row, bias, columns);
    }
}

/* Columns by lines, each summed over all rows before it is rounded. */
void lab_cpu_bias_gradient(struct lab_device *d, enum lab_dtype type, void *dbias, bool add,
                           const void *dy, size_t rows, size_t columns) {
    (void)d;
    double sum[LAB_LINE]; /* of floats, in fp32 */
    float in[LAB_LINE], old[LAB_LINE];
    enum lab_dtype real = lab_real(type);
    for (size_t at = 0; at < columns; at += LAB_LINE) {
        size_t count = least(LAB_LINE, columns - at);
        memset(sum, 0, sizeof sum);
        for (size_t r = 0; r < rows; r++)
            lab_cores(type)->add(sum, sum, lab_line(type, dy, r * columns + at, count, in), count);
        if (add) lab_cores(type)->add(sum, sum, lab_line(type, dbias, at, count, old), count);
        if (real == type)
            memcpy(lab_place(type, dbias, at), sum, count * lab_dtype_bytes(real));
        else
            lab_line_store(type, dbias, at, count, sum);
    }
}

enum { LANES = 16 };

LAB_WIDE static void add_squares(double *lane, const float *x, size_t n) {
    size_t whole = n / LANES * LANES;
    for (size_t i = 0; i < whole; i += LANES)
        for (size_t l = 0; l < LANES; l++) lane[l] += (double)x[i + l] * (double)x[i + l];
    for (size_t i = whole; i < n; i++) lane[i - whole] += (double)x[i] * (double)x[i];
}

void lab_cpu_add_squares(struct lab_device *d, enum lab_dtype type, const void *x, size_t n) {
    float in[LAB_LINE];
    double lane[LANES] = {0}, sum = 0;
    for (size_t at = 0; at < n; at += LAB_LINE) {
        size_t count = least(LAB_LINE, n - at);
        if (type == LAB_F64) lab_cpu_cast(d, in, LAB_F32, lab_element_at(type, x, at), type, count);
        add_squares(lane, type == LAB_F64 ? in : lab_line(type, x, at, count, in), count);
    }
    for (size_t l = 0; l < LANES; l++) sum += lane[l];
    ((struct lab_cpu *)d)->squares += sum;
}

/* ── LayerNorm, row by row ── */

void lab_cpu_norm(struct lab_device *d, enum lab_dtype type, void *y, const void *x,
                  const void *weight, const void *bias, size_t rows, size_t columns) {
    float *scratch = lab_cpu_scratch(d, LAB_SCRATCH_ROWS, 4 * columns * sizeof *scratch);
    const void *w = lab_line(type, weight, 0, columns, scratch),
               *b = lab_line(type, bias, 0, columns, scratch + columns);
    for (size_t r = 0; r < rows; r++) {
        const void *in = lab_line(type, x, r * columns, columns, scratch + 2 * columns);
        void *out = lab_line_place(type, y, r * columns, scratch + 3 * columns);
        lab_cores(type)->norm(out, in, w, b, columns);
        lab_line_store(type, y, r * columns, columns, out);
    }
}

void lab_cpu_add_norm(struct lab_device *d, enum lab_dtype type, void *sum, void *y, const void *a,
                      const void *b, const void *weight, const void *bias, size_t rows,
                      size_t columns) {
    lab_cpu_add(d, type, sum, a, b, rows * columns);
    lab_cpu_norm(d, type, y, sum, weight, bias, rows, columns);
}

/* A sum over rows, or what is there and it. */
static void put_sum(enum lab_dtype type, void *to, bool add, const void *sum, size_t n,
                    void *line) {
    const void *old = add ? lab_line(type, to, 0, n, line) : NULL;
    void *place = lab_line_place(type, to, 0, line);
    if (add)
        lab_cores(type)->add(place, old, sum, n);
    else
        memcpy(place, sum, n * lab_dtype_bytes(lab_real(type)));
    lab_line_store(type, to, 0, n, place);
}

void lab_cpu_norm_backward(struct lab_device *d, enum lab_dtype type, void *dx, bool add,
                           void *dweight, void *dbias, bool add_own, const void *dy, const void *x,
                           const void *weight, size_t rows, size_t columns) {
    size_t line = columns * lab_dtype_bytes(lab_real(type));
    char *scratch = lab_cpu_scratch(d, LAB_SCRATCH_ROWS, 6 * line);
    void *dw = scratch, *db = scratch + line, *out = scratch + 2 * line;
    const void *w = lab_line(type, weight, 0, columns, scratch + 3 * line);
    memset(scratch, 0, 2 * line);
    for (size_t r = 0; r < rows; r++) {
        size_t at = r * columns;
        const void *gradient = lab_line(type, dy, at, columns, scratch + 4 * line);
        const void *in = lab_line(type, x, at, columns, scratch + 5 * line);
        void *to = lab_line_place(type, dx, at, out);
        if (add) lab_line(type, dx, at, columns, out);
        lab_cores(type)->norm_backward(to, add, dw, db, gradient, in, w, columns);
        lab_line_store(type, dx, at, columns, to);
    }
    put_sum(type, dweight, add_own, dw, columns, out);
    put_sum(type, dbias, add_own, db, columns, out);
}

/* ── lookup of tokens and positions ── */

void lab_cpu_embed(struct lab_device *d, enum lab_dtype type, void *x, const int32_t *tokens,
                   const void *wte, const void *wpe, size_t rows, size_t seq, size_t width) {
    for (size_t r = 0; r < rows; r++)
        lab_cpu_add(d, type, lab_place(type, x, r * width),
                    lab_element_at(type, wte, (size_t)tokens[r] * width),
                    lab_element_at(type, wpe, r % seq * width), width);
}

/* A sum of rows of dx that grows in the type computed in, and is rounded once. */
struct sum {
    enum lab_dtype type;
    size_t width;
    void *values, *line;
};
static void add_row(const struct sum *s, const void *rows, size_t row) {
    lab_cores(s->type)->add(s->values, s->values,
                            lab_line(s->type, rows, row * s->width, s->width, s->line), s->width);
}
static void begin(const struct sum *s, const void *rows, size_t row) {
    const void *old = lab_line(s->type, rows, row * s->width, s->width, s->line);
    memcpy(s->values, old, s->width * lab_dtype_bytes(lab_real(s->type)));
}

static bool seen(const int32_t *tokens, size_t row) {
    for (size_t r = 0; r < row; r++)
        if (tokens[r] == tokens[row]) return true;
    return false;
}

/* A token's rows at its first place, in order; then each position's. */
void lab_cpu_embed_backward(struct lab_device *d, enum lab_dtype type, void *dwte, void *dwpe,
                            const void *dx, const int32_t *tokens, size_t rows, size_t seq,
                            size_t width) {
    size_t line = width * lab_dtype_bytes(lab_real(type));
    char *scratch = lab_cpu_scratch(d, LAB_SCRATCH_ROWS, 2 * line);
    struct sum s = {type, width, scratch, scratch + line};
    for (size_t row = 0; row < rows; row++) {
        if (seen(tokens, row)) continue;
        size_t token = (size_t)tokens[row];
        begin(&s, dwte, token);
        for (size_t r = row; r < rows; r++)
            if (tokens[r] == tokens[row]) add_row(&s, dx, r);
        lab_line_store(type, dwte, token * width, width, s.values);
    }
    for (size_t t = 0; t < seq && t < rows; t++) {
        begin(&s, dwpe, t);
        for (size_t r = t; r < rows; r += seq) add_row(&s, dx, r);
        lab_line_store(type, dwpe, t * width, width, s.values);
    }
}

/* ── gathered rows ──
 *
 * Each rank's rows are added as embed_backward() adds them, and rounded as that stores them. The
 * ranks' sums are then added as lab_sum() adds them. So the bits are those of an all-reduce. */

static const void *values_of(const struct lab_rows *x, uint32_t rank) {
    return (const char *)x->memory + rank * x->piece;
}
static const int32_t *tokens_of(const struct lab_rows *x, uint32_t rank, enum lab_dtype type) {
    return (const int32_t *)(const void *)((const char *)values_of(x, rank) +
                                           lab_dtype_size(type, x->rows * x->width));
}

/* Of one row of the table: the sum over ranks, and within it that of one rank, which is stored in
 * the type that it has there. */
struct row_sum {
    struct sum rank, all;
    void *stored;
};
static struct row_sum row_sum_of(struct lab_device *d, enum lab_dtype type, size_t width) {
    size_t line = width * lab_dtype_bytes(lab_real(type));
    char *scratch = lab_cpu_scratch(d, LAB_SCRATCH_ROWS, 4 * line);
    return (struct row_sum){.rank = {type, width, scratch, scratch + line},
                            .all = {type, width, scratch + 2 * line, scratch + line},
                            .stored = scratch + 3 * line};
}
static void clear(const struct sum *s) {
    memset(s->values, 0, s->width * lab_dtype_bytes(lab_real(s->type)));
}
static void end_rank(const struct row_sum *s) {
    lab_line_store(s->rank.type, s->stored, 0, s->rank.width, s->rank.values);
    add_row(&s->all, s->stored, 0);
}
/* What is there is added last. */
static void end_row(const struct row_sum *s, enum lab_dtype into, void *table, size_t row) {
    struct sum all = s->all;
    all.type = into;
    add_row(&all, table, row);
    lab_line_store(into, table, row * all.width, all.width, all.values);
}

static bool seen_before(const struct lab_rows *x, enum lab_dtype type, uint32_t rank, size_t row) {
    const int32_t *mine = tokens_of(x, rank, type);
    for (uint32_t r = 0; r < rank; r++) {
        const int32_t *tokens = tokens_of(x, r, type);
        for (size_t i = 0; i < x->rows; i++)
            if (tokens[i] == mine[row]) return true;
    }
    return seen(mine, row);
}
static void add_token(const struct row_sum *s, const struct lab_rows *x, enum lab_dtype into,
                      void *dwte, int32_t token) {
    clear(&s->all);
    for (uint32_t r = 0; r < x->ranks; r++) {
        const int32_t *tokens = tokens_of(x, r, s->rank.type);
        clear(&s->rank);
        for (size_t i = 0; i < x->rows; i++)
            if (tokens[i] == token) add_row(&s->rank, values_of(x, r), i);
        end_rank(s);
    }
    end_row(s, into, dwte, (size_t)token);
}
static void add_position(const struct row_sum *s, const struct lab_rows *x, enum lab_dtype into,
                         void *dwpe, size_t position) {
    clear(&s->all);
    for (uint32_t r = 0; r < x->ranks; r++) {
        clear(&s->rank);
        for (size_t i = position; i < x->rows; i += x->seq) add_row(&s->rank, values_of(x, r), i);
        end_rank(s);
    }
    end_row(s, into, dwpe, position);
}

void lab_cpu_embed_rows(struct lab_device *d, enum lab_dtype type, enum lab_dtype into, void *dwte,
                        void *dwpe, const struct lab_rows *x) {
    struct row_sum s = row_sum_of(d, type, x->width);
    for (uint32_t r = 0; r < x->ranks; r++)
        for (size_t i = 0; i < x->rows; i++)
            if (!seen_before(x, type, r, i)) add_token(&s, x, into, dwte, tokens_of(x, r, type)[i]);
    for (size_t t = 0; t < x->seq && t < x->rows; t++) add_position(&s, x, into, dwpe, t);
}

/* ── cross-entropy ──
 *
 * Logits become their own gradient. A 16-bit row is put where its fp32 row began, behind what has
 * been read. */

static void narrow(struct lab_device *d, enum lab_dtype type, char *row, size_t n) {
    float line[LAB_LINE];
    for (size_t at = 0; at < n; at += LAB_LINE) {
        size_t count = least(LAB_LINE, n - at);
        lab_cpu_cast(d, line, LAB_F32, lab_element_at(LAB_F32, row, at), LAB_F32, count);
        lab_line_store(type, row, at, count, line);
    }
}

void lab_cpu_cross_entropy(struct lab_device *d, enum lab_dtype type, void *logits,
                           const int32_t *targets, size_t rows, size_t vocab, size_t columns,
                           double scale) {
    enum lab_dtype real = lab_real(type);
    for (size_t r = 0; r < rows; r++) {
        char *row = lab_place(real, logits, r * columns);
        ((struct lab_cpu *)d)->loss +=
            lab_cores(type)->cross_entropy(row, vocab, (size_t)targets[r], scale);
        if (type != real) narrow(d, type, row, vocab);
        memset(lab_place(type, row, vocab), 0, (columns - vocab) * lab_dtype_bytes(type));
    }
}

/* ── AdamW ── */

LAB_WIDE static void update(float *w, float *m, float *v, const float *gradient, size_t n,
                            struct lab_adam_factors f) {
    for (size_t i = 0; i < n; i++) lab_adam_update(&w[i], &m[i], &v[i], gradient[i], &f);
}

/* The factors of decay change within a line, where a tensor ends. */
static void update_line(const struct lab_adam *x, const struct lab_adam_factors *f, size_t at,
                        size_t n, float *w, float *m, float *v, const float *gradient) {
    size_t from = 0, end = at + n;
    for (size_t i = 0; from < n; i++) {
        bool rest = i >= x->pieces;
        size_t to = least(rest ? x->n : x->piece[i].end, end);
        if (to <= at + from) continue;
        update(w + from, m + from, v + from, gradient + from, to - at - from,
               f[rest || x->piece[i].decays]);
        from = to - at;
    }
}

void lab_cpu_adam(struct lab_device *d, enum lab_dtype param, enum lab_dtype grad,
                  const struct lab_adam *x) {
    const struct lab_adam_factors f[2] = {lab_adam_factors(x, false), lab_adam_factors(x, true)};
    float gradient[LAB_LINE], first[LAB_LINE], second[LAB_LINE];
    (void)d;
    for (size_t at = 0; at < x->n; at += LAB_LINE) {
        size_t n = least(LAB_LINE, x->n - at);
        float *w = x->master ? x->master + at : (float *)x->param + at;
        float *m = lab_line_place(x->m_type, x->m, at, first);
        float *v = lab_line_place(x->v_type, x->v, at, second);
        (void)lab_line(x->m_type, x->m, at, n, m);
        (void)lab_line(x->v_type, x->v, at, n, v);
        update_line(x, f, at, n, w, m, v, lab_line(grad, x->grad, at, n, gradient));
        lab_line_store(x->m_type, x->m, at, n, m);
        lab_line_store(x->v_type, x->v, at, n, v);
        if (x->master) lab_line_store(param, x->param, at, n, w);
    }
}
