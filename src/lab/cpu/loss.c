/* Cross-entropy: logits become their own gradient. A 16-bit row is put where its fp32 row began, behind what has been read. */
#include "lab/cpu/cores.h"

#include <string.h>

static void narrow(struct lab_device *d, enum lab_dtype type, char *row, size_t n) {
    float line[LAB_LINE];
    for (size_t at = 0; at < n; at += LAB_LINE) {
        size_t count = n - at < LAB_LINE ? n - at : LAB_LINE;
        lab_cpu_cast(d, line, LAB_F32, lab_at(LAB_F32, row, at), LAB_F32, count);
        lab_line_store(type, row, at, count, line);
    }
}

void lab_cpu_cross_entropy(struct lab_device *d, enum lab_dtype type, void *logits,
                           const int32_t *targets, size_t rows, size_t vocab, size_t columns,
                           double scale) {
    enum lab_dtype real = lab_real(type);
    for (size_t r = 0; r < rows; r++) {
        char *row = lab_place(real, logits, r * columns);
        ((struct lab_cpu *)d)->loss +=
            lab_cores(type)->cross_entropy(row, vocab, (size_t)targets[r], scale);
        if (type != real) narrow(d, type, row, vocab);
        memset(lab_place(type, row, vocab), 0, (columns - vocab) * lab_dtype_bytes(type));
    }
}
