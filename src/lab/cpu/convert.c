/* What every kernel stands on: memory to work in, and arrays from one type to another. */
#include "lab/cpu/cpu.h"
#include "lab/arith.h"
#include "lab/cpu/blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *lab_cpu_scratch(struct lab_device *d, enum lab_scratch which, size_t bytes) {
    struct lab_cpu *cpu = (struct lab_cpu *)d;
    if (cpu->scratch[which].bytes >= bytes) return cpu->scratch[which].memory;
    free(cpu->scratch[which].memory);
    cpu->scratch[which].memory = aligned_alloc(64, lab_cpu_rounded(bytes));
    cpu->scratch[which].bytes = bytes;
    if (cpu->scratch[which].memory) return cpu->scratch[which].memory;
    fprintf(stderr, "zerolab: no memory for the %zu bytes a kernel works in\n", bytes);
    exit(1);
}

/* ── types ── */

LAB_WIDE static void from_bf16(float *to, const uint16_t *from, size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = lab_bf16_to_float(from[i]);
}
LAB_WIDE static void from_f16(float *to, const uint16_t *from, size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = lab_f16_to_float(from[i]);
}
LAB_WIDE static void to_bf16(uint16_t *to, const float *from, size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = lab_float_to_bf16(from[i]);
}
LAB_WIDE static void to_f16(uint16_t *to, const float *from, size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = lab_float_to_f16(from[i]);
}

const void *lab_line(enum lab_dtype type, const void *base, size_t at, size_t n, void *buffer) {
    const void *from = lab_element_at(type, base, at);
    if (type == LAB_BF16)
        from_bf16(buffer, from, n);
    else if (type == LAB_F16)
        from_f16(buffer, from, n);
    else if (type >= LAB_DTYPES)
        lab_blocks_load(type, buffer, from, n);
    else
        return from;
    return buffer;
}

void *lab_line_place(enum lab_dtype type, void *base, size_t at, void *buffer) {
    return lab_real(type) == type ? lab_place(type, base, at) : buffer;
}

void lab_line_store(enum lab_dtype type, void *base, size_t at, size_t n, const void *line) {
    void *to = lab_place(type, base, at);
    if (type == LAB_BF16)
        to_bf16(to, line, n);
    else if (type == LAB_F16)
        to_f16(to, line, n);
    else if (type >= LAB_DTYPES)
        lab_blocks_store(type, to, line, n);
    else if (to != line)
        memcpy(to, line, n * lab_dtype_bytes(type));
}

static void to_double(double *to, const float *from, size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = from[i];
}
static void to_float(float *to, const double *from, size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = (float)from[i];
}

/* fp64 goes by way of fp32: it is for tests alone. */
void lab_cpu_cast(struct lab_device *d, void *to, enum lab_dtype to_type, const void *from,
                  enum lab_dtype from_type, size_t n) {
    (void)d;
    float line[LAB_LINE], narrowed[LAB_LINE];
    if (to_type == from_type) {
        memmove(to, from, lab_dtype_size(to_type, n));
        return;
    }
    for (size_t at = 0; at < n; at += LAB_LINE) {
        size_t count = n - at < LAB_LINE ? n - at : LAB_LINE;
        const void *values = lab_line(from_type, from, at, count, line);
        if (from_type == LAB_F64) {
            to_float(narrowed, values, count);
            values = narrowed;
        }
        if (to_type == LAB_F64)
            to_double(lab_place(to_type, to, at), values, count);
        else
            lab_line_store(to_type, to, at, count, values);
    }
}
