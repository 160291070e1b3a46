/* Sums over rows, and the sum of squares. */
#include "lab/cpu/cores.h"

#include <string.h>

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

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
        if (type == LAB_F64) lab_cpu_cast(d, in, LAB_F32, lab_at(type, x, at), type, count);
        add_squares(lane, type == LAB_F64 ? in : lab_line(type, x, at, count, in), count);
    }
    for (size_t l = 0; l < LANES; l++) sum += lane[l];
    ((struct lab_cpu *)d)->squares += sum;
}
