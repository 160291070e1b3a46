/* The CPU as a device: one thread, everything done when it is asked for. */
#include "lab/cpu/cpu.h"
#include "lab/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is as large as a page starts with one, so that a file can be read straight into it. */
enum { PAGE = 4096 };

static bool take(struct lab_device *d, void **memory, size_t bytes) {
    (void)d;
    if (posix_memalign(memory, bytes < PAGE ? 64 : PAGE, lab_cpu_rounded(bytes))) *memory = NULL;
    if (*memory) memset(*memory, 0, lab_cpu_rounded(bytes));
    return *memory != NULL;
}
static void give(struct lab_device *d, void *memory, size_t bytes) {
    (void)d, (void)bytes;
    free(memory);
}
static void copy(struct lab_device *d, void *to, const void *from, size_t bytes) {
    (void)d;
    memcpy(to, from, bytes);
}
static void zero(struct lab_device *d, void *to, size_t bytes) {
    (void)d;
    memset(to, 0, bytes);
}
static size_t no_scratch(struct lab_device *d, enum lab_dtype type, uint32_t batch, uint32_t seq,
                         uint32_t heads, uint32_t width) {
    (void)d, (void)type, (void)batch, (void)seq, (void)heads, (void)width;
    return 0;
}
static size_t no_workspace(struct lab_device *d, const struct lab_options *o) {
    (void)d, (void)o;
    return 0;
}
static void lend(struct lab_device *d, void *memory, size_t bytes) {
    (void)d, (void)memory, (void)bytes;
}
static double taken(double *sum) {
    double was = *sum;
    *sum = 0;
    return was;
}
static double take_loss(struct lab_device *d) {
    return taken(&((struct lab_cpu *)d)->loss);
}
static double take_squares(struct lab_device *d) {
    return taken(&((struct lab_cpu *)d)->squares);
}
static bool finish(struct lab_device *d, struct lab_message *m) {
    (void)d, (void)m;
    return true;
}

static void shut(struct lab_device *d) {
    struct lab_cpu *cpu = (struct lab_cpu *)d;
    for (size_t i = 0; i < LAB_SCRATCHES; i++) free(cpu->scratch[i].memory);
    free(cpu);
}

static const struct lab_device_row row = {
    .name = "cpu",
    .alloc = take,
    .free = give,
    .copy = copy,
    .zero = zero,
    .upload = copy,
    .download = copy,
    .cast = lab_cpu_cast,
    .add_wide = lab_cpu_add_wide,
    .matmul = lab_cpu_matmul,
    .bias_gradient = lab_cpu_bias_gradient,
    .gelu = lab_cpu_gelu,
    .gelu_backward = lab_cpu_gelu_backward,
    .norm = lab_cpu_norm,
    .add_norm = lab_cpu_add_norm,
    .norm_backward = lab_cpu_norm_backward,
    .embed = lab_cpu_embed,
    .embed_backward = lab_cpu_embed_backward,
    .embed_rows = lab_cpu_embed_rows,
    .attention = lab_cpu_attention,
    .attention_backward = lab_cpu_attention_backward,
    .attention_scratch = no_scratch,
    .cross_entropy = lab_cpu_cross_entropy,
    .take_loss = take_loss,
    .columns_multiple = 1,
    .adam = lab_cpu_adam,
    .add_squares = lab_cpu_add_squares,
    .take_squares = take_squares,
    .workspace = no_workspace,
    .lend = lend,
    .finish = finish,
    .close = shut,
};

struct lab_device *lab_cpu_open(struct lab_message *m) {
    struct lab_cpu *cpu = lab_cpu_warm_up(m) ? calloc(1, sizeof *cpu) : NULL;
    if (!cpu) {
        if (!m->text[0]) snprintf(m->text, sizeof m->text, "no memory for the CPU device");
        return NULL;
    }
    cpu->base.row = &row;
    return &cpu->base;
}
