#include "gpu/arrays.h"

#include "lab/arith.h"
#include "lab/chance.h"
#include "lab/cuda/cuda.h"

#include <stdlib.h>

double array_chance(uint64_t salt, uint64_t i) {
    return (double)(lab_chance(salt, i) >> 11) * 0x1p-53;
}
double array_number(enum lab_dtype type, const void *host, size_t i) {
    if (type == LAB_F32) return (double)((const float *)host)[i];
    uint16_t bits = ((const uint16_t *)host)[i];
    return (double)(type == LAB_BF16 ? lab_bf16_to_float(bits) : lab_f16_to_float(bits));
}
static void put(enum lab_dtype type, void *host, size_t i, float x) {
    if (type == LAB_F32)
        ((float *)host)[i] = x;
    else
        ((uint16_t *)host)[i] = type == LAB_BF16 ? lab_float_to_bf16(x) : lab_float_to_f16(x);
}

static struct array array_new(struct lab_device *d, enum lab_dtype type, size_t n, size_t shift) {
    size_t e = lab_dtype_bytes(type);
    struct array a = {.type = type, .n = n, .bytes = (n + shift) * e};
    if (!d->row->alloc(d, &a.memory, a.bytes)) abort();
    a.at = (char *)a.memory + shift * e;
    a.value = malloc((n + 1) * sizeof *a.value);
    return a;
}
struct array array_random(struct lab_device *d, enum lab_dtype type, size_t n, size_t shift,
                          uint64_t salt, double size) {
    struct array a = array_new(d, type, n, shift);
    void *host = malloc((n + 1) * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        put(type, host, i, (float)(size * (2 * array_chance(salt, i) - 1)));
        a.value[i] = array_number(type, host, i);
    }
    d->row->upload(d, a.at, host, n * lab_dtype_bytes(type));
    free(host);
    return a;
}
struct array array_tokens(struct lab_device *d, size_t n, uint64_t salt, uint32_t vocab) {
    struct array a = array_new(d, LAB_F32, n, 0); /* four bytes each, as they are */
    int32_t *host = malloc((n + 1) * sizeof *host);
    for (size_t i = 0; i < n; i++) {
        host[i] = (int32_t)(array_chance(salt, i) * array_chance(salt + 1, i) * vocab);
        a.value[i] = host[i];
    }
    d->row->upload(d, a.at, host, n * sizeof *host);
    free(host);
    return a;
}
void array_free(struct lab_device *d, struct array *a) {
    d->row->free(d, a->memory, a->bytes);
    free(a->value);
}
void *array_read(struct lab_device *d, const struct array *a) {
    void *host = malloc((a->n + 1) * sizeof(float));
    d->row->download(d, host, a->at, a->n * lab_dtype_bytes(a->type));
    return host;
}

void array_near(struct nearness *n, enum lab_dtype type, size_t at, double got, double wanted,
                double size) {
    static const double unit[LAB_DTYPES] = {4e-6, 8e-3, 1e-3, 1e-14};
    double off = fabs(got - wanted) / (unit[type] * (fabs(wanted) + 0.05 * size) + 1e-30);
    if (off <= n->worst) return;
    *n = (struct nearness){isnan(off) ? INFINITY : off, at, got, wanted};
}
void array_check(struct check *c, struct lab_device *d, const struct array *a, const double *wanted,
                 double size, const char *format, ...) {
    void *host = array_read(d, a);
    struct nearness n = {0};
    struct lab_message m = {""};
    char name[160];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(name, sizeof name, format, list);
    va_end(list);
    for (size_t i = 0; i < a->n; i++)
        array_near(&n, a->type, i, array_number(a->type, host, i), wanted[i], size);
    bool well = d->row->finish(d, &m) && n.worst <= 1;
    check(c, well, "%s in %s: %.2f of what is allowed, at %zu: %.9g, wanted %.9g %s", name,
          lab_dtype_name(a->type), n.worst, n.at, n.got, n.wanted, m.text);
    free(host);
}

bool bench_open(struct bench *b, uint32_t rows, uint32_t width, struct lab_message *m) {
    struct lab_options o = {.batch = 1, .shape = {1, width, 1, rows, 256}};
    *b = (struct bench){.device = lab_cuda_open(0, m)};
    if (!b->device) return false;
    b->bytes = b->device->row->workspace(b->device, &o);
    if (!b->device->row->alloc(b->device, &b->workspace, b->bytes)) return false;
    b->device->row->lend(b->device, b->workspace, b->bytes);
    return true;
}
void bench_close(struct bench *b) {
    b->device->row->free(b->device, b->workspace, b->bytes);
    b->device->row->close(b->device);
}
