/* Causal attention, head by head, a block of query rows at a time. A block multiplies only with the
 * keys that one of its rows may see. The softmax is saved, so that backward need not calculate it
 * again. */
#include "lab/cpu/cores.h"

#include <math.h>
#include <string.h>

enum { ROWS = 64 };

/* Of one sequence; offsets into qkv, in elements. */
struct head {
    const struct lab_attention *x;
    enum lab_dtype type, real;
    /* row: elements of a row of qkv. first: of out. scores: of its seq × seq. */
    size_t size, row, first, scores;
    size_t q, k, v;
    double scale;
};
/* A block of queries: rows `from` … `from + count`, which see `keys` keys. */
struct rows {
    size_t from, count, keys;
};

static struct head head_of(enum lab_dtype type, const struct lab_attention *x, size_t sequence,
                           size_t h) {
    struct head head = {.x = x,
                        .type = type,
                        .real = lab_real(type),
                        .size = x->width / x->heads,
                        .row = 3 * (size_t)x->width};
    head.scores = (sequence * x->heads + h) * x->seq * x->seq;
    head.first = sequence * x->seq * x->width + h * head.size;
    head.q = sequence * x->seq * head.row + h * head.size;
    head.k = head.q + x->width;
    head.v = head.k + x->width;
    head.scale = 1 / sqrt((double)head.size);
    return head;
}
static struct rows rows_at(const struct head *h, size_t from) {
    size_t left = h->x->seq - from, count = left < ROWS ? left : ROWS;
    return (struct rows){from, count, from + count};
}
static size_t score_at(const struct head *h, size_t row) {
    return h->scores + row * h->x->seq;
}

/* ── forward ── */

/* Writes the raw scores of the block, into the saved array itself or into `scratch`; then takes the
 * softmax, writes zeros beyond the diagonal, and rounds. */
static void score(struct lab_device *d, const struct head *h, struct rows b, float *scratch) {
    const struct lab_attention *x = h->x;
    bool direct = h->real == h->type;
    size_t seq = x->seq;
    struct lab_gemm g = {.a_type = h->type,
                         .b_type = h->type,
                         .c_type = h->real,
                         .m = b.count,
                         .n = b.keys,
                         .k = h->size,
                         .lda = h->row,
                         .ldb = h->row,
                         .ldc = seq,
                         .b_transposed = true,
                         .scale = h->scale};
    g.a = lab_element_at(h->type, x->qkv, h->q + b.from * h->row);
    g.b = lab_element_at(h->type, x->qkv, h->k);
    g.c = direct ? lab_place(h->type, x->scores, score_at(h, b.from)) : scratch;
    lab_cpu_gemm(d, &g);
    for (size_t r = 0; r < b.count; r++) {
        char *line = lab_place(h->real, g.c, r * seq);
        size_t sees = b.from + r + 1;
        lab_cores(h->type)->softmax(line, sees);
        memset(lab_place(h->real, line, sees), 0, (b.keys - sees) * lab_dtype_bytes(h->real));
        lab_line_store(h->type, x->scores, score_at(h, b.from + r), b.keys, line);
    }
}

static void weigh(struct lab_device *d, const struct head *h, struct rows b) {
    const struct lab_attention *x = h->x;
    struct lab_gemm g = {.a_type = h->type,
                         .b_type = h->type,
                         .c_type = h->type,
                         .m = b.count,
                         .n = h->size,
                         .k = b.keys,
                         .lda = x->seq,
                         .ldb = h->row,
                         .ldc = x->width,
                         .scale = 1};
    g.a = lab_element_at(h->type, x->scores, score_at(h, b.from));
    g.b = lab_element_at(h->type, x->qkv, h->v);
    g.c = lab_place(h->type, x->out, h->first + b.from * x->width);
    lab_cpu_gemm(d, &g);
}

void lab_cpu_attention(struct lab_device *d, enum lab_dtype type, const struct lab_attention *x) {
    float *scratch = lab_cpu_scratch(d, LAB_SCRATCH_ROWS, ROWS * (size_t)x->seq * sizeof *scratch);
    for (size_t s = 0; s < x->batch; s++)
        for (size_t i = 0; i < x->heads; i++) {
            struct head h = head_of(type, x, s, i);
            for (size_t from = 0; from < x->seq; from += ROWS) {
                score(d, &h, rows_at(&h, from), scratch);
                if (x->out) weigh(d, &h, rows_at(&h, from));
            }
        }
}

/* ── backward: dV = Pᵀ dO, dP = dO Vᵀ, dS = P (dP − Σ P dP), dQ = dS K, dK = dSᵀ Q ── */

struct scratch {
    /* ROWS × seq twice, seq × size twice, of the type computed in */
    void *p, *dp, *dk, *dv;
};
static struct scratch scratch_of(struct lab_device *d, const struct head *h) {
    size_t block = ROWS * (size_t)h->x->seq * lab_dtype_bytes(h->real),
           panel = h->x->seq * h->size * lab_dtype_bytes(h->real);
    char *memory = lab_cpu_scratch(d, LAB_SCRATCH_ROWS, 2 * (block + panel));
    return (struct scratch){memory, memory + block, memory + 2 * block, memory + 2 * block + panel};
}

/* Writes the block's dS to dp and its P to p. */
static void score_gradient(struct lab_device *d, const struct head *h, struct rows b,
                           const struct scratch *scratch) {
    const struct lab_attention *x = h->x;
    struct lab_gemm g = {.a_type = h->type,
                         .b_type = h->type,
                         .c_type = h->real,
                         .m = b.count,
                         .n = b.keys,
                         .k = h->size,
                         .lda = x->width,
                         .ldb = h->row,
                         .ldc = b.keys,
                         .b_transposed = true,
                         .scale = 1};
    g.a = lab_element_at(h->type, x->dout, h->first + b.from * x->width);
    g.b = lab_element_at(h->type, x->qkv, h->v);
    g.c = scratch->dp;
    lab_cpu_gemm(d, &g);
    for (size_t r = 0; r < b.count; r++) {
        size_t sees = b.from + r + 1;
        char *dp = lab_place(h->real, scratch->dp, r * b.keys),
             *p = lab_place(h->real, scratch->p, r * b.keys);
        const void *saved = lab_line(h->type, x->scores, score_at(h, b.from + r), b.keys, p);
        if (saved != p) memcpy(p, saved, b.keys * lab_dtype_bytes(h->real));
        lab_cores(h->type)->softmax_backward(dp, p, sees, h->scale);
        memset(lab_place(h->real, dp, sees), 0, (b.keys - sees) * lab_dtype_bytes(h->real));
    }
}

/* From the last block to the first: the last one sees all keys and writes dK and dV whole, the
 * others add. */
static void block_gradients(struct lab_device *d, const struct head *h, struct rows b,
                            const struct scratch *scratch) {
    const struct lab_attention *x = h->x;
    score_gradient(d, h, b, scratch);
    struct lab_gemm q = {.a_type = h->real,
                         .b_type = h->type,
                         .c_type = h->type,
                         .m = b.count,
                         .n = h->size,
                         .k = b.keys,
                         .lda = b.keys,
                         .ldb = h->row,
                         .ldc = h->row,
                         .scale = 1};
    q.a = scratch->dp;
    q.b = lab_element_at(h->type, x->qkv, h->k);
    q.c = lab_place(h->type, x->dqkv, h->q + b.from * h->row);
    lab_cpu_gemm(d, &q);
    struct lab_gemm k = {.a_type = h->real,
                         .b_type = h->type,
                         .c_type = h->real,
                         .m = b.keys,
                         .n = h->size,
                         .k = b.count,
                         .lda = b.keys,
                         .ldb = h->row,
                         .ldc = h->size,
                         .a_transposed = true,
                         .add = b.keys < x->seq,
                         .scale = 1};
    k.a = scratch->dp;
    k.b = lab_element_at(h->type, x->qkv, h->q + b.from * h->row);
    k.c = scratch->dk;
    lab_cpu_gemm(d, &k);
    k.a = scratch->p;
    k.b = lab_element_at(h->type, x->dout, h->first + b.from * x->width);
    k.ldb = x->width;
    k.c = scratch->dv;
    lab_cpu_gemm(d, &k);
}

static void put(const struct head *h, const struct scratch *scratch) {
    for (size_t t = 0; t < h->x->seq; t++) {
        lab_line_store(h->type, h->x->dqkv, h->k + t * h->row, h->size,
                       lab_element_at(h->real, scratch->dk, t * h->size));
        lab_line_store(h->type, h->x->dqkv, h->v + t * h->row, h->size,
                       lab_element_at(h->real, scratch->dv, t * h->size));
    }
}

void lab_cpu_attention_backward(struct lab_device *d, enum lab_dtype type,
                                const struct lab_attention *x) {
    for (size_t s = 0; s < x->batch; s++)
        for (size_t i = 0; i < x->heads; i++) {
            struct head h = head_of(type, x, s, i);
            struct scratch scratch = scratch_of(d, &h);
            for (size_t blocks = (x->seq + ROWS - 1) / ROWS; blocks-- > 0;)
                block_gradients(d, &h, rows_at(&h, blocks * ROWS), &scratch);
            put(&h, &scratch);
        }
}
