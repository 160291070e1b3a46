/* Attention on the GPU against a double-precision reference: forward, statistics, backward, for
 * tiles and what no tile fits; the reference itself against finite differences; the same bits
 * again. Runs on the emulator and on a GPU alike. */
#include "gpu/check.h"
#include "lab/cuda/attention.cuh"

#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

using std::vector;

struct problem {
    uint32_t batch, seq, heads, size;
    uint32_t width() const {
        return heads * size;
    }
    size_t rows() const {
        return size_t(batch) * seq;
    }
};
struct numbers { /* all of one problem, in double */
    vector<double> qkv, dout, out, stats, dqkv;
};

/* ── the reference: from the definition, every score kept ── */
static void reference_head(const problem &p, numbers &n, uint32_t sequence, uint32_t head) {
    const size_t row = 3 * size_t(p.width()), width = p.width(), first = size_t(sequence) * p.seq;
    const double scale = 1 / sqrt(double(p.size));
    const double *q = &n.qkv[first * row + head * p.size], *k = q + width, *v = k + width;
    double *dq = &n.dqkv[first * row + head * p.size], *dk = dq + width, *dv = dk + width;
    const double *dout = &n.dout[first * width + head * p.size];
    double *out = &n.out[first * width + head * p.size];
    vector<double> weight(p.seq), slope(p.seq);
    for (size_t i = 0; i < p.seq; i++) {
        double sum = 0, delta = 0;
        for (size_t j = 0; j <= i; j++) {
            double score = 0;
            for (size_t c = 0; c < p.size; c++) score += q[i * row + c] * k[j * row + c];
            sum += weight[j] = exp(score * scale);
        }
        n.stats[(size_t(sequence) * p.heads + head) * p.seq + i] = log2(sum);
        for (size_t j = 0; j <= i; j++) {
            weight[j] /= sum;
            slope[j] = 0;
            for (size_t c = 0; c < p.size; c++) {
                out[i * width + c] += weight[j] * v[j * row + c];
                slope[j] += dout[i * width + c] * v[j * row + c];
                dv[j * row + c] += weight[j] * dout[i * width + c];
            }
            delta += weight[j] * slope[j];
        }
        for (size_t j = 0; j <= i; j++)
            for (size_t c = 0; c < p.size; c++) {
                double ds = weight[j] * (slope[j] - delta) * scale;
                dq[i * row + c] += ds * k[j * row + c];
                dk[j * row + c] += ds * q[i * row + c];
            }
    }
}
static void reference(const problem &p, numbers &n) {
    n.out.assign(p.rows() * p.width(), 0);
    n.stats.assign(p.rows() * p.heads, 0);
    n.dqkv.assign(p.rows() * 3 * p.width(), 0);
    for (uint32_t b = 0; b < p.batch; b++)
        for (uint32_t h = 0; h < p.heads; h++) reference_head(p, n, b, h);
}

/* ── random inputs, of the type's own precision ── */
template <typename T> static T narrow(double x) {
    return lab_narrow<T>(float(x));
}
template <typename T>
static vector<T> chosen(size_t n, unsigned seed, double size, vector<double> &exact) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, size);
    vector<T> all(n);
    exact.resize(n);
    for (size_t i = 0; i < n; i++) {
        all[i] = narrow<T>(normal(random));
        exact[i] = double(lab_widen(all[i]));
    }
    return all;
}

/* ── the device ── */
template <typename T> struct on_device {
    T *memory = nullptr;
    size_t n;
    explicit on_device(size_t count) : n(count) {
        if (cudaMalloc(reinterpret_cast<void **>(&memory), n * sizeof(T))) abort();
        (void)cudaMemset(memory, 0xff, n * sizeof(T));
    }
    explicit on_device(const vector<T> &from) : on_device(from.size()) {
        (void)cudaMemcpy(memory, from.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    }
    on_device(const on_device &) = delete;
    ~on_device() {
        (void)cudaFree(memory);
    }
    vector<T> take() const {
        vector<T> to(n);
        (void)cudaMemcpy(to.data(), memory, n * sizeof(T), cudaMemcpyDeviceToHost);
        return to;
    }
};
template <typename T> struct result {
    vector<T> out, dqkv;
    vector<float> stats;
    const char *trouble;
};
enum way {
    AS_CHOSEN,
    PLAIN
}; /* PLAIN: the kernels without tensor cores, which attention would not take itself */

template <typename T>
static void plainly(const problem &p, const struct lab_attention &a, cudaStream_t stream) {
    const double scale = 1 / sqrt(double(p.size));
    const lab_heads<T> x = {static_cast<const T *>(a.qkv),
                            static_cast<T *>(a.out),
                            static_cast<float *>(a.stats),
                            static_cast<const T *>(a.dout),
                            static_cast<T *>(a.dqkv),
                            static_cast<float *>(a.scratch),
                            p.batch,
                            p.seq,
                            p.heads,
                            p.width(),
                            p.size,
                            float(scale),
                            float(scale * 1.4426950408889634)};
    lab_plain_forward(x, stream);
    lab_plain_backward(x, stream); /* with the deltas of the call before */
}
template <typename T>
static result<T> run(const problem &p, enum lab_dtype type, enum way way, const vector<T> &qkv,
                     const vector<T> &dout) {
    struct lab_cuda c = {};
    on_device<T> on_qkv(qkv), on_dout(dout), out(dout.size()), dqkv(qkv.size());
    on_device<float> stats(p.rows() * p.heads), scratch(p.rows() * p.heads);
    struct lab_attention x = {};
    x.batch = p.batch;
    x.seq = p.seq;
    x.heads = p.heads;
    x.width = p.width();
    x.qkv = on_qkv.memory;
    x.out = out.memory;
    x.stats = stats.memory;
    (void)cudaStreamCreateWithFlags(&c.compute, cudaStreamNonBlocking);
    (void)cudaDeviceSynchronize();
    lab_cuda_attention(&c.device, type, &x);
    x.dout = on_dout.memory;
    x.dqkv = dqkv.memory;
    x.scratch = scratch.memory;
    lab_cuda_attention_backward(&c.device, type, &x);
    if (way == PLAIN) plainly<T>(p, x, c.compute);
    const cudaError_t error = cudaStreamSynchronize(c.compute);
    (void)cudaStreamDestroy(c.compute);
    return {out.take(), dqkv.take(), stats.take(), error ? cudaGetErrorString(error) : nullptr};
}

/* ── comparing: the largest error, in parts of the largest value ── */
/* Of every `parts` runs of `run` numbers the one numbered `part`: queries, keys and values have
 * gradients of different sizes. */
template <typename T>
static double error_of(const vector<T> &got, const vector<double> &wanted, size_t run = 1,
                       size_t parts = 1, size_t part = 0) {
    double worst = 0,
           largest = 0.1; /* numbers here are about 1; one row alone has gradients of 0 */
    for (size_t i = 0; i < got.size(); i++) {
        if (i / run % parts != part) continue;
        const double off = fabs(double(lab_widen(got[i])) - wanted[i]);
        if (!(off <= worst)) worst = off; /* NaN too */
        largest = fmax(largest, fabs(wanted[i]));
    }
    return worst / largest;
}
template <typename T>
static bool near(struct check *c, const problem &p, const char *name, const result<T> &got,
                 const numbers &n, double tolerance) {
    double off[5] = {error_of(got.out, n.out), error_of(got.stats, n.stats)};
    bool well = !got.trouble && off[0] <= tolerance && off[1] <= 1e-5;
    for (size_t part = 0; part < 3; part++) {
        off[2 + part] = error_of(got.dqkv, n.dqkv, p.width(), 3, part);
        well &= off[2 + part] <= 2 * tolerance;
    }
    return check(c, well,
                 "%s, %u x %u, %u heads of %u: out %.1e, stats %.1e, dq %.1e, dk %.1e, dv %.1e%s%s",
                 name, p.batch, p.seq, p.heads, p.size, off[0], off[1], off[2], off[3], off[4],
                 got.trouble ? ": " : "", got.trouble ? got.trouble : "");
}
template <typename T> static bool same(const vector<T> &a, const vector<T> &b) {
    return a.size() == b.size() && memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}
struct kind {
    enum lab_dtype type;
    const char *name, *plainly;
    double tolerance;
};
template <typename T>
static void compare(struct check *c, const problem &p, const kind &k, double size) {
    numbers n;
    vector<T> qkv = chosen<T>(p.rows() * 3 * p.width(), p.seq, size, n.qkv);
    vector<T> dout = chosen<T>(p.rows() * p.width(), p.seq + 1, 1, n.dout);
    reference(p, n);
    const result<T> got = run<T>(p, k.type, AS_CHOSEN, qkv, dout);
    near(c, p, k.name, got, n, k.tolerance);
    const result<T> again = run<T>(p, k.type, AS_CHOSEN, qkv, dout);
    check(c, same(got.out, again.out) && same(got.dqkv, again.dqkv) && same(got.stats, again.stats),
          "%s, %u x %u, %u heads of %u: the same bits again", k.name, p.batch, p.seq, p.heads,
          p.size);
    near(c, p, k.plainly, run<T>(p, k.type, PLAIN, qkv, dout), n, k.tolerance);
}

/* The reference's own gradient, by differences of Σ dout · out. */
static void differences(struct check *c) {
    const problem p = {1, 5, 2, 4};
    numbers n;
    (void)chosen<float>(p.rows() * 3 * p.width(), 1, 1, n.qkv);
    (void)chosen<float>(p.rows() * p.width(), 2, 1, n.dout);
    reference(p, n);
    double worst = 0;
    for (size_t i = 0; i < n.qkv.size(); i++) {
        double side[2];
        for (int s = 0; s < 2; s++) {
            numbers moved = n;
            moved.qkv[i] += s ? 1e-5 : -1e-5;
            reference(p, moved);
            side[s] = 0;
            for (size_t j = 0; j < n.out.size(); j++) side[s] += n.dout[j] * moved.out[j];
        }
        worst = fmax(worst, fabs((side[1] - side[0]) / 2e-5 - n.dqkv[i]));
    }
    check(c, worst < 1e-8, "the reference's gradient is that of finite differences: %.1e", worst);
}

static const problem problems[] = {
    {1, 1, 1, 64},    {2, 5, 2, 64},   {1, 63, 1, 64}, {1, 64, 2, 64},  {2, 65, 1, 64},
    {1, 129, 1, 64},  {1, 200, 2, 64}, {1, 70, 2, 32}, {1, 130, 2, 16}, {1, 66, 1, 80},
    {1, 100, 1, 128}, {1, 40, 3, 24},  {1, 33, 2, 20}, {1, 35, 1, 136}, {2, 7, 3, 5},
};
static const kind bf16 = {LAB_BF16, "bf16", "bf16 plainly", 8e-3},
                  fp16 = {LAB_F16, "fp16", "fp16 plainly", 1.2e-3},
                  fp32 = {LAB_F32, "fp32", "fp32 plainly", 2e-6};

int main() {
    struct check c = {};
    differences(&c);
    for (const problem &p : problems) {
        compare<lab_bf16>(&c, p, bf16, 1);
        compare<lab_f16>(&c, p, fp16, 1);
        compare<float>(&c, p, fp32, 1);
    }
    compare<lab_bf16>(&c, {1, 150, 1, 64}, bf16, 4); /* scores of ± 100: the maximum must move */
    compare<lab_f16>(&c, {1, 150, 1, 64}, fp16, 4);
    return check_done(&c);
}
