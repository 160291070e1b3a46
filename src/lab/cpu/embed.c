/* Lookup of tokens and positions. */
#include "lab/cpu/cores.h"

#include <string.h>

void lab_cpu_embed(struct lab_device *d, enum lab_dtype type, void *x, const int32_t *tokens,
                   const void *wte, const void *wpe, size_t rows, size_t seq, size_t width) {
    for (size_t r = 0; r < rows; r++)
        lab_cpu_add(d, type, lab_place(type, x, r * width),
                    lab_at(type, wte, (size_t)tokens[r] * width),
                    lab_at(type, wpe, r % seq * width), width);
}

/* A sum of rows of dx that grows in the type computed in, and is rounded once. */
struct sum {
    enum lab_dtype type;
    size_t width;
    void *values, *line;
};
static void add_row(const struct sum *s, const void *rows, size_t row) {
    lab_cores(s->type)->add(s->values, s->values,
                            lab_line(s->type, rows, row * s->width, s->width, s->line), s->width);
}
static void begin(const struct sum *s, const void *rows, size_t row) {
    const void *old = lab_line(s->type, rows, row * s->width, s->width, s->line);
    memcpy(s->values, old, s->width * lab_dtype_bytes(lab_real(s->type)));
}

static bool seen(const int32_t *tokens, size_t row) {
    for (size_t r = 0; r < row; r++)
        if (tokens[r] == tokens[row]) return true;
    return false;
}

/* A token's rows at its first place, in order; then each position's. */
void lab_cpu_embed_backward(struct lab_device *d, enum lab_dtype type, void *dwte, void *dwpe,
                            const void *dx, const int32_t *tokens, size_t rows, size_t seq,
                            size_t width) {
    size_t line = width * lab_dtype_bytes(lab_real(type));
    char *capacity = lab_cpu_reservation(d, LAB_ROOM_ROWS, 2 * line);
    struct sum s = {type, width, capacity, capacity + line};
    for (size_t row = 0; row < rows; row++) {
        if (seen(tokens, row)) continue;
        size_t token = (size_t)tokens[row];
        begin(&s, dwte, token);
        for (size_t r = row; r < rows; r++)
            if (tokens[r] == tokens[row]) add_row(&s, dx, r);
        lab_line_store(type, dwte, token * width, width, s.values);
    }
    for (size_t t = 0; t < seq && t < rows; t++) {
        begin(&s, dwpe, t);
        for (size_t r = t; r < rows; r += seq) add_row(&s, dx, r);
        lab_line_store(type, dwpe, t * width, width, s.values);
    }
}
