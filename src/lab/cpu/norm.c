/* LayerNorm, row by row. */
#include "lab/cpu/cores.h"

#include <string.h>

void lab_cpu_norm(struct lab_device *d, enum lab_dtype type, void *y, const void *x,
                  const void *weight, const void *bias, size_t rows, size_t columns) {
    float *capacity = lab_cpu_reservation(d, LAB_ROOM_ROWS, 4 * columns * sizeof *capacity);
    const void *w = lab_line(type, weight, 0, columns, capacity),
               *b = lab_line(type, bias, 0, columns, capacity + columns);
    for (size_t r = 0; r < rows; r++) {
        const void *in = lab_line(type, x, r * columns, columns, capacity + 2 * columns);
        void *out = lab_line_place(type, y, r * columns, capacity + 3 * columns);
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
    char *capacity = lab_cpu_reservation(d, LAB_ROOM_ROWS, 6 * line);
    void *dw = capacity, *db = capacity + line, *out = capacity + 2 * line;
    const void *w = lab_line(type, weight, 0, columns, capacity + 3 * line);
    memset(capacity, 0, 2 * line);
    for (size_t r = 0; r < rows; r++) {
        size_t at = r * columns;
        const void *gradient = lab_line(type, dy, at, columns, capacity + 4 * line);
        const void *in = lab_line(type, x, at, columns, capacity + 5 * line);
        void *to = lab_line_place(type, dx, at, out);
        if (add) lab_line(type, dx, at, columns, out);
        lab_cores(type)->norm_backward(to, add, dw, db, gradient, in, w, columns);
        lab_line_store(type, dx, at, columns, to);
    }
    put_sum(type, dweight, add_own, dw, columns, out);
    put_sum(type, dbias, add_own, db, columns, out);
}
