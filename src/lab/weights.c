/* A file of weights: a header in words, then the values. model.h says how it looks. */
#include "lab/model.h"
#include "lab/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((format(printf, 2, 3))) static bool fail(struct lab_message *e, const char *format,
                                                       ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(e->text, sizeof e->text, format, list);
    va_end(list);
    return false;
}

static size_t tensors(const struct lab_model *m) {
    size_t n = 0;
    for (size_t i = 0; i < m->units; i++) n += m->unit[i].tensors;
    return n;
}

static void header(const struct lab_model *m, FILE *f) {
    const struct lab_shape *s = &m->shape;
    fprintf(f, "zerolab-weights 1\n%u %u %u %u %u\ntensors %zu\n", s->layers, s->width, s->heads,
            s->seq, s->vocab, tensors(m));
    for (size_t i = 0; i < m->units; i++)
        for (size_t t = 0; t < m->unit[i].tensors; t++) {
            const struct lab_tensor *x = &m->unit[i].tensor[t];
            fprintf(f, "%zu %s %zu %zu\n", i, x->name, x->rows, x->columns);
        }
    fputc('\n', f);
}

static bool write_all(const struct lab_model *m, uint64_t seed, FILE *f) {
    bool well = true;
    header(m, f);
    for (size_t i = 0; well && i < m->units; i++) {
        float *values = malloc(m->unit[i].count * sizeof *values);
        if (!values) return false;
        lab_model_init(m, i, seed, values);
        well = fwrite(values, sizeof *values, m->unit[i].count, f) == m->unit[i].count;
        free(values);
    }
    return well;
}

bool lab_weights_write(const struct lab_model *m, uint64_t seed, const char *path,
                       struct lab_message *e) {
    int fd = lab_out_create(path);
    FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (!f) {
        int error = errno;
        if (fd >= 0) (void)close(fd);
        return fail(e, "%.200s: cannot be written: %s", path, lab_out_why(error));
    }
    bool written = write_all(m, seed, f);
    if (fclose(f) != 0 || !written)
        return fail(e, "%.200s: could not be written whole: %s", path, strerror(errno));
    return true;
}

/* The header must be the very one this model would have. */
static bool same_header(const struct lab_model *m, FILE *f) {
    char *expected = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&expected, &size);
    if (!text) return false;
    header(m, text);
    if (fclose(text) != 0) return false;
    bool same = true;
    for (size_t i = 0; same && i < size; i++) same = fgetc(f) == (unsigned char)expected[i];
    free(expected);
    return same;
}

bool lab_weights_read(const struct lab_model *m, const char *path, float *out,
                      struct lab_message *e) {
    FILE *f = fopen(path, "rb");
    if (!f) return fail(e, "%.200s: cannot be read: %s", path, strerror(errno));
    bool same = same_header(m, f),
         whole = same && fread(out, sizeof *out, m->params, f) == m->params && fgetc(f) == EOF;
    fclose(f);
    if (!same)
        return fail(e, "%.200s: not weights of this model; give the shape it was written with",
                    path);
    if (!whole) return fail(e, "%.200s: does not hold %zu values; write it again", path, m->params);
    return true;
}
