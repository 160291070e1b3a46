/* One file of a checkpoint's values. */
#include "lab/json.h"
#include "lab/out.h"
#include "lab/saved.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ── the header ────────────────────────────────────────────────────────────────────────────────*/
static void name_of(const struct lab_unit *unit, size_t u, const struct lab_tensor *t, char *out,
                    size_t size) {
    static const char *const places[] = {[LAB_EMBEDDINGS] = "",
                                         [LAB_BLOCK] = "",
                                         [LAB_LAST_NORM] = "ln_f.",
                                         [LAB_HEAD] = "lm_head."};
    if (unit->kind == LAB_BLOCK)
        (void)snprintf(out, size, "h.%zu.%s", u - 1, t->name);
    else
        (void)snprintf(out, size, "%s%s", places[unit->kind], t->name);
}

static void put_tensor(struct lab_json *j, const char *name, const struct lab_tensor *t,
                       uint64_t at) {
    lab_json_open(j, name, '{');
    lab_json_text(j, "dtype", "F32");
    lab_json_open(j, "shape", '[');
    if (t->rows) lab_json_count(j, NULL, t->rows);
    lab_json_count(j, NULL, t->columns);
    lab_json_close(j, ']');
    lab_json_open(j, "data_offsets", '[');
    lab_json_count(j, NULL, at);
    lab_json_count(j, NULL, at + t->count * sizeof(float));
    lab_json_close(j, ']');
    lab_json_close(j, '}');
}

/* Tensors lie in their units one after the other without a gap, as the format demands. */
static void put_header(const struct lab_saved *s, FILE *f) {
    struct lab_json j = {.file = f};
    char text[80];
    uint64_t at = 0;
    lab_json_open(&j, NULL, '{');
    lab_json_open(&j, "__metadata__", '{');
    (void)snprintf(text, sizeof text, "zerolab, after step %u", s->step);
    lab_json_text(&j, "made by", text);
    (void)snprintf(text, sizeof text, "%u", s->shape.heads);
    lab_json_text(&j, "heads", text);
    lab_json_close(&j, '}');
    for (size_t u = 0; u < s->model->units; u++)
        for (size_t i = 0; i < s->model->unit[u].tensors; i++) {
            const struct lab_tensor *t = &s->model->unit[u].tensor[i];
            name_of(&s->model->unit[u], u, t, text, sizeof text);
            put_tensor(&j, text, t, at);
            at += t->count * sizeof(float);
        }
    lab_json_close(&j, '}');
}

/* Spaces after it make what follows begin at a multiple of 8. */
static bool write_header(const struct lab_saved *s, FILE *f) {
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory) return false;
    put_header(s, memory);
    while (!ferror(memory) && ftello(memory) % 8) (void)fputc(' ', memory);
    bool well = fclose(memory) == 0;
    uint64_t length = size;
    well = well && fwrite(&length, sizeof length, 1, f) == 1 && fwrite(text, 1, size, f) == size;
    free(text);
    return well;
}

/* ── the values ────────────────────────────────────────────────────────────────────────────────*/
static bool write_values(struct lab_saved *s, FILE *f) {
    enum { PIECE = 1 << 16 };
    float *piece = malloc(PIECE * sizeof *piece);
    bool well = piece != NULL;
    for (size_t u = 0; well && u < s->model->units; u++)
        for (size_t at = 0, n, count = s->split.unit[u].count; well && at < count; at += n) {
            n = count - at < PIECE ? count - at : PIECE;
            lab_saved_read(s, LAB_VALUES, u, at, n, piece);
            well = !s->failed && fwrite(piece, sizeof *piece, n, f) == n;
        }
    free(piece);
    return well;
}

/* A file is replaced; a device or a link would be too. */
static bool can_replace(const char *path, struct lab_message *m) {
    struct stat st;
    if (lstat(path, &st) != 0 || S_ISREG(st.st_mode)) return true;
    return lab_fail(m, "%.180s: cannot be written: %s", path,
                    S_ISLNK(st.st_mode)   ? lab_out_why(ELOOP)
                    : S_ISDIR(st.st_mode) ? strerror(EISDIR)
                                          : "it is a device, a pipe or a socket: name a file");
}

/* Beside its place first: what has the name is whole. */
static bool write_file(struct lab_saved *s, const char *path, struct lab_message *m) {
    char part[PATH_MAX];
    if (!can_replace(path, m)) return false;
    (void)snprintf(part, sizeof part, "%.4000s" LAB_SAVED_PART, path);
    int fd = lab_out_create(part);
    FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (!f) {
        int error = errno;
        if (fd >= 0) (void)close(fd);
        return lab_fail(m, "%.180s: cannot be written: %s", part, lab_out_why(error));
    }
    bool well = write_header(s, f) && write_values(s, f) && fflush(f) == 0 && fsync(fd) == 0;
    if (!well) (void)lab_fail(m, "%.180s: cannot be written whole: %s", part, strerror(errno));
    (void)fclose(f);
    if (well && rename(part, path) != 0)
        well = lab_fail(m, "%.180s: cannot be written: %s", path, strerror(errno));
    if (!well) (void)unlink(part);
    return well;
}

bool lab_consolidate(const char *checkpoint, const char *path, struct lab_message *m) {
    struct lab_saved *s = lab_saved_open(checkpoint, m);
    bool well = s && lab_saved_whole(s, m) && write_file(s, path, m);
    lab_saved_close(s);
    return well;
}
