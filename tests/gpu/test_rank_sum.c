/* Sums over ranks on the GPU are bit for bit those of the CPU: all types, odd lengths, unaligned
 * places, in place, Inf and NaN among them. */
#include "check.h"

#include "lab/cpu/sum.h"
#include "lab/cuda/rank_sum.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 70001, RANKS = 5, SLACK = 16 };

struct shape {
    enum lab_dtype type, into;
    bool add;
    uint32_t ranks;
    /* skew: elements by which all begin late */
    size_t n, skew;
};
static const struct shape shapes[] = {
    {LAB_F32, LAB_F32, false, 2, 1, 0},     {LAB_F32, LAB_F32, true, 3, 4099, 0},
    {LAB_F32, LAB_F32, true, 5, MOST, 1},   {LAB_BF16, LAB_BF16, false, 4, 8192, 0},
    {LAB_BF16, LAB_BF16, true, 3, 8191, 0}, {LAB_BF16, LAB_BF16, true, 5, MOST, 3},
    {LAB_BF16, LAB_F32, true, 2, 777, 0},   {LAB_F16, LAB_F16, false, 3, 12345, 0},
    {LAB_F16, LAB_F16, true, 5, MOST, 5},   {LAB_F16, LAB_F32, false, 2, 64, 0},
    {LAB_F32, LAB_BF16, true, 1, 5000, 0},  {LAB_F64, LAB_F64, true, 4, 999, 0},
};

/* Any bits: so subnormals, infinities and NaNs are among them. */
static uint32_t chance(void) {
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}
static void fill(void *to, size_t bytes, enum lab_dtype type) {
    for (size_t i = 0; i < bytes / 4; i++) ((uint32_t *)to)[i] = chance();
    for (size_t i = 0; type == LAB_F64 && i < bytes / 8; i++)
        ((double *)to)[i] = (double)(int32_t)chance() / 1024;
    for (size_t i = 0; type == LAB_F32 && i < bytes / 4; i++) /* few of them: moderate exponents */
        if (i % 64) ((float *)to)[i] = (float)(int32_t)chance() / 65536;
}
/* Which NaN a sum of NaNs gives is the processor's affair. */
static bool same(const void *a, const void *b, size_t n, enum lab_dtype type) {
    for (size_t i = 0; i < n; i++) {
        if (type == LAB_F32) {
            float x = ((const float *)a)[i], y = ((const float *)b)[i];
            if (memcmp(&x, &y, sizeof x) != 0 && (x == x || y == y)) return false;
        } else if (type == LAB_F64) {
            if (((const double *)a)[i] != ((const double *)b)[i]) return false;
        } else {
            uint16_t x = ((const uint16_t *)a)[i], y = ((const uint16_t *)b)[i];
            uint16_t most = type == LAB_F16 ? 0x7c00 : 0x7f80;
            bool neither = (x & 0x7fff) <= most && (y & 0x7fff) <= most;
            if (x != y && (neither || ((x & 0x7fff) <= most) != ((y & 0x7fff) <= most)))
                return false;
        }
    }
    return true;
}

struct memory {
    char *host, *device;
};
static struct memory take(size_t bytes, enum lab_dtype type) {
    struct memory m = {malloc(bytes), NULL};
    void *device = NULL;
    if (!m.host || cudaMalloc(&device, bytes) != cudaSuccess) exit(1);
    m.device = device;
    fill(m.host, bytes, type);
    (void)cudaMemcpy(device, m.host, bytes, cudaMemcpyHostToDevice);
    return m;
}
static void give(struct memory *m) {
    free(m->host);
    (void)cudaFree(m->device);
}

static bool agrees(const struct shape *s, bool in_place) {
    size_t from_size = lab_dtype_bytes(s->type), to_size = lab_dtype_bytes(s->into);
    size_t from_bytes = (s->n + SLACK) * from_size, to_bytes = (s->n + SLACK) * to_size;
    struct memory from[RANKS], to = take((to_bytes + 7) / 8 * 8, s->into);
    const void *host[RANKS];
    struct lab_rank_sum x = {
        .n = s->n, .ranks = s->ranks, .type = s->type, .into = s->into, .add = s->add && !in_place};
    for (uint32_t r = 0; r < s->ranks; r++) {
        from[r] = take((from_bytes + 7) / 8 * 8, s->type);
        host[r] = from[r].host + s->skew * from_size;
        x.from[r] = from[r].device + s->skew * from_size;
    }
    struct memory *result = in_place ? &from[s->ranks - 1] : &to;
    char *there = result->device + s->skew * to_size, *here = result->host + s->skew * to_size;
    char *back = malloc(to_bytes + 8);
    x.to = there;
    bool well = back && lab_cuda_rank_sum(&x, NULL) == cudaSuccess;
    if (well) lab_sum(here, s->into, x.add, host, s->ranks, s->type, s->n);
    well =
        well && cudaMemcpy(back, result->device, to_bytes, cudaMemcpyDeviceToHost) == cudaSuccess;
    well = well && same(back + s->skew * to_size, here, s->n, s->into) &&
           memcmp(back, result->host, s->skew * to_size) == 0 &&
           memcmp(back + (s->skew + s->n) * to_size, here + s->n * to_size,
                  (SLACK - s->skew) * to_size) == 0;
    free(back);
    give(&to);
    for (uint32_t r = 0; r < s->ranks; r++) give(&from[r]);
    return well;
}

int main(void) {
    struct check c = {0};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const struct shape *s = &shapes[i];
        (void)check(&c, agrees(s, false), "%zu × %s of %u ranks into %s%s", s->n,
                    lab_dtype_name(s->type), s->ranks, lab_dtype_name(s->into),
                    s->add ? ", added" : "");
        if (s->type == s->into)
            (void)check(&c, agrees(s, true), "%zu × %s of %u ranks in place", s->n,
                        lab_dtype_name(s->type), s->ranks);
    }
    return check_done(&c);
}
