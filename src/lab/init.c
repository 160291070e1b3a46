/* Initial values. */
#include "lab/chance.h"
#include "lab/model.h"

#include <math.h>
#include <string.h>

/* Box and Muller's two normal values from one random number. */
static void normals(uint64_t bits, float *out) {
    float length = sqrtf(-2 * logf(((float)(bits >> 32) + 1) * 0x1p-32f));
    float angle = 6.2831853f * ((float)(bits & 0xffffffffu) * 0x1p-32f);
    out[0] = length * cosf(angle);
    out[1] = length * sinf(angle);
}

static void fill_normal(uint64_t key, float deviation, size_t from, size_t count, float *out) {
    float pair[2];
    for (size_t i = 0; i < count; i++) {
        size_t place = from + i;
        if (i == 0 || place % 2 == 0) normals(lab_chance(key, place / 2), pair);
        out[i] = deviation * pair[place % 2];
    }
}

static void fill(uint64_t key, const struct lab_tensor *t, size_t from, size_t count, float *out) {
    if (t->deviation > 0) {
        fill_normal(key, (float)t->deviation, from, count, out);
        return;
    }
    for (size_t i = 0; i < count; i++) out[i] = t->deviation < 0 ? 1 : 0;
}

void lab_model_init_range(const struct lab_model *m, size_t unit, uint64_t seed, size_t from,
                          size_t count, float *out) {
    const struct lab_unit *u = &m->unit[unit];
    size_t end = from + count;
    for (size_t i = 0; i < u->tensors; i++) {
        const struct lab_tensor *t = &u->tensor[i];
        size_t first = t->offset > from ? t->offset : from;
        size_t last = t->offset + t->count < end ? t->offset + t->count : end;
        uint64_t key = lab_chance(seed, unit * LAB_TENSORS + i);
        if (first < last) fill(key, t, first - t->offset, last - first, out + (first - from));
    }
    size_t padding = from > u->count ? from : u->count;
    if (end > padding) memset(out + (padding - from), 0, (end - padding) * sizeof *out);
}

void lab_model_init(const struct lab_model *m, size_t unit, uint64_t seed, float *out) {
    lab_model_init_range(m, unit, seed, 0, m->unit[unit].count, out);
}
