/* The model: the shapes that have names, and the units and their tensors in GPT-2's order. */
#include "lab/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ── shapes ──
 *
 * GPT-2's four (Radford et al., "Language Models are Unsupervised Multitask Learners", table 2),
 * and three that read bytes and train on a laptop: tiny has 0.2, small 2.7, 10m 10.8 million
 * parameters. */

static const struct {
    const char *name;
    struct lab_shape shape;
} shapes[] = {
    {"tiny", {4, 64, 4, 64, 256, false}},          {"small", {6, 192, 6, 128, 256, false}},
    {"10m", {6, 384, 6, 256, 256, false}},         {"124m", {12, 768, 12, 1024, 50257, false}},
    {"355m", {24, 1024, 16, 1024, 50257, false}},  {"774m", {36, 1280, 20, 1024, 50257, false}},
    {"1558m", {48, 1600, 25, 1024, 50257, false}},
};

bool lab_shape_find(const char *name, struct lab_shape *out) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(shapes[i].name, name) == 0) {
            *out = shapes[i].shape;
            return true;
        }
    return false;
}

bool lab_shape_same(const struct lab_shape *a, const struct lab_shape *b) {
    return a->layers == b->layers && a->width == b->width && a->heads == b->heads &&
           a->seq == b->seq && a->vocab == b->vocab && a->untied == b->untied;
}

const char *lab_shape_names(void) {
    return "tiny|small|10m|124m|355m|774m|1558m";
}

/* ── units ── */

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

/* The two projections that are added to the residual start smaller, by 1/√(2 layers), so that its
 * variance does not grow with depth. */
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

static void head(struct lab_unit *u, const struct lab_shape *s) {
    snprintf(u->name, sizeof u->name, "head");
    u->kind = LAB_HEAD;
    tensor(u, "weight", s->vocab, s->width, NORMAL);
}

struct lab_model *lab_model_new(const struct lab_shape *shape) {
    struct lab_model *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->shape = *shape;
    m->units = shape->layers + 2 + (size_t)shape->untied;
    m->unit = calloc(m->units, sizeof *m->unit);
    if (!m->unit) {
        free(m);
        return NULL;
    }
    embeddings(&m->unit[0], shape);
    for (uint32_t i = 0; i < shape->layers; i++) block(&m->unit[i + 1], shape, i);
    last_norm(&m->unit[lab_norm_unit(shape)], shape);
    if (shape->untied) head(&m->unit[lab_head_unit(shape)], shape);
    for (size_t i = 0; i < m->units; i++) m->params += m->unit[i].count;
    return m;
}

void lab_model_free(struct lab_model *m) {
    if (!m) return;
    free(m->unit);
    free(m);
}
