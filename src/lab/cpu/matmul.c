/* Matrix products: BLAS does them, block by block where an operand has 16 bits and must be widened
 * first. */
#include "lab/cpu/backend.h"
#include "lab/cpu/cpu.h"
#include "lab/options.h"

#include <cblas.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blocks that stay in a second-level cache: an element is widened once for some hundred products
 * with it. */
enum { ROWS = 256, COLUMNS = 512, DEPTH = 512 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}
static CBLAS_TRANSPOSE flip(bool transposed) {
    return transposed ? CblasTrans : CblasNoTrans;
}

static void single(const struct lab_gemm *g, float beta) {
    cblas_sgemm(CblasRowMajor, flip(g->a_transposed), flip(g->b_transposed), (int)g->m, (int)g->n,
                (int)g->k, (float)g->scale, g->a, (int)g->lda, g->b, (int)g->ldb, beta, g->c,
                (int)g->ldc);
}
static void twice(const struct lab_gemm *g) {
    cblas_dgemm(CblasRowMajor, flip(g->a_transposed), flip(g->b_transposed), (int)g->m, (int)g->n,
                (int)g->k, g->scale, g->a, (int)g->lda, g->b, (int)g->ldb, g->add ? 1 : 0, g->c,
                (int)g->ldc);
}

/* OpenBLAS takes much address space for a thread's first product. If a limit leaves too little, it
 * tries again for ever. So the first product is made while there is enough. Other libraries need
 * none. Ranks that are threads do it one after another, or two would count on the same space. */
enum { BLAS_SPACE = 134221824 + (1 << 20), BLAS_WARM = 128 };
static bool is_space_for_blas(void) {
    if (!lab_is_openblas()) return true;
    void *volatile space = malloc(BLAS_SPACE); /* or a compiler takes it for granted */
    bool is = space != NULL;
    free(space);
    return is;
}
static pthread_mutex_t warming = PTHREAD_MUTEX_INITIALIZER;
bool lab_cpu_warm_up(struct lab_message *m) {
    size_t values = (size_t)BLAS_WARM * BLAS_WARM;
    float *some = calloc(2 * values, sizeof *some);
    pthread_mutex_lock(&warming);
    bool well = some && is_space_for_blas();
    if (well)
        single(&(struct lab_gemm){.m = BLAS_WARM,
                                  .n = BLAS_WARM,
                                  .k = BLAS_WARM,
                                  .scale = 1,
                                  .a = some,
                                  .b = some,
                                  .c = some + values,
                                  .lda = BLAS_WARM,
                                  .ldb = BLAS_WARM,
                                  .ldc = BLAS_WARM},
               0);
    pthread_mutex_unlock(&warming);
    if (!well)
        snprintf(
            m->text, sizeof m->text,
            "the BLAS needs %d MB of address space, but the limit is lower (see ulimit -v, -d)",
            BLAS_SPACE / 1000000);
    free(some);
    return well;
}

/* A block of a stored matrix in fp32. */
struct panel {
    const float *values;
    size_t ld;
};
/* Rows and columns count as stored. */
static struct panel widen(enum lab_dtype type, const void *from, size_t ld, size_t row,
                          size_t column, size_t rows, size_t columns, float *buffer) {
    if (type == LAB_F32) return (struct panel){lab_element_at(type, from, row * ld + column), ld};
    for (size_t r = 0; r < rows; r++)
        lab_line(type, from, (row + r) * ld + column, columns, buffer + r * columns);
    return (struct panel){buffer, columns};
}
static struct panel operand(enum lab_dtype type, const void *from, size_t ld, bool transposed,
                            size_t row, size_t column, size_t rows, size_t columns, float *buffer) {
    return transposed ? widen(type, from, ld, column, row, columns, rows, buffer)
                      : widen(type, from, ld, row, column, rows, columns, buffer);
}

/* Rounds a finished block into C. */
static void put(const struct lab_gemm *g, size_t i, size_t j, size_t rows, size_t columns,
                float *sums) {
    float old[COLUMNS];
    for (size_t r = 0; r < rows; r++) {
        float *sum = sums + r * columns;
        size_t at = (i + r) * g->ldc + j;
        if (g->add) {
            const float *before = lab_line(g->c_type, g->c, at, columns, old);
            for (size_t c = 0; c < columns; c++) sum[c] += before[c];
        }
        lab_line_store(g->c_type, g->c, at, columns, sum);
    }
}

struct panels {
    float a[ROWS * DEPTH], b[DEPTH * COLUMNS], c[ROWS * COLUMNS];
};
static void block(const struct lab_gemm *g, size_t i, size_t j, struct panels *buffer) {
    size_t rows = least(ROWS, g->m - i), columns = least(COLUMNS, g->n - j);
    bool own = g->c_type == LAB_F32;
    float *c = own ? lab_place(LAB_F32, g->c, i * g->ldc + j) : buffer->c;
    for (size_t k = 0; k < g->k; k += DEPTH) {
        size_t depth = least(DEPTH, g->k - k);
        struct panel a =
            operand(g->a_type, g->a, g->lda, g->a_transposed, i, k, rows, depth, buffer->a);
        struct panel b =
            operand(g->b_type, g->b, g->ldb, g->b_transposed, k, j, depth, columns, buffer->b);
        struct lab_gemm part = *g;
        part.a = a.values, part.lda = a.ld, part.b = b.values, part.ldb = b.ld;
        part.c = c, part.ldc = own ? g->ldc : columns;
        part.m = rows, part.n = columns, part.k = depth;
        single(&part, k || (own && g->add) ? 1 : 0);
    }
    if (!own) put(g, i, j, rows, columns, c);
}

void lab_cpu_gemm(struct lab_device *d, const struct lab_gemm *g) {
    if (g->c_type == LAB_F64) {
        twice(g);
    } else if (g->a_type == LAB_F32 && g->b_type == LAB_F32 && g->c_type == LAB_F32) {
        single(g, g->add ? 1 : 0);
    } else {
        struct panels *buffer = lab_cpu_scratch(d, LAB_SCRATCH_MATMUL, sizeof *buffer);
        for (size_t i = 0; i < g->m; i += ROWS)
            for (size_t j = 0; j < g->n; j += COLUMNS) block(g, i, j, buffer);
    }
}

void lab_cpu_matmul(struct lab_device *d, enum lab_dtype type, const struct lab_matmul *x) {
    struct lab_gemm g = {.a_type = type,
                         .b_type = type,
                         .c_type = x->c_fp32 ? lab_real(type) : type,
                         .m = x->m,
                         .n = x->n,
                         .k = x->k,
                         .lda = x->lda ? x->lda : (x->a_transposed ? x->m : x->k),
                         .ldb = x->ldb ? x->ldb : (x->b_transposed ? x->k : x->n),
                         .ldc = x->ldc ? x->ldc : x->n,
                         .a_transposed = x->a_transposed,
                         .b_transposed = x->b_transposed,
                         .add = x->add,
                         .scale = x->scale != 0 ? x->scale : 1};
    for (size_t i = 0; i < (x->batch ? x->batch : 1); i++) {
        g.a = lab_element_at(type, x->a, i * x->stride_a);
        g.b = lab_element_at(type, x->b, i * x->stride_b);
        g.c = lab_place(g.c_type, x->c, i * x->stride_c);
        lab_cpu_gemm(d, &g);
    }
    if (x->bias) lab_cpu_add_bias(d, type, x->c, x->bias, x->m, x->n);
    if (x->residual) lab_cpu_add(d, type, x->c, x->c, x->residual, (size_t)x->m * x->n);
}
