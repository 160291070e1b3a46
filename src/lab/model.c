/* Units and their tensors, in GPT-2's order. */
#include "lab/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void tensor(struct lab_unit *u, const char *name, size_t rows, size_t columns,
                   double deviation) {
    u->tensor[u->tensors++] = (struct lab_tensor){.name = name,
                                                  .offset = u->count,
                                                  .count = (rows ? rows : 1) * columns,
                                                  .rows = rows,
                                                  .columns = columns,
                                                  .deviation = deviation};
    u->count += (rows ? rows : 1) * columns;
}
static void vector(struct lab_unit *u, const char *name, size_t columns, double deviation) {
    tensor(u, name, 0, columns, deviation);
}

#define NORMAL 0.02
#define ONES   (-1.0)
#define ZEROS  0.0

static void embeddings(struct lab_unit *u, const struct lab_shape *s) {
    snprintf(u->name, sizeof u->name, "embeddings");
    u->kind = LAB_EMBEDDINGS;
    tensor(u, "wte", s->vocab, s->width, NORMAL);
    tensor(u, "wpe", s->seq, s->width, NORMAL);
}

/* What is added to the residual is scaled by 1/√(2 layers), so that its variance does not grow with depth. */
static void block(struct lab_unit *u, const struct lab_shape *s, uint32_t i) {
    size_t c = s->width;
    double residual = NORMAL / sqrt(2.0 * s->layers);
    snprintf(u->name, sizeof u->name, "block %u", i);
    u->kind = LAB_BLOCK;
    vector(u, "ln1.weight", c, ONES);
    vector(u, "ln1.bias", c, ZEROS);
    tensor(u, "qkv.weight", 3 * c, c, NORMAL);
    vector(u, "qkv.bias", 3 * c, ZEROS);
    tensor(u, "proj.weight", c, c, residual);
    vector(u, "proj.bias", c, ZEROS);
    vector(u, "ln2.weight", c, ONES);
    vector(u, "ln2.bias", c, ZEROS);
    tensor(u, "fc.weight", 4 * c, c, NORMAL);
    vector(u, "fc.bias", 4 * c, ZEROS);
    tensor(u, "out.weight", c, 4 * c, residual);
    vector(u, "out.bias", c, ZEROS);
}

static void last_norm(struct lab_unit *u, const struct lab_shape *s) {
    snprintf(u->name, sizeof u->name, "last norm");
    u->kind = LAB_LAST_NORM;
    vector(u, "weight", s->width, ONES);
    vector(u, "bias", s->width, ZEROS);
}

struct lab_model *lab_model_new(const struct lab_shape *shape) {
    struct lab_model *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->shape = *shape;
    m->units = shape->layers + 2;
    m->unit = calloc(m->units, sizeof *m->unit);
    if (!m->unit) {
        free(m);
        return NULL;
    }
    embeddings(&m->unit[0], shape);
    for (uint32_t i = 0; i < shape->layers; i++) block(&m->unit[i + 1], shape, i);
    last_norm(&m->unit[m->units - 1], shape);
    for (size_t i = 0; i < m->units; i++) m->params += m->unit[i].count;
    return m;
}

void lab_model_free(struct lab_model *m) {
    if (!m) return;
    free(m->unit);
    free(m);
}
