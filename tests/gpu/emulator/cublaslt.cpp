/* cublasLtMatmul by plain loops: sums in fp32 (fp64 where asked), in the order of k. What the real
 * library refuses (sizes that do not fit, an epilogue in row order) is refused here too. */
#include "cublasLt.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "state.h"

#include <vector>

namespace {

struct layout {
    cudaDataType type;
    cublasLtOrder_t order;
    uint64_t rows, columns;
    int64_t ld, stride;
    int32_t batch;
};
static_assert(sizeof(layout) <= sizeof(cublasLtMatrixLayoutOpaque_t), "fits");
struct description {
    cublasComputeType_t compute;
    cudaDataType scale;
    cublasOperation_t transposed_a, transposed_b;
    cublasLtEpilogue_t epilogue;
    void *bias, *aux;
    int64_t aux_ld;
    int32_t aux_type, bias_type;
};
static_assert(sizeof(description) <= sizeof(cublasLtMatmulDescOpaque_t), "fits");
layout *of(cublasLtMatrixLayout_t l) {
    return reinterpret_cast<layout *>(l);
}
description *of(cublasLtMatmulDesc_t d) {
    return reinterpret_cast<description *>(d);
}

double value(int type, const void *base, size_t at) {
    switch (type) {
    case CUDA_R_64F: return static_cast<const double *>(base)[at];
    case CUDA_R_32F: return double(static_cast<const float *>(base)[at]);
    case CUDA_R_16F: return double(float(static_cast<const __half *>(base)[at]));
    default: return double(float(static_cast<const __nv_bfloat16 *>(base)[at]));
    }
}
void put(int type, void *base, size_t at, double v) {
    switch (type) {
    case CUDA_R_64F: static_cast<double *>(base)[at] = v; break;
    case CUDA_R_32F: static_cast<float *>(base)[at] = float(v); break;
    case CUDA_R_16F: static_cast<__half *>(base)[at] = __half(float(v)); break;
    default: static_cast<__nv_bfloat16 *>(base)[at] = __nv_bfloat16(float(v));
    }
}
size_t place(const layout &l, size_t row, size_t column, int batch) {
    size_t ld = size_t(l.ld),
           at = l.order == CUBLASLT_ORDER_ROW ? row * ld + column : column * ld + row;
    return at + size_t(l.stride) * size_t(batch);
}
/* op(X) tight, one row after the other. */
template <class Real>
std::vector<Real> whole(const void *x, const layout &l, bool transposed, int batch) {
    std::vector<Real> to(l.rows * l.columns);
    size_t rows = transposed ? l.columns : l.rows, columns = transposed ? l.rows : l.columns;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            to[r * columns + c] =
                Real(value(l.type, x, transposed ? place(l, c, r, batch) : place(l, r, c, batch)));
    return to;
}

double gelu(double x) {
    return 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}
double gelu_slope(double x) {
    double t = tanh(0.7978845608028654 * (x + 0.044715 * x * x * x));
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608028654 * (1 + 3 * 0.044715 * x * x);
}

struct product {
    description how;
    double alpha, beta;
    const void *a, *b, *c;
    void *d;
    layout al, bl, cl, dl;
    size_t turn; /* where an algorithm begins to sum over k */
};
double after(const product &p, size_t row, size_t column, double v) {
    unsigned e = unsigned(p.how.epilogue);
    size_t aux = size_t(p.how.aux_ld) * column + row;
    int bias_type = p.how.bias_type < 0 ? int(p.dl.type) : p.how.bias_type;
    int aux_type = p.how.aux_type < 0 ? int(p.dl.type) : p.how.aux_type;
    if (e & 4u) v += value(bias_type, p.how.bias, row);
    if (e & 32u) {
        if (e & 128u) {
            put(aux_type, p.how.aux, aux, v);
            v = value(aux_type, p.how.aux, aux);
        }
        v = gelu(v);
    }
    if (e & 64u) v *= gelu_slope(value(aux_type, p.how.aux, aux));
    return v;
}
template <class Real> void one(const product &p, int batch) {
    bool ta = p.how.transposed_a == CUBLAS_OP_T, tb = p.how.transposed_b == CUBLAS_OP_T;
    std::vector<Real> a = whole<Real>(p.a, p.al, ta, batch), b = whole<Real>(p.b, p.bl, tb, batch);
    size_t m = p.dl.rows, n = p.dl.columns, k = ta ? p.al.rows : p.al.columns;
    std::vector<Real> line(n);
    std::vector<Real> bias(m + n + k);
    unsigned e = unsigned(p.how.epilogue);
    for (size_t i = 0; i < m; i++) {
        std::fill(line.begin(), line.end(), Real(0));
        for (size_t step = 0, x = p.turn % k; step < k; step++, x = (x + 1) % k)
            for (size_t j = 0; j < n; j++) line[j] += a[i * k + x] * b[x * n + j];
        for (size_t j = 0; j < n; j++) {
            double v = p.alpha * double(line[j]);
            if (p.beta != 0) v += p.beta * value(p.cl.type, p.c, place(p.cl, i, j, batch));
            v = after(p, i, j, v);
            if (e & 16u) bias[i] += Real(v);
            put(p.dl.type, p.d, place(p.dl, i, j, batch), v);
        }
    }
    for (size_t x = 0; x < k; x++) {
        if (e & 256u)
            for (size_t i = 0; i < m; i++) bias[i] += a[i * k + x];
        if (e & 512u)
            for (size_t j = 0; j < n; j++) bias[j] += b[x * n + j];
    }
    int type = p.how.bias_type < 0 ? int(p.dl.type) : p.how.bias_type;
    size_t biases = e & (16u | 256u) ? m : e & 512u ? n : 0;
    for (size_t i = 0; i < biases; i++) put(type, p.how.bias, i, double(bias[i]));
}

bool sizes_fit(const description &how, const layout &a, const layout &b, const layout &c,
               const layout &d) {
    bool ta = how.transposed_a == CUBLAS_OP_T, tb = how.transposed_b == CUBLAS_OP_T;
    uint64_t m = ta ? a.columns : a.rows, k = ta ? a.rows : a.columns;
    uint64_t k2 = tb ? b.columns : b.rows, n = tb ? b.rows : b.columns;
    if (k != k2 || d.rows != m || d.columns != n || c.rows != m || c.columns != n) return false;
    for (const layout *l : {&a, &b, &c, &d}) {
        uint64_t tight = l->order == CUBLASLT_ORDER_ROW ? l->columns : l->rows;
        if (l->ld < int64_t(tight) || l->batch != d.batch) return false;
    }
    return how.epilogue == CUBLASLT_EPILOGUE_DEFAULT || d.order == CUBLASLT_ORDER_COL;
}
/* An epilogue is only to be had where its vector and all rows begin at 16 bytes. */
bool aligned(const description &how, std::initializer_list<const layout *> layouts) {
    if (how.epilogue == CUBLASLT_EPILOGUE_DEFAULT) return true;
    if (reinterpret_cast<uintptr_t>(how.bias) % 16) return false;
    for (const layout *l : layouts) {
        size_t width = l->type == CUDA_R_64F ? 8 : l->type == CUDA_R_32F ? 4 : 2;
        if (size_t(l->ld) * width % 16) return false;
    }
    return true;
}
template <class T> bool set(T *to, const void *from, size_t bytes) {
    if (bytes != sizeof *to) return false;
    memcpy(to, from, bytes);
    return true;
}
cublasStatus_t said(bool ok) {
    return ok ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

} // namespace

extern "C" {

size_t cublasLtGetVersion(void) {
    return CUBLAS_VERSION;
}
const char *cublasLtGetStatusName(cublasStatus_t status) {
    return status == CUBLAS_STATUS_SUCCESS         ? "CUBLAS_STATUS_SUCCESS"
           : status == CUBLAS_STATUS_INVALID_VALUE ? "CUBLAS_STATUS_INVALID_VALUE"
                                                   : "CUBLAS_STATUS_EXECUTION_FAILED";
}
const char *cublasLtGetStatusString(cublasStatus_t status) {
    return cublasLtGetStatusName(status);
}
cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
    *handle = reinterpret_cast<cublasLtHandle_t>(new int(1));
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    delete reinterpret_cast<int *>(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *l, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t ld) {
    *l = new cublasLtMatrixLayoutOpaque_t{};
    *of(*l) = {type, CUBLASLT_ORDER_COL, rows, columns, ld, 0, 1};
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l) {
    delete l;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t opaque,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void *v, size_t bytes) {
    layout *l = of(opaque);
    switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE: return said(set(&l->type, v, bytes));
    case CUBLASLT_MATRIX_LAYOUT_ORDER: return said(set(&l->order, v, bytes));
    case CUBLASLT_MATRIX_LAYOUT_ROWS: return said(set(&l->rows, v, bytes));
    case CUBLASLT_MATRIX_LAYOUT_COLS: return said(set(&l->columns, v, bytes));
    case CUBLASLT_MATRIX_LAYOUT_LD: return said(set(&l->ld, v, bytes));
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return said(set(&l->batch, v, bytes));
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return said(set(&l->stride, v, bytes));
    }
    return CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *d, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
    *d = new cublasLtMatmulDescOpaque_t{};
    *of(*d) = {compute, scale,   CUBLAS_OP_N, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT,
               nullptr, nullptr, 0,           -1,          -1};
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d) {
    delete d;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t opaque,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void *v, size_t bytes) {
    description *d = of(opaque);
    int32_t mode = 0;
    switch (attribute) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: return said(set(&d->compute, v, bytes));
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE: return said(set(&d->scale, v, bytes));
    case CUBLASLT_MATMUL_DESC_POINTER_MODE:
        return said(set(&mode, v, bytes) && mode == CUBLASLT_POINTER_MODE_HOST);
    case CUBLASLT_MATMUL_DESC_TRANSA: return said(set(&d->transposed_a, v, bytes));
    case CUBLASLT_MATMUL_DESC_TRANSB: return said(set(&d->transposed_b, v, bytes));
    case CUBLASLT_MATMUL_DESC_EPILOGUE: return said(set(&d->epilogue, v, bytes));
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: return said(set(&d->bias, v, bytes));
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER: return said(set(&d->aux, v, bytes));
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD: return said(set(&d->aux_ld, v, bytes));
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE: return said(set(&d->aux_type, v, bytes));
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE: return said(set(&d->bias_type, v, bytes));
    }
    return CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
    *preference = new cublasLtMatmulPreferenceOpaque_t{};
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
    delete preference;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                    cublasLtMatmulPreferenceAttributes_t,
                                                    const void *, size_t) {
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int *found) {
    *found = 0;
    if (!sizes_fit(*of(desc), *of(a), *of(b), *of(c), *of(d))) return CUBLAS_STATUS_INVALID_VALUE;
    if (wanted < 1) return CUBLAS_STATUS_INVALID_VALUE;
    if (!aligned(*of(desc), {of(a), of(b), of(d)})) return CUBLAS_STATUS_NOT_SUPPORTED;
    const char *text = getenv("ZEROLAB_EMULATE_ALGORITHMS");
    for (int there = text ? atoi(text) : 1; *found < wanted && *found < there; ++*found) {
        results[*found] = {};
        results[*found].state = CUBLAS_STATUS_SUCCESS;
        results[*found].algo.data[0] = unsigned(*found);
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t desc, const void *alpha,
                              const void *a, cublasLtMatrixLayout_t a_layout, const void *b,
                              cublasLtMatrixLayout_t b_layout, const void *beta, const void *c,
                              cublasLtMatrixLayout_t c_layout, void *d,
                              cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t *algorithm, void *, size_t,
                              cudaStream_t stream) {
    if (emulated_sticky() != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
    static const char library = 0;
    emulated_load(&library, "ZEROLAB_EMULATE_LIBRARY");
    product p = {*of(desc),
                 value(of(desc)->scale, alpha, 0),
                 value(of(desc)->scale, beta, 0),
                 a,
                 b,
                 c,
                 d,
                 *of(a_layout),
                 *of(b_layout),
                 *of(c_layout),
                 *of(d_layout),
                 algorithm ? size_t(algorithm->data[0]) : 0};
    if (!sizes_fit(p.how, p.al, p.bl, p.cl, p.dl)) return CUBLAS_STATUS_INVALID_VALUE;
    for (const void *at : {a, b, static_cast<const void *>(d)})
        if (!emulated_in_device(at)) return CUBLAS_STATUS_EXECUTION_FAILED;
    emulated_enqueue(stream, [p] {
        bool wide = p.how.scale == CUDA_R_64F;
        for (int batch = 0; batch < p.dl.batch; batch++) {
            if (wide)
                one<double>(p, batch);
            else
                one<float>(p, batch);
        }
        emulated_check_zones("cublasLtMatmul");
    });
    return CUBLAS_STATUS_SUCCESS;
}
}
