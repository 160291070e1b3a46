/* Cross-entropy: logits become their own gradient. A 16-bit row is put where its fp32 row began, behind what has been read. */
#include "lab/cpu/cores.h"

void lab_cpu_cross_entropy(struct lab_device *d, enum lab_dtype type, void *logits,
                           const int32_t *targets, size_t rows, size_t vocab, double scale,
                           double *loss) {
    (void)d;
    enum lab_dtype real = lab_real(type);
    float line[LAB_LINE];
    for (size_t r = 0; r < rows; r++) {
        char *row = lab_place(real, logits, r * vocab);
        *loss += lab_cores(type)->cross_entropy(row, vocab, (size_t)targets[r], scale);
        for (size_t at = 0; type != real && at < vocab; at += LAB_LINE) {
            size_t n = vocab - at < LAB_LINE ? vocab - at : LAB_LINE;
            lab_cpu_cast(d, line, LAB_F32, lab_at(LAB_F32, row, at), LAB_F32, n);
            lab_line_store(type, row, at, n, line);
        }
    }
}
