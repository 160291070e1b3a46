#include "oracle/oracle.h"

#include <stdio.h>
#include <stdlib.h>

/* ── reading a case ────────────────────────────────────────────────────────────────────────────*/

const char *id_of(const json_t *row) {
    return json_string_value(json_object_get(row, "id"));
}

static const json_t *step_into(const json_t *value, const char *key, size_t length) {
    char name[80];
    snprintf(name, sizeof name, "%.*s", (int)length, key);
    if (json_is_array(value)) return json_array_get(value, strtoul(name, NULL, 10));
    return json_object_get(value, name);
}

static const json_t *find(const json_t *row, const char *path) {
    for (const char *next = path; row && *next;) {
        size_t length = strcspn(next, "/");
        row = step_into(row, next, length);
        next += length + (next[length] == '/');
    }
    return row;
}

bool has(const json_t *row, const char *path) {
    const json_t *value = find(row, path);
    return value && !json_is_null(value);
}

const json_t *at(const json_t *row, const char *path) {
    const json_t *value = find(row, path);
    if (!value) fail_msg("%s: there is no %s", id_of(row), path);
    return value;
}

double num(const json_t *row, const char *path) {
    const json_t *value = at(row, path);
    if (!json_is_number(value)) fail_msg("%s: %s is no number", id_of(row), path);
    return json_number_value(value);
}

double num_or(const json_t *row, const char *path, double otherwise) {
    return has(row, path) ? num(row, path) : otherwise;
}

uint32_t small(const json_t *row, const char *path) {
    return (uint32_t)num(row, path);
}

size_t length(const json_t *row, const char *path) {
    return json_array_size(at(row, path));
}

const char *path(const char *format, ...) {
    static char buffers[8][120];
    static unsigned turn;
    char *out = buffers[turn++ % 8];
    va_list list;
    va_start(list, format);
    vsnprintf(out, sizeof buffers[0], format, list);
    va_end(list);
    return out;
}

/* ── comparing ─────────────────────────────────────────────────────────────────────────────────*/

void near(const json_t *row, const char *what, double got, double wanted, double slack) {
    if (!(fabs(got - wanted) <= slack))
        fail_msg("%s, %s: got %.17g, wanted %.17g within %.3g", id_of(row), what, got, wanted,
                 slack);
}

void same(const json_t *row, double got, const char *path) {
    double wanted = num(row, path), relative = num_or(row, "tolerance/rel", 0);
    near(row, path, got, wanted, fabs(wanted) * (relative > 1e-12 ? relative : 1e-12));
}

/* ── trainings ─────────────────────────────────────────────────────────────────────────────────*/

static void set_pair(struct account_training *t, char *pair) {
    struct account_error e = {0};
    char *value = strchr(pair, '=');
    if (!value) fail_msg("%s: a field and = are wanted", pair);
    *value++ = 0;
    if (!account_set(t, pair, value, &e)) fail_msg("%s=%s: %s", pair, value, e.what);
}

static void set_pairs(struct account_training *t, const char *format, va_list list) {
    char text[400], *rest = text;
    vsnprintf(text, sizeof text, format, list);
    for (char *pair; (pair = strtok_r(rest, " ", &rest));) set_pair(t, pair);
}

void set(struct account_training *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    set_pairs(t, format, list);
    va_end(list);
}

struct account_training trained(const char *format, ...) {
    struct account_training t = account_training_default();
    va_list list;
    va_start(list, format);
    set_pairs(&t, format, list);
    va_end(list);
    return t;
}

/* ── shapes ────────────────────────────────────────────────────────────────────────────────────*/

struct account_shape shape_of(const char *family, uint32_t layers, uint32_t hidden, uint32_t heads,
                              uint32_t ffn, uint32_t vocab) {
    struct account_shape s = {.layers = layers,
                              .hidden = hidden,
                              .heads = heads,
                              .kv_heads = heads,
                              .head_size = heads ? hidden / heads : 0,
                              .ffn = ffn,
                              .vocab = vocab};
    if (!account_family_find(family, &s.family)) fail_msg("there is no family %s", family);
    return s;
}

double counted(struct account_shape s) {
    return (double)account_count_params(&s);
}

void give_shape(struct account_training *t, struct account_shape s) {
    t->shape = s;
    t->params = account_count_params(&s);
}

/* OLMo's blocks: attention of 4 matrices, 1.5 times as wide, and a gated MLP of 3 × 2h². */
struct account_shape matrices_only(uint32_t layers, uint32_t hidden, uint32_t heads) {
    struct account_shape s = shape_of("olmo", layers, hidden, heads, 2 * hidden, 0);
    s.tied = true;
    s.head_size = 3 * hidden / heads / 2;
    return s;
}

/* ── asking the engine ─────────────────────────────────────────────────────────────────────────*/

struct account_memory memory_of(const struct account_training *t) {
    struct account_memory m;
    struct account_error e = {0};
    if (!account_memory(t, &m, &e)) fail_msg("%s", e.what);
    return m;
}

double total(const struct account_training *t) {
    return (double)memory_of(t).gpu.total;
}

double states(const struct account_training *t) {
    const struct account_memory m = memory_of(t);
    return (double)(m.gpu.bytes[ACCOUNT_PARAMS] + m.gpu.bytes[ACCOUNT_GRADS] +
                    m.gpu.bytes[ACCOUNT_MASTER] + m.gpu.bytes[ACCOUNT_MOMENTS]);
}

double rate(const struct account_training *t) {
    struct account_problem p = account_problem_default();
    struct account_solution s;
    struct account_error e = {0};
    p.kind = ACCOUNT_ASK_BYTES_PER_PARAM;
    p.training = *t;
    if (!account_solve(&p, &s, &e)) fail_msg("%s", e.what);
    return s.value;
}

struct account_activations activations_of(const struct account_training *t) {
    struct account_activations a;
    struct account_error e = {0};
    if (!account_activations(t, &a, &e)) fail_msg("%s", e.what);
    return a;
}

struct account_traffic traffic_of(const struct account_training *t) {
    struct account_traffic a;
    struct account_error e = {0};
    if (!account_traffic(t, &a, &e)) fail_msg("%s", e.what);
    return a;
}

const struct account_collective *leg_of(const struct account_traffic *t, const char *what) {
    for (size_t i = 0; i < t->collectives; i++)
        if (strstr(t->collective[i].what, what)) return &t->collective[i];
    fail_msg("there is no leg \"%s\"", what);
    return NULL;
}
