/* Products by cuBLASLt. It counts columns first: our row-major C = A · B is its Cᵀ = Bᵀ · Aᵀ, so
 * operands change places and nothing is moved.
 *
 * A bias is an epilogue, and a residual is cuBLASLt's C. GELU is none: an epilogue would take it of
 * the unrounded sum, and checkpointing, which makes it again from the rounded one, would give other
 * bits: no two runs that keep different things could be compared. It is a kernel at the memory's
 * speed.
 *
 * What a product of some shape needs is found once and kept: the same call gives the same
 * algorithm, hence the same bits. Algorithms that split k keep their parts in fp32 and add them in
 * order. */
#include "lab/cuda/choices.h"
#include "lab/cuda/cuda.h"
#include "lab/cuda/outside.h"
#include "lab/engine.h"

#include <stdlib.h>
#include <string.h>

/* Compared byte by byte: made from zeros. */
struct key {
    uint64_t stride_a, stride_b, stride_c;
    uint32_t m, n, k, lda, ldb, ldc, batch, type, c_type, align_a, align_b, align_c, align_residual;
    /* 0: none */
    uint32_t align_bias;
    uint32_t a_transposed, b_transposed, add, residual;
};
_Static_assert(sizeof(struct key) == 3 * sizeof(uint64_t) + 18 * sizeof(uint32_t), "no padding");
struct lab_cuda_plan {
    struct key key;
    cublasLtMatmulDesc_t product;
    /* in cuBLASLt's view: a is our B */
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulAlgo_t algorithm, all[LAB_ALGORITHMS];
    int algorithms;
    bool chosen;
    /* bias and residual are added on the way */
    bool fused;
};

static bool well(struct lab_cuda *c, cublasStatus_t s, const char *what) {
    if (s != CUBLAS_STATUS_SUCCESS) lab_cuda_fail(c, what, cublasLtGetStatusString(s));
    return s == CUBLAS_STATUS_SUCCESS;
}

/* ── which product it is ── */

/* What an address is a multiple of, up to the 16 bytes that matter: a unit's tensors lie alike at
 * every stage, and so get the same algorithm. */
static uint32_t alignment(const void *p) {
    uint32_t low = (uint32_t)(uintptr_t)p & 15u;
    return low ? low & (~low + 1u) : 16;
}
static struct key key_of(enum lab_dtype type, const struct lab_matmul *x) {
    struct key k;
    memset(&k, 0, sizeof k);
    k.m = x->m, k.n = x->n, k.k = x->k;
    k.lda = x->lda ? x->lda : (x->a_transposed ? x->m : x->k);
    k.ldb = x->ldb ? x->ldb : (x->b_transposed ? x->k : x->n);
    k.ldc = x->ldc ? x->ldc : x->n;
    k.batch = x->batch ? x->batch : 1;
    if (k.batch > 1) k.stride_a = x->stride_a, k.stride_b = x->stride_b, k.stride_c = x->stride_c;
    k.type = (uint32_t)type;
    k.c_type = (uint32_t)(x->c_fp32 ? LAB_F32 : type);
    k.align_a = alignment(x->a), k.align_b = alignment(x->b), k.align_c = alignment(x->c);
    k.align_residual = x->residual ? alignment(x->residual) : k.align_c;
    k.a_transposed = x->a_transposed, k.b_transposed = x->b_transposed, k.add = x->add;
    k.align_bias = x->bias ? alignment(x->bias) : 0, k.residual = x->residual != NULL;
    return k;
}

/* ── making a plan ── */

static cudaDataType_t type_of(uint32_t type) {
    static const cudaDataType_t types[LAB_DTYPES] = {CUDA_R_32F, CUDA_R_16BF, CUDA_R_16F,
                                                     CUDA_R_64F};
    return types[type];
}
static bool set(struct lab_cuda *c, cublasLtMatmulDesc_t product,
                cublasLtMatmulDescAttributes_t which, const void *value, size_t size) {
    return well(c, cublasLtMatmulDescSetAttribute(product, which, value, size), "product");
}
static bool prefer(struct lab_cuda *c, cublasLtMatmulPreference_t p,
                   cublasLtMatmulPreferenceAttributes_t which, const void *value, size_t size) {
    return well(c, cublasLtMatmulPreferenceSetAttribute(p, which, value, size), "product");
}

/* With the bias of the first product, which is another's address in the next: cuBLASLt wants to see
 * one when it chooses. */
static bool describe(struct lab_cuda *c, struct lab_cuda_plan *p, const void *const *bias) {
    const struct key *k = &p->key;
    cublasOperation_t a = k->b_transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                      b = k->a_transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_BIAS;
    cudaDataType_t type = type_of(k->type);
    return well(c, cublasLtMatmulDescCreate(&p->product, CUBLAS_COMPUTE_32F, CUDA_R_32F),
                "product") &&
           set(c, p->product, CUBLASLT_MATMUL_DESC_TRANSA, &a, sizeof a) &&
           set(c, p->product, CUBLASLT_MATMUL_DESC_TRANSB, &b, sizeof b) &&
           (!p->fused || !*bias ||
            (set(c, p->product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue) &&
             set(c, p->product, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, &type, sizeof type) &&
             set(c, p->product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias, sizeof *bias)));
}

/* As stored: `columns` of them, `ld` apart, each `rows` long, in cuBLASLt's words the other way
 * round. */
static bool lay(struct lab_cuda *c, cublasLtMatrixLayout_t *out, uint32_t type, uint64_t rows,
                uint64_t columns, uint32_t ld, uint32_t batch, uint64_t stride) {
    int32_t count = (int32_t)batch;
    int64_t apart = (int64_t)stride;
    return well(c, cublasLtMatrixLayoutCreate(out, type_of(type), columns, rows, ld), "product") &&
           well(c,
                cublasLtMatrixLayoutSetAttribute(*out, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                                 sizeof count),
                "product") &&
           well(c,
                cublasLtMatrixLayoutSetAttribute(*out, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                                 &apart, sizeof apart),
                "product");
}
static bool lay_all(struct lab_cuda *c, struct lab_cuda_plan *p) {
    const struct key *k = &p->key;
    return lay(c, &p->a, k->type, k->b_transposed ? k->n : k->k, k->b_transposed ? k->k : k->n,
               k->ldb, k->batch, k->stride_b) &&
           lay(c, &p->b, k->type, k->a_transposed ? k->k : k->m, k->a_transposed ? k->m : k->k,
               k->lda, k->batch, k->stride_a) &&
           lay(c, &p->c, k->c_type, k->m, k->n, k->ldc, k->batch, k->stride_c);
}

/* The algorithms that cuBLASLt proposes within these bounds, best first by its own estimate. False
 * if it has none. */
static bool ask(struct lab_cuda *c, struct lab_cuda_plan *p, cublasLtMatmulPreference_t wish) {
    const struct key *k = &p->key;
    uint32_t schemes = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    uint64_t bytes = c->work.blas_bytes;
    cublasLtMatmulHeuristicResult_t found[LAB_ALGORITHMS];
    int wanted = c->options.products == LAB_TIMED ? LAB_ALGORITHMS : 1;
    memset(found, 0, sizeof found);
    p->algorithms = 0;
    if (!prefer(c, wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes) ||
        !prefer(c, wish, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &schemes, sizeof schemes) ||
        !prefer(c, wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, &k->align_b,
                sizeof k->align_b) ||
        !prefer(c, wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, &k->align_a,
                sizeof k->align_a) ||
        !prefer(c, wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, &k->align_residual,
                sizeof k->align_residual) ||
        !prefer(c, wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, &k->align_c,
                sizeof k->align_c))
        return false;
    cublasStatus_t s = cublasLtMatmulAlgoGetHeuristic(c->blas, p->product, p->a, p->b, p->c, p->c,
                                                      wish, wanted, found, &p->algorithms);
    for (int i = 0; i < p->algorithms; i++) p->all[i] = found[i].algo;
    p->algorithm = p->all[0];
    return s == CUBLAS_STATUS_SUCCESS && p->algorithms > 0 &&
           found[0].state == CUBLAS_STATUS_SUCCESS;
}
static bool find(struct lab_cuda *c, struct lab_cuda_plan *p) {
    cublasLtMatmulPreference_t wish = NULL;
    bool found = well(c, cublasLtMatmulPreferenceCreate(&wish), "product") && ask(c, p, wish);
    if (wish) (void)cublasLtMatmulPreferenceDestroy(wish);
    return found;
}

static void forget(struct lab_cuda_plan *p) {
    if (p->product) (void)cublasLtMatmulDescDestroy(p->product);
    if (p->a) (void)cublasLtMatrixLayoutDestroy(p->a);
    if (p->b) (void)cublasLtMatrixLayoutDestroy(p->b);
    if (p->c) (void)cublasLtMatrixLayoutDestroy(p->c);
}
static bool make(struct lab_cuda *c, struct lab_cuda_plan *p, const struct key *k,
                 const void *const *bias, bool fused) {
    memset(p, 0, sizeof *p);
    p->key = *k;
    p->fused = fused;
    if (describe(c, p, bias) && lay_all(c, p) && find(c, p)) return true;
    forget(p);
    return false;
}

/* The plan for this product: an existing one, or a new one, which replaces the oldest if the table
 * is full. */
static struct lab_cuda_plan *plan_of(struct lab_cuda *c, const struct key *k,
                                     const void *const *bias) {
    size_t known = c->plans < LAB_PLANS ? c->plans : LAB_PLANS;
    if (!c->plan) c->plan = calloc(LAB_PLANS, sizeof *c->plan);
    if (!c->plan) return NULL;
    for (size_t i = 0; i < known; i++)
        if (memcmp(&c->plan[i].key, k, sizeof *k) == 0) return &c->plan[i];
    struct lab_cuda_plan *p = &c->plan[c->plans % LAB_PLANS];
    if (c->plans >= LAB_PLANS) forget(p);
    if (make(c, p, k, bias, true) ||
        ((k->align_bias || k->residual) && make(c, p, k, bias, false))) {
        c->plans++;
        return p;
    }
    memset(p, 0, sizeof *p);
    return NULL;
}
void lab_cuda_plans_free(struct lab_cuda *c) {
    for (size_t i = 0; i < LAB_PLANS && i < c->plans; i++) forget(&c->plan[i]);
    free(c->plan);
}

/* ── running it ── */

static void run(struct lab_cuda *c, const struct lab_cuda_plan *p, const struct lab_matmul *x) {
    bool residual = p->fused && x->residual;
    float alpha = x->scale != 0 ? (float)x->scale : 1, beta = x->add || residual ? 1 : 0;
    if (p->fused && x->bias &&
        !set(c, p->product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &x->bias, sizeof x->bias))
        return;
    well(c,
         cublasLtMatmul(c->blas, p->product, &alpha, x->b, p->a, x->a, p->b, &beta,
                        residual ? x->residual : x->c, p->c, x->c, p->c, &p->algorithm,
                        c->work.blas, c->work.blas_bytes, c->compute),
         "product");
}
/* ── the fastest ── */

enum { ROUNDS = 5 };
/* Milliseconds per round. The first round is not counted, because it loads the kernels. */
static float time_of(struct lab_cuda *c, const struct lab_cuda_plan *p,
                     const struct lab_matmul *x) {
    cudaEvent_t begin = NULL, end = NULL;
    float ms = 0;
    bool well = lab_cuda_check(c, cudaEventCreate(&begin), "event") &&
                lab_cuda_check(c, cudaEventCreate(&end), "event");
    for (int i = 0; well && i <= ROUNDS; i++) {
        if (i == 1) well = lab_cuda_check(c, cudaEventRecord(begin, c->compute), "event");
        run(c, p, x);
    }
    well = well && lab_cuda_check(c, cudaEventRecord(end, c->compute), "event") &&
           lab_cuda_check(c, cudaEventSynchronize(end), "event") &&
           lab_cuda_check(c, cudaEventElapsedTime(&ms, begin, end), "event");
    if (begin) (void)cudaEventDestroy(begin);
    if (end) (void)cudaEventDestroy(end);
    return ms / ROUNDS;
}
static uint64_t fastest(struct lab_cuda *c, struct lab_cuda_plan *p, const struct lab_matmul *x) {
    float least = 0;
    uint64_t best = 0;
    for (int i = 0; i < p->algorithms; i++) {
        p->algorithm = p->all[i];
        float ms = time_of(c, p, x);
        if (i == 0 || ms < least) least = ms, best = (uint64_t)i;
    }
    return best;
}
/* Keeps the algorithm that this process or another one chose before; else takes the fastest now.
 * The rehearsal runs all products of a run. */
static void choose(struct lab_cuda *c, struct lab_cuda_plan *p, const struct lab_matmul *x) {
    uint64_t product = lab_hash_add(LAB_HASH_START + p->fused, &p->key, sizeof p->key), best = 0;
    if (p->chosen || c->options.products != LAB_TIMED || !c->rehearses) return;
    p->chosen = true;
    if (!lab_choices_find(c, product, &best) && !c->trouble.text[0])
        best = lab_choices_add(c, product, fastest(c, p, x));
    p->algorithm = p->all[best < (uint64_t)p->algorithms ? best : 0];
}

/* In the rehearsal, memory that the GPU gains from one reading to the next belongs to the product
 * that ran in between. */
static void weigh(struct lab_cuda *c, enum lab_outside_part part) {
    if (!c->rehearses) return;
    lab_cuda_check(c, cudaStreamSynchronize(c->compute), "the rehearsal");
    lab_outside_mark(c->gpu, part);
}
void lab_cuda_matmul(struct lab_device *d, enum lab_dtype type, const struct lab_matmul *x) {
    struct lab_cuda *c = lab_cuda_of(d);
    struct key k = key_of(type, x);
    weigh(c, LAB_OUTSIDE_MODULES);
    struct lab_cuda_plan *p = plan_of(c, &k, &x->bias);
    if (!p) {
        lab_cuda_fail(c, "product", "cuBLASLt has no algorithm for it");
        return;
    }
    choose(c, p, x);
    run(c, p, x);
    weigh(c, LAB_OUTSIDE_BLAS);
    if (!p->fused) lab_cuda_add_rows(c, type, x->c, x->bias, x->residual, x->m, x->n);
}
